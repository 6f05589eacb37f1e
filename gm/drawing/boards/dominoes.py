"""Dominoes of four triangles. Each colour has a symbol: heart, leaf, diamond, bell, drop; the name stands in a hub."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from markupsafe import escape

from games.api import Cell, Tone
from gm.drawing.boards import mail
from gm.drawing.boards.markup import Placed, path, signs
from gm.drawing.picture import Picture

SIZE: Final = 60
LABELS: Final = 30
"""Units for the labels above and on the left."""
KEY: Final = 34
"""Units for a row of the key below the table."""
KEY_ACROSS: Final = 72
"""From one symbol of the key to the next."""

_SIDES: Final = ("l-28-28h56z", "l28-28v56z", "l28 28h-56z", "l-28 28v-56z")
"""The triangles above, right, below and left, from the middle of the tile."""
_CENTRES: Final = ((30, 13), (47, 30), (30, 47), (13, 30))
"""Where the symbols stand."""
_SYMBOLS: Final[dict[Tone, str]] = {
    "red": "m0 5l-4.6-5.2c-2.5-3.2 2.6-6.4 4.6-2.6 2-3.8 7.1-.6 4.6 2.6z",
    "green": "m0-6q8 6.5 1 9.2v2.8h-2v-2.8q-7-2.7 1-9.2z",
    "black": "m0-6l4.8 6-4.8 6-4.8-6z",
    "yellow": "m-5 0a5 5 0 1 0 10 0 5 5 0 1 0-10 0zm3.2 0a1.8 1.8 0 1 1 3.6 0 1.8 1.8 0 1 1-3.6 0z",
    "blue": "m0-6.5q5 6.5 4.2 8.5a4.4 4.4 0 0 1-8.4 0q-.8-2 4.2-8.5z",
}
_HUB: Final = "a10 10 0 1 0 20 0 10 10 0 1 0-20 0z"


def extent(columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
    """Give the width and the height of a table with the key to its symbols."""
    keys = -(-len(_SYMBOLS) // _keys_across(columns))
    return LABELS + SIZE * len(columns), LABELS + SIZE * len(rows) + KEY * keys


def corner(columns: Sequence[str], column: int, row: int) -> tuple[int, int]:  # noqa: ARG001 (pegs need them)
    """Give the upper left corner of a place."""
    return LABELS + SIZE * column, LABELS + SIZE * row


def ground(columns: Sequence[str], rows: Sequence[str], shown: Picture) -> str:
    """Draw a dot in each place, the labels, and below which symbol is which colour."""
    middles = [(corner(columns, x, y)) for y in range(len(rows)) for x in range(len(columns))]
    names = [(LABELS + SIZE * at + 30, 20, name.replace("-", "−")) for at, name in enumerate(columns)]
    beside = [(14, LABELS + SIZE * at + 35, name.replace("-", "−")) for at, name in enumerate(rows)]
    dots = path((f"M{x + 30} {y + 30}h0" for x, y in middles), "dots")
    return dots + signs((*names, *beside), "axis") + _key(columns, LABELS + SIZE * len(rows), shown)


def tiles(placed: Sequence[Placed], *, small: bool = False) -> str:
    """Draw tiles: one path for all fields of a colour. Below each lies its edge, seen where it is new."""
    edge = path((f"M{one.left - 2} {one.top - 2}h64v64h-64z" for one in placed), "edge")
    fields: dict[Tone, list[str]] = {}
    for one in placed:
        for side, shape in zip(one.cell.sides, _SIDES, strict=False):
            fields.setdefault(side.tone, []).append(f"M{one.left + 30} {one.top + 30}{shape}")
    drawn = edge + "".join(path(parts, f"field {tone}") for tone, parts in fields.items())
    return drawn if small else drawn + _details(placed)


def blanks(placed: Sequence[Placed]) -> str:
    """Paint over places that have become free."""
    return path((f"M{one.left} {one.top}h60v60h-60z" for one in placed), "blank")


def _keys_across(columns: Sequence[str]) -> int:
    return max(SIZE * len(columns) // KEY_ACROSS, 1)


def _key(columns: Sequence[str], top: int, shown: Picture) -> str:
    """Draw each symbol in its colour, with what players write for it."""
    codes = {side.tone: side.text for line in shown.cells for cell in line for side in cell.sides}
    across = _keys_across(columns)
    drawn = ""
    for at, tone in enumerate(tone for tone in _SYMBOLS if tone in codes):
        x, y = LABELS + KEY_ACROSS * (at % across), top + KEY * (at // across) + 6
        name = "symbol dark" if tone == "yellow" else "symbol"
        drawn += path([f"M{x} {y}h22v22h-22z"], f"field {tone}") + path([f"M{x + 11} {y + 11}{_SYMBOLS[tone]}"], name)
        drawn += f'<text x="{x + 28}" y="{y + 17}">{escape(codes[tone])}</text>'
    return f'<g class="key">{drawn}</g>' if drawn else ""


def _details(placed: Sequence[Placed]) -> str:
    light: list[str] = []
    dark: list[str] = []
    for one in placed:
        for side, (x, y) in zip(one.cell.sides, _CENTRES, strict=False):
            part = f"M{one.left + x} {one.top + y}{_SYMBOLS.get(side.tone, '')}"
            (dark if side.tone == "yellow" else light).append(part)
    hubs = (f"M{one.left + 20} {one.top + 30}{_HUB}" for one in placed)
    names = [(one.left + 30, one.top + 35, one.cell.text.lower()) for one in placed]
    return path(light, "symbol") + path(dark, "symbol dark") + path(hubs, "hub") + signs(names, "name")


# -- mails -------------------------------------------------------------------------------------------------------------

_COLOURS: Final[dict[Tone, tuple[str, str]]] = {
    "": (mail.PAPER, mail.INK),
    "red": ("#c0281f", mail.WHITE),
    "green": ("#23753b", mail.WHITE),
    "black": (mail.BLACK, mail.WHITE),
    "yellow": (mail.NEW, mail.INK),
    "blue": ("#1f61b5", mail.WHITE),
}
"""Ground and text of a field."""
_MEASURES: Final = ((6, (16, 22, 10)), (8, (12, 17, 9)), (99, (11, 16, 8)))
"""Up to how many columns a corner, the middle of a tile and the letters of its colours are how large."""


def mail_rows(shown: Picture, *, is_small: bool) -> str:  # noqa: ARG001 (grids of letters differ)
    """Write a tile as three rows of three cells: corners of two triangles, fields with their colour, the name.

    A dot is a free place. A column without a tile is a single cell wide.
    """
    corner_size, middle, size = next(measures for most, measures in _MEASURES if len(shown.columns) <= most)
    across = [3 if any(line[at].sides for line in shown.cells) else 1 for at in range(len(shown.columns))]
    height = 2 * corner_size + middle
    head = "".join(
        _mail_label(name, "col", f' colspan="{span}" width="{height}"')
        for name, span in zip(shown.columns, across, strict=True)
    )
    rows = [mail.row(f"<td></td>{head}", 11, 14)] if any(shown.columns) else []
    for name, line in zip(shown.rows, shown.cells, strict=True):
        lines = _mail_lines(line, across, corner_size)
        start = _mail_label(name, "row", f' rowspan="{len(lines)}" height="{height}"')
        heights = (corner_size, middle, corner_size) if len(lines) == 3 else (height,)
        rows += (
            mail.row(cells, size, high) for cells, high in zip((start + lines[0], *lines[1:]), heights, strict=True)
        )
    return "".join(rows)


def _mail_label(name: str, scope: str, spans: str) -> str:
    style = ' style="font-weight:normal;font-size:11px;padding:0 3px"'
    return f'<th scope="{scope}"{spans}{style}>{escape(name)}</th>' if name else f"<td{spans}></td>"


def _mail_lines(line: Sequence[Cell], across: Sequence[int], size: int) -> tuple[str, ...]:
    """Write a row of the table: three lines, or one where no tile lies."""
    if not any(cell.sides for cell in line):
        return ("".join(f'<td colspan="{span}">{_free(cell)}</td>' for cell, span in zip(line, across, strict=True)),)
    lines = ["", "", ""]
    for cell, span in zip(line, across, strict=True):
        if cell.sides:
            lines = [before + more for before, more in zip(lines, _mail_tile(cell, size), strict=True)]
        else:
            lines[0] += f'<td colspan="{span}" rowspan="3" width="8">{_free(cell)}</td>'
    return tuple(lines)


def _free(cell: Cell) -> str:
    return "" if cell.text == " " else "·"


@lru_cache(maxsize=1000)
def _mail_tile(item: Cell, size: int) -> tuple[str, str, str]:
    above, right, below, left = item.sides
    ground, edge = (mail.NEW, f";border:1px solid {mail.INK}") if item.new else (mail.PAPER, "")
    name = mail.cell(f"<b>{escape(item.text)}</b>", ground, mail.INK, f";font-size:12px{edge}")
    return (
        _corner("top", above, "left", left, size) + _field(above) + _corner("top", above, "right", right, size),
        _field(left) + name + _field(right),
        _corner("bottom", below, "left", left, size) + _field(below) + _corner("bottom", below, "right", right, size),
    )


def _corner(first: str, over: Cell, second: str, beside: Cell, size: int) -> str:
    """Write a corner of two triangles: where two borders meet, the line between them is a diagonal."""
    colours = (_COLOURS[side.tone][0] for side in (over, beside))
    borders = (f"border-{at}:{size}px solid {colour}" for at, colour in zip((first, second), colours, strict=True))
    return f'<td style="{";".join(borders)}"></td>'


def _field(side: Cell) -> str:
    return mail.cell(str(escape(side.text)), *_COLOURS[side.tone])
