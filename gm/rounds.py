"""Rounds: which are due, and whether every mail that may count has been seen."""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select

from gm.app import App
from gm.bugs import described, trace
from gm.errors import OperatorError, StoreError
from gm.logs import event
from gm.play import clock, turns, unclear
from gm.report import Report
from gm.store import inquiries, queries
from gm.store.tables import Address, Game, MailIn

log = logging.getLogger("gm")

SECOND: Final = timedelta(seconds=1)
"""INTERNALDATE knows whole seconds: only a fetch begun a second later has seen all of that second's mails."""


def close_due(app: App, fetched_at: datetime, report: Report) -> None:
    """Close every round whose time has come and whose mails have all been seen."""
    with app.database.read() as session:
        running = [game for game in queries.games(session, ("running",)) if not game.held]
        queries.visit(session, running)
        due = [game.id for game in running if _seems_due(app, session, game, fetched_at)]
    for game_id in due:
        app.pulse.beat()
        try:
            if name := close_if_due(app, game_id, fetched_at):
                report.closed.append(name)
        except StoreError:
            raise
        except OperatorError as error:  # its rules are of another version, or not installed
            _hold(app, game_id, str(error))
        except Exception as error:  # noqa: BLE001  a bug in one game's rules must not stop the others
            log.error("game %s could not be closed: %s", game_id, described(error),
                      extra=event("closing failed", game_id=game_id, trace=trace(error)))  # fmt: skip
            _hold(app, game_id, f"closing its round failed with {type(error).__name__}; this is a bug")


def next_due(app: App, until: datetime) -> datetime | None:
    """Say when the first of the rounds falls due that do so before then."""
    with app.database.read() as session:
        running = [game for game in queries.games(session, ("running",)) if not game.held]
        queries.visit(session, running)
        instants = []
        for game in running:
            with suppress(Exception):  # what goes wrong here is told where it is closed
                instants.append(turns.closing_instant(app, session, game, turns.position(app, session, game)))
    return min((instant for instant in instants if _is_due(instant, until) and instant), default=None)


def _seems_due(app: App, session: Session, game: Game, fetched_at: datetime) -> bool:
    """Ask first without a transaction for each game; what goes wrong here is told where it is asked again."""
    app.pulse.beat()
    try:
        return _is_due(turns.closing_instant(app, session, game, turns.position(app, session, game)), fetched_at)
    except Exception:  # noqa: BLE001
        return True


def _is_due(instant: datetime | None, fetched_at: datetime) -> bool:
    return instant is not None and fetched_at >= instant + SECOND


def _hold(app: App, game_id: int, reason: str) -> None:
    with app.database.write() as session:
        clock.hold(app, session, session.get_one(Game, game_id), "held", reason)


def hold_what_fell_due(app: App, session: Session, since: datetime, until: datetime) -> None:
    """After an outage nobody knows whose mails would have come in time: what fell due waits for the GM's word."""
    zone = app.settings.service.timezone
    span = f"{since.astimezone(zone):%Y-%m-%d %H:%M} to {until.astimezone(zone):%Y-%m-%d %H:%M}"
    for game in queries.games(session, ("running",)):
        app.pulse.beat()
        with suppress(OperatorError):  # whose rules can't be had here is held when its time comes
            instant = turns.closing_instant(app, session, game, turns.position(app, session, game))
            if instant is not None and instant <= until:
                when = f"{instant.astimezone(zone):%Y-%m-%d %H:%M}"
                clock.hold(app, session, game, "outage", f"no mails could be fetched from {span}; it fell due {when}")


def close_if_due(app: App, game_id: int, fetched_at: datetime) -> str | None:
    """Close a game's round if its time has come: decided and done in one transaction. Returns the game's name."""
    with app.database.write() as session:
        game = session.get_one(Game, game_id)
        instant = turns.closing_instant(app, session, game, turns.position(app, session, game))
        if instant is None or not _is_due(instant, fetched_at):
            return None
        if waiting_for(app, session, game, instant):
            return None
        turn = turns.close(app, session, game, instant)
    log.info("closed %s, turn %s", game.name, turn.number,
             extra=event("round closed", game=game.name, kind=game.engine, turn=turn.number))  # fmt: skip
    return game.name


def waiting_for(app: App, session: Session, game: Game, instant: datetime) -> str:
    """Say, for the GM, what may hold the move of a seat that has none: a mail in quarantine, a question of ours."""
    if app.now() >= instant + app.settings.deadlines.hold:
        return ""
    filed = queries.sheets_on_file(session, game)
    missing = {seat.number: seat.player_id for seat in queries.seats(session, game) if seat.number not in filed}
    addresses = select(Address.address).where(col(Address.player_id).in_(missing.values()))
    opened = queries.current_turn(session, game).at
    rows = select(MailIn.status).where(
        col(MailIn.status).in_(("quarantined", "waiting")), col(MailIn.sender).in_(addresses),
        col(MailIn.received_at) > opened, col(MailIn.received_at) <= instant,
    )  # fmt: skip
    if status := session.exec(rows).first():
        kind = "in quarantine" if status == "quarantined" else "that waits for its sender's word"
        return f"a mail {kind} may hold a missing move: gm mail list --status {status}"
    for question in inquiries.questions_about(session, game, unclear.WHO, unclear.STRANGER):
        arrived = datetime.fromisoformat(question.payload["received"])
        if opened < arrived <= instant and not missing.keys().isdisjoint(question.payload["seats"]):
            return f"{question.address} was asked whose a move is that may be a missing one"
    return ""
