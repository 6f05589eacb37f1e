"""Words out of dice: how a written word is laid with what was rolled, and what it is worth."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

from games.notation import board_letters
from games.words import Verdict, Words
from games.wort_yahtzee.equipment import capital
from games.wort_yahtzee.state import DICE, JOKER, PROFILE

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
    """Give the letters of a laid word: `M*ILD` is MILD."""
    return laid.replace(JOKER, "")


def value(laid: str, values: Mapping[str, int]) -> int:
    """Add up the dice of a word; the diamond is worth nothing."""
    return sum(0 if JOKER in tile else values[tile] for tile in _TILE.findall(laid))


def readings(tiles: Tiles) -> Iterator[Tiles]:
    """Give all ways to read a word: AE may be two dice or one, literally first."""
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
    """Lay words together, each die once: the ways that need the fewest letters in the diamond's place, then umlauts.

    AE is Ä only where no A and E were rolled for it. Where the diamond must stand in, it may stand for either, so that
    several ways are left.
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
    """Put diamonds for what is missing: for the last of equal letters, which all have one value."""
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
    """Judge a word in its original spelling: QUELLE has no Ü, GLÜCK no U and E; ß is SS.

    The list knows board letters only, its entry the spelling. Where it names none (a ruling on a word that no list
    has), the word counts as it was laid.
    """
    laid = spelling(laid)
    board = board_letters(laid)
    verdict = words.check(board, PROFILE)
    known = {spelt for entry in verdict.entry.split(" / ") if board_letters(spelt := faces_in(entry)) == board}
    if known and laid not in known and verdict.status != "refused":
        return Verdict("refused", MISSPELT, verdict.entry, verdict.note)
    return verdict
