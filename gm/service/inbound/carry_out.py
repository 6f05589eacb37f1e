"""Third step: what a mail asks for is carried out, or the mail is put aside. Either way the next one is on."""

import logging
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlmodel import Session

from gm.app.context import App
from gm.messages import bounces, gm_list, questions, rate_limits
from gm.messages.outgoing import ANSWER, Occasion, Part, gm_name, recipient
from gm.messages.rendering.dates import write_date
from gm.reports.mail_log import mail_by_mail
from gm.reports.today import today_by_mail
from gm.requests.dispatch import carry_out
from gm.requests.moves import unknown_sender
from gm.requests.prose import answers_in_words
from gm.requests.replies import letters
from gm.requests.request import Request
from gm.requests.sender_check import confirmation, doubtful_mails, senders
from gm.runtime.errors import OperatorError, StoreError
from gm.runtime.tracebacks import described
from gm.service.inbound import duplicate_mails, quarantine
from gm.service.inbound.answer import Answer, Unwritable, answer
from gm.service.inbound.read import ReadMail, UnreadMail
from gm.service.inbound.time_limit import STEP_SECONDS, time_limit
from gm.store.database import savepoint
from gm.store.queries import mail_queries, player_queries, prefetch
from gm.store.query_cache import insert_now
from gm.store.tables import MailIn, Player
from parsers import commands
from parsers.errors import MailError
from parsers.mime.triage import BY_WORDS, OWN, OWN_KIND, REACTION, Weight

log = logging.getLogger("gm")


@dataclass(kw_only=True)
class _Batch:
    """What the mails of a batch share. What each would ask the database is asked once for all and kept up to date."""

    app: App
    session: Session
    is_careful: bool
    """Each mail has a savepoint. Without one, which is a tenth faster, the whole batch begins anew at a fault."""
    own_ids: set[str]
    """The Message-IDs among the batch's that we made."""
    handled: list[MailIn]
    """Mails handled before that may be the same as one of the batch."""
    answers: list[Answer] = field(default_factory=list)
    """Those that are still to be written."""


def carry_out_all(
    app: App, session: Session, mails: Sequence[ReadMail | UnreadMail], *, is_careful: bool
) -> list[Answer]:
    """Carry out mails in their order; returns the answers that are still to be written. Raises Unwritable."""
    senders, message_ids = {one.row.sender for one in mails}, {one.row.message_id for one in mails}
    writers = prefetch.for_senders(session, senders)
    prefetch.for_named_games(session, _games_named(mails), writers)
    batch = _Batch(
        app=app, session=session, is_careful=is_careful, own_ids=mail_queries.our_message_ids(session, message_ids),
        handled=[*mail_queries.may_be_known(session, message_ids, {one.row.written for one in mails})],
    )  # fmt: skip
    rate_limits.prefetch_sent(app, session, senders)
    for one in mails:
        _carry_out_one(batch, one)
        batch.handled.append(one.row)
    try:
        insert_now(session)  # the sheets of all mails at once
    except (IntegrityError, DataError) as error:  # whichever mail's it is: with care it is found out
        raise Unwritable(mails[-1].row.id, error) from error
    return batch.answers


def _games_named(mails: Sequence[ReadMail | UnreadMail]) -> set[str]:
    said = (one.command for mail in mails if isinstance(mail, ReadMail) for one in mail.reading.commands)
    return {name for command in said if (name := getattr(command, "game", ""))}


def _carry_out_one(batch: _Batch, mail: ReadMail | UnreadMail) -> None:
    app, session, row = batch.app, batch.session, mail.row
    app.stop_signal.check()
    players = player_queries.players_at(session, row.sender) if row.sender else ()
    row.player_id, row.handled_at = players[0].id if players else None, app.now()
    if isinstance(mail, UnreadMail):
        _put_aside(batch, mail, mail.error)
        return
    number = len(batch.answers)
    try:
        with savepoint(session) if batch.is_careful else nullcontext(), time_limit(STEP_SECONDS):
            _ignore_or_take(batch, mail)
            session.flush()  # what can't be written is found with the mail that brought it
    except Exception as error:
        del batch.answers[number:]
        leaves_traces = not batch.is_careful and not is_everybodys(error)
        if leaves_traces or not session.is_active:
            raise Unwritable(row.id, error) from error
        _put_aside(batch, mail, error)


def _ignore_or_take(batch: _Batch, mail: ReadMail) -> None:
    """Say in the mail's row why it is ignored; or carry it out, answer it, and put before the GM what is for the GM."""
    row, session = mail.row, batch.session
    if mail.forged:
        _leave_forged(batch, mail)
        return
    reason = mail.reason
    if reason in (None, OWN_KIND) and row.message_id in batch.own_ids:
        reason = "own mail: Message-ID made by us"
    earlier = None if reason and reason.startswith(OWN) else _duplicate_of(batch, mail)
    if earlier and not _takes_the_place(batch, mail, earlier):
        reason = f"the same mail as {earlier.id}"
    if reason is not None:
        _ignore(batch, mail, reason)
        return
    request = _request(batch, mail, player_queries.players_at(session, mail.mail.sender))
    if not request.players and _ignore_strange(batch, mail, request):
        return
    answers_in_words.take(request)
    _take(request, batch)
    _tell_gm(request)
    if earlier:
        duplicate_mails.replace(batch.app, session, earlier, row)


def _duplicate_of(batch: _Batch, mail: ReadMail) -> MailIn | None:
    """Find the mail that this one is once more; a list's copy has another From than the one that came straight."""
    if not duplicate_mails.may_be_known(mail.row, batch.handled):
        return None
    named = senders.possible_writers(batch.session, mail.mail)
    addresses = {address for player in named for address in player_queries.addresses(batch.session, player.id)}
    return duplicate_mails.find(mail.row, mail.mail, batch.handled, addresses)


def _ignore(batch: _Batch, mail: ReadMail, reason: str) -> None:
    """Say why a mail is ignored; a player's is put before the GM, unless it was taken before."""
    row = mail.row
    bounce = _bounce(batch, mail) if reason == mail.reason else ""
    row.status, row.reason = "ignored", bounce or reason
    if reason == mail.reason and not bounce:
        request = _request(batch, mail, ())
        if not doubtful_mails.take_possible_players(request):
            doubtful_mails.report_ignored(request)
        _tell_gm(request)


def _ignore_strange(batch: _Batch, mail: ReadMail, request: Request) -> bool:
    """Ignore a mail from an unknown address that a program wrote, or that is in a player's name; say if it is one.

    The GM's own words of absence may be meant for a player: the GM is asked.
    """
    mark, row = mail.mark, mail.row
    is_gms = questions.is_gm(batch.app, mail.mail.sender) and mark is not None and mark.reason == BY_WORDS
    is_robots = mark is not None and mark.weight is Weight.LIKELY and not is_gms
    bounce = _bounce(batch, mail) if is_robots else ""
    may_be_claimed = mark is not None or mail.mail.reply_to or senders.is_by_way_of_a_list(mail.mail)
    is_claimed = bool(may_be_claimed) and not bounce and doubtful_mails.take_possible_players(request)
    if is_claimed or is_robots:
        row.status = "ignored"
        row.reason = bounce or (mark.reason if mark else "in a player's name, from another address")
        _tell_gm(request)
    return is_claimed or is_robots


def _takes_the_place(batch: _Batch, mail: ReadMail, earlier: MailIn) -> bool:
    """Whether a mail is to be carried out in place of the same one that waits for proof, or lies in quarantine.

    What came again byte by byte has no better proof and is no easier to read.
    """
    is_newcomers = earlier.status == "waiting" and not earlier.player_id
    if duplicate_mails.had_effect(earlier) or is_newcomers or earlier.raw == mail.row.raw:
        return False
    request = _request(batch, mail, player_queries.players_at(batch.session, mail.mail.sender))
    return earlier.status == "quarantined" or confirmation.is_proven(request)


def _request(batch: _Batch, mail: ReadMail, players: Sequence[Player]) -> Request:
    return Request(app=batch.app, session=batch.session, row=mail.row, mail=mail.mail, players=players,
                    reading=mail.reading, mark=mail.mark, report=today_by_mail, show_mail=mail_by_mail)  # fmt: skip


def _tell_gm(request: Request) -> None:
    if request.for_gm:
        gm_list.send(request.app, request.session, request.for_gm, letters.answered_letter(request))


def _bounce(batch: _Batch, mail: ReadMail) -> str:
    return bounces.take_report(batch.app, batch.session, mail.row.raw, mail.mail)


def _leave_forged(batch: _Batch, mail: ReadMail) -> None:
    """Do nothing that a forged mail asks for. The registered address is told once a day, unless a program wrote it."""
    app, session, row = batch.app, batch.session, mail.row
    row.status, row.reason = "ignored", mail.forged
    if row.message_id in batch.own_ids or (mail.mark and mail.mark.weight is Weight.CERTAIN):
        return
    for player in player_queries.players_at(session, row.sender)[:1]:
        to = recipient(app, session, player)
        received = write_date(row.received_at, app.settings.service.timezone, to.language)
        part = Part(template="forged", context={"received": received, "gm": gm_name(app)})
        rate_limits.send(app, session, Occasion(cause=f"mail:{row.id}", kind="forged", priority=ANSWER), to, [part])


def _take(request: Request, batch: _Batch) -> None:
    """Carry out what somebody's mail asks for, or put it off, or ask the registered address first; then answer."""
    row = request.row
    if doubtful_mails.is_only_a_sign(request):
        row.status, row.reason = "ignored", REACTION
        return
    if doubtful_mails.is_left_to_gm(request):
        doubtful_mails.leave_to_gm(request)
        return
    if _has_to_wait(request):
        unknown_sender.ask_owner(request)  # whose seat a move may be for is asked at once: the round doesn't wait
        row.status, row.reason = mail_queries.PUT_OFF, "too many mails from strangers in this hour"
        return
    if confirmation.is_proven(request):
        carry_out(request)
        if request.players:
            bounces.unmark(request.session, row.sender)
    else:
        confirmation.ask(request)
    if not request.parts and not request.waiting:
        row.status = "ignored"
        reason = request.mark.reason if request.mark else ""
        row.reason = reason or "nothing for us, and this address has had the help lately"
        return
    row.status = request.status
    row.reason = ", ".join(part.name_in_log for part in request.parts) or "waits for the GM, see gm todo"
    if decided := answer(request, batch.answers):
        batch.answers.append(decided)


def _has_to_wait(request: Request) -> bool:
    """Say whether a stranger's mail has to wait: for another hour, or for those that wait already.

    The GM never waits, nor does who answers a question of ours: there are no more of those than we have asked.
    """
    app, session = request.app, request.session
    if request.players or questions.is_gm(app, request.mail.sender):
        return False
    has_room = rate_limits.room_for_strangers(app, session) > 0
    return (not has_room or mail_queries.is_put_off_before(session, request.row)) and not _answers_us(request)


def _answers_us(request: Request) -> bool:
    said = [one.command for one in request.reading.commands]
    return any(isinstance(one, commands.Yes | commands.No) for one in said) and questions.has_read_question(
        request.app, request.session, request.mail, request.players, request.reading.code
    )


def _put_aside(batch: _Batch, mail: ReadMail | UnreadMail, error: Exception) -> None:
    """Put a mail that can't be handled into quarantine. Raises what concerns every mail: trouble with the database."""
    row, said = mail.row, mail.mail.text if isinstance(mail, ReadMail) else ""
    if isinstance(error, MailError | OperatorError) and not isinstance(error, StoreError):
        quarantine.put_aside(batch.app, batch.session, row, _understood(error), said)
        return
    if is_everybodys(error):
        raise error
    log.error("mail %s could not be handled: %s", row.id, described(error), exc_info=error)
    name = type(error).__name__
    quarantine.put_aside(batch.app, batch.session, row, OperatorError(
        f"{name} while handling it; this is a bug",
        de=f"Beim Bearbeiten trat ein Fehler im Programm auf ({name}); bitte melde ihn.",
    ), said)  # fmt: skip


def _understood(error: MailError | OperatorError) -> OperatorError:
    if isinstance(error, OperatorError):
        return error
    return OperatorError(str(error), de=f"So, wie sie ankam, lässt sie sich nicht lesen. Gemeldet ist: »{error}«")


def is_everybodys(error: Exception) -> bool:
    """Say whether an error has nothing to do with the mail at hand."""
    return isinstance(error, StoreError | MemoryError) or is_the_databases_own(error)


def is_the_databases_own(error: Exception) -> bool:
    """Tell a full disk or a lock, which concern every mail, from a value that the tables refuse."""
    return isinstance(error, DBAPIError) and not isinstance(error, IntegrityError | DataError)
