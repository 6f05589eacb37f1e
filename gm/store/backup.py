"""Copies an SQLite database while others write to it, and checks such a copy."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from textwrap import shorten
from typing import Final

from gm.runtime.errors import StoreError
from gm.store.schema import refuse_unknown
from gm.store.sqlite_file import uri_of

_LOOK_EVERY: Final = 100_000
"""After so many of its instructions, some milliseconds, SQLite asks whether to go on."""


def copy_database(source: Path, target: Path, *, now: datetime, go_on: Callable[[], int | None] = int) -> None:
    """Copy a database as it is at this moment to a new file, with a mark that it is a copy. Raises StoreError.

    Whatever `go_on` raises ends the copying.
    """
    target.touch(0o600)
    try:
        with closing(sqlite3.connect(uri_of(source), uri=True, isolation_level=None)) as here:
            here.set_progress_handler(go_on, _LOOK_EVERY)
            here.execute("VACUUM INTO ?", (str(target),))
        with closing(sqlite3.connect(target, isolation_level=None)) as there:
            at = f"{now.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"  # as SQLAlchemy writes it
            there.execute("UPDATE zine SET copied_at = coalesce(copied_at, ?)", (at,))
    except sqlite3.Error as error:
        go_on()  # it was its wish
        raise _as_sentence(source, target, error) from error
    check_copy(target)


def _in_a_line(said: object) -> str:
    """Return the first words of what SQLite says, which may be a whole schema in many lines."""
    return shorten(" ".join(str(said).split()), 120, placeholder=" ...")


def check_copy(copy: Path) -> None:
    """Make sure that a copy is sound, one of ours, and not of a later version of gm. Raises StoreError."""
    try:
        with closing(sqlite3.connect(uri_of(copy, "ro"), uri=True)) as database:
            (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            (version,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise StoreError(f"{copy} is no database of gm, or it is damaged ({_in_a_line(error)}).") from error
    if found != "ok":
        raise StoreError(f"{copy} is damaged ({_in_a_line(found)}). Is there an older backup?")
    refuse_unknown(str(version), str(copy))


def _as_sentence(source: Path, target: Path, error: sqlite3.Error) -> StoreError:
    said = str(error)
    if "full" in said or "I/O" in said:
        return StoreError(f"There is no room for the copy in {target.parent} ({said}); nothing was changed.")
    if "not a database" in said or "malformed" in said or "no such table" in said:
        return StoreError(f"{source} is no database of gm, or it is damaged ({said}).")
    return StoreError(f"{source} can't be copied: {said}.")
