"""Fourth step: the one answer to a mail. To whom it goes, whether its address has had too many, and its text."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlmodel import Session

from gm.app.context import App
from gm.messages import rate_limits
from gm.messages.outgoing import ANSWER, Draft, Occasion, Recipient, draft, post, queue, recipient, write
from gm.requests.prose import threads
from gm.requests.request import Request
from gm.service.inbound.time_limit import STEP_SECONDS, time_limit
from gm.store.tables import MailIn


class Answer(NamedTuple):
    """An answer that is decided on and still to be written."""

    row: MailIn
    """The mail that it answers."""
    draft: Draft


class Unwritable(Exception):  # noqa: N818  a way out of the transaction
    """What a mail has brought about, or the answer to it, can't be written."""

    def __init__(self, mail_id: int, cause: Exception) -> None:
        super().__init__()
        self.mail_id, self.cause = mail_id, cause


def answer(request: Request, earlier: Iterable[Answer]) -> Answer | None:
    """Decide on the answer to a mail; `earlier` are the ones of this batch that are still to be written.

    It goes to the registered address. None where there is nothing to say, or where the address has had too many.
    A stranger's is queued at once: the next mail of the batch asks whether that address had the help.
    """
    if not request.parts:
        return None
    app, session, to = request.app, request.session, _recipient(request)
    if threads.has_enough_answers(request):
        request.row.reason += "; not answered: enough mails in this thread"
        return None
    occasion = Occasion(
        cause=f"mail:{request.row.id}", kind=_kind_of(request, to), priority=ANSWER, game=request.game,
        answers=request.row, opens_round=request.shown_position,
    )  # fmt: skip
    if limit := _limit_reached(request, occasion, to, earlier):
        request.row.reason += f"; not answered: {limit.reason}"
        if request.players:
            rate_limits.leave_out(app, session, occasion, to, limit)
        return None
    if not request.players:
        post(app, session, occasion, to, request.parts)
        return None
    return Answer(request.row, draft(app, session, occasion, to, request.parts)) if to.address else None


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


def _limit_reached(
    request: Request, occasion: Occasion, to: Recipient, earlier: Iterable[Answer]
) -> rate_limits.Limit | None:
    """Give the limit that keeps this answer back. One that shows a new position goes out: else nobody could go on."""
    if request.shown_position is not None or request.waiting:
        return None
    drafted = (one.draft.occasion.kind for one in earlier if one.draft.to.address == to.address)
    return rate_limits.reached(request.app, request.session, occasion.kind, to.address, drafted)


def queue_all(app: App, session: Session, answers: Sequence[Answer]) -> None:
    """Write answers and put them into the queue. Raises Unwritable."""
    queue(session, [_written(app, one.row, one.draft) for one in answers])


def _written(app: App, row: MailIn, answer: Draft) -> dict[str, Any]:
    app.stop_signal.check()
    try:
        with time_limit(STEP_SECONDS):
            return write(answer)
    except Exception as error:
        raise Unwritable(row.id, error) from error
