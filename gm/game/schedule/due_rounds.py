"""Rounds that are due: their time has come, and every mail that may count has been seen.

This is the first of the three stations of a closing. Each calls only the next one: here the rounds that are due are
found, `gm.game.steps` resolves them, and `gm.game.announcements` tells the players.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from sqlmodel import Session

from games.api import Text, say
from gm.app.context import App
from gm.app.pass_report import Report
from gm.app.recorded_rules import RulesChanged
from gm.game import closing_time, missing_moves, steps
from gm.game.closing_time import SECOND
from gm.game.deadlines import save_zat
from gm.game.position import position
from gm.game.schedule import clock_control
from gm.game.upgrades import new_rules
from gm.messages import gm_list
from gm.runtime.errors import OperatorError, StoreError, at_minute
from gm.runtime.tracebacks import described
from gm.store import game_file
from gm.store.chunks import in_chunks
from gm.store.queries import game_queries, mail_queries
from gm.store.tables import AT_ONCE, Game

log = logging.getLogger("gm")

UNKNOWN: Final = AT_ONCE
"""The closing instant of a game whose rules are missing or faulty: closing it is tried, and then it is held."""


def close_due(app: App, fetched_at: datetime, report: Report) -> None:
    """Close every round whose time has come and whose mails have all been seen."""
    with app.database.read() as session:
        due = [
            game.id for games in _falling_due(session, fetched_at) for game in games
            if is_due(safe_closing_instant(app, session, game), fetched_at)
        ]  # fmt: skip
    close(app, due, fetched_at, report)


def close(app: App, game_ids: Iterable[int], fetched_at: datetime, report: Report) -> set[int]:
    """Close the rounds of these games that are due; returns the games closed. A game that can't be closed is held."""
    closed: set[int] = set()
    for game_id in game_ids:
        app.stop_signal.check()
        try:
            if name := close_if_due(app, game_id, fetched_at):
                report.closed.append(name)
                closed.add(game_id)
        except StoreError:
            raise
        except RulesChanged:
            with app.database.write() as session:
                game = session.get_one(Game, game_id)
                game.held = str(new_rules.changed(game))
                session.add(game)
                _ask(app, session, [game_id])
        except OperatorError as error:  # its rules are of another version, or not installed
            _hold(app, game_id, error)
        except Exception as error:
            log.error("game %s could not be closed: %s", game_id, described(error), exc_info=error)
            name = type(error).__name__
            _hold(app, game_id, OperatorError(say("due_rounds.failed", error=name)))
    return closed


def ask_about_changed(app: App) -> None:
    """Ask the GM, in one mail, about the games that wait for a word on new rules."""
    with app.database.read() as session:
        running = [game.id for game in game_queries.games(session, ("running", "provisional"))]
    changed = [game_id for game_id in running if not _may_go_on(app, game_id)]
    if changed:
        with app.database.write() as session:
            _ask(app, session, changed)


def _may_go_on(app: App, game_id: int) -> bool:
    app.stop_signal.check()
    with app.database.read() as session:
        try:
            game = session.get_one(Game, game_id)
            position(app, game)
            return new_rules.may_go_on(app, game)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001  its rules or states can't be had here; its round is held when it is due
            return True


def _ask(app: App, session: Session, game_ids: Iterable[int]) -> None:
    asked = (new_rules.ask(app, session, session.get_one(Game, game_id)) for game_id in game_ids)
    gm_list.send(app, session, [entry for entry in asked if entry])


def next_due(app: App, until: datetime) -> datetime | None:
    """Say when the first round falls due before `until`; None if none does."""
    with app.database.read() as session:
        found = [
            instant for games in _falling_due(session, until) for game in games
            if (instant := safe_closing_instant(app, session, game)) and is_due(instant, until)
        ]  # fmt: skip
    return min((instant for instant in found if instant != UNKNOWN), default=None)


def _falling_due(session: Session, until: datetime) -> Iterator[Sequence[Game]]:
    """Go through the running games that may be due by then, in chunks."""
    for ids in in_chunks(game_queries.ids_to_check(session, until + SECOND)):
        yield game_file.load(session, ids)


def safe_closing_instant(app: App, session: Session, game: Game) -> datetime | None:
    """Say when the present round closes; None if it won't before something changes.

    UNKNOWN if that can't be said: then closing is tried at once, and reports what is wrong.
    """
    if game.status != "running" or game.held:
        return None
    try:
        return closing_time.closing_instant(app, session, game, position(app, game))
    except Exception:  # noqa: BLE001
        return UNKNOWN


def is_due(instant: datetime | None, fetched_at: datetime) -> bool:
    """Say whether all mails that were there at an instant have been seen by a fetch."""
    return instant is not None and fetched_at >= instant + SECOND


def _hold(app: App, game_id: int, reason: OperatorError) -> None:
    with app.database.write() as session:
        clock_control.hold(app, session, session.get_one(Game, game_id), "held", reason)


def hold_what_fell_due(app: App, session: Session, since: datetime, until: datetime) -> None:
    """Let rounds that fell due in an outage stand still until all its mails are read: else these would be late."""
    for game, instant in _fell_due(app, session, until):
        game.held = str(_outage(app, since, until, instant))
        session.add(game)


def ask_about_outage(app: App, session: Session, since: datetime, until: datetime) -> None:
    """Once its mails are read, ask the GM about the rounds that fell due in an outage and lack a move.

    Nobody knows whose mails would have come in time. Where nobody's is missing, the round goes on, and closes with all.
    """
    begins = str(OperatorError(_outage_began(app, since)))
    for game in game_queries.held_games(session):
        if game.held.startswith(begins):
            game.held = ""
            session.add(game)
    session.flush()
    for game, instant in _fell_due(app, session, until):
        last = missing_moves.all_in_since(app, session, game)
        if last is None:
            clock_control.hold(app, session, game, "outage", _outage(app, since, until, instant))
        elif game.zat is not None and last > game.zat:
            save_zat(app, session, game, last)


def _fell_due(app: App, session: Session, until: datetime) -> Iterator[tuple[Game, datetime]]:
    for game in (game for games in _falling_due(session, until) for game in games):
        instant = safe_closing_instant(app, session, game)
        if instant is not None and UNKNOWN != instant <= until:  # an unknown one is held when it is tried
            yield game, instant


def _outage(app: App, since: datetime, until: datetime, instant: datetime) -> OperatorError:
    zone = app.settings.service.timezone
    last, when = (at_minute(one.astimezone(zone)) for one in (until, instant))
    return OperatorError(say("due_rounds.outage", began=_outage_began(app, since), last=last, when=when))


def _outage_began(app: App, since: datetime) -> Text:
    """Say what the reason begins with for which rounds stand still after an outage."""
    return say("due_rounds.outage_began", first=at_minute(since.astimezone(app.settings.service.timezone)))


def close_if_due(app: App, game_id: int, fetched_at: datetime) -> str:
    """Close the round of a game if it is due. Returns the game's name, "" if it isn't closed.

    Whether the round is due is checked again in the transaction that closes it.
    """
    with app.database.write() as session:
        game = session.get_one(Game, game_id)
        waiting = mail_queries.first_new_at(session)
        seen_until = min(fetched_at, waiting) if waiting else fetched_at
        at = position(app, game)
        instant = closing_time.closing_instant(app, session, game, at)
        if instant is None or not is_due(instant, seen_until) or missing_moves.waiting_for(app, session, game, instant):
            return ""
        turn = steps.close(app, session, game, instant)
    log.info("closed %s, turn %s", game.name, turn.number)
    return game.name
