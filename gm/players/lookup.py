"""Finding a player: by name, with all addresses, with the names from before."""

import json
from collections.abc import Sequence
from difflib import get_close_matches

from sqlmodel import Session, col, select

from gm.runtime.errors import Refused
from gm.store.queries import meta_queries, player_queries
from gm.store.tables import Address, Player, name_key_of


def known(session: Session) -> Sequence[Player]:
    """List everybody who isn't forgotten, by name."""
    rows = select(Player).where(col(Player.id).in_(select(Address.player_id)))
    return session.exec(rows.order_by(col(Player.name_key))).all()


def named(session: Session, name: str) -> Player:
    """Find a player by name, in any case. Raises Refused with the nearest one."""
    player = player_queries.player_named(session, name)
    if player is None:
        raise Refused(f"There is no player '{name}'. {_hint(session, name)}")
    return player


def _hint(session: Session, name: str) -> str:
    by_key = {player.name_key: player.name for player in known(session)}
    if not by_key:
        return "There are none yet; `gm join` seats one, and players sign up by mail."
    near = get_close_matches(name_key_of(name), by_key, 1)
    meant = f"Did you mean {by_key[near[0]]}? " if near else ""
    there_are = "There is 1 player" if len(by_key) == 1 else f"There are {len(by_key)} players"
    return f"{meant}{there_are}; see `gm players`."


def reachable(session: Session, name: str) -> Player:
    """Find a player who isn't forgotten. Raises Refused."""
    player = named(session, name)
    if not player_queries.address_of(session, player.id):
        raise Refused(f"{player.name} was forgotten; nothing but the moves and results is left.")
    return player


def addresses(session: Session, player_id: int) -> list[str]:
    """List a player's addresses; the first one gets our mails."""
    rows = select(Address.address).where(Address.player_id == player_id)
    return list(session.exec(rows.order_by(col(Address.id))))


def former_key(player_id: int) -> str:
    """Say under which key of `meta` a player's former names stand."""
    return f"former names:{player_id}"


def former_names(session: Session, player_id: int) -> list[str]:
    """List the names that a player had before: old mails hold them, so forgetting must know them."""
    kept: list[str] = json.loads(meta_queries.get_meta(session, former_key(player_id)) or "[]")
    return kept
