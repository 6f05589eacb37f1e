"""The state of the service, for `gm status`. A monitor may ask every minute, however big the zine is.

Only what waits is counted, by indexes; what was done long ago isn't read.
"""

from datetime import datetime, timedelta
from importlib.metadata import version
from typing import Any, Final

from sqlmodel import Session, SQLModel, and_, col, func, or_, select

from gm.app.context import App, local_iso
from gm.messages import bounces
from gm.messages.unfetched_mails import sentence
from gm.reports.overview import IS_HELD, first_games, rows
from gm.store.queries import mail_queries, question_queries, zine_queries
from gm.store.schema import schema_version
from gm.store.tables import Game, MailIn, MailOut, Question

LATE_AFTER: Final = timedelta(minutes=10)
"""Something is wrong if mails weren't fetched for longer, or a round is still open so long after its ZAT."""
SEND_WITHIN: Final = timedelta(hours=1)
"""So is it if nobody has tried to send a mail for longer. One that a server puts off may take days."""

GM_LATE_AFTER: Final = timedelta(days=2)
"""The GM is late when something has waited for an answer for longer, or has held a round open for so long."""

MOST_UNFETCHED: Final = 5
"""So many of the mails that can't be fetched are named; `gm todo` has all."""

COUNTED: Final = timedelta(days=7)
"""How far back forged mails are counted."""


def late_after(app: App) -> timedelta:
    """Give after how long without a fetch something is wrong."""
    return max(LATE_AFTER, 2 * timedelta(seconds=app.settings.imap.poll_seconds))


def health(app: App, session: Session) -> dict[str, Any]:
    """Describe the service; of the games those that the GM should see first."""
    zine = zine_queries.zine(session)
    running, left_out = first_games(session, app.now(), ("running", "provisional"))
    running = sorted(running, key=lambda game: (game.zat is None, game.zat or app.now(), game.id))
    return {
        **monitored(app, session),
        "last_fetch": local_iso(app, zine.last_fetch) or "never",
        "last_delivery": local_iso(app, mail_queries.last_delivery(session)) or "never",
        "mailbox_trouble": zine.inbox_trouble or "",
        "mails": {status.replace(" ", "_"): number for status, number in mail_queries.count_mails(session).items()},
        "unreachable": [f"{one.name} ({address.address})" for one, address in bounces.unreachable(session)],
        "forged_senders": mail_queries.count_forged(session, app.now() - COUNTED),
        "games": rows(app, session, running),
        "games_left_out": left_out,
    }


def monitored(app: App, session: Session) -> dict[str, Any]:
    """Give the flat, stable fields for monitoring; `ok` with `reasons` is the sum of them."""
    now, zine = app.now(), zine_queries.zine(session)
    unhandled, first_came = _queue(session, MailIn, "new", MailIn.received_at)
    unsent, first_written = _queue(session, MailOut, "queued", MailOut.created_at)
    _, first_untried = _queue(session, MailOut, "queued", MailOut.created_at, col(MailOut.attempts) == 0)
    found: dict[str, Any] = {
        "fetched_seconds_ago": _seconds(now, zine.last_fetch),
        "to_handle": unhandled,
        "to_handle_oldest_seconds": _seconds(now, first_came),
        "to_send": unsent,
        "to_send_oldest_seconds": _seconds(now, first_written),
        "untried_oldest_seconds": _seconds(now, first_untried),
        "quarantined": _count(session, MailIn, col(MailIn.status) == "quarantined"),
        "overdue": _overdue(session, now - late_after(app), now),
        "unfetched": [
            sentence(row, app.settings.service.timezone) for row in mail_queries.unfetched(session)[:MOST_UNFETCHED]
        ],
        "held_too_long": _held(session, now - GM_LATE_AFTER),
        "waiting_for_gm": waiting_for_the_gm(session),
        "waiting_for_gm_oldest_seconds": _seconds(now, _oldest_for_gm(session)),
        "troubles": [*filter(None, (zine.inbox_trouble, zine.outbox_trouble, zine.backup_trouble))],
        "version": version("postal-gm"),
        "database": app.database.engine.dialect.name,
        "schema": schema_version(session),
    }
    reasons = list(_reasons(app, found))
    return {"ok": not reasons, "reasons": reasons, **found}


def _reasons(app: App, found: dict[str, Any]) -> list[str]:
    """List what somebody has to look at, a sentence each."""
    fetched, late = found["fetched_seconds_ago"], late_after(app).total_seconds()
    asked = found["waiting_for_gm_oldest_seconds"]
    untried, unhandled = found["untried_oldest_seconds"], found["to_handle_oldest_seconds"]
    checks = (
        (fetched is None, "mails were never fetched; does `gm serve` run?"),
        (fetched is not None and fetched > late, f"no mails were fetched for {fetched} s; does `gm serve` run?"),
        (unhandled is not None and unhandled > late, f"a mail has not been handled for {unhandled} s"),
        (untried is not None and untried > SEND_WITHIN.total_seconds(), f"a mail has not gone out for {untried} s"),
        (found["overdue"] > 0, f"{found['overdue']} rounds are open though their ZAT has passed"),
        (
            asked is not None and asked > GM_LATE_AFTER.total_seconds(),
            f"something has waited for the GM for more than {GM_LATE_AFTER.days} days: gm todo",
        ),
        (
            found["held_too_long"] > 0,
            f"rounds held open for more than {GM_LATE_AFTER.days} days after their ZAT: "
            f"{found['held_too_long']}; gm list says why",
        ),
        (found["quarantined"] > 0, f"{found['quarantined']} mails are in quarantine: gm todo"),
    )
    return [*found["troubles"], *found["unfetched"], *(said for is_so, said in checks if is_so)]


def _overdue(session: Session, before: datetime, now: datetime) -> int:
    """Count the rounds that should have closed; not those that the GM, or a pause, holds."""
    goes_on = or_(col(Game.paused_until).is_(None), col(Game.paused_until) <= now)
    return _count(session, Game, col(Game.status) == "running", col(Game.zat) < before, col(Game.held) == "", goes_on)


def _held(session: Session, since: datetime) -> int:
    """Count the rounds that the GM, or a question to the GM, holds open since their ZAT."""
    return _count(session, Game, IS_HELD, col(Game.status) == "running", col(Game.zat) < since)


def _oldest_for_gm(session: Session) -> datetime | None:
    """Give since when the oldest open question waits for the GM."""
    is_open = (col(Question.answered_at).is_(None), Question.address == "")
    return session.exec(select(func.min(Question.created_at)).where(*is_open)).one()


def _queue(session: Session, table: Any, status: str, since: Any, *conditions: Any) -> tuple[int, datetime | None]:
    """Count the mails that wait, and give since when.

    An inner query picks the ids by the index: SQLite doesn't know how rare a status is and would read all mails.
    """
    ids = select(table.id).where(table.status == status)
    number, oldest = session.exec(select(func.count(), func.min(since)).where(table.id.in_(ids), *conditions)).one()
    return number, oldest


def _count(session: Session, table: type[SQLModel], *conditions: Any) -> int:
    return session.exec(select(func.count()).select_from(table).where(*conditions)).one()


def _seconds(now: datetime, at: datetime | None) -> int | None:
    return max(0, int((now - at).total_seconds())) if at else None


def waiting_for_the_gm(session: Session) -> int:
    """Count what `gm todo` lists."""
    asked = {one.game_id for one in question_queries.open_questions(session) if one.kind == "words"}
    is_over = or_(col(Game.status) == "provisional", and_(col(Game.status) == "running", col(Game.id).in_(asked)))
    is_open = (col(Question.answered_at).is_(None), Question.address == "", Question.kind != "words")
    return _count(session, Question, *is_open) + _count(session, Game, is_over)
