"""What has happened last, and what goes on: released closings, running games, free places."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from games import engines
from games.api import say
from gm.archive.edition import Edition
from gm.archive.lists.results import portions
from gm.archive.telling import HEADINGS
from gm.publish.sentences import SENTENCES
from gm.publish.wording import Speaker
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
    game_ids = sorted(set(connection.scalars(sa.select(last.c.game_id))))
    found = [closing for some in portions(game_ids) for closing in _closings(edition, some)
             if closing.slug not in edition.untold]  # fmt: skip
    found.sort(key=lambda one: (one.at, one.slug, one.number), reverse=True)
    return found[:count]


def _closings(edition: Edition, game_ids: Sequence[int]) -> Iterator[Closing]:
    connection = edition.session.connection()
    over = set(connection.scalars(sa.select(col(ArchivedGame.game_id)).where(col(ArchivedGame.game_id).in_(game_ids))))
    games = sa.select(
        col(Game.id), col(Game.name), col(Game.engine), col(Game.turn), col(Game.version), col(Game.status),
        col(Game.created_at),
    ).where(col(Game.id).in_(game_ids))  # fmt: skip
    steps: dict[int, list[_Step]] = {}
    rows = _STEPS.where(col(Turn.game_id).in_(game_ids)).order_by(
        col(Turn.game_id), col(Turn.number), col(Turn.version)
    )
    for row in connection.execute(rows):
        steps.setdefault(row.game_id, []).append(_Step(*row))
    for game in connection.execute(games.order_by(col(Game.id))):
        known = _known(steps.get(game.id, []), game)
        has_result = game.id in over and game.status != "aborted"
        yield from _of_game(edition, game, known, has_result)


def _known(steps: Sequence[_Step], game: Any) -> list[_Step]:
    """Follow the game to where it stands, as its own pages do: of each step the last version, where it was released."""
    standing = {
        step.number: step for step in steps
        if game.turn is not None and step.number <= game.turn
        and (step.number < game.turn or step.version <= game.version)
    }  # fmt: skip
    return [step for _, step in sorted(standing.items()) if step.released_at]


def _of_game(edition: Edition, game: Any, known: Sequence[_Step], has_result: bool) -> Iterator[Closing]:
    before = 0
    found: dict[int, Closing] = {}
    for step in known:
        is_end = has_result and step is known[-1]
        if step.kind == "start" or step.round != before or is_end:
            number = 0 if step.kind == "start" else before
            found[number] = Closing(
                game=game.name, slug=edition.slugs[game.id], title=edition.title(game.engine), number=number,
                heading=heading(edition, game.engine, number), at=step.released_at or step.at, is_end=is_end,
                begun=known[0].at,
            )  # fmt: skip
        before = step.round
    yield from found.values()  # a round 0 belongs to the start, as on its page


def heading(edition: Edition, kind: str, number: int) -> str:
    """Name a round, turn or deal: `Runde 3`; 0 is the start."""
    engine = engines().get(kind)
    code = HEADINGS[engine.rules.unit if engine else "round"] if number else "ARCHIVE_START"
    return Speaker(language=edition.language, wording=SENTENCES, names={}).say(say(code, number=number))


@dataclass(frozen=True, kw_only=True)
class RunningRow:
    """A game under way, for a table."""

    name: str
    slug: str
    title: str
    heading: str
    zat: datetime | None


def running_rows(edition: Edition) -> list[RunningRow]:
    """List the games under way, the next ZAT first."""
    games = sorted(edition.shelf.running, key=lambda game: (game.zat is None, game.zat or game.known_since, game.slug))
    return [
        RunningRow(
            name=game.name, slug=game.slug, title=edition.title(game.kind),
            heading=heading(edition, game.kind, game.round), zat=game.zat,
        )
        for game in games
    ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class VacantRow:
    """A game that waits for players."""

    name: str
    slug: str
    kind: str
    title: str
    free: int | None
    """None where the rules can't be had here."""


def vacant(edition: Edition) -> list[VacantRow]:
    """List the open games with their free places."""
    found = []
    for game in edition.shelf.open:
        engine = engines().get(game.kind)
        free = engine.rules.seats[1] - game.taken if engine else None
        found.append(
            VacantRow(
                name=game.name, slug=game.slug, kind=game.kind, title=edition.title(game.kind), free=free
            )
        )  # fmt: skip
    return found
