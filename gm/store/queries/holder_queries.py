"""Queries for who holds the seats of a game, and who held them at each of its steps."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import sqlalchemy as sa
from sqlmodel import Session, col, select

from games.api import Seat as SeatNumber
from gm.store.queries import player_queries, seat_queries
from gm.store.tables import Duty, Game, Player, Seat, Turn

Names: TypeAlias = dict[SeatNumber | tuple[SeatNumber, int], str]
"""The players' names by seat; where seats have changed hands, by seat and round as well."""


@dataclass(frozen=True, kw_only=True)
class Held:
    """Who held the seats when a step was made."""

    number: int
    """Of the step."""
    closed: int
    """The round that the step belongs to, or closed."""
    players: Mapping[int, int]
    """By seat, the id of who held it, or had held it last."""
    empty: frozenset[int]
    """The seats that nobody held when a round was closed."""


def held_by_step(session: Session, game: Game) -> Sequence[Held]:
    """List the steps with those who held the seats; where a step closed a round, with those who owed its moves.

    Of a step that was ruled on again the first version counts: a ruling may come after a takeover. Undone steps are
    left out.
    """
    session.flush()
    steps = sa.select(*(col(getattr(Turn, name)) for name in ("id", "number", "round", "at", "kind")))
    steps = steps.where(col(Turn.game_id) == game.id, col(Turn.undone_at).is_(None))
    sat = session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.since), col(Seat.id))).all()
    owed: dict[int, dict[int, int]] = {}
    for turn_id, seat, player_id in session.exec(
        select(Duty.turn_id, Duty.seat, Duty.player_id).where(Duty.game_id == game.id)
    ):
        owed.setdefault(turn_id, {})[seat] = player_id
    found: dict[int, Held] = {}
    before = 0
    for turn_id, number, round_, at, kind in session.connection().execute(
        steps.order_by(col(Turn.number), col(Turn.version))
    ):
        if number not in found:
            last = {seat.number: seat for seat in sat if seat.since <= at}
            left = {seat.number for seat in last.values() if seat.until and seat.until <= at and kind == "resolve"}
            players = {**{seat.number: seat.player_id for seat in last.values()}, **owed.get(turn_id, {})}
            empty = frozenset(left - owed.get(turn_id, {}).keys())
            found[number] = Held(number=number, closed=before, players=players, empty=empty)
        before = round_
    return tuple(found.values())


def names_by_seat(session: Session, game: Game, turn: Turn | None = None) -> Names:
    """Name the players by seat, for wording: those who held them when a step was made, or who hold them now."""
    present: Names = {SeatNumber(seat): name for seat, name in seat_queries.names(game).items()}
    if game.turn is None or not seat_queries.have_changed(game):
        return present

    def name(player_id: int) -> str:
        return session.get_one(Player, player_id).name

    number = turn.number if turn else game.turn
    names = held_names(held_by_step(session, game), number, name)
    return names if turn else {**names, **present}


def held_names(held: Iterable[Held], number: int, name: Callable[[int], str]) -> Names:
    """Name who held the seats at a step, and by seat and round who owed the moves of all rounds up to it."""
    names: Names = {}
    for step in held:
        if step.number <= number:
            for seat, player_id in step.players.items():
                names[SeatNumber(seat)] = name(player_id)
                names[SeatNumber(seat), step.closed] = player_queries.NOBODY if seat in step.empty else name(player_id)
    return names
