"""The records of a kind of game: best and tightest results, long and valuable words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from heapq import nsmallest
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlmodel import col

from gm.archive.list_context import ListContext
from gm.archive.list_data.games_by_status import Who
from gm.store.archive_tables import ArchivedGame, ArchivedScore
from gm.store.tables import Game

KEPT: Final = 5
"""Lines of a record."""


@dataclass(frozen=True, kw_only=True)
class RecordLine:
    """A line: what, by whom, in which game."""

    value: str | int
    word: str = ""
    who: tuple[Who, ...]
    name: str
    slug: str
    at: datetime


@dataclass(frozen=True)
class _Played:
    id: int
    name: str
    at: datetime
    facts: Mapping[str, Any]
    scores: Sequence[Any]

    @cached_property
    def by_seat(self) -> Mapping[int, Any]:
        return {score.seat: score for score in self.scores}


def record_tables(context: ListContext, kind: str) -> list[tuple[str, list[RecordLine]]]:
    """Find the best lines of each record of a kind, by its code: part of the phrase that names it."""
    games = _games(context, kind)
    found = {
        "TOTAL": _totals(games), "TIGHT": _margins(games), "LONGEST": _words(games, "longest"),
        "DEAREST": _words(games, "dearest"), "FULL": _full(games), "SURVIVOR": _totals(games, missed=True),
    }  # fmt: skip
    best = {code: [_line(context, one) for one in _best(entries)] for code, entries in found.items()}
    return [(code, lines) for code, lines in best.items() if lines]


_Entry: TypeAlias = tuple[tuple[Any, ...], str | int, str, list[int], _Played]
"""By what it is sorted, what is shown, a word, who, where."""


def _best(entries: Iterator[_Entry]) -> list[_Entry]:
    return nsmallest(KEPT, entries, key=lambda entry: (*entry[0], entry[4].id, entry[3]))


def _line(context: ListContext, entry: _Entry) -> RecordLine:
    _, value, word, players, game = entry
    return RecordLine(
        value=value, word=word, who=tuple(context.who(one) for one in players), name=game.name,
        slug=context.slugs[game.id], at=game.at,
    )  # fmt: skip


def _totals(games: Sequence[_Played], *, missed: bool = False) -> Iterator[_Entry]:
    for game in games:
        for score in game.scores:
            if score.points is not None and (score.missed or not missed):
                yield (-score.points,), score.points, "", [score.player_id], game


def _margins(games: Sequence[_Played]) -> Iterator[_Entry]:
    """Give the margins of victory; 0 for a shared first place."""
    for game in games:
        points = [score.points for score in game.scores[:2] if score.points is not None]
        margin = points[0] - points[1] if len(points) > 1 else -1
        if margin >= 0:  # below: the second one was given up, and the points were no contest
            first, second = game.scores[:2]
            yield (margin,), margin, "", [first.player_id, second.player_id], game


def _words(games: Sequence[_Played], fact: str) -> Iterator[_Entry]:
    for game in games:
        for word, seat, points in game.facts.get(fact, ()):
            if seat in game.by_seat:
                first = -len(word) if fact == "longest" else -(points or 0)
                value = len(word) if fact == "longest" else points
                yield (first, -(points or 0), word), value, word, [game.by_seat[seat].player_id], game


def _full(games: Sequence[_Played]) -> Iterator[_Entry]:
    for game in games:
        for seat, count in game.facts.get("full", {}).items():
            if int(seat) in game.by_seat:
                yield (-count,), count, "", [game.by_seat[int(seat)].player_id], game


def _games(context: ListContext, kind: str) -> list[_Played]:
    connection = context.session.connection()
    rows = (
        sa.select(
            col(ArchivedScore.game_id), col(ArchivedScore.seat), col(ArchivedScore.player_id),
            col(ArchivedScore.points), col(ArchivedScore.missed),
        )
        .join(Game, col(Game.id) == col(ArchivedScore.game_id))
        .where(col(Game.engine) == kind)
        .order_by(col(ArchivedScore.game_id), col(ArchivedScore.rank), col(ArchivedScore.seat))
    )  # fmt: skip
    scores: dict[int, list[Any]] = {}
    for row in connection.execute(rows):
        scores.setdefault(row.game_id, []).append(row)
    facts = (
        sa.select(col(Game.id), col(Game.name), col(ArchivedGame.ended_at), col(ArchivedGame.facts))
        .join(ArchivedGame, col(ArchivedGame.game_id) == col(Game.id))
        .where(col(Game.engine) == kind)
        .order_by(col(Game.id))
    )
    return [_Played(one, name, at, kept, scores.get(one, ())) for one, name, at, kept in connection.execute(facts)]
