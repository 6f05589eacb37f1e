"""What becomes of a stored mail: it is read, carried out and answered once, or put aside."""

import hashlib
import logging
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlmodel import Session

from games import engines
from gm.app.context import App
from gm.commands.dispatch import carry_out
from gm.commands.moves import unknown_sender
from gm.commands.request import Incoming
from gm.commands.sender_check import confirmation, doubtful_mails
from gm.messages import bounces, gm_list, questions, rate_limits
from gm.messages.outgoing import ANSWER, Draft, Occasion, Recipient, draft, post, recipient, write
from gm.messages.questions import About
from gm.runtime.errors import OperatorError, StoreError
from gm.runtime.log_format import event
from gm.runtime.tracebacks import described, trace
from gm.service.inbound import forged_mails
from gm.service.inbound.time_limit import time_limit
from gm.store.database import savepoint
from gm.store.queries import game_queries, mail_queries
from gm.store.queries.query_cache import insert_now
from gm.store.tables import MailIn
from parsers.commands import commands
from parsers.commands.grammar import Reading, read_commands
from parsers.errors import MailError
from parsers.mime.message import Mail, read_head, read_mail
from parsers.mime.triage import OWN_KIND, Mark, Weight, mark_of

log = logging.getLogger("gm")

PARSE_SECONDS: Final = 2.0
UNREAD: Final = (Weight.CERTAIN, Weight.LIST, Weight.NOBODY)
"""With such a mark nothing that stands in a mail is carried out."""
TAKEN: Final = ("applied", "refused", "waiting", "quarantined")


class Unwritable(Exception):  # noqa: N818  a way out of the transaction
    """The answer to this mail, or what it brought about, can't be written."""

    def __init__(self, mail_id: int, cause: Exception) -> None:
        super().__init__()
        self.mail_id, self.cause = mail_id, cause


def written(app: App, row: MailIn, answer: Draft) -> dict[str, Any]:
    """Write an answer. Raises Unwritable."""
    app.pulse.beat()
    try:
        with time_limit(PARSE_SECONDS):
            return write(answer)
    except Exception as error:
        raise Unwritable(row.id, error) from error


@dataclass(kw_only=True)
class _Batch:
    """What the mails of a batch ask for one by one, looked up for all of them at once and kept up to date.

    `answers` are the ones that are still to be written.
    """

    is_careful: bool
    """Each mail has a savepoint; without, all begins anew where one can't be handled. They cost a tenth of the time."""
    ours: set[str]
    twins: dict[tuple[str, str], list[tuple[int, str]]]
    answers: list[tuple[MailIn, Draft]] = field(default_factory=list)


def handle_all(
    app: App, session: Session, mails: Sequence[tuple[MailIn, "Read | Exception"]], *, is_careful: bool
) -> list[tuple[MailIn, Draft]]:
    """Handle mails in their order; returns the answers that are still to be written. Raises Unwritable."""
    senders, message_ids = {row.sender for row, _ in mails}, {row.message_id for row, _ in mails}
    writers = game_queries.meet(session, senders)
    game_queries.visit_named(session, _games_named(read for _, read in mails), writers)
    batch = _Batch(
        is_careful=is_careful,
        ours=mail_queries.ours(session, message_ids),
        twins=mail_queries.twins(session, message_ids),
    )
    rate_limits.prefetch_sent(app, session, senders)
    for row, read in mails:
        _handle_one(app, session, row, read, batch)
        batch.twins.setdefault((row.message_id, row.content), []).append((row.id, row.status))
    _file_moves(session, mails)
    return batch.answers


def _file_moves(session: Session, mails: Sequence[tuple[MailIn, "Read | Exception"]]) -> None:
    """Write the sheets of all mails at once. Raises Unwritable, whosesoever is refused: with care it is found out."""
    try:
        insert_now(session)
    except (IntegrityError, DataError) as error:
        raise Unwritable(mails[-1][0].id, error) from error


def _games_named(mails: Iterable["Read | Exception"]) -> set[str]:
    said = (one.command for read in mails if isinstance(read, Read) for one in read.reading.commands)
    return {name for command in said if (name := getattr(command, "game", ""))}


class Read(NamedTuple):
    """What a mail says."""

    mail: Mail
    mark: Mark | None
    """What speaks against a person as its writer."""
    reading: Reading
    forged: str = ""
    """Which trusted server found its sender forged."""

    @property
    def reason(self) -> str | None:
        """Say why it is none of ours, whoever sent it, as far as its form tells."""
        if self.forged:
            return self.forged
        return self.mark.reason if self.mark and self.mark.weight in UNREAD else None


def read_all(app: App, rows: Sequence[MailIn]) -> list["Read | Exception"]:
    """Read mails and note who says what, or give what prevented it, for when its turn comes.

    All are opened before the first is understood: one kind of work at a time takes less.
    """
    opened = [_open(app, row) for row in rows]
    return [_read(app, mail) for mail in opened]


def _open(app: App, row: MailIn) -> Mail | Exception:
    app.pulse.beat()
    try:
        with time_limit(PARSE_SECONDS):
            mail = read_mail(row.raw)
    except Exception as error:  # noqa: BLE001  _put_aside sorts them
        with suppress(MailError), time_limit(PARSE_SECONDS):
            _note_head(row, read_head(row.raw))
        return error
    _note_head(row, mail)
    return mail


def _note_head(row: MailIn, head: Mail) -> None:
    """Note who wrote a mail, and about what, also where it can't be read any further."""
    row.message_id, row.sender, row.subject = head.message_id[:500], head.sender[:320], head.subject[:500]
    row.content = content_of(head, row.raw)


def _read(app: App, mail: Mail | Exception) -> Read | Exception:
    """Read what a mail asks for, unless it is none of ours."""
    if isinstance(mail, Exception):
        return mail
    try:
        with time_limit(PARSE_SECONDS):
            mark = mark_of(mail, own_address=app.settings.service.address, is_ours=lambda _: False)
            read = Read(mail, mark, Reading(), forged_mails.reason_to_ignore(mail, app.settings.security))
            known = [] if read.reason else [engine.rules for engine in engines().values()]
            return read._replace(reading=read_commands(mail, known)) if known else read
    except Exception as error:  # noqa: BLE001  _put_aside sorts them
        return error


def _handle_one(app: App, session: Session, row: MailIn, read: Read | Exception, batch: _Batch) -> None:
    app.pulse.beat()
    players = game_queries.players_at(session, row.sender) if row.sender else ()
    row.player_id, row.handled_at = players[0].id if players else None, app.now()
    number = len(batch.answers)
    try:
        if isinstance(read, Exception):
            raise read
        with savepoint(session) if batch.is_careful else nullcontext(), time_limit(PARSE_SECONDS):
            handle(app, session, row, read, batch)
            session.flush()  # what can't be written is told with the mail that brought it
    except Exception as error:
        del batch.answers[number:]
        leaves_traces = error is not read and not batch.is_careful
        if not session.is_active or (leaves_traces and not is_everybodys(error)):
            raise Unwritable(row.id, error) from error
        _put_aside(app, session, row, error)


def _put_aside(app: App, session: Session, row: MailIn, error: Exception) -> None:
    """The one place: whatever a mail brings about, the next one is handled. Trouble with the database is raised."""
    if isinstance(error, MailError | OperatorError) and not isinstance(error, StoreError):
        quarantine(app, session, row, str(error))
        return
    if is_everybodys(error):
        raise error
    log.error("mail %s could not be handled: %s", row.id, described(error),
              extra=event("mail failed", mail=row.id, trace=trace(error)))  # fmt: skip
    quarantine(app, session, row, f"{type(error).__name__} while handling it; this is a bug")


def is_everybodys(error: Exception) -> bool:
    """Tell a trouble that has nothing to do with the mail at hand."""
    return isinstance(error, StoreError | MemoryError) or is_the_databases_own(error)


def is_the_databases_own(error: Exception) -> bool:
    """Tell a full disk or a lock, which concern every mail, from a value that the tables refuse."""
    return isinstance(error, DBAPIError) and not isinstance(error, IntegrityError | DataError)


def handle(app: App, session: Session, row: MailIn, read: Read, batch: _Batch) -> None:
    """Carry out what a mail asks for and decide on the one answer, or say why it is none of ours."""
    reason = read.reason
    if read.forged:
        _leave_forged(app, session, row, read, batch)
        return
    if reason in (None, OWN_KIND) and row.message_id in batch.ours:
        reason = "own mail: Message-ID made by us"
    if reason is None and (twin := _twin(row, batch)):
        reason = f"the same mail as {twin}"
    if reason is not None:
        report = bounces.take_report(app, session, row.raw, read.mail) if reason == read.reason else ""
        row.status, row.reason = "ignored", report or reason
        if reason == read.reason and not report:
            doubtful_mails.tell_of_ignored(app, session, row, read.mail, read.mark)
        return
    players = game_queries.players_at(session, read.mail.sender)
    if read.mark and read.mark.weight is Weight.LIKELY and not players:
        report = bounces.take_report(app, session, row.raw, read.mail)
        row.status, row.reason = "ignored", report or read.mark.reason
        return
    incoming = Incoming(app=app, session=session, row=row, mail=read.mail, players=players, reading=read.reading,
                        mark=read.mark)  # fmt: skip
    _take(incoming, batch)
    gm_list.send(app, session, incoming.for_gm)


def _take(incoming: Incoming, batch: _Batch) -> None:
    """Carry out what somebody's mail asks for, or put it off or before whom it concerns."""
    row = incoming.row
    if doubtful_mails.is_left_to_gm(incoming):
        doubtful_mails.leave_to_gm(incoming)
        return
    if _has_to_wait(incoming):
        unknown_sender.ask_owner(incoming)  # whose seat a move may be for is asked at once: the round doesn't wait
        row.status, row.reason = mail_queries.PUT_OFF, "too many mails from strangers in this hour"
        return
    if confirmation.is_given(incoming):
        carry_out(incoming)
        if incoming.players:
            bounces.unmark(incoming.session, row.sender)
    else:
        confirmation.ask(incoming)
    if not incoming.parts and not incoming.waits:
        row.status = "ignored"
        row.reason = incoming.silent or "nothing for us, and this address has had the help lately"
        return
    row.status = confirmation.status_of(incoming)
    row.reason = ", ".join(part.template for part in incoming.parts) or "waits for the GM, see gm todo"
    _reply(incoming, batch)


def _has_to_wait(incoming: Incoming) -> bool:
    """Say whether a stranger's mail has to wait: for another hour, or for those that wait already.

    The GM never waits, nor does who answers a question of ours: there are no more of those than we have asked.
    """
    app, session = incoming.app, incoming.session
    if incoming.players or questions.is_gm(app, incoming.mail.sender):
        return False
    has_room = rate_limits.room_for_strangers(app, session) > 0
    return (not has_room or mail_queries.is_put_off_before(session, incoming.row)) and not _answers_us(incoming)


def _answers_us(incoming: Incoming) -> bool:
    said = [one.command for one in incoming.reading.commands]
    return any(isinstance(one, commands.Yes | commands.No) for one in said) and questions.has_read_question(
        incoming.app, incoming.session, incoming.mail, incoming.players, incoming.reading.code
    )


def _leave_forged(app: App, session: Session, row: MailIn, read: Read, batch: _Batch) -> None:
    """Do nothing that a forged mail asks for; the registered address hears of it, but not of what a program wrote."""
    row.status, row.reason = "ignored", read.forged
    if row.message_id not in batch.ours and not (read.mark and read.mark.weight is Weight.CERTAIN):
        forged_mails.warn(app, session, row)


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
    if not incoming.parts:
        return
    to = _addressee(incoming)
    occasion = Occasion(
        cause=f"mail:{incoming.row.id}", kind=_kind_of(incoming, to), priority=ANSWER, game=incoming.game,
        answers=incoming.row, opens_round=incoming.shows,
    )  # fmt: skip
    if limit := _limit_reached(incoming, occasion, to, batch):
        incoming.row.reason += f"; not answered: {limit.reason}"
        if incoming.players:
            rate_limits.leave_out(app, session, occasion, to, limit)
    elif not incoming.players:
        post(app, session, occasion, to, incoming.parts)
    elif to.address:
        batch.answers.append((incoming.row, draft(app, session, occasion, to, incoming.parts)))


def _kind_of(incoming: Incoming, to: Recipient) -> str:
    """Tell the help for who asked for nothing, and a player's answer that tells of no effect, from all others."""
    if not incoming.players:
        return "help" if incoming.parts[0].template == "stranger" else "answer"
    row, is_talk = incoming.row, not incoming.reading.commands and incoming.row.reason == "notice"
    is_remark = row.status == "refused" or row.reason == "nothing" or is_talk
    return rate_limits.remark_kind(incoming.parts, to) if is_remark else "answer"


def _limit_reached(incoming: Incoming, occasion: Occasion, to: Recipient, batch: _Batch) -> rate_limits.Limit | None:
    """Give the limit by which this answer doesn't go out. One with a new position does: else nobody could go on."""
    if incoming.shows is not None or incoming.waits:
        return None
    drafted = (answer.occasion.kind for _, answer in batch.answers if answer.to.address == to.address)
    return rate_limits.reached(incoming.app, incoming.session, occasion.kind, to.address, drafted)


def _addressee(incoming: Incoming) -> Recipient:
    """Address the player at the registered address, a stranger where the mail came from."""
    app, session, mail = incoming.app, incoming.session, incoming.mail
    if not incoming.players:
        # Who is named there may not have written at all: what a forger puts there as a name is repeated to nobody.
        service = app.settings.service
        known = {contact.address.lower(): contact.name for contact in (service.gm, service.second_gm) if contact}
        return Recipient(name=known.get(mail.sender, ""), address=mail.sender, language=incoming.language)
    to = recipient(app, session, incoming.writer or incoming.players[0], incoming.game)
    name = to.name if incoming.player else ", ".join(player.name for player in incoming.players)
    return Recipient(name=name, address=to.address, language=incoming.language, player_id=to.player_id)


def quarantine(app: App, session: Session, row: MailIn, reason: str) -> None:
    """Put a mail aside and before the GM."""
    row.status, row.reason, row.handled_at = "quarantined", reason, app.now()
    offers = [("mail", "retry", f"{row.id}"), ("mail", "drop", f"{row.id}")]
    gm_list.tell(app, session, "quarantine", reason, About(mail=row, cause=f"mail:{row.id}"), offers)
