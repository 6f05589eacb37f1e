"""What goes on, as tables of several pages tell it: running games, and those that wait for players."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from games import engines
from gm.archive.list_data.games_by_status import Open, Running


@dataclass(frozen=True, kw_only=True)
class RunningRow:
    """A game under way, for a table."""

    name: str
    slug: str
    title: str
    heading: str
    zat: datetime | None


def running_rows(
    running: Sequence[Running], title: Callable[[str], str], heading: Callable[[str, int], str]
) -> list[RunningRow]:
    """List the games under way, the next ZAT first."""
    games = sorted(running, key=lambda game: (game.zat is None, game.zat or game.known_since, game.slug))
    return [
        RunningRow(
            name=game.name, slug=game.slug, title=title(game.kind), heading=heading(game.kind, game.round), zat=game.zat
        )
        for game in games
    ]


@dataclass(frozen=True, kw_only=True)
class VacantRow:
    """A game that waits for players."""

    name: str
    slug: str
    kind: str
    title: str
    free: int | None
    """None where the rules can't be had here."""


def vacant(waiting: Sequence[Open], title: Callable[[str], str]) -> list[VacantRow]:
    """List the open games with their free places."""
    found = []
    for game in waiting:
        engine = engines().get(game.kind)
        free = engine.rules.seats[1] - game.taken if engine else None
        found.append(
            VacantRow(
                name=game.name, slug=game.slug, kind=game.kind, title=title(game.kind), free=free
            )
        )  # fmt: skip
    return found
