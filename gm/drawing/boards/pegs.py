"""Guesses with their pegs: a full one for each full hit, a ring for each hit, dotted holes for the rest."""

from collections.abc import Sequence
from typing import Final

from gm.drawing.boards.markup import Placed, Shape, path, signs
from gm.drawing.parts import Board

DOWN: Final = 40
"""From one row to the next."""
BETWEEN: Final = 14
"""Units between the letters and the pegs."""
PEG: Final = 22
"""From one peg to the next."""

_TILE: Final = "h26q3 0 3 3v26q0 3-3 3h-26q-3 0-3-3v-26q0-3 3-3z"
_ROUND: Final = "a7 7 0 1 0 14 0 7 7 0 1 0-14 0z"


class Pegs(Shape):
    """Guesses, a row each, with their numbers beside them. The second half of the columns are pegs."""

    SIZE = STEP = 34
    LEFT = 30

    def extent(self, columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
        """Give the width and the height of all guesses."""
        half = len(columns) // 2
        return self.LEFT + self.STEP * half + BETWEEN + PEG * half, DOWN * len(rows)

    def corner(self, columns: Sequence[str], column: int, row: int) -> tuple[int, int]:
        """Give the upper left corner of a letter or a peg."""
        half = len(columns) // 2
        across = self.STEP * column if column < half else self.STEP * half + BETWEEN + PEG * (column - half)
        return self.LEFT + across, DOWN * row

    def ground(self, columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:  # noqa: ARG002 (dominoes need it)
        """Number the guesses and draw the holes."""
        half = range(len(columns) // 2, len(columns))
        places = (self.corner(columns, column, row) for row in range(len(rows)) for column in half)
        holes = path((f"M{x + 3} {y + 17}{_ROUND}" for x, y in places), "hole")
        return holes + signs(((11, DOWN * at + 23, name) for at, name in enumerate(rows)), "axis")

    def tiles(self, placed: Sequence[Placed], *, small: bool = False) -> str:  # noqa: ARG002 (they have no details)
        """Draw letters and pegs; what is ruled out is struck through."""
        letters = [one for one in placed if one.cell.mark not in ("full", "ring")]
        grounds = path(f"M{one.left + 4} {one.top + 1}{_TILE}" for one in letters)
        return grounds + "".join(_letters(letters, name) for name in ("", "idle")) + "".join(
            path((f"M{one.left + 3} {one.top + 17}{_ROUND}" for one in placed if one.cell.mark == name), name)
            for name in ("full", "ring")
        )  # fmt: skip

    def blanks(self, placed: Sequence[Placed]) -> str:
        """Paint over places that have become empty."""
        return path((f"M{one.left} {one.top}h22v34h-22z" for one in placed), "blank")


def _letters(some: Sequence[Placed], name: str) -> str:
    return signs(((one.left + 17, one.top + 24, one.cell.text) for one in some if one.cell.mark == name), name)
