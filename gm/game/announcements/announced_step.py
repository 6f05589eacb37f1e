"""A step of a game, as its row tells it: what its bulletins are made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import SPECTATOR, Event, Outcome, Resolution, Section
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.messages import game_mails
from gm.store.json_values import decode, decode_events
from gm.store.tables import Game, Turn


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of a game as its row tells it."""

    app: App
    session: Session
    game: Game
    turn: Turn
    engine: AnyEngine
    state: Any
    events: tuple[Event, ...]
    outcome: Outcome | None
    names: Mapping[SeatNumber, str]

    @property
    def kind(self) -> str:
        """Name the mail that tells of it."""
        if self.outcome:
            return "final"
        if self.turn.kind == "resign":
            return "without" if self.engine.rules.unit == "round" else "turn"
        return {"start": "start", "act": "turn"}.get(self.turn.kind, "bulletin")

    @cached_property
    def watched(self) -> tuple[tuple[Section, ...], tuple[Event, ...]]:
        """What everybody may see of it, and know of what happened."""
        return self.engine.view(self.state, SPECTATOR).sections, game_mails.events_for(self.events, SPECTATOR)


def step_of(app: App, session: Session, game: Game, turn: Turn, resolution: Resolution[Any] | None = None) -> Step:
    """Load a step, or take what it has just led to. Raises OperatorError where the rules can't be had here."""
    engine = app.engine(game.engine)
    if resolution is None:
        resolution = Resolution(state=decode(engine.state_type, turn.state), events=decode_events(turn.events))
    return Step(
        app=app, session=session, game=game, turn=turn, engine=engine, state=resolution.state,
        outcome=engine.outcome(resolution.state), events=resolution.events,
        names=game_mails.names_by_seat(session, game),
    )  # fmt: skip
