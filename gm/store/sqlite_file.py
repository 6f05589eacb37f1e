"""The file of an SQLite database: how it is opened, and whether it is still there.

SQLite wants to write for reading as well: an index to the log of changes, beside the file. Where it can't, and no other
process has made one, the file alone is the whole zine.
"""

import logging
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

from gm.runtime.errors import StoreError

log = logging.getLogger("gm")

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""The ends of the files that SQLite keeps beside a database. They would destroy a file that they don't belong to."""


def uri_of(path: Path, mode: Literal["rw", "ro"] = "rw") -> str:
    """Name a file for SQLite so that it doesn't make a new one; what can't be written is opened for reading."""
    way = mode if is_writable(path) else "ro" if _has_log(path) else "ro&immutable=1"
    return f"file:{quote(os.fsencode(path))}?mode={way}"


def is_writable(path: Path) -> bool:
    """Return whether we may write to the file, and to the log beside it."""
    return os.access(path, os.W_OK) and (os.access(path.parent, os.W_OK) or _has_log(path))


def _has_log(path: Path) -> bool:
    """Return whether the log may hold changes, or another process is about to write there."""
    logs = [Path(f"{path}{end}") for end in ("-wal", "-journal")]
    return Path(f"{path}-shm").exists() or any(log.exists() and log.stat().st_size > 0 for log in logs)


def rename_aside(path: Path, end: str) -> Path:
    """Rename a database with the files that SQLite keeps beside it. Raises StoreError."""
    aside = path.with_name(f"{path.name}.{end}")
    try:
        path.rename(aside)
        for side in SIDE_FILES:
            with suppress(FileNotFoundError):
                Path(f"{path}{side}").rename(f"{aside}{side}")
    except OSError as error:
        raise StoreError(f"{path} can't be renamed: {error.strerror or error}.") from error
    return aside


class SqliteFile:
    """The database's file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._inode: tuple[int, int] | None = None
        self._opened_as = ""

    def is_missing(self) -> bool:
        """Return whether there is no file, or an empty one. SQLite itself says what else may be wrong with it."""
        try:
            return not self.path.stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False

    def make_private(self) -> None:
        """Make a new file that nobody else can read: it holds mails and the secret. SQLite's logs take its rights."""
        with suppress(OSError):  # it is there already, or SQLite says why it can't be made
            self.path.touch(0o600, exist_ok=False)

    def has_changed(self) -> bool:
        """Return whether connections must be opened anew. Raises StoreError where the file is gone.

        Without this SQLite would go on writing to a file that was taken away or replaced. A backup put in its place is
        used from then on, and so is a disk that could only be read and can be written now.
        """
        try:
            status = self.path.stat()
        except OSError:
            if self._inode is None:  # SQLite says what is wrong
                return False
            raise StoreError(f"The database {self.path} is gone; restore a backup, then all goes on.") from None
        inode, opened_as = (status.st_dev, status.st_ino), uri_of(self.path)
        is_replaced = self._inode not in (None, inode)
        if is_replaced:
            log.warning("The database %s is another file than before; we go on with this one.", self.path)
        is_changed = is_replaced or opened_as != self._opened_as
        self._inode, self._opened_as = inode, opened_as
        return is_changed

    def free_bytes(self) -> float:
        """Return the room that the disk has left; infinite where the system doesn't say it."""
        try:
            return shutil.disk_usage(self.path.absolute().parent).free
        except OSError:
            return float("inf")
