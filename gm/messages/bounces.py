"""Mails of ours that came back: the address is marked, the GM is told once, and the first mail from there mends it.

Whose a report is says the Message-ID in it, which nobody can guess who hasn't had that very mail. A seat is never lost
by it: bulletins and reminders go on to a marked address, as a full mailbox empties and a server comes up again; only
the digest, which is no part of a game, waits until something has come from there.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select

from gm.app.context import App
from gm.messages import questions
from gm.store.queries import player_queries
from gm.store.query_cache import cached_query
from gm.store.tables import Address, MailOut, Player, Question
from parsers.mime.bounces import Failure, read_bounce
from parsers.mime.message import Mail

TOLD_AGAIN_AFTER: Final = timedelta(days=1)
"""A full mailbox that still sends is mended by each of its mails, and broken by each of ours."""
_ARRIVED: Final = ("sent", "queued", "bounced")
"""What a mail may be when it is said to have come back; a report may be quicker than our note that it was sent."""


def take_report(app: App, session: Session, raw: bytes, mail: Mail) -> str:
    """Note what a report says about a mail of ours; returns why it is ignored, "" where it is about none."""
    bounce = read_bounce(raw, mail)
    out = _mail_meant(session, bounce.message_ids) if bounce else None
    if bounce is None or out is None:
        return ""
    failure = next((one for one in bounce.failures if one.recipient == out.address), bounce.failures[0])
    if not failure.is_final:
        return f"delay of mail o{out.id} to {_to(out, failure)}: {failure.said}; it is still tried there"
    if out.status in _ARRIVED:
        out.status, out.error, out.lease_until = "bounced", failure.said, None
        session.add(out)
    note_return(app, session, out, failure.said)
    return f"bounce of mail o{out.id} to {_to(out, failure)}: {failure.said}"


def _mail_meant(session: Session, message_ids: Sequence[str]) -> MailOut | None:
    """Find the mail: the first that its report names, as that is nearest to the report's own words."""
    rows = session.exec(select(MailOut).where(col(MailOut.message_id).in_(message_ids))).all()
    return min(rows, key=lambda row: message_ids.index(row.message_id), default=None)


def _to(out: MailOut, failure: Failure) -> str:
    passed_on = failure.recipient and failure.recipient != out.address
    return f"{out.address}, passed on to {failure.recipient}" if passed_on else out.address


def note_return(app: App, session: Session, out: MailOut, said: str) -> None:
    """Mark the address of a mail that was refused or came back, and tell the GM if that is news.

    Mails to strangers and to the GM bring nothing: nobody waits for the ones, and the others can't be told that way.
    """
    rows = session.exec(select(Address).where(Address.address == out.address)).all()
    is_news = any(row.bounced_at is None for row in rows) or (not rows and out.player_id is not None)
    for row in rows:
        row.bounced_at, row.bounce = row.bounced_at or app.now(), said
        session.add(row)
    if is_news and not questions.is_gm(app, out.address) and not _was_told(app, session, out.address):
        _tell(app, session, out, said)


def _was_told(app: App, session: Session, address: str) -> bool:
    lately = select(Question).where(
        Question.kind == "undelivered", col(Question.created_at) > app.now() - TOLD_AGAIN_AFTER
    )
    return any(str(one.payload.get("text", "")).startswith(f"{address}: ") for one in session.exec(lately))


def _tell(app: App, session: Session, out: MailOut, said: str) -> None:
    """Put it before the GM, with what mends it: the same mail again, or another address of the player's."""
    here = list(player_queries.players_at(session, out.address))
    players = here or [session.get_one(Player, out.player_id)]
    names = " / ".join(player.name for player in players)
    text = [f"{out.address}: {out.subject}", said]
    offers: list[questions.Offer] = [("mail", "retry", f"o{out.id}"), ("mail", "drop", f"o{out.id}")]
    for player in here:
        others = _others(session, player, out.address)
        offers += [("player", "address", player.name, other) for other in others or ["ADDRESS"]]
        text += [f"{player.name}: {', '.join(others)}"] if others else []
    questions.tell_gm(
        app, session, "undelivered", text="\n".join(text), player=players[0], cause=f"out:{out.id}", out=out,
        offers=offers, names=names,
    )  # fmt: skip


def _others(session: Session, player: Player, address: str) -> list[str]:
    """List the player's addresses that mails may be sent to instead."""
    rows = select(Address.address).where(
        Address.player_id == player.id, Address.address != address, col(Address.bounced_at).is_(None)
    )
    return list(session.exec(rows.order_by(col(Address.id)).limit(3)))


# -- what works again --------------------------------------------------------------------------------------------------


def heard_from(session: Session, address: str) -> None:
    """Take the mark away: a mail of a player's came from there."""
    if address in marked(session):
        for row in session.exec(select(Address).where(Address.address == address)).all():
            row.bounced_at, row.bounce = None, ""
            session.add(row)
        session.flush()


def unmark(session: Session, address: str, since: datetime) -> None:
    """Take marks away that were put since then: it wasn't the address."""
    rows = select(Address).where(Address.address == address, col(Address.bounced_at) >= since)
    for row in session.exec(rows).all():
        row.bounced_at, row.bounce = None, ""
        session.add(row)


@cached_query(Address)
def marked(session: Session) -> frozenset[str]:
    """List the addresses that mails come back from."""
    return frozenset(session.exec(select(Address.address).where(col(Address.bounced_at).is_not(None))))


def returns(session: Session) -> Sequence[tuple[Player, Address]]:
    """List whose mails come back, by name."""
    rows = select(Player, Address).join(Address).where(col(Address.bounced_at).is_not(None))
    return session.exec(rows.order_by(col(Player.name_key), col(Address.id))).all()
