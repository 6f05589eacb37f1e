"""Dominoes in hand: apart from each other, without a table below them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.api import Cell
from gm.drawing.boards import dominoes
from gm.drawing.boards.markup import Placed
from gm.drawing.picture import Picture

SIZE: Final = dominoes.SIZE
_STEP: Final = SIZE + 8
"""From one tile to the next."""
_BETWEEN: Final = Cell(text=" ")
_MAIL_GAP: Final = '<tr><td height="8"></td></tr>\n'


def extent(columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
    """Give the width and the height of a hand."""
    return _STEP * len(columns), _STEP * len(rows)


def corner(columns: Sequence[str], column: int, row: int) -> tuple[int, int]:  # noqa: ARG001 (pegs need them)
    """Give the upper left corner of a tile."""
    return _STEP * column, _STEP * row


def ground(columns: Sequence[str], rows: Sequence[str], shown: Picture) -> str:  # noqa: ARG001 (other boards need them)
    """Draw nothing: a hand has no places."""
    return ""


def tiles(placed: Sequence[Placed], *, small: bool = False) -> str:
    """Draw tiles as on the table."""
    return dominoes.tiles(placed, small=small)


def blanks(placed: Sequence[Placed]) -> str:
    """Paint over places that have become empty."""
    return dominoes.blanks(placed)


def mail_rows(shown: Picture, *, is_small: bool) -> str:
    """Write the tiles with a gap between two, without numbers."""
    lines = (tuple(cell for at in line for cell in (at, _BETWEEN))[:-1] for line in shown.cells)
    hands = (replace(shown, columns=("",) * len(line), rows=("",), cells=(line,)) for line in lines)
    return _MAIL_GAP.join(dominoes.mail_rows(hand, is_small=is_small) for hand in hands)
