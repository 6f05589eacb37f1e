"""Boards of a record as what the library for drawings takes."""

from functools import lru_cache

from games.api import Cell
from gm.archive.record.record import Board
from gm.drawing.picture import Picture


def picture(board: Board, title: str = "") -> Picture:
    """Make a picture of a board. Without a title it has the board's own name."""
    return Picture(
        look=board.look,
        title=title or board.name,
        note=board.note,
        said=board.said,
        columns=board.columns,
        rows=board.rows,
        cells=cells(board),
    )


def cells(board: Board) -> tuple[tuple[Cell, ...], ...]:
    """Put together what a board has of each cell. Most cells of a big board are blank, all alike."""
    known = {_place(at) for of_cells in (board.tones, board.marks, board.values, board.sides) for at in of_cells}
    known.update(board.new)
    return tuple(
        tuple(
            _cell(board, text, row, column) if (row, column) in known else _plain(text)
            for column, text in enumerate(line)
        )
        for row, line in enumerate(board.cells)
    )


def _place(at: str) -> tuple[int, int]:
    row, _, column = at.partition(",")
    return int(row), int(column)


@lru_cache(maxsize=512)
def _plain(text: str) -> Cell:
    """Make a cell of which nothing else is known. Cached, as there are a few different ones and millions of each."""
    return Cell(text=text)


def _cell(board: Board, text: str, row: int, column: int) -> Cell:
    at = f"{row},{column}"
    return Cell(
        text=text,
        new=(row, column) in board.new,
        tone=board.tones.get(at, ""),
        mark=board.marks.get(at, ""),
        value=board.values.get(at),
        sides=tuple(Cell(text=name, tone=tone) for name, tone in board.sides.get(at, ())),
    )
