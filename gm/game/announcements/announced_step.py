"""A step of a game, read from its row: what its bulletins are made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import SPECTATOR, Event, Language, Outcome, Resolution, Section
from gm.app.context import App
from gm.app.recorded_rules import outcome_of, read_state
from gm.game.announcements.counts import POINTS, Course, PublicFacts, last_points
from gm.game.announcements.headlines import Headlines, short_names
from gm.game.seats import empty_seats
from gm.messages import game_mails
from gm.messages.rendering.wording import Names, Speaker
from gm.messages.sentences import SENTENCES
from gm.store.json_values import decode_events
from gm.store.queries import holder_queries, turn_queries
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

    def headline(self, language: Language) -> str:
        """Say what was most exciting about a round or the end; empty where nothing was, or a single turn is told."""
        short = short_names({int(seat): name for seat, name in self.names.items() if isinstance(seat, int)})
        if self.outcome:
            wording = {**SENTENCES, **self.engine.wording}
            how = Speaker(language=language, wording=wording, names=self.names).say(self.outcome.how or "")
            gone = empty_seats(self.game)
            return Headlines(names=short, language=language, gone=gone).of_end(self.outcome, how, self._points[0])
        if self.kind != "bulletin" or self.engine.rules.unit != "round":
            return ""
        (before, now), rounds = self._points, self.engine.rules.rounds
        left = rounds - self.turn.round + 1 if rounds else None
        return Headlines(names=short, language=language).of_round(now, before, left, rounds)

    @cached_property
    def _points(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """What each seat had before the round that this step closed, and has now; empty where that isn't known."""
        rules, view = self.engine.rules, self.engine.view(self.state, SPECTATOR)
        if rules.unit != "round" or self.turn.kind not in ("resolve", "rule"):
            return {}, {}
        if not self.outcome and not any(POINTS & facts.keys() for facts in view.seat_facts.values()):
            return {}, {}  # nobody knows them before the end
        opening = turn_queries.closing_before(self.session, self.turn)
        if opening is None or opening.rules_version != rules.version:  # other rules may not be able to read it
            return {}, {}
        views = [self.engine.view(read_state(self.engine, self.game.name, opening), SPECTATOR), view]
        return last_points(
            Course(
                seats=sorted(views[-1].seat_facts),
                snapshots=[PublicFacts(number=at, seat_facts=view.seat_facts) for at, view in enumerate(views)],
                words=views[-1].words,
                places=self.outcome.standings if self.outcome else (),
            )
        )


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
        names=holder_queries.names_by_seat(session, game, turn),
    )  # fmt: skip
