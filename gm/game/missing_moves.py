"""Whose move is missing in the present round, and which mails may hold it: what the GM sees before closing it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, or_, select

from gm.app.context import App
from gm.game import steps
from gm.game.position import position
from gm.players import lookup
from gm.store.queries import mail_queries, question_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Game, MailIn, Player, Question
from parsers.errors import MailError
from parsers.mime.message import read_mail

STATUS: Final = {
    "new": "is not handled yet", "quarantined": "is in quarantine", "waiting": "waits for its sender's word",
}  # fmt: skip
"""The statuses of a mail that nobody has handled to its end."""


@dataclass(frozen=True, kw_only=True)
class Lying:
    """A mail that may hold a move: which one, and what it waits for."""

    mail_id: int
    received: datetime
    why: str


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A seat whose move is missing; without a player nobody sits there."""

    seat: int
    player: str
    mails: Sequence[Lying]


def missing(app: App, session: Session, game: Game, instant: datetime) -> list[Missing]:
    """List the seats whose move is missing at an instant, each with the mails that lie there."""
    at, opened = position(app, session, game), turn_queries.current_turn(session, game).at
    owing = steps.still_owing(session, game, at, sheet_queries.sheets_on_file(session, game, instant))
    owing -= turn_queries.abandoned_seats(session, [game.id]).get(game.id, set())  # the others play on without it
    held = {seat.number: session.get_one(Player, seat.player_id) for seat in seat_queries.seats(session, game)}
    found = []
    for number in sorted(owing):
        player = held.get(number)
        lying = _lying(session, game, number, player, opened, instant) if player else ()
        mails = {one.mail_id: one for one in reversed(list(lying))}  # the first reason is the one that counts
        found.append(Missing(
            seat=number, player=player.name if player else "", mails=[mails[mail_id] for mail_id in sorted(mails)]
        ))  # fmt: skip
    return found


def _lying(
    session: Session, game: Game, seat: int, player: Player, opened: datetime, until: datetime
) -> Iterator[Lying]:
    """Go through the mails of a seat's player that came in between and that something is still to be done about."""
    addresses = lookup.addresses(session, player.id)
    for mail in _put_aside(session, addresses, opened, until):
        yield Lying(mail_id=mail.id, received=mail.received_at, why=STATUS[mail.status])
    kinds = (question_queries.WHICH_PLAYER, question_queries.UNKNOWN_SENDER)
    for question in question_queries.questions_about(session, game, *kinds):
        received = datetime.fromisoformat(question.payload["received"])
        if question.mail_id and seat in question.payload["seats"] and opened < received <= until:
            yield Lying(mail_id=question.mail_id, received=received, why="holds a move, and we asked whose")
    rows = select(Question, MailIn).join(MailIn).where(
        col(Question.answered_at).is_(None), Question.address == "", col(MailIn.received_at) > opened,
        col(MailIn.received_at) <= until,
        or_(Question.player_id == player.id, col(Question.player_id).is_(None) & col(MailIn.sender).in_(addresses)),
    )  # fmt: skip
    for question, mail in session.exec(rows.order_by(col(Question.id))):
        yield Lying(mail_id=mail.id, received=mail.received_at, why=f"waits for you in gm todo ({question.kind})")


def _put_aside(session: Session, addresses: Sequence[str], opened: datetime, until: datetime) -> Iterator[MailIn]:
    """Go through the mails from some addresses that aren't handled, or were put aside, in order of arrival."""
    rows = select(MailIn).where(
        col(MailIn.status).in_(("new", *mail_queries.PUT_ASIDE)), col(MailIn.sender).in_((*addresses, "")),
        col(MailIn.received_at) > opened, col(MailIn.received_at) <= until,
    )  # fmt: skip
    for mail in session.exec(rows.order_by(col(MailIn.received_at), col(MailIn.id))):
        if (mail.sender or _sender(mail.raw)) in addresses:
            yield mail


def _sender(raw: bytes) -> str:
    """Read who wrote a mail that nobody has looked at yet; "" where that can't be read."""
    try:
        return read_mail(raw).sender
    except MailError:
        return ""
