"""Boards of a record as what the library for drawings takes."""

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
    """Put together what a board has of each cell."""
    new = frozenset(board.new)
    return tuple(
        tuple(_cell(board, text, at=f"{row},{column}", new=(row, column) in new) for column, text in enumerate(line))
        for row, line in enumerate(board.cells)
    )


def _cell(board: Board, text: str, *, at: str, new: bool) -> Cell:
    return Cell(
        text=text,
        new=new,
        tone=board.tones.get(at, ""),
        mark=board.marks.get(at, ""),
        value=board.values.get(at),
        sides=tuple(Cell(text=name, tone=tone) for name, tone in board.sides.get(at, ())),
    )
