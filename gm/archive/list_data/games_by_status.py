"""All games as spectators know them: those that are over, run, or wait for players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import sqlalchemy as sa
import sqlalchemy.orm
from sqlmodel import Session, col

from games import engines
from games.api import Language
from gm.archive.list_data.game_kinds import heading_of, title_of
from gm.archive.record.public_steps import deadline, last_known
from gm.runtime.config.settings import Settings
from gm.store.archive_tables import ArchivedGame
from gm.store.tables import Game, Seat, Turn


@dataclass(frozen=True, kw_only=True)
class Who:
    """A player in a list. `slug` is the folder of their page; empty for who was forgotten."""

    name: str
    slug: str


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A player's place in a game."""

    rank: int
    who: Who
    winner: bool
    points: int | None
    guesses: int | None


@dataclass(frozen=True, kw_only=True)
class Over:
    """A game that was played to its end, or broken off."""

    id: int
    name: str
    slug: str
    kind: str
    status: str
    at: datetime
    """When it ended."""
    year: int
    """In the time zone of the zine."""
    placed: tuple[Placed, ...] = ()
    """Its result, for lists that show it; none if it was broken off."""
    headline: str = ""

    @property
    def title(self) -> str:
        """The kind of game."""
        return title_of(self.kind)

    @property
    def winners(self) -> list[Placed]:
        """Those who have won; nobody where all are even, or none has found out what there was to find out."""
        return [place for place in self.placed if place.winner]


@dataclass(frozen=True, kw_only=True)
class Running:
    """A game under way: its round and ZAT as everybody knows them."""

    id: int
    name: str
    slug: str
    kind: str
    title: str
    round: int
    heading: str
    zat: datetime | None
    known_since: datetime
    """When the bulletin that began its round was released."""
    zat_moves: int
    zat_at: datetime
    """How often the ZAT of the round was another one, and since when it is this one."""


@dataclass(frozen=True, kw_only=True)
class Open:
    """A game that waits for players."""

    name: str
    slug: str
    kind: str
    title: str
    free: int | None
    """Seats; None where the rules aren't installed."""


class GamesByStatus:
    """All games. Each list asks for those that it shows."""

    def __init__(self, session: Session, slugs: Mapping[int, str], settings: Settings) -> None:
        self._session, self._slugs, self._settings = session, slugs, settings

    @cached_property
    def over(self) -> Sequence[Over]:
        """Games that are over, oldest first."""
        return self._over(_OVER.order_by(col(ArchivedGame.ended_at), col(Game.id)))

    def newest(self, count: int) -> Sequence[Over]:
        """The games that ended last, newest first."""
        return self._over(
            _OVER.order_by(col(ArchivedGame.ended_at).desc(), col(ArchivedGame.game_id).desc()).limit(count)
        )

    @cached_property
    def over_by_id(self) -> Mapping[int, Over]:
        """The same, by id."""
        return {game.id: game for game in self.over}

    @cached_property
    def running(self) -> Sequence[Running]:
        """Games under way, the next ZAT first. A result or a round that waits for the GM isn't known yet."""
        games = _running(self._session, self._slugs, self._settings.service.language)
        return sorted(games, key=lambda game: (game.zat is None, game.zat or game.known_since, game.slug))

    @cached_property
    def open(self) -> Sequence[Open]:
        """Games that wait for players."""
        return _open(self._session, self._slugs)

    def _over(self, rows: Any) -> list[Over]:
        return [
            Over(
                id=one, name=name, slug=self._slugs[one], kind=kind, status=status, at=at,
                year=local_year(self._settings, at),
            )
            for one, name, kind, status, at in self._session.connection().execute(rows)
        ]  # fmt: skip


def local_year(settings: Settings, instant: datetime) -> int:
    """Give the year of an instant in the time zone of the zine."""
    return instant.astimezone(settings.service.timezone).year


_OVER: Final = sa.select(
    col(Game.id), col(Game.name), col(Game.engine), col(ArchivedGame.facts)["status"].as_string(),
    col(ArchivedGame.ended_at),
).join(ArchivedGame, col(ArchivedGame.game_id) == col(Game.id))  # fmt: skip

_before = sa.orm.aliased(Turn)
_IS_PLAIN: Final = sa.and_(  # whether everybody knows the last step, and its round began with it
    col(Turn.published_at).is_not(None), col(Turn.kind) != "act", col(Turn.version) == 1,
    ~sa.exists().where(
        col(_before.game_id) == col(Turn.game_id), col(_before.number) == col(Turn.number) - 1,
        col(_before.round) == col(Turn.round),
    ),
)  # fmt: skip
_UNDER_WAY: Final[Any] = (
    sa.select(
        col(Game.id), col(Game.name), col(Game.engine), col(Game.status), col(Game.zat), col(Game.held),
        col(Game.round), col(Turn.at), col(Turn.released_at), col(Turn.published_at),
        col(Turn.round).label("began"), col(Turn.zat_moves), col(Turn.zat_at),
        _IS_PLAIN.label("is_plain"),
    )
    .join(
        Turn,
        (col(Turn.game_id) == col(Game.id)) & (col(Turn.number) == col(Game.turn))
        & (col(Turn.version) == col(Game.version)),
    )
    # A game that has ended but waits for the GM, or whose pages can't be made, is shown as running.
    .where(col(Game.id).not_in(sa.select(col(ArchivedGame.game_id))), col(Game.status).not_in(("open", "aborted")))
    .order_by(col(Game.id))
)  # fmt: skip


def _running(session: Session, slugs: Mapping[int, str], language: Language) -> list[Running]:
    found = []
    for row in session.connection().execute(_UNDER_WAY).all():
        round_, since, zat, status = row.began, row.released_at, row.zat, row.status
        moves, moved_at = row.zat_moves, row.zat_at
        if not row.is_plain:
            known = last_known(session, row.id)
            round_, since = (known.round, known.since) if known else (row.round, row.at)
            moves, moved_at = (known.zat_moves, known.zat_at) if known else (0, None)
            if not row.published_at:
                zat, status = known.zat if known else None, "running"
        found.append(
            Running(
                id=row.id, name=row.name, slug=slugs[row.id], kind=row.engine, title=title_of(row.engine),
                round=round_, heading=heading_of(row.engine, round_, language), known_since=since,
                zat=deadline(zat, status, row.held), zat_moves=moves, zat_at=max(since, moved_at or since),
            )
        )  # fmt: skip
    return found


def _open(session: Session, slugs: Mapping[int, str]) -> list[Open]:
    taken = sa.select(sa.func.count()).where(col(Seat.game_id) == col(Game.id), col(Seat.until).is_(None))
    rows = sa.select(col(Game.id), col(Game.name), col(Game.engine), taken.correlate(Game).scalar_subquery()).where(
        col(Game.status) == "open"
    )
    return [
        Open(name=name, slug=slugs[one], kind=kind, title=title_of(kind), free=_free(kind, seats))
        for one, name, kind, seats in session.connection().execute(rows.order_by(col(Game.id)))
    ]


def _free(kind: str, taken: int) -> int | None:
    engine = engines().get(kind)
    return engine.rules.seats[1] - taken if engine else None
