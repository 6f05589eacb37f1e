"""Where the tests keep their zines' databases: a file beside each config, or a server with --database postgresql.

`CHOSEN.copy(there, here)` copies a zine that was set up once.
"""

from __future__ import annotations

import hashlib
import itertools
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

from postgres import HEAD, Cluster
from sqlalchemy import Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

FILE = "gm.db"
TIDY = """DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT table_name AS t, pg_get_serial_sequence(table_name, 'id') AS s FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'id' LOOP
        EXECUTE format('SELECT setval(%L, coalesce(max(id), 0) + 1, false) FROM %I', one.s, one.t);
    END LOOP; END $$"""


class OneForAll(SQLiteDialect_pysqlite):
    """SQLAlchemy's dialect for SQLite, shared by all databases of a test run.

    Each test has a database of its own. With a dialect each, every statement would be compiled again in every test,
    which takes a tenth of the time.
    """

    supports_statement_cache = True
    _compiled: Final = LRUCache[Any, Any](1000)

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        engine.update_execution_options(compiled_cache=cls._compiled)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneForAll) and self._settings == other._settings

    def __hash__(self) -> int:
        return hash(self._settings)

    @cached_property
    def _settings(self) -> tuple[Any, ...]:
        return self._json_serializer, self._json_deserializer, self.paramstyle


registry.register("sqlite", __name__, OneForAll.__name__)


class Place(Protocol):
    """Where databases are, each named by the folder of its config."""

    is_shared: bool

    def url(self, folder: Path) -> str:
        """Name a folder's database as a config does."""

    def empty(self, folder: Path) -> str:
        """Name a folder's database, in which there is nothing yet, as a URL."""

    def copy(self, source: Path, folder: Path) -> None:
        """Copy the database of another folder, which nobody has open."""

    def keep(self, folder: Path) -> Any:
        """Write down all that is in a folder's database, which nobody has open, to be put back later."""

    def put_back(self, folder: Path, kept: Any) -> None:
        """Let a folder's database be as it was; nobody has it open."""

    def tidy(self, folder: Path) -> None:
        """Let the next rows have the ids they would have if no transaction had ever been given up."""

    def dump(self, folder: Path) -> list[str]:
        """Write down every row as text."""

    def hold(self, folder: Path) -> Callable[[], None]:
        """Keep everybody from writing, as a process that stands still; call what is returned to let go."""

    def do(self, folder: Path, statement: str) -> None:
        """Change rows behind our back."""

    def remove(self, folder: Path) -> None:
        """Throw away what is in folders from here down, where pytest doesn't."""


class Files:
    """SQLite. What is asked for anew is a copy of an empty zine: its migrations take a tenth of a second."""

    is_shared = False

    def __init__(self) -> None:
        self._empty = b""

    def url(self, folder: Path) -> str:
        path = folder / FILE
        if not path.exists():
            self._empty = self._empty or _migrated()
            path.touch(0o600)
            path.write_bytes(self._empty)
        return f"sqlite:///{FILE}"

    def empty(self, folder: Path) -> str:
        (folder / FILE).unlink(missing_ok=True)
        (folder / FILE).touch(0o600)
        return f"sqlite:///{folder.absolute() / FILE}"

    def copy(self, source: Path, folder: Path) -> None:
        _settle(source)
        shutil.copyfile(source / FILE, folder / FILE)

    def keep(self, folder: Path) -> bytes:
        _settle(folder)
        return (folder / FILE).read_bytes()

    def put_back(self, folder: Path, kept: bytes) -> None:
        _settle(folder)
        (folder / FILE).write_bytes(kept)

    def tidy(self, folder: Path) -> None:
        pass

    def dump(self, folder: Path) -> list[str]:
        with closing(sqlite3.connect(folder / FILE)) as connection:
            return list(connection.iterdump())

    def hold(self, folder: Path) -> Callable[[], None]:
        holder = sqlite3.connect(folder / FILE, isolation_level=None, check_same_thread=False)
        holder.execute("BEGIN IMMEDIATE")
        return holder.close

    def do(self, folder: Path, statement: str) -> None:
        with closing(sqlite3.connect(folder / FILE)) as connection, connection:
            connection.execute(statement)

    def remove(self, folder: Path) -> None:
        pass


class OnServer:
    """PostgreSQL: a database for each folder, made when its name is first asked for; one cluster for all."""

    is_shared = True

    def __init__(self) -> None:
        self._cluster: Cluster | None = None
        self._known: dict[Path, str] = {}
        self._numbers = itertools.count(1)

    @property
    def cluster(self) -> Cluster:
        """The cluster of this process, started when it is first asked for."""
        if self._cluster is None:
            self._cluster = started()
        return self._cluster

    def name(self, folder: Path) -> str:
        """Name a folder's database on the server, made as an empty zine where there is none."""
        if folder.absolute() not in self._known:
            self.cluster.create(self._new(folder), HEAD)
        return self._known[folder.absolute()]

    def url(self, folder: Path) -> str:
        return self.cluster.url(self.name(folder))

    def empty(self, folder: Path) -> str:
        if old := self._known.get(folder.absolute()):
            self.cluster.drop(old)
        self.cluster.create(old or self._new(folder))
        return self.url(folder)

    def copy(self, source: Path, folder: Path) -> None:
        template = self.name(source)
        if old := self._known.get(folder.absolute()):
            self.cluster.drop(old)
        self.cluster.create(old or self._new(folder), template)

    def keep(self, folder: Path) -> str:
        kept = f"kept_{next(self._numbers)}"
        self.cluster.create(kept, self.name(folder))
        return kept

    def put_back(self, folder: Path, kept: str) -> None:
        name = self.name(folder)
        self.cluster.drop(name)
        self.cluster.create(name, kept)

    def tidy(self, folder: Path) -> None:
        self.cluster.sql(TIDY, database=self.name(folder))

    def dump(self, folder: Path) -> list[str]:
        name, named = self.name(folder), "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        tables = [table for (table,) in self.cluster.sql(named, database=name)]
        return [
            f"{table} {row}" for table in tables
            for (row,) in self.cluster.sql(f'SELECT t::text FROM "{table}" AS t ORDER BY t::text', database=name)
        ]  # fmt: skip

    def hold(self, folder: Path) -> Callable[[], None]:
        holder = self.cluster.connect(self.name(folder), autocommit=False)
        holder.execute("SELECT pg_advisory_xact_lock(1)")  # as `Database.write` does
        return holder.close

    def do(self, folder: Path, statement: str) -> None:
        self.cluster.sql(statement, database=self.name(folder))

    def remove(self, folder: Path) -> None:
        for known in [known for known in self._known if known.is_relative_to(folder.absolute())]:
            self.cluster.drop(self._known.pop(known))

    def _new(self, folder: Path) -> str:
        digest = hashlib.sha256(bytes(folder.absolute())).hexdigest()[:8]
        return self._known.setdefault(folder.absolute(), f"gm_{next(self._numbers)}_{digest}")


def _migrated() -> bytes:
    from gm.store.database import Database

    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/{FILE}")
        database.prepare(create=True)
        database.close()
        _settle(Path(folder))
        return (Path(folder) / FILE).read_bytes()


class KeptOpen:
    """A connection beside others: as long as one is open to an SQLite file, those that come and go are cheap."""

    def __init__(self, url: str) -> None:
        self._path = url.removeprefix("sqlite:///") if url.startswith("sqlite:///") else ""
        self._connection: sqlite3.Connection | None = None

    def look(self) -> None:
        """Open it."""
        if self._path and self._connection is None:
            self._connection = sqlite3.connect(self._path)
            self._connection.execute("SELECT count(*) FROM zine").fetchall()

    def close(self) -> None:
        """Let go."""
        if self._connection:
            self._connection.close()
            self._connection = None


def _settle(folder: Path) -> None:
    """Bring everything into the one file, which nobody has open."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    for path in folder.glob(f"{FILE}-*"):
        path.unlink()


def started() -> Cluster:
    """Start a cluster with an empty zine to copy."""
    from gm.store.database import Database

    cluster = Cluster()
    cluster.start()
    cluster.create(HEAD)
    empty = Database(cluster.url(HEAD))
    empty.prepare(create=True)
    empty.close()
    return cluster


CHOSEN: Place = Files()
"""Replaced by tests/conftest.py where a server is wanted."""
