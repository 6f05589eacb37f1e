"""People and games as they are in the database now, and which of the games a site may not show yet.

A pass of the service clears the mark of each game that its site shows (`Game.changed`), and the next pass looks only at
marked games. That is enough only for the site that the last pass has left. The database knows it by the checksum of its
manifest. All games are compared for any other site, for an older copy of it, after a backup of the database came back,
and whenever somebody has another name.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlmodel import Session

from gm.app.context import App
from gm.archive.program_version import program_checksum
from gm.archive.record.fingerprints import changed_games, fingerprints, without_list_rows
from gm.players.shown_names import ShownNames
from gm.players.site_directory import directory
from gm.store import game_file
from gm.store.queries import zine_queries


@dataclass(frozen=True, kw_only=True)
class DatabaseState:
    """People and games as they are now."""

    cast: ShownNames
    slugs: Mapping[int, str]
    """Game -> the folder of its pages."""
    fingerprints: Mapping[int, str]
    """Of the games that were looked at."""
    without_list_rows: Collection[int]
    changed: Mapping[int, int]
    """Games that have changed since a pass has shown them, with their `writes`."""
    is_part: bool
    """Whether only the changed games were looked at."""

    @cached_property
    def wanted(self) -> dict[str, str]:
        """What the pages of games shall be made from, by folder."""
        return {self.slugs[game_id]: fingerprint for game_id, fingerprint in self.fingerprints.items()}

    @property
    def without_pages(self) -> list[str]:
        """The folders of changed games that have no pages: they were broken off before they began."""
        return [self.slugs[game_id] for game_id in self.changed if game_id not in self.fingerprints]


def is_last_shown(session: Session, mark: str) -> bool:
    """Whether a site is the one that the last pass has left, by its manifest's checksum."""
    return bool(mark) and zine_queries.zine(session).site == mark


def read_state(app: App, session: Session, *, is_known: bool, waiting: Collection[str]) -> DatabaseState:
    """Look at the games that have changed.

    All games are looked at where the site isn't known, and where pages of unchanged games are `waiting`.
    """
    found, written = directory(app, session, anew=not is_known), changed_games(session)
    is_part = is_known and not found.is_other and {*waiting} <= {found.slugs[game_id] for game_id in written}
    among = written.keys() if is_part else None
    return DatabaseState(
        cast=found.cast, slugs=found.slugs,
        fingerprints=fingerprints(session, found.cast.people, found.slugs, among),
        without_list_rows=without_list_rows(session, program_checksum(), among), changed=written, is_part=is_part,
    )  # fmt: skip


def note_shown(app: App, state: DatabaseState, failed: Collection[int], mark: str) -> None:
    """Note what a site shows, and which site. Games whose pages have `failed` are looked at again."""
    shown = {game_id: writes for game_id, writes in state.changed.items() if game_id not in failed}
    again = {*failed} - state.changed.keys()
    with app.database.read() as session:
        is_noted = is_last_shown(session, mark)
    if shown or again or not is_noted:
        with app.database.write() as session:
            game_file.note_archived(session, shown)
            game_file.touch_for_archive(session, again)
            zine_queries.zine(session).site = mark
