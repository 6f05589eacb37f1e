"""Stored mails are handled batch by batch, in order of arrival: no later mail overtakes an earlier one."""

import logging
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.app.pass_report import Report
from gm.messages import gm_list, rate_limits
from gm.messages.questions import About
from gm.runtime.errors import NoRoom, OperatorError, StoreError
from gm.runtime.stop_signal import Stopped
from gm.service.inbound import quarantine
from gm.service.inbound.answer import Unwritable, queue_all
from gm.service.inbound.carry_out import carry_out_all, is_the_databases_own
from gm.service.inbound.read import ReadMail, UnreadMail, note_head, read_all
from gm.store.queries import mail_queries, question_queries
from gm.store.tables import MailIn
from gm.transport.imap.size_limits import MOST_MAILS, batches

log = logging.getLogger("gm")

MOST_ATTEMPTS: Final = 3
FULL_HOURS: Final = 5
"""So many hours' answers to strangers may wait for room, so that each goes out within six hours."""
STRANGERS: Final = "strangers"
"""The kind of entry on the GM's list about more of them."""


def handle_stored(app: App, report: Report) -> bool:
    """Handle what is stored and not yet handled, and of what was put off as much as there is room for.

    Returns whether mails may be left that are put off, or can't be fetched. Raises StoreError.
    """
    while left := _left(app):
        if left == mail_queries.UNFETCHED or (left == mail_queries.PUT_OFF and not _take_up(app)):
            return True
        handle_batch(app, _next_ids(app), report)
    return False


def _left(app: App) -> str | None:
    with app.database.read() as session:
        return mail_queries.status_to_handle(session)


def _take_up(app: App) -> bool:
    """Let the oldest mails that were put off be handled now, as many as have room in this hour; say whether any are."""
    with app.database.read() as session:
        room, is_news = rate_limits.room_for_strangers(app, session), _is_news(app, session)
    if not is_news and room <= 0:
        return False
    with app.database.write() as session:
        if _is_news(app, session) and (row := mail_queries.last_put_off_mail(session)):
            text = f"{row.sender}: {row.subject} ({rate_limits.most_to_strangers(app)}/h)"
            gm_list.tell(app, session, STRANGERS, text, About(mail=row))
        return room > 0 and mail_queries.release_put_off(session, room) > 0


def _is_news(app: App, session: Session) -> bool:
    """Say whether more mails were put off than can be answered in time, and the GM hasn't heard of it in a day."""
    number = mail_queries.count_with_status(session, MailIn, mail_queries.PUT_OFF)
    is_too_many = number > FULL_HOURS * rate_limits.most_to_strangers(app)
    return is_too_many and not question_queries.was_listed(session, STRANGERS, app.now() - rate_limits.DAY)


def _next_ids(app: App) -> list[int]:
    """Choose the next mails.

    After a crash they are fewer, in the end a single one. So a mail that kills the process is found out by its attempts
    and takes no other with it.
    """
    with app.database.read() as session:
        heads = mail_queries.new_mails(session, MOST_MAILS)
    tried = heads[0].attempts if heads else 0
    alike = takewhile(lambda head: head.attempts == tried, heads)
    return next(batches(((head.id, head.size) for head in alike), max(1, MOST_MAILS // 20**tried)), [])


def handle_batch(app: App, ids: Sequence[int], report: Report) -> None:
    """Handle stored mails; before, write down that it was tried. Raises StoreError.

    Where the disk has little room each is handled by itself, in their order, up to the first that doesn't fit.
    """
    if len(ids) == 1 or not app.database.has_little_room():
        try:
            _try_to_handle(app, ids, report)
            return
        except NoRoom:
            if len(ids) == 1:
                raise
    for mail_id in ids:
        _try_to_handle(app, [mail_id], report)


def _try_to_handle(app: App, ids: Sequence[int], report: Report) -> None:
    app.stop_signal.check()
    _count_attempts(app, ids)
    try:
        report.received += _handle(app, ids)
    except Stopped:
        _take_back_attempts(app, ids)
        raise
    except StoreError as error:
        if isinstance(error.__cause__, Exception) and is_the_databases_own(error.__cause__):
            _take_back_attempts(app, ids)
        raise


def _count_attempts(app: App, ids: Sequence[int]) -> None:
    """Write down that mails are tried; those that were tried too often are put aside."""
    with app.database.write() as session:
        mail_queries.add_attempts(session, [mail_id for mail_id in ids if mail_id not in app.excused], 1)
        again = {row.id: row.attempts for row in mail_queries.unhandled(session, ids, 2)}
    app.excused.difference_update(ids)
    # Counted before: if even this ended the process, the next one would put the mail aside without it.
    _note_heads(app, [mail_id for mail_id, attempts in again.items() if attempts <= MOST_ATTEMPTS + 1])
    worn_out = [mail_id for mail_id, attempts in again.items() if attempts > MOST_ATTEMPTS]
    if worn_out:
        with app.database.write() as session:
            for row in mail_queries.unhandled(session, worn_out, MOST_ATTEMPTS + 1):
                quarantine.put_aside(app, session, row, OperatorError(
                    f"the service ended {MOST_ATTEMPTS} times while handling it",
                    de=f"Das Programm endete {MOST_ATTEMPTS}-mal, während es sie bearbeitete.",
                ))  # fmt: skip


def _note_heads(app: App, ids: Sequence[int]) -> None:
    """Write down who wrote mails with which the process has ended, before it may end again.

    Their rounds wait for them, also where nobody ever gets to read what stands below.
    """
    if ids:
        with app.database.write() as session:
            for row in mail_queries.unhandled(session, ids):
                note_head(row)
                session.add(row)


def _take_back_attempts(app: App, ids: Sequence[int]) -> None:
    """A full disk or a lock is no mail's fault: however long it lasts, nothing is quarantined for it."""
    if not ids:
        return
    try:
        with app.database.write() as session:
            mail_queries.add_attempts(session, ids, -1)
    except StoreError:
        app.excused.update(ids)


def _read(app: App, ids: Sequence[int]) -> list[ReadMail | UnreadMail]:
    with app.database.read() as session:
        rows = mail_queries.unhandled(session, ids)
        session.expunge_all()  # no savepoint takes back what is noted about a mail; it is written at the end
    return read_all(app, rows)


def _handle(app: App, ids: Sequence[int]) -> int:
    """Handle a batch in one transaction, again where one of its mails has to be put aside; returns how many they were.

    Which mail it is shows only the second, careful try: what the first one says may be about rows that were written
    later than their mail's.
    """
    faults: dict[int, Exception] = {}
    is_careful = False
    while True:
        try:
            return _try(app, [_with_fault(mail, faults) for mail in _read(app, ids)], is_careful=is_careful)
        except Unwritable as error:
            if is_careful:
                faults[error.mail_id] = error.cause
            is_careful = True


def _with_fault(mail: ReadMail | UnreadMail, faults: dict[int, Exception]) -> ReadMail | UnreadMail:
    return UnreadMail(row=mail.row, error=faults[mail.row.id]) if mail.row.id in faults else mail


def _try(app: App, read: Sequence[ReadMail | UnreadMail], *, is_careful: bool) -> int:
    """Handle mails in one transaction, without those that `gm close` has just handled.

    Answers are written after all mails are carried out: one kind of work at a time takes half the time. Where an answer
    can't be written, nothing of its mail may stay. Then all is taken back and tried again without that mail.
    """
    with app.database.write() as session:
        new = mail_queries.still_new(session, [mail.row.id for mail in read])
        mails = [mail for mail in read if mail.row.id in new]
        answers = carry_out_all(app, session, mails, is_careful=is_careful)
        queue_all(app, session, answers)
        mail_queries.note_results(session, [mail.row for mail in mails])
    for mail in mails:
        row = mail.row
        log.info("mail %s %s", row.id, row.status)
    return len(mails)
