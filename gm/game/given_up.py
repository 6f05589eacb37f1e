"""Seats that nobody holds: they can't win (rulings.md, All games), also while a standby is still looked for.

Whether somebody comes is known at the end only. So a step that ends a game is carried out with the empty seats given
up before it; its row says which, as a replay needs them.
"""

from collections.abc import Callable, Collection
from typing import Any, Final, TypeVar

from sqlmodel import Session

from games import AnyEngine
from games.api import Resolution
from games.api import Seat as SeatNumber
from gm.store.queries import seat_queries
from gm.store.tables import Game, Turn

KEY: Final = "given_up"
"""Under which the row of a step names these seats."""

R = TypeVar("R", bound=Resolution[Any] | None)


def carried_out(
    session: Session, game: Game, engine: AnyEngine, state: Any, step: Callable[[Any], R], but: int | None = None
) -> tuple[R, dict[str, list[int]]]:
    """Carry out a step; returns what to note of it as well. `but` is a seat that the step itself gives up."""
    resolution = step(state)
    if resolution is None or engine.outcome(resolution.state) is None:
        return resolution, {}
    empty = _empty(session, game) - {but}
    without = engine.give_up(state, frozenset(SeatNumber(seat) for seat in empty))
    if without == state:
        return resolution, {}
    ended = step(without)
    if ended is None or engine.outcome(ended.state) is None:
        return resolution, {}  # an empty seat would have ended it: it plays on until the GM says that nobody comes
    return ended, {KEY: sorted(empty)}


def _empty(session: Session, game: Game) -> set[int]:
    return set(seat_queries.seat_history(session, game)) - {seat.number for seat in seat_queries.seats(session, game)}


def before(engine: AnyEngine, state: Any, turn: Turn) -> Any:
    """Give the position that a recorded step started from."""
    seats: Collection[int] | None = turn.input.get(KEY)
    return state if seats is None else engine.give_up(state, frozenset(SeatNumber(seat) for seat in seats))
