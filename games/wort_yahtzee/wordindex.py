"""Words by their letters, to find what seven dice can lay. Built once for a word list."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

from games.words import Words
from games.wort_yahtzee.card import SHORTEST
from games.wort_yahtzee.laying import readings
from games.wort_yahtzee.state import DICE, JOKER, PROFILE

Index: TypeAlias = Mapping[str, tuple[str, ...]]
"""Letters of the dice in order -> words of just these."""

_SMALL: Final = 2000
_PROBES: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWZ")


@dataclass(frozen=True)
class _List:
    """A word list, known by some of its words: a ruling more or less makes no new one."""

    mark: tuple[str, ...]
    faces: tuple[str, ...]
    words: Iterable[str] = field(compare=False)


def index_of(words: Words, faces: tuple[str, ...]) -> Index:
    """Give the index of a list, for these dice.

    Some words may be ruled on since it was built, and those with AE, OE, UE are filed under all ways to lay them:
    what is found is to be judged.
    """
    listed = words.listed(PROFILE)
    known = listed if isinstance(listed, Sequence) else tuple(sorted(listed))
    return _built(_List(_mark(known), faces, known))


def _mark(listed: Sequence[str]) -> tuple[str, ...]:
    if len(listed) <= _SMALL:
        return tuple(listed)
    return tuple(listed[min(bisect_left(listed, probe), len(listed) - 1)] for probe in _PROBES)


@lru_cache(maxsize=4)
def _built(source: _List) -> Index:
    most = Counter(face for die in source.faces for face in set(die))
    found: dict[str, tuple[str, ...]] = {}
    for word in source.words:
        for laid in _ways(word):
            if SHORTEST <= len(laid) <= DICE and _has_room(laid, most):
                letters = "".join(sorted(laid))
                found[letters] = (*found.get(letters, ()), laid)
    return found


def _ways(word: str) -> Iterable[str]:
    """Give the ways to lay a word, if any is short enough: an umlaut may lie on one die."""
    umlauts = word.count("AE") + word.count("OE") + word.count("UE") if "E" in word else 0
    if len(word) - umlauts > DICE:
        return ()
    return ("".join(tiles) for tiles in readings(tuple(word))) if umlauts else (word,)


def _has_room(laid: str, most: Mapping[str, int]) -> bool:
    """Ask whether there are dice enough for these letters, the diamond for those that lack one."""
    lacking = 0
    for letter in {*laid}:
        lacking += max(laid.count(letter) - most[letter], 0)
    return lacking <= most[JOKER]
