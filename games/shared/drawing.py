"""Boards as plain text, as mails and golden files show them."""

from collections.abc import Iterable
from typing import Final

from games.api import Grid

MOST: Final = 72
"""Columns of a text mail that a board may fill."""


def board_head(grid: Grid) -> list[str]:
    """Write the names of the columns; those that are wider than a cell go downwards."""
    width, gap = _measures(grid)
    if all(len(name) <= width for name in grid.columns):
        return [_row(grid.columns, width, gap)]
    height = max(map(len, grid.columns))
    return [_row([name.rjust(height)[at] for name in grid.columns], width, gap).rstrip() for at in range(height)]


def board_rows(grid: Grid) -> list[str]:
    """Write the rows, without their names."""
    width, gap = _measures(grid)
    return [_row([cell.text or "." for cell in row], width, gap) for row in grid.cells]


def cell_width(grid: Grid) -> int:
    """Return how many letters the widest cell holds."""
    return max([1, *(len(cell.text) for row in grid.cells for cell in row)])


def board_width(grid: Grid) -> int:
    """Return how many columns of text the rows take."""
    width, gap = _measures(grid)
    return len(grid.columns) * (width + len(gap)) - len(gap)


def _row(texts: Iterable[str], width: int, gap: str) -> str:
    return gap.join(text.ljust(width) for text in texts)


def _measures(grid: Grid) -> tuple[int, str]:
    """Return the width of a cell and what stands between two: a blank while there is room."""
    width = cell_width(grid)
    label = max(map(len, grid.rows), default=0) + 1
    return width, " " if label + len(grid.columns) * (width + 1) - 1 <= MOST else ""
