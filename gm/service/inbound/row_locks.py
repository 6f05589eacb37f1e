"""What a mail can reach: most are about their sender and the games that they name, and about nothing else.

Several processes handle such mails at the same time, each with a lock on those senders and games.
"""

from collections.abc import Collection
from typing import Any, Final, Literal, NamedTuple

from sqlmodel import Session, col, select

from gm.store.tables import Address, Game, name_key_of
from parsers.commands import commands
from parsers.commands.grammar import Reading

_OF_A_GAME: Final = (commands.Orders, commands.Withdraw, commands.Wait, commands.Ready, commands.Press)
"""They change something of the game that they name, and of no other."""
_OF_NOTHING: Final = (commands.Status, commands.History, commands.Help, commands.Games)
"""They only ask."""


class Reach(NamedTuple):
    """Addresses of senders, and games by the keys of their names."""

    senders: frozenset[str]
    games: frozenset[str]

    def covers(self, sender: str, games: Collection[str] | None) -> bool:
        """Say whether a mail from there, about these games (None: about anything), reaches no further."""
        return games is not None and sender.lower() in self.senders and self.games.issuperset(games)


def games_of(reading: Reading) -> frozenset[str] | None:
    """Name the games that a mail can change; None where it may change anything: other games, players, the house."""
    found = set()
    for said in reading.commands:
        if isinstance(said.command, _OF_A_GAME) and said.command.game:
            found.add(name_key_of(said.command.game))
        elif not isinstance(said.command, _OF_NOTHING):
            return None
    return frozenset(found) if reading.commands else None


def known(session: Session, wanted: Reach, *, lock: Literal["", "wait", "skip"] = "") -> Reach:
    """Find those of these that are a player's address, and a running game.

    With a lock until the transaction ends; `skip`: but not those that another transaction has locked. All who lock go
    by the same order.
    """
    senders = select(Address.address).where(col(Address.address).in_(wanted.senders)).order_by(col(Address.id))
    games = select(Game.name_key).where(col(Game.name_key).in_(wanted.games), Game.status == "running")

    def found(rows: Any) -> frozenset[str]:
        return frozenset(session.exec(rows.with_for_update(skip_locked=lock == "skip") if lock else rows))

    return Reach(senders=found(senders), games=found(games.order_by(col(Game.id))))
