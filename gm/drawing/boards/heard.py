"""What those hear of a board who don't see it."""

import re
from collections import Counter
from typing import Final

from games.api import Cell
from gm.drawing.picture import Picture

_BLANKS: Final = re.compile(" +")


def heard(picture: Picture) -> str:
    """Say whose board it is and what lies there; where there is a sentence for it, that."""
    head = f"{picture.title} {picture.note}".strip()
    said = picture.said or ", ".join(_rows(picture))
    return f"{head}: {said}" if head and said else head or said


def _rows(picture: Picture) -> list[str]:
    write = {"dominoes": _places, "pegs": _guesses}.get(picture.look, _letters)
    return write(picture)


def _letters(picture: Picture) -> list[str]:
    """Write each row that isn't blank, with a dash for each gap."""
    rows = ("".join(cell.text.strip().upper() or " " for cell in line).replace(".", " ") for line in picture.cells)
    named = zip(picture.rows, rows, strict=True)
    return [f"{name} {_BLANKS.sub(' – ', row.strip())}".strip() for name, row in named if row.strip()]


def _places(picture: Picture) -> list[str]:
    """Name each domino with its place and its colours from above clockwise."""
    return [
        f"{cell.text.lower()} {column},{row} {' '.join(side.text for side in cell.sides)}"
        for row, line in zip(picture.rows, picture.cells, strict=True)
        for column, cell in zip(picture.columns, line, strict=True)
        if cell.sides
    ]


def _guesses(picture: Picture) -> list[str]:
    return [f"{name} {_guess(line)}" for name, line in zip(picture.rows, picture.cells, strict=True)]


def _guess(line: tuple[Cell, ...]) -> str:
    """Write a guess and how many pegs of both kinds it has."""
    half = len(line) // 2
    pegs = Counter(cell.text for cell in line[half:] if cell.text)
    return " ".join(["".join(cell.text for cell in line[:half]), *(f"{number} {peg}" for peg, number in pegs.items())])
