"""What all players and games are called in the archive, kept by this process.

A name depends only on those before it. So new players and games are added to what is kept; if one of the others has
changed, all names are made again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.app.context import App
from gm.game.people.shown_names import Person, ShownNames
from gm.game.people.slugs import Segments
from gm.store.database import Database
from gm.store.queries import zine_queries
from gm.store.tables import Game, Player

_PLAYERS: Final = sa.select(col(Player.id), col(Player.name), col(Player.name_form)).order_by(col(Player.id))
_GAMES: Final = sa.select(col(Game.id), col(Game.name)).order_by(col(Game.id))


@dataclass(frozen=True, kw_only=True)
class Directory:
    """Players and games by id, with what they are called."""

    people: Mapping[int, Person]
    slugs: Mapping[int, str]
    """Game -> the folder of its pages."""


class _Games:
    """The folders of games, and the names that they were made from."""

    def __init__(self, life: str) -> None:
        self.life = life
        self.names: dict[int, str] = {}
        self.slugs: dict[int, str] = {}
        self.segments = Segments("game")

    def add(self, names: dict[int, str]) -> None:
        """Add the games that are new among these."""
        for game_id in islice(names, len(self.names), None):
            self.slugs[game_id] = self.segments.add(game_id, names[game_id])
        self.names = names


class _People:
    """The names of players, and those that they were made from."""

    def __init__(self, made_for: tuple[str, str]) -> None:
        _, form = self.made_for = made_for
        self.names: dict[int, tuple[str, str]] = {}
        self.cast = ShownNames(form)

    def add(self, names: dict[int, tuple[str, str]]) -> None:
        """Add the players that are new among these."""
        for player_id in islice(names, len(self.names), None):
            self.cast.add(player_id, *names[player_id])
        self.names = names


_games: WeakKeyDictionary[Database, _Games] = WeakKeyDictionary()
_people: WeakKeyDictionary[Database, _People] = WeakKeyDictionary()


def directory(app: App, session: Session) -> Directory:
    """Return the directory as the database is now."""
    return Directory(people=_all_people(app, session).cast.people, slugs=_all_games(app, session).slugs)


def _all_games(app: App, session: Session) -> _Games:
    names = {row.id: row.name for row in session.connection().execute(_GAMES)}
    life, known = zine_queries.zine(session).incarnation, _games.get(app.database)
    if known is None or known.life != life or not _begins_with(names, known.names):
        known = _games[app.database] = _Games(life)
    known.add(names)
    return known


def _all_people(app: App, session: Session) -> _People:
    names = {row.id: (row.name, row.name_form) for row in session.connection().execute(_PLAYERS)}
    made_for = (zine_queries.zine(session).incarnation, app.settings.archive.names)
    known = _people.get(app.database)
    if known is None or known.made_for != made_for or not _begins_with(names, known.names):
        known = _people[app.database] = _People(made_for)
    known.add(names)
    return known


def _begins_with(names: Mapping[int, Any], known: Mapping[int, Any]) -> bool:
    return list(islice(names.items(), len(known))) == list(known.items())


def game_page(app: App, game: Game) -> str:
    """Return the address of a game's page; empty if the archive isn't published."""
    base = app.settings.archive.base_url
    if not base:
        return ""
    games = _games.get(app.database)
    if games is None or game.id not in games.slugs:
        with app.database.read() as session:  # what the present transaction writes may be taken back
            games = _all_games(app, session)
    is_kept = games.names.get(game.id) == game.name
    return f"{base}partien/{games.slugs[game.id] if is_kept else games.segments.next(game.id, game.name)}/"
