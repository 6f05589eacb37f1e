"""Mails that are held back for a player's one mail a day: rows of the queue with a status of their own.

Such a row is written as any other, once for its cause. Later it is `queued` as it is, or another mail says what it has
to say: then it is `carried`, and names that mail. Whichever happens is one change of the row, in one transaction.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, or_, select

from gm.app.context import App
from gm.store.queries import player_queries
from gm.store.queries.mail_queries import HELD
from gm.store.tables import MailOut, Player

CARRIED: Final = "carried"


def held_for(session: Session, player_id: int, game_id: int | None = None) -> Sequence[MailOut]:
    """List the mails that are held for a player, about one game or all, in the order in which they were written."""
    rows = select(MailOut).where(MailOut.status == HELD, MailOut.player_id == player_id)
    if game_id is not None:
        rows = rows.where(MailOut.game_id == game_id)
    return session.exec(rows.order_by(col(MailOut.id))).all()


def players_due(session: Session, now: datetime) -> Sequence[int]:
    """List the players whose one mail of the day is due."""
    rows = select(MailOut.player_id).where(MailOut.status == HELD, col(MailOut.next_try) <= now)
    return [player_id for player_id in session.exec(rows.distinct().order_by(col(MailOut.player_id))) if player_id]


def let_go(app: App, session: Session, player: Player, game_id: int | None = None) -> None:
    """Queue what is held for a player as it is, each mail by itself: what is written next comes after it."""
    if player.bundle:
        queue_each(app, session, held_for(session, player.id, game_id))


def queue_each(app: App, session: Session, mails: Sequence[MailOut]) -> None:
    """Queue mails as they were written. To be sent, and to be given up, they have as long as those written now."""
    for mail in mails:
        mail.status, mail.carried_by = "queued", None
        mail.created_at = mail.next_try = app.now()
        session.add(mail)
    session.flush()


def carry(session: Session, mails: Sequence[MailOut], message_id: str) -> None:
    """Note that another mail says what these would have said."""
    for mail in mails:
        mail.status, mail.carried_by = CARRIED, message_id
        session.add(mail)
    session.flush()


def wait_until(session: Session, player_id: int, instant: datetime) -> None:
    """Let what is held for a player come with the mail of the day at another time, but no later than it would have."""
    for mail in held_for(session, player_id):
        mail.next_try = min(mail.next_try, instant)
        session.add(mail)
    session.flush()


def follow_address(session: Session, player: Player) -> None:
    """Let what is held for a player go to the present address."""
    for mail in held_for(session, player.id):
        mail.address = player_queries.address_of(session, player.id)
        session.add(mail)
    session.flush()


def drop(session: Session, player_id: int, why: str) -> None:
    """Drop what is held for a player who wants no mail any more."""
    for mail in held_for(session, player_id):
        take_back(session, mail, why)
    session.flush()


def replace(session: Session, causes: Collection[str], kinds: Collection[str], recipients: Collection[str]) -> None:
    """Drop the held mails about something that a newer mail to the same recipients tells as it is now."""
    rows = select(MailOut).where(
        MailOut.status == HELD, col(MailOut.cause).in_(causes), col(MailOut.kind).in_(kinds),
        col(MailOut.recipient).in_(recipients),
    )  # fmt: skip
    for mail in session.exec(rows).all():
        take_back(session, mail, "replaced before it went out")
    session.flush()


def take_back(session: Session, mail: MailOut, why: str) -> None:
    """Drop a mail that hasn't gone out, and forget that it showed a position."""
    mail.status, mail.opens_round, mail.error = "dropped", None, why
    session.add(mail)


def recall(app: App, session: Session, mails: Sequence[MailOut], why: str) -> None:
    """Drop those of these mails that haven't gone out. What else they, or the mails that carry them, bring stays.

    That is queued again, mail by mail.
    """
    for mail in mails:
        carrier = _carrier(session, mail) if mail.status == CARRIED else mail
        if mail.status == HELD:
            take_back(session, mail, why)
        elif carrier is not None and carrier.status == "queued" and carrier.lease_until is None:
            others = select(MailOut).where(MailOut.status == CARRIED, MailOut.carried_by == carrier.message_id)
            queue_each(app, session, session.exec(others.where(MailOut.player_id == mail.player_id)).all())
            take_back(session, carrier, why)
            take_back(session, mail, why)
    session.flush()


def _carrier(session: Session, mail: MailOut) -> MailOut | None:
    return session.exec(select(MailOut).where(MailOut.message_id == mail.carried_by)).first()


def arrives(statuses: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a mail has one of these statuses, or is carried by one that has."""
    carrier = aliased(MailOut)
    by_it = select(carrier.id).where(
        col(carrier.message_id) == col(MailOut.carried_by), col(carrier.status).in_(statuses)
    )
    return or_(col(MailOut.status).in_(statuses), and_(col(MailOut.status) == CARRIED, by_it.exists()))
