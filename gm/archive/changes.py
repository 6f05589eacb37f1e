"""What has changed since the last export, as far as lists have to know: whom, which words, which results."""

from collections.abc import Collection
from dataclasses import dataclass

from pydantic import ValidationError

from gm.archive.extracts import sort_key
from gm.archive.lists.shelf import local_year
from gm.archive.manifest import GAMES, Manifest
from gm.archive.record import mentions
from gm.archive.site import Site
from gm.config import Settings


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What this export has to look at; None means everything."""

    people: Collection[str] | None = None
    """The folders of those who sit or sat in games that have changed, as they were before and as they are now."""
    words: Collection[str] | None = None
    """The sort keys of the words of those games, before and now."""
    ended: Collection[tuple[int, str]] | None = None
    """Year of the end and kind of those games that were over before or are now."""

    @property
    def kinds(self) -> Collection[str] | None:
        """The kinds of games whose results have changed."""
        return None if self.ended is None else {kind for _, kind in self.ended}


def changes(site: Site, before: Manifest, wanted: Collection[str], settings: Settings) -> Changes:
    """Look at the games whose pages wait or go: what the site says of them, and what it will say.

    `wanted` are the folders of the games that stay. Where nobody can tell, everything may have changed.
    """
    if not before.form:
        return Changes()
    was = [*site.waiting, *(before.games.keys() - set(wanted))]
    files = [*(site.read(_data(slug)) for slug in was), *(site.read_staged(_data(slug)) for slug in site.waiting)]
    try:
        told = [mentions(content) for content in files if content is not None]
    except ValidationError:
        return Changes()
    return Changes(
        people={person for one in told for person in one.people()},
        words={sort_key(word) for one in told for word in one.words()},
        ended={(local_year(settings, one.ended), one.kind) for one in told if one.ended},
    )


def _data(slug: str) -> str:
    return f"{GAMES}/{slug}/partie.json"
