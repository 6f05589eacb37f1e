"""The start page, and the pages that list games: those under way, and the others by year and kind."""

from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

from gm.archive import layout
from gm.archive.list_context import ListContext, Listing, Page, html
from gm.archive.list_data.game_kinds import by_title, title_of
from gm.archive.list_data.games_by_status import Over
from gm.archive.list_data.paging import paged
from gm.archive.list_pages.results import ended
from gm.archive.manifest import digest

EVALUATIONS = 20
RESULTS = 10
"""So many of the latest evaluations and results are on the start page."""
NEWEST = 10
"""Results on pages that show but the last ones."""


def start_page(context: ListContext) -> Listing:
    """Make the start page: what runs, what has happened, what can be joined."""
    values = {
        "running": context.games.running, "vacant": context.games.open,
        "closings": context.recent_rounds[:EVALUATIONS], "newest": ended(context, context.games.newest(RESULTS)),
    }  # fmt: skip
    pages = [html(context, "index.html", "start.html", values)]
    shared = [_static("style.css", layout.stylesheet()), _static("icon.svg", layout.static_file("icon.svg"))]
    return Listing(pages=[*pages, _not_found(context), *shared])


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
        "running": context.games.running, "vacant": context.games.open,
        "newest": ended(context, newest), "table": table, "kinds": [title_of(kind) for kind in kinds],
    }  # fmt: skip
    return html(context, "partien/index.html", "all_games.html", values)
