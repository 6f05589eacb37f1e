"""Copies an SQLite database while the service runs, and puts such a copy back in its place."""

import fcntl
import glob
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from gm.runtime.errors import Moved, Refused, StoreError
from gm.store import relocation_marks
from gm.store.queries.meta_queries import COPIED, RESTORED, with_restore
from gm.store.schema import refuse_unknown
from gm.store.sqlite_file import uri_of

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""The ends of the files that SQLite keeps beside a database. They would destroy a file that they don't belong to."""

DRAFT: Final = ".part"
"""The end of the name of what a copy is made in."""

STEP_PAGES: Final = 1024
"""So many pages, four megabytes, are copied between two looks whether to go on."""


def back_up(url: str, target: Path, *, now: datetime, force: bool, go_on: Callable[[], object] = int) -> int:
    """Copy the database as it is at this moment, with its log; returns the size in bytes.

    The file is complete or not there. Nobody else can read it, and a mark in it says that it is a copy. `go_on` is
    called every few megabytes; whatever it raises ends the copying. Raises Refused, StoreError.
    """
    source = check_target(url, target, force=force)
    with _atomic_file(target) as draft:
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
    with _atomic_file(place) as draft:
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
    """Give a folder beside the target that nobody else can read, and that is gone afterwards.

    What a killed process has left of the same target is taken away first. Raises Refused, StoreError.
    """
    with _as_refusals(target), _begun(target, tempfile.mkdtemp) as draft:
        yield draft


@contextmanager
def _atomic_file(target: Path) -> Iterator[Path]:
    """Give a new file beside the target, with rights 0600, which takes its place if nothing goes wrong."""
    with _as_refusals(target), _begun(target, _new_file) as draft:
        yield draft
        sync(draft)
        draft.replace(target)
        sync(target.parent)


@contextmanager
def _as_refusals(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{target} can't be written: {error.strerror or error}; nothing was changed.") from error


def _new_file(dir: Path, prefix: str, suffix: str) -> str:  # noqa: A002  as tempfile has it
    handle, name = tempfile.mkstemp(dir=dir, prefix=prefix, suffix=suffix)
    os.close(handle)
    return name


@contextmanager
def _begun(target: Path, make: Callable[..., str]) -> Iterator[Path]:
    """Make a draft beside the target that is locked as long as this process is at it, and gone afterwards."""
    try:
        with _locked_while_beginning(target.parent):
            clear_drafts(target.parent, f".{glob.escape(target.name)}.*{DRAFT}")
            draft = Path(make(dir=target.parent, prefix=f".{target.name}.", suffix=DRAFT))
            lock = _lock(draft)
    except OSError as error:
        raise Refused(f"{target.parent} can't be written to: {error.strerror or error}.") from error
    try:
        yield draft
    finally:
        _delete(draft)
        if lock is not None:
            os.close(lock)


@contextmanager
def _locked_while_beginning(folder: Path) -> Iterator[None]:
    """Keep others from taking a draft for a left one between its making and its lock.

    Within a draft there are no others, and it is locked itself.
    """
    if folder.suffix == DRAFT:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # this file system has no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def clear_drafts(folder: Path, pattern: str) -> None:
    """Delete the drafts that killed processes have left; those that somebody is at stay."""
    for draft in folder.glob(pattern):
        lock = _lock(draft)
        if lock is not None:
            _delete(draft)
            os.close(lock)


def _lock(path: Path) -> int | None:
    """Lock a file or folder until the handle is closed or the process ends; None where another one has."""
    handle = None
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if handle is not None:
            os.close(handle)
        return None
    return handle


def _delete(draft: Path) -> None:
    if draft.is_dir():
        shutil.rmtree(draft, ignore_errors=True)
        return
    for leftover in (draft, *(Path(f"{draft}{end}") for end in SIDE_FILES)):
        with suppress(OSError):
            leftover.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Let the disk have what was written to a file, or which files a folder has. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
        folder = next(one for one in draft.parents if one.suffix != DRAFT)
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
