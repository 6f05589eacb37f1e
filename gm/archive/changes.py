"""What has changed since the last export, as far as lists have to know: whom, which words, which results."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

from pydantic import ValidationError

from gm.archive.list_data.games_by_status import local_year
from gm.archive.manifest import GAMES
from gm.archive.record.list_rows import sort_key
from gm.archive.record.record import Mentions, mentions
from gm.archive.site_folder import Site
from gm.runtime.config.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What this export has to look at; None means everything."""

    people: Collection[str] | None = None
    """The folders of those who sit or sat in games that begin, end or change hands, as they were before and are now."""
    words: Collection[str] | None = None
    """The sort keys of the words of those games, before and now."""
    ended: Collection[tuple[int, str]] | None = None
    """Year of the end and kind of those games that were over before or are now."""

    @property
    def kinds(self) -> Collection[str] | None:
        """The kinds of games whose results have changed."""
        return None if self.ended is None else {kind for _, kind in self.ended}

    def __or__(self, other: "Changes") -> "Changes":
        return Changes(
            people=_both(self.people, other.people), words=_both(self.words, other.words),
            ended=_both(self.ended, other.ended),
        )  # fmt: skip


def _both(one: Collection[T] | None, other: Collection[T] | None) -> Collection[T] | None:
    return None if one is None or other is None else {*one, *other}


def changes(site: Site, gone: Collection[str], untold: Collection[str], settings: Settings) -> Changes:
    """Look at the games whose pages wait or go: what the site says of them, and what it will say.

    Where nobody can tell, everything may have changed. Games that were `untold` may have another title.
    """
    try:
        return _changes(site, gone, untold, settings)
    except ValidationError:
        return Changes()


def _changes(site: Site, gone: Collection[str], untold: Collection[str], settings: Settings) -> Changes:
    people, words, ended = set[str](), set[str](), set[tuple[int, str]]()
    for slug in {*site.waiting, *gone}:
        files = (site.read(_data(slug)), site.read_staged(_data(slug)) if slug in site.waiting else None)
        before, after = (mentions(content) if content is not None else None for content in files)
        for one in (before, after):
            if one is not None:
                people |= one.people() if slug in untold or _concerns_people(before, after) else set()
                words |= {sort_key(word) for word in one.words()}
                ended |= {(local_year(settings, one.ended), one.kind)} if one.ended else set()
    return Changes(people=people, words=words, ended=ended)


def _concerns_people(before: Mentions | None, after: Mentions | None) -> bool:
    """Say whether it isn't just another round: a person's page tells of games, not of where they stand."""
    if before is None or after is None or not (before.rules_version and after.rules_version):
        return True
    is_over = before.ended or after.ended or before.status != after.status
    return bool(is_over) or before.people() != after.people()


def _data(slug: str) -> str:
    return f"{GAMES}/{slug}/partie.json"
