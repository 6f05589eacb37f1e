"""An export under way, and what it has done."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from gm.app.context import App
from gm.archive.manifest import Manifest
from gm.archive.site_folder import Site

INCOMPLETE: Final = ""
"""What pages are made from that don't show all of their game: the next export makes them again."""


@dataclass(kw_only=True)
class Exported:
    """What an export did."""

    games: int = 0
    written: int = 0
    deleted: int = 0
    finished: bool = True
    """False: it gave way, nothing is moved into place yet; the next one goes on."""
    troubles: list[str] = field(default_factory=list)
    """A sentence for each game whose pages couldn't be made, and for each page that has no place."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A game whose pages couldn't be made."""

    game_id: int
    made_from: str
    sentence: str


@dataclass(kw_only=True)
class Run:
    """An export under way."""

    app: App
    site: Site
    version: str
    full: bool
    in_passing: bool
    gives_way: Callable[[], bool]
    """Whether something else is to be done first."""
    failed: dict[str, Failure] = field(default_factory=dict)
    """By the folder of the game."""
    made: set[int] = field(default_factory=set)
    """Games whose pages this export has made, or tried to."""
    done: Exported = field(default_factory=Exported)

    def __post_init__(self) -> None:
        known = self.site.manifest
        self.is_trusted = known is not None and known.version == self.version and not self.full
        self.manifest = known if known and self.is_trusted else Manifest(self.version)
        """What the site is made from; it begins empty where all has to be made anew."""

    def now(self) -> int:
        """Give the time in seconds."""
        return int(self.app.now().timestamp())

    def is_up_to_date(self, slug: str, made_from: str) -> bool:
        """Whether nothing has to be done for a game any more."""
        if slug in self.failed:
            return self.failed[slug].made_from == made_from
        staged = self.site.staged.get(slug)
        return (staged is not None and staged.made_from == made_from) or self.manifest.game(slug) == made_from
