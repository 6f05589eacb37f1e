"""For programs: the index of all games, and the schemas of the data."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any, Final

import sqlalchemy as sa
from pydantic import ConfigDict, TypeAdapter
from sqlmodel import col

from games.api import Language
from gm.archive.list_context import ListContext, Page
from gm.archive.list_data.game_kinds import title_of
from gm.archive.record import record
from gm.game.people.shown_names import masked
from gm.store.archive_tables import ArchivedScore

SCHEMA: Final = 1
"""Raised when a name in `index.json` changes its meaning."""

_NAMED: Final = ConfigDict(use_attribute_docstrings=True)


@dataclass(frozen=True, kw_only=True)
class IndexedGame:
    """A game: how it stands, and where its pages and data are. What isn't known is left out."""

    __pydantic_config__ = _NAMED

    partie: str
    """What this game is called."""
    spiel: str
    """The kind of game, by the key of its rules."""
    titel: str
    """What this kind of game is called."""
    status: str
    """`open`, `running`, `provisional` (played, but a word is doubtful), `finished` or `aborted`."""
    seite: str
    """Its page, from the folder of this file."""
    daten: str
    """Its data, from the folder of this file: see partie.schema.json."""
    text: str
    """All of it as plain text."""
    runde: int | None = None
    """The round that is being played, of a running game."""
    zat: datetime | None = None
    """The deadline of a running game, unless its clock stands still."""
    frei: int | None = None
    """How many seats are free, where players are wanted."""
    ende: datetime | None = None
    """When it ended, or was broken off."""
    gewinner: tuple[str, ...] = ()
    """Who has won, as they are called on pages."""


@dataclass(frozen=True, kw_only=True)
class GameIndex:
    """All games of an archive."""

    __pydantic_config__ = _NAMED

    schema: int
    """Raised when a name in this file changes its meaning. New names may come without it."""
    name: str
    """What the archive belongs to."""
    sprache: Language
    """The language of the archive. A game may have another."""
    partien: tuple[IndexedGame, ...]
    """The games, by the folder of their pages."""


@cache
def _adapter() -> TypeAdapter[GameIndex]:
    return TypeAdapter(GameIndex)


def json_schema() -> dict[str, Any]:
    """Describe `index.json` for other programs, as a JSON Schema."""
    return {"$schema": record.DIALECT, **_adapter().json_schema(mode="serialization"), "title": "index.json"}


def pages(context: ListContext) -> Iterator[Page]:
    """Make the index."""
    yield Page(path="index.json", content=partial(_index, context))


def _index(context: ListContext) -> bytes:
    index = GameIndex(
        schema=SCHEMA, name=masked(context.app.settings.service.name, context.language), sprache=context.language,
        partien=tuple(sorted([*_over(context), *_running(context), *_open(context)], key=lambda one: one.seite)),
    )  # fmt: skip
    return _adapter().dump_json(index, exclude_defaults=True).replace(b"<", b"\\u003c") + b"\n"


def _over(context: ListContext) -> Iterator[IndexedGame]:
    winners = _winners(context)
    for one in context.games.over:
        yield _game(one.slug, one.name, one.kind, one.status, ende=one.at, gewinner=winners.get(one.id, ()))


def _running(context: ListContext) -> Iterator[IndexedGame]:
    for one in context.games.running:
        yield _game(one.slug, one.name, one.kind, "running", runde=one.round, zat=one.zat)


def _open(context: ListContext) -> Iterator[IndexedGame]:
    for one in context.games.open:
        yield _game(one.slug, one.name, one.kind, "open", frei=one.free)


def _game(slug: str, name: str, kind: str, status: str, **more: Any) -> IndexedGame:
    folder = f"partien/{slug}"
    return IndexedGame(
        partie=name, spiel=kind, titel=title_of(kind), status=status, seite=f"{folder}/index.html",
        daten=f"{folder}/partie.json", text=f"{folder}/partie.txt", **more,
    )  # fmt: skip


def _winners(context: ListContext) -> dict[int, tuple[str, ...]]:
    """Name the winners of games, by game."""
    rows = sa.select(col(ArchivedScore.game_id), col(ArchivedScore.player_id)).where(col(ArchivedScore.winner))
    found: dict[int, tuple[str, ...]] = {}
    for game_id, player_id in context.session.connection().execute(rows.order_by(col(ArchivedScore.id))):
        found[game_id] = (*found.get(game_id, ()), context.who(player_id).name)
    return found
