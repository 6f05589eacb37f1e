"""Games at a glance: what a card or a row of a list shows of a game's record."""

from dataclasses import replace
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

from gm.archive.layout import when
from gm.archive.record.record import Record, Snapshot
from gm.archive.record.status import Status, status_of
from gm.drawing import svg
from gm.drawing.parts import Board

MOST_CELLS: Final = 500
"""Of a board that is drawn small: a bigger one would be a grey spot."""


def status(record: Record, zone: ZoneInfo) -> Status:
    """Say how a game stands, in its own language."""
    return status_of(record, partial(when, zone, record.language))


def small_board(record: Record, seat: int | None = None) -> Markup:
    """Draw the board that tells most of a game; empty where nothing lies there that could be drawn."""
    board = main_board(record, record.last, seat)
    return svg.mini(replace(board, name=board.name or record.game)) if board else Markup("")


def main_board(record: Record, shown: Snapshot | None, seat: int | None = None) -> Board | None:
    """Find the board of a position that tells most: that of all, that of a seat, or the winner's own."""
    boards = [board for part in shown.parts for board in part.boards] if shown else []
    best = [place.seat for place in record.result.standings] if record.result else []
    whose = [None, *([seat] if seat else []), *best]
    return min(
        (board for board in boards if _can_be_shown(board)),
        key=lambda board: (board.look == "tiles", whose.index(board.seat) if board.seat in whose else len(whose)),
        default=None,
    )


def _can_be_shown(board: Board) -> bool:
    cells = len(board.columns) * len(board.rows)
    return cells <= MOST_CELLS and any(cell.text.strip(" .") for line in board.cells for cell in line)
