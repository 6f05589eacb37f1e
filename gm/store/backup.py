"""Copies an SQLite database while the service runs, and puts such a copy back in its place."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from gm.runtime import drafts
from gm.runtime.errors import Moved, Refused, StoreError
from gm.store import relocation_marks
from gm.store.queries.meta_queries import COPIED, RESTORED, with_restore
from gm.store.schema import refuse_unknown
from gm.store.sqlite_file import uri_of

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""The ends of the files that SQLite keeps beside a database. They would destroy a file that they don't belong to."""

STEP_PAGES: Final = 1024
"""So many pages, four megabytes, are copied between two looks whether to go on."""


def back_up(url: str, target: Path, *, now: datetime, force: bool, go_on: Callable[[], object] = int) -> int:
    """Copy the database as it is at this moment, with its log; returns the size in bytes.

    The file is complete or not there. Nobody else can read it, and a mark in it says that it is a copy. `go_on` is
    called every few megabytes; whatever it raises ends the copying. Raises Refused, StoreError.
    """
    source = check_target(url, target, force=force)
    with _disk_errors(target), drafts.replaced(target) as draft:
        _copy(source, draft, go_on)
        note_copied(draft, now)
        _check(draft, source)
    return target.stat().st_size


def check_target(url: str, target: Path, *, force: bool) -> Path:
    """Make sure that a copy of the database may be written there; returns the database's file.

    Raises Refused, Moved.
    """
    source = _file_of(url, "pg_dump --format=custom --file=FILE makes such a copy while gm runs; or say --all")
    _check_target(source, target, force=force)
    if not source.exists():
        raise Refused(f"There is no database {source} yet; nothing to copy.")
    _refuse_if_moved(source)
    return source


def count_rows(copy: Path) -> dict[str, int]:
    """Count the rows of each table but `meta`, which a restore adds to. Raises StoreError."""
    try:
        with closing(sqlite3.connect(uri_of(copy, "ro"), uri=True)) as database:
            found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            names = [name for (name,) in found if name != "meta" and not name.startswith("sqlite_")]
            counted = ((name, name.replace('"', '""')) for name in names)
            return {name: database.execute(f'SELECT count(*) FROM "{it}"').fetchone()[0] for name, it in counted}
    except sqlite3.Error as error:
        raise _as_sentence(copy, copy, error) from error


def put_back(url: str, copy: Path, *, now: datetime) -> Path | None:
    """Put a copy in the database's place; returns the new name of the old one. Raises Refused, StoreError.

    No process may have the database open. What was there is renamed, never deleted. The copy may also be of a database
    that the zine has left, or that another copy has replaced: here it becomes the zine's database again.
    """
    place = _file_of(url, "pg_restore puts a copy back")
    if not copy.is_file():
        raise Refused(f"There is no file {copy}.")
    if place.exists() and place.samefile(copy):
        raise Refused(f"{copy} is the database itself; name the copy.")
    _refuse_if_moved(place)
    with _disk_errors(place), drafts.replaced(place) as draft:
        _copy(copy, draft)
        _note_restore(draft, now)
        note_copied(draft, now)
        _check(draft, copy)
        return _rename_old(place, now)


def _file_of(url: str, instead: str) -> Path:
    """Return the file of a database. Raises Refused where it is on a server, with what to do instead."""
    if not url.startswith("sqlite:///"):
        raise Refused(f"The database is on a PostgreSQL server: {instead}.")
    return Path(url.removeprefix("sqlite:///"))


def _check_target(source: Path, target: Path, *, force: bool) -> None:
    if any(target.absolute() == Path(f"{source}{end}") for end in ("", *SIDE_FILES)) or (
        target.exists() and source.exists() and target.samefile(source)
    ):
        raise Refused(f"{target} is the database itself, or belongs to it; name another file.")
    check_free(target, force=force)


def check_free(target: Path, *, force: bool) -> None:
    """Make sure that a file may be written there. Raises Refused."""
    if target.is_dir():
        raise Refused(f"{target} is a folder; name a file in it.")
    if target.exists() and not force:
        raise Refused(f"{target} is there already; name another file, or say --force to replace it.")


@contextmanager
def draft_folder(target: Path) -> Iterator[Path]:
    """Give a folder beside the target that nobody else can read, and that is gone afterwards. Raises StoreError."""
    with _disk_errors(target), drafts.draft_folder(target) as draft:
        yield draft


@contextmanager
def _disk_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{target.parent} can't be written to: {error.strerror or error}; nothing was changed."
        ) from error


def _copy(source: Path, draft: Path, go_on: Callable[[], object] = int) -> None:
    """Copy all pages in one reading transaction, which in WAL mode keeps no writer waiting.

    Without a transaction of our own each step would begin one, and the copy begin anew after each commit of others.
    """
    try:
        with closing(sqlite3.connect(uri_of(source), uri=True, isolation_level=None)) as here:
            here.execute("BEGIN")
            here.execute("SELECT count(*) FROM sqlite_master").fetchone()
            with closing(sqlite3.connect(draft)) as there:
                here.backup(there, pages=STEP_PAGES, progress=lambda *_: go_on(), sleep=0)
    except sqlite3.Error as error:
        raise _as_sentence(source, draft, error) from error


def note_copied(draft: Path, now: datetime) -> None:
    """Note in a database that it is a copy, and when it was made, unless it is a copy of a copy."""
    with _opened(draft) as database:
        database.execute("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)", (COPIED, now.isoformat()))


def _note_restore(draft: Path, now: datetime) -> None:
    """Note the time of the restore, by which this copy takes the mailbox over from all others of its database."""
    with _opened(draft) as database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            name = trigger.replace('"', '""')
            database.execute(f'DROP TRIGGER "{name}"')
        known = dict(database.execute("SELECT key, value FROM meta").fetchall())
        copied, overtaken = known.get(COPIED, ""), known.get(relocation_marks.OVERTAKEN, "")
        others = [datetime.fromisoformat(at) for at in (*copied.split()[:1], *overtaken.split()[:1])]
        times = with_restore(known.get(RESTORED, ""), now, *others)
        database.execute("DELETE FROM meta WHERE key IN (?, ?)", (relocation_marks.MOVED, relocation_marks.OVERTAKEN))
        database.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (RESTORED, times))


def _refuse_if_moved(place: Path) -> None:
    """Raise Moved where the zine has left this database. Other faults of it are found elsewhere."""
    if not _is_sqlite(place):
        return
    try:
        with closing(sqlite3.connect(uri_of(place, "ro"), uri=True)) as database:
            found = database.execute("SELECT value FROM meta WHERE key = ?", (relocation_marks.MOVED,)).fetchone()
    except sqlite3.Error:
        return
    if found:
        raise Moved(relocation_marks.moved_sentence(str(place), relocation_marks.parse_mark(found[0])))


def _is_sqlite(place: Path) -> bool:
    """Check it before SQLite opens it, which would delete the log of a file that is something else."""
    try:
        with place.open("rb") as file:
            return file.read(16).startswith(b"SQLite format 3")
    except OSError:
        return False


@contextmanager
def _opened(draft: Path) -> Iterator[sqlite3.Connection]:
    """Open the new file, without a log beside it."""
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
            yield database
    except sqlite3.Error as error:
        raise _as_sentence(draft, draft, error) from error


def _check(draft: Path, source: Path) -> None:
    """Make sure that the copy is sound, one of ours, and not of a later version of gm."""
    try:
        with closing(sqlite3.connect(draft)) as database:
            (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            (version,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise StoreError(f"{source} is no database of gm, or it is damaged ({error}).") from error
    if found != "ok":
        raise StoreError(f"{source} is damaged ({found}); nothing was written. Is there an older backup?")
    refuse_unknown(str(version), str(source))


def _as_sentence(source: Path, draft: Path, error: sqlite3.Error) -> StoreError:
    said = str(error)
    if "full" in said or "I/O" in said:
        folder = next(one for one in draft.parents if one.suffix != drafts.DRAFT)
        return StoreError(f"There is no room for the copy in {folder} ({said}); nothing was changed.")
    if "not a database" in said or "malformed" in said or "no such table" in said:
        return StoreError(f"{source} is no database of gm, or it is damaged ({said}).")
    return StoreError(f"{source} can't be copied: {said}.")


def _rename_old(place: Path, now: datetime) -> Path | None:
    """Rename the old database, with its log if that can't be brought into the file. Raises Refused while it is open."""
    if not place.exists():
        return None
    _fold_log(place)
    aside = place.with_name(f"{place.name}.before-{now.astimezone(UTC):%Y%m%d-%H%M%S}")
    if aside.exists():
        raise Refused(f"{aside} is there already; try again in a second.")
    for end in SIDE_FILES:
        with suppress(FileNotFoundError):
            Path(f"{place}{end}").rename(f"{aside}{end}")
    try:
        os.link(place, aside)  # so that there is a database at every moment: a service would begin an empty one
    except OSError:  # this file system has no links
        place.rename(aside)
    return aside


def _fold_log(place: Path) -> None:
    """Bring the log into the file, if it isn't damaged. Raises Refused where another process has it open."""
    if not _is_sqlite(place):
        return
    try:
        with closing(sqlite3.connect(place, timeout=0.5, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode=DELETE").fetchone()
            database.execute("BEGIN EXCLUSIVE")
            database.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise Refused(
                f"{place} is open elsewhere; end `gm serve` (and its line in cron) first, then try again."
            ) from error
    except sqlite3.DatabaseError:
        return
