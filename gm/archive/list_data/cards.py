"""Games at a glance: what a card or a row of a list shows of a game's record."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

from games.api import Language
from gm.archive.layout import when
from gm.archive.record.record import Record, Snapshot
from gm.archive.record.status import Status, status_of
from gm.drawing import svg
from gm.drawing.parts import Board

MOST_CELLS: Final = 500
"""Of a board that is drawn small: a bigger one would be a grey spot."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """A game with its status and a small board."""

    name: str
    slug: str
    title: str
    language: Language
    """Of its status, as on its own page."""
    is_over: bool
    status: Status
    board: Markup
    """Empty where nothing lies there that could be drawn."""


def card(record: Record, zone: ZoneInfo) -> Card:
    """Make the card of a game."""
    return Card(
        name=record.game, slug=record.slug, title=record.title, language=record.language, is_over=record.is_over,
        status=status(record, zone), board=small_board(record),
    )  # fmt: skip


def status(record: Record, zone: ZoneInfo) -> Status:
    """Say how a game stands, in its own language."""
    return status_of(record, partial(when, zone, record.language))


def small_board(record: Record, seat: int | None = None) -> Markup:
    """Draw the board that tells most of a game: that of all, that of a seat, or the winner's own."""
    board = main_board(record, record.now or (record.snapshots[-1] if record.snapshots else None), seat)
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
