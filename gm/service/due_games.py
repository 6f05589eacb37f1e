"""Which games a pass looks at: only those whose `look_at` has passed.

`look_at` is now after whatever was written about a game (gm/store/queries/change_tracking.py). Else it is the earliest
instant at which time alone brings something, and never later than the ZAT. So a pass costs what there is to do, however
many games run. Due games are checked again in the closing transaction.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, update

from games import engines
from gm.app.context import App
from gm.app.pass_report import Report
from gm.game import seats
from gm.game.schedule import due_rounds, reminders
from gm.store.chunks import portions
from gm.store.queries import game_queries
from gm.store.queries.change_tracking import look_again
from gm.store.tables import AT_ONCE, Game

SETTINGS: Final = "looked by"
"""The fact that says by which settings and rules the next looks were told."""


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What a look at a game has found."""

    game_id: int
    writes: int
    """As many were seen: what is written from here on asks for another look."""
    closes: bool
    seeks: bool
    reminds: bool
    look_at: datetime | None
    next_look: datetime | None


def look(app: App, fetched_at: datetime | None, report: Report) -> None:
    """Close what is due (after a fetch), ask standbys, remind: in the games whose time has come. Raises StoreError."""
    _heed_settings(app)
    with app.database.read() as session:
        waiting = game_queries.to_look_at(session, app.now())
    for ids in portions(waiting):
        app.pulse.beat()
        if closed := _look(app, ids, fetched_at, report):
            _look(app, sorted(closed), None, report)


def _look(app: App, ids: Sequence[int], fetched_at: datetime | None, report: Report) -> set[int]:
    """Look at games; returns those whose round was closed, where nothing else was done yet."""
    with app.database.read() as session:
        found = list(_find(app, session, ids, fetched_at))
    closing = [one.game_id for one in found if one.closes]
    closed = due_rounds.close(app, closing, fetched_at, report) if fetched_at else set()
    rest = [one for one in found if one.game_id not in closed]
    for one in rest:
        app.pulse.beat()
        if one.seeks:
            seats.update_offers(app, one.game_id)
        if one.reminds:
            reminders.remind(app, one.game_id)
    _note_looks(app, (one for one in rest if not one.closes))  # what is due and waits is looked at each time
    return closed


def _note_looks(app: App, found: Iterable[_Found]) -> None:
    told = [(one.game_id, one.writes, one.next_look) for one in found if one.next_look != one.look_at]
    if told:
        with app.database.write() as session:
            look_again(session, told)


def _find(app: App, session: Session, ids: Sequence[int], fetched_at: datetime | None) -> Iterable[_Found]:
    games = [game for game in due_rounds.look_up(session, ids) if _is_waiting(app, game)]
    seeking = seats.next_offers(app, session, games)
    closing = {game.id: due_rounds.safe_closing_instant(app, session, game) for game in games}
    sound = [game for game in games if game.status == "running" and closing[game.id] != due_rounds.UNKNOWN]
    reminding = reminders.due(app, session, sound)
    for game in games:
        seek, instant = seeking.get(game.id), closing[game.id]
        yield _Found(
            game_id=game.id, writes=game.writes, reminds=game.id in reminding,
            closes=fetched_at is not None and due_rounds.is_due(instant, fetched_at),
            seeks=seek is not None and seek <= app.now(),
            look_at=game.look_at, next_look=_next_look(app, game, instant, seek),
        )  # fmt: skip


def _is_waiting(app: App, game: Game) -> bool:
    """Say whether the game still waits to be looked at: another process may have been quicker."""
    return game.look_at is not None and game.look_at <= app.now()


def _next_look(app: App, game: Game, closing: datetime | None, seek: datetime | None) -> datetime | None:
    """Find the earliest instant at which time alone brings something."""
    times = [] if closing is None else [closing + due_rounds.SECOND]
    times += [seek] if seek else []
    if game.status == "running" and not game.held:
        times += [time for time in (game.zat, game.paused_until) if time and time > app.now()]
        times += [time] if (time := reminders.next_reminder(app, game)) else []
    return min(times, default=None)


def seek(app: App) -> None:
    """Ask standbys alone, for who goes through what was missed: those times have no reminders."""
    with app.database.read() as session:
        found = [
            game_id for ids in portions(game_queries.to_look_at(session, app.now()))
            for game_id, instant in seats.next_offers(app, session, due_rounds.look_up(session, ids)).items()
            if instant <= app.now()
        ]  # fmt: skip
    for game_id in found:
        seats.update_offers(app, game_id)


def _heed_settings(app: App) -> None:
    """Look at all running games once when what the next looks rest on has changed."""
    rules: Mapping[str, int] = {key: engine.rules.version for key, engine in sorted(engines().items())}
    wanted = f"1 {app.settings.deadlines} {app.settings.nmr} {rules}"
    with app.database.read() as session:
        if game_queries.meta(session, SETTINGS) == wanted:
            return
    with app.database.write() as session:
        game_queries.set_meta(session, SETTINGS, wanted)
        session.execute(
            update(Game).where(col(Game.status) == "running").values(look_at=AT_ONCE, writes=col(Game.writes) + 1),
            execution_options={"synchronize_session": False},
        )  # fmt: skip
