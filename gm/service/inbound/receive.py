"""First step, and the order of all: mails are fetched and stored, handled, and moved out of the inbox."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gm.app.context import App, Inbox
from gm.app.pass_report import Report
from gm.game.schedule import due_rounds
from gm.runtime.clock import SteadyClock
from gm.runtime.errors import MailboxError, NoRoom
from gm.service.inbound import catch_up, junk, unfetched
from gm.service.inbound.batches import handle_stored
from gm.service.inbound.fetch import Folder, fetch_all
from gm.store.queries import mail_queries, zine_queries
from gm.transport.imap.mails import Fetched, Waiting

NOTE_AFTER: Final = timedelta(seconds=30)
"""How often the last fetch is written down (`gm status`): an idle pass should cost no write to the disk."""


@dataclass(kw_only=True)
class _Fetch:
    """One look into the inbox."""

    began: datetime
    waiting: Waiting
    """What lies in the inbox."""
    troubles: list[MailboxError | NoRoom]
    """What kept mails from being fetched or stored. All others are handled before the first trouble is raised."""
    last: datetime | None
    """When the look before this one began."""
    lacks_some: bool
    """Mails may lie there that could not be fetched before."""
    out_since: datetime | None = field(default=None)
    """Where the mailbox could not be read for long: since when."""


def receive(app: App, report: Report) -> datetime:
    """Fetch, store, handle and move every waiting mail; returns when the look into the inbox began.

    Raises MailboxError, and NoRoom where not all mails fit on the disk. Raises NotOurs where another service has the
    mailbox: before anything is done, or before what was fetched is stored.
    """
    _make_sure_it_is_ours(app)
    catch_up.catch_up(app, report)
    found = _look(app, report)
    from_junk = junk.fetch(app)
    if not found.troubles:
        _fetch_and_store(app, found, report)
    with _collecting(found.troubles):
        catch_up.look_again(app)
        handle_stored(app, report)
    try:
        move_handled(app, app.inbox, app.settings.imap.folder, found.waiting)
        if from_junk.waiting:
            move_handled(app, from_junk.inbox, from_junk.folder, from_junk.waiting)
    except MailboxError as error:  # all is read and stored: it is tried again, and holds no round up
        report.troubles.append(error)
    if found.troubles:
        raise found.troubles[0]
    if from_junk.trouble:  # the move that is missing may lie there
        raise from_junk.trouble
    _note_fetch(app, found)
    return found.began


@contextmanager
def _collecting(troubles: list[MailboxError | NoRoom]) -> Iterator[None]:
    """Go on where a full disk ends what is done inside: the mails that did fit are answered and moved."""
    try:
        yield
    except NoRoom as error:
        troubles.append(error)


def _make_sure_it_is_ours(app: App) -> None:
    """Once in a process: look whether another service has the mailbox, and whether the database has lost mails."""
    if app.settings.imap.folder not in app.ours:
        app.inbox.check_owner()
        with suppress(MailboxError):  # handled mails that can't be looked at keep no new ones waiting
            catch_up.notice_a_loss(app)


def _look(app: App, report: Report) -> _Fetch:
    """List the inbox, and handle the stored mails that a crash left behind or the GM tries again. Raises MailboxError.

    Handling needs no mail server. But it needs a mailbox that is still ours, so it comes after the list.
    """
    began = app.now()
    troubles: list[MailboxError | NoRoom] = []
    try:
        waiting = app.inbox.waiting()
    except MailboxError:
        handle_stored(app, report)
        raise
    lacks_some = True
    with _collecting(troubles):
        lacks_some = handle_stored(app, report)
    app.ours.add(app.settings.imap.folder)
    with app.database.read() as session:
        last = mail_queries.last_fetch(session)
    found = _Fetch(began=began, waiting=waiting, troubles=troubles, last=last, lacks_some=lacks_some)
    if last and began - last > app.settings.deadlines.outage:
        found.out_since = last
        with app.database.write() as session:  # before the mails are read: else those from the outage would be late
            due_rounds.hold_what_fell_due(app, session, last, began)
    return found


def _fetch_and_store(app: App, found: _Fetch, report: Report) -> None:
    """Fetch and store what isn't stored yet. Raises MailboxError where the server can't be used any more."""
    folder = app.settings.imap.folder
    with app.database.read() as session:
        stored = mail_queries.stored_uids(session, folder, found.waiting.uidvalidity, found.waiting.uids)
    here = Folder(inbox=app.inbox, uidvalidity=found.waiting.uidvalidity, seen_before=found.last or found.began)
    for haul in fetch_all(app, here, [uid for uid in found.waiting.uids if uid not in stored]):
        _let_witness(app, haul.mails)
        app.inbox.check_owner()
        found.troubles += _store_what_fits(app, folder, haul.mails, report)
        unfetched.note(app, folder, haul.unfetched)
    if found.lacks_some:
        unfetched.try_again(app, folder, here, found.waiting)


def _let_witness(app: App, mails: Sequence[Fetched]) -> None:
    if isinstance(app.now, SteadyClock):
        for mail in mails:
            app.now.confirm(mail.received_at)


def _store_what_fits(app: App, folder: str, mails: Sequence[Fetched], report: Report) -> list[MailboxError | NoRoom]:
    """Store mails; where the disk has little room, one after the other, each handled before the next takes room.

    What doesn't fit stays in the inbox. A smaller one behind it may fit, as long as what is stored can be handled.
    """
    if not app.database.has_little_room():
        with suppress(NoRoom):
            store(app, folder, mails)
            return []
    troubles: list[MailboxError | NoRoom] = []
    with _collecting(troubles):
        for mail in mails:
            with _collecting(troubles):
                app.database.check_room(len(mail.raw))
                store(app, folder, [mail])
            handle_stored(app, report)
    return troubles


def store(app: App, folder: str, mails: Sequence[Fetched]) -> None:
    """Commit raw mails before anything is done with them."""
    with app.database.write() as session:
        mail_queries.store_mails(session, folder, mails)


def move_handled(app: App, inbox: Inbox, folder: str, waiting: Waiting) -> None:
    """Take handled mails out of a folder. One that could not be moved last time is moved now. Raises MailboxError."""
    with app.database.read() as session:
        stored = mail_queries.stored_uids(session, folder, waiting.uidvalidity, waiting.uids)
    bad = [uid for uid, status in stored.items() if status == "quarantined"]
    done = [uid for uid, status in stored.items() if status not in ("new", "quarantined", *mail_queries.WITHOUT_TEXT)]
    if done:
        inbox.move(done, "processed")
    if bad:
        inbox.move(bad, "quarantine")


def _note_fetch(app: App, found: _Fetch) -> None:
    """Write down that all mails were read; after an outage, ask about what fell due in the same transaction."""
    if found.last and timedelta() <= found.began - found.last <= NOTE_AFTER:  # one to come is of a clock set back since
        return
    with app.database.write() as session:
        mail_queries.note_fetch(session, found.began)
        if isinstance(app.now, SteadyClock):
            zine_queries.zine(session).clock = app.now.note
        if found.out_since:
            due_rounds.ask_about_outage(app, session, found.out_since, found.began)
