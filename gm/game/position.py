"""Where a game stands. Nothing here writes."""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import Outcome
from gm.app.context import App
from gm.runtime.errors import Refused
from gm.store.json_values import decode
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
        """How the game has ended, if it has."""
        return self.engine.outcome(self.state)


def position(app: App, session: Session, game: Game) -> Position:
    """Load where a game stands. Raises OperatorError for a game whose rules can't be had here."""
    engine = app.engine(game.engine)
    turn = turn_queries.current_turn(session, game)
    check_version(engine, game, turn)
    return Position(engine=engine, turn=turn, state=decode(engine.state_type, turn.state))


def check_version(engine: AnyEngine, game: Game, turn: Turn) -> None:
    """Check that a step was made by the rules that are installed. Raises Refused."""
    if turn.rules_version != engine.rules.version:
        raise Refused(
            f"{game.name} was played by version {turn.rules_version} of the rules of {engine.rules.title}, here is "
            f"version {engine.rules.version}; install a version of gm that brings the old ones.",
            de=f"»{game.name}« wurde nach Version {turn.rules_version} der Regeln von {engine.rules.title} gespielt, "
            f"hier ist Version {engine.rules.version}; installiere ein gm, das die alten mitbringt.",
        )


def is_released(turn: Turn) -> bool:
    """Check whether players know of a step. If not, its bulletin waits for the GM."""
    return turn.released_at is not None
