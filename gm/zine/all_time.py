"""The all-time table as it was at the end of an issue's window."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.archive.list_data.games_by_status import Who
from gm.archive.list_pages.all_time_tables import ENOUGH, Line, ranking
from gm.players.personal_data import NOBODY
from gm.players.shown_names import Person
from gm.store.tables import ArchivedGame, ArchivedScore
from gm.zine.window import Printed

MOST: Final = 30
"""Lines of the table."""

_SCORES: Final = (
    sa.select(
        col(ArchivedScore.game_id), col(ArchivedScore.player_id), col(ArchivedScore.rank), col(ArchivedScore.winner)
    )
    .join(ArchivedGame, col(ArchivedGame.game_id) == col(ArchivedScore.game_id))
    .where(col(ArchivedGame.ended_at) < sa.bindparam("until"))
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class AllTime:
    """Who has played enough games, best first: rank, name, games, wins, places in the first three."""

    lines: tuple[tuple[int, str, int, int, int], ...]
    enough: int = ENOUGH


def all_time(
    session: Session, people: Mapping[int, Person], games: Sequence[Printed], until: datetime
) -> AllTime:  # fmt: skip
    """Add up all results. Games that an issue has looked at count as it knows them, the others as they are kept."""
    names: dict[str, str] = {}
    counted: dict[str, list[tuple[int, bool]]] = {}

    def add(name: str, slug: str, rank: int, won: bool) -> None:
        if name != NOBODY:
            names[slug] = name
            counted.setdefault(slug, []).append((rank, won))

    for game in games:
        seats = {seat.seat: seat for seat in game.record.seats}
        for place in game.record.result.standings if game.record.result else ():
            add(seats[place.seat].name, seats[place.seat].person, place.rank, place.winner)
    looked_at = {game.id for game in games}
    for game_id, player_id, rank, won in session.connection().execute(_SCORES, {"until": until}):
        if game_id not in looked_at:
            add(people[player_id].name, people[player_id].slug, rank, won)
    lines = [
        Line(
            who=Who(name=names[slug], slug=slug), games=len(results), wins=sum(won for _, won in results),
            podium=sum(rank <= 3 for rank, _ in results), points=0, pointed=0, best=None, guesses=0, guessed=0, owed=0,
            missed=0,
        )
        for slug, results in counted.items()
    ]  # fmt: skip
    ranked = ranking(lines, "wins").lines[:MOST]
    return AllTime(lines=tuple((rank, one.who.name, one.games, one.wins, one.podium) for rank, one in ranked))
