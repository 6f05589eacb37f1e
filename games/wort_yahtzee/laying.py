"""Words out of dice: how written words are laid, how they are judged, and how dice, boxes and words are shown.

Words for one box are one text of faces, `RAT+M*ILD`: a capital for each die, with a star the diamond as that letter.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from games.api import Text, say
from games.shared.notation import board_letters
from games.shared.phrases import noted, plain, reason_text
from games.words import Verdict, Words
from games.wort_yahtzee.rules import DICE, JOKER, SPECIAL, WORDS, Word, capital

AND: Final = "+"
"""Stands between words."""

_SHARP_S: Final = {"ß": "SS", "ẞ": "SS"}
_MERGED: Final = {"AE": "Ä", "OE": "Ö", "UE": "Ü"}
_TILE: Final = re.compile(r"[A-ZÄÖÜ]\*?")
_MISSPELT: Final = "MISSPELT"


@dataclass(frozen=True, kw_only=True)
class Laying:
    """Words as they would be laid, and what is lacking for it."""

    text: str
    stands_in: tuple[str, ...] = ()
    """Letters for which the diamond stands although nobody said so."""
    lacking: tuple[str, ...] = ()
    """Letters, and `*` for diamonds, that were not rolled."""

    @property
    def effort(self) -> tuple[int, int]:
        """How far it is from what lies there."""
        return len(self.lacking), len(self.stands_in)


def faces_in(text: str) -> str:
    """Write a text in the letters of the dice; other signs stay."""
    return "".join(_SHARP_S.get(sign) or capital(sign) or sign for sign in text)


def no_letters(word: str) -> str:
    """Return what of a word is neither a letter nor the star behind one."""
    return _TILE.sub("", faces_in(word))


def readings(text: str) -> list[str]:
    """List all ways to read a text of faces: AE may be two dice or one, literally first. A long one has one way."""
    if sum(map(str.isalpha, text)) > 2 * DICE:
        return [text]
    parts = re.split("(AE|OE|UE)", text)
    ways = product(*((part, _MERGED[part]) if part in _MERGED else (part,) for part in parts))
    return ["".join(way) for way in ways]


def lay(text: str, rolled: str, values: Mapping[str, int], words: Words) -> tuple[Laying, tuple[Word, ...]]:
    """Lay words with the dice, each die once, in the way that lacks the fewest letters.

    AE may be two dice or one Ä: two dice come first. The diamond stands in for a missing letter. If it must, it may
    stand for different letters; then the words are laid as they are spelt.
    """
    ways = sorted((_laid(way, rolled) for way in readings(text)), key=lambda way: (way.effort, -len(way.text)))
    effort = ways[0].effort
    equal = [way for way in ways if way.effort == effort] if any(effort) else ways[:1]
    tried = [(way, tuple(judged(laid, values, words) for laid in way.text.split(AND) if laid)) for way in equal]
    return min(tried, key=lambda way: sum(word.reason == _MISSPELT for word in way[1]))


def _laid(text: str, rolled: str) -> Laying:
    have, need = Counter(rolled), Counter(tile for tile in _TILE.findall(text) if JOKER not in tile)
    missing = sorted((need - have).elements())
    spare = have[JOKER] - text.count(JOKER)
    if spare < 0 or len(missing) > spare:
        return Laying(text=text, lacking=(*missing, *JOKER * max(-spare, 0)))
    return Laying(text=_with_diamonds(text, missing), stands_in=tuple(missing))


def _with_diamonds(text: str, missing: list[str]) -> str:
    """Put diamonds for missing letters: of equal letters, for the last one."""
    backwards = text[::-1]
    for face in missing:
        backwards = re.sub(rf"(?<!\*){face}", f"{JOKER}{face}", backwards, count=1)
    return backwards[::-1]


def judged(laid: str, values: Mapping[str, int], words: Words) -> Word:
    """Judge a word as it is laid; the diamond is worth nothing."""
    worth = sum(values.get(tile, 0) for tile in _TILE.findall(laid))
    return Word(laid=laid, value=worth, **vars(_verdict(laid.replace(JOKER, ""), words)))


def _verdict(spelling: str, words: Words) -> Verdict:
    """Judge a word in its dictionary spelling: QUELLE has no Ü, GLÜCK no U and E; ß is SS.

    The list has board letters only, and the spelling in its entry. A word without an entry (by a ruling) counts as it
    was laid.
    """
    board = board_letters(spelling)
    verdict = words.check(board, WORDS.name)
    known = {spelt for entry in verdict.entry.split(" / ") if board_letters(spelt := faces_in(entry)) == board}
    if known and spelling not in known and verdict.status != "refused":
        return Verdict("refused", _MISSPELT, verdict.entry, verdict.note)
    return verdict


# How they are shown


def spaced(dice: str) -> str:
    """Write dice apart: `A E R T K * O`."""
    return " ".join(dice)


def dice_text(dice: str) -> Text:
    """Write dice, or that there are none."""
    return plain(spaced(dice)) if dice else say("NONE")


def box_name(box: str) -> Text:
    """Name a box shortly: `R4`, `Chance`."""
    return say(f"BOX_{box.upper()}") if box in SPECIAL else plain(box)


def box_text(box: str) -> Text:
    """Name a box with what belongs into it: `R4 (ein Wort mit 5 Buchstaben)`."""
    return say("BOX_FOR", box=box_name(box), needed=needed(box))


def needed(box: str) -> Text:
    """Say what belongs into a box; nothing stands for one that isn't known."""
    return say(f"NEEDED_{box.upper() or 'ANY'}")


def why(word: Word) -> Text:
    """Return why a word doesn't count."""
    if word.reason == _MISSPELT:
        return noted(say(_MISSPELT, entry=word.entry), word.note)
    return reason_text(word.reason, word.note)


def mark(word: Word) -> str:
    """Write a word as the tables do: `WORT?` doubtful, `-WORT-` struck out."""
    if word.status == "refused":
        return f"-{word.laid}-"
    return word.laid + ("?" if word.status == "doubtful" else "")


def word_marks(words: Iterable[Word]) -> str:
    """Write words as they were laid together: `RAT+SO?`."""
    return AND.join(map(mark, words))
