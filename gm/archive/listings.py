"""All pages that are about more than one game, and how often those are made that grow with the zine.

A list that goes through thousands of games for one that has changed would cost the more the bigger the zine is. So it
rests after it was made, the longer the more it has gone through: a thousand games more, a minute more. In a zine of a
few hundred games nothing rests, and nothing does when names have changed: who was forgotten is gone at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from gm.archive.changes import Changes
from gm.archive.edition import Edition, Listing
from gm.archive.list_pages import (
    all_time_tables,
    deadlines,
    feed_and_index,
    games,
    players,
    rules,
    start,
    statistics,
    word_register,
)
from gm.archive.manifest import Owed

ROWS_A_MINUTE: Final = 1000


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Pages that are made together; `rows` counts the games that they go through, if more than those that changed."""

    make: Callable[[Edition], Listing]
    rows: Callable[[Edition], int] | None = None


def _under_way(edition: Edition) -> int:
    return len(edition.shelf.running) + len(edition.shelf.open)


def _all(edition: Edition) -> int:
    return len(edition.slugs)


LISTINGS: Final = {
    "persons": Kind(make=players.each),
    "feed": Kind(make=feed_and_index.feed),
    "start": Kind(make=start.listing, rows=_under_way),
    "deadlines": Kind(make=deadlines.listing, rows=_under_way),
    "games": Kind(make=games.listing, rows=_all),
    "people": Kind(make=players.everybody, rows=_all),
    "hall": Kind(make=all_time_tables.listing, rows=_all),
    "words": Kind(make=word_register.words, rows=_all),
    "struck": Kind(make=word_register.struck, rows=_all),
    "figures": Kind(make=statistics.listing, rows=_all),
    "rules": Kind(make=rules.listing, rows=_all),
    "index": Kind(make=feed_and_index.index, rows=_all),
}


def is_due(owed: Owed, now: int) -> bool:
    """Say whether a list waits and has rested long enough."""
    return any(not _rests(owed, name, now) for name in owed.lists)


def _rests(owed: Owed, name: str, now: int) -> bool:
    made, seconds = owed.resting.get(name, (0, 0))
    return made <= now < made + seconds  # a clock that was ahead holds nothing up


def everything(edition: Edition) -> Iterator[Listing]:
    """Make all lists."""
    yield from (kind.make(edition) for kind in LISTINGS.values())


def some(edition: Edition, owed: Owed, now: int, *, is_news: bool, has_time: Callable[[], bool]) -> Iterator[Listing]:
    """Make those that may have changed and don't rest, as long as there is time; `owed` says at the end which wait."""
    left = []
    for name, kind in LISTINGS.items():
        if not is_news and name not in owed.lists:
            continue
        if kind.rows and (_rests(owed, name, now) or not has_time()):
            left.append(name)
            continue
        listing = kind.make(edition)
        yield listing
        if listing.pages:
            _rest(edition, owed, name, now)
    _owe(owed, left, edition.changes)


def rest(edition: Edition, owed: Owed, now: int) -> None:
    """Note that all lists were made."""
    for name in LISTINGS:
        _rest(edition, owed, name, now)


def _rest(edition: Edition, owed: Owed, name: str, now: int) -> None:
    owed.resting.pop(name, None)
    rows = LISTINGS[name].rows
    if rows and (seconds := rows(edition) // ROWS_A_MINUTE * 60):
        owed.resting[name] = (now, seconds)


def changes_owed(owed: Owed) -> Changes:
    """Say what lists that wait have to look at."""
    return Changes(people=owed.people, words=owed.words, ended=owed.ended)


def _owe(owed: Owed, lists: list[str], changes: Changes) -> None:
    owed.lists = lists
    owed.people = sorted(changes.people or ()) if lists else []
    owed.words = sorted(changes.words or ()) if lists else []
    owed.ended = sorted(changes.ended or ()) if lists else []
