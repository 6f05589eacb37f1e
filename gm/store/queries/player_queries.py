"""Queries for players and their addresses."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.orm import joinedload, selectinload
from sqlmodel import Session, col, func, select

from gm.store.chunks import in_chunks
from gm.store.tables import Address, Game, Player, Question, Standby, Vacation
from parsers.addresses import mailbox_of
from parsers.invisible import fold_name

NOBODY: Final = "N. N."
"""How somebody is called who was forgotten."""
_addresses: Final[Any] = Player.addresses


def player_named(session: Session, name: str) -> Player | None:
    """Find a player by name."""
    return session.exec(select(Player).where(Player.name_key == fold_name(name))).first()


_AT: Final = (
    select(Player)
    .where(col(Player.id).in_(select(Address.player_id).where(Address.address == bindparam("address"))))
    .options(joinedload(_addresses))
    .order_by(col(Player.id))
)  # fmt: skip


def players_at(session: Session, address: str) -> Sequence[Player]:
    """List who writes from an address, with all their addresses."""
    return session.exec(_AT, params={"address": address.lower()}).unique().all()


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


def address_of(session: Session, player_id: int) -> str:
    """Return the address at which a player gets mail, "" for none."""
    found = session.get_one(Player, player_id).addresses
    return found[0].address if found else ""


def is_unreachable(player: Player) -> bool:
    """Return whether mails to a player come back."""
    return any(address.bounced_at for address in player.addresses[:1])


def is_by_post(session: Session, player: Player) -> bool:
    """Return whether a player has no mail address: what we write goes to the GM, who prints it."""
    return player.name != NOBODY and not address_of(session, player.id)


_ADDRESSES: Final = sa.select(col(Address.address), col(Address.player_id)).where(
    col(Address.player_id).in_(bindparam("players", expanding=True))
)  # fmt: skip


def sharing_an_address(session: Session, game: Game) -> set[int]:
    """Find the players of a game who have an address in common with another one of it."""
    sitting = [seat.player_id for seat in game.seats if seat.until is None]
    rows = session.connection().execute(_ADDRESSES, {"players": sitting}).all()
    used = Counter(address for address, _ in rows)
    return {player_id for address, player_id in rows if used[address] > 1}


def all_sharing_an_address(session: Session) -> frozenset[int]:
    """Find all players who have an address in common with another one."""
    shared = select(Address.address).group_by(Address.address).having(func.count() > 1)
    return frozenset(session.exec(select(Address.player_id).where(col(Address.address).in_(shared))))


def players_by_id(session: Session, player_ids: Collection[int]) -> list[Player]:
    """Load players by age. The session knows them, and their addresses, while somebody holds them."""
    found: list[Player] = []
    for ids in in_chunks(player_ids):
        rows = select(Player).where(col(Player.id).in_(ids)).options(selectinload(_addresses))
        found += session.exec(rows.order_by(col(Player.id))).all()
    return found


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
