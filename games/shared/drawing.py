"""Boards as plain text, as mails and golden files show them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, Protocol, TypeVar

from games.api import Cell, Grid, Look, Mark

T = TypeVar("T")

MOST: Final = 72
"""Columns of a text mail that a board may fill."""
ACROSS: Final = 7
"""Dominoes beside each other in one drawing: a wider table is drawn in several."""
FULL: Final = "●"
RING: Final = "○"

_NOTHING: Final = Cell(text=" ")
_FREE: Final = Cell(text=".")


class Drawn(Protocol):
    """What has labels and cells: a game's own board, or one in words."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The labels of the columns."""

    @property
    def rows(self) -> tuple[str, ...]:
        """The labels of the rows."""

    @property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """Row by row."""


def text_forms(grid: Grid) -> tuple[Grid, ...]:
    """Turn a board into grids that can be written sign by sign: dominoes take three rows and columns each."""
    return _FORMS.get(grid.look, _as_it_is)(grid)


def board_lines(grid: Drawn) -> tuple[list[str], list[str]]:
    """Write the names of the columns, and then the rows without their names, with blanks between while there is room.

    Names of columns that are wider than a cell go downwards.
    """
    texts = [[cell.text or "." for cell in row] for row in grid.cells]
    width = max(map(len, chain.from_iterable(texts)), default=1)
    label = max(map(len, grid.rows), default=0) + 1
    gap = " " if label + len(grid.columns) * (width + 1) - 1 <= MOST else ""
    return _head(grid.columns, width, gap), [_row(row, width, gap) for row in texts]


def _head(names: Sequence[str], width: int, gap: str) -> list[str]:
    if all(len(name) <= width for name in names):
        return [_row(names, width, gap)]
    height = max(map(len, names))
    return [_row([name.rjust(height)[at] for name in names], width, gap).rstrip() for at in range(height)]


def _row(texts: Iterable[str], width: int, gap: str) -> str:
    return gap.join([text.ljust(width) for text in texts])


# -- forms -------------------------------------------------------------------------------------------------------------


def _as_it_is(grid: Grid) -> tuple[Grid, ...]:
    return (grid,)


def _dominoes(grid: Grid) -> tuple[Grid, ...]:
    """Write each tile as a cross: its colours around its name. A wide table is split into equal parts."""
    width = len(grid.columns)
    across = -(-width // -(-width // ACROSS))
    return tuple(_crosses(grid, slice(at, at + across)) for at in range(0, width, across))


def _crosses(grid: Grid, part: slice) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    for cells in grid.cells:
        crosses = [_cross(cell) for cell in cells[part]]
        rows += [tuple(cell for cross in crosses for cell in cross[line]) for line in range(3)]
    return replace(
        grid, look="letters", columns=_centred(grid.columns[part]), rows=_centred(grid.rows), cells=tuple(rows)
    )


def _centred(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(label for name in labels for label in ("", name, ""))


def _cross(cell: Cell) -> tuple[tuple[Cell, ...], ...]:
    if not cell.sides:
        return ((_NOTHING,) * 3, (_NOTHING, cell if cell.text else _FREE, _NOTHING), (_NOTHING,) * 3)
    above, right, below, left = cell.sides
    return ((_NOTHING, above, _NOTHING), (left, cell, right), (_NOTHING, below, _NOTHING))


def _rack(grid: Grid) -> tuple[Grid, ...]:
    """Write dominoes in hand apart from each other; a rack of letters as it is."""
    if not any(cell.sides for row in grid.cells for cell in row):
        return (grid,)
    crosses = _crosses(grid, slice(None))
    rows = [_apart(row, _NOTHING) for row in crosses.cells]
    blank = (_NOTHING,) * len(rows[0])
    columns, names = (_apart(labels, "") for labels in (crosses.columns, crosses.rows))
    return (replace(crosses, columns=columns, rows=names, cells=_apart(rows, blank)),)


def _apart(items: Sequence[T], between: T) -> tuple[T, ...]:
    """Put something between threes."""
    spaced = (item for at in range(0, len(items), 3) for item in (*items[at : at + 3], between))
    return tuple(spaced)[:-1]


def _pegs(grid: Grid) -> tuple[Grid, ...]:
    """Write each guess, how many pegs of both kinds it has, and the guess again without what is ruled out."""
    half = len(grid.columns) // 2
    letters = ("",) * half
    columns = (*letters, "", FULL, RING, "", *letters)
    return (replace(grid, look="letters", columns=columns, cells=tuple(_guess(row, half) for row in grid.cells)),)


def _guess(row: Sequence[Cell], half: int) -> tuple[Cell, ...]:
    counts = Counter(peg.mark for peg in row[half:])
    left = (_FREE if cell.mark == "idle" else cell for cell in row[:half])
    pegs = (Cell(text=str(counts[mark])) for mark in _PEGS)
    return (*row[:half], _NOTHING, *pegs, _NOTHING, *left)


_PEGS: Final[tuple[Mark, ...]] = ("full", "ring")
_FORMS: Final[Mapping[Look, Callable[[Grid], tuple[Grid, ...]]]] = {
    "dominoes": _dominoes,
    "tiles": _rack,
    "pegs": _pegs,
}
