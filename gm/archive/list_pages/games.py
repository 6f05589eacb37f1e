"""The start page, and the pages that list games: those under way, and the others by year and kind."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
from markupsafe import Markup
from sqlmodel import col

from gm.archive.list_context import ListContext, Page, html
from gm.archive.list_data.cards import small_board, status
from gm.archive.list_data.game_kinds import by_title, title_of
from gm.archive.list_data.games_by_status import Over, Placed, Running
from gm.archive.list_data.paging import ListPage, paged
from gm.archive.list_data.recent_rounds import by_day
from gm.archive.record.record import Record
from gm.archive.record.status import Status
from gm.store.archive_tables import ArchivedScore
from gm.store.chunks import in_chunks

EVALUATIONS: Final = 12
RESULTS: Final = 6
DATES: Final = 6
"""So many of the latest evaluations and results, and of the next ZATs, are on the start page."""
CARDS: Final = 12
"""Games with a board on the start page."""
FEWEST: Final = 4
"""Where fewer games run, the latest results have a board there as well."""
NEWEST: Final = 9
"""Results on the page of all games."""
STATED: Final = 100
"""Running games of which a list says more than their round: each takes reading a file."""


def start_page(context: ListContext) -> Iterator[Page]:
    """Make the start page: what runs, what has happened, what can be joined."""
    yield html(context, "index.html", "start.html", partial(_start, context))


def _start(context: ListContext) -> dict[str, Any]:
    games, zone = context.games, context.app.settings.service.timezone
    newest = games.newest(RESULTS)
    on_cards = [game.slug for game in games.running[:CARDS]]
    results = [game.slug for game in newest if game.status != "aborted"][: max(0, FEWEST - len(on_cards))]
    return {
        "running": games.running, "vacant": games.open, "cards": cards(context, on_cards),
        "results": cards(context, results), "has_results": bool(newest),
        "dates": stated(context, [game for game in games.running if game.zat][:DATES]),
        "days": by_day(context.recent_rounds, zone, EVALUATIONS),
        "newest": _with_headlines(context, [game for game in newest if game.slug not in results]),
    }  # fmt: skip


def _with_headlines(context: ListContext, games: Sequence[Over]) -> list[Over]:
    """Give games with their results, and the headlines of these; a list of few reads their files."""
    records = [(game, context.record(game.slug) if game.placed else None) for game in _with_results(context, games)]
    return [replace(game, headline=record.headline) if record else game for game, record in records]


def _with_results(context: ListContext, games: Sequence[Over]) -> list[Over]:
    """Give games with their results."""
    found = _results(context, [game.id for game in games])
    return [replace(game, placed=found.get(game.id, ())) for game in games]


def _results(context: ListContext, game_ids: Sequence[int]) -> Mapping[int, tuple[Placed, ...]]:
    """Give the standings of games, best first."""
    found: dict[int, tuple[Placed, ...]] = {}
    for some in in_chunks(game_ids):
        rows = sa.select(
            col(ArchivedScore.game_id), col(ArchivedScore.rank), col(ArchivedScore.player_id),
            col(ArchivedScore.winner), col(ArchivedScore.points), col(ArchivedScore.guesses),
        ).where(col(ArchivedScore.game_id).in_(some))  # fmt: skip
        rows = rows.order_by(col(ArchivedScore.game_id), col(ArchivedScore.rank), col(ArchivedScore.seat))
        for game_id, rank, player_id, winner, points, guesses in context.session.connection().execute(rows):
            who = context.who(player_id)
            placed = Placed(rank=rank, who=who, winner=winner, points=points, guesses=guesses)
            found[game_id] = (*found.get(game_id, ()), placed)
    return found


def cards(context: ListContext, slugs: Iterable[str]) -> list[tuple[Record, Status, Markup]]:
    """Give what stands on the cards of some games; one whose file can't be read has none."""
    zone = context.app.settings.service.timezone
    records = [context.record(slug) for slug in slugs]
    return [(record, status(record, zone), small_board(record)) for record in records if record]


def stated(context: ListContext, games: Sequence[Running]) -> list[tuple[Running, Status | None]]:
    """Give running games with how they stand, as far as a list reads their files."""
    zone = context.app.settings.service.timezone
    records = [context.record(game.slug) for game in games[:STATED]]
    known = [status(record, zone) if record else None for record in records]
    return [*zip(games, [*known, *[None] * len(games[STATED:])], strict=True)]


def folder(year: int, kind: str) -> str:
    """Name the folder where the games of a year and kind are listed."""
    return f"partien/{year}/{kind}"


def index(context: ListContext) -> Iterator[Page]:
    """Make the page of all games."""
    yield html(context, "partien/index.html", "all_games.html", partial(_all_games, context))


def years(context: ListContext) -> Iterator[Page]:
    """Make one or more pages for each year and kind."""
    for (year, kind), games in _by_year(context).items():
        for page in paged(folder(year, kind), len(games)):
            yield html(context, page.path, "games.html", partial(_year, context, year, kind, games, page))


def _by_year(context: ListContext) -> dict[tuple[int, str], list[Over]]:
    found: dict[tuple[int, str], list[Over]] = {}
    for game in context.games.over:
        found.setdefault((game.year, game.kind), []).append(game)
    return found


def _year(context: ListContext, year: int, kind: str, games: Sequence[Over], page: ListPage) -> dict[str, Any]:
    shown = _with_results(context, page.items(games))
    return {"year": year, "title": title_of(kind), "games": shown, "others": page}


def _all_games(context: ListContext) -> dict[str, Any]:
    by_year = _by_year(context)
    kinds = by_title({kind for _, kind in by_year})
    years = sorted({year for year, _ in by_year}, reverse=True)
    counts = Counter({one: len(games) for one, games in by_year.items()})
    table = [
        (year, [(folder(year, kind), counts[year, kind]) for kind in kinds], sum(counts[year, kind] for kind in kinds))
        for year in years
    ]
    newest = context.games.newest(NEWEST)
    return {
        "running": stated(context, context.games.running), "vacant": context.games.open,
        "cards": cards(context, [game.slug for game in newest]), "newest": _with_results(context, newest),
        "table": table, "kinds": [title_of(kind) for kind in kinds],
    }  # fmt: skip
