"""A game's record from its rows: which steps make a page, what each of them showed, in words and with names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from games import AnyEngine
from games.api import ALL, EVERYONE, SPECTATOR, Language, Outcome, Section, Text, Unit, View, Viewer, say
from games.api import Seat as SeatNumber
from gm.app import App
from gm.archive.known import is_private
from gm.archive.names import Person, masked
from gm.archive.record import (
    SCHEMA,
    Holder,
    Part,
    Place,
    Record,
    Remark,
    ResultRecord,
    SeatRecord,
    Snapshot,
    WordRecord,
)
from gm.archive.spoken import PublicSpeaker, worded
from gm.play.turns import check_version
from gm.publish.bulletins import seed_checksum
from gm.publish.sentences import SENTENCES
from gm.store.codec import decode, decode_events
from gm.store.tables import Duty, Game, Hindsight, Press, Seat, Turn

HEADINGS: Mapping[Unit, str] = {"round": "ARCHIVE_ROUND", "turn": "ARCHIVE_TURN", "deal": "ARCHIVE_DEAL"}

# Built once: with thousands of games to tell, building them would take as long as asking.
_TURNS: Final = (
    select(Turn).where(Turn.game_id == bindparam("game")).order_by(col(Turn.number), col(Turn.version))
    .options(defer(Turn.input, raiseload=True), defer(Turn.verdicts, raiseload=True))  # type: ignore[arg-type]
)  # fmt: skip
_SITTING: Final = (
    select(Seat).where(Seat.game_id == bindparam("game")).order_by(col(Seat.number), col(Seat.since), col(Seat.id))
)
_PRESS: Final = (
    select(Press).where(Press.game_id == bindparam("game"), col(Press.turn_id).is_not(None))
    .order_by(col(Press.received_at), col(Press.id))
)  # fmt: skip
_MISSED: Final = (
    select(Duty).where(Duty.game_id == bindparam("game"), col(Duty.kept).is_(False))
    .order_by(col(Duty.seat), col(Duty.id))
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step that players know of; `closed` is the round that it ended, or the present one."""

    turn: Turn
    state: Any
    closed: int


@dataclass(frozen=True, kw_only=True)
class Teller:
    """What is needed to tell one game."""

    app: App
    session: Session
    game: Game
    slug: str
    people: Mapping[int, Person]

    @cached_property
    def engine(self) -> AnyEngine:
        """The rules. Raises OperatorError where they can't be had here."""
        return self.app.engine(self.game.engine)

    @cached_property
    def language(self) -> Language:
        """The language of the game's own bulletins."""
        return "en" if self.game.language == "en" else "de"

    @cached_property
    def sitting(self) -> Sequence[Seat]:
        """Everybody who has sat in the game, in order."""
        return self.session.exec(_SITTING, params={"game": self.game.id}).all()

    @cached_property
    def speaker(self) -> PublicSpeaker:
        """Puts texts into words, with names as they are shown."""
        names = {SeatNumber(seat.number): self.people[seat.player_id].name for seat in self.sitting}
        return PublicSpeaker(language=self.language, wording={**SENTENCES, **self.engine.wording}, names=names)

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """Every row of the game, also those taken back or corrected since."""
        return self.session.exec(_TURNS, params={"game": self.game.id}).all()

    @cached_property
    def steps(self) -> list[Step]:
        """The steps that led to the present position, as far as they were released."""
        known = [turn for turn in _path(self.turns, self.game) if turn.released_at is not None]
        found: list[Step] = []
        for turn in known:
            check_version(self.engine, self.game, turn)
            closed = found[-1].turn.round if found else 0
            found.append(Step(turn=turn, state=decode(self.engine.state_type, turn.state), closed=closed))
        while self.game.status in ("running", "aborted") and len(found) > 1 and _is_private(found[-1]):
            found.pop()  # it must not show even by its date; later, the round tells of it
        return found

    @cached_property
    def outcome(self) -> Outcome | None:
        """How it has ended, if players know it."""
        return self.engine.outcome(self.steps[-1].state) if self.steps else None

    @property
    def viewer(self) -> Viewer:
        """Nothing is hidden after the end; a game that was broken off has none."""
        return ALL if self.outcome else SPECTATOR

    @cached_property
    def last_view(self) -> View:
        """The present position, as everybody may see it now; three parts of the archive want it."""
        return self.engine.view(self.steps[-1].state, self.viewer)


def tell(teller: Teller) -> Record:
    """Write a game's record. Raises OperatorError where its rules can't be had here."""
    game, engine, steps = teller.game, teller.engine, teller.steps
    snapshots, now = _snapshots(teller)
    over = teller.outcome is not None
    return Record(
        schema=SCHEMA, game=game.name, slug=teller.slug, kind=game.engine, title=engine.rules.title,
        language=teller.language, unit=engine.rules.unit, status=_status(teller), rounds=engine.rules.rounds,
        zat=_zat(teller), begun=steps[0].turn.at if steps else game.created_at,
        ended=steps[-1].turn.at if over or (game.status == "aborted" and steps) else None,
        seats=_seats(teller), snapshots=tuple(snapshots), now=now, result=_result(teller),
        hindsight=_hindsight(teller) if over else (), word_list=steps[-1].turn.words if steps else "",
        rules_version=engine.rules.version, checksum=seed_checksum(game.seed), seed=game.seed if over else None,
    )  # fmt: skip


def tell_little(teller: Teller) -> Record:
    """Write as much of a game's record as is known without its rules: that there is one, and who plays."""
    game = teller.game
    path = _path(teller.turns, game)
    is_over = game.status == "aborted" or (
        game.status in ("provisional", "finished") and bool(path) and path[-1].released_at is not None
    )
    return Record(
        schema=SCHEMA, game=game.name, slug=teller.slug, kind=game.engine, title=game.engine.capitalize(),
        language=teller.language, unit="round", status=game.status if is_over or game.turn is None else "running",
        begun=game.created_at, seats=_seats(teller), snapshots=(), rules_version=0, checksum=seed_checksum(game.seed),
    )  # fmt: skip


def _path(turns: Sequence[Turn], game: Game) -> list[Turn]:
    """Follow the game from its start to where it stands: of each step the last version that wasn't taken back."""
    standing = [
        turn for turn in turns
        if turn.undone_at is None and game.turn is not None and turn.number <= game.turn
        and (turn.number < game.turn or turn.version <= game.version)
    ]  # fmt: skip
    return sorted({turn.number: turn for turn in standing}.values(), key=lambda turn: turn.number)


def _status(teller: Teller) -> str:
    """A result that waits for the GM isn't known yet."""
    if teller.game.status in ("finished", "provisional"):
        if teller.outcome is None:
            return "running"
        return "provisional" if teller.outcome.doubtful else "finished"
    return teller.game.status


def _is_private(step: Step) -> bool:
    return is_private(step.turn.kind, step.turn.round == step.closed, step.turn.events)


def _zat(teller: Teller) -> datetime | None:
    """Give the deadline as players know it: none while the GM has to decide; a closing that waits changes nothing."""
    game, path = teller.game, _path(teller.turns, teller.game)
    if not path or _status(teller) != "running" or game.held:
        return None
    known = [turn.zat for turn in path if turn.released_at]
    return game.zat if path[-1].released_at else known[-1] if known else None


# -- seats and result --------------------------------------------------------------------------------------------------


def _seats(teller: Teller) -> tuple[SeatRecord, ...]:
    """List the seats; before the start nobody needs to know who waits there."""
    if teller.game.turn is None:
        return ()
    by_seat = {number: list(held) for number, held in groupby(teller.sitting, key=lambda seat: seat.number)}
    people = {number: [teller.people[seat.player_id] for seat in held] for number, held in by_seat.items()}
    return tuple(
        SeatRecord(
            seat=number, name=held[-1].name, person=held[-1].slug,
            before=tuple(Holder(name=one.name, person=one.slug) for one in held[:-1]),
        )
        for number, held in people.items()
    )  # fmt: skip


def _result(teller: Teller) -> ResultRecord | None:
    outcome = teller.outcome
    if outcome is None:
        return None
    names, words = teller.speaker.names, teller.last_view.words
    return ResultRecord(
        version=_finals_before(teller) + 1,
        is_final=not outcome.doubtful,
        standings=tuple(
            Place(rank=one.rank, seat=one.seat, name=names[one.seat], points=one.points) for one in outcome.standings
        ),
        words=tuple(
            WordRecord(
                seat=one.seat, word=one.word, points=one.points, status=one.status,
                why=_said(teller, one.why), where=_said(teller, one.where),
            )
            for one in words
        ),
    )  # fmt: skip


def _finals_before(teller: Teller) -> int:
    """Count the final results that players were told before this one, as the mails count them."""
    last, engine = teller.steps[-1].turn, teller.engine
    told = [
        turn for turn in teller.turns
        if turn.number == last.number and turn.version < last.version
        and turn.undone_at is None and turn.released_at is not None
    ]  # fmt: skip
    outcomes = (engine.outcome(decode(engine.state_type, turn.state)) for turn in told)
    return sum(1 for outcome in outcomes if outcome and not outcome.doubtful)


def _said(teller: Teller, text: Text | None) -> str:
    return teller.speaker.say(text) if text else ""


def _hindsight(teller: Teller) -> tuple[Part, ...]:
    found = teller.session.get(Hindsight, teller.game.id)
    if found is None or found.turn_id != teller.steps[-1].turn.id:
        return ()
    sections: tuple[Section, ...] = TypeAdapter(tuple[Section, ...]).validate_python(found.sections)
    return tuple(worded(teller.speaker, section) for section in sections)


# -- snapshots ---------------------------------------------------------------------------------------------------------


def _snapshots(teller: Teller) -> tuple[list[Snapshot], Snapshot | None]:
    """Tell the game after each round exactly once; steps within a round belong to the one that ends it."""
    beside = _Beside(teller)
    rounds: dict[int, list[Step]] = {}
    waiting: list[Step] = []
    for step in teller.steps:
        waiting.append(step)
        is_last = step is teller.steps[-1] and teller.outcome is not None
        if step.turn.kind == "start" or step.turn.round != step.closed or is_last:
            # A game may begin with a round 0, in which everybody chooses something: with it ends the start.
            rounds.setdefault(step.closed, []).extend(waiting)
            waiting = []
    found = [_snapshot(teller, number, steps, beside) for number, steps in rounds.items()]
    is_public = teller.outcome is None and any(_events(step) for step in waiting)
    return found, _snapshot(teller, waiting[-1].closed, waiting, beside) if is_public else None


def _snapshot(teller: Teller, number: int, steps: Sequence[Step], beside: "_Beside") -> Snapshot:
    step, speaker = steps[-1], teller.speaker
    is_last = step is teller.steps[-1]
    view = teller.last_view if is_last else teller.engine.view(step.state, teller.viewer)
    heading = say(HEADINGS[teller.engine.rules.unit] if number else "ARCHIVE_START", number=number)
    return Snapshot(
        number=number, heading=speaker.say(heading), headline=speaker.say(view.headline) if view.headline else "",
        at=step.turn.released_at or step.turn.at, zat=step.turn.zat,
        foreword=tuple(line for one in steps for line in _masked_lines(teller, one.turn.foreword)),
        events=tuple(speaker.say(text) for one in steps for text in _events(one)),
        missed=tuple(name for one in steps for name in beside.missed(one.turn)),
        parts=tuple(worded(speaker, section) for section in view.sections),
        press=tuple(remark for one in steps for remark in beside.press(one.turn)),
        facts=speaker.shown(view.facts), seat_facts=_seat_facts(speaker, view),
    )  # fmt: skip


def _seat_facts(speaker: PublicSpeaker, view: View) -> dict[int, Mapping[str, Any]]:
    return {int(seat): speaker.shown(facts) for seat, facts in view.seat_facts.items()}


def _events(step: Step) -> list[Text]:
    """Give what everybody was told; what only one was told is phrased for them, and the view shows it after the end."""
    return [event.text for event in decode_events(step.turn.events) if event.readers == EVERYONE]


def _masked_lines(teller: Teller, text: str) -> list[str]:
    return [masked(line, teller.language) for line in text.splitlines()]


class _Beside:
    """What stands beside the position of a step: press, and who missed it. Read once for the whole game."""

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        # A step that was ruled on again keeps the press and the duties of its first version.
        number_of = {turn.id: turn.number for turn in teller.turns if turn.undone_at is None}
        self._press: dict[int, list[Press]] = {}
        self._missed: dict[int, list[Duty]] = {}
        game = {"game": teller.game.id}
        for press in teller.session.exec(_PRESS, params=game):
            self._press.setdefault(number_of.get(press.turn_id or 0, -1), []).append(press)
        for duty in teller.session.exec(_MISSED, params=game):
            self._missed.setdefault(number_of.get(duty.turn_id, -1), []).append(duty)

    def press(self, turn: Turn) -> Iterable[Remark]:
        """Sign what was printed with a step."""
        people = self._teller.people
        for one in self._press.get(turn.number, ()):
            lines = tuple(_masked_lines(self._teller, one.text))
            yield Remark(signed="" if one.anonymous else people[one.player_id].name, text=lines)

    def missed(self, turn: Turn) -> Iterable[str]:
        """Name who sent nothing."""
        return (self._teller.people[duty.player_id].name for duty in self._missed.get(turn.number, ()))
