"""What a site shall show: people and games at a look, and of which nobody can say that it shows them as they are.

A pass of the service notes of each game that it is shown (`Game.changed`), and looks at no others then. That holds for
the site that it has written last, and as that was: the database knows the checksum. For any other site, an older copy
of this one, a database that was brought back, and whenever somebody has another name, all games are compared.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlmodel import Session

from gm.app.context import App
from gm.archive.record.fingerprints import changed, stamps, without_extract
from gm.archive.version_stamp import code
from gm.players.shown_names import ShownNames
from gm.players.site_directory import directory
from gm.store.queries import change_tracking, game_queries


@dataclass(frozen=True, kw_only=True)
class House:
    """People and games as they are now."""

    cast: ShownNames
    slugs: Mapping[int, str]
    stamps: Mapping[int, str]
    """Of the games that were looked at."""
    unextracted: Collection[int]
    changed: Mapping[int, int]
    """Games that a pass has to look at, with the writes that are seen here."""
    is_part: bool
    """Whether no others were looked at."""

    @cached_property
    def wanted(self) -> dict[str, str]:
        """What the site shall hold: folders of games with their stamps."""
        return {self.slugs[game_id]: stamp for game_id, stamp in self.stamps.items()}

    @property
    def unwanted(self) -> list[str]:
        """Which of the changed games have no pages: they never began."""
        return [self.slugs[game_id] for game_id in self.changed if game_id not in self.stamps]


def is_known(session: Session, mark: str) -> bool:
    """Say whether a site is the one that the last pass has left, by its manifest's checksum."""
    return bool(mark) and game_queries.meta(session, change_tracking.SITE) == mark


def is_quiet(session: Session) -> bool:
    """Say whether nothing was written about any game since the last pass."""
    return not changed(session)


def look(app: App, session: Session, *, is_known: bool, waiting: Collection[str]) -> House:
    """Look at the games that have changed; at all, where the site isn't known or pages of others wait there."""
    written = changed(session)
    found = directory(app, session, anew=not is_known)
    is_part = is_known and not found.is_other and {*waiting} <= {found.slugs[game_id] for game_id in written}
    among = written.keys() if is_part else None
    return House(
        cast=found.cast, slugs=found.slugs, stamps=stamps(session, found.cast.people, found.slugs, among),
        unextracted=without_extract(session, code(), among), changed=written, is_part=is_part,
    )  # fmt: skip


def keep_in_mind(app: App, house: House, untold: Collection[int], mark: str) -> None:
    """Note what a site shows, and which site; games that couldn't be told are looked at again."""
    shown = {game_id: writes for game_id, writes in house.changed.items() if game_id not in untold}
    anew = {*untold} - house.changed.keys()
    with app.database.read() as session:
        is_noted = is_known(session, mark)
    if shown or anew or not is_noted:
        with app.database.write() as session:
            change_tracking.note_shown(session, shown)
            change_tracking.show_anew(session, anew)
            game_queries.set_meta(session, change_tracking.SITE, mark)
