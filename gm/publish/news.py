"""What the zine has to tell since an instant: read once, the same for every reader, and public but for what is on file.

A step counts from when its bulletin went out; what still waits for the GM is nobody's business yet.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col, select

from games import AnyEngine
from games.api import Outcome
from games.api import Seat as SeatNumber
from gm.app import App
from gm.bugs import described, trace
from gm.errors import OperatorError
from gm.logs import event
from gm.play import turns
from gm.store import inquiries, queries
from gm.store.codec import decode
from gm.store.tables import Duty, Game, Player, Press, Seat, Turn, Vacation, Watcher

log = logging.getLogger("gm")

AHEAD: Final = timedelta(days=14)
"""How far the dates reach."""


@dataclass(frozen=True, kw_only=True)
class Running:
    """A game that is being played."""

    game: Game
    engine: AnyEngine
    released: bool
    """Whether the players know how it stands."""
    stop: str
    """Why its clock stands still: held | paused, or nothing."""
    due: frozenset[SeatNumber]
    filed: Mapping[int, queries.OnFile]
    with_gm: frozenset[int]
    """The players whose move waits for the GM's word on a word."""

    def zat_until(self, end: datetime) -> datetime | None:
        """Give the ZAT where it is known and not after `end`."""
        zat = self.game.zat
        return zat if self.released and not self.stop and zat and zat <= end else None


@dataclass(frozen=True, kw_only=True)
class Closing:
    """Rounds of a game that were closed: one, or in a game of turns all of the period."""

    game: Game
    engine: AnyEngine
    first: int
    last: int
    at: datetime
    missing: tuple[str, ...]
    """Whose move didn't come."""
    complete: bool
    """Whether it is known that every move was there."""


@dataclass(frozen=True, kw_only=True)
class Ending:
    """A game that is over, or has another result than before."""

    game: Game
    engine: AnyEngine
    outcome: Outcome
    names: Mapping[int, str]


@dataclass(frozen=True, kw_only=True)
class Opening:
    """A game that looks for players."""

    game: Game
    engine: AnyEngine
    free: int


@dataclass(frozen=True, kw_only=True)
class Printed:
    """What somebody had printed; no name where it is anonymous."""

    game: Game
    name: str
    text: str


@dataclass(frozen=True, kw_only=True)
class News:
    """All of it, and who may be interested: by player, where they sit and what they watch."""

    until: datetime
    running: Sequence[Running]
    closings: Sequence[Closing]
    endings: Sequence[Ending]
    openings: Sequence[Opening]
    press: Sequence[Printed]
    vacations: Sequence[tuple[Vacation, str]]
    seated: Mapping[int, Mapping[int, int]]
    """Player -> game -> seat, as it is now."""
    sat: frozenset[tuple[int, int]]
    """(player, game) for everybody who sits there or ever did."""
    watched: frozenset[tuple[int, int]]
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Games whose rules can't be had here, and why."""

    def concerns(self, player: Player, game: Game) -> bool:
        """Say whether a player sits in a game or watches it."""
        return game.id in self.seated.get(player.id, {}) or (player.id, game.id) in self.watched


def read_news(app: App, session: Session, since: datetime, until: datetime) -> News:
    """Read what has happened after `since`, up to `until`, and how the games stand now."""
    shelf = _Shelf(app=app, session=session, since=since, until=until)
    told = _told(session, since, until)
    games = queries.games(session, ("open", "running", "provisional", "finished"))
    wanted = [game for game in games if game.status in ("open", "running") or game.id in told]
    queries.visit(session, wanted)
    running, openings, closings, endings = shelf.each(wanted, told)
    today = app.now().astimezone(app.settings.service.timezone).date()
    return News(
        until=until, running=running, openings=openings, closings=closings, endings=endings,
        press=_press(session, since, until), vacations=_vacations(session, today),
        seated=_seated(session), sat=frozenset(_pairs(session, Seat)), watched=frozenset(_pairs(session, Watcher)),
        left_out=shelf.left_out,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Shelf:
    """The games, one by one: one whose rules are missing or faulty is left out, and the others are told of."""

    app: App
    session: Session
    since: datetime
    until: datetime
    left_out: dict[str, str] = field(default_factory=dict)

    def each(
        self, games: Iterable[Game], told: Mapping[int, Sequence["_Step"]]
    ) -> tuple[list[Running], list[Opening], list[Closing], list[Ending]]:
        found: tuple[list[Any], list[Any], list[Any], list[Any]] = ([], [], [], [])
        for game in games:
            try:
                engine = self.app.engine(game.engine)
                parts: tuple[Iterable[Any], ...] = (
                    self._running(game), self._opening(game, engine),
                    self._closings(game, engine, told.get(game.id, ())), self._ending(game),
                )  # fmt: skip
            except OperatorError as error:
                self.left_out[game.name] = str(error)
            except Exception as error:  # noqa: BLE001  a bug in one game's rules must not stop the others
                log.error("game %s can't be told of: %s", game.name, described(error),
                          extra=event("digest failed", game=game.name, trace=trace(error)))  # fmt: skip
                self.left_out[game.name] = f"{type(error).__name__}; this is a bug in its rules"
            else:
                for kept, part in zip(found, parts, strict=True):
                    kept.extend(part)
        return found

    def _running(self, game: Game) -> list[Running]:
        if game.status != "running":
            return []
        at, held = turns.position(self.app, self.session, game), inquiries.held_moves(self.session, game)
        paused = game.paused_until is not None and game.paused_until > self.app.now()
        stop = "held" if game.held or turns.waits_for_gm(self.session, game, at.engine) else "paused" if paused else ""
        return [
            Running(
                game=game, engine=at.engine, released=at.turn.released_at is not None, stop=stop,
                due=at.engine.due(at.state), filed=queries.sheets_on_file(self.session, game),
                with_gm=frozenset(question.player_id for question in held if question.player_id),
            )
        ]  # fmt: skip

    def _opening(self, game: Game, engine: AnyEngine) -> list[Opening]:
        free = engine.rules.seats[1] - len(queries.seats(self.session, game))
        return [Opening(game=game, engine=engine, free=free)] if game.status == "open" and free > 0 else []

    def _closings(self, game: Game, engine: AnyEngine, steps: Sequence["_Step"]) -> list[Closing]:
        duties = _duties(self.session, [step.id for step in steps])
        closings = [
            Closing(
                game=game, engine=engine, first=before.round, last=before.round, at=step.released_at,
                missing=tuple(name for name, kept in duties.get(step.id, ()) if not kept),
                complete=all(kept for _, kept in duties.get(step.id, ())) and step.id in duties,
            )
            for before, step in pairwise(steps)
            if step.round != before.round and self.since < step.released_at <= self.until
        ]  # fmt: skip
        return closings if engine.rules.unit == "round" else _as_one(closings)

    def _ending(self, game: Game) -> list[Ending]:
        if game.status not in ("provisional", "finished"):
            return []
        at = turns.position(self.app, self.session, game)
        versions = [
            turn for turn in queries.turns(self.session, game)
            if turn.number == game.turn and turn.released_at and turn.released_at <= self.until and not turn.undone_at
        ]  # fmt: skip
        known = [turn for turn in versions if turn.released_at and turn.released_at <= self.since]
        outcome, before = (_outcome(at.engine, turns_[-1:]) for turns_ in (versions, known))
        if outcome is None or outcome == before:
            return []
        return [Ending(game=game, engine=at.engine, outcome=outcome, names=queries.names(self.session, game))]


def _outcome(engine: AnyEngine, last: Sequence[Turn]) -> Outcome | None:
    return next((engine.outcome(decode(engine.state_type, turn.state)) for turn in last), None)


def _as_one(closings: Sequence[Closing]) -> list[Closing]:
    """Tell of the turns of a week in one line."""
    if not closings:
        return []
    missing = dict.fromkeys(name for closing in closings for name in closing.missing)
    return [replace(closings[-1], first=closings[0].first, missing=tuple(missing), complete=False)]


class _Step(NamedTuple):
    """A step of a game that counts and that its players know of."""

    game_id: int
    id: int
    round: int
    released_at: datetime


_STEPS: Final = sa.select(*(col(getattr(Turn, name)) for name in _Step._fields)).where(
    col(Turn.undone_at).is_(None), col(Turn.released_at).is_not(None), col(Turn.kind) != "rule"
)


def _told(session: Session, since: datetime, until: datetime) -> dict[int, list[_Step]]:
    """List the steps, from the first on, of the games that something was told of in this time."""
    lately = select(Turn.game_id).where(col(Turn.released_at) > since, col(Turn.released_at) <= until)
    steps = _STEPS.where(col(Turn.game_id).in_(lately)).order_by(col(Turn.number), col(Turn.version))
    found: dict[int, list[_Step]] = {}
    for row in session.connection().execute(steps):
        found.setdefault(row[0], []).append(_Step(*row))
    return found


def _duties(session: Session, step_ids: Sequence[int]) -> dict[int, list[tuple[str, bool]]]:
    """Say for each step who owed a move, and whether it came."""
    rows = select(Duty.turn_id, Player.name, Duty.kept).join(Player).where(col(Duty.turn_id).in_(step_ids))
    found: dict[int, list[tuple[str, bool]]] = {}
    for turn_id, name, kept in session.exec(rows.order_by(col(Duty.seat))) if step_ids else ():
        found.setdefault(turn_id, []).append((name, kept))
    return found


def _press(session: Session, since: datetime, until: datetime) -> list[Printed]:
    rows = select(Press, Player.name, Game).join(Player).join(Game).join(Turn, col(Press.turn_id) == col(Turn.id))
    printed = rows.where(
        col(Turn.released_at) > since, col(Turn.released_at) <= until, col(Turn.undone_at).is_(None)
    ).order_by(col(Press.id))  # fmt: skip
    return [
        Printed(game=game, name="" if press.anonymous else name, text=press.text)
        for press, name, game in session.exec(printed)
    ]


def _vacations(session: Session, today: date) -> Sequence[tuple[Vacation, str]]:
    rows = select(Vacation, Player.name).join(Player)
    near = rows.where(col(Vacation.last) >= today, col(Vacation.first) <= today + AHEAD)
    return session.exec(near.order_by(col(Vacation.first), col(Vacation.id))).all()


def _seated(session: Session) -> dict[int, dict[int, int]]:
    found: dict[int, dict[int, int]] = {}
    rows = select(Seat.player_id, Seat.game_id, Seat.number).where(col(Seat.until).is_(None))
    for player_id, game_id, number in session.exec(rows):
        found.setdefault(player_id, {})[game_id] = number
    return found


def _pairs(session: Session, table: type[Seat] | type[Watcher]) -> Iterable[tuple[int, int]]:
    rows = session.connection().execute(sa.select(col(table.player_id), col(table.game_id)))
    return [(player_id, game_id) for player_id, game_id in rows]
