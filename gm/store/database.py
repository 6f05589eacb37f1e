"""Opening the database: one writes at a time, durable commits, the schema brought up to date.

SQLite lets one process write at a time. On PostgreSQL each transaction that writes takes one lock, which comes to the
same.
"""

import logging
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from pydantic_core import from_json, to_json  # three times as fast as json with a big state
from sqlalchemy import Engine, create_engine, event, func, select
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlmodel import Session

from gm.runtime.errors import NoRoom, StoreError
from gm.runtime.tracebacks import described
from gm.store.error_sentences import error_sentence, first_error, is_full, missing_sentence, place_of
from gm.store.leader_lock import FileLock, ServerLock
from gm.store.queries import zine_queries
from gm.store.schema import HEAD, refuse_unknown, schema_version, upgrade
from gm.store.sqlite_file import SqliteFile, is_writable, uri_of

log = logging.getLogger("gm")

LOCK_SECONDS = 10.0
"""How long to wait for another process that writes; its transactions take milliseconds."""

CUT_OFF_SECONDS = 20
"""After so long without a word PostgreSQL ends the transaction of a process that it can't reach, with its locks."""

SCARCE_BYTES: Final = 32 * 1024 * 1024
"""With less room on the disk mails are stored and handled one by one: a batch of them may need that much at once."""
RESERVED_BYTES: Final = 320 * 1024
"""Kept free for the mails that are stored already: SQLite writes many pages to handle and answer one."""

_WRITING: Final = 1
"""The number of PostgreSQL's advisory lock for who writes. Number 2 is the leader's (gm/store/leader_lock.py)."""
_CUT_OFF: Final = func.set_config("idle_in_transaction_session_timeout", f"{CUT_OFF_SECONDS}s", True)
"""A process that is stopped or cut off while it writes must not hold up the others."""
_PLACE_ON_SERVER: Final = (
    "SELECT system_identifier || '/' || oid FROM pg_control_system(), pg_database WHERE datname = current_database()"
)
LOCK_ZINE: Final = select(func.pg_advisory_xact_lock(_WRITING), _CUT_OFF)


class Database:
    """The zine's database. Sessions are plain and short: read, decide, write, commit."""

    def __init__(self, url: str, *, lock_seconds: float = LOCK_SECONDS) -> None:
        self.url = url
        self.place = place_of(url)
        self.lock_seconds = lock_seconds
        self.engine = _engine(url, lock_seconds)
        self._reader = _reader(self.engine)
        file = self.engine.url.database if url.startswith("sqlite") else None
        self._file = SqliteFile(Path(file)) if file else None
        self._leader_lock = FileLock(Path(file)) if file else ServerLock(self.engine)

    @property
    def is_shared(self) -> bool:
        """Whether it is on a PostgreSQL server, not in a file."""
        return self._file is None

    @property
    def version(self) -> str:
        """Name the server with its version: `PostgreSQL 15.18`. Raises StoreError."""
        with self.read() as session:
            (number,) = session.connection().exec_driver_sql("SHOW server_version").one()
        return f"PostgreSQL {str(number).split()[0]}"

    # -- transactions --------------------------------------------------------------------------------------------------

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Run a transaction: committed at the end, rolled back on any exception. Raises StoreError.

        Nobody else writes meanwhile.
        """
        self._follow_file()
        try:
            with self.errors_as_sentences(), Session(self.engine, expire_on_commit=False) as session, session.begin():
                if self.is_shared:
                    session.connection().execute(LOCK_ZINE)
                else:
                    self._refuse_if_replaced(session)
                yield session
        finally:
            if self.has_little_room():
                self._cut_log()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Read what the database held at the beginning; blocks no writer. Raises StoreError."""
        self._follow_file()
        with self.errors_as_sentences(), Session(self._reader, expire_on_commit=False) as session:
            yield session
            if self.is_shared:  # after a rollback psycopg would prepare every statement anew
                session.expunge_all()  # nothing is to be written
                session.commit()

    @contextmanager
    def errors_as_sentences(self) -> Iterator[None]:
        """Raise what goes wrong with the database as StoreError or NoRoom: one sentence with what to do."""
        try:
            yield
        except DBAPIError as error:
            first = first_error(error)
            kind = NoRoom if is_full(first) else StoreError
            raise kind(error_sentence(self.place, first, lock_seconds=self.lock_seconds)) from error
        except SQLAlchemyError as error:
            raise StoreError(f"The database {self.place} can't be used: {described(error)}.") from error

    # -- other processes -----------------------------------------------------------------------------------------------

    def lead(self) -> bool:
        """Return whether this process serves the zine: it does from now on if no other one does. Raises StoreError."""
        with self.errors_as_sentences():
            return self._leader_lock.take()

    @property
    def home(self) -> str:
        """Name where the database lies: host and file, or the server's number and the database's there."""
        if self._file:
            return f"{socket.gethostname()}:{self._file.path.resolve()}"
        with self.read() as session:
            return f"PostgreSQL:{session.connection().exec_driver_sql(_PLACE_ON_SERVER).scalar()}"

    def has_lost_the_lead(self) -> bool:
        """Return whether another process may serve the zine by now, though this one did."""
        return self._leader_lock.is_lost()

    # -- the state of the database -------------------------------------------------------------------------------------

    def prepare(self, *, create: bool = False) -> None:
        """Bring the schema up to date, for a zine that is here.

        A new zine begins only where the caller says `create`: a disk that isn't mounted must not look like one.
        Raises StoreError, also where there is no zine or one of a newer version; NotOurs where it was overtaken.
        """
        if create and self._file:
            self._file.make_private()
        elif self._file and self._file.is_missing():
            raise StoreError(missing_sentence(self.url))
        with self.read() as session:
            before = schema_version(session)
            if before is not None:
                refuse_unknown(before, f"The database {self.place}")
            is_begun = before == HEAD and zine_queries.is_begun(session)
            if is_begun:
                zine_queries.refuse_if_overtaken(session)
        if before is None and not create:
            raise StoreError(missing_sentence(self.url))
        if before != HEAD:
            with self.errors_as_sentences():
                upgrade(self.engine, self.place)
            log.info("the database has schema %s now", HEAD)
        if not is_begun:
            with self.write() as session:
                zine_queries.begin(session)
        self._follow_file()

    def _follow_file(self) -> None:
        """Use the SQLite file that is there now. Raises StoreError where it is gone."""
        if self._file and self._file.has_changed():
            self.engine.dispose()

    def _refuse_if_replaced(self, session: Session) -> None:
        """Begin the transaction, and raise StoreError where the file was renamed while we waited for our turn."""
        session.connection()
        if self._file and self._file.has_changed():
            self.engine.dispose()
            raise StoreError(f"The database {self.place} has just been replaced; try again.")

    def check(self) -> None:
        """Let SQLite read all of the file and compare it with its indexes.

        Raises StoreError where it is damaged, or can't be written.
        """
        if self._file is None:
            return
        if not is_writable(self._file.path):
            raise StoreError(
                f"The database {self.place} can only be read; check the rights of the file and its folder."
            )
        with self.read() as session:
            found = session.connection().exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        if found != "ok":
            said = " ".join(str(found).split())
            raise StoreError(f"The database {self.place} is damaged ({said}); restore a backup.")

    def compact(self) -> bool:
        """Rewrite an SQLite file without what was deleted, also in the log beside it.

        False while another process uses it, or where the disk has no room for a copy. A server cleans up by itself.
        """
        if self.is_shared:
            return True
        connection = self.engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute("PRAGMA secure_delete=ON")
            cursor.execute("VACUUM")  # into the log; the next line brings it into the file, and cuts both
            (busy, *_) = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not busy
        except sqlite3.OperationalError:
            return False
        finally:
            connection.close()

    def has_little_room(self) -> bool:
        """Return whether the disk has so little room that transactions should be small, with a short log after each."""
        return self._file is not None and self._file.free_bytes() < SCARCE_BYTES

    def check_room(self, size: int) -> None:
        """Make sure that so much may be stored, and enough is left to handle and answer it. Raises NoRoom."""
        needed = RESERVED_BYTES + 2 * size  # once in the log, once in the file
        if self._file and self._file.free_bytes() < needed:
            raise NoRoom(
                f"The disk of the database {self.place} has no room for more mails; make some: until then they stay in "
                "the mailbox."
            )

    def _cut_log(self) -> None:
        """Let SQLite bring its log into the file and cut it, unless another process is reading."""
        with suppress(sqlite3.Error, SQLAlchemyError), closing(self.engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute("PRAGMA busy_timeout=0")
            try:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                cursor.execute(f"PRAGMA busy_timeout={self.lock_seconds * 1000:.0f}")

    def close(self) -> None:
        """Close all connections."""
        self._leader_lock.release()
        self.engine.dispose()


def follow_indexes(session: Session) -> None:
    """Let PostgreSQL read along an index rather than gather and sort, in this transaction.

    A queue grows by thousands in a minute. As long as the statistics say that it is short, all of it would be gathered.
    """
    if session.get_bind().dialect.name == "postgresql":
        off = (func.set_config(f"enable_{way}", "off", True) for way in ("sort", "bitmapscan"))
        session.connection().execute(select(*off))


def _json(value: Any) -> str:
    return to_json(value).decode()


def _engine(url: str, lock_seconds: float) -> Engine:
    if not url.startswith("sqlite"):
        return _postgresql(url, lock_seconds)
    engine = create_engine(
        url, connect_args={"timeout": lock_seconds}, json_deserializer=from_json, json_serializer=_json,
        hide_parameters=True,
    )  # fmt: skip
    event.listen(engine, "do_connect", _open_what_is_there)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _open_what_is_there(_dialect: Any, _record: Any, arguments: list[Any], options: dict[str, Any]) -> None:
    """Keep SQLite from making a file: ours may be gone at any moment, and an empty one would be taken for a zine."""
    if not options.get("uri"):
        arguments[0], options["uri"] = uri_of(Path(arguments[0])), True


def _postgresql(url: str, lock_seconds: float) -> Engine:
    keepalives = {"keepalives_idle": 5, "keepalives_interval": 5, "keepalives_count": 3}
    engine = create_engine(
        url, connect_args={"connect_timeout": 10, "tcp_user_timeout": 15_000, "application_name": "gm", **keepalives},
        json_deserializer=from_json, json_serializer=_json, hide_parameters=True, pool_pre_ping=True,
        use_native_hstore=False,
    )  # fmt: skip
    settings = {
        "timezone": "UTC", "lock_timeout": f"{lock_seconds * 1000:.0f}",
        "client_connection_check_interval": "1s",  # a killed process waits for no lock any more
        **{f"tcp_{name}": str(number) for name, number in keepalives.items()},
    }  # fmt: skip

    def set_up(connection: Any, _record: Any) -> None:
        connection.autocommit = True  # otherwise a rollback would take the settings back
        with connection.cursor() as cursor:
            cursor.executemany("SELECT set_config(%s, %s, false)", list(settings.items()))
        connection.autocommit = False

    event.listen(engine, "connect", set_up)
    return engine


def _reader(engine: Engine) -> Engine:
    """Let a reading transaction see the same from beginning to end, as it does by itself on SQLite."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(read_only=True)
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # The driver begins a transaction only after the first SELECT. Two processes would both read the old row, and one
    # update would be lost without any error. So `_begin_sqlite` begins it.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    begin = "BEGIN" if connection.get_execution_options().get("read_only") else "BEGIN IMMEDIATE"
    try:
        connection.connection.dbapi_connection.execute(begin)
    except sqlite3.Error as error:
        raise OperationalError(begin, None, error) from error
