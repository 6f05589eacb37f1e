"""What a mail can change: most are about their sender and the games that they name, and about nothing else.

Several processes handle such mails at the same time, each with a lock on those senders and games.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from sqlmodel import Session, col, select

from gm.service.inbound.read import ReadMail, UnreadMail
from gm.store.tables import Address, Game, name_key_of
from parsers.commands import commands

_OF_A_GAME: Final = (
    commands.Orders, commands.Advance, commands.Withdraw, commands.Wait, commands.Ready, commands.Press,
)  # fmt: skip
"""They change something of the game that they name, and of no other."""
_OF_NOTHING: Final = (commands.Status, commands.History, commands.Help, commands.Games)
"""They only ask."""


class Reach(NamedTuple):
    """Addresses of senders, and games by the keys of their names."""

    senders: frozenset[str]
    games: frozenset[str]

    def covers(self, mail: ReadMail | UnreadMail) -> bool:
        """Say whether a mail is from one of these senders and can change nothing but these games."""
        games = _games_of(mail)
        return games is not None and mail.row.sender.lower() in self.senders and self.games >= games


def reach_of(mails: Sequence[ReadMail | UnreadMail]) -> Reach:
    """Name the senders of mails and the games that they can change, as far as these are known by name."""
    games = frozenset[str]().union(*(_games_of(mail) or () for mail in mails))
    return Reach(senders=frozenset(mail.row.sender.lower() for mail in mails), games=games)


def _games_of(mail: ReadMail | UnreadMail) -> frozenset[str] | None:
    """Name the games that a mail can change; None where it may change anything: other games, players, the zine."""
    if isinstance(mail, UnreadMail) or mail.reason or not mail.reading.commands:
        return None
    found = set()
    for said in mail.reading.commands:
        if isinstance(said.command, _OF_A_GAME) and said.command.game:
            found.add(name_key_of(said.command.game))
        elif not isinstance(said.command, _OF_NOTHING):
            return None
    return frozenset(found)


def known(session: Session, wanted: Reach, *, lock: Literal["", "wait", "skip"] = "") -> Reach:
    """Find which of these senders are players, and which of these games are running.

    With `lock` their rows stay locked until the transaction ends; `skip` leaves out those that another transaction has
    locked. Everybody locks in the same order.
    """
    senders = select(Address.address).where(col(Address.address).in_(wanted.senders)).order_by(col(Address.id))
    games = select(Game.name_key).where(col(Game.name_key).in_(wanted.games), Game.status == "running")

    def found(rows: Any) -> frozenset[str]:
        return frozenset(session.exec(rows.with_for_update(skip_locked=lock == "skip") if lock else rows))

    return Reach(senders=found(senders), games=found(games.order_by(col(Game.id))))
