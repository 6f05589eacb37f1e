"""Guesses with their pegs: a full one for each full hit, a ring for each hit, dotted holes for the rest."""

from collections.abc import Sequence
from typing import Final

from gm.drawing.boards.markup import Placed, path, signs
from gm.drawing.parts import Board

SIZE: Final = 34
LABELS: Final = 30
"""Units for the number of a guess."""
STEP: Final = 40
"""From one row to the next."""
BETWEEN: Final = 14
"""Units between the letters and the pegs."""
PEG: Final = 22
"""From one peg to the next."""

_TILE: Final = "h26q3 0 3 3v26q0 3-3 3h-26q-3 0-3-3v-26q0-3 3-3z"
_ROUND: Final = "a7 7 0 1 0 14 0 7 7 0 1 0-14 0z"


def extent(columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
    """Give the width and the height of all guesses."""
    half = len(columns) // 2
    return LABELS + SIZE * half + BETWEEN + PEG * half, STEP * len(rows)


def corner(columns: Sequence[str], column: int, row: int) -> tuple[int, int]:
    """Give the upper left corner of a letter or a peg: the second half of the columns are pegs."""
    half = len(columns) // 2
    across = SIZE * column if column < half else SIZE * half + BETWEEN + PEG * (column - half)
    return LABELS + across, STEP * row


def ground(columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:  # noqa: ARG001 (dominoes need it)
    """Number the guesses and draw the holes."""
    half = range(len(columns) // 2, len(columns))
    places = (corner(columns, column, row) for row in range(len(rows)) for column in half)
    holes = path((f"M{x + 3} {y + 17}{_ROUND}" for x, y in places), "hole")
    return holes + signs(((11, STEP * at + 23, name) for at, name in enumerate(rows)), "axis")


def tiles(placed: Sequence[Placed], *, small: bool = False) -> str:  # noqa: ARG001 (they have no details)
    """Draw letters and pegs; what is ruled out is struck through."""
    letters = [one for one in placed if one.cell.mark not in ("full", "ring")]
    grounds = path(f"M{one.left + 4} {one.top + 1}{_TILE}" for one in letters)
    return grounds + "".join(_letters(letters, name) for name in ("", "idle")) + "".join(
        path((f"M{one.left + 3} {one.top + 17}{_ROUND}" for one in placed if one.cell.mark == name), name)
        for name in ("full", "ring")
    )  # fmt: skip


def blanks(placed: Sequence[Placed]) -> str:
    """Paint over places that have become empty."""
    return path((f"M{one.left} {one.top}h22v34h-22z" for one in placed), "blank")


def _letters(some: Sequence[Placed], name: str) -> str:
    return signs(((one.left + 17, one.top + 24, one.cell.text) for one in some if one.cell.mark == name), name)
