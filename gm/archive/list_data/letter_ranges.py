"""Which words of a register share a page: those with the same first letter, or of too many, the first two to four."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

MOST: Final = 200
"""Words on a page, unless even those with the same four letters are more."""
DEPTH: Final = 4


@dataclass(frozen=True, kw_only=True)
class Part:
    """Words with the same prefix; with `is_whole` those that are the prefix, and no longer ones."""

    prefix: str
    count: int
    is_whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A letter and the pages that its words are on."""

    letter: str
    count: int
    parts: tuple[Part, ...]

    @property
    def is_parted(self) -> bool:
        """Whether the letter's own page only links to others."""
        return self.parts[0] != Part(prefix=self.letter, count=self.count)


def first_letters(key: str) -> str:
    """Give the first letters of a key."""
    return key.partition(" ")[0][:DEPTH]


def divide(counts: Mapping[str, int]) -> list[Letter]:
    """Divide words into pages by how they begin. `counts` has the number of words by their first four letters."""
    found = []
    for letter, prefixes in groupby(sorted(counts), key=lambda prefix: prefix[0]):
        of_letter = {prefix: counts[prefix] for prefix in prefixes}
        total = sum(of_letter.values())
        parts = tuple(_parts(letter, of_letter)) if total > MOST else (Part(prefix=letter, count=total),)
        found.append(Letter(letter=letter, count=total, parts=parts))
    return found


def _parts(prefix: str, counts: Mapping[str, int]) -> Iterator[Part]:
    if prefix in counts and len(prefix) < DEPTH:
        yield Part(prefix=prefix, count=counts[prefix], is_whole=True)
    longer = sorted(one for one in counts if len(one) > len(prefix))
    for start, group in groupby(longer, key=lambda one: one[: len(prefix) + 1]):
        below = {one: counts[one] for one in group}
        total = sum(below.values())
        if total > MOST and len(start) < DEPTH:
            yield from _parts(start, below)
        else:
            yield Part(prefix=start, count=total)
