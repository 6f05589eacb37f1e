"""Making the pages that are about more than one game, and how often those are made that go through all games.

A list that goes through thousands of games for one that has changed would cost more the bigger the zine is. So the long
lists rest after they were made: a minute for each thousand games. In a zine of a few hundred games nothing rests.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from gm.archive.list_context import ListContext, Listing
from gm.archive.list_pages import all_time_tables, deadlines, feed, game_index, games, players
from gm.archive.manifest import LongLists
from gm.archive.reference_pages import privacy, rules, word_register
from gm.archive.run import Run

GAMES_A_MINUTE: Final = 1000

Make = Callable[[ListContext], Listing]

SHORT: Final[tuple[Make, ...]] = (players.each, feed.listing, games.start_page, deadlines.listing, privacy.listing)
"""Lists that go through running games, or those that have changed."""
LONG: Final[tuple[Make, ...]] = (
    games.listing, players.everybody, all_time_tables.listing, word_register.words, word_register.struck,
    rules.listing, game_index.listing,
)  # fmt: skip
"""Lists that go through all games."""


def make_lists(run: Run, context: ListContext, *, everything: bool, has_news: bool) -> None:
    """Stage the list pages that have changed, and note what they are made from.

    `everything` makes all lists; else the long ones are made only if they don't rest and give way to nothing, and the
    short ones only if there are news of games.
    """
    stale = run.manifest.pages() if context.changed_people is None else set()
    for listing in _lists(run, context, everything=everything, has_news=has_news):
        stale.update(listing.stale)
        for page in listing.pages:
            run.app.stop_signal.check()
            is_same = run.manifest.made_from(page.path) == page.made_from
            if is_same or run.site.stage(page.path, page.content()):
                run.manifest.note(page.path, page.made_from)
                stale.discard(page.path)
    for path in stale:
        run.manifest.drop(path)


def _lists(run: Run, context: ListContext, *, everything: bool, has_news: bool) -> Iterator[Listing]:
    lists = run.manifest.long_lists
    if everything or has_news:
        yield from (make(context) for make in SHORT)
    for make in LONG:
        if not everything and (lists.are_resting(run.now()) or run.gives_way()):
            run.manifest.long_lists = replace(lists, changes=context.changes)
            return
        yield make(context)
    seconds = len(context.slugs) // GAMES_A_MINUTE * 60 if run.in_passing else 0
    run.manifest.long_lists = LongLists(made_at=run.now(), seconds=seconds) if seconds else LongLists()
