"""How the archive shows people and games (a stand-in until the helper's version is merged)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, select

from gm.config import Settings
from gm.store.tables import Game, Player


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody as the archive shows them."""

    id: int
    name: str
    slug: str


def shown_names(session: Session, settings: Settings) -> Mapping[int, Person]:
    """Name all players."""
    found = {}
    for player_id, name in session.exec(select(Player.id, Player.name).order_by(col(Player.id))):
        first, _, rest = name.partition(" ")
        shown = f"{first} {rest[:1]}." if rest else first
        found[player_id] = Person(id=player_id, name=shown, slug=re.sub(r"[^a-z]+", "-", shown.lower()).strip("-"))
    return found


def game_slugs(session: Session) -> Mapping[int, str]:
    """Give each game its folder."""
    return {row[0]: row[1] for row in session.exec(select(Game.id, Game.name_key))}


def masked(text: str, language: str) -> str:
    """Take addresses out of a free text."""
    return re.sub(r"\S+@\S+", "[Adresse]", text)
