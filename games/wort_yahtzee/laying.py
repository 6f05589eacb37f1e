"""Words out of dice: how a written word is laid, what it is worth, and how dice, boxes and words are shown."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

from games.api import Cell, Grid, Seat, Text, say
from games.shared.notation import board_letters
from games.shared.phrases import noted, plain, reason_text
from games.words import Verdict, Words
from games.wort_yahtzee.rules import DICE, JOKER, PROFILE, SPECIAL, Entry, Player, Word, capital

Tiles: TypeAlias = tuple[str, ...]
"""A word die by die: `M`, `Ü`, or `M*` for the diamond as M."""

_SHARP_S: Final = {"ß": "SS", "ẞ": "SS"}
_MERGED: Final = {"AE": "Ä", "OE": "Ö", "UE": "Ü"}
_TILE: Final = re.compile(r"[A-ZÄÖÜ]\*?")
MISSPELT: Final = "MISSPELT"


@dataclass(frozen=True, kw_only=True)
class Laying:
    """Words as they would be laid, and what is lacking for it."""

    words: tuple[Tiles, ...]
    stands_in: Tiles = ()
    """Letters for which the diamond stands although nobody said so."""
    lacking: tuple[str, ...] = ()
    """Letters, and `*` for diamonds, that were not rolled."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The words as strings."""
        return tuple("".join(tiles) for tiles in self.words)


def faces_in(text: str) -> str:
    """Write a text in the letters of the dice; other signs stay."""
    return "".join(_SHARP_S.get(sign) or capital(sign) or sign for sign in text)


def tiles_of(text: str) -> tuple[Tiles, str]:
    """Take a word apart; the second part is what is no letter of a die."""
    faces = faces_in(text)
    return tuple(_TILE.findall(faces)), _TILE.sub("", faces)


def spelling(laid: str) -> str:
    """Return the letters of a laid word: `M*ILD` is MILD."""
    return laid.replace(JOKER, "")


def value(laid: str, values: Mapping[str, int]) -> int:
    """Add up the dice of a word; the diamond is worth nothing."""
    return sum(0 if JOKER in tile else values[tile] for tile in _TILE.findall(laid))


def readings(tiles: Tiles) -> Iterator[Tiles]:
    """Yield all ways to read a word: AE may be two dice or one, literally first."""
    if not tiles:
        yield ()
        return
    for rest in readings(tiles[1:]):
        yield (tiles[0], *rest)
    umlaut = _MERGED.get(tiles[0] + tiles[1][0]) if len(tiles) > 1 else None
    if umlaut:
        star = tiles[1][1:]
        for rest in readings(tiles[2:]):
            yield (umlaut + star, *rest)


def layings(words: Sequence[Tiles], rolled: str) -> tuple[Laying, ...]:
    """Lay words with the dice, each die once. Returns the ways that lack the fewest letters.

    AE may be two dice or one Ä: two dice come first. The diamond stands in for a missing letter. If it must, it may
    stand for different letters, so that several ways are left.
    """
    if sum(map(len, words)) > 2 * DICE:
        return (_laid(tuple(words), rolled),)
    ways = [_laid(chosen, rolled) for chosen in product(*(tuple(readings(word)) for word in words))]
    ways.sort(key=_effort)
    best = ways[0]
    if not (best.lacking or best.stands_in):
        return (best,)
    return tuple(way for way in ways if _effort(way)[:2] == _effort(best)[:2])


def _effort(way: Laying) -> tuple[int, int, int]:
    return len(way.lacking), len(way.stands_in), -sum(map(len, way.words))


def _laid(words: tuple[Tiles, ...], rolled: str) -> Laying:
    have = Counter(rolled)
    need = Counter(tile for word in words for tile in word if JOKER not in tile)
    named = sum(JOKER in tile for word in words for tile in word)
    missing = sorted((need - have).elements())
    spare = have[JOKER] - named
    if spare < 0 or len(missing) > spare:
        return Laying(words=words, lacking=(*missing, *JOKER * max(-spare, 0)))
    return Laying(words=_with_diamond(words, missing), stands_in=tuple(missing))


def _with_diamond(words: tuple[Tiles, ...], missing: Sequence[str]) -> tuple[Tiles, ...]:
    """Put diamonds for missing letters: of equal letters, for the last one."""
    left = Counter(missing)
    turned: list[Tiles] = []
    for word in reversed(words):
        tiles: list[str] = []
        for tile in reversed(word):
            stands_in = left[tile] > 0
            left[tile] -= stands_in
            tiles.append(tile + JOKER * stands_in)
        turned.append(tuple(reversed(tiles)))
    return tuple(reversed(turned))


def judge(laid: str, words: Words) -> Verdict:
    """Judge a word in its dictionary spelling: QUELLE has no Ü, GLÜCK no U and E; ß is SS.

    The list has board letters only, and the spelling in its entry. A word without an entry (by a ruling) counts as it
    was laid.
    """
    laid = spelling(laid)
    board = board_letters(laid)
    verdict = words.check(board, PROFILE)
    known = {spelt for entry in verdict.entry.split(" / ") if board_letters(spelt := faces_in(entry)) == board}
    if known and laid not in known and verdict.status != "refused":
        return Verdict("refused", MISSPELT, verdict.entry, verdict.note)
    return verdict


def spaced(dice: str) -> str:
    """Write dice apart: `A E R T K * O`."""
    return " ".join(dice)


def dice_text(dice: str) -> Text:
    """Write dice, or that there are none."""
    return plain(spaced(dice)) if dice else say("NONE")


def roll_line(player: Player) -> str:
    """Write the line that protects a block from being carried out for another roll."""
    return f"Wurf {len(player.rolls)}: {spaced(player.dice)}"


def dice_grid(player: Player) -> Grid:
    """Draw the rolls of this round, a row each; what was rolled last is new."""
    last = len(player.rolls) - 1
    return Grid(
        look="dice",
        columns=tuple(str(number + 1) for number in range(DICE)),
        rows=tuple(str(number + 1) for number in range(len(player.rolls))),
        cells=tuple(
            tuple(Cell(text=face, new=row == last and at not in player.kept) for at, face in enumerate(dice))
            for row, dice in enumerate(player.rolls)
        ),
    )


def values_text(dice: str, values: Mapping[str, int]) -> str:
    """Return what the dice are worth: `A 1, E 1, *  0`."""
    return ", ".join(f"{face} {values[face]}" for face in dict.fromkeys(dice))


def box_name(box: str) -> Text:
    """Name a box shortly: `R4`, `Chance`."""
    return say(f"BOX_{box.upper()}") if box in SPECIAL else plain(box)


def box_text(box: str) -> Text:
    """Name a box with what belongs into it: `R4 (ein Wort mit 5 Buchstaben)`."""
    return say("BOX_FOR", box=box_name(box), needed=say(f"NEEDED_{box.upper()}")) if box else say("NONE")


def boxes_text(boxes: Sequence[str]) -> str:
    """List numbered boxes."""
    return ", ".join(boxes)


def why(word: Word) -> Text:
    """Return why a word doesn't count."""
    if word.reason == MISSPELT:
        return noted(say(MISSPELT, entry=word.entry), word.note)
    return reason_text(word.reason, word.note)


def mark(word: Word) -> str:
    """Write a word as the tables do: `WORT?` doubtful, `-WORT-` struck out."""
    if word.status == "refused":
        return f"-{word.laid}-"
    return word.laid + ("?" if word.status == "doubtful" else "")


def word_marks(entry: Entry) -> str:
    """Write the words of an entry."""
    return "+".join(map(mark, entry.words))


def entry_text(seat: Seat, entry: Entry) -> Text:
    """Return what was entered in a round."""
    if entry.nmr:
        return say("ENTRY_NMR", seat=seat, in_round=entry.round, zero=entry.zero)
    if not entry.box:
        return say("ENTRY_STRUCK", zero=entry.zero)
    if not entry.zero:
        return say("ENTRY_WORDS", box=entry.box, words=word_marks(entry))
    return say("ENTRY_SPECIAL", box=box_name(entry.box), words=_behind(word_marks(entry)), zero=entry.zero)


def _behind(words: str) -> str:
    return f" {words}" if words else ""


def letter_text(number: int) -> Text:
    """Write how many letters a word has."""
    return say("LETTER") if number == 1 else say("LETTERS", number=number)


def points_text(sure: int, still_open: int) -> Text:
    """Write points: `28`, or `28, dazu 3 offen`."""
    return say("POINTS_OPEN", points=sure, open=still_open) if still_open else plain(str(sure))
