"""Finds out how many words fit a pattern: letters, and blanks that ordinary letters may fill."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from games.shared.plane import BLANK
from games.shared.tiles import LETTERS
from games.shared.wordfinder import KnownList, known_list

ORDINARY: Final = "ENIRSTADULHGOMBK"
"""The letters that most words consist of, the most frequent first."""


class Patterns:
    """Words of a list up to a length, by what stands at each place of them."""

    def __init__(self, listed: Iterable[str], longest: int) -> None:
        words: dict[int, list[str]] = {length: [] for length in range(1, longest + 1)}
        for word in listed:
            if len(word) <= longest:
                words[len(word)].append(word)
        self._all = {length: (1 << len(of_length)) - 1 for length, of_length in words.items()}
        self._at = {
            length: tuple(_by_sign(column) for column in zip(*of_length, strict=True))
            for length, of_length in words.items()
        }

    def number(self, pattern: str) -> int:
        """Count the words that fit a pattern, read from the left."""
        fits = self._all[len(pattern)]
        for signs, sign in zip(self._at[len(pattern)], pattern, strict=False):
            fits &= signs.get(sign, 0)
            if not fits:
                break
        return fits.bit_count()


def _by_sign(column: Iterable[str]) -> Mapping[str, int]:
    """Write down for each sign, as bits, which words have it in a column of the list."""
    text = "".join(column)[::-1]
    found = {sign: int(text.translate(_BITS[sign]), 2) for sign in {*text}}
    return {**found, BLANK: int(text.translate(_BITS[BLANK]), 2)}


def _marked(signs: str) -> dict[int, str]:
    return str.maketrans({letter: "1" if letter in signs else "0" for letter in LETTERS})


_BITS: Final = {**{letter: _marked(letter) for letter in LETTERS}, BLANK: _marked(ORDINARY)}


def patterns(listed: Iterable[str], longest: int) -> Patterns:
    """Index a list of words; the index of a list is made once."""
    return _index(known_list(listed), longest)


@lru_cache(maxsize=4)
def _index(known: KnownList, longest: int) -> Patterns:
    return Patterns(known.words, longest)
