"""The mails that a player has written. A shared address doesn't show who wrote, and anybody can forge a sender."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row
from sqlmodel import Session, col, or_, select

from gm.commands.sender_check.confirmation import NOBODY_VOUCHED, NOT_THEIRS
from gm.store.chunks import in_chunks
from gm.store.queries import mail_queries
from gm.store.tables import Address, AdvanceMove, MailIn, MailOut, Press, Sheet
from parsers.errors import MailError
from parsers.mime.keys import take_keys
from parsers.mime.message import read_mail

LONGEST: Final = 20_000
"""Characters of a mail's text."""
_LOG: Final = ("id", "received_at", "sender", "subject", "status", "reason", "size", "player_id")


@dataclass(frozen=True, kw_only=True)
class Received:
    """A mail from a player's address."""

    row: Row[Any]
    """What the log says of it, without its bytes."""

    @property
    def is_theirs(self) -> bool:
        """Whether nothing speaks for somebody else as its writer: the words of strangers are repeated to nobody."""
        reason = str(self.row.reason)
        return self.row.status != "waiting" and not reason.startswith((mail_queries.FORGED, NOT_THEIRS, NOBODY_VOUCHED))


def mails_from(session: Session, player_id: int, most: int) -> list[Received]:
    """List the newest mails of a player by age; from a shared address only those with a move or press of theirs.

    So nothing is shown of whom they share it with, or shared it once.
    """
    own, theirs = _own_addresses(session, player_id), _brought(session, player_id)
    rows = select(*(getattr(MailIn, name) for name in _LOG)).where(
        or_(MailIn.player_id == player_id, col(MailIn.sender).in_(own), col(MailIn.id).in_(_ids_brought(player_id)))
    )
    newest = list(reversed(session.execute(rows.order_by(col(MailIn.id).desc()).limit(most)).all()))
    others = _of_others(session, player_id, [row.id for row in newest])
    return [
        Received(row=row) for row in newest
        if row.id in theirs or (row.sender in own and row.player_id in (None, player_id) and row.id not in others)
    ]  # fmt: skip


def _own_addresses(session: Session, player_id: int) -> set[str]:
    """List the addresses that nobody else has."""
    held = set(session.exec(select(Address.address).where(Address.player_id == player_id)).all())
    shared = select(Address.address).where(col(Address.address).in_(held), Address.player_id != player_id)
    return held.difference(session.exec(shared).all())


def _ids_brought(player_id: int) -> Any:
    moves = select(Sheet.mail_id).where(Sheet.player_id == player_id, col(Sheet.mail_id).is_not(None))
    press = select(Press.mail_id).where(Press.player_id == player_id, col(Press.mail_id).is_not(None))
    ahead = select(AdvanceMove.mail_id).where(
        AdvanceMove.player_id == player_id, col(AdvanceMove.mail_id).is_not(None)
    )  # fmt: skip
    return moves.union(press, ahead)


def _brought(session: Session, player_id: int) -> set[int]:
    """List the mails that brought a move or press of a player, and none of anybody else's."""
    mine = {row[0] for row in session.execute(_ids_brought(player_id))}
    return mine - _of_others(session, player_id, sorted(mine))


def _of_others(session: Session, player_id: int, mail_ids: Sequence[int]) -> set[int]:
    """Find the mails among these that brought something of another player's, or were answered to another one."""
    found: set[int] = set()
    for some in in_chunks(mail_ids):
        for table in (Sheet, AdvanceMove, Press):
            rows = select(table.mail_id).where(col(table.mail_id).in_(some), col(table.player_id) != player_id)
            found |= set(session.exec(rows))  # type: ignore[arg-type]
        causes = {f"mail:{mail_id}": mail_id for mail_id in some}
        answered = select(MailOut.cause).where(
            col(MailOut.cause).in_(causes), col(MailOut.player_id).is_not(None), MailOut.player_id != player_id
        )
        found |= {causes[cause] for cause in session.exec(answered)}
    return found


def text_of(session: Session, mail: Received) -> str | None:
    """Read the text of a mail again, without the keys in it; None where it is gone or can't be read."""
    raw = session.exec(select(MailIn.raw).where(MailIn.id == mail.row.id)).one()
    if not raw:
        return None
    try:
        read = read_mail(raw)
    except MailError:
        return None
    written = "\n\n".join(read.texts)
    if not written and read.html:
        from parsers.mime.markup import html_text  # takes 45 ms to load

        written = html_text(read.html)
    return take_keys(written)[0][:LONGEST]
