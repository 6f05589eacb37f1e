"""The moves on file for the present round. Sheets are added and withdrawn, never changed; a seat's last one counts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from games.api import MoveBlock, Sheet
from gm.game.position import Position
from gm.messages import questions
from gm.store.json_values import decode, encode
from gm.store.queries import sheet_queries
from gm.store.tables import Game, Seat


def move_on_file(session: Session, game: Game, at: Position, seat: int) -> Any | None:
    """Find the move that a seat has on file, as its engine knows it."""
    sheet = sheet_queries.sheets_on_file(session, game).get(seat)
    return decode(at.engine.move_type, sheet.move) if sheet else None


@dataclass(frozen=True, kw_only=True)
class Received:
    """A block of a move, and how it came."""

    block: MoveBlock
    at: datetime
    mail_id: int | None = None
    """None: the GM has typed it in."""


def file_sheet(session: Session, game: Game, at: Position, seat: Seat, sheet: Sheet[Any], received: Received) -> None:
    """Add a sheet: the last one before the closing counts. What we offered to file before it is settled."""
    questions.close_readings(session, game, seat.number, received.at, "moved")
    row = {
        "game_id": game.id, "seat": seat.number, "round": game.round, "player_id": seat.player_id,
        "mail_id": received.mail_id, "received_at": received.at, "lines": list(received.block.lines),
        "move": encode(at.engine.move_type, sheet.move), "complete": not sheet.wanted, "withdrawn_at": None,
    }  # fmt: skip
    sheet_queries.add_sheet(session, game, row)


def withdraw(session: Session, game: Game, seat: Seat, now: datetime) -> bool:
    """Withdraw every sheet of a seat in this round; False where there is none."""
    questions.close_readings(session, game, seat.number, now, "withdrawn")
    on_file = sheet_queries.sheets_of_seat(session, game, seat.number)
    for sheet in on_file:
        sheet.withdrawn_at = now
        session.add(sheet)
    session.flush()
    return bool(on_file)
