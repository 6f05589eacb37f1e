"""Opening the database: who may write at the same time, durable commits, the schema brought up to date.

SQLite lets in one writer at a time. On PostgreSQL a transaction either has the whole zine to itself, which is the rule
and means the same, or it shares it (`together`) and takes a lock on each row that others may want to change.
"""

import logging
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from pydantic_core import from_json, to_json  # three times as fast as json with a big state
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Engine,
    cast,
    column,
    create_engine,
    event,
    func,
    select,
    table,
    text,
)
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlmodel import Session

from gm.runtime import log_format
from gm.runtime.errors import Moved, NoRoom, StoreError
from gm.runtime.tracebacks import described
from gm.store import relocation_marks
from gm.store.error_sentences import first_of, is_full, missing, place_of, sentence
from gm.store.process_lock import Presence
from gm.store.queries.query_cache import drop_rows, insert_now
from gm.store.schema import HEAD, refuse_unknown, schema_version, upgrade
from gm.store.sqlite_file import is_writable, uri_of

log = logging.getLogger("gm")

LOCK_SECONDS = 10.0
"""How long to wait for another process that writes; its transactions take milliseconds."""

CUT_OFF_SECONDS = 20
"""After so long without a word PostgreSQL lets go of a process that it can't reach, and of all that it holds."""

SCARCE: Final = 32 * 1024 * 1024
"""With less room on the disk mails are stored and handled one by one: a batch of them may need that much at once."""
RESERVE: Final = 256 * 1024
"""So much of the disk is left for what is stored already: to handle and answer a mail, SQLite writes many pages."""

_ZINE: Final = 1
"""The advisory lock that stands for the whole zine."""
MAILS: Final = 2
"""The one for taking mails to handle."""
LETTERS: Final = 3
"""The one for taking letters to send."""
FETCHING: Final = 4
"""The first number of the lock of who fetches a mailbox; the second one names the mailbox."""
SERVING: Final = 5
"""The first number of the lock that a process has while it lives; the second one names the process."""
CALL: Final = "gm"
"""The channel (`LISTEN gm`) on which processes tell one another that there is work."""
_CUT_OFF: Final = func.set_config("idle_in_transaction_session_timeout", f"{CUT_OFF_SECONDS}s", True)
"""A process that was stopped or cut off while it writes must not hold the others up."""
ALONE: Final = select(func.pg_advisory_xact_lock(_ZINE), _CUT_OFF)
TOGETHER: Final = select(func.pg_advisory_xact_lock_shared(_ZINE), _CUT_OFF)


class Database:
    """The zine's database. Sessions are plain and short: read, decide, write, commit."""

    def __init__(self, url: str, *, lock_seconds: float = LOCK_SECONDS) -> None:
        self.url = url
        self.lock_seconds = lock_seconds
        self.engine = _engine(url, lock_seconds)
        self._reader = _reader(self.engine)
        self.worker = secrets.randbits(31)
        """Names this process among those that share the work."""
        self.is_serving = False
        """Whether the others can see that this process lives (gm/store/cluster.py)."""
        self._file: tuple[int, int] | None = None
        self._opened_as = ""
        file = None if self.is_shared else self.engine.url.database
        self._presence = Presence(Path(file)) if file else None

    @property
    def is_shared(self) -> bool:
        """Whether processes on any number of hosts may work on it: a PostgreSQL server, no file."""
        return not self.url.startswith("sqlite")

    @property
    def version(self) -> str:
        """Name the server with its version: `PostgreSQL 15.18`. Raises StoreError."""
        with self.read() as session:
            (number,) = session.connection().exec_driver_sql("SHOW server_version").one()
        return f"PostgreSQL {str(number).split()[0]}"

    @contextmanager
    def write(self, *, together: bool = False) -> Iterator[Session]:
        """A transaction: committed at the end, rolled back on any exception. Raises StoreError.

        Nobody else writes meanwhile; `together`, only those who say so as well, and each must lock what it changes.
        """
        self._look_for_the_file()
        try:
            with _told_once(self), Session(self.engine, expire_on_commit=False) as session, session.begin():
                if self.is_shared:
                    session.connection().execute(TOGETHER if together else ALONE)
                yield session
        finally:
            if self.is_short():
                self._cut_log()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A look that blocks no writer, at what the database held when it began. Raises StoreError."""
        self._look_for_the_file()
        with _told_once(self), Session(self._reader, expire_on_commit=False) as session:
            yield session
            if self.is_shared:  # with a rollback psycopg would prepare every statement anew
                session.expunge_all()  # nothing is to be written
                session.commit()

    @contextmanager
    def in_turn(self, what: int) -> Iterator[Callable[[], object]]:
        """Let processes in one after the other; what is given ends one's turn before the end. Raises StoreError.

        With SQLite whoever writes is alone anyway.
        """
        if not self.is_shared:
            yield int
            return
        with _told_once(self), self.engine.connect() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(what), _CUT_OFF))
            yield connection.rollback

    @staticmethod
    def alive() -> ColumnElement[Any]:
        """Ask PostgreSQL which processes take part in the work at this moment: an array, so that it looks but once."""
        locks = table("pg_locks", *map(column, ("locktype", "classid", "objid", "granted", "database")))
        here = select(text("oid")).select_from(text("pg_database")).where(text("datname = current_database()"))
        numbers = select(cast(locks.c.objid, BigInteger)).where(
            locks.c.locktype == "advisory", cast(locks.c.classid, BigInteger) == SERVING, locks.c.granted,
            locks.c.database == here.scalar_subquery(),
        )  # fmt: skip
        return func.array(numbers.scalar_subquery())

    @property
    def known_as(self) -> int | None:
        """This process' number, where the others can tell by it whether it lives."""
        return self.worker if self.is_serving or (self._presence and self._presence.is_seen()) else None

    def is_alone(self) -> bool:
        """Say whether no other process sends mails of this SQLite file; to be asked in a transaction that writes."""
        return self._presence is not None and self._presence.is_alone()

    def be_seen(self) -> None:
        """Let the others see that this process serves an SQLite file. On a server gm/store/cluster.py does that."""
        if self._presence:
            self._presence.is_seen()

    def is_served(self, session: Session) -> bool:
        """Say whether another process serves the zine; to be asked in a transaction that writes."""
        if not self.is_shared:
            return not self.is_alone()
        return bool(session.scalar(select(func.cardinality(self.alive()))))

    def call_others(self, session: Session) -> None:
        """Wake the other processes when this transaction is done: there is work for them."""
        if self.is_shared:
            session.connection().execute(select(func.pg_notify(CALL, str(self.worker))))

    def prepare(self, *, create: bool = False) -> None:
        """Bring the schema up to date, for a zine that is here.

        A new zine begins only where the caller says `create`: a disk that isn't mounted must not look like one.
        Raises StoreError, also where there is no zine, and for a newer one than ours; Moved.
        """
        if create:
            _make_private(self.url)
        elif self._is_missing():
            raise StoreError(missing(self.url))
        with self.read() as session:
            before = schema_version(session)
            if before is not None:
                refuse_unknown(before, f"The database {place_of(self.url)}")
                relocation_marks.refuse_if_moved(session, self.url)
        if before is None and not create:
            raise StoreError(missing(self.url))
        with _told_once(self):
            if before != HEAD:
                upgrade(self.engine, place_of(self.url))
                log.info(
                    "the database has schema %s now",
                    HEAD,
                    extra=log_format.event("migrated", before=before, after=HEAD),
                )
        self._look_for_the_file()

    def _is_missing(self) -> bool:
        """Say whether there is no file, or an empty one. What else may be wrong with it is SQLite's to say."""
        if self.is_shared or not self.engine.url.database:
            return False
        try:
            return not Path(self.engine.url.database).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False

    def _look_for_the_file(self) -> None:
        """Notice that the file was taken away or replaced: SQLite would go on writing to what nobody finds again.

        A backup that lies there again is taken up. So is it when a disk that could only be read can be written.
        """
        if not self.url.startswith("sqlite") or not self.engine.url.database:
            return
        path = Path(self.engine.url.database)
        try:
            status = path.stat()
        except OSError:
            if self._file is None:  # SQLite says what is wrong
                return
            raise StoreError(
                f"The database {place_of(self.url)} is gone; restore a backup, then all goes on."
            ) from None
        found = (status.st_dev, status.st_ino)
        if self._file not in (None, found):
            log.warning("The database %s is another file than before; we go on with this one.", place_of(self.url),
                        extra=log_format.event("database replaced"))  # fmt: skip
            self.engine.dispose()
        if uri_of(path) != self._opened_as:
            self.engine.dispose()
        self._file, self._opened_as = found, uri_of(path)

    def check(self) -> None:
        """Let SQLite read all of the file and compare it with its indexes.

        Raises StoreError where it is damaged, or can't be written.
        """
        if self.is_shared:
            return
        if self.engine.url.database and not is_writable(Path(self.engine.url.database)):
            raise StoreError(
                f"The database {place_of(self.url)} can only be read; check the rights of the file and its folder."
            )
        with self.read() as session:
            found = session.connection().exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        if found != "ok":
            said = " ".join(str(found).split())
            raise StoreError(f"The database {place_of(self.url)} is damaged ({said}); restore a backup.")

    def compact(self) -> bool:
        """Rewrite an SQLite file without what was deleted, also in the log beside it.

        False while somebody else is at it, or the disk has no room for a copy. A server cleans up by itself.
        """
        if not self.url.startswith("sqlite"):
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

    def is_short(self) -> bool:
        """Say whether the disk has so little room that transactions should be small, with a short log after each."""
        return self._room() < SCARCE

    def check_room(self, size: int) -> None:
        """Make sure that so much may be stored, and enough is left to handle and answer it. Raises NoRoom."""
        if self._room() < RESERVE + 2 * size:  # once in the log, once in the file
            raise NoRoom(
                f"The disk of the database {place_of(self.url)} has no room for more mails; make some: until then they "
                "stay in the mailbox."
            )

    def _room(self) -> float:
        """Tell the bytes that the disk under an SQLite file has left; a server's disk is a matter of its own."""
        file = None if self.is_shared else self.engine.url.database
        try:
            disk = os.statvfs(Path(file).absolute().parent) if file else None
        except OSError:
            disk = None
        return disk.f_bavail * disk.f_frsize if disk else float("inf")

    def _cut_log(self) -> None:
        """Let SQLite bring its log into the file and cut it, unless somebody is reading: it would take up the room."""
        with suppress(sqlite3.Error, SQLAlchemyError), closing(self.engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute("PRAGMA busy_timeout=0")
            try:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                cursor.execute(f"PRAGMA busy_timeout={self.lock_seconds * 1000:.0f}")

    def telling(self) -> AbstractContextManager[None]:
        """Tell the troubles of what is done inside as this database's own, as one sentence. Raises StoreError."""
        return _told_once(self)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()
        if self._presence:
            self._presence.end()


def follow_indexes(session: Session) -> None:
    """Let PostgreSQL read along an index rather than gather and sort, in this transaction.

    A queue grows by thousands in a minute; as long as the statistics say that it is short, all of it would be gathered.
    """
    if session.get_bind().dialect.name == "postgresql":
        off = (func.set_config(f"enable_{way}", "off", True) for way in ("sort", "bitmapscan"))
        session.connection().execute(select(*off))


@contextmanager
def savepoint(session: Session) -> Iterator[None]:
    """Take back what is done inside, and only that, if it fails; the session knows nothing any more then.

    A sixth of the time that `Session.begin_nested` takes, which looks after each object. A failed flush, though, ends
    the whole transaction (`session.is_active` tells): the caller must begin anew.
    """
    session.flush()
    connection = session.connection()
    connection.exec_driver_sql("SAVEPOINT inside")
    try:
        yield
        session.flush()
        insert_now(session)
    except BaseException:
        if session.is_active:
            drop_rows(connection)
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT inside")
            connection.exec_driver_sql("RELEASE SAVEPOINT inside")
            session.expunge_all()
            session.info.clear()
        raise
    connection.exec_driver_sql("RELEASE SAVEPOINT inside")


def _make_private(url: str) -> None:
    """Let a new file, with mails and the secret in it, be readable by nobody else; SQLite's logs take its rights."""
    if url.startswith("sqlite:///"):
        with suppress(OSError):  # it is there, or SQLite says why it can't be made
            Path(url.removeprefix("sqlite:///")).touch(0o600, exist_ok=False)


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
    """Keep SQLite from making a file: it may be gone at any moment, and an empty one would be taken for a zine."""
    if arguments[0] not in ("", ":memory:") and not options.get("uri"):
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
        "client_connection_check_interval": "1s",  # who was killed waits for no lock any more
        **{f"tcp_{name}": str(number) for name, number in keepalives.items()},
    }  # fmt: skip

    def set_up(connection: Any, _record: Any) -> None:
        connection.autocommit = True  # a rollback would take them back
        with connection.cursor() as cursor:
            cursor.executemany("SELECT set_config(%s, %s, false)", list(settings.items()))
        connection.autocommit = False

    event.listen(engine, "connect", set_up)
    return engine


def _reader(engine: Engine) -> Engine:
    """Let a look see the same from its beginning to its end, as SQLite does by itself."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(read_only=True)
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # The driver's own transactions begin too late (after the first SELECT): two processes would both read the
    # old row and one update would be lost without any error. We begin ourselves, see _begin_sqlite.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    read_only = connection.get_execution_options().get("read_only")
    connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")


@contextmanager
def _told_once(database: Database) -> Iterator[None]:
    """Turn the database's own troubles into one sentence with the mend."""
    try:
        yield
    except DBAPIError as error:
        first, place = first_of(error), place_of(database.url)
        if told := relocation_marks.sentence_in(first):
            raise Moved(told) from error
        kind = NoRoom if is_full(first) else StoreError
        raise kind(sentence(place, first, lock_seconds=database.lock_seconds)) from error
    except SQLAlchemyError as error:
        raise StoreError(f"The database {place_of(database.url)} can't be used: {described(error)}.") from error
