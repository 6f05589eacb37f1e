"""The grid with its fourteen lines, and where words lie in them."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeAlias

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


def starts(word: str, text: str) -> list[int]:
    """Find where a word begins in a line, from the left, whichever way it is read."""
    both = (word, word[::-1])
    return [start for start in range(len(text) - len(word) + 1) if text[start : start + len(word)] in both]


def without(word: str, text: str, start: int) -> str:
    """Blank the cells of a word in a line: no other word may lie there."""
    return text[:start] + BLANK * len(word) + text[start + len(word) :]


def arrange(words: Sequence[str], text: str) -> tuple[int, ...] | None:
    """Lay all words into a line without overlap, each as far left as possible; None if they don't fit together."""
    if not words:
        return ()
    for start in starts(words[0], text):
        rest = arrange(words[1:], without(words[0], text, start))
        if rest is not None:
            return (start, *rest)
    return None


def arrange_most(words: Sequence[str], text: str) -> tuple[int | None, ...]:
    """Lay as many words into a line as fit together, earlier words first; None for those that don't."""
    for number in range(len(words), 0, -1):
        for chosen in combinations(range(len(words)), number):
            places = arrange([words[at] for at in chosen], text)
            if places is not None:
                laid = dict(zip(chosen, places, strict=True))
                return tuple(laid.get(at) for at in range(len(words)))
    return (None,) * len(words)
