"""The grid: six rows of six cells, its fourteen lines, and where a word lies in a line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal, NamedTuple, TypeAlias

SIZE: Final = 6
COLUMNS: Final = "abcdef"
BLANK: Final = "."
POINTS: Final = {2: 1, 3: 3, 4: 5, 5: 7, 6: 10}
MOST_WORDS: Final = 3
"""Words in one line. Six cells hold no more anyway."""

Rows: TypeAlias = tuple[str, ...]
"""A grid: six strings of six capitals, `.` for a blank cell."""

EMPTY: Final[Rows] = (BLANK * SIZE,) * SIZE


@dataclass(frozen=True, kw_only=True)
class Line:
    """A row (Z), a column (S) or a long diagonal (D): its cells as (row, column), from 0."""

    kind: Literal["Z", "S", "D"]
    number: int
    cells: tuple[tuple[int, int], ...]


def _lines() -> Iterator[Line]:
    along = range(SIZE)
    for n in along:
        yield Line(kind="Z", number=n + 1, cells=tuple((n, i) for i in along))
    for n in along:
        yield Line(kind="S", number=n + 1, cells=tuple((i, n) for i in along))
    yield Line(kind="D", number=1, cells=tuple((i, i) for i in along))
    yield Line(kind="D", number=2, cells=tuple((SIZE - 1 - i, i) for i in along))


LINES: Final[tuple[Line, ...]] = tuple(_lines())
"""Rows 1-6, columns 1-6, the diagonal down-right, the diagonal up-right: the order of a word list."""


class Place(NamedTuple):
    """Where a word lies in a line: cells from `start` up to `end`, perhaps read backwards."""

    start: int
    end: int
    backwards: bool

    def overlaps(self, other: "Place") -> bool:
        """Ask whether the two share a cell."""
        return self.start < other.end and other.start < self.end


_NAMES: Final = tuple(tuple(f"{column}{row}" for column in COLUMNS) for row in range(1, SIZE + 1))


def cell_name(row: int, column: int) -> str:
    """Name a cell by column letter and row: `c1`."""
    return _NAMES[row][column]


@lru_cache(maxsize=100)
def all_along(rows: Rows) -> tuple[str, ...]:
    """Give what lies along each of the fourteen lines."""
    return tuple("".join(rows[row][column] for row, column in line.cells) for line in LINES)


def points(word: str) -> int:
    """Give what a word of this length is worth."""
    return POINTS.get(len(word), 0)


def new_cells(old: Rows, rows: Rows) -> tuple[str, ...]:
    """Name the cells that hold something now and were blank before, row by row."""
    changed = [row for row in range(SIZE) if old[row] != rows[row]]
    return tuple(cell_name(r, c) for r in changed for c in range(SIZE) if old[r][c] == BLANK != rows[r][c])


def letter_at(rows: Rows, name: str) -> str:
    """Give what lies in a cell: `letter_at(rows, "c1")`."""
    return rows[int(name[1]) - 1][COLUMNS.index(name[0])]


def places(word: str, text: str) -> Iterator[Place]:
    """Find a word in a line, from the left, in both directions; where both read alike it is one place."""
    turned = word[::-1]
    if word not in text and turned not in text:
        return  # so it is with most words and lines
    for start in range(len(text) - len(word) + 1):
        piece = text[start : start + len(word)]
        if piece in (word, turned):
            yield Place(start=start, end=start + len(word), backwards=piece != word)


def arrange(words: Sequence[str], text: str, taken: tuple[Place, ...] = ()) -> tuple[Place, ...] | None:
    """Lay all words into a line without overlapping, each as far left as the others allow; None if they can't be."""
    if not words:
        return ()
    for place in places(words[0], text):
        if not any(place.overlaps(other) for other in taken):
            rest = arrange(words[1:], text, (*taken, place))
            if rest is not None:
                return (place, *rest)
    return None


def arrange_most(words: Sequence[str], text: str) -> tuple[Place | None, ...]:
    """Lay as many of the words into a line as go together, the earlier ones first; None for the others."""
    together = arrange(words, text)
    if together is not None:
        return together
    for number in range(len(words) - 1, 0, -1):
        for chosen in combinations(range(len(words)), number):
            found = arrange([words[i] for i in chosen], text)
            if found is not None:
                return tuple(dict(zip(chosen, found, strict=True)).get(i) for i in range(len(words)))
    return (None,) * len(words)
