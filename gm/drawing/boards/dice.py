"""Dice: a solid edge where one is used, a dashed one where it isn't."""

from collections.abc import Sequence
from typing import Final

from gm.drawing.boards.markup import Placed, Shape, path, signs
from gm.drawing.parts import Board

_DIE: Final = "h20q8 0 8 8v20q0 8-8 8h-20q-8 0-8-8v-20q0-8 8-8z"


class Dice(Shape):
    """Rolls, a row each, with their numbers beside them."""

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
