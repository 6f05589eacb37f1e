"""Queries for duties: who owed a move in a step, and whether it came. A missed one (NMR) is the person's."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import insert
from sqlmodel import Session, col, select

from gm.store.queries.turn_queries import turn_before
from gm.store.tables import Duty, Game, Player, Turn


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """How reliably somebody moves: how many moves were owed, how many missed, and how many in a row just now."""

    owed: int = 0
    missed: int = 0
    in_a_row: int = 0

    def after(self, duty: "OwedMove") -> "Reliability":
        """Count one more duty; an unclear one doesn't count."""
        if duty.unclear:
            return self
        return replace(
            self, owed=self.owed + 1, missed=self.missed + (not duty.kept),
            in_a_row=0 if duty.kept else self.in_a_row + 1,
        )  # fmt: skip


class OwedMove(NamedTuple):
    """A duty: who owed a move in a step, and whether it came."""

    game_id: int
    turn_id: int
    seat: int
    player_id: int
    kept: bool
    unclear: bool
    """A mail lay there that may have been the move."""
    at: datetime
    """When the step was made."""


class MissedInARow(NamedTuple):
    """How many moves somebody has missed in a row up to now, and when the first of those rounds was closed."""

    times: int
    since: datetime


def missed_in_a_row(session: Session, game_ids: Sequence[int]) -> dict[tuple[int, int, int], MissedInARow]:
    """Find who missed the last move owed, by game, seat and player."""
    found: dict[tuple[int, int, int], MissedInARow] = {}
    for duty in _duties(session, col(Duty.game_id).in_(game_ids) & col(Duty.unclear).is_(False)):
        who = (duty.game_id, duty.seat, duty.player_id)
        before = found.pop(who, MissedInARow(0, duty.at))
        if not duty.kept:
            found[who] = MissedInARow(before.times + 1, before.since)
    return found


def missed_in(session: Session, game: Game, turn: Turn) -> list[tuple[Player, Reliability | None]]:
    """List who owed a move in a step and sent none, each with their reliability in this game as it was then.

    It is None for those whose mail is unclear.
    """
    if not was_missed(session, turn.id):
        return []
    duties = [duty for duty in duties_in(session, game) if duty.turn_id <= turn.id]
    found: dict[tuple[int, int], Reliability] = {}
    for duty in duties:
        person = (duty.seat, duty.player_id)
        found[person] = found.get(person, Reliability()).after(duty)
    late = [duty for duty in duties if duty.turn_id == turn.id and not duty.kept]
    return [
        (session.get_one(Player, duty.player_id), None if duty.unclear else found[duty.seat, duty.player_id])
        for duty in sorted(late, key=lambda duty: duty.seat)
    ]  # fmt: skip


def missed_rounds(session: Session, game: Game) -> dict[int, list[int]]:
    """List by seat the rounds that were closed without a move of whoever sat there."""
    found: dict[int, list[int]] = {}
    for duty in duties_in(session, game):
        before = None if duty.kept else turn_before(session, session.get_one(Turn, duty.turn_id))
        if before is not None:
            found.setdefault(duty.seat, []).append(before.round)
    return found


def add_duties(session: Session, turn: Turn, duties: Sequence[tuple[int, int, bool, bool]]) -> None:
    """Add the duties of a step, once a step: seat, player, whether the move came, whether that is unclear."""
    rows = [
        {"game_id": turn.game_id, "turn_id": turn.id, "seat": seat, "player_id": player_id, "kept": kept,
         "unclear": unclear}
        for seat, player_id, kept, unclear in duties
    ]  # fmt: skip
    if rows:
        session.execute(insert(Duty), rows)


def was_missed(session: Session, turn_id: int) -> bool:
    """Return whether a move was missed in a step."""
    rows = select(Duty.id).where(Duty.turn_id == turn_id, col(Duty.kept).is_(False))
    return session.exec(rows).first() is not None


def duties_in(session: Session, game: Game) -> Sequence[OwedMove]:
    """List the duties of a game in their order, without those of closings that were taken back."""
    return _duties(session, col(Duty.game_id) == game.id)


def reliability_of(session: Session, player_id: int) -> Reliability:
    """Count a player's duties over all games."""
    return _count(_duties(session, col(Duty.player_id) == player_id))


def reliability_by_game(session: Session, player_id: int) -> dict[int, Reliability]:
    """Count a player's duties by game."""
    found: dict[int, list[OwedMove]] = {}
    for duty in _duties(session, col(Duty.player_id) == player_id):
        found.setdefault(duty.game_id, []).append(duty)
    return {game_id: _count(duties) for game_id, duties in found.items()}


def _count(duties: Iterable[OwedMove]) -> Reliability:
    found = Reliability()
    for duty in duties:
        found = found.after(duty)
    return found


_COLUMNS: Final = [*(getattr(Duty, name) for name in OwedMove._fields if name != "at"), Turn.at]
_DUTIES: Final = (
    sa.select(*_COLUMNS)
    .join(Turn, col(Duty.turn_id) == Turn.id)
    .where(col(Turn.undone_at).is_(None))
    .order_by(col(Duty.turn_id), col(Duty.id))
)


def _duties(session: Session, which: sa.ColumnElement[bool]) -> list[OwedMove]:
    session.flush()
    return [OwedMove(*row) for row in session.connection().execute(_DUTIES.where(which))]
