"""What a mail can reach: most are about their sender and the games that they name, and about nothing else.

Several processes handle such mails at the same time, each with a lock on those senders and games.
"""

from collections.abc import Collection
from typing import Final

from sqlmodel import Session, col, select

from gm.store import queries
from gm.store.tables import Address, Game
from parsers import commands
from parsers.grammar import Reading

_OF_A_GAME: Final = (commands.Orders, commands.Withdraw, commands.Wait, commands.Ready, commands.Press)
"""They change something of the game that they name, and of no other."""
_OF_NOTHING: Final = (commands.Status, commands.History, commands.Help, commands.Games)
"""They only ask."""


def games_of(reading: Reading) -> set[str] | None:
    """Name the games that a mail can change; None where it may change anything: other games, players, the house."""
    found = set()
    for said in reading.commands:
        if isinstance(said.command, _OF_A_GAME) and said.command.game:
            found.add(queries.key_of(said.command.game))
        elif not isinstance(said.command, _OF_NOTHING):
            return None
    return found if reading.commands else None


def lock(session: Session, senders: Collection[str], games: Collection[str]) -> bool:
    """Lock senders and running games until the transaction ends; False where there is one that isn't known as such.

    All who do so go by the same order.
    """
    addresses = select(Address.address).where(col(Address.address).in_(senders)).order_by(col(Address.id))
    held = set(session.exec(addresses.with_for_update()))
    running = select(Game.name_key).where(col(Game.name_key).in_(games), Game.status == "running")
    held_games = set(session.exec(running.order_by(col(Game.id)).with_for_update()))
    return held == set(senders) and held_games == set(games)
