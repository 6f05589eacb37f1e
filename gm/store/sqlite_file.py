"""The file of an SQLite database: how it is opened, whether it is still there, and which processes have it open.

SQLite wants to write for reading as well: an index to the log of changes, beside the file. Where it can't, and no other
process has made one, the file alone is the whole zine.
"""

import fcntl
import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from gm.runtime import log_format
from gm.runtime.errors import StoreError

log = logging.getLogger("gm")


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
            log.warning("The database %s is another file than before; we go on with this one.", self.path,
                        extra=log_format.event("database replaced"))  # fmt: skip
        is_changed = is_replaced or opened_as != self._opened_as
        self._inode, self._opened_as = inode, opened_as
        return is_changed

    def free_bytes(self) -> float:
        """Return the room that the disk has left; infinite where the system doesn't say it."""
        try:
            disk = os.statvfs(self.path.absolute().parent)
        except OSError:
            return float("inf")
        return disk.f_bavail * disk.f_frsize


class ProcessLock:
    """A lock on a file beside the database, which each process that serves the zine shares while it lives.

    Unlike a process' number it ends with the process, however that died, and means the same in every container. It is
    not on the database itself: closing that file would take away SQLite's own locks.
    """

    def __init__(self, database: Path) -> None:
        self._path = Path(f"{database}-open")
        self._file: int | None = None

    def share(self) -> bool:
        """Take a share of the lock; False where nothing can be locked."""
        return self._lock(fcntl.LOCK_SH)

    def is_only_process(self) -> bool:
        """Return whether no other process has a share. Call it in a transaction that writes."""
        try:
            return self.share() and self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB)  # meanwhile this one has no share
        finally:
            self.share()

    def _lock(self, how: int) -> bool:
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDONLY | os.O_CREAT, 0o600)
            fcntl.flock(self._file, how)
        except OSError:
            return False
        return True

    def release(self) -> None:
        """Release the share."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
