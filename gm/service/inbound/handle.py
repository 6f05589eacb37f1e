"""One stored mail after the other, the oldest first: read, carried out and answered in one transaction.

A mail is marked as begun before. What goes wrong with it is rolled back, and the mail is put aside in a transaction of
its own. A full disk, a lock or a lost server is no mail's fault: the mail stays new. A process that finds a mail begun
when it starts counts that the one before has died with it; the third time the mail is put aside.
"""

import logging
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlmodel import Session

from games.api import say
from gm.app.context import App
from gm.app.pass_report import Report
from gm.messages import gm_list, rate_limits
from gm.messages.questions import About
from gm.requests.sender_check.senders import with_known_sender
from gm.runtime.errors import OperatorError, StoreError
from gm.runtime.stop_signal import Stopped
from gm.runtime.tracebacks import described
from gm.service.inbound.carry_out import carry_out
from gm.service.inbound.read import note, note_head, read
from gm.service.inbound.time_limit import time_limit
from gm.service.mailbox import quarantine
from gm.store.queries import mail_queries, question_queries
from gm.store.tables import MailIn
from parsers.errors import MailError
from parsers.mime.message import Mail, read_mail

log = logging.getLogger("gm")

SECONDS: Final = 4.0
"""So long a mail may be opened, and so long may be read and carried out what it says."""
MOST_ATTEMPTS: Final = 3
FULL_HOURS: Final = 5
"""So many hours' answers to strangers may wait for room, so that each goes out within six hours."""
STRANGERS: Final = "strangers"
"""The kind of entry on the GM's list about more of them."""


class _HandledElsewhere(Exception):  # noqa: N818  a way out of the transaction
    """Another process, `gm close` perhaps, was quicker."""


def handle_all(app: App, ids: Iterable[int], report: Report) -> None:
    """Handle mails in this order, and count them. Raises StoreError, Stopped."""
    for mail_id in ids:
        if row := handle(app, mail_id):
            report.received += 1
            report.statuses[row.folder, row.uidvalidity, row.uid] = row.status


def handle(app: App, mail_id: int) -> MailIn | None:
    """Handle a mail; returns it as it is then, None if it wasn't new any more. Raises StoreError, Stopped."""
    app.stop_signal.check()
    if (row := _begin(app, mail_id)) is None:
        return None
    mail = None
    try:
        with time_limit(SECONDS):
            mail = read_mail(row.raw)
        with app.database.write() as session:
            with time_limit(SECONDS):
                carry_out(app, session, read(app, session, row, mail))
                session.flush()
            row.handled_at = app.now()
            if not mail_queries.note_result(session, row):
                raise _HandledElsewhere
    except _HandledElsewhere:
        return None
    except (Stopped, Exception) as error:
        if isinstance(error, Stopped) or is_everybodys(error):
            _note_not_begun(app, mail_id)
            raise
        row.status = _put_aside(app, mail_id, error, mail)
    log.info("mail %s %s", row.id, row.status)
    return row


def _begin(app: App, mail_id: int) -> MailIn | None:
    with app.database.write() as session:
        return mail_queries.begin(session, mail_id)


def is_everybodys(error: Exception) -> bool:
    """Say whether an error has nothing to do with the mail at hand: a full disk, a lock, a lost server, no memory."""
    if isinstance(error, StoreError) and isinstance(error.__cause__, DBAPIError):
        error = error.__cause__
    if isinstance(error, DBAPIError):  # a value that the tables refuse is the mail's own
        return not isinstance(error, IntegrityError | DataError)
    return isinstance(error, StoreError | MemoryError)


def _note_not_begun(app: App, mail_id: int) -> None:
    with suppress(StoreError), app.database.write() as session:
        mail_queries.note_not_begun(session, mail_id)


def _put_aside(app: App, mail_id: int, error: Exception, mail: Mail | None) -> str:
    """Put a mail that can't be handled into quarantine, and say what is wrong with it; returns its status."""
    if isinstance(error, OperatorError) and not isinstance(error, StoreError):
        reason = error
    elif isinstance(error, MailError):
        reason = OperatorError(say("handle.unreadable", error=str(error)))
    else:
        log.error("mail %s could not be handled: %s", mail_id, described(error), exc_info=error)
        name = type(error.__cause__ or error).__name__
        reason = OperatorError(say("handle.failed", error=name))
    with app.database.write() as session:
        if row := mail_queries.still_new(session, mail_id):
            if mail is None:
                note_head(row)
            else:
                note(row, with_known_sender(session, mail))
            quarantine.put_aside(app, session, row, reason, mail.text if mail else "")
    return "quarantined"


# -- mails with which a process has ended ------------------------------------------------------------------------------


def count_ended(app: App) -> None:
    """Count for each mail that was begun and not ended that a process has died with it; called when one starts.

    Those with which three have died are put aside. Raises StoreError.
    """
    with app.database.write() as session:
        left = {row.id: row.attempts for row in mail_queries.count_ended(session)}
    # Counted before: if even this ended the process, the next one would put the mail aside without it.
    for mail_id, attempts in left.items():
        with app.database.write() as session:
            row = mail_queries.still_new(session, mail_id)
            if row and attempts <= MOST_ATTEMPTS:  # its rounds wait for it, also where nobody gets to read it
                note_head(row)
            if row and attempts >= MOST_ATTEMPTS:
                quarantine.put_aside(app, session, row, OperatorError(say("handle.ended", number=MOST_ATTEMPTS)))


# -- mails from strangers that were put off ----------------------------------------------------------------------------


def take_up(app: App) -> list[int]:
    """Let the oldest mails that were put off be handled now, as many as have room in this hour; returns these."""
    with app.database.read() as session:
        room, is_news = rate_limits.room_for_strangers(app, session), _is_news(app, session)
    if not is_news and room <= 0:
        return []
    with app.database.write() as session:
        if _is_news(app, session) and (row := mail_queries.last_put_off_mail(session)):
            text = f"{row.sender}: {row.subject} ({rate_limits.most_to_strangers(app)}/h)"
            gm_list.tell(app, session, STRANGERS, text, About(mail=row))
        return mail_queries.release_put_off(session, room) if room > 0 else []


def _is_news(app: App, session: Session) -> bool:
    """Say whether more mails were put off than can be answered in time, and the GM hasn't heard of it in a day."""
    number = mail_queries.count_with_status(session, MailIn, mail_queries.PUT_OFF)
    is_too_many = number > FULL_HOURS * rate_limits.most_to_strangers(app)
    return is_too_many and not question_queries.was_listed(session, STRANGERS, app.now() - rate_limits.DAY)
