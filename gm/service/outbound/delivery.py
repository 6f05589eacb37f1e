"""Sending: queued mails are marked, sent, and noted. What fails is tried again for days, then given up."""

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, bindparam, true
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, exists, func, not_, or_, select

from gm.app.context import App
from gm.app.pass_report import Report
from gm.messages import bounces, stored_files
from gm.runtime.clock import TOLERANCE
from gm.runtime.errors import DeliveryError, StoreError
from gm.service.outbound import refusals
from gm.service.outbound.refusals import GIVE_UP, LONGEST_PAUSE
from gm.store.database import follow_indexes
from gm.store.queries import mail_queries
from gm.store.tables import MailOut
from gm.transport.smtp.letters import Delivery, Letter

log = logging.getLogger("gm")

BATCH: Final = 200
SMALL_BATCH: Final = 25
"""So many mails are marked at once where the disk has little room."""
MOST_ANSWERS: Final = 25
"""So many answers go out without another look into the queue."""
LARGEST_BATCH: Final = 20_000_000
"""Bytes of the mails that a process has in memory at once, but for one more."""
FEWEST_TRIES: Final = 12
"""A mail is given up only after so many tries, even if no server could be reached for days."""
ACCOUNT: Final = (
    "The SMTP server refuses mails whoever they are for: that is about our account there, a limit perhaps; ask the "
    "provider. No mail is given up, they are tried again after growing pauses; `gm mail list` has the server's words."
)
MOST_IN_VAIN: Final = 5
"""So many mails that were refused before are tried again in a pass, and one that was not refused yet.

Some may be for addresses that don't exist any more, and must not keep the others waiting.
"""
MINUTE: Final = timedelta(minutes=1)
LONGEST_SENDING: Final = timedelta(minutes=1)
"""How long a pass sends before other work has its turn."""


def deliver(app: App, report: Report, answers: Sequence[Letter] | None = None) -> None:
    """Send what is queued, as fast as the provider allows. These `answers` are all, where the caller knows it.

    Raises DeliveryError where the server can't be used, and where it refuses one mail after the other: that is about
    our account, and who insists is blocked. What was not sent stays queued.
    """
    began, tried = app.now(), set[int]()
    app.stop_signal.check()
    if app.unnoted:
        _note_or_keep(app, (), {}, True)
    if answers is not None and len(answers) < MOST_ANSWERS:
        before, tried = report.sent, {letter.id for letter in answers}
        may_go_on = _send(app, answers, began, report, may_have_refusals=False)
        if not may_go_on or report.sent - before == len(answers):
            return  # else the GM may have to be told of a refusal
    while letters := [letter for letter in take_from_queue(app, len(tried)) if letter.id not in tried]:
        tried |= {letter.id for letter in letters}
        if not _send(app, letters, began, report):
            return
        app.stop_signal.check()


def _send(
    app: App, letters: Sequence[Letter], began: datetime, report: Report, *, may_have_refusals: bool = True
) -> bool:  # fmt: skip
    """Send, and note what became of each mail. True if nothing was left but mails that wait behind a deferred one."""
    if app.database.has_lost_the_lead():  # this one stood still for long, and another process sends them by now
        return False
    left = {letter.id: letter.recipient for letter in letters}
    put_off, in_vain = set(), dict[int, int]()
    sending = app.outbox.send(letters)
    try:
        for delivery in sending:
            may_have_refusals |= delivery.status != "sent"
            in_vain = _note_or_keep(app, [delivery], in_vain, may_have_refusals)
            recipient = left.pop(delivery.id)
            if delivery.status == "sent":
                report.sent += 1
                log.info("mail o%s sent", delivery.id)
            elif delivery.status == "deferred":
                put_off.add(recipient)
            if 1 in in_vain.values() or len(in_vain) >= MOST_IN_VAIN:
                break
            if app.database.has_lost_the_lead():
                left.clear()
                return False
            if not timedelta() <= app.now() - began <= LONGEST_SENDING:
                return False
    finally:
        sending.close()
        _put_back(app, left.keys())
    if in_vain:
        raise DeliveryError(ACCOUNT)
    return put_off.issuperset(left.values())


def _is_ready(mail: type[MailOut]) -> ColumnElement[bool]:
    """Return the condition that a mail need not wait. A pause longer than any is one of a clock that was ahead."""
    pause = col(mail.next_try)
    return or_(col(mail.attempts) == 0, pause <= bindparam("now"), pause > bindparam("longest_pause"))


def _next(which: ColumnElement[bool]) -> sa.Select[Any]:
    """Select the next of these queued mails: those with nothing before them that waits.

    A queue of any length is read from its head until there are enough. Earlier mails are looked up by address. The
    condition says "of the same status" instead of "queued": otherwise PostgreSQL reads all earlier mails while its
    statistics say that hardly any is queued.
    """
    earlier, lately = aliased(MailOut), aliased(MailOut)
    waits = and_(
        earlier.status == MailOut.status, earlier.address == MailOut.address, earlier.priority == MailOut.priority,
        earlier.id < col(MailOut.id), not_(_is_ready(earlier)),
    )  # fmt: skip
    is_lately = col(lately.sent_at).between(bindparam("minute_ago"), bindparam("in_a_minute"))
    columns = (col(MailOut.id), col(MailOut.address), col(MailOut.raw), col(MailOut.sending))
    rows = sa.select(*columns, select(func.count(col(lately.id))).where(is_lately).scalar_subquery().label("lately"))
    ready = rows.where(col(MailOut.status) == "queued", which, _is_ready(MailOut), ~exists().where(waits))
    return ready.order_by(col(MailOut.priority), col(MailOut.id)).limit(bindparam("most"))


# Built once: every pass asks, and building them would take longer than asking.
_NEXT: Final = _next(true())
_NEXT_ANSWERS: Final = _next(col(MailOut.sending).is_(True))


def answers_to_send(app: App, session: Session) -> list[Letter]:
    """List the answers that go out at once. They are marked since they were queued: nobody takes an answer back."""
    return _letters(app, session, _next_mails(app, session, MOST_ANSWERS, _NEXT_ANSWERS))


def take_from_queue(app: App, tried: int = 0) -> list[Letter]:
    """Take mails to send, answers first, and mark them: after a crash nobody knows whether they went out.

    No mail overtakes an earlier one to the same address and of the same priority that has to wait. What was `tried` in
    this pass counts towards the provider's limit.
    """
    batch = SMALL_BATCH if app.database.has_little_room() else BATCH
    with app.database.read() as session:
        mails = _next_mails(app, session, batch, tried=tried)
        if all(mail.sending for mail in mails):
            return _letters(app, session, mails)
    with app.database.write() as session:
        letters = _letters(app, session, _next_mails(app, session, batch, tried=tried))
        mail_queries.mark_sending(session, [letter.id for letter in letters], is_sending=True)
        return letters


def _letters(app: App, session: Session, mails: Sequence[Any]) -> list[Letter]:
    sender = app.settings.service.address
    letters: list[Letter] = []
    for mail in mails:
        if sum(len(one.raw) for one in letters) > LARGEST_BATCH:
            break  # files that are kept once are in each letter now; the others come next
        raw = stored_files.filled(session, mail.raw or b"")
        letters.append(Letter(id=mail.id, sender=sender, recipient=mail.address, raw=raw))
    return letters


def _next_mails(
    app: App, session: Session, most: int, rows: sa.Select[Any] = _NEXT, *, tried: int = 0
) -> Sequence[Any]:
    """Give the next queued mails, so many at most, and no more than the provider allows in a minute."""
    follow_indexes(session)
    now, per_minute = app.now(), app.settings.smtp.per_minute
    given = {
        "now": now, "longest_pause": now + LONGEST_PAUSE + TOLERANCE, "minute_ago": now - MINUTE,
        "in_a_minute": now + MINUTE, "most": min(most, per_minute),
    }  # fmt: skip
    mails = session.connection().execute(rows, given).all()
    return mails[: max(0, per_minute - max(tried, mails[0].lately))] if mails else ()


def _note_or_keep(
    app: App, deliveries: Sequence[Delivery], in_vain: Mapping[int, int], may_have_refusals: bool
) -> dict[int, int]:
    """Note deliveries as `_note_all` does. On a full disk they wait, and are noted before more is sent."""
    waiting = [*app.unnoted, *deliveries]
    app.unnoted.clear()
    try:
        return _note_all(app, waiting, in_vain, may_have_refusals)
    except StoreError:
        app.unnoted.extend(waiting)
        raise


def _note_all(
    app: App, deliveries: Sequence[Delivery], in_vain: Mapping[int, int], may_have_refusals: bool
) -> dict[int, int]:
    """Write down at once what became of mails. The GM hears of a mail that is refused for good.

    `in_vain` says how often mails were tried that the server has just refused as if our account was in trouble. The
    return value is the same after these deliveries. If the server takes another mail right after them, the refusals
    were about their addresses.
    """
    all_sent = all(one.status == "sent" for one in deliveries)
    with app.database.write() as session:
        mail_queries.note_sent(session, {one.id: min(one.at, app.now()) for one in deliveries if one.status == "sent"})
        if all_sent and may_have_refusals and refusals.are_noted(session):
            _note_end(app, session, deliveries[-1], in_vain)
        tries = {} if all_sent else dict(in_vain)
        for delivery in () if all_sent else deliveries:
            tries = _note(app, session, delivery, tries)
    return tries


def _note(app: App, session: Session, delivery: Delivery, in_vain: dict[int, int]) -> dict[int, int]:
    """Note what became of a letter, and what that means for the ones before it."""
    if delivery.status == "sent":
        _note_end(app, session, delivery, in_vain)
        return {}
    row = session.get_one(MailOut, delivery.id)
    if row.status != "queued":  # the GM dropped it, or another process has sent it
        return in_vain
    said = f"{delivery.code} {delivery.message}"[:500]
    is_ours = delivery.status == "refused" and refusals.are_ours(app, session, row, said)
    row.sending, row.attempts, row.error = False, row.attempts + 1, said
    session.add(row)
    if not is_ours:
        _try_later_or_give_up(app, session, row, delivery)
    elif row.status == "queued":  # else it was the notice about a refusal that is none
        refusals.put_off(app, row)
    return {**in_vain, row.id: row.attempts} if is_ours else in_vain


def _note_end(app: App, session: Session, sent: Delivery, in_vain: Mapping[int, int]) -> None:
    """Note that refusals in a row are over: what was refused right before is no trouble of our account."""
    for row in filter(None, (session.get(MailOut, mail_id) for mail_id in in_vain)):
        if row.status == "queued" and refusals.are_its_own(row):
            _give_up(app, session, row)
    refusals.are_over(app, session, min(sent.at, app.now()))


def _give_up(app: App, session: Session, row: MailOut) -> None:
    row.status, row.next_try = "refused", app.now()
    session.add(row)
    log.info("mail o%s refused (%s)", row.id, refusals.code_of(row))
    bounces.mark_returned(app, session, row, row.error)


def _try_later_or_give_up(app: App, session: Session, row: MailOut, delivery: Delivery) -> None:
    is_young = app.now() - row.created_at < GIVE_UP or row.attempts < FEWEST_TRIES
    if delivery.status == "deferred" and is_young:
        refusals.put_off(app, row)
        return
    _give_up(app, session, row)


def _put_back(app: App, ids: Collection[int]) -> None:
    """Let mails that were not tried be sent with others again."""
    if ids:
        with app.database.write() as session:
            mail_queries.mark_sending(session, ids, is_sending=False)
