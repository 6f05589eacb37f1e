"""What a mail asks for is carried out and answered, or the mail is ignored."""

from collections.abc import Sequence

from sqlmodel import Session

from gm.app.context import App
from gm.messages import bounces, gm_list, questions, rate_limits
from gm.messages.outgoing import ANSWER, Occasion, Part, Recipient, gm_name, post, recipient
from gm.messages.rendering.dates import write_date
from gm.reports.gm_mails import today_by_mail
from gm.reports.mail_log import mail_by_mail
from gm.requests import dispatch
from gm.requests.moves import unknown_sender
from gm.requests.prose import answers_in_words, threads
from gm.requests.replies import letters
from gm.requests.request import Request
from gm.requests.sender_check import confirmation, doubtful_mails, duplicate_mails, senders
from gm.service.inbound.read import ReadMail
from gm.store.queries import mail_queries
from gm.store.tables import MailIn, Player
from parsers import commands
from parsers.mime.triage import BY_WORDS, OWN, REACTION, Weight


def carry_out(app: App, session: Session, mail: ReadMail) -> None:
    """Ignore a mail, or carry it out, answer it, and put before the GM what is for the GM. Its row says which."""
    row = mail.row
    players = mail.known.players
    row.player_id = players[0].id if players else None
    _ignore_or_take(app, session, mail)


def _ignore_or_take(app: App, session: Session, mail: ReadMail) -> None:
    """Say in the mail's row why it is ignored; or carry it out, answer it, and put before the GM what is for the GM."""
    row = mail.row
    if mail.forged:
        _leave_forged(app, session, mail)
        return
    reason = mail.reason
    earlier = None if reason and reason.startswith(OWN) else _duplicate_of(session, mail)
    if earlier and not _takes_the_place(app, session, mail, earlier):
        reason = f"the same mail as {earlier.id}"
    if reason is not None:
        _ignore(app, session, mail, reason)
        return
    request = _request(app, session, mail, mail.known.players)
    if not request.players and _ignore_strange(app, session, mail, request):
        return
    answers_in_words.take(request)
    _take(request)
    _tell_gm(request)
    if earlier:
        duplicate_mails.replace(app, session, earlier, row)


def _duplicate_of(session: Session, mail: ReadMail) -> MailIn | None:
    """Find the mail that this one is once more; a list's copy has another From than the one that came straight."""
    head = mail.mail
    is_straight = mail.known.players and not (head.possible_senders or head.reply_to)
    named = mail.known.players if is_straight else senders.possible_writers(session, head)
    writers = {mail.row.sender, *(one.address for player in named for one in player.addresses)}
    return duplicate_mails.find(mail.row, head, mail_queries.may_be_known(session, mail.row, writers), writers)


def _ignore(app: App, session: Session, mail: ReadMail, reason: str) -> None:
    """Say why a mail is ignored; a player's is put before the GM, unless it was taken before."""
    row = mail.row
    bounce = _bounce(app, session, mail) if reason == mail.reason else ""
    row.status, row.reason = "ignored", bounce or reason
    if reason == mail.reason and not bounce:
        request = _request(app, session, mail, ())
        if not doubtful_mails.take_possible_players(request):
            doubtful_mails.report_ignored(request)
        _tell_gm(request)


def _ignore_strange(app: App, session: Session, mail: ReadMail, request: Request) -> bool:
    """Ignore a mail from an unknown address that a program wrote, or that is in a player's name; say if it is one.

    The GM's own words of absence may be meant for a player: the GM is asked.
    """
    mark, row = mail.mark, mail.row
    is_gms = questions.is_gm(app, mail.mail.sender) and mark is not None and mark.reason == BY_WORDS
    is_robots = mark is not None and mark.weight is Weight.LIKELY and not is_gms
    bounce = _bounce(app, session, mail) if is_robots else ""
    may_be_claimed = mark is not None or mail.mail.reply_to or senders.is_by_way_of_a_list(mail.mail)
    is_claimed = bool(may_be_claimed) and not bounce and doubtful_mails.take_possible_players(request)
    if is_claimed or is_robots:
        row.status = "ignored"
        row.reason = bounce or (mark.reason if mark else "in a player's name, from another address")
        _tell_gm(request)
    return is_claimed or is_robots


def _takes_the_place(app: App, session: Session, mail: ReadMail, earlier: MailIn) -> bool:
    """Whether a mail is to be carried out in place of the same one that waits for proof, or lies in quarantine.

    What came again byte by byte has no better proof and is no easier to read.
    """
    is_newcomers = earlier.status == "waiting" and not earlier.player_id
    if duplicate_mails.had_effect(earlier) or is_newcomers or earlier.raw == mail.row.raw:
        return False
    request = _request(app, session, mail, mail.known.players)
    return earlier.status == "quarantined" or confirmation.is_proven(request)


def _request(app: App, session: Session, mail: ReadMail, players: Sequence[Player]) -> Request:
    return Request(
        app=app, session=session, row=mail.row, mail=mail.mail, players=players, reading=mail.reading,
        games=mail.known.games, mark=mail.mark, report=today_by_mail, show_mail=mail_by_mail,
    )  # fmt: skip


def _tell_gm(request: Request) -> None:
    if request.for_gm:
        gm_list.send(request.app, request.session, request.for_gm, letters.answered_letter(request))


def _bounce(app: App, session: Session, mail: ReadMail) -> str:
    return bounces.take_report(app, session, mail.row.raw, mail.mail)


def _leave_forged(app: App, session: Session, mail: ReadMail) -> None:
    """Do nothing that a forged mail asks for. The registered address is told once a day, unless a program wrote it."""
    row = mail.row
    row.status, row.reason = "ignored", mail.forged
    if mail.mark and mail.mark.weight is Weight.CERTAIN:
        return
    for player in mail.known.players[:1]:
        to = recipient(app, session, player)
        received = write_date(row.received_at, app.settings.service.timezone, to.language)
        part = Part(template="forged", context={"received": received, "gm": gm_name(app)})
        rate_limits.send(app, session, Occasion(cause=f"mail:{row.id}", kind="forged", priority=ANSWER), to, [part])


def _take(request: Request) -> None:
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
        dispatch.carry_out(request)
        if request.players:
            bounces.unmark_of(request.session, row.sender, request.players)
    else:
        confirmation.ask(request)
    if not request.parts and not request.waiting:
        row.status = "ignored"
        reason = request.mark.reason if request.mark else ""
        row.reason = reason or "nothing for us, and this address has had the help lately"
        return
    row.status = request.status
    row.reason = ", ".join(part.name_in_log for part in request.parts) or "waits for the GM, see gm todo"
    _answer(request)


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


# -- the answer --------------------------------------------------------------------------------------------------------


def _answer(request: Request) -> None:
    """Queue the answer to a mail, to the registered address; none where that has had too many."""
    if not request.parts:
        return
    app, session, to = request.app, request.session, _recipient(request)
    if threads.has_enough_answers(request):
        request.row.reason += "; not answered: enough mails in this thread"
        return
    occasion = Occasion(
        cause=f"mail:{request.row.id}", kind=_kind_of(request, to), priority=ANSWER, game=request.game,
        answers=request.row, opens_round=request.shown_position,
    )  # fmt: skip
    if limit := _limit_reached(request, occasion, to):
        request.row.reason += f"; not answered: {limit.reason}"
        if request.players:
            rate_limits.leave_out(app, session, occasion, to, limit)
        return
    post(app, session, occasion, to, request.parts)


def _recipient(request: Request) -> Recipient:
    """Address the player at the registered address, a stranger and the GM where the mail came from."""
    app, session, mail = request.app, request.session, request.mail
    if not request.players or request.is_for_gm:
        # The name in From may be anybody's: a forger's words are repeated to nobody.
        service = app.settings.service
        known = {contact.address.lower(): contact.name for contact in (service.gm, service.second_gm) if contact}
        return Recipient(name=known.get(mail.sender, ""), address=mail.sender, language=request.language)
    to = recipient(app, session, request.writer or request.players[0], request.game)
    name = to.name if request.player else ", ".join(player.name for player in request.players)
    return Recipient(name=name, address=to.address, language=request.language, player_id=to.player_id)


def _kind_of(request: Request, to: Recipient) -> str:
    """Name the kind of answer: the help for a stranger, a remark (the mail had no effect), or any other."""
    if not request.players:
        return "help" if request.parts[0].template == "stranger" else "answer"
    row, is_talk = request.row, not request.reading.commands and request.row.reason == "notice"
    is_remark = row.status == "refused" or row.reason == "nothing" or is_talk
    return rate_limits.remark_kind(request.parts, to) if is_remark else "answer"


def _limit_reached(request: Request, occasion: Occasion, to: Recipient) -> rate_limits.Limit | None:
    """Give the limit that keeps this answer back. One that shows a new position goes out: else nobody could go on."""
    if request.shown_position is not None or request.waiting:
        return None
    return rate_limits.reached(request.app, request.session, occasion.kind, to.address)
