"""The way of mails from top to bottom: listed, fetched, stored, handled from the oldest on, moved out of the inbox."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gm.app.context import App, Inbox
from gm.app.pass_report import Report
from gm.game.schedule import due_rounds
from gm.runtime.clock import SteadyClock
from gm.runtime.errors import MailboxError, NoRoom
from gm.service.mailbox import catch_up, junk, unfetched
from gm.service.mailbox.fetching import Folder, fetch_all
from gm.service.mailbox.junk import Junk
from gm.store.queries import mail_queries, zine_queries
from gm.store.queries.mail_queries import ToHandle
from gm.store.tables import MailIn
from gm.store.zine_tables import Zine
from gm.transport.imap.mails import Fetched, Waiting

NOTE_AFTER: Final = timedelta(seconds=30)
"""How often the last fetch is written down (`gm status`): an idle pass should cost no write to the disk."""
NOTE_AFTER_WORK: Final = timedelta(minutes=5)
"""How often by passes that handle mails, which write enough."""


@dataclass(kw_only=True)
class _Look:
    """One look into the inbox."""

    began: datetime
    waiting: Waiting
    """What lies in the inbox."""
    to_handle: ToHandle
    """What is stored and not yet handled, and what of the inbox is stored already."""
    zine: Zine
    """The facts about the database as they were then."""
    troubles: list[MailboxError | NoRoom] = field(default_factory=list)
    """What kept mails from being fetched or stored. All others are handled before the first trouble is raised."""


def receive(app: App, report: Report) -> datetime:
    """Fetch, store, handle and move every waiting mail; returns when the look into the inbox began.

    Raises MailboxError, and NoRoom where not all mails fit on the disk. Raises NotOurs where another service has the
    mailbox: before anything is done, or before what was fetched is stored.
    """
    _begin(app)
    zine = _zine(app)
    if zine.is_behind:
        catch_up.catch_up(app, report, _handle_one)
        zine = _zine(app)
    look = _look(app, zine, report)
    with _collecting(look.troubles):
        _handle_all(app, look.to_handle.new, report)  # a crash left them behind, or the GM tries them again
    out_since = _hold_after_an_outage(app, look)
    from_junk = junk.fetch(app, look.zine)
    with _collecting(look.troubles):
        new = [] if look.troubles else _fetch_and_store(app, look, report)
        is_more = catch_up.look_again(app, look.zine) or from_junk.has_stored
        _handle_all(app, _still_to_handle(app) if is_more else new, report)
        while look.to_handle.has_put_off and (taken_up := _take_up(app)):
            _handle_all(app, taken_up, report)
    _move(app, look, from_junk, report)
    if look.troubles:
        raise look.troubles[0]
    if from_junk.trouble:  # the move that is missing may lie there
        raise from_junk.trouble
    _note_fetch(app, look, out_since, report)
    return look.began


# What reads mails takes a tenth of a second to import; `gm serve --once` often finds none.


def _handle_all(app: App, ids: Sequence[int], report: Report) -> None:
    if ids:
        from gm.service.inbound import handle

        handle.handle_all(app, ids, report)


def _handle_one(app: App, mail_id: int) -> MailIn | None:
    from gm.service.inbound import handle

    return handle.handle(app, mail_id)


def _take_up(app: App) -> Sequence[int]:
    from gm.service.inbound import handle

    return handle.take_up(app)


@contextmanager
def _collecting(troubles: list[MailboxError | NoRoom]) -> Iterator[None]:
    """Go on where a full disk ends what is done inside: the mails that did fit are answered and moved."""
    try:
        yield
    except NoRoom as error:
        troubles.append(error)


def _begin(app: App) -> None:
    """Once in a process: look whether another service has the mailbox, and what the process before has left behind."""
    if app.settings.imap.folder not in app.ours:
        _zine(app)  # whoever was overtaken says nothing to the mailbox any more
        app.inbox.check_owner()
        _count_ended(app)
        with suppress(MailboxError):  # handled mails that can't be looked at keep no new ones waiting
            catch_up.notice_a_loss(app)


def _count_ended(app: App) -> None:
    with app.database.read() as session:
        if not mail_queries.is_any_begun(session):
            return
    from gm.service.inbound import handle

    handle.count_ended(app)


def _zine(app: App) -> Zine:
    """Read the facts about the database. Raises NotOurs where a later incarnation of it serves the mailbox."""
    with app.database.read() as session:
        zine_queries.refuse_if_overtaken(session)
        return zine_queries.zine(session)


def _look(app: App, zine: Zine, report: Report) -> _Look:
    """List the inbox. Handles what is stored where that can't be done: it needs no mail server. Raises MailboxError."""
    began, folder = app.now(), app.settings.imap.folder
    try:
        waiting = app.inbox.waiting()
    except MailboxError:
        _handle_all(app, _still_to_handle(app), report)
        raise
    app.ours.add(folder)
    with app.database.read() as session:
        return _Look(
            began=began, waiting=waiting, zine=zine,
            to_handle=mail_queries.to_handle(session, folder, waiting.uidvalidity, waiting.uids),
        )  # fmt: skip


def _still_to_handle(app: App) -> Sequence[int]:
    with app.database.read() as session:
        return mail_queries.to_handle(session).new


def _hold_after_an_outage(app: App, look: _Look) -> datetime | None:
    """Hold what fell due while the mailbox could not be read for long; returns since when that was."""
    last = look.zine.last_fetch
    if last is None or look.began - last <= app.settings.deadlines.outage:
        return None
    with app.database.write() as session:  # before the mails are read: else those from the outage would be late
        due_rounds.hold_what_fell_due(app, session, last, look.began)
    return last


def _fetch_and_store(app: App, look: _Look, report: Report) -> Sequence[int]:
    """Fetch and store what isn't stored yet; returns the new mails in order of arrival.

    Raises MailboxError where the server can't be used any more.
    """
    folder = app.settings.imap.folder
    new, hauls = list[int](), 0
    here = Folder(
        inbox=app.inbox,
        stop_signal=app.stop_signal,
        uidvalidity=look.waiting.uidvalidity,
        seen_before=look.zine.last_fetch or look.began,
    )
    for haul in fetch_all(here, [uid for uid in look.waiting.uids if uid not in look.to_handle.stored]):
        _let_witness(app, haul.mails)
        app.inbox.check_owner()
        new, hauls = _store_what_fits(app, look, haul.mails, report), hauls + 1
        unfetched.note(app, folder, haul.unfetched)
    is_any_fetched = look.to_handle.has_unfetched and unfetched.try_again(app, folder, here, look.waiting)
    return _still_to_handle(app) if is_any_fetched or hauls > 1 else new


def _let_witness(app: App, mails: Sequence[Fetched]) -> None:
    if isinstance(app.now, SteadyClock):
        for mail in mails:
            app.now.confirm(mail.received_at)


def _store_what_fits(app: App, look: _Look, mails: Sequence[Fetched], report: Report) -> list[int]:
    """Store mails; where the disk has little room, one after the other, each handled before the next takes room.

    What doesn't fit stays in the inbox. A smaller one behind it may fit, as long as what is stored can be handled.
    Returns the new mails in order of arrival.
    """
    if not app.database.has_little_room():
        with suppress(NoRoom):
            return store(app, app.settings.imap.folder, mails)
    for mail in mails:
        with _collecting(look.troubles):
            app.database.check_room(len(mail.raw))
            _handle_all(app, store(app, app.settings.imap.folder, [mail]), report)
    return []


def store(app: App, folder: str, mails: Sequence[Fetched]) -> list[int]:
    """Commit raw mails before anything is done with them; returns those that are new, in order of arrival."""
    with app.database.write() as session:
        return mail_queries.store_mails(session, folder, mails)


def _move(app: App, look: _Look, from_junk: Junk, report: Report) -> None:
    """Move handled mails; a failure holds no round up, as all is read and stored: it is tried again."""
    folder, numbered = app.settings.imap.folder, look.waiting.uidvalidity
    handled = {uid: report.statuses.get((folder, numbered, uid)) for uid in look.waiting.uids}
    stored = {**look.to_handle.stored, **{uid: status for uid, status in handled.items() if status}}
    try:
        move_handled(app.inbox, stored)
        if from_junk.waiting and from_junk.waiting.uids:
            with app.database.read() as session:
                junked = mail_queries.stored_uids(
                    session, from_junk.folder, from_junk.waiting.uidvalidity, from_junk.waiting.uids
                )
            move_handled(from_junk.inbox, junked)
    except MailboxError as error:
        report.troubles.append(error)


def move_handled(inbox: Inbox, stored: Mapping[int, str]) -> None:
    """Take handled mails out of a folder, by their statuses. Raises MailboxError.

    One that could not be moved last time is moved now.
    """
    bad = [uid for uid, status in stored.items() if status == "quarantined"]
    done = [uid for uid, status in stored.items() if status not in ("new", "quarantined", *mail_queries.WITHOUT_TEXT)]
    if done:
        inbox.move(done, "processed")
    if bad:
        inbox.move(bad, "quarantine")


def _note_fetch(app: App, look: _Look, out_since: datetime | None, report: Report) -> None:
    """Write down that all mails were read; after an outage, ask about what fell due in the same transaction."""
    last, most = look.zine.last_fetch, NOTE_AFTER if report.is_idle else NOTE_AFTER_WORK
    if last and timedelta() <= look.began - last <= most:  # one to come is of a clock set back since
        return
    with app.database.write() as session:
        zine = zine_queries.zine(session)
        zine.last_fetch = look.began
        if isinstance(app.now, SteadyClock):
            zine.clock = app.now.note
        if out_since:
            due_rounds.ask_about_outage(app, session, out_since, look.began)
