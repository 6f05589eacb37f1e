"""Where a game stands. Nothing here writes."""

from dataclasses import dataclass
from typing import Any

from games import AnyEngine
from games.api import Outcome
from gm.app.context import App
from gm.app.recorded_rules import outcome_of, read_state
from gm.store.queries import turn_queries
from gm.store.tables import Game, Turn


@dataclass(frozen=True, kw_only=True)
class Position:
    """Where a game stands: its engine, the step, and the state after it."""

    engine: AnyEngine
    turn: Turn
    state: Any

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, if it has; as it was recorded, where other rules made the step."""
        return outcome_of(self.engine, self.turn, self.state)


def position(app: App, game: Game) -> Position:
    """Load where a game stands. Raises OperatorError for a game whose rules, or their states, can't be had here."""
    engine = app.engine(game.engine)
    turn = turn_queries.current_turn(game)
    return Position(engine=engine, turn=turn, state=read_state(engine, game.name, turn))


def is_released(turn: Turn) -> bool:
    """Check whether players know of a step. If not, its bulletin waits for the GM."""
    return turn.released_at is not None
