"""What has happened last: rounds whose bulletins went out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from gm.archive import public
from gm.archive.edition import Edition
from gm.store.portions import portions
from gm.store.tables import ArchivedGame, Game, Turn

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


_STEPS: Final = sa.select(*(col(getattr(Turn, name)) for name in _Step._fields)).where(col(Turn.undone_at).is_(None))


def newest(edition: Edition, count: int) -> list[Closing]:
    """List the closings whose bulletins went out last, newest first."""
    connection = edition.session.connection()
    last = sa.select(col(Turn.game_id)).order_by(col(Turn.id).desc()).limit(WINDOW).subquery()
    game_ids = set(connection.scalars(sa.select(last.c.game_id)))
    found = [closing for some in portions(game_ids) for closing in _closings(edition, some)
             if closing.slug not in edition.untold]  # fmt: skip
    found.sort(key=lambda one: (one.at, one.slug, one.number), reverse=True)
    return found[:count]


def _closings(edition: Edition, game_ids: Sequence[int]) -> Iterator[Closing]:
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


def _of_game(edition: Edition, game: Any, steps: Sequence[_Step], has_result: bool) -> Iterator[Closing]:
    known = public.known(steps, game.turn, game.version)
    rounds, _ = public.rounds(known, is_over=has_result)
    for number, closed in rounds.items():
        last = closed[-1]
        yield Closing(
            game=game.name, slug=edition.slugs[game.id], title=edition.title(game.engine), number=number,
            heading=edition.heading(game.engine, number), at=last.released_at or last.at,
            is_end=has_result and last is known[-1], begun=known[0].at,
        )  # fmt: skip
