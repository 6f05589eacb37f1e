"""A step of a game, read from its row: what its bulletins are made from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import SPECTATOR, Event, Outcome, Resolution, Section
from gm.app.context import App
from gm.app.recorded_rules import outcome_of, read_state
from gm.messages import game_mails
from gm.messages.rendering.wording import Names
from gm.store.json_values import decode_events
from gm.store.tables import Game, Turn


@dataclass(frozen=True, kw_only=True)
class MadeStep:
    """A step that is to be announced."""

    turn: Turn
    resolution: Resolution[Any] | None = None
    """What it has just led to, if it needn't be read from the row."""
    but: int | None = None
    """The seat that is told by the answer to its mail."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of a game, read from its row."""

    app: App
    session: Session
    game: Game
    turn: Turn
    engine: AnyEngine
    state: Any
    events: tuple[Event, ...]
    outcome: Outcome | None
    names: Names
    earlier: "tuple[Step, ...]" = ()
    """The steps right before it that its bulletins tell of as well."""

    @property
    def told(self) -> "tuple[Step, ...]":
        """All steps that its bulletins tell of, itself the last."""
        return (*self.earlier, self)

    @property
    def all_events(self) -> tuple[Event, ...]:
        """What happened in all of them."""
        return tuple(event for step in self.told for event in step.events)

    @property
    def kind(self) -> str:
        """The kind of mail that tells of it."""
        if self.outcome:
            return "final"
        if self.turn.kind == "resign":
            return "without" if self.engine.rules.unit == "round" else "turn"
        return {"start": "start", "act": "turn"}.get(self.turn.kind, "bulletin")

    @cached_property
    def shown_to_all(self) -> tuple[tuple[Section, ...], tuple[Event, ...]]:
        """What everybody may see: the position's sections, and the events."""
        return self.engine.view(self.state, SPECTATOR).sections, game_mails.events_for(self.all_events, SPECTATOR)


def step_of(app: App, session: Session, game: Game, turn: Turn, resolution: Resolution[Any] | None = None) -> Step:
    """Load a step. `resolution` is what it has just led to, if it needn't be read from the row.

    Raises OperatorError where the game's rules can't be had.
    """
    engine = app.engine(game.engine)
    if resolution is None:
        resolution = Resolution(state=read_state(engine, game.name, turn), events=decode_events(turn.events))
    return Step(
        app=app, session=session, game=game, turn=turn, engine=engine, state=resolution.state,
        outcome=outcome_of(engine, turn, resolution.state), events=resolution.events,
        names=game_mails.names_by_seat(session, game, turn),
    )  # fmt: skip
