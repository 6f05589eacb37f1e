"""The rounds whose bulletins went out last."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from heapq import nlargest
from typing import Any, Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from sqlmodel import Session, col

from games.api import Language
from gm.archive.layout import phrase
from gm.archive.list_data.game_kinds import heading_of, title_of, unit_of
from gm.archive.record import public_steps
from gm.archive.record.public_steps import STEPS, StepRow
from gm.store.archive_tables import ArchivedGame
from gm.store.chunks import in_chunks
from gm.store.tables import Game, Turn

LONGEST: Final = 300
"""Of any list of them."""

WINDOW: Final = 600
"""Steps among which the newest closed rounds are looked for: none that is younger than the last of them is missed."""


class ClosedRound(NamedTuple):
    """A round whose bulletins went out."""

    at: datetime
    slug: str
    number: int
    game: str
    kind: str
    is_end: bool
    begun: datetime
    language: Language
    """Of the list that it is in."""

    @property
    def title(self) -> str:
        """The kind of game."""
        return title_of(self.kind)

    @property
    def heading(self) -> str:
        """What the round is called."""
        return heading_of(self.kind, self.number, self.language)

    @property
    def path(self) -> str:
        """The page that shows it."""
        return f"partien/{self.slug}/runde-{self.number}/index.html"


def newest(
    session: Session, slugs: Mapping[int, str], failed: Collection[str], language: Language
) -> list[ClosedRound]:  # fmt: skip
    """List the rounds whose bulletins went out last, newest first.

    `slugs` are the folders of the games by id, `failed` those that are left out.
    """
    connection = session.connection()
    last = sa.select(col(Turn.game_id)).order_by(col(Turn.id).desc()).limit(WINDOW).subquery()
    game_ids = set(connection.scalars(sa.select(last.c.game_id)))
    found = (one for some in in_chunks(game_ids) for one in _closed_rounds(connection, slugs, some, language))
    return nlargest(LONGEST, (one for one in found if one.slug not in failed), key=lambda one: one[:3])


def _closed_rounds(
    connection: sa.Connection, slugs: Mapping[int, str], game_ids: Sequence[int], language: Language
) -> Iterator[ClosedRound]:  # fmt: skip
    over = set(connection.scalars(sa.select(col(ArchivedGame.game_id)).where(col(ArchivedGame.game_id).in_(game_ids))))
    games = sa.select(
        col(Game.id), col(Game.name), col(Game.engine), col(Game.turn), col(Game.version), col(Game.status)
    ).where(col(Game.id).in_(game_ids))  # fmt: skip
    steps: dict[int, list[StepRow]] = {}
    rows = STEPS.where(col(Turn.game_id).in_(game_ids)).order_by(col(Turn.game_id), col(Turn.number), col(Turn.version))
    for step in (StepRow(*row) for row in connection.execute(rows)):
        steps.setdefault(step.game_id, []).append(step)
    for game in connection.execute(games.order_by(col(Game.id))):
        has_result = game.id in over and game.status != "aborted"
        yield from _of_game(slugs[game.id], game, steps.get(game.id, []), has_result, language)


def _of_game(
    slug: str, game: Any, steps: Sequence[StepRow], has_result: bool, language: Language
) -> Iterator[ClosedRound]:  # fmt: skip
    known = public_steps.known(steps, game.turn, game.version)
    rounds, _ = public_steps.rounds(known, is_over=has_result)
    for number, closed in rounds.items():
        last = closed[-1]
        yield ClosedRound(
            at=last.released_at or last.at, slug=slug, number=number, game=game.name, kind=game.engine,
            is_end=has_result and last is known[-1], begun=known[0].at, language=language,
        )  # fmt: skip


# -- a day's evaluations of a game, as one line ------------------------------------------------------------------------

Evaluated: TypeAlias = tuple[ClosedRound, str]
"""The last round of a game that was evaluated on a day, and all of them in words: `Start, Runden 1 bis 6`."""


def by_day(newest_first: Sequence[ClosedRound], zone: ZoneInfo, most: int) -> list[list[Evaluated]]:
    """Group rounds by day and game, the latest first: at most so many lines."""
    days: dict[date, dict[str, list[ClosedRound]]] = {}
    for one in newest_first:
        days.setdefault(one.at.astimezone(zone).date(), {}).setdefault(one.slug, []).append(one)
    found, left = [], most
    for of_day in days.values():
        games = [_evaluated(rounds) for rounds in of_day.values()][:left]
        left -= len(games)
        found += [games] if games else []
    return found


def _evaluated(newest_first: Sequence[ClosedRound]) -> Evaluated:
    return newest_first[0]._replace(is_end=any(one.is_end for one in newest_first)), _span(newest_first)


def _span(newest_first: Sequence[ClosedRound]) -> str:
    """Name the rounds of a game from the first to the last; 0 is the start."""
    first = next((one for one in reversed(newest_first) if one.number), newest_first[0])
    last, start = newest_first[0], newest_first[-1]
    if first.number == last.number:
        said = last.heading
    else:
        said = phrase(last.language, "SPAN_" + unit_of(last.kind), first=first.number, last=last.number)
    return said if start.number or not last.number else f"{start.heading}, {said}"
