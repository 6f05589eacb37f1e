"""What has happened last: rounds whose bulletins went out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from gm.archive import public
from gm.store.portions import portions
from gm.store.tables import ArchivedGame, Game, Turn

if TYPE_CHECKING:
    from gm.archive.edition import Edition

LONGEST: Final = 30
"""Of any list of them."""

WINDOW: Final = 600
"""Steps among which the newest closings are looked for: all that are younger than so many are found."""


@dataclass(frozen=True, kw_only=True)
class Closing:
    """A round whose bulletin went out, with the page that tells of it."""

    game: str
    slug: str
    title: str
    number: int
    heading: str
    at: datetime
    is_end: bool
    begun: datetime

    @property
    def path(self) -> str:
        """Where it is told."""
        return f"partien/{self.slug}/runde-{self.number}/index.html"


class _Step(NamedTuple):
    """A step of a game, without what it holds."""

    id: int
    game_id: int
    number: int
    version: int
    kind: str
    round: int
    at: datetime
    released_at: datetime | None
    published_at: datetime | None


_STEPS: Final = sa.select(*(col(getattr(Turn, name)) for name in _Step._fields)).where(col(Turn.undone_at).is_(None))


def newest(edition: "Edition") -> list[Closing]:
    """List the closings whose bulletins went out last, newest first."""
    connection = edition.session.connection()
    last = sa.select(col(Turn.game_id)).order_by(col(Turn.id).desc()).limit(WINDOW).subquery()
    game_ids = set(connection.scalars(sa.select(last.c.game_id)))
    found = (closed for some in portions(game_ids) for closed in _closings(edition, some))
    told = (closed for closed in found if closed.slug not in edition.untold)
    return [_closing(edition, one) for one in nlargest(LONGEST, told, key=lambda one: (one.at, one.slug, one.number))]


class _Closed(NamedTuple):
    """What a closing is made of, as only a few of many are."""

    at: datetime
    slug: str
    number: int
    game: Any
    is_end: bool
    begun: datetime


def _closing(edition: "Edition", one: _Closed) -> Closing:
    kind = one.game.engine
    return Closing(
        game=one.game.name, slug=one.slug, title=edition.title(kind), number=one.number,
        heading=edition.heading(kind, one.number), at=one.at, is_end=one.is_end, begun=one.begun,
    )  # fmt: skip


def _closings(edition: "Edition", game_ids: Sequence[int]) -> Iterator[_Closed]:
    connection = edition.session.connection()
    over = set(connection.scalars(sa.select(col(ArchivedGame.game_id)).where(col(ArchivedGame.game_id).in_(game_ids))))
    games = sa.select(
        col(Game.id), col(Game.name), col(Game.engine), col(Game.turn), col(Game.version), col(Game.status)
    ).where(col(Game.id).in_(game_ids))  # fmt: skip
    steps: dict[int, list[_Step]] = {}
    rows = _STEPS.where(col(Turn.game_id).in_(game_ids)).order_by(
        col(Turn.game_id), col(Turn.number), col(Turn.version)
    )
    for row in connection.execute(rows):
        steps.setdefault(row.game_id, []).append(_Step(*row))
    for game in connection.execute(games.order_by(col(Game.id))):
        has_result = game.id in over and game.status != "aborted"
        yield from _of_game(edition, game, steps.get(game.id, []), has_result)


def _of_game(edition: "Edition", game: Any, steps: Sequence[_Step], has_result: bool) -> Iterator[_Closed]:
    known = public.known(steps, game.turn, game.version)
    rounds, _ = public.rounds(known, is_over=has_result)
    for number, closed in rounds.items():
        last = closed[-1]
        yield _Closed(
            at=last.released_at or last.at, slug=edition.slugs[game.id], number=number, game=game,
            is_end=has_result and last is known[-1], begun=known[0].at,
        )  # fmt: skip
