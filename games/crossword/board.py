"""The grid with its fourteen lines, and where words lie in them."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

SIZE: Final = 6
COLUMNS: Final = "abcdef"
BLANK: Final = "."
POINTS: Final = {2: 1, 3: 3, 4: 5, 5: 7, 6: 10}

Rows: TypeAlias = tuple[str, ...]
"""A grid: six strings of six capitals, `.` for a blank cell. Joined they are its cells, row by row."""

EMPTY: Final[Rows] = (BLANK * SIZE,) * SIZE
CELLS: Final = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in COLUMNS)
"""The names of the cells, row by row: `a1`, `b1` and so on."""
LINES: Final = (
    *(slice(row * SIZE, (row + 1) * SIZE) for row in range(SIZE)),
    *(slice(column, None, SIZE) for column in range(SIZE)),
    slice(None, None, SIZE + 1),
    slice(SIZE * (SIZE - 1), 0, 1 - SIZE),
)
"""Rows, columns, the diagonal down-right, the diagonal up-right, as parts of the cells: the order of a word list."""
NAMES: Final = ("Z1", "Z2", "Z3", "Z4", "Z5", "Z6", "S1", "S2", "S3", "S4", "S5", "S6", "D1", "D2")
"""The names of the lines."""


def all_along(rows: Rows) -> tuple[str, ...]:
    """Return what lies along each of the fourteen lines."""
    cells = "".join(rows)
    return tuple(cells[line] for line in LINES)


def rows_of(cells: str) -> Rows:
    """Part cells into the rows of a grid."""
    return tuple(cells[start : start + SIZE] for start in range(0, SIZE * SIZE, SIZE))


def points(word: str) -> int:
    """Return what a word of this length is worth."""
    return POINTS.get(len(word), 0)


def placed(old: Rows, rows: Rows) -> dict[str, str]:
    """Return what lies in the cells that were blank before, by their names, row by row."""
    cells = zip(CELLS, "".join(old), "".join(rows), strict=True)
    return {name: new for name, lies, new in cells if lies == BLANK != new}


class Place(NamedTuple):
    """Where a word lies in a line: cells from `start` up to `end`, perhaps read backwards."""

    start: int
    end: int
    backwards: bool

    def overlaps(self, other: "Place") -> bool:
        """Return whether the two share a cell."""
        return self.start < other.end and other.start < self.end


def places(word: str, text: str) -> Iterator[Place]:
    """Find a word in a line, from the left, in both directions; where both read alike it is one place."""
    for start in range(len(text) - len(word) + 1):
        piece = text[start : start + len(word)]
        if piece in (word, word[::-1]):
            yield Place(start=start, end=start + len(word), backwards=piece != word)


def arrange(words: Sequence[str], text: str, taken: tuple[Place, ...] = ()) -> tuple[Place, ...] | None:
    """Lay all words into a line without overlap, each as far left as possible; None if they don't fit together."""
    if not words:
        return ()
    for place in places(words[0], text):
        if not any(place.overlaps(other) for other in taken):
            rest = arrange(words[1:], text, (*taken, place))
            if rest is not None:
                return (place, *rest)
    return None


def arrange_most(words: Sequence[str], text: str) -> tuple[Place | None, ...]:
    """Lay as many words into a line as fit together, earlier words first; None for those that don't."""
    for number in range(len(words), 0, -1):
        for chosen in combinations(range(len(words)), number):
            found = arrange([words[at] for at in chosen], text)
            if found is not None:
                laid = dict(zip(chosen, found, strict=True))
                return tuple(laid.get(at) for at in range(len(words)))
    return (None,) * len(words)
