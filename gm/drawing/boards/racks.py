"""Racks of letters: tiles side by side, red and black with white letters, a star for a joker, values at the foot."""

from collections.abc import Sequence
from typing import Final

from gm.drawing.boards.markup import Placed, path, signs
from gm.drawing.parts import Board

SIZE: Final = 36
ACROSS: Final = 12
"""Tiles in a row."""

TILE: Final = "h24q4 0 4 4v26q0 4-4 4h-24q-4 0-4-4v-26q0-4 4-4z"
ROUND: Final = "m-4 17a16 16 0 1 0 32 0 16 16 0 1 0-32 0z"
"""A round tile at the same corner, for paper."""
_LARGE_STAR: Final = "l2.5 5.3 5.8.7-4.2 4 1.1 5.8-5.2-2.8-5.2 2.8 1.1-5.8-4.2-4 5.8-.7z"


def extent(columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
    """Give the width and the height of a rack, which takes several rows where it is long."""
    lines = max(-(-len(columns) // ACROSS), 1) * len(rows)
    return SIZE * min(len(columns), ACROSS), SIZE * lines


def corner(columns: Sequence[str], column: int, row: int) -> tuple[int, int]:
    """Give the upper left corner of a tile."""
    lines = max(-(-len(columns) // ACROSS), 1)
    return SIZE * (column % ACROSS), SIZE * (row * lines + column // ACROSS)


def ground(columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:  # noqa: ARG001 (other boards need them)
    """Draw nothing: a rack has no places."""
    return ""


def tiles(placed: Sequence[Placed], *, small: bool = False) -> str:
    """Draw tiles in their colours."""
    red, black = ([one for one in placed if (one.cell.tone == "red") is is_red] for is_red in (True, False))
    grounds = _grounds(red, "red") + _grounds(black, "black")
    letters = ((one.left + 17, one.top + 24, one.cell.text.strip()) for one in placed if one.cell.mark != "joker")
    stars = (f"M{one.left + 18} {one.top + 9}{_LARGE_STAR}" for one in placed if one.cell.mark == "joker")
    drawn = grounds + signs(letters) + path(stars, "star")
    return drawn if small else drawn + signs(_values(placed), "value")


def blanks(placed: Sequence[Placed]) -> str:
    """Paint over places that have become empty."""
    return path((f"M{one.left} {one.top}h36v36h-36z" for one in placed), "blank")


def _grounds(some: Sequence[Placed], name: str) -> str:
    return path((f"M{one.left + 6} {one.top + 1}{TILE}" for one in some), name)


def _values(placed: Sequence[Placed]) -> list[tuple[int, int, str]]:
    return [(one.left + 29, one.top + 32, str(one.cell.value)) for one in placed if one.cell.value is not None]
