"""A board in plain letters, as mails and golden files show it."""

from typing import Final

from games.api import Grid

MOST: Final = 72
"""Columns of a text mail that a board may fill."""


def board_head(grid: Grid) -> list[str]:
    """Write the names of the columns; those that are wider than a cell go downwards."""
    width = cell_width(grid)
    if all(len(name) <= width for name in grid.columns):
        return [_row(grid, grid.columns)]
    height = max(map(len, grid.columns))
    return [_row(grid, [name.rjust(height)[at] for name in grid.columns]).rstrip() for at in range(height)]


def board_rows(grid: Grid) -> list[str]:
    """Write the rows, without their names."""
    return [_row(grid, [cell.text or "." for cell in row]) for row in grid.cells]


def cell_width(grid: Grid) -> int:
    """Say how many letters the widest cell holds."""
    return max([1, *(len(cell.text) for row in grid.cells for cell in row)])


def board_width(grid: Grid) -> int:
    """Say how many columns of text the rows take."""
    return len(grid.columns) * (cell_width(grid) + len(_gap(grid))) - len(_gap(grid))


def _row(grid: Grid, texts: "list[str] | tuple[str, ...]") -> str:
    width = cell_width(grid)
    return _gap(grid).join(text.ljust(width) for text in texts)


def _gap(grid: Grid) -> str:
    """Cells stand apart while there is room."""
    label = max(map(len, grid.rows), default=0) + 1
    return " " if label + len(grid.columns) * (cell_width(grid) + 1) - 1 <= MOST else ""
