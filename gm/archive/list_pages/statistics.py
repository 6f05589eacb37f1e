"""Statistics: numbers of games, and for each kind points, word lengths, wished letters and cells."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

import sqlalchemy as sa
from markupsafe import Markup
from sqlmodel import col

from gm.archive.layout import minus, phrase
from gm.archive.list_context import ListContext, Listing, Page, html
from gm.archive.list_data.game_kinds import by_title, title_of
from gm.archive.list_data.numbers import decimal, percent
from gm.archive.list_pages.records import dearest_words, longest_words
from gm.drawing.bars import bars, columns
from gm.store.tables import ArchivedGame, ArchivedScore, Game

WORDS: Final = 8
"""Of the longest ones."""
CLASSES: Final = 20
"""Columns of a distribution."""
SHADES: Final = 10
STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart, and the same as a table."""

    title: str
    svg: Markup
    head: tuple[str, str]
    rows: tuple[tuple[str, int], ...]


@dataclass(frozen=True, kw_only=True)
class HeatCell:
    """A cell of all boards: share of boards where it was filled, mean round, and shade."""

    share: str
    round: str
    shade: int


@dataclass(frozen=True, kw_only=True)
class HeatMap:
    """All cells, with their labels."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[HeatCell, ...]], ...]


def listing(context: ListContext) -> Listing:
    """Make the page of all kinds, and those of the kinds whose results have changed."""
    if not context.has_changed_results:
        return Listing()
    return Listing(pages=_pages(context), stale=context.files_of_changed_kinds("statistik"))


def _pages(context: ListContext) -> Iterator[Page]:
    kinds = by_title({game.kind for game in context.games.over})
    titles = [(kind, title_of(kind)) for kind in kinds]
    yield _index(context, kinds)
    for kind in context.kinds_to_make(kinds, "statistik"):
        values = {**_of_kind(context, kind), "kinds": titles}
        yield html(context, f"statistik/{kind}/index.html", "figures.html", values)


# -- over all kinds ----------------------------------------------------------------------------------------------------

_TOTALS: Final = (
    sa.select(
        col(Game.engine), sa.func.count(col(ArchivedScore.points)),
        sa.func.coalesce(sa.func.sum(col(ArchivedScore.points)), 0),
        sa.func.sum(col(ArchivedScore.owed)), sa.func.sum(col(ArchivedScore.missed)),
        sa.func.max(col(ArchivedScore.points)),
    )
    .join(Game, col(Game.id) == col(ArchivedScore.game_id))
    .group_by(col(Game.engine))
)  # fmt: skip


def _index(context: ListContext, kinds: list[str]) -> Page:
    years = Counter(game.year for game in context.games.over)
    span = range(min(years), max(years) + 1) if years else range(0)
    by_year = [(str(year), years[year]) for year in span]
    by_kind = Counter(game.kind for game in context.games.over)
    totals: dict[str, Any] = {kind: found for kind, *found in context.session.connection().execute(_TOTALS)}
    rows = []
    for kind in kinds:
        *sums, best = totals.get(kind, (0, 0, 0, 0, None))
        scores, points, owed, missed = map(int, sums)
        rows.append(
            (kind, title_of(kind), by_kind[kind], decimal(points, scores, context.language),
             "" if best is None else best, percent(missed, owed, context.language))
        )  # fmt: skip
    chart = _chart(context, "jahre", "CHART_GAMES_BY_YEAR", "LIST_YEAR", by_year, columns)
    values = {
        "rows": rows, "most": max(by_kind.values(), default=1), "kinds": [(kind, title_of(kind)) for kind in kinds],
        "charts": [chart] if chart and len(by_year) > 1 else [],
        "longest": longest_words(context, WORDS), "dearest": dearest_words(context),
    }  # fmt: skip
    return html(context, "statistik/index.html", "statistics.html", values)


# -- of a kind ---------------------------------------------------------------------------------------------------------


def _of_kind(context: ListContext, kind: str) -> dict[str, Any]:
    facts = _facts(context, kind)
    lengths, wishes = Counter[int](), Counter[str]()
    for one in facts:
        lengths.update({int(length): count for length, count in one.get("lengths", {}).items()})
        for letters in one.get("wishes", {}).values():
            wishes.update(letters)
    measure = _measure(context, kind)
    has_points = measure is ArchivedScore.points
    spread = ("CHART_POINTS_SPREAD", "LIST_POINTS") if has_points else ("CHART_GUESSES_SPREAD", "GUESSES")
    charts = [
        _chart(context, "punkte", *spread, classes(_spread(context, kind, measure)), columns),
        _chart(context, "laengen", "CHART_WORD_LENGTHS", "LIST_LENGTH",
               [(str(length), lengths[length]) for length in sorted(lengths)], columns),
        _chart(context, "wuensche", "CHART_WISH_LETTERS", "LIST_LETTER", sorted(wishes.items()), bars),
    ]  # fmt: skip
    return {
        "kind": kind, "title": title_of(kind), "games": len(facts), "charts": [chart for chart in charts if chart],
        "by_place": _places(context, kind, measure), "heat": heat_map(facts, context), "words": sum(lengths.values()),
    }  # fmt: skip


def _facts(context: ListContext, kind: str) -> list[Mapping[str, Any]]:
    rows = sa.select(col(ArchivedGame.facts)).join(Game, col(Game.id) == col(ArchivedGame.game_id))
    rows = rows.where(col(Game.engine) == kind).order_by(col(Game.id))
    return list(context.session.connection().scalars(rows))


def _measure(context: ListContext, kind: str) -> Any:
    """Choose what is counted in a kind of game: points, or the number of guesses."""
    rows = sa.select(sa.func.count(col(ArchivedScore.guesses))).join(Game, col(Game.id) == col(ArchivedScore.game_id))
    guesses = context.session.connection().scalar(rows.where(col(Game.engine) == kind))
    return ArchivedScore.guesses if guesses else ArchivedScore.points


def _spread(context: ListContext, kind: str, measure: Any) -> dict[int, int]:
    rows = sa.select(measure, sa.func.count()).join(Game, col(Game.id) == col(ArchivedScore.game_id))
    rows = rows.where(col(Game.engine) == kind, measure.is_not(None)).group_by(measure).order_by(measure)
    return dict(iter(context.session.connection().execute(rows)))


def classes(points: Mapping[int, int]) -> list[tuple[str, int]]:
    """Group points into classes of a round width: `60` or `60-69`."""
    if not points:
        return []
    low, high = min(points), max(points)
    width = next((step for step in STEPS if (high - low + 1) / step <= CLASSES), ceil((high - low + 1) / CLASSES))
    counted = Counter[int]()
    for value, count in points.items():
        counted[value // width] += count
    named = range(low // width, high // width + 1)
    return [(_span(at * width, at * width + width - 1), counted[at]) for at in named]


def _span(low: int, high: int) -> str:
    if low == high:
        return minus(low)
    return f"{minus(low)}…{minus(high)}" if low < 0 else f"{low}–{high}"


def _places(context: ListContext, kind: str, measure: Any) -> list[tuple[int, str, int]]:
    """Give rank, average points (or guesses) and number of players, rank by rank."""
    rows = sa.select(
        col(ArchivedScore.rank), sa.func.sum(measure), sa.func.count()
    ).join(Game, col(Game.id) == col(ArchivedScore.game_id))  # fmt: skip
    rows = (
        rows.where(col(Game.engine) == kind, measure.is_not(None))
        .group_by(col(ArchivedScore.rank))
        .order_by(col(ArchivedScore.rank))
    )
    return [
        (rank, decimal(int(points), count, context.language), count)
        for rank, points, count in context.session.connection().execute(rows)
    ]


def heat_map(facts: list[Mapping[str, Any]], context: ListContext) -> HeatMap | None:
    """Add up the cells of all boards; None where the game has none."""
    counts, rounds = Counter[str](), Counter[str]()
    boards = 0
    for one in facts:
        boards += one.get("boards", 0) if one.get("cells") else 0
        for cell, (count, total) in one.get("cells", {}).items():
            counts[cell] += count
            rounds[cell] += total
    if not counts or not boards:
        return None
    letters = tuple(sorted({cell.rstrip("0123456789") for cell in counts}, key=lambda one: (len(one), one)))
    numbers = sorted({int(cell[len(cell.rstrip("0123456789")) :] or 0) for cell in counts})
    most, least = max(counts.values()), min(counts.values())

    def shown(cell: str) -> HeatCell:
        shade = (counts[cell] - least) * (SHADES - 1) // max(1, most - least) if counts[cell] else 0
        return HeatCell(
            share=percent(counts[cell], boards, context.language),
            round=decimal(rounds[cell], counts[cell], context.language),
            shade=shade,
        )

    return HeatMap(
        columns=letters, rows=tuple((str(row), tuple(shown(f"{letter}{row}") for letter in letters)) for row in numbers)
    )


def _chart(
    context: ListContext, name: str, code: str, what: str, values: list[tuple[str, int]], draw: Any
) -> Chart | None:  # fmt: skip
    if not values:
        return None
    language = context.language
    title = phrase(language, code)
    label, most = max(values, key=lambda one: one[1])
    description = phrase(language, "CHART_ABOUT", count=sum(count for _, count in values), label=label, most=most)
    return Chart(
        title=title, svg=draw(name, title, description, values),
        head=(phrase(language, what), phrase(language, "LIST_COUNT")), rows=tuple(values),
    )  # fmt: skip
