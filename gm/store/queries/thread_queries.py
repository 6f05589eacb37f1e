"""Queries for mails of ours that others refer to: those that showed a position, and those that were replied to."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from gm.store.tables import Game, MailOut

THREAD_IDS: Final = 20
"""So many of the Message-IDs that a reply refers to are looked up, the last ones."""
END_OF_TIME: Final = datetime(9999, 1, 1, tzinfo=UTC)
LATEST: Final = 40
"""So many of the last mails to somebody are looked at for the latest of each game."""


SEVERAL: Final = "reminders"
"""The kind of a mail that shows the positions of several games, or of several players, and belongs to no game."""


class PositionMail(NamedTuple):
    """A mail of ours that showed a position."""

    message_id: str
    opens_round: int | None
    sent_at: datetime | None
    """When it was accepted for delivery."""


POSITION_MAIL: Final[Sequence[Any]] = [
    col(MailOut.message_id),
    col(MailOut.opens_round),
    col(MailOut.sent_at),
]


_POSITION_MAILS: Final = sa.select(*POSITION_MAIL).where(
    col(MailOut.game_id) == bindparam("game"), col(MailOut.player_id) == bindparam("player"),
    col(MailOut.opens_round).is_not(None),
).order_by(col(MailOut.id))  # fmt: skip


def position_mails(session: Session, game: Game, player_id: int) -> Sequence[PositionMail]:
    """List the mails that showed a player a position of a game: one a round."""
    found = session.connection().execute(_POSITION_MAILS, {"game": game.id, "player": player_id})
    return [PositionMail(*row) for row in found]


def position_sent_at(session: Session, game: Game, player_id: int, opens_round: int) -> datetime | None:
    """Return when the player's mail with this position was accepted for delivery."""
    mails = position_mails(session, game, player_id)
    return min((mail.sent_at for mail in mails if mail.opens_round == opens_round and mail.sent_at), default=None)


def mails_with_position(session: Session, game: Game, player_id: int, opens_round: int) -> Sequence[MailOut]:
    """List the player's mails with this position, whether they have gone out or not."""
    rows = select(MailOut).where(MailOut.game_id == game.id, MailOut.player_id == player_id)
    return session.exec(rows.where(MailOut.opens_round == opens_round)).all()


def references(session: Session, game: Game, player_id: int) -> tuple[str, ...]:
    """Return the Message-IDs that a new mail refers to: the game's first and its latest bulletin for this player."""
    ids = [mail.message_id for mail in position_mails(session, game, player_id)]
    return tuple(dict.fromkeys((*ids[:1], *ids[-1:])))


def is_reply(session: Session, message_id: str, causes: Sequence[str]) -> bool:
    """Return whether a mail answers one of ours that had one of these causes."""
    rows = select(MailOut.id).where(MailOut.message_id == message_id, col(MailOut.cause).in_(causes))
    return bool(message_id and causes) and session.exec(rows).first() is not None


def game_of_thread(session: Session, message_ids: Sequence[str]) -> Game | None:
    """Find the game of the mail of ours that a reply refers to, the latest where it refers to several."""
    known = [message_id for message_id in message_ids[-THREAD_IDS:] if message_id]
    rows = select(Game).join(MailOut).where(col(MailOut.message_id).in_(known)).order_by(col(MailOut.id).desc())
    return session.exec(rows).first() if known else None


def player_of_thread(session: Session, message_ids: Sequence[str]) -> int | None:
    """Return the player to whom the mail of ours went that was replied to."""
    known = [message_id for message_id in message_ids[:1] if message_id]
    rows = select(MailOut.player_id).where(col(MailOut.message_id).in_(known))
    return session.exec(rows).first() if known else None


def mails_of_thread(session: Session, message_ids: Sequence[str], addresses: Collection[str]) -> Sequence[MailOut]:
    """List the mails of ours to one of these addresses that a reply refers to, the latest first."""
    known = [message_id for message_id in message_ids[-THREAD_IDS:] if message_id]
    rows = select(MailOut).where(col(MailOut.message_id).in_(known), col(MailOut.address).in_(addresses))
    return session.exec(rows.order_by(col(MailOut.id).desc())).all() if known else ()


def cause_in_thread(session: Session, message_ids: Sequence[str], kind: str = "") -> str:
    """Return the cause of the mail of this kind, or of any, that was replied to; "" where there is none."""
    known = [message_id for message_id in message_ids[:1] if message_id]
    rows = select(MailOut.cause).where(col(MailOut.message_id).in_(known))
    rows = rows.where(MailOut.kind == kind) if kind else rows
    return (session.exec(rows).first() or "") if known else ""


def players_written_to(session: Session, cause: str, kind: str) -> Sequence[int]:
    """List the players to whom mails with this cause went."""
    rows = select(MailOut.player_id).where(MailOut.cause == cause, MailOut.kind == kind)
    return [player_id for player_id in session.exec(rows.order_by(col(MailOut.id))) if player_id is not None]


def mail_to_player(session: Session, message_id: str, game: Game, player_id: int | None) -> MailOut | None:
    """Return a mail of ours about a game to a player; None where it isn't one."""
    rows = select(MailOut).where(
        MailOut.message_id == message_id, MailOut.game_id == game.id, MailOut.player_id == player_id
    )
    return session.exec(rows).first() if message_id else None


def mail_about_several(session: Session, message_id: str, addresses: Collection[str]) -> MailOut | None:
    """Return a mail of ours to one of these addresses that showed several positions; None where it isn't one."""
    rows = select(MailOut).where(
        MailOut.message_id == message_id, MailOut.kind == SEVERAL, col(MailOut.address).in_(addresses)
    )
    return session.exec(rows).first() if message_id else None


class SentMail(NamedTuple):
    """A mail of ours to somebody."""

    id: int
    subject: str
    raw: bytes | None
    """None: it was deleted."""
    is_in_thread: bool


def _statement() -> sa.Select[int, str, bytes | None, str]:
    is_theirs = col(MailOut.address).in_(bindparam("addresses", expanding=True))
    latest = (
        sa.select(col(MailOut.id), col(MailOut.game_id), col(MailOut.created_at))
        .where(is_theirs, col(MailOut.created_at) < bindparam("before"))
        .order_by(col(MailOut.created_at).desc()).limit(LATEST).subquery()
    )  # fmt: skip
    order = (latest.c.created_at.desc(), latest.c.id.desc())
    place = func.row_number().over(partition_by=latest.c.game_id, order_by=order).label("place")
    placed = sa.select(latest.c.id, place).subquery()
    of_games = sa.select(placed.c.id).where(placed.c.place <= bindparam("of_each"))
    threaded = sa.select(col(MailOut.id)).where(
        col(MailOut.message_id).in_(bindparam("ids", expanding=True)), is_theirs
    )
    columns = (col(MailOut.id), col(MailOut.subject), col(MailOut.raw), col(MailOut.message_id))
    return sa.select(*columns).where(sa.or_(col(MailOut.id).in_(of_games), col(MailOut.id).in_(threaded)))


_MAY_BE_REPEATED: Final = _statement()
"""Built once: building it takes longer than running it."""


def may_be_repeated(
    session: Session, message_ids: Sequence[str], addresses: Collection[str], before: datetime | None, of_each: int
) -> list[SentMail]:
    """List the mails to these addresses that a mail may repeat: those that it refers to, then the latest of each game.

    Of each game they are so many, sent before an instant if one is given.
    """
    known = [message_id for message_id in message_ids[-THREAD_IDS:] if message_id]
    wanted = {"addresses": list(addresses), "ids": known, "before": before or END_OF_TIME, "of_each": of_each}
    found = session.connection().execute(_MAY_BE_REPEATED, wanted)
    mails = [SentMail(mail_id, subject, raw, message_id in known) for mail_id, subject, raw, message_id in found]
    return sorted(mails, key=lambda mail: (not mail.is_in_thread, -mail.id))
