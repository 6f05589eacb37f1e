"""Seats that can't win when a game ends (rulings.md, All games): those that nobody holds; all where nobody ever moved.

Until then a standby or a move may still come. So only a step that ends a game is carried out with these seats given up
before it. Its row says which, as a replay needs them.
"""

from collections.abc import Callable, Collection
from typing import Any, Final, TypeVar

from sqlmodel import Session

from games import AnyEngine
from games.api import Resolution
from games.api import Seat as SeatNumber
from gm.game.seats import empty_seats
from gm.store.queries import seat_queries, turn_queries
from gm.store.tables import Game, Turn

KEY: Final = "given_up"
"""The name of these seats in the row of a step."""

R = TypeVar("R", bound=Resolution[Any] | None)


def carry_out(
    session: Session, game: Game, engine: AnyEngine, state: Any, step: Callable[[Any], R], but: int | None = None
) -> tuple[R, dict[str, list[int]]]:
    """Carry out a step, with the seats that can't win given up first if it ends the game.

    Returns what to add to the step's row as well. `but` is a seat that the step itself gives up.
    """
    resolution = step(state)
    if resolution is None or engine.outcome(resolution.state) is None:
        return resolution, {}
    lost = _without_chance(session, game) - {but}
    without = engine.give_up(state, frozenset(SeatNumber(seat) for seat in lost))
    if without == state:
        return resolution, {}
    ended = step(without)
    if ended is None or engine.outcome(ended.state) is None:
        return resolution, {}  # an empty seat would have ended it: it plays on until the GM says that nobody comes
    return ended, {KEY: sorted(lost)}


def _without_chance(session: Session, game: Game) -> set[int]:
    """List the seats that can't win if the game ends now."""
    return empty_seats(game) if turn_queries.has_moves(session, game) else {*seat_queries.names(game)}


def position_before(engine: AnyEngine, state: Any, turn: Turn) -> Any:
    """Return the position that a recorded step started from, with its seats given up."""
    seats: Collection[int] | None = turn.input.get(KEY)
    return state if seats is None else engine.give_up(state, frozenset(SeatNumber(seat) for seat in seats))
