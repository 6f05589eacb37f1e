"""Out: queued mails are claimed, sent and marked, tried again for days, given up at last."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, Final

from sqlalchemy import ColumnElement
from sqlalchemy.orm import aliased
from sqlmodel import Session, all_, and_, col, exists, func, not_, or_, select

from gm.app.context import App
from gm.app.pass_report import Report
from gm.messages import bounces
from gm.runtime.clock import TOLERANCE
from gm.runtime.errors import DeliveryError
from gm.runtime.log_format import event
from gm.service.outbound import refusals
from gm.service.outbound.refusals import GIVE_UP, LONGEST_PAUSE
from gm.store.database import LETTERS, follow_indexes
from gm.store.queries import mail_queries
from gm.store.tables import MailOut
from gm.transport.smtp.letters import ONE_BY_ONE, Delivery, Letter

log = logging.getLogger("gm")

BATCH: Final = 200
LEASE: Final = timedelta(minutes=10)
FEWEST_TRIES: Final = 12
"""A mail that waited for days for any server at all is not given up for the first "later" it gets then."""
ACCOUNT: Final = (
    "The SMTP server refuses mails whoever they are for: that is about our account there, a limit perhaps; ask the "
    "provider. No mail is given up, they are tried again after growing pauses; `gm mail list` has the server's words."
)
MOST_IN_VAIN: Final = 5
"""So many mails that were refused before are tried again in a pass, and one that wasn't: some may be for addresses that
are gone, and must not keep the others waiting."""
NONE: Final[Mapping[int, int]] = {}
LONGEST_SENDING: Final = timedelta(minutes=1)
"""How long a pass begins to send mails; then other work has its turn. Far less than a lease: a process that was held
up for longer sends no more of what another one may have taken over by now."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """Mails that nobody else sends until then."""

    letters: Sequence[Letter]
    until: datetime
    worker: int | None = None
    """As whose they are known to the others, who take them over as soon as that process is gone."""


def deliver(app: App, report: Report) -> None:
    """Send what is queued, as fast as the provider allows. Raises DeliveryError; what was not sent stays queued.

    So it does where the server refuses one mail after the other: that is about us, and who insists is blocked.
    """
    began, tried = app.now(), 0
    app.pulse.beat()
    while (claimed := claim(app, tried)).letters:
        tried += len(claimed.letters)
        if not _send(app, claimed, began, report):
            return
        app.pulse.beat()


def _send(app: App, claimed: Claim, began: datetime, report: Report) -> bool:
    """Send, and note what became of each; say whether only what waits behind a mail that is put off was left."""
    left = {letter.id: letter.recipient for letter in claimed.letters}
    put_off, in_vain = set(), dict[int, int]()
    sending = app.outbox.send(claimed.letters)
    try:
        for deliveries in sending:
            in_vain = note_deliveries(app, deliveries, in_vain)
            _tell_of_sent(deliveries)
            report.sent += sum(delivery.status == "sent" for delivery in deliveries)
            recipients = {delivery.id: left.pop(delivery.id) for delivery in deliveries}
            put_off |= {recipients[delivery.id] for delivery in deliveries if delivery.status == "deferred"}
            if 1 in in_vain.values() or len(in_vain) >= MOST_IN_VAIN:
                break
            if not timedelta() <= app.now() - began <= LONGEST_SENDING or _is_cut_off(app, claimed):
                return False
    finally:
        sending.close()
        _release(app, left.keys(), claimed.until)
    if in_vain:
        raise DeliveryError(ACCOUNT)
    return put_off.issuperset(left.values())


def _tell_of_sent(deliveries: Sequence[Delivery]) -> None:
    for one in (delivery for delivery in deliveries if delivery.status == "sent"):
        log.info("mail o%s sent", one.id, extra=event("mail sent", mail=f"o{one.id}", code=one.code))


def claim(app: App, tried: int = 0) -> Claim:
    """Take mails to send under a lease, so that no other process sends them as well; answers first.

    Nobody's mail overtakes an earlier one of the same priority that has to wait or is being sent by another process;
    one that is put off in this very batch stops what comes behind it (Outbox.send). What was `tried` in this pass
    counts towards the provider's limit, so that a server that says "too many" is asked no more often. A lease or a
    pause that ends later than any can was written by a clock that was ahead; nobody waits for it, nor for a process
    that is gone. Who had to wait for the database asks for the time behind that: another one's lease would seem too
    long.
    """
    with app.database.in_turn(LETTERS), app.database.write(together=True) as session:
        now = app.now()
        until = now + LEASE
        batch = ONE_BY_ONE if app.database.is_short() else BATCH
        room = min(batch, app.settings.smtp.per_minute - max(tried, _sent_lately(session, now)))
        if room <= 0:
            return Claim(letters=(), until=until)
        worker = app.database.known_as
        sender = app.settings.service.address
        letters = [Letter(id=mail.id, sender=sender, recipient=mail.address, raw=mail.raw or b"")
                   for mail in _alike(_next_mails(app, session, now, room))]  # fmt: skip
        mail_queries.lease(session, [letter.id for letter in letters], until, worker)
        return Claim(letters=letters, until=until, worker=worker)


def _is_ready(app: App, mail: type[MailOut], now: datetime) -> ColumnElement[bool]:
    """Tell a mail that is not to wait, and that nobody is sending."""
    lease, pause = col(mail.lease_until), col(mail.next_try)
    return and_(
        or_(col(mail.attempts) == 0, pause <= now, pause > now + LONGEST_PAUSE + TOLERANCE),
        or_(lease.is_(None), lease <= now, lease > now + LEASE + TOLERANCE, *_is_orphaned(app, mail)),
    )


def _alike(mails: Sequence[Any]) -> Sequence[Any]:
    """Choose the first ones that are alike: either nobody has begun to send them, or somebody may have sent them.

    Those go one by one: if this process dies as well, one of them may come a third time, not a heap.
    """
    taken_over = bool(mails) and mails[0].lease_until is not None
    alike = list(takewhile(lambda mail: (mail.lease_until is not None) == taken_over, mails))
    return alike[:ONE_BY_ONE] if taken_over else alike


def _next_mails(app: App, session: Session, now: datetime, room: int) -> Sequence[Any]:
    """Look up the next queued mails, so many at most: those with nothing before them that waits.

    So a queue of any length is read from its head until there are enough. What is before a mail is to be looked up by
    its address: "of the same status", not "queued", keeps PostgreSQL from reading all before it while its statistics
    say that next to none is queued.
    """
    follow_indexes(session)
    earlier = aliased(MailOut)
    waits = and_(
        earlier.status == MailOut.status, earlier.address == MailOut.address, earlier.priority == MailOut.priority,
        earlier.id < col(MailOut.id), not_(_is_ready(app, earlier, now)),
    )  # fmt: skip
    rows = select(MailOut.id, MailOut.address, MailOut.raw, MailOut.lease_until).where(
        MailOut.status == "queued", _is_ready(app, MailOut, now), ~exists().where(waits)
    )
    rows = rows.order_by(col(MailOut.priority), col(MailOut.id)).limit(room)
    return session.exec(rows.with_for_update(skip_locked=True, of=MailOut)).all()


def _is_cut_off(app: App, claimed: Claim) -> bool:
    """Say whether the others may take us for gone."""
    return claimed.worker is not None and app.database.known_as is None


def _is_orphaned(app: App, mail: type[MailOut]) -> Sequence[ColumnElement[bool]]:
    """Tell mails of a process that has ended since; on an SQLite file, of all others if none is there any more."""
    worker, database = col(mail.leased_by), app.database
    if database.is_shared:
        return (worker.is_not(None) & (worker != all_(database.alive())),)
    return (worker.is_not(None) & (worker != database.worker),) if database.is_alone() else ()


def _sent_lately(session: Session, now: datetime) -> int:
    """Count what went out within a minute, and what another process has just taken to send.

    In one look: between two a mail could go from the one to the other, and be counted in none. Only a queued mail has a
    lease that runs; to ask for those that are queued would go through all of them.
    """
    number, minute = func.count(col(MailOut.id)), timedelta(minutes=1)
    sent = select(number).where(col(MailOut.sent_at).between(now - minute, now + minute)).scalar_subquery()
    lease = col(MailOut.lease_until)
    taken = select(number).where(lease > now + LEASE - minute, lease <= now + LEASE)
    return int(session.exec(select(sent + taken.scalar_subquery())).one())


def note_deliveries(app: App, deliveries: Sequence[Delivery], in_vain: Mapping[int, int] = NONE) -> dict[int, int]:
    """Write down, at once, what became of mails; a refusal for good is put before the GM.

    Takes and gives how often mails were tried that the server has just refused as if our account was in trouble. When
    it takes another one right behind, it was about their addresses.
    """
    all_sent = all(one.status == "sent" for one in deliveries)
    with app.database.write(together=all_sent) as session:
        mail_queries.note_sent(session, {one.id: min(one.at, app.now()) for one in deliveries if one.status == "sent"})
        is_over = all_sent and refusals.are_noted(session)
        tries = {} if all_sent else dict(in_vain)
        for delivery in () if all_sent else deliveries:
            tries = _note(app, session, delivery, tries)
    if is_over:  # here nobody else may write
        with app.database.write() as session:
            _note_end(app, session, deliveries[-1], in_vain)
    return tries


def _note(app: App, session: Session, delivery: Delivery, in_vain: dict[int, int]) -> dict[int, int]:
    """Note, in the order in which it happened, what a letter tells about those before it, and what becomes of it."""
    if delivery.status == "sent":
        _note_end(app, session, delivery, in_vain)
        return {}
    row = session.get_one(MailOut, delivery.id)
    if row.status != "queued":  # another process, which took it over, has sent it, or the GM dropped it
        return in_vain
    said = f"{delivery.code} {delivery.message}"[:500]
    is_ours = delivery.status == "refused" and refusals.are_ours(app, session, row, said)
    row.lease_until, row.attempts, row.error = None, row.attempts + 1, said
    session.add(row)
    if not is_ours:
        _try_later_or_give_up(app, session, row, delivery)
    elif row.status == "queued":  # else it told of a refusal that is none
        refusals.put_off(app, row)
    return {**in_vain, row.id: row.attempts} if is_ours else in_vain


def _note_end(app: App, session: Session, sent: Delivery, in_vain: Mapping[int, int]) -> None:
    """Note that refusals in a row are over; what was refused right before isn't our account's trouble."""
    for row in filter(None, (session.get(MailOut, mail_id) for mail_id in in_vain)):
        if row.status == "queued" and refusals.are_its_own(row):
            _give_up(app, session, row)
    refusals.are_over(app, session, min(sent.at, app.now()))


def _give_up(app: App, session: Session, row: MailOut) -> None:
    row.status, row.next_try = "refused", app.now()
    session.add(row)
    log.info("mail o%s refused", row.id, extra=event("mail refused", mail=f"o{row.id}", code=refusals.code_of(row)))
    bounces.mark_returned(app, session, row, row.error)


def _try_later_or_give_up(app: App, session: Session, row: MailOut, delivery: Delivery) -> None:
    is_young = app.now() - row.created_at < GIVE_UP or row.attempts < FEWEST_TRIES
    if delivery.status == "deferred" and is_young:
        refusals.put_off(app, row)
        return
    _give_up(app, session, row)


def _release(app: App, ids: Collection[int], until: datetime) -> None:
    """Give mails back that were claimed and not tried, unless another process has taken them over."""
    if not ids:
        return
    with app.database.write(together=True) as session:
        mail_queries.give_back(session, ids, until)
