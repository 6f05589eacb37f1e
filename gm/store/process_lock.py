"""Who else serves a zine in an SQLite file: a lock on a file beside it, which each such process shares while it lives.

Unlike a process' number it ends with the process, however that died, and means the same in every container. It is not
on the database itself: there, closing the file would take SQLite's own locks away.
"""

import fcntl
import os
from pathlib import Path


class Presence:
    """What the others see of this process, from when it is first asked for."""

    def __init__(self, database: Path) -> None:
        self._path = Path(f"{database}-open")
        self._file: int | None = None

    def is_seen(self) -> bool:
        """Let the others see this process; False where nothing can be locked, and so nobody be seen."""
        return self._locks(fcntl.LOCK_SH)

    def is_alone(self) -> bool:
        """Say whether no other process is seen. To be asked while one may write: for a moment this one isn't seen."""
        try:
            return self.is_seen() and self._locks(fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            self.is_seen()

    def _locks(self, how: int) -> bool:
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDONLY | os.O_CREAT, 0o600)
            fcntl.flock(self._file, how)
        except OSError:
            return False
        return True

    def end(self) -> None:
        """Be seen no more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
