"""What has changed for lists since the last export: people, words, and results by year and kind of game."""

from collections.abc import Collection

from pydantic import ValidationError

from gm.archive.list_data.games_by_status import local_year
from gm.archive.manifest import Changes, game_folder
from gm.archive.record.list_rows import sort_key
from gm.archive.record.record import Mentions, mentions
from gm.archive.site_folder import Site
from gm.runtime.config.settings import Settings


def changes(site: Site, gone: Collection[str], incomplete: Collection[str], settings: Settings) -> Changes:
    """Compare the games whose pages are staged, or go, with what the site shows of them.

    Where the site's data can't be read, everything may have changed. Games whose pages were `incomplete` may have
    another title.
    """
    people, words, ended = set[str](), set[str](), set[tuple[int, str]]()
    for slug in {*site.staged, *gone}:
        try:
            before, after = _mentions(site, slug)
        except ValidationError:
            return Changes()
        for one in (before, after):
            if one is not None:
                people |= one.people() if slug in incomplete or _concerns_people(before, after) else set()
                words |= {sort_key(word) for word in one.words()}
                ended |= {(local_year(settings, one.ended), one.kind)} if one.ended else set()
    return Changes(people=tuple(sorted(people)), words=tuple(sorted(words)), ended=tuple(sorted(ended)))


def _mentions(site: Site, slug: str) -> tuple[Mentions | None, Mentions | None]:
    """Read which people and words are in a game's data: as the site has it, and as it is staged."""
    path = f"{game_folder(slug)}/partie.json"
    before, after = site.read(path), site.read_staged(path) if slug in site.staged else None
    return mentions(before) if before is not None else None, mentions(after) if after is not None else None


def _concerns_people(before: Mentions | None, after: Mentions | None) -> bool:
    """Whether more than another round has changed: pages of people list games, but not how far they are."""
    if before is None or after is None or not (before.rules_version and after.rules_version):
        return True
    is_over = before.ended or after.ended or before.status != after.status
    return bool(is_over) or before.people() != after.people()
