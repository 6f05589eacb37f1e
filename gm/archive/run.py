"""An export under way, and what it has done."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sqlmodel import Session

from gm.app.context import App
from gm.archive import progress
from gm.archive.site_folder import Site
from gm.store.archive_tables import ArchiveSite


@dataclass(kw_only=True)
class Exported:
    """What an export did."""

    games: int = 0
    written: int = 0
    deleted: int = 0
    finished: bool = True
    """False: it gave way; the next one goes on."""
    troubles: list[str] = field(default_factory=list)
    """A sentence for each game whose pages couldn't be made."""


@dataclass(kw_only=True)
class Run:
    """An export under way."""

    app: App
    site: Site
    progress: ArchiveSite
    """How far the site is made. Changes hold when they are saved."""
    full: bool
    gives_way: Callable[[], bool]
    """Whether something else is to be done first."""
    games: int = 0
    """Games whose pages were made, or tried to."""
    troubles: dict[int, str] = field(default_factory=dict)
    """What keeps the pages of games from being made, by the game's id."""
    unknown: list[str] = field(default_factory=list)
    """Folders of games that the database doesn't know and that only `full` removes."""

    def save(self, session: Session) -> None:
        """Note in the database how far the site is made."""
        stamp = self.site.stamp
        progress.save(session, self.progress, has_next_mark=stamp is not None and stamp == self.site.next_stamp)
        if stamp is not None:
            self.site.next_stamp = replace(stamp, mark=self.progress.next_mark)
