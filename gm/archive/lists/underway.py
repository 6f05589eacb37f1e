"""What goes on, as tables of several pages tell it: running games, and those that wait for players."""

from dataclasses import dataclass
from datetime import datetime

from games import engines
from gm.archive.edition import Edition


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
            heading=edition.heading(game.kind, game.round), zat=game.zat,
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
