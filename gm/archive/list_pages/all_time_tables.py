"""The all-time tables, over all games and of each kind, and the records."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlmodel import col

from games.api import Language
from gm.archive.list_context import ListContext, Page, html
from gm.archive.list_data.game_kinds import by_title, title_of
from gm.archive.list_data.games_by_status import Who
from gm.archive.list_data.numbers import decimal, percent
from gm.archive.list_pages.records import KEPT, record_tables
from gm.store.archive_tables import ArchivedScore
from gm.store.tables import Game

ENOUGH: Final = 3
"""Games that it takes to be ranked, and for a kind to have records."""
LONGEST: Final = 200
"""Lines of a table; the others have their figures on pages of their own."""
ORDERS: Final = {"average": "", "wins": "siege/", "best": "bestwert/"}
"""What a kind's tables are sorted by, and the folder of each."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """The results of a player, in a kind of game or in all."""

    who: Who
    games: int
    wins: int
    podium: int
    points: int = 0
    pointed: int = 0
    """In how many games there were points."""
    best: int | None = None
    guesses: int = 0
    guessed: int = 0
    """In how many games there were guesses."""
    owed: int = 0
    missed: int = 0

    def average(self, language: Language) -> str:
        """Write the mean of the points."""
        return decimal(self.points, self.pointed, language)

    def guessing(self, language: Language) -> str:
        """Write the mean number of guesses."""
        return decimal(self.guesses, self.guessed, language)

    def nmr(self, language: Language) -> str:
        """Write the share of moves that never came."""
        return percent(self.missed, self.owed, language)


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """A table: players with enough games by rank, and how many more there are; then the others by name."""

    lines: tuple[tuple[int, Line], ...]
    more: int
    waiting: tuple[Line, ...]
    waiting_more: int


def pages(context: ListContext) -> Iterator[Page]:
    """Make the tables."""
    by_kind, told = _lines(context), _told(context)
    yield html(context, "ewige-tabelle/index.html", "all_time.html", partial(_of_all, by_kind, told))
    for kind in by_title(by_kind):
        orders = ORDERS if _has_points(by_kind[kind]) else {"wins": ""}
        for order, folder in orders.items():
            values = partial(_of_kind, context, by_kind, kind, order, has_records=kind in told and not folder)
            yield html(context, f"ewige-tabelle/{kind}/{folder}index.html", "table_of_kind.html", values)


_Lines: TypeAlias = Mapping[str, Sequence[Line]]
"""Everybody's results, by kind."""


def _of_all(by_kind: _Lines, told: Collection[str]) -> dict[str, Any]:
    kinds = by_title(by_kind)
    best = [
        (kind, title_of(kind), _best(by_kind[kind])) for kind in kinds if _has_points(by_kind[kind]) and kind in told
    ]
    return {
        "ranking": ranking(_added_up(by_kind), "wins"), "kinds": _titles(by_kind), "best": best, "enough": ENOUGH
    }  # fmt: skip


def _of_kind(context: ListContext, by_kind: _Lines, kind: str, order: str, *, has_records: bool) -> dict[str, Any]:
    lines = by_kind[kind]
    orders = ORDERS if _has_points(lines) else {"wins": ""}
    return {
        "kind": kind, "title": title_of(kind), "kinds": _titles(by_kind), "order": order,
        "orders": list(orders.items()), "pointed": len(orders) > 1, "ranking": ranking(lines, order),
        "records": record_tables(context, kind) if has_records else [], "enough": ENOUGH,
    }  # fmt: skip


def _titles(by_kind: _Lines) -> list[tuple[str, str]]:
    return [(kind, title_of(kind)) for kind in by_title(by_kind)]


def _told(context: ListContext) -> frozenset[str]:
    """Find the kinds of which enough games are over: out of one game nobody is best."""
    return frozenset(kind for kind, games in context.session.connection().execute(_GAMES) if games >= ENOUGH)


def _has_points(lines: Sequence[Line]) -> bool:
    return any(line.pointed for line in lines)


def _best(lines: Sequence[Line]) -> tuple[int, tuple[Who, ...], int]:
    """Find the best result, some players who have reached it, and the number of the others."""
    best = max(line.best for line in lines if line.best is not None)
    whose = tuple(line.who for line in sorted(lines, key=_by_name) if line.best == best)
    return best, whose[:KEPT], len(whose[KEPT:])


def ranking(lines: Sequence[Line], order: str) -> Ranking:
    """Sort those who have played enough; equal ones share a rank."""
    known = [line for line in lines if line.who.slug]
    value = _VALUES[order]
    ranked = sorted((line for line in known if line.games >= ENOUGH), key=lambda line: (*value(line), *_by_name(line)))
    values = [value(line) for line in ranked]
    rest = sorted((line for line in known if line.games < ENOUGH), key=lambda line: (-line.games, *_by_name(line)))
    return Ranking(
        lines=tuple((values.index(value(line)) + 1, line) for line in ranked[:LONGEST]),
        more=max(0, len(ranked) - LONGEST), waiting=tuple(rest[:LONGEST]), waiting_more=max(0, len(rest) - LONGEST),
    )  # fmt: skip


def _by_name(line: Line) -> tuple[str, str]:
    return line.who.name.casefold(), line.who.slug


_VALUES: Final[Mapping[str, Any]] = {
    "average": lambda line: (-line.points / line.pointed if line.pointed else inf,),
    "wins": lambda line: (-line.wins, -line.podium, line.games),
    "best": lambda line: (inf if line.best is None else -line.best,),
}


_GAMES: Final = (
    sa.select(col(Game.engine), sa.func.count(sa.distinct(col(ArchivedScore.game_id))))
    .join(Game, col(Game.id) == col(ArchivedScore.game_id))
    .group_by(col(Game.engine))
)
_LINES: Final = (
    sa.select(
        col(Game.engine), col(ArchivedScore.player_id), sa.func.count(),
        sa.func.sum(sa.case((col(ArchivedScore.winner), 1), else_=0)),
        sa.func.sum(sa.case((col(ArchivedScore.rank) <= 3, 1), else_=0)),
        sa.func.coalesce(sa.func.sum(col(ArchivedScore.points)), 0), sa.func.count(col(ArchivedScore.points)),
        sa.func.coalesce(sa.func.sum(col(ArchivedScore.guesses)), 0), sa.func.count(col(ArchivedScore.guesses)),
        sa.func.sum(col(ArchivedScore.owed)), sa.func.sum(col(ArchivedScore.missed)),
        sa.func.max(col(ArchivedScore.points)),
    )
    .join(Game, col(Game.id) == col(ArchivedScore.game_id))
    .group_by(col(Game.engine), col(ArchivedScore.player_id))
    .order_by(col(Game.engine), col(ArchivedScore.player_id))
)  # fmt: skip


def _lines(context: ListContext) -> dict[str, list[Line]]:
    """Add up everybody's results by kind."""
    found: dict[str, list[Line]] = {}
    for kind, player_id, *figures, best in context.session.connection().execute(_LINES):
        games, wins, podium, points, pointed, guesses, guessed, owed, missed = map(int, figures)
        line = Line(
            who=context.who(player_id), games=games, wins=wins, podium=podium, points=points, pointed=pointed,
            best=best, guesses=guesses, guessed=guessed, owed=owed, missed=missed,
        )  # fmt: skip
        found.setdefault(kind, []).append(line)
    return found


def _added_up(by_kind: Mapping[str, Sequence[Line]]) -> list[Line]:
    """Add up the games of all kinds; points of different games can't be compared."""
    found: dict[str, list[Line]] = {}
    for lines in by_kind.values():
        for line in lines:
            found.setdefault(line.who.slug, []).append(line)
    return [
        Line(
            who=lines[0].who,
            **{name: sum(getattr(line, name) for line in lines)
               for name in ("games", "wins", "podium", "owed", "missed")},
        )
        for _, lines in sorted(found.items())
    ]  # fmt: skip
