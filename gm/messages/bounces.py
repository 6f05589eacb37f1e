"""Mails of ours that came back: the address is marked, and the GM is told once. A mail from there takes the mark away.

Which mail came back is found by the Message-ID in the report. Nobody can guess it who hasn't had that very mail.

No seat is lost by a mark. Bulletins and reminders still go to the address, as a full mailbox empties and a server comes
up again. Only the digest, which is no part of a game, waits until a mail has come from there.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlmodel import Session, col, select

from gm.app.context import App
from gm.messages import gm_list, questions
from gm.messages.questions import About
from gm.store.queries import game_queries, player_queries
from gm.store.tables import Address, MailOut, Player, Question
from parsers.mime.message import Mail

if TYPE_CHECKING:
    from parsers.mime.bounces import Failure

TOLD_AGAIN_AFTER: Final = timedelta(days=1)
"""A full mailbox that still sends is unmarked by each of its mails, and marked again by each of ours."""
_ARRIVED: Final = ("sent", "queued", "bounced")
"""The statuses that a returned mail may have. A report may come before we have noted that the mail was sent."""


def take_report(app: App, session: Session, raw: bytes, mail: Mail) -> str:
    """Note what a report says about a mail of ours; returns that in words, "" if it is about none of ours."""
    from parsers.mime.bounces import read_bounce  # with many patterns, which a pass without mails doesn't need

    bounce = read_bounce(raw, mail)
    out = _mail_meant(session, bounce.message_ids) if bounce else None
    if bounce is None or out is None:
        return ""
    failure = next((one for one in bounce.failures if one.recipient == out.address), bounce.failures[0])
    if not failure.is_final:
        return f"delay of mail o{out.id} to {_to(out, failure)}: {failure.said}; it is still tried there"
    if out.status in _ARRIVED:
        out.status, out.error, out.sending = "bounced", failure.said, False
        session.add(out)
    mark_returned(app, session, out, failure.said)
    return f"bounce of mail o{out.id} to {_to(out, failure)}: {failure.said}"


def _mail_meant(session: Session, message_ids: Sequence[str]) -> MailOut | None:
    """Find the mail that a report is about: the first one it names, as that is nearest to the report's own words."""
    rows = session.exec(select(MailOut).where(col(MailOut.message_id).in_(message_ids))).all()
    return min(rows, key=lambda row: message_ids.index(row.message_id), default=None)


def _to(out: MailOut, failure: "Failure") -> str:
    passed_on = failure.recipient and failure.recipient != out.address
    return f"{out.address}, passed on to {failure.recipient}" if passed_on else out.address


def mark_returned(app: App, session: Session, out: MailOut, said: str) -> None:
    """Mark the address of a mail that was refused or came back, and tell the GM if that is news.

    The GM isn't told about mails to strangers, which nobody waits for, nor about mails to the GM, which don't arrive.
    """
    rows = session.exec(select(Address).where(Address.address == out.address)).all()
    is_news = any(row.bounced_at is None for row in rows) or (not rows and out.player_id is not None)
    for row in rows:
        row.bounced_at, row.bounce = row.bounced_at or app.now(), said
        session.add(row)
    if is_news and not questions.is_gm(app, out.address) and not _was_told(app, session, out.address):
        _tell_gm(app, session, out, said)


def _was_told(app: App, session: Session, address: str) -> bool:
    lately = select(Question).where(
        Question.kind == "undelivered", col(Question.created_at) > app.now() - TOLD_AGAIN_AFTER
    )
    return any(str(one.payload.get("text", "")).startswith(f"{address}: ") for one in session.exec(lately))


def _tell_gm(app: App, session: Session, out: MailOut, said: str) -> None:
    """Tell the GM, and offer what may help: to send it again, another address, or the seat of an open game freed."""
    here = list(player_queries.players_at(session, out.address))
    players = here or [session.get_one(Player, out.player_id)]
    names = " / ".join(player.name for player in players)
    text = [f"{out.address}: {out.subject}", said]
    offers: list[gm_list.Offer] = [("mail", "retry", f"o{out.id}"), ("mail", "drop", f"o{out.id}")]
    for player in here:
        others = _other_addresses(session, player, out.address)
        offers += [("player", "address", player.name, other) for other in others or ["ADDRESS"]]
        text += [f"{player.name}: {', '.join(others)}"] if others else []
        seated = game_queries.games_of_players(session, [player.id], ("open",))
        offers += [("standby", game.name, player.name, "--none") for game in seated]
    about = About(sent=out, player=players[0], cause=f"out:{out.id}")
    gm_list.tell(app, session, "undelivered", "\n".join(text), about, offers, names)


def _other_addresses(session: Session, player: Player, address: str) -> list[str]:
    """List the player's addresses that mails may be sent to instead."""
    rows = select(Address.address).where(
        Address.player_id == player.id, Address.address != address, col(Address.bounced_at).is_(None)
    )
    return list(session.exec(rows.order_by(col(Address.id)).limit(3)))


# -- what works again --------------------------------------------------------------------------------------------------


def unmark(session: Session, address: str, since: datetime | None = None) -> None:
    """Take the mark of an address away; with `since` only one that was put then or later."""
    if address in marked(session):
        for row in session.exec(select(Address).where(Address.address == address)).all():
            if row.bounced_at and (since is None or row.bounced_at >= since):
                row.bounced_at, row.bounce = None, ""
                session.add(row)
        session.flush()


def unmark_of(session: Session, address: str, players: Sequence[Player]) -> None:
    """Take the mark of an address away from which these players write, if it has one."""
    if any(row.bounced_at for player in players for row in player.addresses if row.address == address):
        unmark(session, address)


def marked(session: Session) -> frozenset[str]:
    """List the addresses that mails come back from."""
    return frozenset(session.exec(select(Address.address).where(col(Address.bounced_at).is_not(None))))


def unreachable(session: Session) -> Sequence[tuple[Player, Address]]:
    """List the players whose mails come back, by name, with the address."""
    rows = select(Player, Address).join(Address).where(col(Address.bounced_at).is_not(None))
    return session.exec(rows.order_by(col(Player.name_key), col(Address.id))).all()
