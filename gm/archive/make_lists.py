"""Making the pages that are about more than one game, as far as they are due, page by page."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from sqlmodel import Session

from gm.archive.list_context import ListContext, Page
from gm.archive.list_pages import all_time_tables, deadlines, feed, game_index, games, players
from gm.archive.progress import LEFT_OVERS
from gm.archive.reference_pages import fixed_pages, rules, word_register
from gm.archive.run import Run
from gm.game.people.site_directory import directory

Pages = Callable[[ListContext], Iterable[Page]]

LISTS: Final[Mapping[str, Pages]] = {
    "dates": deadlines.pages, "games": games.index, "index": game_index.pages, "feed": feed.pages,
    "start": games.start_page, "years": games.years, "people": players.pages, "tables": all_time_tables.pages,
    "words": word_register.words, "struck": word_register.struck, "rules": rules.pages, "fixed": fixed_pages.pages,
}  # fmt: skip
"""All lists, in the order in which they are made (gm/archive/progress.py says when)."""

PATTERNS: Final = (
    "partien/[0-9]*/**/index.html", "personen/**/index.html", "personen/*/termine.ics", "ewige-tabelle/**/index.html",
    "woerter/**/index.html", "gestrichen/**/index.html", "spiele/**/index.html",
)  # fmt: skip
"""The names and places of pages that may not be made again."""


def make_lists(run: Run, session: Session) -> bool:
    """Make the lists that are due; returns whether all were made. If it gives way, the next export goes on.

    Pages that nobody makes any more go last: then no other page links to them.
    """
    known = directory(run.app, session)
    context = ListContext(
        app=run.app, session=session, people=known.people, slugs=known.slugs, read=run.site.read,
        failed=[known.slugs[game_id] for game_id in run.progress.failed if game_id in known.slugs],
    )  # fmt: skip
    is_done = all(_make(run, context, name) for name in LISTS if name in run.progress.due)
    if is_done and run.progress.due.pop(LEFT_OVERS, None) is not None:
        _remove_left_overs(run, context)
    return is_done


def _make(run: Run, context: ListContext, name: str) -> bool:
    """Make the pages of a list behind the last one that is made already; returns whether all were made."""
    pages, last = list(LISTS[name](context)), run.progress.due[name]
    paths = [page.path for page in pages]
    for page in pages[paths.index(last) + 1 if last in paths else 0 :]:
        run.app.stop_signal.check()
        run.site.put(page.path, page.content())
        run.progress.due[name] = page.path
        if run.gives_way():
            return False
    del run.progress.due[name]
    return True


def _remove_left_overs(run: Run, context: ListContext) -> None:
    """Remove the pages that no list has, and those of a game that isn't in the database.

    Where several games aren't there, it may be another database: they stay, unless the GM says --full.
    """
    run.site.keep_only({page.path for pages in LISTS.values() for page in pages(context)}, *PATTERNS)
    unknown = sorted(run.site.games() - set(context.slugs.values()))
    if len(unknown) > 1 and not run.full:
        run.unknown = unknown
        return
    for slug in unknown:
        run.site.keep_only_of_game(slug, ())
