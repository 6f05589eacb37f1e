"""In: mails are fetched, stored, handed on to be handled, and moved out of the inbox."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from gm.app.context import App, Inbox
from gm.app.pass_report import Report
from gm.game.schedule import due_rounds
from gm.runtime.clock import SteadyClock
from gm.runtime.errors import MailboxError, NoRoom
from gm.service.inbound import catch_up, junk
from gm.service.inbound.batches import handle_batch, handle_stored
from gm.service.inbound.fetch import fetch
from gm.store.queries import game_queries, mail_queries
from gm.transport.imap.mails import Fetched, Waiting
from gm.transport.imap.size_limits import MOST_MAILS

NOTE_AFTER: Final = timedelta(seconds=30)
"""How often the last fetch is written down (`gm status`): an idle pass should cost no write to the disk. Where other
processes close rounds by it as well, each is."""


def receive(app: App, report: Report) -> datetime:
    """Store, handle and move every waiting mail; returns when the look into the inbox began.

    Raises MailboxError, and NoRoom where not all fit on the disk; Overtaken, before anything, or before what was
    fetched is stored.
    """
    if app.settings.imap.folder not in app.ours:  # once in a process
        app.inbox.check_owner()
        with suppress(MailboxError):  # handled mails that can't be looked at keep no new ones waiting
            catch_up.notice_a_loss(app)
    catch_up.catch_up(app, report, handle_batch)
    began = app.now()
    troubles: list[MailboxError | NoRoom] = []
    waiting = _look(app, report, troubles)
    app.ours.add(app.settings.imap.folder)
    folder = app.settings.imap.folder
    with app.database.read() as session:
        stored = mail_queries.stored_uids(session, folder, waiting.uidvalidity, waiting.uids)
        noted = game_queries.meta(session, "last_fetch")
    last = datetime.fromisoformat(noted) if noted else None
    out_since = last if last and began - last > app.settings.deadlines.outage else None
    if out_since:  # before the mails are read: else those from the outage would be late
        with app.database.write() as session:
            due_rounds.hold_what_fell_due(app, session, out_since, began)
    from_junk = junk.fetch(app)
    fresh = [] if troubles else [uid for uid in waiting.uids if uid not in stored]
    while left := fresh[:MOST_MAILS]:
        app.stop_signal.check()
        haul = fetch(app, waiting.uidvalidity, left)
        _let_witness(app, haul.mails)
        app.inbox.check_owner()
        troubles += _store_what_fits(app, folder, haul.mails, report)
        fresh = fresh[haul.tried :]
        if haul.trouble:
            troubles.append(haul.trouble)
    with _collecting(troubles):
        catch_up.look_again(app)
        handle_stored(app, report)
    try:
        move_handled(app, app.inbox, folder, waiting)
        if from_junk.waiting:
            move_handled(app, from_junk.inbox, from_junk.folder, from_junk.waiting)
    except MailboxError as error:  # all is read and stored: it is tried again, and holds no round up
        report.troubles.append(error)
    if troubles:
        raise troubles[0]
    if from_junk.trouble:  # the move that is missing may lie there
        raise from_junk.trouble
    rests = timedelta() if app.database.is_shared else NOTE_AFTER
    if last is None or not timedelta() <= began - last <= rests:  # one to come is of a clock set back since
        _note_fetch(app, began, out_since)
    return began


@contextmanager
def _collecting(troubles: list[MailboxError | NoRoom]) -> Iterator[None]:
    """Go on where a full disk ends what is done inside: what did fit is moved out of the inbox and answered."""
    try:
        yield
    except NoRoom as error:
        troubles.append(error)


def _look(app: App, report: Report, troubles: list[MailboxError | NoRoom]) -> Waiting:
    """List the inbox, and handle what a crash left behind or the GM tries again: that needs no mail server.

    But it needs a mailbox that is still ours: Overtaken comes first. Raises MailboxError.
    """
    try:
        waiting = app.inbox.waiting()
    except MailboxError:
        handle_stored(app, report)
        raise
    with _collecting(troubles):
        handle_stored(app, report)
    return waiting


def last_fetch(app: App) -> datetime:
    """Say when a process last began to look into the inbox and has stored all that it found."""
    with app.database.read() as session:
        noted = game_queries.meta(session, "last_fetch")
    return datetime.fromisoformat(noted) if noted else datetime.min.replace(tzinfo=UTC)


def _let_witness(app: App, mails: Sequence[Fetched]) -> None:
    if isinstance(app.now, SteadyClock):
        for mail in mails:
            app.now.confirm(mail.received_at)


def _note_fetch(app: App, began: datetime, out_since: datetime | None) -> None:
    """Write down that all mails were read. After an outage, in the same breath, what they have made due is held."""
    with app.database.write(together=not out_since) as session:
        game_queries.set_meta(session, "last_fetch", began.isoformat())
        if isinstance(app.now, SteadyClock):
            game_queries.set_meta(session, "clock", app.now.note)
        if out_since:
            due_rounds.hold_what_fell_due(app, session, out_since, began)


def store(app: App, folder: str, mails: Sequence[Fetched]) -> None:
    """Commit raw mails before anything is done with them. Other processes may begin with them at once."""
    with app.database.write(together=True) as session:
        mail_queries.keep(session, folder, mails)
        if mails:
            app.database.call_others(session)


def _store_what_fits(app: App, folder: str, mails: Sequence[Fetched], report: Report) -> list[MailboxError | NoRoom]:
    """Store mails; where the disk has little room, one after the other, each handled before the next takes room.

    What doesn't fit stays in the inbox. A smaller one behind it may fit, as long as what is stored can be handled.
    """
    if not app.database.is_short():
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


def move_handled(app: App, inbox: Inbox, folder: str, waiting: Waiting) -> None:
    """Take handled mails out of a folder. One that could not be moved last time is moved now. Raises MailboxError."""
    with app.database.read() as session:
        stored = mail_queries.stored_uids(session, folder, waiting.uidvalidity, waiting.uids)
    bad = [uid for uid, status in stored.items() if status == "quarantined"]
    done = [uid for uid, status in stored.items() if status not in ("new", "quarantined")]
    if done:
        inbox.move(done, "processed")
    if bad:
        inbox.move(bad, "quarantine")
