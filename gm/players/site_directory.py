"""What all players and games are called in the archive, kept by a process: a closing asks for those that are new.

A name hangs on those before it alone. So it takes all of them once, and again when one of them isn't what it was.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.app.context import App
from gm.players.shown_names import Cast
from gm.players.slugs import Segments
from gm.store.database import Database
from gm.store.queries import meta_queries
from gm.store.tables import Game, Player

LATELY: Final = 50
"""So many of the last are looked at again: processes that share a database may commit theirs in another order."""

_PLAYERS: Final = sa.select(col(Player.id), col(Player.name), col(Player.name_form)).order_by(col(Player.id))
_GAMES: Final = sa.select(col(Game.id), col(Game.name)).order_by(col(Game.id))


@dataclass(frozen=True, kw_only=True)
class Directory:
    """Players and games by id, with what they are called."""

    cast: Cast
    slugs: Mapping[int, str]
    """Game -> the folder of its pages."""
    is_other: bool
    """Whether somebody is called otherwise than this process thought at the look before."""


class _Named(Protocol):
    """Rows by id, with what somebody is called after them."""

    life: str
    seen: "_Seen"

    def take_in(self, session: Session) -> bool:
        """Name those who are new; False where it has to be begun anew."""

    def names(self) -> Mapping[int, object]:
        """Say what all are called."""


N = TypeVar("N", bound=_Named)


@dataclass
class _Seen:
    """The rows of a table by id, as they were when somebody was named after them."""

    rows: dict[int, Sequence[Any]] = field(default_factory=dict)
    ids: list[int] = field(default_factory=list)

    def news(self, session: Session, rows: Any, key: Any) -> list[Sequence[Any]] | None:
        """Ask for rows that are new; None where one comes too late, or has changed since."""
        if self.ids:
            rows = rows.where(key >= self.ids[-LATELY:][0])
        return self._new(tuple(row) for row in session.connection().execute(rows))

    def _new(self, rows: Iterable[Sequence[Any]]) -> list[Sequence[Any]] | None:
        new: list[Sequence[Any]] = []
        for number, *values in rows:
            if number not in self.rows:
                if self.ids and number < self.ids[-1]:
                    return None
                new.append((number, *values))
                self.rows[number] = values
                self.ids.append(number)
            elif self.rows[number] != values:
                return None
        return new


class _Games:
    def __init__(self, life: str) -> None:
        self.life, self.seen = life, _Seen()
        self.slugs: dict[int, str] = {}
        self.segments = Segments("game")

    def take_in(self, session: Session) -> bool:
        new = self.seen.news(session, _GAMES, col(Game.id))
        for game_id, name in new or ():
            self.slugs[game_id] = self.segments.add(game_id, name)
        return new is not None

    def names(self) -> Mapping[int, object]:
        return self.slugs


class _People:
    def __init__(self, life: str, secret: str, house: str) -> None:
        self.life, self.seen = life, _Seen()
        self.cast = Cast(secret, house)

    def take_in(self, session: Session) -> bool:
        new = self.seen.news(session, _PLAYERS, col(Player.id))
        for player_id, name, form in new or ():
            self.cast.add(player_id, name, form)
        return new is not None

    def names(self) -> Mapping[int, object]:
        return self.cast.people


_games: WeakKeyDictionary[Database, _Games] = WeakKeyDictionary()
_people: WeakKeyDictionary[Database, _People] = WeakKeyDictionary()


def directory(app: App, session: Session, *, anew: bool = False) -> Directory:
    """Give the directory as it is at this look; `anew`: trust nothing of what this process has seen."""
    life, secret, house = meta_queries.restore_times(session), meta_queries.secret(session), app.settings.archive.names
    games, is_moved = _up_to_date(app, session, _games, _Games(life), anew)
    people, is_renamed = _up_to_date(app, session, _people, _People(f"{life} {secret} {house}", secret, house), anew)
    return Directory(cast=people.cast, slugs=games.slugs, is_other=is_moved or is_renamed)


def _up_to_date(
    app: App, session: Session, kept: WeakKeyDictionary[Database, N], new: N, anew: bool
) -> tuple[N, bool]:  # fmt: skip
    known = kept.get(app.database)
    if known is not None and known.life == new.life and not anew and known.take_in(session):
        return known, False
    new.take_in(session)
    kept[app.database] = new
    return new, known is not None and not known.names().items() <= new.names().items()


def game_page(app: App, game: Game) -> str:
    """Give the address of a game's page; empty where the archive isn't published."""
    base = app.settings.archive.base_url
    if not base:
        return ""
    games = _games.get(app.database)
    if games is None or game.id not in games.slugs:
        with app.database.read() as session:  # what this transaction writes may be taken back
            games, _ = _up_to_date(app, session, _games, _Games(meta_queries.restore_times(session)), False)
    is_kept = games.seen.rows.get(game.id) == [game.name]
    return f"{base}partien/{games.slugs[game.id] if is_kept else games.segments.next(game.id, game.name)}/"
