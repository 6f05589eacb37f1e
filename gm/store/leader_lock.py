"""The lock of the process that serves a zine. Others with the same database stand by until it is free.

It ends with its process, however that died. What a process did as the leader is safe even if another one leads by then:
every write looks at the rows again, and a mail in flight goes out as the same mail.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from gm.runtime import file_lock
from gm.runtime.errors import StoreError

_LEADING: Final = 2
"""The number of the leader's advisory lock. Number 1 is the lock of who writes (gm/store/database.py)."""


class FileLock:
    """The lock for a zine in an SQLite file: on a file beside it, as closing the database would free SQLite's locks."""

    def __init__(self, database: Path) -> None:
        self._path = Path(f"{database}-serving")
        self._lock = file_lock.FileLock(self._path)

    def take(self) -> bool:
        """Take the lock if it is free; returns whether this process has it. Raises StoreError."""
        try:
            return self._lock.take()
        except OSError as error:
            raise StoreError(
                f"{self._path} can't be locked: {error.strerror}; check the rights of the file and its folder."
            ) from error

    def is_lost(self) -> bool:
        """Return whether this process had the lock, and has lost it."""
        return False

    def release(self) -> None:
        """Let another process have the lock."""
        self._lock.release()


class ServerLock:
    """The lock for a zine on PostgreSQL: an advisory lock on a connection of its own.

    The server frees it at once where the process ends, and within half a minute where it can't be reached any more.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def take(self) -> bool:
        """Take the lock if it is free; returns whether this process has it. Raises SQLAlchemyError."""
        if self._connection is not None and not self.is_lost():
            return True
        self.release()
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if connection.scalar(select(func.pg_try_advisory_lock(_LEADING))):
            self._connection = connection
            return True
        connection.close()
        return False

    def is_lost(self) -> bool:
        """Return whether this process had the lock, and has lost it."""
        if self._connection is None:
            return False
        try:
            self._connection.execute(select(1))
        except SQLAlchemyError:
            return True
        return False

    def release(self) -> None:
        """Let another process have the lock."""
        if self._connection is not None:
            with suppress(SQLAlchemyError):
                self._connection.execute(select(func.pg_advisory_unlock(_LEADING)))
            with suppress(SQLAlchemyError):  # what kept the lock must not go back to the pool
                self._connection.invalidate()
                self._connection.close()
            self._connection = None
