"""What all lists of one export share: the house, its people and games as they are shown, and how pages are made."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from sqlmodel import Session

from games import engines
from games.api import Language, Unit
from gm.app.context import App
from gm.archive import layout
from gm.archive.changes import Changes
from gm.archive.list_data import recent_rounds, running_games
from gm.archive.list_data.games_by_status import Shelf, Who, who_is
from gm.archive.manifest import Manifest, digest
from gm.archive.record import public_steps
from gm.messages.rendering.sentences import SENTENCES
from gm.messages.rendering.wording import Speaker
from gm.players.shown_names import Person, ShownNames


@dataclass(frozen=True, kw_only=True)
class Edition:
    """What the lists of one export are made of."""

    app: App
    session: Session
    cast: ShownNames
    slugs: Mapping[int, str]
    """Game -> the folder of its pages."""
    news: Changes
    """What has changed since the last export."""
    changes: Changes
    """What has changed since lists were made that aren't made each time."""
    before: Manifest
    """What the site was made from."""
    untold: Collection[str] = ()
    """Folders of games whose pages can't be made anew: they are as they were, or say no more than a name."""

    @property
    def people(self) -> Mapping[int, Person]:
        """Players as they are shown."""
        return self.cast.people

    @property
    def language(self) -> Language:
        """The language of the house; a game's own pages speak the game's."""
        return self.app.settings.service.language

    @cached_property
    def shelf(self) -> Shelf:
        """All games as spectators know of them."""
        return Shelf(self.session, self.slugs, self.app.settings)

    @cached_property
    def running_rows(self) -> Sequence[running_games.RunningRow]:
        """The games under way, the next ZAT first."""
        return running_games.running_rows(self.shelf.running, self.title, self.heading)

    @cached_property
    def closings(self) -> Sequence[recent_rounds.Closing]:
        """The rounds whose bulletins went out last, newest first."""
        return recent_rounds.newest(self.session, self.slugs, self.untold, self.title, self.heading)

    def who(self, player_id: int) -> Who:
        """Name somebody, with the folder of the person's page."""
        if player_id not in self._whos:
            self._whos[player_id] = who_is(self.people[player_id])
        return self._whos[player_id]

    def called(self, slugs: Iterable[str]) -> list[int]:
        """List whose pages are in these folders."""
        return sorted(one for slug in slugs for one in self.cast.by_slug.get(slug, ()))

    @cached_property
    def _whos(self) -> dict[int, Who]:
        return {}

    def title(self, kind: str) -> str:
        """Name a kind of game, also one whose rules can't be had here."""
        engine = engines().get(kind)
        return engine.rules.title if engine else kind

    def by_title(self, kinds: Iterable[str]) -> list[str]:
        """Sort kinds of games."""
        return sorted(kinds, key=lambda kind: (self.title(kind), kind))

    def heading(self, kind: str, number: int) -> str:
        """Name a round, turn or deal of a kind of game: `Runde 3`; 0 is the start."""
        engine = engines().get(kind)
        return _heading(engine.rules.unit if engine else "round", number, self.language)


@lru_cache(maxsize=1024)
def _heading(unit: Unit, number: int, language: Language) -> str:
    return Speaker(language=language, wording=SENTENCES, names={}).say(public_steps.heading(unit, number))


@dataclass(frozen=True, kw_only=True)
class Page:
    """A file of the site. It is written only if `made_from` differs from what the one that is there was made from."""

    path: str
    made_from: str
    content: Callable[[], bytes]


@dataclass(frozen=True, kw_only=True)
class Listing:
    """The pages of one kind that may have changed; of the paths in `stale` nothing is left but what is among them."""

    pages: Iterable[Page] = ()
    stale: Collection[str] = ()


def html(
    edition: Edition, path: str, template: str, context: Mapping[str, Any], language: Language | None = None
) -> Page:
    """Make a page of a template. The context is plain values and frozen dataclasses: a change shows in their `repr`."""
    spoken = language or edition.language
    return Page(
        path=path, made_from=digest(template, spoken, context),
        content=lambda: layout.render(edition.app.settings, path, template, context, spoken),
    )  # fmt: skip
