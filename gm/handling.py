"""What becomes of a stored mail: it is read, carried out and answered once, or put aside; one after the other."""

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlmodel import Session

from games import engines
from gm import caps
from gm.app import App
from gm.bugs import described, trace
from gm.errors import OperatorError, StoreError
from gm.logs import event
from gm.mailbox.weight import batches
from gm.play import bounces, echoes, proof, questions
from gm.play.handlers import carry_out
from gm.play.incoming import Heard, Incoming
from gm.publish.post import ANSWER, Draft, Occasion, Recipient, draft, post, queue, recipient, write
from gm.pulse import Stopped
from gm.report import Report
from gm.store import mail_log, queries
from gm.store.database import savepoint
from gm.store.tables import MailIn
from gm.time_limit import time_limit
from parsers.errors import MailError
from parsers.grammar import Reading, read_commands
from parsers.message import Mail, read_mail
from parsers.triage import OWN_KIND, reason_to_ignore

log = logging.getLogger("gm")

PARSE_SECONDS: Final = 2.0
MOST_ATTEMPTS: Final = 3
TAKEN: Final = ("applied", "refused", "waiting", "quarantined")


def handle_stored(app: App, report: Report) -> None:
    """Handle what is stored and not yet handled, in order of arrival: one commit for all, a savepoint for each.

    After a crash each gets a commit of its own, so that a mail that kills the process is found out by its attempts
    and takes no other with it.
    """
    with app.database.read() as session:
        waiting = mail_log.waiting(session)
    crashed = any(attempts for _, attempts, _ in waiting)
    sizes = ((mail_id, size) for mail_id, _, size in waiting)
    for ids in ([mail_id] for mail_id, _ in sizes) if crashed else batches(sizes):
        handle_batch(app, ids, report)


def handle_batch(app: App, ids: Sequence[int], report: Report) -> None:
    """Handle stored mails in one transaction; before, write down that it was tried. Raises StoreError."""
    app.pulse.beat()
    with app.database.write() as session:
        mail_log.count_attempts(session, [mail_id for mail_id in ids if mail_id not in app.excused], 1)
        for row in mail_log.unhandled(session, ids, MOST_ATTEMPTS + 1):
            _quarantine(app, session, row, f"the service ended {MOST_ATTEMPTS} times while handling it")
    app.excused.difference_update(ids)
    faults: dict[int, Exception] = {}
    try:
        while (handled := _try_batch(app, ids, faults)) is None:
            pass
    except StoreError as error:
        if isinstance(error.__cause__, Exception) and _is_the_databases_own(error.__cause__):
            _take_back_attempt(app, ids)
        raise
    except Stopped:
        _take_back_attempt(app, ids)
        raise
    report.received += handled


def _try_batch(app: App, ids: Sequence[int], faults: dict[int, Exception]) -> int | None:
    """Handle a batch in one transaction; returns how many mails it were, or None: try again.

    Answers are written after all mails are handled: one kind of work at a time takes half the time. Where one can't
    be written, nothing of its mail may stay; so all is taken back, and tried again with that noted in `faults`. So it
    is where a flush fails, which takes all back by itself.
    """
    try:
        with app.database.write() as session:
            rows = mail_log.unhandled(session, ids)
            session.expunge_all()  # no savepoint takes back what is noted about a mail; it is written at the end
            answers = _handle_all(app, session, rows, faults)
            queue(session, [_written(app, row, answer) for row, answer in answers])
            mail_log.settle(session, rows)
    except _Unwritable as error:
        faults[error.mail_id] = error.cause
        return None
    for row in rows:
        log.info("mail %s %s", row.id, row.status,
                 extra=event("mail handled", mail=row.id, status=row.status, player=row.player_id))  # fmt: skip
    return len(rows)


class _Unwritable(Exception):  # noqa: N818  a way out of the transaction
    """The answer to this mail, or what it brought about, can't be written."""

    def __init__(self, mail_id: int, cause: Exception) -> None:
        super().__init__()
        self.mail_id, self.cause = mail_id, cause


def _written(app: App, row: MailIn, answer: Draft) -> dict[str, Any]:
    app.pulse.beat()
    try:
        with time_limit(PARSE_SECONDS):
            return write(answer)
    except Exception as error:
        raise _Unwritable(row.id, error) from error


def _take_back_attempt(app: App, ids: Sequence[int]) -> None:
    """A full disk or a lock is no mail's fault: however long it lasts, nothing is quarantined for it."""
    try:
        with app.database.write() as session:
            mail_log.count_attempts(session, ids, -1)
    except StoreError:
        app.excused.update(ids)


@dataclass(kw_only=True)
class _Batch:
    """What the mails of a batch ask for one by one, looked up for all of them at once and kept up to date.

    `answers` are the ones that are still to be written.
    """

    ours: set[str]
    twins: dict[tuple[str, str], list[tuple[int, str]]]
    sent: caps.Answers
    heard: dict[str, list[Heard]] = field(default_factory=dict)
    """What players have said in this batch that may be said again."""
    answers: list[tuple[MailIn, Draft]] = field(default_factory=list)


def _handle_all(
    app: App, session: Session, rows: Sequence[MailIn], faults: Mapping[int, Exception]
) -> list[tuple[MailIn, Draft]]:
    mails = [faults.get(row.id) or _read(app, row) for row in rows]
    senders, message_ids = {row.sender for row in rows}, {row.message_id for row in rows}
    writers = queries.meet(session, senders)
    queries.visit_named(session, _games_named(mails), writers)
    batch = _Batch(
        ours=mail_log.ours(session, message_ids),
        twins=mail_log.twins(session, message_ids),
        sent=caps.Answers.lately(app, session, senders),
    )
    for row, mail in zip(rows, mails, strict=True):
        _handle_one(app, session, row, mail, batch)
        batch.twins.setdefault((row.message_id, row.content), []).append((row.id, row.status))
    return batch.answers


def _games_named(mails: Iterable["_Read | Exception"]) -> set[str]:
    said = (one.command for read in mails if isinstance(read, _Read) for one in read.reading.commands)
    return {name for command in said if (name := getattr(command, "game", ""))}


class _Read(NamedTuple):
    mail: Mail
    reason: str | None
    """Why it is none of ours, as far as its form tells."""
    reading: Reading


def _read(app: App, row: MailIn) -> _Read | Exception:
    """Read a mail and note who says what, or give what prevented it, for when its turn comes."""
    app.pulse.beat()
    try:
        with time_limit(PARSE_SECONDS):
            mail = read_mail(row.raw)
            row.message_id, row.sender = mail.message_id[:500].replace("\0", ""), mail.sender[:320]
            row.subject, row.content = mail.subject[:500], content_of(mail, row.raw)
            reason = reason_to_ignore(mail, own_address=app.settings.service.address, is_ours=lambda _: False)
            reason = reason or proof.reason_to_ignore(mail, app.settings.security)
            known = [] if reason else [engine.rules for engine in engines().values()]
            return _Read(mail, reason, read_commands(mail, known) if known else Reading())
    except Exception as error:  # noqa: BLE001  _put_aside sorts them
        return error


def _handle_one(app: App, session: Session, row: MailIn, read: _Read | Exception, batch: _Batch) -> None:
    app.pulse.beat()
    players = queries.players_at(session, row.sender) if row.sender else ()
    row.player_id, row.handled_at = players[0].id if players else None, app.now()
    number = len(batch.answers)
    try:
        if isinstance(read, Exception):
            raise read
        with savepoint(session), time_limit(PARSE_SECONDS):
            handle(app, session, row, read, batch)
    except Exception as error:
        del batch.answers[number:]
        if not session.is_active:
            raise _Unwritable(row.id, error) from error
        _put_aside(app, session, row, error)


def _put_aside(app: App, session: Session, row: MailIn, error: Exception) -> None:
    """The one place: whatever a mail brings about, the next one is handled. Trouble with the database is raised."""
    if isinstance(error, MailError | OperatorError) and not isinstance(error, StoreError):
        _quarantine(app, session, row, str(error))
        return
    if isinstance(error, StoreError | MemoryError) or _is_the_databases_own(error):
        raise error
    log.error("mail %s could not be handled: %s", row.id, described(error),
              extra=event("mail failed", mail=row.id, trace=trace(error)))  # fmt: skip
    _quarantine(app, session, row, f"{type(error).__name__} while handling it; this is a bug")


def _is_the_databases_own(error: Exception) -> bool:
    """Tell a full disk or a lock, which concern every mail, from a value that the tables refuse."""
    return isinstance(error, DBAPIError) and not isinstance(error, IntegrityError | DataError)


def handle(app: App, session: Session, row: MailIn, read: _Read, batch: _Batch) -> None:
    """Carry out what a mail asks for and decide on the one answer, or say why it is none of ours."""
    reason = read.reason
    if reason in (None, OWN_KIND) and row.message_id in batch.ours:
        reason = "own mail: Message-ID made by us"
    if reason is None and (twin := _twin(row, batch)):
        reason = f"the same mail as {twin}"
    if reason is not None:
        report = bounces.take_report(app, session, row.raw, read.mail) if reason == read.reason else ""
        row.status, row.reason = "ignored", report or reason
        return
    players = queries.players_at(session, read.mail.sender)
    heard = batch.heard.setdefault(row.sender, [])
    incoming = Incoming(app=app, session=session, row=row, mail=read.mail, players=players, reading=read.reading,
                        heard=heard)  # fmt: skip
    if proof.is_given(incoming):
        carry_out(incoming)
        if players:
            bounces.heard_from(session, row.sender)
    else:
        proof.ask(incoming)
    if not incoming.parts and not incoming.waits:
        row.status = "ignored"
        row.reason = incoming.silent or "nothing for us, and this address has had the help lately"
        return
    row.status = proof.status_of(incoming)
    row.reason = ", ".join(part.template for part in incoming.parts) or "waits for the GM, see gm todo"
    why_silent = echoes.why_silent(incoming)
    heard += echoes.heard(incoming)
    if why_silent:
        row.reason = f"{row.reason}; {why_silent}"
        return
    _reply(incoming, batch)


def content_of(mail: Mail, raw: bytes) -> str:
    """Fingerprint what a mail says, so that a second copy by another way is known; without an id, all of it."""
    said = "\0".join((mail.sender, mail.subject, mail.text)).encode() if mail.message_id and mail.text else raw
    return hashlib.sha256(said).hexdigest()


def _twin(row: MailIn, batch: _Batch) -> int | None:
    """Find a mail that is the same (same Message-ID, same content) and was taken before.

    A later copy that was ignored for this one's sake is none: else a mail that is tried again would be lost.
    """
    same = batch.twins.get((row.message_id, row.content), ())
    return next((other for other, status in same if status in TAKEN or (status == "ignored" and other < row.id)), None)


def _reply(incoming: Incoming, batch: _Batch) -> None:
    """Answer a mail once, to the registered address, unless this address has had too many lately.

    Strangers' answers are queued at once: the next mail of this batch asks whether one had the help.
    """
    app, session = incoming.app, incoming.session
    to = _addressee(incoming)
    # A move that took its effect shows a new position: without that the player couldn't go on.
    if not incoming.parts:
        return
    is_one_too_many = incoming.shows is None and not incoming.waits and batch.sent.are_enough(app, session, to)
    kind = "help" if not incoming.players and incoming.parts[0].template == "help" else "answer"
    occasion = Occasion(
        cause=f"mail:{incoming.row.id}", kind=kind, priority=ANSWER, game=incoming.game, answers=incoming.row,
        opens_round=incoming.shows,
    )  # fmt: skip
    if not incoming.players:
        if batch.sent.are_enough_for_strangers(incoming):
            caps.ignore_stranger(incoming)
        elif not is_one_too_many:
            batch.sent.count(to)
            post(app, session, occasion, to, incoming.parts)
    elif to.address and is_one_too_many:
        caps.leave_out(incoming, to)
        answer = replace(draft(app, session, occasion, to, incoming.parts), status=mail_log.LEFT_OUT)
        batch.answers.append((incoming.row, answer))
    elif to.address:
        batch.sent.count(to)
        batch.answers.append((incoming.row, draft(app, session, occasion, to, incoming.parts)))


def _addressee(incoming: Incoming) -> Recipient:
    """Address the player at the registered address, a stranger where the mail came from."""
    app, session, mail = incoming.app, incoming.session, incoming.mail
    if not incoming.players:
        return Recipient(name=mail.sender_name[:40], address=mail.sender, language=incoming.language)
    to = recipient(app, session, incoming.writer or incoming.players[0], incoming.game)
    name = to.name if incoming.player else ", ".join(player.name for player in incoming.players)
    return Recipient(name=name, address=to.address, language=incoming.language, player_id=to.player_id)


def _quarantine(app: App, session: Session, row: MailIn, reason: str) -> None:
    row.status, row.reason, row.handled_at = "quarantined", reason, app.now()
    offers = [("mail", "retry", f"{row.id}"), ("mail", "drop", f"{row.id}")]
    questions.tell_gm(app, session, "quarantine", row=row, text=reason, cause=f"mail:{row.id}", offers=offers)
