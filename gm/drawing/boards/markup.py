"""Pieces of SVG that all boards are drawn with, as short as SVG allows: one path and one text for many cells."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

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


class Shape(Protocol):
    """How boards of one look are drawn; each look is a module of this room."""

    @property
    def SIZE(self) -> int:  # noqa: N802 (a constant of the module)
        """Units of a cell across."""

    def extent(self, columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
        """Give the width and the height of a board."""

    def corner(self, columns: Sequence[str], column: int, row: int) -> tuple[int, int]:
        """Give the upper left corner of a cell."""

    def ground(self, columns: Sequence[str], rows: Sequence[str], shown: Board) -> str:
        """Draw what lies below all cells: lines and labels, and what explains the board as it is shown."""

    def tiles(self, placed: Sequence[Placed], *, small: bool) -> str:
        """Draw cells; small ones, on lists, have no details."""

    def blanks(self, placed: Sequence[Placed]) -> str:
        """Paint over cells that have become blank."""


def path(parts: Iterable[str], name: str = "") -> str:
    """Write one path of many parts, nothing where there is none."""
    drawn = "".join(parts)
    return f'<path{_class(name)} d="{drawn}"/>' if drawn else ""


def signs(found: Iterable[tuple[int, int, str]], name: str = "") -> str:
    """Write texts at their places. Single letters share one element, with a place for each."""
    single: list[tuple[int, int, str]] = []
    others = ""
    for x, y, text in found:
        if _is_single(text):
            single.append((x, y, text))
        else:
            others += f'<text{_class(name)} x="{x}" y="{y}">{escape(text)}</text>'
    return _row(single, name) + others


def _is_single(text: str) -> bool:
    """Whether a text is one letter for every browser."""
    return len(text) == 1 and text.isalnum() and text < "\uffff"


def _row(found: Sequence[tuple[int, int, str]], name: str) -> str:
    if not found:
        return ""
    across = " ".join(str(x) for x, _, _ in found)
    # The first y holds for all that have none of their own.
    down = " ".join(str(y) for _, y, _ in found) if len({y for _, y, _ in found}) > 1 else found[0][1]
    return f'<text{_class(name)} x="{across}" y="{down}">{"".join(text for _, _, text in found)}</text>'


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""
