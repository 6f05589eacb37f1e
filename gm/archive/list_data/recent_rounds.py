"""The rounds whose bulletins went out last."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col

from games.api import Language
from gm.archive.list_data.game_kinds import heading_of, title_of
from gm.archive.record import public_steps
from gm.store.chunks import in_chunks
from gm.store.tables import ArchivedGame, Game, Turn

LONGEST: Final = 30
"""Of any list of them."""

WINDOW: Final = 600
"""Steps among which the newest closed rounds are looked for: none that is younger than the last of them is missed."""


@dataclass(frozen=True, kw_only=True)
class ClosedRound:
    """A round whose bulletins went out."""

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
        """The page that shows it."""
        return f"partien/{self.slug}/runde-{self.number}/index.html"


class _Step(NamedTuple):
    """A step without its big columns."""

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


def newest(
    session: Session, slugs: Mapping[int, str], failed: Collection[str], language: Language
) -> list[ClosedRound]:  # fmt: skip
    """List the rounds whose bulletins went out last, newest first.

    `slugs` are the folders of the games by id, `failed` those that are left out.
    """
    connection = session.connection()
    last = sa.select(col(Turn.game_id)).order_by(col(Turn.id).desc()).limit(WINDOW).subquery()
    game_ids = set(connection.scalars(sa.select(last.c.game_id)))
    found = (closed for some in in_chunks(game_ids) for closed in _closed_rounds(connection, slugs, some))
    shown = (closed for closed in found if closed.slug not in failed)
    newest = nlargest(LONGEST, shown, key=lambda one: (one.at, one.slug, one.number))
    return [
        ClosedRound(
            game=one.game.name, slug=one.slug, title=title_of(one.game.engine), number=one.number,
            heading=heading_of(one.game.engine, one.number, language), at=one.at, is_end=one.is_end, begun=one.begun,
        )
        for one in newest
    ]  # fmt: skip


class _Closed(NamedTuple):
    """What a `ClosedRound` is made of. Only a few of many are made."""

    at: datetime
    slug: str
    number: int
    game: Any
    is_end: bool
    begun: datetime


def _closed_rounds(connection: sa.Connection, slugs: Mapping[int, str], game_ids: Sequence[int]) -> Iterator[_Closed]:
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
        yield from _of_game(slugs[game.id], game, steps.get(game.id, []), has_result)


def _of_game(slug: str, game: Any, steps: Sequence[_Step], has_result: bool) -> Iterator[_Closed]:
    known = public_steps.known(steps, game.turn, game.version)
    rounds, _ = public_steps.rounds(known, is_over=has_result)
    for number, closed in rounds.items():
        last = closed[-1]
        yield _Closed(
            at=last.released_at or last.at, slug=slug, number=number, game=game,
            is_end=has_result and last is known[-1], begun=known[0].at,
        )  # fmt: skip
