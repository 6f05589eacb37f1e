"""Mails of one thread: a reply names the mails before it, or at least repeats their subject."""

from datetime import timedelta
from typing import Final

from sqlmodel import Session, col, select

from gm.requests.reading import read_received
from gm.requests.request import Request
from gm.store.queries import thread_queries
from gm.store.tables import MailIn
from parsers.errors import MailError
from parsers.mime.message import Mail, read_head, read_mail
from parsers.reading import REPLY_MARK, bare_subject

MOST_ANSWERS: Final = 2
"""So many answers of ours stand in a thread without a block, a command or a yes or no between them."""
TALK: Final = "notice"
"""The one part of an answer to mere words, which went to the GM."""
LATELY: Final = timedelta(days=7)


def is_same_thread(session: Session, mail: Mail, earlier: MailIn) -> bool:
    """Whether a mail goes on with the thread of an earlier one, by what it refers to or by its subject."""
    other = read_head(earlier.raw)
    if (subject := bare_subject(mail.subject)) and subject == bare_subject(other.subject):
        return True
    ids = {mail.in_reply_to, *mail.references} - {""}
    others = {other.message_id, other.in_reply_to, *other.references} - {""}
    return not ids.isdisjoint(others) or _answered(session, mail) == earlier.id


def has_enough_answers(request: Request) -> bool:
    """Whether a mail without anything to do had two answers in its thread: two programs may be talking."""
    if not _is_talk(request, request.row, request.mail):
        return False
    row: MailIn | None = request.row
    mail = request.mail
    for _ in range(MOST_ANSWERS):
        row = _before(request, row, mail) if row else None
        if row is None:
            return False
        try:
            mail = read_mail(row.raw)
        except MailError:
            return False
        if not _is_talk(request, row, mail):
            return False
    return True


def _before(request: Request, row: MailIn, mail: Mail) -> MailIn | None:
    """Find the mail of the same sender before this one in its thread."""
    session = request.session
    if number := _answered(session, mail):
        found = session.get(MailIn, number)
        return found if found and found.sender == row.sender else None
    subject = bare_subject(mail.subject) if REPLY_MARK.search(mail.subject) else ""
    rows = select(MailIn).where(
        MailIn.sender == row.sender, MailIn.id < row.id, col(MailIn.received_at) > row.received_at - LATELY
    )
    lately = session.exec(rows.order_by(col(MailIn.id).desc()).limit(MOST_ANSWERS * 2))
    return next((one for one in lately if subject and bare_subject(one.subject) == subject), None)


def _answered(session: Session, mail: Mail) -> int:
    """Return the id of the mail that our mail answered to which this one replies; 0 where there is none."""
    cause = thread_queries.cause_in_thread(session, [mail.in_reply_to or (mail.references or ("",))[-1]])
    sort, _, number = cause.partition(":")
    return int(number) if sort == "mail" and number.isdecimal() else 0


def _is_talk(request: Request, row: MailIn, mail: Mail) -> bool:
    """Whether a mail brought no block, no command and no yes or no, and had an answer that says so."""
    if row.status != "applied" or row.reason.partition(";")[0] != TALK:
        return False
    is_this = row is request.row
    reading = request.reading if is_this else read_received(request.app, request.session, row, mail)
    return not reading.commands and (reading.answer is None or reading.answer.yes is None)
