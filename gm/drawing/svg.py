"""Boards as inline SVG for pages and print.

A board is drawn once for all rounds: each round has a group of its own (`r0`, `r1`, ...) with what came in it. A page
hides the groups behind the round that is chosen, so no round is drawn twice. Colours come from the page's stylesheet.
"""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from games.api import Cell
from gm.drawing.picture import Outline, Picture

SIZE: Final = 30
"""Units of a cell across."""
LABELS: Final = 18
"""Units for the labels above and on the left."""


def draw(rounds: Sequence[Picture], outlines: Sequence[Outline] = ()) -> Markup:  # noqa: ARG001 (to come)
    """Draw a board as it was after each of these rounds; the last one is seen where nothing is chosen."""
    last = rounds[-1]
    columns = tuple(dict.fromkeys(name for one in rounds for name in one.columns))
    rows = tuple(dict.fromkeys(name for one in rounds for name in one.rows))
    width, height = LABELS + SIZE * len(columns), LABELS + SIZE * len(rows)
    layers = Markup("").join(_layers(rounds, columns, rows))
    return Markup(
        '<svg class="board {}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>'
    ).format(last.look, width, height, _heard(last), _axes(columns, rows), layers)  # fmt: skip


def mini(picture: Picture) -> Markup:
    """Draw a small board without labels, for lists."""
    width, height = SIZE * len(picture.columns), SIZE * len(picture.rows)
    tiles = Markup("").join(
        _tile(cell, column * SIZE, row * SIZE)
        for row, line in enumerate(picture.cells)
        for column, cell in enumerate(line)
        if cell.text.strip(" .")
    )
    return Markup('<svg class="mini {}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        picture.look, width, height, _heard(picture), tiles
    )


def _layers(rounds: Sequence[Picture], columns: tuple[str, ...], rows: tuple[str, ...]) -> list[Markup]:
    lying: dict[tuple[str, str], Cell] = {}
    drawn = []
    for number, one in enumerate(rounds):
        now = {
            (column, row): cell
            for row, line in zip(one.rows, one.cells, strict=True)
            for column, cell in zip(one.columns, line, strict=True)
            if cell.text.strip(" .")
        }
        came = {at: cell for at, cell in now.items() if lying.get(at, Cell()).text.upper() != cell.text.upper()}
        tiles = Markup("").join(
            _tile(cell, LABELS + columns.index(column) * SIZE, LABELS + rows.index(row) * SIZE)
            for (column, row), cell in came.items()
        )
        drawn.append(Markup('<g class="tiles r{}">{}</g>').format(number, tiles))
        lying = now
    return drawn


def _tile(cell: Cell, left: int, top: int) -> Markup:
    return Markup('<path d="M{} {}h28v28h-28z"/><text x="{}" y="{}"{}>{}</text>').format(
        left + 1, top + 1, left + 15, top + 21, Markup(' class="red"') if cell.tone == "red" else "", cell.text.upper()
    )


def _axes(columns: Sequence[str], rows: Sequence[str]) -> Markup:
    across = (
        Markup('<text x="{}" y="12">{}</text>').format(LABELS + SIZE * at + 15, name) for at, name in enumerate(columns)
    )
    down = (
        Markup('<text x="8" y="{}">{}</text>').format(LABELS + SIZE * at + 20, name) for at, name in enumerate(rows)
    )
    return Markup('<g class="axis" aria-hidden="true">{}{}</g>').format(Markup("").join(across), Markup("").join(down))


def _heard(picture: Picture) -> str:
    said = picture.said or " / ".join("".join(cell.text or "–" for cell in line) for line in picture.cells)
    return f"{picture.title}: {said}"
