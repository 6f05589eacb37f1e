"""What those hear of a board who don't see it."""

import re
from collections import Counter
from typing import Final

from games.api import Cell
from gm.drawing.parts import Board

_BLANKS: Final = re.compile(" +")


def heard(board: Board) -> str:
    """Say whose board it is and what lies there: in the game's own sentence, which may begin with the name."""
    head = f"{board.name} {board.note}".strip()
    said = board.said or ", ".join(_rows(board))
    if said.startswith((f"{board.name}:", f"{board.note}:")):
        return said
    return f"{head}: {said}" if head and said else head or said


def _rows(board: Board) -> list[str]:
    write = {"dominoes": _places, "pegs": _guesses}.get(board.look, _letters)
    return write(board)


def _letters(board: Board) -> list[str]:
    """Write each row that isn't blank, with a dash for each gap."""
    rows = ("".join([cell.text.strip() or " " for cell in line]).upper().replace(".", " ") for line in board.cells)
    named = zip(board.rows, rows, strict=True)
    return [f"{name} {_BLANKS.sub(' – ', row.strip())}".strip() for name, row in named if row.strip()]


def _places(board: Board) -> list[str]:
    """Name each domino with its place and its colours from above clockwise."""
    return [
        f"{cell.text.lower()} {column},{row} {' '.join(side.text for side in cell.sides)}"
        for row, line in zip(board.rows, board.cells, strict=True)
        for column, cell in zip(board.columns, line, strict=True)
        if cell.sides
    ]


def _guesses(board: Board) -> list[str]:
    return [f"{name} {_guess(line)}" for name, line in zip(board.rows, board.cells, strict=True)]


def _guess(line: tuple[Cell, ...]) -> str:
    """Write a guess and how many pegs of both kinds it has."""
    half = len(line) // 2
    pegs = Counter(cell.text for cell in line[half:] if cell.text)
    return " ".join(["".join(cell.text for cell in line[:half]), *(f"{number} {peg}" for peg, number in pegs.items())])
