"""What lies in rows without a board: racks of letters, red and black with a star for a joker, and dice."""

from collections.abc import Sequence
from typing import Final

from gm.drawing.boards.markup import Placed, Shape, path, signs
from gm.drawing.parts import Board

ACROSS: Final = 12
"""Tiles in a row."""

TILE: Final = "h24q4 0 4 4v26q0 4-4 4h-24q-4 0-4-4v-26q0-4 4-4z"
ROUND: Final = "m-4 17a16 16 0 1 0 32 0 16 16 0 1 0-32 0z"
"""A round tile at the same corner, for paper."""
_LARGE_STAR: Final = "l2.5 5.3 5.8.7-4.2 4 1.1 5.8-5.2-2.8-5.2 2.8 1.1-5.8-4.2-4 5.8-.7z"
_DIE: Final = "h20q8 0 8 8v20q0 8-8 8h-20q-8 0-8-8v-20q0-8 8-8z"


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


class Dice(Shape):
    """Rolls, a row each: a die that is used has a solid edge, another one a dashed one."""

    SIZE = STEP = 40
    LEFT = 24

    def ground(self, columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:  # noqa: ARG002 (others need them)
        """Number the rolls."""
        return signs(((9, self.STEP * at + 25, name) for at, name in enumerate(rows)), "axis")

    def tiles(self, placed: Sequence[Placed], *, small: bool = False) -> str:  # noqa: ARG002 (they have no details)
        """Draw dice."""
        idle, used = ([one for one in placed if (one.cell.mark == "idle") is is_idle] for is_idle in (True, False))
        return _dice(used, "") + _dice(idle, "idle")


def _dice(some: Sequence[Placed], name: str) -> str:
    grounds = path((f"M{one.left + 10} {one.top + 2}{_DIE}" for one in some), name)
    return grounds + signs(((one.left + 20, one.top + 27, one.cell.text.strip()) for one in some), name)
