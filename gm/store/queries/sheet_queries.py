"""Queries for sheets: what each seat has sent for the present round or before its turn, and which of it counts."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from gm.store.chunks import in_chunks
from gm.store.query_cache import cached_query, insert_later, prime
from gm.store.tables import AdvanceMove, Game, Seat, Sheet

END_OF_TIME: Final = datetime(9999, 1, 1, tzinfo=UTC)


class SheetOnFile(NamedTuple):
    """The part of a sheet that counts in a closing."""

    seat: int
    player_id: int | None
    received_at: datetime
    complete: bool
    move: Any
    lines: list[str]


def sheets_on_file(session: Session, game: Game, until: datetime = END_OF_TIME) -> Mapping[int, SheetOnFile]:
    """Return the sheet that counts for each seat in the present round: the last one not withdrawn."""
    last = sheets_of_round(session, game, game.round)
    if all(sheet.received_at <= until for sheet in last.values()):
        return last
    return read_sheets(session, [game.id], until).get(game.id, {})


@cached_query(Sheet, Seat, per_game=True)
def sheets_of_round(session: Session, game: Game, _round: int) -> Mapping[int, SheetOnFile]:
    """Return the sheets that count in the present round; its number keeps the results of two rounds apart."""
    return read_sheets(session, [game.id]).get(game.id, {})


_LATER: Final = aliased(Sheet)
_LAST: Final = (  # one step in the index for each seat, however many sheets it has sent
    select(_LATER.id)
    .where(
        _LATER.game_id == Seat.game_id, _LATER.round == Game.round, _LATER.seat == Seat.number,
        col(_LATER.withdrawn_at).is_(None), col(_LATER.received_at) <= bindparam("until"),
    )
    .order_by(col(_LATER.received_at).desc(), col(_LATER.id).desc()).limit(1).correlate(Seat, Game).scalar_subquery()
)  # fmt: skip
_SHEETS: Final = sa.select(col(Sheet.game_id), *(col(getattr(Sheet, name)) for name in SheetOnFile._fields)).where(
    col(Sheet.id).in_(
        select(_LAST).select_from(Seat).join(Game).where(col(Game.id).in_(bindparam("games", expanding=True)))
    )
)
"""Built once: building it takes longer than running it."""


def read_sheets(
    session: Session, game_ids: Sequence[int], until: datetime = END_OF_TIME
) -> dict[int, dict[int, SheetOnFile]]:
    """Read the sheets that count by game and seat; a game without any is missing."""
    found: dict[int, dict[int, SheetOnFile]] = {}
    for game_id, *sheet in session.connection().execute(_SHEETS, {"games": game_ids, "until": until}):
        on_file = SheetOnFile(*sheet)
        found.setdefault(game_id, {})[on_file.seat] = on_file
    return found


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


def add_sheet(session: Session, game: Game, sheet: Mapping[str, Any]) -> None:
    """Add a sheet of the present round. What counts then is known without another query."""
    known = sheets_on_file(session, game)
    insert_later(session, Sheet, [sheet])
    added = SheetOnFile(**{name: sheet[name] for name in SheetOnFile._fields})
    before = known.get(added.seat)
    counts = before is None or before.received_at <= added.received_at
    prime(session, sheets_of_round, (game.id, game.round), {**known, added.seat: added} if counts else known)


def sheets_of_seat(session: Session, game: Game, seat: int) -> Sequence[Sheet]:
    """List a seat's sheets of the present round that are not withdrawn."""
    return session.exec(
        select(Sheet)
        .where(
            Sheet.game_id == game.id, Sheet.round == game.round, Sheet.seat == seat, col(Sheet.withdrawn_at).is_(None)
        )
        .order_by(col(Sheet.id))
    ).all()


def sheets_of_mail(session: Session, mail_id: int) -> Sequence[tuple[int, int]]:
    """List the games, each with the round, for which a mail put moves on file."""
    return session.exec(select(Sheet.game_id, Sheet.round).where(Sheet.mail_id == mail_id)).all()


# -- advance moves -----------------------------------------------------------------------------------------------------


@cached_query(AdvanceMove, per_game=True)
def advance_moves(session: Session, game_id: int) -> Mapping[int, AdvanceMove]:
    """Return the advance moves of a game that may still be played, by seat."""
    return read_advance_moves(session, [game_id]).get(game_id, {})


def read_advance_moves(session: Session, game_ids: Sequence[int]) -> dict[int, dict[int, AdvanceMove]]:
    """Read the advance moves that may still be played, by game and seat; a game without any is missing."""
    rows = select(AdvanceMove).where(col(AdvanceMove.game_id).in_(game_ids), col(AdvanceMove.ended_at).is_(None))
    found: dict[int, dict[int, AdvanceMove]] = {}
    for move in session.exec(rows.order_by(col(AdvanceMove.id))):
        found.setdefault(move.game_id, {})[move.seat] = move
    return found


def advance_moves_ended(session: Session, turn_ids: Sequence[int]) -> Sequence[AdvanceMove]:
    """List the advance moves that ended with one of these steps."""
    rows = select(AdvanceMove).where(col(AdvanceMove.turn_id).in_(turn_ids)).order_by(col(AdvanceMove.id))
    return session.exec(rows).all()
