"""All games of the house as spectators know of them: those that are over, run, or wait for players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.archive.known import last_known
from gm.archive.names import Person
from gm.archive.public import deadline
from gm.config import Settings
from gm.play.traces import NOBODY
from gm.store.tables import ArchivedGame, Game, Seat, Turn


@dataclass(frozen=True, kw_only=True)
class Who:
    """Somebody as lists name them; who was forgotten has no page."""

    name: str
    slug: str


@dataclass(frozen=True, kw_only=True)
class Over:
    """A game that was played to its end, or broken off."""

    id: int
    name: str
    slug: str
    kind: str
    status: str
    ended: datetime
    year: int
    """Where the house lives."""


@dataclass(frozen=True, kw_only=True)
class Running:
    """A game under way: its round and ZAT as everybody knows them."""

    id: int
    name: str
    slug: str
    kind: str
    round: int
    zat: datetime | None
    known_since: datetime
    """When the bulletin that began its round was released."""


@dataclass(frozen=True, kw_only=True)
class Open:
    """A game that waits for players."""

    name: str
    slug: str
    kind: str
    taken: int


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """All games; those that are over oldest first."""

    over: Sequence[Over]
    running: Sequence[Running]
    open: Sequence[Open]


def local_year(settings: Settings, instant: datetime) -> int:
    """Say in which year something happened, where the house lives."""
    return instant.astimezone(settings.service.timezone).year


def who_is(person: Person) -> Who:
    """Name somebody."""
    return Who(name=person.name, slug="" if person.name == NOBODY else person.slug)


def shelve(session: Session, slugs: Mapping[int, str], settings: Settings) -> Shelf:
    """Look through all games: a few small columns of each."""
    return Shelf(over=_over(session, slugs, settings), running=_running(session, slugs), open=_open(session, slugs))


_OVER = (
    sa.select(col(Game.id), col(Game.name), col(Game.engine), col(Game.status), col(ArchivedGame.ended_at))
    .join(ArchivedGame, col(ArchivedGame.game_id) == col(Game.id))
    .order_by(col(ArchivedGame.ended_at), col(Game.id))
)


def _over(session: Session, slugs: Mapping[int, str], settings: Settings) -> list[Over]:
    return [
        Over(id=one, name=name, slug=slugs[one], kind=kind, status=status, ended=ended,
             year=local_year(settings, ended))
        for one, name, kind, status, ended in session.connection().execute(_OVER)
    ]  # fmt: skip


_UNDER_WAY = (
    sa.select(
        col(Game.id), col(Game.name), col(Game.engine), col(Game.status), col(Game.zat), col(Game.held),
        col(Game.round), col(Turn.at), col(Turn.released_at),
    )
    .join(
        Turn,
        (col(Turn.game_id) == col(Game.id)) & (col(Turn.number) == col(Game.turn))
        & (col(Turn.version) == col(Game.version)),
    )
    .where(~sa.exists().where(col(ArchivedGame.game_id) == col(Game.id)))
    .where(col(Game.status) != "aborted")
    .order_by(col(Game.id))
)  # fmt: skip


def _running(session: Session, slugs: Mapping[int, str]) -> list[Running]:
    """List who plays. A result that waits for the GM isn't known yet, nor is a round that does."""
    found = []
    for one, name, kind, status, zat, held, number, at, released in session.connection().execute(_UNDER_WAY):
        known = last_known(session, one)
        told_zat = zat if released else known.zat if known else None
        found.append(
            Running(
                id=one, name=name, slug=slugs[one], kind=kind, round=known.round if known else number,
                known_since=known.since if known else at, zat=deadline(told_zat, status, held),
            )
        )  # fmt: skip
    return found


def _open(session: Session, slugs: Mapping[int, str]) -> list[Open]:
    taken = sa.select(sa.func.count()).where(col(Seat.game_id) == col(Game.id), col(Seat.until).is_(None))
    rows = sa.select(col(Game.id), col(Game.name), col(Game.engine), taken.correlate(Game).scalar_subquery()).where(
        col(Game.status) == "open"
    )
    return [
        Open(name=name, slug=slugs[one], kind=kind, taken=seats)
        for one, name, kind, seats in session.connection().execute(rows.order_by(col(Game.id)))
    ]
