"""Queries for sheets: what each seat has sent for the present round or before its turn, and which of it counts."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, select

from gm.store.chunks import in_chunks
from gm.store.tables import AdvanceMove, Game, Sheet

END_OF_TIME: Final = datetime(9999, 1, 1, tzinfo=UTC)


def sheets_on_file(game: Game, until: datetime = END_OF_TIME) -> Mapping[int, Sheet]:
    """Return the sheet that counts for each seat in the present round: the last one not withdrawn."""
    return {sheet.seat: sheet for sheet in game.sheets if sheet.withdrawn_at is None and sheet.received_at <= until}


_OF_ROUNDS: Final = sa.select(col(Sheet.game_id), col(Sheet.seat), col(Sheet.complete)).where(
    sa.tuple_(col(Sheet.game_id), col(Sheet.round)).in_(bindparam("rounds", expanding=True)),
    col(Sheet.withdrawn_at).is_(None),
).order_by(col(Sheet.received_at), col(Sheet.id))  # fmt: skip


def seats_filed(session: Session, rounds: Mapping[int, int]) -> dict[int, frozenset[int]]:
    """List by game the seats whose move for its round is in and complete; `rounds` has the number of each game's."""
    complete: dict[int, dict[int, bool]] = {}
    for some in in_chunks(rounds):
        pairs = [(game_id, rounds[game_id]) for game_id in some]
        for game_id, seat, is_complete in session.connection().execute(_OF_ROUNDS, {"rounds": pairs}):
            complete.setdefault(game_id, {})[seat] = is_complete
    return {game_id: frozenset(seat for seat in seats if seats[seat]) for game_id, seats in complete.items()}


def add_sheet(session: Session, game: Game, sheet: Sheet) -> None:
    """Add a sheet of the present round to the game's file."""
    session.add(sheet)
    session.flush()
    sheets = sorted([*game.sheets, sheet], key=lambda one: (one.received_at, one.id))
    set_committed_value(game, "sheets", sheets)


def sheets_of_seat(game: Game, seat: int) -> Sequence[Sheet]:
    """List a seat's sheets of the present round that are not withdrawn."""
    return [sheet for sheet in game.sheets if sheet.seat == seat and sheet.withdrawn_at is None]


def sheets_of_mail(session: Session, mail_id: int) -> Sequence[tuple[int, int]]:
    """List the games, each with the round, for which a mail put moves on file."""
    return session.exec(select(Sheet.game_id, Sheet.round).where(Sheet.mail_id == mail_id)).all()


# -- advance moves -----------------------------------------------------------------------------------------------------


def advance_moves(game: Game) -> Mapping[int, AdvanceMove]:
    """Return the advance moves of a game that may still be played, by seat."""
    return {move.seat: move for move in game.advance_moves if move.ended_at is None}


def advance_moves_ended(session: Session, turn_ids: Sequence[int]) -> Sequence[AdvanceMove]:
    """List the advance moves that ended with one of these steps."""
    rows = select(AdvanceMove).where(col(AdvanceMove.turn_id).in_(turn_ids)).order_by(col(AdvanceMove.id))
    return session.exec(rows).all()
