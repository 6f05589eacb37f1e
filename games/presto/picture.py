"""How grids, tiles and points are shown."""

from dataclasses import replace
from typing import Final

from games.api import Grid, Seat, Text, say
from games.plane import BLANK, Rows, picture
from games.tiles import count_colours, shown

WIDEST: Final = 34
"""Columns that fit into a mail, with a star in every cell."""


def plain(text: str) -> Text:
    """Show something that reads the same in every language."""
    return say("PLAIN", text=text)


def draw_grid(rows: Rows, seat: Seat | None = None, note: Text | None = None) -> Grid:
    """Draw a grid in capitals, jokers with a star."""
    grid = picture(rows, margin=0, seat=seat, note=note)
    cells = tuple(tuple(replace(cell, text=cell.text.upper()) for cell in row) for row in grid.cells)
    return replace(grid, cells=cells)


def written(rows: Rows) -> tuple[str, ...]:
    """Write a grid as the rows of a block: `WINTER..`, `......F*`."""
    return tuple("".join(_written(sign) for sign in row) for row in rows)


def _written(sign: str) -> str:
    return f"{sign.upper()}*" if sign.islower() else sign or BLANK


def tiles_text(rack: str) -> Text:
    """Show a rack: `AEEIU* BDFLMNR* (6 rote, 8 schwarze)`."""
    red, black = count_colours(rack)
    return say("TILES", tiles=shown(rack), red=red, black=black)


def counted(points: int) -> Text:
    """Write `1 Punkt`, `4 Punkte`."""
    return say("POINT") if points == 1 else say("POINTS", points=points)
