"""How games ended, as lists show it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import sqlalchemy as sa
from sqlmodel import col

from gm.archive.list_context import ListContext
from gm.archive.list_data.games_by_status import Over, Placed
from gm.store.archive_tables import ArchivedScore
from gm.store.chunks import in_chunks


def with_results(context: ListContext, games: Sequence[Over]) -> list[Over]:
    """Give games with their results."""
    found = _results(context, [game.id for game in games])
    return [replace(game, placed=found.get(game.id, ())) for game in games]


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
