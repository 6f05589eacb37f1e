"""Pieces of SVG that all boards are drawn with, as short as SVG allows: one path and one text for many cells."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from markupsafe import escape

from games.api import Cell
from gm.drawing.parts import Board


class Placed(NamedTuple):
    """A cell and the upper left corner of its place."""

    left: int
    top: int
    cell: Cell
    is_pale: bool = False
    """Whether it counts for nothing, where that is known."""


class Shape:
    """How boards of one look are drawn; each look is a module of this room."""

    SIZE: ClassVar[int]
    """Units of a cell across."""
    STEP: ClassVar[int]
    """From one cell to the next."""
    LEFT: ClassVar[int] = 0
    ABOVE: ClassVar[int] = 0
    """Units for labels beside and above the cells."""

    def extent(self, columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
        """Give the width and the height of a board."""
        return self.LEFT + self.STEP * len(columns), self.ABOVE + self.STEP * len(rows)

    def corner(self, columns: Sequence[str], column: int, row: int) -> tuple[int, int]:  # noqa: ARG002 (racks need them)
        """Give the upper left corner of a cell."""
        return self.LEFT + self.STEP * column, self.ABOVE + self.STEP * row

    def ground(self, columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:  # noqa: ARG002 (others need them)
        """Draw what lies below all cells: lines and labels, and what explains the board as it is shown."""
        return ""

    def tiles(self, placed: Sequence[Placed], *, small: bool = False) -> str:
        """Draw cells; small ones, on lists, have no details."""
        raise NotImplementedError

    def blanks(self, placed: Sequence[Placed]) -> str:
        """Paint over cells that have become blank."""
        size = self.SIZE
        return path((f"M{one.left} {one.top}h{size}v{size}h-{size}z" for one in placed), "blank")


def path(parts: Iterable[str], name: str = "") -> str:
    """Write one path of many parts, nothing where there is none."""
    drawn = "".join(parts)
    return f'<path{_class(name)} d="{drawn}"/>' if drawn else ""


def signs(found: Iterable[tuple[int, int, str]], name: str = "") -> str:
    """Write texts at their places. Single letters share one element, with a place for each."""
    across: list[int] = []
    down: list[int] = []
    letters = others = ""
    for x, y, text in found:
        if len(text) == 1 and text.isalnum() and text < "\uffff":  # one letter for every browser
            across.append(x)
            down.append(y)
            letters += text
        else:
            others += f'<text{_class(name)} x="{x}" y="{y}">{escape(text)}</text>'
    if not letters:
        return others
    # The first y holds for all that have none of their own.
    below = " ".join(map(str, down)) if len({*down}) > 1 else down[0]
    return f'<text{_class(name)} x="{" ".join(map(str, across))}" y="{below}">{letters}</text>{others}'


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""
