"""Racks of letters: tiles side by side, red and black with white letters, a star for a joker, values at the foot."""

from collections.abc import Sequence
from typing import Final

from gm.drawing.boards.markup import Placed, Shape, path, signs

ACROSS: Final = 12
"""Tiles in a row."""

TILE: Final = "h24q4 0 4 4v26q0 4-4 4h-24q-4 0-4-4v-26q0-4 4-4z"
ROUND: Final = "m-4 17a16 16 0 1 0 32 0 16 16 0 1 0-32 0z"
"""A round tile at the same corner, for paper."""
_LARGE_STAR: Final = "l2.5 5.3 5.8.7-4.2 4 1.1 5.8-5.2-2.8-5.2 2.8 1.1-5.8-4.2-4 5.8-.7z"


class Racks(Shape):
    """Racks; a long one takes several rows."""

    SIZE = STEP = 36

    def extent(self, columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
        """Give the width and the height of a rack."""
        return self.STEP * min(len(columns), ACROSS), self.STEP * _lines(columns) * len(rows)

    def corner(self, columns: Sequence[str], column: int, row: int) -> tuple[int, int]:
        """Give the upper left corner of a tile."""
        return self.STEP * (column % ACROSS), self.STEP * (row * _lines(columns) + column // ACROSS)

    def tiles(self, placed: Sequence[Placed], *, small: bool = False) -> str:
        """Draw tiles in their colours."""
        red, black = ([one for one in placed if (one.cell.tone == "red") is is_red] for is_red in (True, False))
        grounds = _grounds(red, "red") + _grounds(black, "black")
        letters = ((one.left + 17, one.top + 24, one.cell.text.strip()) for one in placed if one.cell.mark != "joker")
        stars = (f"M{one.left + 18} {one.top + 9}{_LARGE_STAR}" for one in placed if one.cell.mark == "joker")
        drawn = grounds + signs(letters) + path(stars, "star")
        return drawn if small else drawn + signs(_values(placed), "value")


def _lines(columns: Sequence[str]) -> int:
    return max(-(-len(columns) // ACROSS), 1)


def _grounds(some: Sequence[Placed], name: str) -> str:
    return path((f"M{one.left + 6} {one.top + 1}{TILE}" for one in some), name)


def _values(placed: Sequence[Placed]) -> list[tuple[int, int, str]]:
    return [(one.left + 29, one.top + 32, str(one.cell.value)) for one in placed if one.cell.value is not None]
