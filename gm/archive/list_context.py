"""What all lists of one export share: session, people and games as they are shown, and how pages are made."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import ValidationError
from sqlmodel import Session

from games.api import Language
from gm.app.context import App
from gm.archive import layout
from gm.archive.list_data import recent_rounds
from gm.archive.list_data.games_by_status import GamesByStatus, Who
from gm.archive.manifest import Changes, Manifest, digest
from gm.archive.record.record import Record, from_json
from gm.players.shown_names import Person, ShownNames
from gm.store.queries.player_queries import NOBODY


@dataclass(frozen=True, kw_only=True)
class ListContext:
    """What the lists of one export are made of."""

    app: App
    session: Session
    cast: ShownNames
    slugs: Mapping[int, str]
    """Game -> the folder of its pages."""
    manifest: Manifest
    """What the pages that are there were made from."""
    changed_people: Collection[str] | None
    """The folders of those whose games have changed since the last export; None: it may be everybody."""
    changes: Changes
    """What has changed since the long lists were made."""
    read: Callable[[str, str], bytes | None]
    """Reads a file of a game, by the game's folder and its own name, as it will be after the export."""
    failed: Collection[str] = ()
    """Folders of games whose pages couldn't be made: they are as they were, or hold no more than a name."""
    _records: dict[str, Record | None] = field(default_factory=dict)

    @property
    def people(self) -> Mapping[int, Person]:
        """Players as they are shown."""
        return self.cast.people

    @property
    def language(self) -> Language:
        """The language of the zine; a game's own pages are in the game's."""
        return self.app.settings.service.language

    @cached_property
    def games(self) -> GamesByStatus:
        """All games as spectators know them."""
        return GamesByStatus(self.session, self.slugs, self.app.settings)

    @cached_property
    def recent_rounds(self) -> Sequence[recent_rounds.ClosedRound]:
        """The rounds whose bulletins went out last, newest first."""
        return recent_rounds.newest(self.session, self.slugs, self.failed, self.language)

    def record(self, slug: str) -> Record | None:
        """Read a game as its pages show it; None where its file can't be read.

        Lists are made of rows of the database. Only the few games whose boards they show are read.
        """
        if slug not in self._records:
            self._records[slug] = _parsed(self.read(slug, "partie.json"))
        return self._records[slug]

    def who(self, player_id: int) -> Who:
        """Name somebody, with the folder of the person's page."""
        person = self.people[player_id]
        return Who(name=person.name, slug="" if person.name == NOBODY else person.slug)

    @property
    def has_changed_results(self) -> bool:
        """Whether results have changed since the long lists were made."""
        return self.changes.kinds is None or bool(self.changes.kinds)

    def kinds_to_make(self, kinds: Sequence[str], folder: str) -> Sequence[str]:
        """Pick the kinds whose pages in a folder of lists may be others now, of those that have pages there.

        All pages of the folder link to each other, so where a kind comes or goes they are all made.
        """
        changed = self.changes.kinds
        if changed is None or any(
            (f"{folder}/{kind}/index.html" in self.manifest) != (kind in kinds) for kind in changed
        ):  # fmt: skip
            return kinds
        return [kind for kind in kinds if kind in changed]

    def files_of_changed_kinds(self, folder: str) -> list[str]:
        """List the files of the kinds of games whose results have changed, below a folder of lists."""
        return [path for kind in self.changes.kinds or () for path in self.manifest.files_in(f"{folder}/{kind}")]

    def players_in(self, slugs: Iterable[str]) -> list[int]:
        """List the players whose pages are in these folders."""
        return sorted(one for slug in slugs for one in self.cast.by_slug.get(slug, ()))


def _parsed(content: bytes | None) -> Record | None:
    try:
        return from_json(content) if content is not None else None
    except ValidationError:
        return None


@dataclass(frozen=True, kw_only=True)
class Page:
    """A file of the site. It is made only if `made_from` differs from what the one that is there was made from."""

    path: str
    made_from: str
    content: Callable[[], bytes]


@dataclass(frozen=True, kw_only=True)
class Listing:
    """The pages of one kind that may have changed.

    Of the files in `stale` only those stay that are among the pages.
    """

    pages: Iterable[Page] = ()
    stale: Collection[str] = ()


def html(
    context: ListContext, path: str, template: str, values: Mapping[str, Any], language: Language | None = None
) -> Page:
    """Make a page of a template. The values are plain ones and frozen dataclasses: a change shows in their `repr`."""
    spoken = language or context.language
    return Page(
        path=path, made_from=digest(template, spoken, values),
        content=lambda: layout.render(context.app.settings, path, template, values, spoken),
    )  # fmt: skip
