"""Dice: a solid edge where one is used, a dashed one where it isn't."""

from collections.abc import Sequence
from typing import Final

from gm.drawing.boards.markup import Placed, path, signs
from gm.drawing.parts import Board

SIZE: Final = 40
LABELS: Final = 24
"""Units for the number of a roll."""

_DIE: Final = "h20q8 0 8 8v20q0 8-8 8h-20q-8 0-8-8v-20q0-8 8-8z"


def extent(columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
    """Give the width and the height of rolls, a row each."""
    return LABELS + SIZE * len(columns), SIZE * len(rows)


def corner(columns: Sequence[str], column: int, row: int) -> tuple[int, int]:  # noqa: ARG001 (pegs need them)
    """Give the upper left corner of a die."""
    return LABELS + SIZE * column, SIZE * row


def ground(columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:  # noqa: ARG001 (other boards need them)
    """Number the rolls."""
    return signs(((9, SIZE * at + 25, name) for at, name in enumerate(rows)), "axis")


def tiles(placed: Sequence[Placed], *, small: bool = False) -> str:  # noqa: ARG001 (they have no details)
    """Draw dice."""
    idle, used = ([one for one in placed if (one.cell.mark == "idle") is is_idle] for is_idle in (True, False))
    return _dice(used, "") + _dice(idle, "idle")


def blanks(placed: Sequence[Placed]) -> str:
    """Paint over places that have become empty."""
    return path((f"M{one.left} {one.top}h40v40h-40z" for one in placed), "blank")


def _dice(some: Sequence[Placed], name: str) -> str:
    grounds = path((f"M{one.left + 10} {one.top + 2}{_DIE}" for one in some), name)
    return grounds + signs(((one.left + 20, one.top + 27, one.cell.text.strip()) for one in some), name)
