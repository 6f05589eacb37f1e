"""The games that a pass handles: only those whose `look_at` has passed.

Whenever something is written about a game, `look_at` becomes now (gm/store/game_file.py). Otherwise it is the
earliest instant at which time alone makes something due, at most a second after the ZAT. So a pass costs what there is
to do, however many games run. Due games are checked again in the closing transaction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select, update

from games import engine
from gm.app.context import App
from gm.app.pass_report import Report
from gm.game import closing_time, seats, word_judge
from gm.game.schedule import due_rounds, reminders
from gm.game.upgrades import changed_words
from gm.store import game_file
from gm.store.chunks import in_chunks
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import AT_ONCE, Game


@dataclass(frozen=True, kw_only=True)
class _Due:
    """What is due in a game."""

    game_id: int
    last_write: int
    """The last write about the game when it was read: what is written later makes it due again."""
    closes: bool
    asks_standbys: bool
    reminds: bool
    look_at: datetime | None
    next_look_at: datetime | None


def handle_due_games(app: App, fetched_at: datetime | None, report: Report) -> None:
    """Close rounds (after a fetch), ask standbys, remind: what is due. Raises StoreError."""
    with app.database.read() as session:
        due = game_queries.ids_to_check(session, app.now())
    for ids in in_chunks(due):
        app.stop_signal.check()
        if closed := _handle(app, ids, fetched_at, report):
            _handle(app, sorted(closed), None, report)


def _handle(app: App, ids: Sequence[int], fetched_at: datetime | None, report: Report) -> set[int]:
    """Handle games. Returns those whose round was closed: nothing else was done there yet."""
    with app.database.read() as session:
        found = list(_find_due(app, session, ids, fetched_at))
    closing = [one.game_id for one in found if one.closes]
    closed = due_rounds.close(app, closing, fetched_at, report) if fetched_at else set()
    rest = [one for one in found if one.game_id not in closed]
    for one in rest:
        app.stop_signal.check()
        if one.asks_standbys:
            seats.update_offers(app, one.game_id)
    if reminding := [one.game_id for one in rest if one.reminds]:
        reminders.remind(app, reminding)
    _note_next_look(app, (one for one in rest if not one.closes))  # a due round that waits is looked at in each pass
    return closed


def _note_next_look(app: App, handled: Iterable[_Due]) -> None:
    changed = [(one.game_id, one.last_write, one.next_look_at) for one in handled if one.next_look_at != one.look_at]
    if changed:
        with app.database.write() as session:
            game_file.note_next_looks(session, changed)


def _find_due(app: App, session: Session, ids: Sequence[int], fetched_at: datetime | None) -> Iterable[_Due]:
    games = [game for game in game_file.load(session, ids) if _is_still_due(app, game)]
    asking = seats.next_offers(app, session, games)
    closing = {game.id: due_rounds.safe_closing_instant(app, session, game) for game in games}
    sound = [game for game in games if game.status == "running" and closing[game.id] != due_rounds.UNKNOWN]
    reminding = reminders.due(app, session, sound)
    for game in games:
        asks_at, closes_at = asking.get(game.id), closing[game.id]
        yield _Due(
            game_id=game.id, last_write=game.last_write, reminds=game.id in reminding,
            closes=fetched_at is not None and due_rounds.is_due(closes_at, fetched_at),
            asks_standbys=asks_at is not None and asks_at <= app.now(),
            look_at=game.look_at, next_look_at=_next_look_at(app, game, closes_at, asks_at),
        )  # fmt: skip


def _is_still_due(app: App, game: Game) -> bool:
    """Return whether nobody was quicker."""
    return game.look_at is not None and game.look_at <= app.now()


def _next_look_at(app: App, game: Game, closes_at: datetime | None, asks_at: datetime | None) -> datetime | None:
    """Find the earliest instant at which time alone makes something due."""
    times = [] if closes_at is None else [closes_at + closing_time.SECOND]
    times += [asks_at] if asks_at else []
    if game.status == "running" and not game.held:
        times += [time + closing_time.SECOND for time in (game.zat, game.paused_until) if time and time > app.now()]
        times += [time] if (time := reminders.next_reminder(app, game)) else []
    return min(times, default=None)


def ask_standbys(app: App) -> None:
    """Ask standbys where that is due, and do nothing else: no reminders are sent for times that were missed."""
    with app.database.read() as session:
        due = [
            game_id for ids in in_chunks(game_queries.ids_to_check(session, app.now()))
            for game_id, instant in seats.next_offers(app, session, game_file.load(session, ids)).items()
            if instant <= app.now()
        ]  # fmt: skip
    for game_id in due:
        seats.update_offers(app, game_id)


def _kinds_played(app: App) -> Sequence[str]:
    """List the games whose rules matter now: to load all of them takes a tenth of a second."""
    with app.database.read() as session:
        return session.exec(select(Game.engine).where(Game.status == "running").distinct().order_by(Game.engine)).all()


def _rules_version(key: str) -> int | None:
    """Return the version of a game's rules; None where they aren't installed."""
    try:
        return engine(key).rules.version
    except KeyError:
        return None


def look_at_all_after_new_settings(app: App, seen: str | None) -> bool:
    """Make all running games due once when settings or rules have changed that `look_at` was computed from.

    `seen` is what was noted of them. The GM is asked about games that wait for a word on new rules, and told what other
    word lists change. Returns whether that was so; once it wasn't, it can't be in this process.
    """
    settings = f"1 {app.settings.deadlines} {app.settings.nmr} {word_judge.list_name(app.lexicon)}"
    if (settings, seen) in app.looked_by:
        return False
    wanted = f"{settings} {[f'{key} {_rules_version(key)}' for key in _kinds_played(app)]}"
    if seen == wanted:
        app.looked_by.add((settings, seen))
        return False
    due_rounds.ask_about_changed(app)
    changed_words.tell(app)
    with app.database.write() as session:
        zine_queries.zine(session).settings_seen = wanted
        session.execute(
            update(Game).where(col(Game.status) == "running").values(look_at=AT_ONCE),
            execution_options={"synchronize_session": False},
        )  # fmt: skip
    return True
