"""Which module draws a board."""

from collections.abc import Mapping
from typing import Final

from gm.drawing.boards import dice, dominoes, hands, letters, pegs, racks
from gm.drawing.boards.markup import Shape
from gm.drawing.picture import Picture

SHAPES: Final[Mapping[str, Shape]] = {
    "letters": letters,
    "dominoes": dominoes,
    "hand": hands,
    "tiles": racks,
    "dice": dice,
    "pegs": pegs,
}


def look_of(shown: Picture) -> str:
    """Say how it is drawn: a rack of dominoes is a hand."""
    has_sides = any(cell.sides for line in shown.cells for cell in line)
    return "hand" if shown.look == "tiles" and has_sides else shown.look


def shape_of(shown: Picture) -> Shape:
    """Give the module that draws it."""
    return SHAPES[look_of(shown)]
