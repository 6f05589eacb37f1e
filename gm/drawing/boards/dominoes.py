"""Dominoes of four triangles. Each colour has a symbol: heart, leaf, diamond, bell, drop; the name stands in a hub."""

from collections.abc import Sequence
from typing import Final

from markupsafe import escape

from games.api import Tone
from gm.drawing.boards.markup import Placed, Shape, path, signs
from gm.drawing.parts import Board

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


class Hand(Shape):
    """Dominoes in hand: apart from each other, without a table below them."""

    SIZE = 60
    STEP = 68

    def tiles(self, placed: Sequence[Placed], *, small: bool = False) -> str:
        """Draw tiles: one path for all fields of a colour. Below each lies its edge, seen where it is new."""
        edge = path((f"M{one.left - 2} {one.top - 2}h64v64h-64z" for one in placed), "edge")
        fields: dict[Tone, list[str]] = {}
        for one in placed:
            for side, shape in zip(one.cell.sides, _SIDES, strict=False):
                fields.setdefault(side.tone, []).append(f"M{one.left + 30} {one.top + 30}{shape}")
        drawn = edge + "".join(path(parts, f"field {tone}") for tone, parts in fields.items())
        return drawn if small else drawn + _details(placed)


class Table(Hand):
    """Dominoes on the table, with labels above and on the left, and the key to the symbols below."""

    STEP = 60
    LEFT = ABOVE = 30

    def extent(self, columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
        """Give the width and the height of a table with the key to its symbols."""
        width, height = super().extent(columns, rows)
        return width, height + KEY * -(-len(_SYMBOLS) // _keys_across(columns))

    def ground(self, columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:
        """Draw a dot in each place, the labels, and below which symbol is which colour."""
        middles = [self.corner(columns, x, y) for y in range(len(rows)) for x in range(len(columns))]
        names = [(self.LEFT + self.STEP * at + 30, 20, name.replace("-", "−")) for at, name in enumerate(columns)]
        beside = [(14, self.ABOVE + self.STEP * at + 35, name.replace("-", "−")) for at, name in enumerate(rows)]
        dots = path((f"M{x + 30} {y + 30}h0" for x, y in middles), "dots")
        return dots + signs((*names, *beside), "axis") + _key(columns, self.ABOVE + self.STEP * len(rows), shown)


def _keys_across(columns: Sequence[str]) -> int:
    return max(Table.STEP * len(columns) // KEY_ACROSS, 1)


def _key(columns: Sequence[str], top: int, shown: Board) -> str:
    """Draw each symbol in its colour, with what players write for it."""
    codes = {side.tone: side.text for line in shown.cells for cell in line for side in cell.sides}
    across = _keys_across(columns)
    drawn = ""
    for at, tone in enumerate(tone for tone in _SYMBOLS if tone in codes):
        x, y = Table.LEFT + KEY_ACROSS * (at % across), top + KEY * (at // across) + 6
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
