"""PostgreSQL's errors: each gives a sentence with a remedy and without the password, and the service recovers."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import databases
import pytest
import seating
from postgres import PASSWORD, Cluster
from sqlmodel import func, select
from waiting import TIMEOUT

from gm.demo import in_memory_zine
from gm.demo.in_memory_zine import PLAYERS, Story, write_config
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.runtime.errors import StoreError
from gm.service.scheduler import Loop
from gm.service.setup.zine_setup import examine
from gm.store.database import Database
from gm.store.schema import HEAD, schema_version
from gm.store.tables import MailIn, Player
from gm.store.zine_tables import SentIssue

pytestmark = pytest.mark.server

NAME = "trouble"
MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


@pytest.fixture
def cluster_of_ours() -> Iterator[Cluster]:
    """A server that may be ended."""
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
def named(cluster: Cluster) -> Iterator[str]:
    """An empty zine on the server."""
    cluster.create(NAME, databases.HEAD)
    yield NAME
    cluster.drop(NAME)


@pytest.fixture
def opened() -> Iterator[Callable[..., Database]]:
    """Open databases that are closed at the end."""
    found: list[Database] = []

    def open_(url: str, **more: Any) -> Database:
        found.append(Database(url, **more))
        return found[-1]

    yield open_
    for database in found:
        database.close()


def store(database: Database) -> None:
    """Write a row."""
    with database.write() as session:
        session.add(SentIssue(number=1, checksum="red"))


def said_while(do: Callable[[], Any]) -> str:
    """Return what is said while something is done that can't be."""
    with pytest.raises(StoreError) as caught:
        do()
    return str(caught.value)


def told(database: Database) -> str:
    """Use a database for reading and writing, and return what is said about it."""
    said = said_while(lambda: (database.prepare(create=True), store(database)))
    assert PASSWORD not in said
    assert "\n" not in said
    assert said.startswith(f"The database {'/' if '@/' in database.url else '127.0.0.1:'}")
    return said


# -- at the door -------------------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("where", "mend"),
    [
        ({"port": 9}, "check [database] url, and that the server runs and can be reached."),
        ({"host": "nowhere.invalid"}, "check [database] url, and that the server runs and can be reached."),
        ({"user": "careful", "password": f"not {PASSWORD}"}, "check user and password in [database] url."),
        ({"user": "nobody"}, "check user and password in [database] url."),
        ({"user": "stranger"}, "the user of [database] url needs all rights there: make it the owner of the database."),
    ],
    ids=["nothing listens there", "no such host", "wrong password", "no such user", "no rights"],
)
def test_who_is_not_let_in_is_told_why(
    where: dict[str, Any], mend: str, cluster: Cluster, named: str, opened: Callable[..., Database]
) -> None:
    """A wrong host, port, user or password is found out from the sentence alone."""
    url = cluster.url(named, **{"host": "127.0.0.1", **where})
    said = said_while(lambda: store(opened(url)))
    assert said.endswith(f": {mend}")
    assert PASSWORD not in said
    assert said.startswith(f"The database {where.get('host', '127.0.0.1')}:{where.get('port', cluster.port)}/{named} ")


def test_a_password_lets_in(cluster: Cluster, named: str, opened: Callable[..., Database]) -> None:
    """The right one, from the config, with signs that a URL must write in another way."""
    cluster.sql("CREATE ROLE odd LOGIN PASSWORD 'p@ss/word:?#%'")
    cluster.sql("GRANT gm TO odd")
    try:
        with opened(cluster.url(named, user="odd", password="p@ss/word:?#%", host="127.0.0.1")).read() as session:
            assert session.exec(select(func.count()).select_from(Player)).one() == 0
    finally:
        cluster.sql("DROP ROLE odd")


def test_a_database_that_is_not_there(cluster: Cluster, opened: Callable[..., Database]) -> None:
    """Nobody makes one by himself on a server; how the GM does is said."""
    said = told(opened(cluster.url("nowhere")))
    assert said.endswith("check the name in [database] url, or make it: createdb --encoding=UTF8 NAME.")


def test_a_database_without_letters(cluster: Cluster, opened: Callable[..., Database]) -> None:
    """In one that can't hold every letter no zine is begun: else a mail would stumble over it some day."""
    cluster.sql("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0 OWNER gm")
    try:
        database = opened(cluster.url("latin"))
        assert "is in LATIN1, which lacks letters; make another one: createdb --encoding=UTF8" in told(database)
        with database.read() as session:
            assert schema_version(session) is None
        database.close()
    finally:
        cluster.drop("latin")


def test_a_server_that_is_full(cluster: Cluster, named: str, opened: Callable[..., Database]) -> None:
    """Where too many are connected, that is said."""
    cluster.sql(f"ALTER DATABASE {named} CONNECTION LIMIT 0")
    assert "too many are connected; end some, or raise max_connections there" in told(opened(cluster.url(named)))


def test_a_server_with_copies(cluster: Cluster, named: str, opened: Callable[..., Database]) -> None:
    """One that can only be read is named as such."""
    cluster.sql(f"ALTER DATABASE {named} SET default_transaction_read_only = on")
    said = said_while(lambda: store(opened(cluster.url(named))))
    assert "it can only be read, as a copy of another server is" in said


# -- in the middle -----------------------------------------------------------------------------------------------------


def test_somebody_holds_it(cluster: Cluster, named: str, opened: Callable[..., Database]) -> None:
    """A writer that waits for another process gives up with a sentence; readers don't wait."""
    database = opened(cluster.url(named), lock_seconds=0.1)
    with opened(cluster.url(named)).write():
        said = said_while(lambda: store(database))
        with database.read() as session:
            assert session.get(SentIssue, 1) is None
    assert said.endswith("another process has held it for 0.1 s; try again.")


def cut_off(cluster: Cluster, name: str) -> None:
    """Let the server end all connections to a database."""
    cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", name)


def test_a_connection_that_is_cut(cluster: Cluster, named: str, opened: Callable[..., Database]) -> None:
    """In the middle of a transaction: told, nothing is half done, and the next one finds a new connection."""
    database = opened(cluster.url(named))

    def work() -> None:
        with database.write() as session:
            session.add(SentIssue(number=1, checksum="red"))
            session.flush()
            cut_off(cluster, named)
            session.add(SentIssue(number=2, checksum="round"))

    assert "the server has ended or cut the connection; nothing was half done" in said_while(work)
    with database.write() as session:
        assert session.get(SentIssue, 1) is None
        session.add(SentIssue(number=1, checksum="blue"))
    cut_off(cluster, named)  # between two transactions nobody notices
    with database.read() as session:
        assert session.get_one(SentIssue, 1).checksum == "blue"


def test_who_is_silent_too_long_is_cut_off(cluster: Cluster, named: str, opened: Callable[..., Database]) -> None:
    """A process that stood still within a transaction learns what became of it."""
    database = opened(cluster.url(named))

    def stand_still() -> None:
        with database.write() as session:
            session.connection().exec_driver_sql("SET idle_in_transaction_session_timeout = 20")
            while cluster.sql("SELECT 1 FROM pg_stat_activity WHERE datname = %s", named):
                time.sleep(0.005)
            session.add(SentIssue(number=1, checksum="red"))

    assert "we were silent for too long within a transaction" in said_while(stand_still)


def test_only_writers_are_watched(cluster: Cluster, named: str, opened: Callable[..., Database]) -> None:
    """A reader that works for long between two queries blocks nobody and isn't disconnected."""
    database, asked = opened(cluster.url(named)), "SHOW idle_in_transaction_session_timeout"
    for _ in range(2):  # and a connection forgets what it did before
        with database.read() as session:
            assert session.connection().exec_driver_sql(asked).scalar() != "20s"
        with database.write() as session:
            assert session.connection().exec_driver_sql(asked).scalar() == "20s"


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk of 12 MB, where we may mount one."""
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", "size=12m", "gm-test", str(folder)]
    if not mount or os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        shutil.chown(folder, "postgres", "postgres")
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk(cluster: Cluster, opened: Callable[..., Database]) -> None:
    """The server's disk is full: said, nothing is half done, and with room all goes on."""
    folder = cluster.root / "disk"
    folder.mkdir()
    with small_disk(folder):
        cluster.sql(f"CREATE TABLESPACE small LOCATION '{folder}'")
        cluster.sql(f"CREATE DATABASE {NAME} TEMPLATE {databases.HEAD} STRATEGY file_copy OWNER gm TABLESPACE small")
        try:
            database = opened(cluster.url(NAME))
            with pytest.raises(StoreError, match="the disk is full; make room and try again, nothing was half done"):
                _fill(database)
            with database.write() as session:
                assert session.exec(select(func.count()).select_from(MailIn)).one() == 0
            database.close()
        finally:
            cluster.drop(NAME)
            cluster.sql("DROP TABLESPACE small")


def _fill(database: Database) -> None:
    with database.write() as session:
        for number in range(400):
            raw = os.urandom(30_000)
            session.add(MailIn(folder="INBOX", uidvalidity=1, uid=number, raw=raw, size=len(raw), content="",
                               received_at=in_memory_zine.END_OF_TIME))  # fmt: skip
            session.flush()


@pytest.mark.trust
def test_a_server_that_ends_and_comes_back(
    cluster_of_ours: Cluster, tmp_path: Path, monkeypatch: Any, caplog: Any
) -> None:
    """While the server is down the service waits and says so once; then the move counts and everybody has one mail."""
    cluster_of_ours.create("zine")
    monkeypatch.setattr(in_memory_zine, "database_url", lambda _: cluster_of_ours.url("zine"))
    story = Story(tmp_path / "zine", words=["RAR"])
    actions.new_game(story.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(story.app, "Eriwan", name, in_memory_zine.address_of(name), wish)
    actions.start(story.app, "Eriwan")
    story.tick()
    loop = Loop(app=story.app, makes_pages=False)
    story.writes(PLAYERS[0], MOVE)
    cluster_of_ours.halt()
    for _ in range(3):
        assert loop.one_pass() is None
        story.passes(minutes=11)
    cluster_of_ours.run()
    assert loop.one_pass() is not None
    (warning,) = [one.getMessage() for one in caplog.records if one.levelname == "WARNING"]
    assert re.search(r"ended or cut the connection|runs and can be reached", warning), warning
    assert [mail.subject for to, mail in story.mails() if to == in_memory_zine.address_of(PLAYERS[0])][-1] == (
        "[Eriwan] Zug Runde 1 angekommen"
    )
    story.close()


# -- beginnings --------------------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_two_that_start_at_once(cluster: Cluster, tmp_path: Path) -> None:
    """On an empty database one process makes the tables, and the other waits for them; both find a zine."""
    cluster.create(NAME)
    try:
        config = write_config(tmp_path, more={"database": {"url": cluster.url(NAME)}})
        code = "from gm.cli import main; main()"
        begun = [
            subprocess.Popen([sys.executable, "-c", code, "new", "crossword", f"Eri{number}", "--config", str(config)],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for number in range(2)
        ]  # fmt: skip
        said = [one.communicate(timeout=TIMEOUT) for one in begun]
        assert [("is open for sign-up" in out, err) for out, err in said] == [(True, "")] * 2
        assert cluster.sql("SELECT version_num FROM alembic_version", database=NAME) == [(HEAD,)]
    finally:
        cluster.drop(NAME)


def test_the_doctor_names_the_server(cluster: Cluster, named: str, tmp_path: Path) -> None:
    """`gm doctor` says which server it is, and of which version."""
    config = write_config(tmp_path, more={"database": {"url": cluster.url(named)}})
    found = {name: (status, says) for name, status, says in examine(config)}
    status, says = found["database"]
    assert status == "ok"
    assert re.fullmatch(rf"PostgreSQL \d+(\.\d+)?, schema {HEAD} of {HEAD}\.", says)


@pytest.mark.trust
def test_nothing_is_left_when_its_process_is_killed(tmp_path: Path) -> None:
    """A cluster ends with the process that started it, also by SIGKILL; its folder goes at the next start."""
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    code += "import postgres; c = postgres.Cluster(); c.start(); print(c.root, c._server.pid, flush=True); input()"
    begun = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert begun.stdout
    root, pid = begun.stdout.readline().split()
    begun.kill()
    begun.communicate()
    while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text():
        pass
    with Cluster():
        assert not Path(root).exists()


def test_settings_of_a_server(cluster: Cluster, named: str, tmp_path: Path) -> None:
    """A URL with a socket's folder, as Debian's own server has it, is read from the config."""
    settings = load(write_config(tmp_path, more={"database": {"url": cluster.url(named)}}))
    assert settings.database.url == f"postgresql+psycopg://gm@/{named}?host={cluster.root}&port={cluster.port}"
