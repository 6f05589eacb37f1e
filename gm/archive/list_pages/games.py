"""The start page, and the pages that list games: those under way, and the others by year and kind."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from gm.archive import layout
from gm.archive.list_context import ListContext, Listing, Page, html
from gm.archive.list_data.cards import Card, card, status
from gm.archive.list_data.game_kinds import by_title, title_of
from gm.archive.list_data.games_by_status import Over, Running
from gm.archive.list_data.paging import paged
from gm.archive.list_data.recent_rounds import by_day
from gm.archive.list_pages.results import Ended, ended
from gm.archive.manifest import digest
from gm.archive.record.status import Status

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


def start_page(context: ListContext) -> Listing:
    """Make the start page: what runs, what has happened, what can be joined."""
    games, zone = context.games, context.app.settings.service.timezone
    newest = games.newest(RESULTS)
    on_cards = [game.slug for game in games.running[:CARDS]]
    results = [game.slug for game in newest if game.status != "aborted"][: max(0, FEWEST - len(on_cards))]
    values = {
        "running": games.running, "vacant": games.open, "cards": cards(context, on_cards),
        "results": cards(context, results), "has_results": bool(newest),
        "dates": stated(context, [game for game in games.running if game.zat][:DATES]),
        "days": by_day(context.recent_rounds, zone, EVALUATIONS),
        "newest": _with_headlines(context, ended(context, [game for game in newest if game.slug not in results])),
    }  # fmt: skip
    pages = [html(context, "index.html", "start.html", values)]
    shared = [_static("style.css", layout.stylesheet()), _static("icon.svg", layout.static_file("icon.svg"))]
    return Listing(pages=[*pages, _not_found(context), *shared])


def _with_headlines(context: ListContext, games: Iterable[Ended]) -> list[Ended]:
    """Add the headlines of games with a result; a list of few reads their files."""
    records = [(game, context.record(game.slug) if game.placed else None) for game in games]
    return [replace(game, headline=record.headline) if record else game for game, record in records]


def cards(context: ListContext, slugs: Iterable[str]) -> list[Card]:
    """Make the cards of some games; one whose file can't be read has none."""
    records = [context.record(slug) for slug in slugs]
    return [card(record, context.app.settings.service.timezone) for record in records if record]


def stated(context: ListContext, games: Sequence[Running]) -> list[tuple[Running, Status | None]]:
    """Give running games with how they stand, as far as a list reads their files."""
    zone = context.app.settings.service.timezone
    records = [context.record(game.slug) for game in games[:STATED]]
    known = [status(record, zone) if record else None for record in records]
    return [*zip(games, [*known, *[None] * len(games[STATED:])], strict=True)]


def _not_found(context: ListContext) -> Page:
    """Make the error page. A server shows it at any depth, so its links begin at the root of the site."""
    base = urlsplit(context.app.settings.archive.base_url).path
    return html(context, "404.html", "not_found.html", {"root": base})


def _static(name: str, content: bytes) -> Page:
    return Page(path=name, made_from=digest(content), content=lambda: content)


def listing(context: ListContext) -> Listing:
    """Make the page of all games, and one or more for each year and kind."""
    by_year: dict[tuple[int, str], list[Over]] = {}
    for game in context.games.over:
        by_year.setdefault((game.year, game.kind), []).append(game)
    changed = context.changes.ended
    stale = [path for year, kind in changed or () for path in context.manifest.files_in(folder(year, kind))]
    return Listing(pages=_pages(context, by_year), stale=stale)


def folder(year: int, kind: str) -> str:
    """Name the folder where the games of a year and kind are listed."""
    return f"partien/{year}/{kind}"


def _pages(context: ListContext, by_year: dict[tuple[int, str], list[Over]]) -> Iterator[Page]:
    yield _index(context, by_year)
    for (year, kind), games in by_year.items():
        if context.changes.ended is None or (year, kind) in context.changes.ended:
            for page in paged(folder(year, kind), games):
                values = {
                    "year": year,
                    "title": title_of(kind),
                    "games": ended(context, page.items),
                    "others": page.others,
                }
                yield html(context, page.path, "games.html", values)


def _index(context: ListContext, by_year: dict[tuple[int, str], list[Over]]) -> Page:
    kinds = by_title({kind for _, kind in by_year})
    years = sorted({year for year, _ in by_year}, reverse=True)
    counts = Counter({one: len(games) for one, games in by_year.items()})
    table = [
        (year, [(folder(year, kind), counts[year, kind]) for kind in kinds], sum(counts[year, kind] for kind in kinds))
        for year in years
    ]
    newest = context.games.newest(NEWEST)
    values = {
        "running": stated(context, context.games.running), "vacant": context.games.open,
        "cards": cards(context, [game.slug for game in newest]), "newest": ended(context, newest),
        "table": table, "kinds": [title_of(kind) for kind in kinds],
    }  # fmt: skip
    return html(context, "partien/index.html", "all_games.html", values)
