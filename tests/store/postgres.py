"""Debian's PostgreSQL in a temporary folder, on a unix socket and a free loopback port.

It sorts by German rules, not by bytes, as most servers in use do: code that relies on byte order fails here. It never
waits for a disk, and ends with the process that started it, however that one ends.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from waiting import TIMEOUT

PASSWORD = "hunter2-is-secret"
"""Of the role `careful`; `gm` needs none."""
TRIALS = 5
HEAD = "gm_head"
"""An empty zine, to be copied."""

SETTINGS = {
    "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "wal_level": "minimal",
    "max_wal_senders": "0", "max_wal_size": "4GB", "checkpoint_timeout": "1h", "autovacuum": "off", "jit": "off",
    "shared_buffers": "32MB", "max_connections": "100",
}  # fmt: skip
ROOM = 2 << 30
"""So many bytes must be free where nothing is written to a disk: a database takes 9 MB, and all are small."""
HBA = "local all all trust\nhost all careful 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n"


def binaries() -> Path | None:
    """Find the folder of `initdb`: in PATH, or where Debian keeps it, the newest version first."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    kept = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return kept[-1].parent if kept else None


def missing() -> str:
    """Why the server can't be started here; empty if it can."""
    return "" if binaries() else "PostgreSQL is not installed (apt-get install postgresql)"


class PortTakenError(Exception):
    """Somebody else listens there."""


@dataclass(kw_only=True)
class Cluster:
    """`with Cluster() as cluster:` or start and stop; `settings` are PostgreSQL's own."""

    settings: dict[str, str] = field(default_factory=dict)
    root: Path = Path()
    port: int = 0
    _server: subprocess.Popen[bytes] | None = None
    _admin: Any = None
    _pid: int = 0

    def __enter__(self) -> Cluster:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Make a cluster and let it run. What others left behind, who were killed, goes."""
        _clear_away()
        self.root = Path(tempfile.mkdtemp(prefix=f"gm-postgres.{os.getpid()}.", dir=fastest_folder()))
        self._pid = os.getpid()
        atexit.register(self.stop)
        if os.geteuid() == 0:
            shutil.chown(self.root, "postgres", "postgres")
        self._make()
        self._run_somewhere()
        self.sql("ALTER ROLE postgres SET bytea_output = escape")  # so that a dump can be searched
        for role in ("gm", "careful", "stranger"):
            self.sql(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'")

    def _make(self) -> None:
        options = ("--no-sync", "--no-instructions", "--auth=trust", "--username=postgres", "--encoding=UTF8",
                   "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=de")  # fmt: skip
        made = subprocess.run([self._program("initdb"), "-D", self.root / "data", *options], **self._as_postgres(),
                              capture_output=True, text=True, check=False)  # fmt: skip
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stderr}")
        (self.root / "data" / "pg_hba.conf").write_text(HBA)

    def _run_somewhere(self) -> None:
        for _ in range(TRIALS):  # a port that is free may be another one's a moment later
            self.port = _free_port()
            with suppress(PortTakenError):
                return self.run()
        raise RuntimeError(f"{TRIALS} free ports were taken")

    def run(self) -> None:
        """Start the server, also once more after `halt`: port and data are the same."""
        given = {**SETTINGS, "port": f"{self.port}", "listen_addresses": "127.0.0.1",
                 "unix_socket_directories": f"{self.root}", **self.settings}  # fmt: skip
        told = [part for name, value in given.items() for part in ("-c", f"{name}={value}")]
        with (self.root / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [*_bound_to_us(), self._program("postgres"), "-D", f"{self.root / 'data'}", *told],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **self._as_postgres(),
            )  # fmt: skip
        self._await()

    @property
    def pid(self) -> int:
        """The server's first process, which has started all others."""
        assert self._server
        return self._server.pid

    def halt(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server: SIGTERM waits for clients, SIGINT sends them away, SIGQUIT is as a crash."""
        self._let_go()
        if self._server and self._server.poll() is None:
            self._server.send_signal(how)
            self._server.wait(TIMEOUT)
        self._server = None

    def stop(self) -> None:
        """End the server and leave nothing behind. A process born from the one that started it doesn't."""
        if self._pid != os.getpid():
            return
        self.halt(signal.SIGQUIT)
        shutil.rmtree(self.root, ignore_errors=True)

    def url(self, name: str, *, user: str = "gm", password: str = "", host: str = "", port: int = 0) -> str:
        """Name a database: by the socket, or where a host is given by its port."""
        login = f"{user}:{quote(password)}" if password else user
        if host:
            return f"postgresql+psycopg://{login}@{host}:{port or self.port}/{name}"
        return f"postgresql+psycopg://{login}@/{name}?host={self.root}&port={self.port}"

    def create(self, name: str, template: str = "template0") -> None:
        """Make a database, empty or a copy of another one, which nobody may have open."""
        self._send_away(template)
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy OWNER gm")

    def drop(self, name: str) -> None:
        """Throw a database away, whoever has it open."""
        self.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def sql(self, statement: str, *values: object, database: str = "") -> list[tuple[Any, ...]]:
        """Do something as the server's administrator, in a database where one is named."""
        if database:
            with self.connect(database) as connection:
                return _rows(connection.execute(statement, values or None))
        if self._admin is None or self._admin.closed:
            self._admin = self.connect("postgres")
        return _rows(self._admin.execute(statement, values or None))

    def connect(self, database: str, *, autocommit: bool = True) -> Any:
        """Open a connection of the server's administrator."""
        import psycopg

        where = f"host={self.root} port={self.port} user=postgres dbname={database}"
        return psycopg.connect(where, autocommit=autocommit, connect_timeout=round(TIMEOUT))

    def _send_away(self, name: str) -> None:
        open_there = "SELECT pid FROM pg_stat_activity WHERE datname = %s"
        until = time.monotonic() + TIMEOUT
        while self.sql(f"SELECT pg_terminate_backend(pid) FROM ({open_there}) AS held", name):
            if time.monotonic() > until:
                raise TimeoutError(f"{name} stays open")
            time.sleep(0.002)

    def _let_go(self) -> None:
        if self._admin is not None:
            self._admin.close()
            self._admin = None

    def _program(self, name: str) -> str:
        folder = binaries()
        if folder is None:
            raise RuntimeError(missing())
        return f"{folder / name}"

    def _as_postgres(self) -> dict[str, Any]:
        """It refuses to run as root."""
        plain = {"env": {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "TZ": "UTC"}, "cwd": self.root}
        return {**plain, "user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else plain

    def _await(self) -> None:
        import psycopg

        until = time.monotonic() + TIMEOUT
        while True:
            assert self._server
            try:
                self._admin = self.connect("postgres")
                return
            except psycopg.OperationalError:
                log = (self.root / "log").read_text()
                if self._server.poll() is not None and log.rpartition("starting PostgreSQL")[2].count("already in use"):
                    raise PortTakenError from None
                if self._server.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"PostgreSQL did not start:\n{log}") from None
                time.sleep(0.01)


def _rows(cursor: Any) -> list[tuple[Any, ...]]:
    return list(cursor.fetchall()) if cursor.description else []


def _bound_to_us() -> list[str]:
    """Let the kernel end the server when we end, in whatever way."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "QUIT"] if setpriv else []


def fastest_folder() -> Path:
    """Choose a folder in memory if there is room: creating and removing files takes a tenth of the time there."""
    memory = Path("/dev/shm")
    fits = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    return memory if fits else Path(tempfile.gettempdir())


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _clear_away() -> None:
    """Remove the folders of processes that were killed; their servers ended with them."""
    for folder in fastest_folder().glob("gm-postgres.*.*"):
        pid = folder.name.split(".")[1]
        if pid.isdecimal() and not Path(f"/proc/{pid}").exists():
            shutil.rmtree(folder, ignore_errors=True)
