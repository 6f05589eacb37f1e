"""What the zine has to tell since an instant: read once, the same for every reader, and public but for what is on file.

A step counts from when its bulletin went out; what still waits for the GM is nobody's business yet.
"""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import sqlalchemy as sa
from sqlmodel import Session, col, select

from games import AnyEngine
from games.api import Outcome
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import closing_time
from gm.game.position import position
from gm.runtime.errors import OperatorError
from gm.runtime.log_format import event
from gm.runtime.tracebacks import described, trace
from gm.store import query_cache
from gm.store.chunks import in_chunks
from gm.store.json_values import decode
from gm.store.queries import game_queries, prefetch, question_queries, seat_queries, sheet_queries
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
    filed: Mapping[int, sheet_queries.SheetOnFile]
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

    number: int
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
    """Player -> game -> seat, as it is now, in the games that are told of."""
    sat: frozenset[tuple[int, int]]
    """(player, game) for everybody who sits in an open game or ever did."""
    watched: Mapping[int, Collection[int]]
    """Player -> games."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Games whose rules can't be had here, and why."""

    def running_of(self, player: Player) -> list[Running]:
        """List the running games that a player sits in."""
        return _of(self._running, sorted(self.seated.get(player.id, {})))

    def closings_for(self, player: Player) -> list[Closing]:
        """List what was closed where a player sits or watches."""
        return _of(self._closings, self._concerning(player))

    def endings_for(self, player: Player) -> list[Ending]:
        """List what has ended where a player sits or watches."""
        return _of(self._endings, self._concerning(player))

    def press_for(self, player: Player) -> list[Printed]:
        """List what was printed where a player sits or watches, in order."""
        return sorted(_of(self._press, self._concerning(player)), key=lambda printed: printed.number)

    def vacations_of(self, player: Player) -> list[Vacation]:
        """List when a player is away."""
        return self._vacations.get(player.id, [])

    def _concerning(self, player: Player) -> list[int]:
        return sorted({*self.seated.get(player.id, {}), *self.watched.get(player.id, ())})

    # By game: of a hundred thousand games a player's copy looks at their own.

    @cached_property
    def _running(self) -> Mapping[int, Sequence[Running]]:
        return _by_game(self.running)

    @cached_property
    def _closings(self) -> Mapping[int, Sequence[Closing]]:
        return _by_game(self.closings)

    @cached_property
    def _endings(self) -> Mapping[int, Sequence[Ending]]:
        return _by_game(self.endings)

    @cached_property
    def _vacations(self) -> Mapping[int, list[Vacation]]:
        found: dict[int, list[Vacation]] = {}
        for vacation, _ in self.vacations:
            found.setdefault(vacation.player_id, []).append(vacation)
        return found

    @cached_property
    def _press(self) -> Mapping[int, Sequence[Printed]]:
        return _by_game(self.press)


class _Told(Protocol):
    @property
    def game(self) -> Game: ...


Told = TypeVar("Told", bound=_Told)


def _by_game(told: Iterable[Told]) -> Mapping[int, Sequence[Told]]:
    found: dict[int, list[Told]] = {}
    for one in told:
        found.setdefault(one.game.id, []).append(one)
    return found


def _of(told: Mapping[int, Sequence[Told]], game_ids: Iterable[int]) -> list[Told]:
    return [one for game_id in game_ids for one in told.get(game_id, ())]


def read_news(app: App, session: Session, since: datetime, until: datetime) -> News:
    """Read what has happened after `since`, up to `until`, and how the games stand now."""
    told, parts = _told_of(session, since, until), _Parts()
    current = set(session.exec(select(Game.id).where(col(Game.status).in_(("open", "running")))))
    for ids in in_chunks(current | told):
        _read_some(app, session, ids, told, parts, since=since, until=until)
    today = app.now().astimezone(app.settings.service.timezone).date()
    return News(
        until=until, running=parts.running, openings=parts.openings, closings=parts.closings, endings=parts.endings,
        press=_press(session, since, until), vacations=_vacations(session, today),
        seated=parts.seated, sat=_sat_in_open(session), watched=parts.watched, left_out=parts.left_out,
    )  # fmt: skip


@dataclass(kw_only=True)
class _Parts:
    """The news, as they are gathered."""

    running: list[Running] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)
    closings: list[Closing] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    seated: dict[int, dict[int, int]] = field(default_factory=dict)
    watched: dict[int, set[int]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def _read_some(
    app: App, session: Session, ids: Sequence[int], told: Collection[int], parts: _Parts,
    *, since: datetime, until: datetime,
) -> None:  # fmt: skip
    """Look at so many games, with as many statements as for one, and forget their states again."""
    games = game_queries.games_by_id(session, ids)
    prefetch.for_games(session, games)
    steps = _steps(session, [game_id for game_id in ids if game_id in told])
    lately = [step.id for of in steps.values() for step in of if since < step.released_at <= until]
    shelf = _Shelf(
        app=app, session=session, since=since, until=until, left_out=parts.left_out, steps=steps,
        duties=_duties(session, lately), results=_results(session, [game.id for game in games if game.id in told]),
    )  # fmt: skip
    shelf.add((game for game in games if game.status != "aborted"), parts)
    for game in games:
        for seat in seat_queries.seats(session, game):
            parts.seated.setdefault(seat.player_id, {})[game.id] = seat.number
    watching = sa.select(col(Watcher.player_id), col(Watcher.game_id)).where(col(Watcher.game_id).in_(ids))
    for player_id, game_id in session.connection().execute(watching):
        parts.watched.setdefault(player_id, set()).add(game_id)
    query_cache.forget_all(session)


@dataclass(frozen=True, kw_only=True)
class _Shelf:
    """The games, one by one: one whose rules are missing or faulty is left out, and the others are told of."""

    app: App
    session: Session
    since: datetime
    until: datetime
    left_out: dict[str, str]
    steps: Mapping[int, Sequence["_Step"]]
    duties: Mapping[int, Sequence[tuple[str, bool]]]
    results: Mapping[int, Sequence[Turn]]

    def add(self, games: Iterable[Game], parts: _Parts) -> None:
        for game in games:
            try:
                engine = self.app.engine(game.engine)
                found: tuple[list[Any], ...] = (
                    self._running(game), self._opening(game, engine), self._closings(game, engine), self._ending(game),
                )  # fmt: skip
            except OperatorError as error:
                self.left_out[game.name] = str(error)
            except Exception as error:  # noqa: BLE001  a bug in one game's rules must not stop the others
                log.error("game %s can't be told of: %s", game.name, described(error),
                          extra=event("digest failed", game=game.name, trace=trace(error)))  # fmt: skip
                self.left_out[game.name] = f"{type(error).__name__}; this is a bug in its rules"
            else:
                gathered: tuple[list[Any], ...] = (parts.running, parts.openings, parts.closings, parts.endings)
                for kept, part in zip(gathered, found, strict=True):
                    kept.extend(part)

    def _running(self, game: Game) -> list[Running]:
        if game.status != "running":
            return []
        at, held = position(self.app, self.session, game), question_queries.held_moves(self.session, game)
        paused = game.paused_until is not None and game.paused_until > self.app.now()
        stop = (
            "held"
            if game.held or closing_time.waits_for_gm(self.session, game, at.engine)
            else "paused"
            if paused
            else ""
        )
        return [
            Running(
                game=game, engine=at.engine, released=at.turn.released_at is not None, stop=stop,
                due=at.engine.due(at.state), filed=sheet_queries.sheets_on_file(self.session, game),
                with_gm=frozenset(question.player_id for question in held if question.player_id),
            )
        ]  # fmt: skip

    def _opening(self, game: Game, engine: AnyEngine) -> list[Opening]:
        free = engine.rules.seats[1] - len(seat_queries.seats(self.session, game))
        return [Opening(game=game, engine=engine, free=free)] if game.status == "open" and free > 0 else []

    def _closings(self, game: Game, engine: AnyEngine) -> list[Closing]:
        duties = self.duties
        closings = [
            Closing(
                game=game, engine=engine, first=before.round, last=before.round, at=step.released_at,
                missing=tuple(name for name, kept in duties.get(step.id, ()) if not kept),
                complete=all(kept for _, kept in duties.get(step.id, ())) and step.id in duties,
            )
            for before, step in pairwise(self.steps.get(game.id, ()))
            if step.round != before.round and self.since < step.released_at <= self.until
        ]  # fmt: skip
        return closings if engine.rules.unit == "round" else _as_one(closings)

    def _ending(self, game: Game) -> list[Ending]:
        if game.status not in ("provisional", "finished"):
            return []
        at = position(self.app, self.session, game)
        versions = [
            turn for turn in self.results.get(game.id, ())
            if turn.released_at and turn.released_at <= self.until and not turn.undone_at
        ]  # fmt: skip
        known = [turn for turn in versions if turn.released_at and turn.released_at <= self.since]
        outcome, before = (_outcome(at.engine, turns_[-1:]) for turns_ in (versions, known))
        if outcome is None or outcome == before:
            return []
        return [Ending(game=game, engine=at.engine, outcome=outcome, names=seat_queries.names(self.session, game))]


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


def _told_of(session: Session, since: datetime, until: datetime) -> set[int]:
    """Find the games that something was told of in this time."""
    lately = select(Turn.game_id).where(col(Turn.released_at) > since, col(Turn.released_at) <= until)
    return set(session.exec(lately.distinct()))


def _steps(session: Session, game_ids: Sequence[int]) -> dict[int, list[_Step]]:
    """List the steps of games, from the first on."""
    steps = _STEPS.where(col(Turn.game_id).in_(game_ids)).order_by(col(Turn.number), col(Turn.version))
    found: dict[int, list[_Step]] = {}
    for row in session.connection().execute(steps):
        found.setdefault(row[0], []).append(_Step(*row))
    return found


def _results(session: Session, game_ids: Sequence[int]) -> dict[int, list[Turn]]:
    """List the versions of the last step of games that are over."""
    rows = select(Turn).join(Game).where(
        col(Game.id).in_(game_ids), col(Game.status).in_(("provisional", "finished")), col(Turn.number) == Game.turn
    )  # fmt: skip
    found: dict[int, list[Turn]] = {}
    for turn in session.exec(rows.order_by(col(Turn.version))):
        found.setdefault(turn.game_id, []).append(turn)
    return found


def _duties(session: Session, step_ids: Sequence[int]) -> dict[int, list[tuple[str, bool]]]:
    """Say for each step who owed a move, and whether it came."""
    found: dict[int, list[tuple[str, bool]]] = {}
    for ids in in_chunks(step_ids):
        rows = select(Duty.turn_id, Player.name, Duty.kept).join(Player).where(col(Duty.turn_id).in_(ids))
        for turn_id, name, kept in session.exec(rows.order_by(col(Duty.seat))):
            found.setdefault(turn_id, []).append((name, kept))
    return found


def _press(session: Session, since: datetime, until: datetime) -> list[Printed]:
    rows = select(Press, Player.name, Game).join(Player).join(Game).join(Turn, col(Press.turn_id) == col(Turn.id))
    printed = rows.where(
        col(Turn.released_at) > since, col(Turn.released_at) <= until, col(Turn.undone_at).is_(None)
    ).order_by(col(Press.id))  # fmt: skip
    return [
        Printed(number=press.id, game=game, name="" if press.anonymous else name, text=press.text)
        for press, name, game in session.exec(printed)
    ]


def _vacations(session: Session, today: date) -> Sequence[tuple[Vacation, str]]:
    rows = select(Vacation, Player.name).join(Player)
    near = rows.where(col(Vacation.last) >= today, col(Vacation.first) <= today + AHEAD)
    return session.exec(near.order_by(col(Vacation.first), col(Vacation.id))).all()


def _sat_in_open(session: Session) -> frozenset[tuple[int, int]]:
    rows = sa.select(col(Seat.player_id), col(Seat.game_id)).join(Game, col(Game.id) == col(Seat.game_id))
    found = session.connection().execute(rows.where(col(Game.status) == "open"))
    return frozenset((player_id, game_id) for player_id, game_id in found)
