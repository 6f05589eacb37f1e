"""Grids of letters: a tile for each letter, red ones, jokers with a star, small values at the foot."""

from collections.abc import Sequence
from typing import Final

from gm.drawing.boards.markup import Placed, Shape, path, signs
from gm.drawing.parts import Board

TILE: Final = "h22q3 0 3 3v22q0 3-3 3h-22q-3 0-3-3v-22q0-3 3-3z"
ROUND: Final = "m-3 14a14 14 0 1 0 28 0 14 14 0 1 0-28 0z"
"""A round tile at the same corner, for paper."""
_BLANK: Final = "h28v28h-28z"
_STAR: Final = "l1.4 3 3.3.4-2.4 2.3.6 3.3-2.9-1.6-2.9 1.6.6-3.3-2.4-2.3 3.3-.4z"


class Letters(Shape):
    """Grids of letters, with labels above and on the left."""

    SIZE = STEP = 30
    LEFT = ABOVE = 20

    def extent(self, columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
        """Give the width and the height of a board."""
        width, height = super().extent(columns, rows)
        return width + 1, height + 1

    def ground(self, columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:  # noqa: ARG002 (dominoes need it)
        """Draw the lines between the cells, and the labels."""
        width, height = self.STEP * len(columns), self.STEP * len(rows)
        across = (f"M{self.LEFT} {self.ABOVE + self.STEP * at}h{width}" for at in range(len(rows) + 1))
        down = (f"M{self.LEFT + self.STEP * at} {self.ABOVE}v{height}" for at in range(len(columns) + 1))
        names = [(self.LEFT + self.STEP * at + 15, 13, name) for at, name in enumerate(columns)]
        beside = [(9, self.ABOVE + self.STEP * at + 19, name) for at, name in enumerate(rows)]
        return path((*across, *down), "grid") + signs((*names, *beside), "axis")

    def tiles(self, placed: Sequence[Placed], *, small: bool = False) -> str:
        """Draw tiles; those of a kind are one path and one text."""
        kinds: dict[str, list[Placed]] = {}
        for one in placed:
            kinds.setdefault(_kind(one), []).append(one)
        drawn = "".join(_of_a_kind(kind, kinds[kind]) for kind in sorted(kinds))
        return drawn if small else drawn + _details(placed)

    def blanks(self, placed: Sequence[Placed]) -> str:
        """Paint over cells that have become blank, but not over the lines."""
        return path((f"M{one.left + 1} {one.top + 1}{_BLANK}" for one in placed), "blank")


def shown(text: str) -> str:
    """Write what lies in a cell: in capitals, the star of a joker is drawn."""
    return text.strip().upper().removesuffix("*") or text.strip()


def _kind(one: Placed) -> str:
    if one.cell.mark == "wrong":
        return "wrong"
    if one.cell.tone == "red":
        return "red pale" if one.is_pale else "red"
    return "pale" if one.is_pale else ""


def _of_a_kind(kind: str, some: Sequence[Placed]) -> str:
    grounds = path([f"M{one.left + 4} {one.top + 1}{TILE}" for one in some], kind)
    return grounds + signs([(one.left + 15, one.top + 21, shown(one.cell.text)) for one in some], kind)


def _details(placed: Sequence[Placed]) -> str:
    worth = [(one.left + 24, one.top + 26, str(one.cell.value)) for one in placed if one.cell.value is not None]
    jokers = [one for one in placed if one.cell.mark == "joker"]
    stars = "".join(f"M{one.left + 23} {one.top + 2}{_STAR}" for one in jokers)
    return signs(worth, "value") + path([stars], "star")
