"""The pages that list games: those under way, and the others by year and kind."""

from collections import Counter
from collections.abc import Iterator

from gm.archive.edition import Edition, Listing, Page, html
from gm.archive.list_data.games_by_status import Over
from gm.archive.list_data.paging import leaves
from gm.archive.list_data.running_games import vacant
from gm.archive.list_pages.results import ended

NEWEST = 10
"""Results on pages that show but the last ones."""


def listing(edition: Edition) -> Listing:
    """Make the page of all games, and one or more for each year and kind."""
    shelves: dict[tuple[int, str], list[Over]] = {}
    for game in edition.shelf.over:
        shelves.setdefault((game.year, game.kind), []).append(game)
    changed = edition.changes.ended
    stays = {one for one in shelves if changed is not None and one not in changed}
    stale = [path for year, kind in changed or () for path in edition.before.pages_in(folder(year, kind))]
    return Listing(pages=_pages(edition, shelves, stays), stale=stale)


def folder(year: int, kind: str) -> str:
    """Say where the games of a year and kind are listed."""
    return f"partien/{year}/{kind}"


def _pages(
    edition: Edition, shelves: dict[tuple[int, str], list[Over]], stays: set[tuple[int, str]]
) -> Iterator[Page]:  # fmt: skip
    yield _index(edition, shelves)
    for (year, kind), games in shelves.items():
        if (year, kind) not in stays:
            for leaf in leaves(folder(year, kind), games):
                context = {
                    "year": year,
                    "title": edition.title(kind),
                    "games": ended(edition, leaf.items),
                    "ways": leaf.ways,
                }
                yield html(edition, leaf.path, "games.html", context)


def _index(edition: Edition, shelves: dict[tuple[int, str], list[Over]]) -> Page:
    kinds = edition.by_title({kind for _, kind in shelves})
    years = sorted({year for year, _ in shelves}, reverse=True)
    counts = Counter({one: len(games) for one, games in shelves.items()})
    table = [
        (year, [(folder(year, kind), counts[year, kind]) for kind in kinds], sum(counts[year, kind] for kind in kinds))
        for year in years
    ]
    newest = edition.shelf.newest(NEWEST)
    context = {
        "running": edition.running_rows, "vacant": vacant(edition.shelf.open, edition.title),
        "newest": ended(edition, newest), "table": table, "kinds": [edition.title(kind) for kind in kinds],
    }  # fmt: skip
    return html(edition, "partien/index.html", "all_games.html", context)
