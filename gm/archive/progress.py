"""How far a site is made: up to which write it shows the games, and which lists are due.

The database keeps it: nobody may read in a published folder that something was written that no page shows. The folder
has only a stamp: whose site it is, and a mark that is another one after each change of a page. So the database knows
whether a site is as it was left, or an older copy, or one that a later state of the database has made.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from pydantic import TypeAdapter, ValidationError
from sqlmodel import Session, select

from gm.store.archive_tables import ArchiveSite

NEWS: Final = ("dates", "games", "index", "feed", "start")
"""The lists that show how far games are: they are made with any news."""
LEFT_OVERS: Final = "left-overs"
"""Not a list: what nobody makes any more is to be removed."""
RESULTS: Final = ("years", "people", "tables", "words", "struck", "rules", LEFT_OVERS)
"""What is made when a game begins, ends, or has other people or another result."""
ALL: Final = (*NEWS, *RESULTS, "fixed")
"""All lists, and the pages that only program and settings change."""


def digest(*values: object) -> str:
    """Give a short checksum of values that print the same whenever they are the same."""
    return blake2b(repr(values).encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Stamp:
    """What lies in a site's folder."""

    zine: str
    """The zine that made it."""
    mark: str

    def to_json(self) -> bytes:
        """Write it."""
        return _STAMP.dump_json(self) + b"\n"


_STAMP: Final = TypeAdapter(Stamp)


def read_stamp(content: bytes) -> Stamp | None:
    """Read a stamp; None where it is damaged."""
    try:
        return _STAMP.validate_json(content)
    except ValidationError:
        return None


def progress_of(session: Session, stamp: Stamp | None) -> ArchiveSite | None:
    """Find how far the site with a stamp is made; None where this database doesn't know.

    The mark may be the next one: an export was cut short behind its first page.
    """
    if stamp is None:
        return None
    return session.exec(
        select(ArchiveSite).where((ArchiveSite.mark == stamp.mark) | (ArchiveSite.next_mark == stamp.mark))
    ).first()


def begin() -> ArchiveSite:
    """Give a site that isn't made yet."""
    return ArchiveSite(mark=_new_mark(), next_mark=_new_mark())


def make_anew(progress: ArchiveSite, program: str) -> None:
    """Let all pages be made, with this version of program and settings."""
    progress.program, progress.last_write, progress.last_game = program, -1, 0
    progress.failed, progress.due = [], {}
    ask_for(progress, ALL)


def ask_for(progress: ArchiveSite, lists: Iterable[str]) -> None:
    """Note that these lists are to be made, from the first page on."""
    progress.due = {**progress.due, **dict.fromkeys(lists, "")}


def save(session: Session, progress: ArchiveSite, *, has_next_mark: bool) -> None:
    """Write how far a site is made; it may have its next mark by now."""
    if has_next_mark:
        progress.mark, progress.next_mark = progress.next_mark, _new_mark()
    kept = session.merge(progress)
    session.flush()
    progress.id = kept.id


def _new_mark() -> str:
    return secrets.token_hex(12)
