"""What has happened in the zine since an instant. It is read once for all digests, and public but for moves on file.

A step counts from when its bulletin was released; what still waits for the GM isn't public.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col, select

from games import AnyEngine
from games.api import Outcome
from gm.app.context import App
from gm.app.recorded_rules import outcome_of
from gm.game.position import position
from gm.messages.sentences import SENTENCES
from gm.reports.games import GameState, state_of
from gm.runtime.errors import OperatorError
from gm.runtime.tracebacks import described
from gm.store import game_file
from gm.store.chunks import in_chunks
from gm.store.json_values import decode
from gm.store.queries import player_queries, seat_queries
from gm.store.tables import Duty, Game, Player, Press, Seat, Turn, Vacation, Watcher

log = logging.getLogger("gm")

AHEAD: Final = timedelta(days=14)
"""How far the dates reach."""


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
    """Press; without a name where it is anonymous."""

    number: int
    game: Game
    name: str
    text: str


@dataclass(kw_only=True)
class News:
    """All news, by game; and by player where they sit and what they watch."""

    until: datetime
    vacations: Sequence[tuple[Vacation, str]]
    """Those of the next days, with the names of the players."""
    sat: frozenset[tuple[int, int]]
    """(player, game) for everybody who sits in an open game or ever did."""
    share_address: frozenset[int]
    """The players who have an address in common with another one."""
    running: dict[int, GameState] = field(default_factory=dict)
    openings: list[Opening] = field(default_factory=list)
    closings: dict[int, list[Closing]] = field(default_factory=dict)
    endings: dict[int, Ending] = field(default_factory=dict)
    press: dict[int, list[Printed]] = field(default_factory=dict)
    seated: dict[int, dict[int, int]] = field(default_factory=dict)
    """Player -> game -> seat, as it is now, in the games of these news."""
    watched: dict[int, set[int]] = field(default_factory=dict)
    """Player -> games."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Games whose rules aren't installed or are faulty, and why."""

    def running_of(self, player: Player) -> list[GameState]:
        """List the running games that a player sits in."""
        games = sorted(self.seated.get(player.id, {}))
        return [self.running[game_id] for game_id in games if game_id in self.running]

    def closings_for(self, player: Player) -> list[Closing]:
        """List what was closed where a player sits or watches."""
        return [one for game_id in self._concerning(player) for one in self.closings.get(game_id, ())]

    def endings_for(self, player: Player) -> list[Ending]:
        """List what has ended where a player sits or watches."""
        return [self.endings[game_id] for game_id in self._concerning(player) if game_id in self.endings]

    def press_for(self, player: Player) -> list[Printed]:
        """List what was printed where a player sits or watches, in order."""
        printed = (one for game_id in self._concerning(player) for one in self.press.get(game_id, ()))
        return sorted(printed, key=lambda one: one.number)

    def vacations_of(self, player: Player) -> list[Vacation]:
        """List when a player is away."""
        return [vacation for vacation, _ in self.vacations if vacation.player_id == player.id]

    def _concerning(self, player: Player) -> list[int]:
        return sorted({*self.seated.get(player.id, {}), *self.watched.get(player.id, ())})


def read_news(app: App, session: Session, since: datetime, until: datetime) -> News:
    """Read what has happened after `since`, up to `until`, and how the games stand now."""
    today = app.now().astimezone(app.settings.service.timezone).date()
    news = News(
        until=until, vacations=_vacations(session, today), sat=_sat_in_open(session),
        share_address=player_queries.all_sharing_an_address(session),
    )  # fmt: skip
    for printed in _press(session, since, until):
        news.press.setdefault(printed.game.id, []).append(printed)
    current = set(session.exec(select(Game.id).where(col(Game.status).in_(("open", "running")))))
    recent = _released_in(session, since, until)
    for ids in in_chunks(current | recent):
        _add_some(news, app, session, ids, recent, since)
    return news


def _add_some(
    news: News, app: App, session: Session, ids: Sequence[int], recent: Collection[int], since: datetime
) -> None:  # fmt: skip
    """Add the news of some games, with as many statements as for one."""
    games = game_file.load(session, ids)
    steps = _steps(session, [game_id for game_id in ids if game_id in recent])
    new = [step.id for of_game in steps.values() for step in of_game if since < step.released_at <= news.until]
    reader = _Reader(
        app=app, session=session, since=since, until=news.until, steps=steps, duties=_duties(session, new),
        results=_results(session, [game.id for game in games if game.id in recent]),
    )  # fmt: skip
    for game in games:
        if game.status != "aborted":
            reader.add(game, news)
        for seat in seat_queries.seats(game):
            news.seated.setdefault(seat.player_id, {})[game.id] = seat.number
    watching = sa.select(col(Watcher.player_id), col(Watcher.game_id)).where(col(Watcher.game_id).in_(ids))
    for player_id, game_id in session.connection().execute(watching):
        news.watched.setdefault(player_id, set()).add(game_id)


@dataclass(frozen=True, kw_only=True)
class _Reader:
    """Finds out what is new in a game, by rows that were read for many."""

    app: App
    session: Session
    since: datetime
    until: datetime
    steps: Mapping[int, Sequence["_Step"]]
    duties: Mapping[int, Sequence[tuple[str, bool]]]
    results: Mapping[int, Sequence[Turn]]

    def add(self, game: Game, news: News) -> None:
        """Add what is new in a game; one whose rules are missing or faulty is left out."""
        try:
            engine = self.app.engine(game.engine)
            running, opening, ending = self._running(game), self._opening(game, engine), self._ending(game)
            closings = self._closings(game, engine)
        except OperatorError as error:
            news.left_out[game.name] = error.said_in(self.app.settings.service.language)
        except Exception as error:
            log.error("game %s can't be told of: %s", game.name, described(error), exc_info=error)
            said = SENTENCES["BUG_IN_RULES"][self.app.settings.service.language]
            news.left_out[game.name] = said.format(error=type(error).__name__)
        else:
            news.running |= {game.id: running} if running else {}
            news.openings += [opening] if opening else []
            news.closings |= {game.id: closings} if closings else {}
            news.endings |= {game.id: ending} if ending else {}

    def _running(self, game: Game) -> GameState | None:
        if game.status != "running":
            return None
        found = state_of(self.app, self.session, game)
        if found.fault:
            raise found.fault
        return found

    def _opening(self, game: Game, engine: AnyEngine) -> Opening | None:
        free = engine.rules.seats[1] - len(seat_queries.seats(game))
        return Opening(game=game, engine=engine, free=free) if game.status == "open" and free > 0 else None

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
        return closings if engine.rules.unit == "round" else _merged(closings)

    def _ending(self, game: Game) -> Ending | None:
        if game.status not in ("provisional", "finished"):
            return None
        at = position(self.app, game)
        versions = [
            turn for turn in self.results.get(game.id, ())
            if turn.released_at and turn.released_at <= self.until and not turn.undone_at
        ]  # fmt: skip
        known = [turn for turn in versions if turn.released_at and turn.released_at <= self.since]
        outcome, before = (_outcome(at.engine, turns[-1:]) for turns in (versions, known))
        if outcome is None or outcome == before:
            return None
        return Ending(game=game, engine=at.engine, outcome=outcome, names=seat_queries.names(game))


def _outcome(engine: AnyEngine, last: Sequence[Turn]) -> Outcome | None:
    return next((outcome_of(engine, turn, decode(engine.state_type, turn.state)) for turn in last), None)


def _merged(closings: Sequence[Closing]) -> list[Closing]:
    """Make one closing of all turns of the period."""
    if not closings:
        return []
    missing = dict.fromkeys(name for closing in closings for name in closing.missing)
    return [replace(closings[-1], first=closings[0].first, missing=tuple(missing), complete=False)]


class _Step(NamedTuple):
    """A step that counts and that the players know."""

    game_id: int
    id: int
    round: int
    released_at: datetime


_STEPS: Final = sa.select(*(col(getattr(Turn, name)) for name in _Step._fields)).where(
    col(Turn.undone_at).is_(None), col(Turn.released_at).is_not(None), col(Turn.kind) != "rule"
)


def _released_in(session: Session, since: datetime, until: datetime) -> set[int]:
    """Find the games with bulletins that were released in this time."""
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
    """List for each step who owed a move, and whether it came."""
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
