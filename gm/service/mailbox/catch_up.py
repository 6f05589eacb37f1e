"""After `gm restore`: mails that were handled since the copy was made are read again from the folders of handled mails.

The same is done where the database has lost its end by itself, because its log is missing. Each process checks once
whether it knows the mails that were handled lately.

The mails are handled in order of arrival, each as of its own time. Every round that fell due is closed before the mails
that came after it, with the same moves, dice and ZAT as the first time. That it is a copy is forgotten last, so a
crash before that repeats only what is missing.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, func, select, update

from gm.app.context import App, Inbox
from gm.app.pass_report import Report
from gm.game import closing_time
from gm.game.schedule import due_rounds
from gm.service import due_games
from gm.service.mailbox import unfetched
from gm.service.mailbox.fetching import Folder, all_heads, fetch_all
from gm.store.queries import mail_queries, zine_queries
from gm.store.tables import MailIn, MailOut
from gm.store.zine_tables import Zine
from gm.transport.imap.mails import Fetched, Head

log = logging.getLogger("gm")

MARGIN: Final = timedelta(days=1)
"""Mails that arrived so long before the last fetch are compared byte by byte, older ones by arrival and size."""
LOOK: Final = 200
"""Mails of a folder that are looked at together, the last first."""
LATELY: Final = timedelta(hours=1)
_IS_KNOWN: Final = col(MailIn.status).not_in(mail_queries.WITHOUT_TEXT)
"""What was never fetched is not known, though its arrival and size are."""


def catch_up(app: App, report: Report, handle: Callable[[App, int], MailIn | None]) -> None:
    """Where the database is a copy put in place, handle what it has missed. Raises MailboxError; then it begins anew.

    The service was at work until the last mail that lies in the folders of handled ones, whatever the copy says. Rounds
    that fell due before that mail close as they did then. What came later is left to the pass, and to the rule about
    outages.
    """
    start = _begin(app)
    if start is None:
        return
    app.inbox.check_owner()  # from now on the service that had the mailbox before takes nothing more
    until = min(max([start, *_store_what_was_handled(app, start)]), app.now())
    _store_unknown(app, app.inbox, app.settings.imap.folder, start, until)
    number = _replay_mails(app, report, start, handle)
    _end(app, start, until)
    log.info("A copy was restored: %s mails that had been handled since are handled again.", number)


def look_again(app: App, zine: Zine) -> bool:
    """After a copy has caught up and read the inbox, store what the service before it has moved away meanwhile.

    That service may have been in the middle of a pass when we took the mailbox over. What it had fetched by then lay in
    the inbox, or lies among the handled mails now. Raises MailboxError; then the next pass tries again.
    """
    if zine.look_again_from is None:
        return False
    for _ in _store_what_was_handled(app, zine.look_again_from):
        pass
    with app.database.write() as session:
        zine_queries.zine(session).look_again_from = None
    return True


def notice_a_loss(app: App) -> None:
    """Where mails lie in the folders of handled ones that the database doesn't know, take it for a copy.

    Only what arrived shortly before the last noted fetch, or later, is looked at. Raises MailboxError.
    """
    with app.database.read() as session:
        zine = zine_queries.zine(session)
        first: datetime | None = session.exec(select(func.min(MailIn.received_at))).one()
    start = zine.last_fetch
    if start is None or zine.is_behind:
        return
    since = max(start - MARGIN, first or start)
    number = sum(len(_lost(app, inbox, folder, since)) for folder, inbox in _handled(app))
    if number:
        said = (
            "The database doesn't know %s mails that were handled: it has lost its end, or is a copy without its log. "
            "They are handled again."
        )
        log.warning(said, number)
        with app.database.write() as session:
            zine_queries.zine(session).copied_at = app.now()


def _lost(app: App, inbox: Inbox, folder: str, since: datetime) -> list[int]:
    """Find the mails of a folder, arrived since then, that aren't known by UID, arrival and size, or their bytes."""
    waiting = inbox.waiting()
    here = Folder(inbox=inbox, stop_signal=app.stop_signal, uidvalidity=waiting.uidvalidity, seen_before=since)
    heads = _latest(inbox, waiting.uids, since)
    with app.database.read() as session:
        stored = mail_queries.stored_uids(session, folder, waiting.uidvalidity, heads)
        lately = select(MailIn.received_at, MailIn.size).where(_IS_KNOWN, col(MailIn.received_at) >= since)
        known = set(session.exec(lately).all()) if heads else set()
    strange = [uid for uid, head in heads.items() if uid not in stored and (head.received_at, head.size) not in known]
    mails = (mail for haul in fetch_all(here, strange) for mail in haul.mails)
    return [mail.uid for mail in mails if not _is_the_same(app, mail, since)]


def _is_the_same(app: App, mail: Fetched, since: datetime) -> bool:
    """Say whether these bytes are stored with another arrival: some servers forget it when they move a mail."""
    rows = select(MailIn.raw).where(MailIn.size == mail.size, col(MailIn.received_at) >= since - MARGIN)
    with app.database.read() as session:
        return mail.raw in session.exec(rows).all()


def _latest(inbox: Inbox, uids: Sequence[int], since: datetime) -> dict[int, Head]:
    """Give the heads of the mails that arrived since then. Those that were put there last have the highest UIDs."""
    found: dict[int, Head] = {}
    left = sorted(uids)
    while left:
        some, left = left[-LOOK:], left[:-LOOK]
        heads = inbox.heads(some)
        new = {uid: head for uid, head in heads.items() if head.received_at >= since}
        found |= new
        if not new:
            break
    return found


def _begin(app: App) -> datetime | None:
    """Return where a copy ends, which is a new incarnation from now on; None where the database is none."""
    with app.database.read() as session:
        here = zine_queries.zine(session)
        if here.copied_at is None:
            return here.catch_up_from
    with app.database.write() as session:
        zine_queries.adopt(session, app.now())
        return zine_queries.zine(session).catch_up_from


def _store_what_was_handled(app: App, start: datetime) -> Iterator[datetime]:
    """Store what the copy doesn't know of handled mails; gives the newest arrival in each folder."""
    for folder, inbox in _handled(app):
        yield _store_unknown(app, inbox, folder, start) or start


def _handled(app: App) -> Iterator[tuple[str, Inbox]]:
    """Open the folders of handled mails, one after the other."""
    imap = app.settings.imap
    for folder in sorted({imap.processed, imap.quarantine} - {imap.folder}):
        inbox = app.inbox.other_folder(folder)
        if inbox.exists():
            yield folder, inbox
            inbox.close()


def _store_unknown(
    app: App, inbox: Inbox, folder: str, start: datetime, until: datetime | None = None
) -> datetime | None:
    """Store the mails of a folder that are known neither by arrival and size nor byte by byte; returns the newest."""
    waiting = inbox.waiting()
    here = Folder(inbox=inbox, stop_signal=app.stop_signal, uidvalidity=waiting.uidvalidity, seen_before=start)
    heads = all_heads(here, waiting.uids)
    with app.database.read() as session:
        known = set(session.exec(select(MailIn.received_at, MailIn.size).where(_IS_KNOWN)).all())
        stored = mail_queries.stored_uids(session, folder, waiting.uidvalidity, waiting.uids)
    # What lies there from before the first mail of this zine isn't its own.
    first = min((arrival for arrival, _ in known), default=start - MARGIN)
    wanted = [
        uid for uid, head in heads.items()
        if uid not in stored and first <= head.received_at and (until is None or head.received_at <= until)
        and (head.received_at >= start - MARGIN or (head.received_at, head.size) not in known)
    ]  # fmt: skip
    for haul in fetch_all(here, wanted):
        with app.database.write() as session:
            mail_queries.store_mails(session, folder, [mail for mail in haul.mails if not _is_known(session, mail)])
        unfetched.note(app, folder, haul.unfetched)
    return max((head.received_at for head in heads.values()), default=None)


def _is_known(session: Session, mail: Fetched) -> bool:
    """Say whether a mail is stored; where its bytes went with a player who was forgotten, its time and size tell."""
    rows = select(MailIn.raw).where(_IS_KNOWN, MailIn.received_at == mail.received_at, MailIn.size == mail.size)
    return any(raw in (b"", mail.raw) for raw in session.exec(rows))


def _replay_mails(app: App, report: Report, start: datetime, handle: Callable[[App, int], MailIn | None]) -> int:
    """Handle all that is stored and waits, each mail at its time, after the rounds that fell due before."""
    with app.database.read() as session:
        mails = [(mail_id, session.get_one(MailIn, mail_id).received_at) for mail_id in mail_queries.new_mails(session)]
    for mail_id, received_at in mails:
        _close_before(app, received_at, report)
        then = _at(app, max(received_at, start))
        report.received += handle(then, mail_id) is not None
        due_games.ask_standbys(then)
    return len(mails)


def _close_before(app: App, received_at: datetime, report: Report) -> None:
    """Close what fell due before a mail arrived, each round at its time: the next ZAT is counted from there."""
    while (instant := due_rounds.next_due(_at(app, received_at), received_at)) is not None:
        number, then = len(report.closed), instant + closing_time.SECOND
        due_rounds.close_due(_at(app, then), then, report)
        due_games.ask_standbys(_at(app, then))
        if len(report.closed) == number:  # it waits for the GM or for an answer; others may not
            due_rounds.close_due(_at(app, received_at), received_at, report)
            return


def _at(app: App, instant: datetime) -> App:
    return replace(app, now=lambda: instant)


def _end(app: App, start: datetime, until: datetime) -> None:
    """Note that it has caught up.

    Letters queued for the past get their whole time for delivery, and count for no hour's limit.
    """
    with app.database.write() as session:
        here = zine_queries.zine(session)
        here.catch_up_from, here.look_again_from, here.last_fetch = None, start, until
        old = update(MailOut).where(col(MailOut.status) == "queued", col(MailOut.created_at) < app.now() - LATELY)
        session.execute(old.values(created_at=app.now() - LATELY))
