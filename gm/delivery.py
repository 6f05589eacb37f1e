"""Out: queued mails are claimed, sent and marked, tried again for days, given up at last."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, func, select

from gm.app import App
from gm.mailbox.outbox import Delivery, Letter
from gm.play import bounces
from gm.report import Report
from gm.store import mail_log
from gm.store.tables import MailOut

log = logging.getLogger("gm")

BATCH: Final = 200
LEASE: Final = timedelta(minutes=10)
FIRST_PAUSE: Final = timedelta(minutes=5)
LONGEST_PAUSE: Final = timedelta(hours=6)
GIVE_UP: Final = timedelta(days=5)


def deliver(app: App, report: Report) -> None:
    """Send what is queued, as fast as the provider allows. Raises DeliveryError; what was not sent stays queued."""
    while letters := claim(app):
        unsent = {letter.id for letter in letters}
        try:
            for deliveries in app.outbox.send(letters):
                note_deliveries(app, deliveries)
                unsent -= {delivery.id for delivery in deliveries}
                report.sent += sum(delivery.status == "sent" for delivery in deliveries)
        finally:
            _release(app, unsent)
        if unsent:
            return


def claim(app: App) -> list[Letter]:
    """Take mails to send under a lease, so that no other process sends them as well; answers first.

    Only the earliest of each address and priority: nobody's mail overtakes one that has to wait, is being sent by
    another process, or is refused for now in this very batch.
    """
    now = app.now()
    with app.database.write() as session:
        room = min(BATCH, app.settings.smtp.per_minute - _sent_lately(session, now))
        if room <= 0:
            return []
        queued = select(func.min(MailOut.id)).where(MailOut.status == "queued")
        earliest = queued.group_by(MailOut.address, col(MailOut.priority))
        ready = select(MailOut.id, MailOut.address, MailOut.raw).where(
            col(MailOut.id).in_(earliest), col(MailOut.next_try) <= now,
            (col(MailOut.lease_until).is_(None)) | (col(MailOut.lease_until) <= now),
        )  # fmt: skip
        rows = session.exec(ready.order_by(col(MailOut.priority), col(MailOut.id)).limit(room)).all()
        mail_log.lease(session, [mail_id for mail_id, *_ in rows], now + LEASE)
        sender = app.settings.service.address
        return [Letter(id=key, sender=sender, recipient=address, raw=raw or b"") for key, address, raw in rows]


def _sent_lately(session: Session, now: datetime) -> int:
    """Count what went out within a minute, and what another process has just taken to send."""
    number = func.count(col(MailOut.id))
    sent = select(number).where(col(MailOut.sent_at) > now - timedelta(minutes=1))
    lease = now + LEASE - timedelta(minutes=1)
    taken = select(number).where(MailOut.status == "queued", col(MailOut.lease_until) > lease)
    return session.exec(sent).one() + session.exec(taken).one()


def note_deliveries(app: App, deliveries: Sequence[Delivery]) -> None:
    """Write down, at once, what became of mails; a refusal for good is put before the GM."""
    with app.database.write() as session:
        mail_log.note_sent(session, {one.id: one.at for one in deliveries if one.status == "sent"})
        for delivery in deliveries:
            if delivery.status != "sent":
                row = session.get_one(MailOut, delivery.id)
                row.lease_until = None
                row.attempts += 1
                row.error = f"{delivery.code} {delivery.message}"[:500]
                _try_later_or_give_up(app, session, row, delivery)
                session.add(row)


def _try_later_or_give_up(app: App, session: Session, row: MailOut, delivery: Delivery) -> None:
    age = app.now() - row.created_at
    if delivery.status == "deferred" and age < GIVE_UP:
        row.next_try = app.now() + min(FIRST_PAUSE * 2 ** min(row.attempts - 1, 10), LONGEST_PAUSE)
        return
    row.status = "refused"
    bounces.note_return(app, session, row, row.error)


def _release(app: App, ids: set[int]) -> None:
    """Give mails back that were claimed and not tried."""
    if not ids:
        return
    with app.database.write() as session:
        mail_log.lease(session, ids, None)
