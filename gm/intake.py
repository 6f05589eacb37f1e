"""In: mails are fetched, stored, handled one by one, and moved out of the inbox."""

import hashlib
import logging
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from types import FrameType
from typing import Final

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, OperationalError
from sqlmodel import Session, col, func, select

from games import engines
from gm.app import App
from gm.errors import MailboxError, OperatorError, StoreError
from gm.mailbox.inbox import Fetched
from gm.play import questions
from gm.play.handlers import carry_out
from gm.play.incoming import Incoming
from gm.publish.post import ANSWER, Occasion, Recipient, post, recipient
from gm.report import Report
from gm.store import queries
from gm.store.tables import MailIn, MailOut
from parsers.errors import MailError
from parsers.grammar import read_commands
from parsers.message import Mail, read_mail
from parsers.triage import reason_to_ignore

log = logging.getLogger("gm")

BATCH: Final = 100
PARSE_SECONDS: Final = 2.0
MOST_ATTEMPTS: Final = 3
NOTE_AFTER: Final = timedelta(seconds=30)
"""How often the last fetch is written down (`gm status`): an idle pass should cost no write to the disk."""


def receive(app: App, report: Report) -> datetime:
    """Store, handle and move every waiting mail; returns when the look into the inbox began. Raises MailboxError."""
    handle_stored(app, report)  # what a crash left behind or the GM tries again: it needs no mail server
    began = app.now()
    waiting = app.inbox.waiting()
    folder = app.settings.imap.folder
    with app.database.read() as session:
        stored = queries.stored_uids(session, folder, waiting.uidvalidity, waiting.uids)
        noted = queries.meta(session, "last_fetch")
    fresh = [uid for uid in waiting.uids if uid not in stored]
    for at in range(0, len(fresh), BATCH):
        store(app, folder, app.inbox.fetch(fresh[at : at + BATCH]))
        handle_stored(app, report)
    try:
        move_handled(app, folder, waiting.uidvalidity, waiting.uids)
    except MailboxError as error:  # all is read and stored: it is tried again, and holds no round up
        report.troubles.append(error)
    if noted is None or began - datetime.fromisoformat(noted) > NOTE_AFTER:
        with app.database.write() as session:
            queries.set_meta(session, "last_fetch", began.isoformat())
    return began


def store(app: App, folder: str, mails: Sequence[Fetched]) -> None:
    """Commit raw mails before anything is done with them."""
    with app.database.write() as session:
        known = queries.stored_uids(session, folder, mails[0].uidvalidity if mails else 0, [m.uid for m in mails])
        session.add_all(
            MailIn(
                folder=folder, uidvalidity=mail.uidvalidity, uid=mail.uid, raw=mail.raw, size=mail.size,
                content="", received_at=mail.received_at,
            )
            for mail in mails if mail.uid not in known
        )  # fmt: skip


def handle_stored(app: App, report: Report) -> None:
    """Handle what is stored and not yet handled, in order of arrival: one commit for all, a savepoint for each.

    After a crash each gets a commit of its own, so that a mail that kills the process is found out by its attempts
    and takes no other with it.
    """
    with app.database.read() as session:
        waiting = [(row.id, row.attempts) for row in queries.unhandled(session)]
    ids = [mail_id for mail_id, _ in waiting]
    crashed = any(attempts for _, attempts in waiting)
    for batch in [[mail_id] for mail_id in ids] if crashed else [ids] if ids else []:
        _handle_batch(app, batch, report)


def _handle_batch(app: App, ids: Sequence[int], report: Report) -> None:
    with app.database.write() as session:
        for row in queries.unhandled(session, ids):
            row.attempts += 1
            session.add(row)
            if row.attempts > MOST_ATTEMPTS:
                _quarantine(app, session, row, f"the service ended {MOST_ATTEMPTS} times while handling it")
    try:
        with app.database.write() as session:
            rows = queries.unhandled(session, ids)
            for row in rows:
                _handle_one(app, session, row)
    except StoreError as error:
        if isinstance(error.__cause__, OperationalError):
            _take_back_attempt(app, ids)
        raise
    report.received += len(rows)


def _take_back_attempt(app: App, ids: Sequence[int]) -> None:
    """A full disk or a lock is no mail's fault: however long it lasts, nothing is quarantined for it."""
    with suppress(StoreError), app.database.write() as session:
        for row in queries.unhandled(session, ids):
            row.attempts -= 1
            session.add(row)


def _handle_one(app: App, session: Session, row: MailIn) -> None:
    try:
        with _time_limit(PARSE_SECONDS):
            mail = read_mail(row.raw)
        with session.begin_nested():
            _label(app, session, row, mail)
        with session.begin_nested(), _time_limit(PARSE_SECONDS):
            handle(app, session, row, mail)
    except (MailError, OperatorError) as error:
        if isinstance(error, StoreError):
            raise
        _quarantine(app, session, row, str(error))
    except Exception as error:  # the one place: whatever a mail brings about, the next one is handled
        if isinstance(error, MemoryError) or _is_the_databases_own(error):
            raise
        log.exception("mail %s could not be handled", row.id)
        _quarantine(app, session, row, f"{type(error).__name__} while handling it; this is a bug")
    session.flush()


def _is_the_databases_own(error: Exception) -> bool:
    """Tell a full disk or a lock, which concern every mail, from a value that the tables refuse."""
    return isinstance(error, DBAPIError) and not isinstance(error, IntegrityError | DataError)


def _label(app: App, session: Session, row: MailIn, mail: Mail) -> None:
    """Note whose mail it is; that stays even if handling it fails."""
    row.message_id, row.sender, row.subject = mail.message_id[:500], mail.sender[:320], mail.subject[:500]
    row.content = content_of(mail, row.raw)
    players = queries.players_at(session, mail.sender)
    row.player_id = players[0].id if players else None
    row.handled_at = app.now()
    session.add(row)
    session.flush()


def handle(app: App, session: Session, row: MailIn, mail: Mail) -> None:
    """Carry out what a mail asks for and queue the one answer, or say why it is none of ours."""
    own_address = app.settings.service.address
    reason = reason_to_ignore(mail, own_address=own_address, is_ours=lambda own_id: _is_ours(session, own_id))
    if reason is None and (twin := queries.twin(session, row)):
        reason = f"the same mail as {twin.id}"
    if reason is not None:
        row.status, row.reason = "ignored", reason
        return
    players = queries.players_at(session, mail.sender)
    reading = read_commands(mail, [engine.rules for engine in engines().values()])
    incoming = Incoming(app=app, session=session, row=row, mail=mail, players=players, reading=reading)
    carry_out(incoming)
    if not incoming.parts:
        row.status, row.reason = "ignored", "nothing for us, and this address has had the help lately"
        return
    row.status = "refused" if incoming.refused and not incoming.applied else "applied"
    row.reason = ", ".join(part.template for part in incoming.parts)
    _reply(incoming)


def content_of(mail: Mail, raw: bytes) -> str:
    """Fingerprint what a mail says, so that a second copy by another way is known; without an id, all of it."""
    said = "\0".join((mail.sender, mail.subject, mail.text)).encode() if mail.message_id and mail.text else raw
    return hashlib.sha256(said).hexdigest()


def _is_ours(session: Session, message_id: str) -> bool:
    return session.exec(select(MailOut.id).where(MailOut.message_id == message_id)).first() is not None


def _reply(incoming: Incoming) -> None:
    """Queue the one answer to a mail, to the registered address, unless this address has had too many lately."""
    app, session = incoming.app, incoming.session
    if not incoming.parts or _too_many(app, session, incoming.mail.sender):
        return
    if incoming.players:
        to = recipient(app, session, incoming.writer or incoming.players[0], incoming.game)
        to = Recipient(name=to.name, address=to.address, language=incoming.language, player_id=to.player_id)
    else:
        to = Recipient(name=incoming.mail.sender_name[:40], address=incoming.mail.sender, language=incoming.language)
    kind = "help" if not incoming.players and incoming.parts[0].template == "help" else "answer"
    occasion = Occasion(
        cause=f"mail:{incoming.row.id}", kind=kind, priority=ANSWER, game=incoming.game, answers=incoming.row
    )  # fmt: skip
    post(app, session, occasion, to, incoming.parts)


def _too_many(app: App, session: Session, address: str) -> bool:
    since = app.now() - timedelta(hours=1)
    rows = select(func.count(col(MailOut.id))).where(
        MailOut.address == address, MailOut.priority == ANSWER, col(MailOut.created_at) > since
    )
    return session.exec(rows).one() >= app.settings.security.answers_per_hour


def _quarantine(app: App, session: Session, row: MailIn, reason: str) -> None:
    row.status, row.reason, row.handled_at = "quarantined", reason, app.now()
    session.add(row)
    questions.tell_gm(app, session, "quarantine", row=row, text=reason, cause=f"mail:{row.id}")


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt what takes too long, so that one mail can't stop the service (main thread only)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise MailError(f"reading it took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def move_handled(app: App, folder: str, uidvalidity: int, uids: Sequence[int]) -> None:
    """Take handled mails out of the inbox. One that could not be moved last time is moved now. Raises MailboxError."""
    with app.database.read() as session:
        rows = queries.stored_uids(session, folder, uidvalidity, uids).values()
    bad = [row.uid for row in rows if row.status == "quarantined"]
    done = [row.uid for row in rows if row.status not in ("new", "quarantined")]
    if done:
        app.inbox.move(done, "processed")
    if bad:
        app.inbox.move(bad, "quarantine")
