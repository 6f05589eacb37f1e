"""Queries for players and their addresses."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, col, select

from gm.store.query_cache import cached_query
from gm.store.tables import Address, Game, Player, Question, Seat, Standby, Vacation
from parsers.addresses import mailbox_of
from parsers.invisible import fold_name

NOBODY: Final = "N. N."
"""How somebody is called who was forgotten."""


def player_named(session: Session, name: str) -> Player | None:
    """Find a player by name."""
    return session.exec(select(Player).where(Player.name_key == fold_name(name))).first()


def players_at(session: Session, address: str) -> Sequence[Player]:
    """List who writes from an address."""
    return players_at_lower(session, address.lower())


@cached_query(Address, Player)
def players_at_lower(session: Session, address: str) -> Sequence[Player]:
    """List who writes from an address in lower case."""
    held = select(Address.player_id).where(Address.address == address)
    return session.exec(select(Player).where(col(Player.id).in_(held)).order_by(col(Player.id))).all()


def known_address(session: Session, address: str) -> str:
    """Return how we write to the mailbox of an address: as its player gave it, else as we wrote there before.

    At Gmail one mailbox has many spellings; all other addresses are returned as they are.
    """
    mailbox = mailbox_of(address)
    if mailbox == address and not address.endswith("@gmail.com"):
        return address
    for table in (Address, Question):
        held = select(table.address).where(col(table.address).contains("mail.com")).order_by(col(table.id))
        spellings = [one for one in session.exec(held) if mailbox_of(one) == mailbox]
        if spellings:
            return address if address in spellings else spellings[0]
    return address


@cached_query(Address)
def address_of(session: Session, player_id: int) -> str:
    """Return the address at which a player gets mail, "" for none."""
    rows = select(Address.address).where(Address.player_id == player_id).order_by(col(Address.id))
    return session.exec(rows).first() or ""


def is_by_post(session: Session, player: Player) -> bool:
    """Return whether a player has no mail address: what we write goes to the GM, who prints it."""
    return player.name != NOBODY and not address_of(session, player.id)


@cached_query(Address, Seat, per_game=True)
def sharing_an_address(session: Session, game: Game) -> set[int]:
    """Find the players of a game who have an address in common with another one of it."""
    sitting = sa.select(col(Seat.player_id)).where(col(Seat.game_id) == game.id, col(Seat.until).is_(None))
    rows = sa.select(col(Address.address), col(Address.player_id)).where(col(Address.player_id).in_(sitting))
    return with_a_common_address((address, player_id) for address, player_id in session.connection().execute(rows))


def with_a_common_address(addresses: Iterable[tuple[str, int]]) -> set[int]:
    """Find the players who have an address in common with another one, from all addresses with their players."""
    at: dict[str, set[int]] = {}
    for address, player_id in addresses:
        at.setdefault(address, set()).add(player_id)
    return {player_id for players in at.values() if len(players) > 1 for player_id in players}


def standby_list(session: Session, engine: str | None = None) -> Sequence[tuple[Standby, Player]]:
    """List standbys in their order, for one kind of game where it is named."""
    rows = select(Standby, Player).join(Player).order_by(col(Standby.id))
    if engine is not None:
        rows = rows.where(col(Standby.engine).in_(["", engine]))
    return session.exec(rows).all()


def vacations(session: Session, player_ids: Sequence[int], since: date) -> Sequence[Vacation]:
    """List the vacations of players that aren't over on a day."""
    rows = select(Vacation).where(col(Vacation.player_id).in_(player_ids), col(Vacation.last) >= since)
    return session.exec(rows.order_by(col(Vacation.first), col(Vacation.id))).all()


def away_on(session: Session, player_ids: Sequence[int], day: date) -> dict[int, Vacation]:
    """Find the vacation of each of these players who is away on a day."""
    return {one.player_id: one for one in vacations(session, player_ids, day) if one.first <= day}


def addresses(session: Session, player_id: int) -> list[str]:
    """List a player's addresses; the first one gets our mails."""
    rows = select(Address.address).where(Address.player_id == player_id)
    return list(session.exec(rows.order_by(col(Address.id))))
