"""How games ended, as lists show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import col

from gm.archive.list_context import ListContext
from gm.archive.list_data.game_kinds import title_of
from gm.archive.list_data.games_by_status import Over, Who
from gm.store.archive_tables import ArchivedScore
from gm.store.chunks import in_chunks


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A player's place in a game."""

    rank: int
    who: Who
    winner: bool
    points: int | None
    guesses: int | None


@dataclass(frozen=True, kw_only=True)
class Ended:
    """A game with its result; without places if it was broken off."""

    name: str
    slug: str
    title: str
    status: str
    at: datetime
    placed: tuple[Placed, ...]
    headline: str = ""

    @property
    def winners(self) -> list[Placed]:
        """Those who have won; nobody where all are even, or none has found out what there was to find out."""
        return [place for place in self.placed if place.winner]


def ended(context: ListContext, games: Sequence[Over]) -> list[Ended]:
    """Give games with their results."""
    found = _results(context, [game.id for game in games])
    return [
        Ended(
            name=game.name, slug=game.slug, title=title_of(game.kind), status=game.status, at=game.ended,
            placed=found.get(game.id, ()),
        )
        for game in games
    ]  # fmt: skip


def _results(context: ListContext, game_ids: Sequence[int]) -> Mapping[int, tuple[Placed, ...]]:
    """Give the standings of games, best first."""
    found: dict[int, tuple[Placed, ...]] = {}
    for some in in_chunks(game_ids):
        rows = sa.select(
            col(ArchivedScore.game_id),
            col(ArchivedScore.rank),
            col(ArchivedScore.player_id),
            col(ArchivedScore.winner),
            col(ArchivedScore.points),
            col(ArchivedScore.guesses),
        ).where(col(ArchivedScore.game_id).in_(some))
        rows = rows.order_by(col(ArchivedScore.game_id), col(ArchivedScore.rank), col(ArchivedScore.seat))
        for game_id, rank, player_id, winner, points, guesses in context.session.connection().execute(rows):
            who = context.who(player_id)
            placed = Placed(rank=rank, who=who, winner=winner, points=points, guesses=guesses)
            found[game_id] = (*found.get(game_id, ()), placed)
    return found
