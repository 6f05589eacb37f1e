"""A game's rows and its rules, and what follows from both: public steps, views, outcome."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import bindparam
from sqlalchemy.orm import defer, lazyload
from sqlmodel import Session, col, select

from games import AnyEngine
from games.api import ALL, SPECTATOR, Language, Outcome, View, Viewer
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.app.recorded_rules import is_same_version, outcome_of, read_state
from gm.archive.record import public_steps
from gm.archive.record.public_wording import PublicSpeaker
from gm.game.people.shown_names import Person
from gm.messages.rendering.wording import Names
from gm.messages.sentences import SENTENCES
from gm.runtime.catalogues import first_known
from gm.store.queries import sheet_queries
from gm.store.queries.holder_queries import Held, held_by_step, held_names
from gm.store.tables import Duty, Game, Press, Seat, Turn

# Built once: with thousands of games, building them would take as long as asking.
_TURNS: Final = (
    select(Turn).where(Turn.game_id == bindparam("game"), col(Turn.undone_at).is_(None))
    .order_by(col(Turn.number), col(Turn.version))
    .options(defer(Turn.input, raiseload=True), defer(Turn.verdicts, raiseload=True))  # type: ignore[arg-type]
)  # fmt: skip
_SITTING: Final = (
    select(Seat).where(Seat.game_id == bindparam("game")).order_by(col(Seat.number), col(Seat.since), col(Seat.id))
    .options(lazyload(Seat.player))  # type: ignore[arg-type]
)  # fmt: skip
_PRESS: Final = (
    select(Press).where(Press.game_id == bindparam("game"), col(Press.turn_id).is_not(None))
    .order_by(col(Press.received_at), col(Press.id))
)  # fmt: skip
_DUTIES: Final = (
    select(Duty.turn_id, Duty.seat, Duty.player_id, Duty.kept).where(Duty.game_id == bindparam("game"))
    .order_by(col(Duty.seat), col(Duty.id))
)  # fmt: skip


class Owed(NamedTuple):
    """Whether a move that was owed came."""

    turn_id: int
    seat: int
    player_id: int
    kept: bool


_Beside = TypeVar("_Beside", Press, Owed)


@dataclass(frozen=True, kw_only=True)
class LoadedGame:
    """One game with its rows, each read when it is first asked for."""

    app: App
    session: Session
    game: Game
    slug: str
    people: Mapping[int, Person]

    @cached_property
    def engine(self) -> AnyEngine:
        """The rules. Raises OperatorError where they aren't installed."""
        return self.app.engine(self.game.engine)

    @cached_property
    def language(self) -> Language:
        """The language of the game's own bulletins."""
        return first_known(self.game.language)

    @cached_property
    def sitting(self) -> Sequence[Seat]:
        """Everybody who has sat in the game, in order."""
        return self.session.exec(_SITTING, params={"game": self.game.id}).all()

    @cached_property
    def speaker(self) -> PublicSpeaker:
        """Words texts, with names as they are shown: of those who sit there now, or sat there last."""
        names: Names = {SeatNumber(seat.number): self.people[seat.player_id].name for seat in self.sitting}
        return PublicSpeaker(language=self.language, wording={**SENTENCES, **self.engine.wording}, names=names)

    def speaker_at(self, turn: Turn) -> PublicSpeaker:
        """Word what a step brought: with the names of those who sat there then."""
        if not self._have_changed:
            return self.speaker
        names = held_names(self._held, turn.number, lambda player_id: self.people[player_id].name)
        return replace(self.speaker, names={**self.speaker.names, **names})

    def names_at(self, turn: Turn) -> dict[int, str]:
        """Name who held each seat at a step; nobody where no seat has changed hands."""
        held = next((one for one in self._held if one.number == turn.number), None) if self._have_changed else None
        return {seat: self.people[player_id].name for seat, player_id in held.players.items()} if held else {}

    @cached_property
    def _have_changed(self) -> bool:
        """Whether a seat of the game has changed hands, or is empty."""
        return any(seat.until for seat in self.sitting)

    @cached_property
    def _held(self) -> Sequence[Held]:
        return held_by_step(self.session, self.game)

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """All steps that weren't undone, also those that were corrected since."""
        return self.session.exec(_TURNS, params={"game": self.game.id}).all()

    @cached_property
    def known(self) -> Sequence[Turn]:
        """The steps that everybody knows. Raises OperatorError where the rules that made them can't be had."""
        found = public_steps.known(self.turns, self.game.turn, self.game.version)
        for turn in found:
            if not is_same_version(self.engine, turn):
                read_state(self.engine, self.game.name, turn)
        goes_on = self.game.status in ("running", "aborted")
        return public_steps.without_private(found, lambda step: step.events) if goes_on else found

    def state(self, turn: Turn) -> Any:
        """Read the position after a step."""
        return read_state(self.engine, self.game.name, turn)

    @cached_property
    def _last_state(self) -> Any:
        return self.state(self.known[-1])

    @cached_property
    def outcome(self) -> Outcome | None:
        """How it has ended, if players know that."""
        return outcome_of(self.engine, self.known[-1], self._last_state) if self.known else None

    @property
    def viewer(self) -> Viewer:
        """Who the pages are for: after a result nothing is hidden any more."""
        return ALL if self.outcome else SPECTATOR

    @cached_property
    def last_view(self) -> View:
        """The present position, as everybody may see it now."""
        return self.engine.view(self._last_state, self.viewer)

    def view(self, turn: Turn) -> View:
        """Give the position after a step, as everybody may see it now."""
        return self.last_view if turn is self.known[-1] else self.engine.view(self.state(turn), self.viewer)

    @cached_property
    def press(self) -> Mapping[int, Sequence[Press]]:
        """What was printed, in order, by the number of the step."""
        return self._by_step(self.session.exec(_PRESS, params={"game": self.game.id}))

    @cached_property
    def duties(self) -> Mapping[int, Sequence[Owed]]:
        """Who owed a move and whether it came, seat by seat, by the number of the step."""
        return self._by_step(map(Owed._make, self.session.exec(_DUTIES, params={"game": self.game.id})))

    @cached_property
    def filed(self) -> frozenset[int]:
        """The seats whose move is in for the round that everybody knows of; empty before the start."""
        known = {self.game.id: self.known[-1].round} if self.known else {}
        return sheet_queries.seats_filed(self.session, known).get(self.game.id, frozenset())

    def _by_step(self, rows: Iterable[_Beside]) -> dict[int, list[_Beside]]:
        """Group rows by the number of their step. A corrected step keeps the rows of its first version."""
        numbers = {turn.id: turn.number for turn in self.turns}
        found: dict[int, list[_Beside]] = {}
        for row in rows:
            if row.turn_id in numbers:
                found.setdefault(numbers[row.turn_id], []).append(row)
        return found
