"""What all lists of one export share: session, people and games as they are shown, and how pages are made."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from sqlmodel import Session

from games.api import Language
from gm.app.context import App
from gm.archive import layout
from gm.archive.list_data import recent_rounds
from gm.archive.list_data.games_by_status import GamesByStatus, Who
from gm.archive.record.record import Record, from_json
from gm.archive.site_folder import game_folder
from gm.game.people.shown_names import Person
from gm.store.queries.player_queries import NOBODY

MOST_RECORDS: Final = 100
"""Games that are kept in memory while lists are made."""


@dataclass(frozen=True, kw_only=True)
class ListContext:
    """What the lists of one export are made of."""

    app: App
    session: Session
    people: Mapping[int, Person]
    """Players as they are shown."""
    slugs: Mapping[int, str]
    """Game -> the folder of its pages."""
    read: Callable[[str], bytes | None]
    """Reads a file of the site."""
    failed: Collection[str] = ()
    """Folders of games whose pages couldn't be made: they are as they were, or hold no more than a name."""
    _records: dict[str, Record | None] = field(default_factory=dict)

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
            if len(self._records) == MOST_RECORDS:
                del self._records[next(iter(self._records))]
            self._records[slug] = from_json(self.read(f"{game_folder(slug)}/partie.json"))
        return self._records[slug]

    def who(self, player_id: int) -> Who:
        """Name somebody, with the folder of the person's page."""
        person = self.people[player_id]
        return Who(name=person.name, slug="" if person.name == NOBODY else person.slug)


@dataclass(frozen=True, kw_only=True)
class Page:
    """A file of the site."""

    path: str
    content: Callable[[], bytes]
    """Makes it. All that costs much is done here: of many pages only some may have to be made."""


def html(
    context: ListContext, path: str, template: str, values: Callable[[], Mapping[str, Any]],
    language: Language | None = None,
) -> Page:  # fmt: skip
    """Make a page of a template; without a language it is in that of the zine."""
    spoken = language or context.language
    return Page(
        path=path, content=lambda: layout.render(context.app.settings, path, template, values(), spoken).encode()
    )  # fmt: skip
