"""`gm migrate` to another database and back: nothing is lost, and at any moment exactly one database is served."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC
from pathlib import Path
from typing import Any

import played_zine
import pytest
import seating
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from postgres import Cluster
from processes import answers, begin_eriwan, command, serving
from sqlalchemy import Engine, event
from sqlmodel import SQLModel, col, select
from typer.testing import CliRunner
from waiting import TIMEOUT, until

from gm.app.context import open_app
from gm.cli.commands import cli
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_config, write_mail
from gm.game.replay import verify
from gm.requests.desk import actions
from gm.runtime.config.settings import Settings, load
from gm.runtime.errors import GmError, OperatorError, Refused, StoreError
from gm.service.inbound.receive import store
from gm.service.maintenance import copying
from gm.service.maintenance.migrate import migrate
from gm.store.database import Database
from gm.store.queries import game_queries, player_queries, zine_queries
from gm.store.schema import upgrade
from gm.store.tables import Game, MailIn, Player, Sheet
from gm.store.zine_tables import SentIssue, StoredFile
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.imap.mails import Fetched

pytestmark = pytest.mark.sqlite  # it sees to the other one itself

GAME = "Eriwan"
TABLES = [table.name for table in SQLModel.metadata.sorted_tables]
QUIET: Callable[[str], None] = lambda _: None  # noqa: E731


@pytest.fixture(scope="session")
def new_postgresql(cluster: Cluster) -> Iterator[Callable[[], str]]:
    """Make an empty database, give its URL, and take it away at the end."""
    made: list[str] = []

    def make() -> str:
        made.append(f"mig_{uuid.uuid4().hex[:12]}")
        cluster.create(made[-1])
        return cluster.url(made[-1], host="127.0.0.1")

    yield make
    for name in made:
        cluster.drop(name)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Name a place for a database, of each kind."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path / uuid.uuid4().hex}.db"
    make: Callable[[], str] = request.getfixturevalue("new_postgresql")
    return make


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, at_full_length: bool) -> Path:
    """The folder of a zine with games of every kind, running, finished, broken off, with press and rulings."""
    story = played_zine.PlayedZine(tmp_path_factory.mktemp("played"))
    if at_full_length:
        played_zine.play_everything(story)
    else:
        played_zine.play_running_games(story)
        played_zine.open_unplayed_games(story)
        story.begins("typ-dom", "Elba", PLAYERS[:2])
        story.plays("Elba")
        for kind, (name, seats, options) in played_zine.OTHERS.items():
            story.begins(kind, name, PLAYERS[:seats], options=options)
            story.plays(name, 0 if kind == "wort-yahtzee" else 2)  # its word list takes seconds
    story.close()
    return Path(story.config.parent)


@pytest.fixture
def zine(played: Path, tmp_path: Path) -> Settings:
    """A copy of that zine."""
    shutil.copytree(played, tmp_path / "zine", ignore=shutil.ignore_patterns("archive"))
    return load(tmp_path / "zine" / "config.toml")


@pytest.fixture
def small(running: Callable[..., Story]) -> Settings:
    """A zine with one game, which moves in a moment."""
    story = running()
    story.close()
    return load(story.config)


def at(place: Settings, url: str) -> Settings:
    """Return the settings after the GM has written another URL into the config."""
    text = place.path.read_text(encoding="utf-8").splitlines()
    path = place.path.with_name(f"{uuid.uuid4().hex}.toml")
    path.touch(mode=0o600)
    path.write_text("\n".join(f'url = "{url}"' if "sqlite:" in line or "postgresql" in line else line for line in text))
    return load(path)


INCARNATION = ("incarnation", "former", "home")
"""What is another one in the new database."""


def dump(url: str) -> dict[str, list[Any]]:
    """Return every value of every table as it is stored, with its type, but which incarnation it is; for SQLite."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        found = {}
        for table in (*TABLES, "alembic_version"):
            names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(f"typeof({name}), {name}" for name in names if name not in INCARNATION)
            found[table] = connection.execute(f"SELECT {values} FROM {table} ORDER BY {names[0]}").fetchall()
    return found


def rows(url: str) -> dict[str, list[Any]]:
    """Return the rows of all tables, but for the incarnation."""
    found = {}
    with closing(Database(url)) as database, database.read() as session:
        for table in copying.tables():
            read = [list(row) for some in copying.read_rows(session, table) for row in some]
            kept = [at for at, column in enumerate(table.columns) if column.name not in INCARNATION]
            found[table.name] = [[row[at] for at in kept] for row in read]
    return found


def is_served(place: Settings) -> bool:
    """Return whether `gm` opens the zine here; an empty database isn't one."""
    with closing(Database(place.database.url)) as database:
        if not database.is_shared and not Path(place.database.url.removeprefix("sqlite:///")).exists():
            return False
        try:
            database.prepare()
        except StoreError:
            return False
        with database.read() as session:
            return session.exec(select(Game)).first() is not None


# -- there and back ----------------------------------------------------------------------------------------------------


def test_there_and_back_is_the_same(zine: Settings, new_database: Callable[[], str], tmp_path: Path) -> None:
    """After a move and one back every value of every table is what it was, to the byte and its type."""
    before, there = dump(zine.database.url), new_database()
    assert sum(map(len, before.values())) > 250
    migrate(zine, there, tell=QUIET)
    migrate(at(zine, there), f"sqlite:///{tmp_path}/back.db", tell=QUIET)
    assert dump(f"sqlite:///{tmp_path}/back.db") == before
    assert stat.S_IMODE((tmp_path / "back.db").stat().st_mode) == 0o600


def test_every_game_is_verified_there(zine: Settings, new_database: Callable[[], str]) -> None:
    """`gm verify` finds every game there as recorded; `gm migrate` has counted all rows and said so."""
    said: list[str] = []
    migrate(zine, there := new_database(), tell=said.append)
    with closing(open_app(at(zine, there))) as app, app.database.read() as session:
        games = game_queries.games(session)
        assert len({game.engine for game in games}) == 9
        assert [verify(app, session, game) for game in games] == [[]] * len(games)
    assert f"game: {len(games)} rows" in said
    assert re.fullmatch(r"All [\d,]+ rows are there\.", said[-1])


def test_the_game_goes_on_there(zine: Settings, new_database: Callable[[], str]) -> None:
    """New rows get ids behind the old ones, and the secret is the same: the mailbox stays ours."""
    with closing(open_app(zine)) as app, app.database.read() as session:
        secret, last = zine_queries.zine(session).secret, max(session.exec(select(Player.id)))
    migrate(zine, there := new_database(), tell=QUIET)
    with closing(open_app(at(zine, there))) as app:
        actions.new_game(app, "crossword", "Zell")
        seating.join(app, "Zell", "Zoe Zander", "zoe@spieler.example", "E")
        with app.database.read() as session:
            assert player_queries.player_named(session, "Zoe Zander").id == last + 1  # type: ignore[union-attr]
            assert zine_queries.zine(session).secret == secret


ODD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20) | st.sampled_from(
    ["", "\\N", "\\.", "a\tb\nc\r\\d", "'\"; --", "😀é\u200b\u2028", "W" * 9_000, "null", "%s {0} :x"]
)
PLAIN = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | ODD
)
NESTED = PLAIN | st.lists(PLAIN | st.just("\0\ud800"), max_size=4) | st.dictionaries(ODD, PLAIN, max_size=3)
INSTANTS = st.datetimes(timezones=st.just(UTC))


@settings(
    max_examples=5, phases=[Phase.generate], deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(data=st.data())
def test_odd_values_come_through(
    new_database: Callable[[], str], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever bytes, letters, JSON and instants a row holds, and whatever id it has, it comes back as it went."""
    folder = tmp_path_factory.mktemp("odd")
    place = load(write_config(folder))
    with closing(open_app(place)) as app, app.database.write() as session:
        numbers = data.draw(st.lists(st.integers(-5, 2**31 - 2), unique=True, min_size=1, max_size=6))
        session.add_all(_odd_rows(data, number) for number in numbers)
        session.add(StoredFile(name=data.draw(ODD), file_name="", kind=data.draw(ODD), content=b""))
    before, there = dump(place.database.url), new_database()
    migrate(place, there, tell=QUIET)
    migrate(at(place, there), f"sqlite:///{folder}/back.db", tell=QUIET)
    assert dump(f"sqlite:///{folder}/back.db") == before


def _odd_rows(data: st.DataObject, number: int) -> Any:
    """Make a row of a kind that depends on nothing else."""
    draw, key = data.draw, f"{number}"
    if number % 2:
        return MailIn(
            id=number, folder=draw(ODD), uidvalidity=2**63 - 1, uid=number, raw=draw(st.binary(max_size=60)), size=3,
            content=draw(ODD), subject=draw(ODD), received_at=draw(INSTANTS), handled_at=draw(st.none() | INSTANTS),
        )  # fmt: skip
    return Game(
        id=number, name=draw(ODD), name_key=key, engine=draw(ODD), options={"x": draw(NESTED)}, language="de", seed=key,
        span="14d", status="gone", created_at=draw(INSTANTS), zat=draw(st.none() | INSTANTS),
    )  # fmt: skip


def test_json_is_carried_as_it_is_stored(zine: Settings, new_database: Callable[[], str]) -> None:
    """JSON of no more than a number, or with blanks in it, is stored there as here; nobody reads it on the way."""
    odd = ["5", "0.30000000000000004", "-1e+300", "true", "null", '"a"', "[1.10]", "{ }", '"\\u0000\\ud800"']
    with closing(sqlite3.connect(zine.database.url.removeprefix("sqlite:///"))) as connection, connection:
        connection.executemany("UPDATE seat SET entry = ? WHERE id = ?", [(one, at) for at, one in enumerate(odd, 1)])
    before, there = dump(zine.database.url), new_database()
    assert "real" in {kind for row in before["seat"] for kind in row[::2]}
    back = f"sqlite:///{zine.path.with_name('back.db')}"
    migrate(zine, there, tell=QUIET)
    migrate(at(zine, there), back, tell=QUIET)
    assert dump(back)["seat"] == before["seat"]


# -- what PostgreSQL has no place for ----------------------------------------------------------------------------------


def test_a_nul_is_never_lost_in_silence(zine: Settings, new_postgresql: Callable[[], str], tmp_path: Path) -> None:
    """Texts with a NUL are counted, another sign stands in its place; the mail itself keeps every byte."""
    with closing(open_app(zine)) as app:
        store(app, "INBOX", [Fetched(uid=9, uidvalidity=1, raw=b"a\0b", received_at=app.now(), size=3)])
        with app.database.write() as session:
            row = session.exec(select(MailIn).where(MailIn.uid == 9)).one()
            row.subject, row.status, number = "a\0b", "ignored", row.id
            session.add(row)
    before, there = dump(zine.database.url), new_postgresql()
    said: list[str] = []
    migrate(zine, there, tell=said.append)
    assert "mail_in: 1 texts held a NUL, which PostgreSQL can't; it is '�' there" in said
    migrate(at(zine, there), f"sqlite:///{tmp_path}/back.db", tell=QUIET)
    after = dump(f"sqlite:///{tmp_path}/back.db")
    assert {name for name, rows in after.items() if rows != before[name]} == {"mail_in"}
    with closing(sqlite3.connect(tmp_path / "back.db")) as connection:
        stored = connection.execute("SELECT subject, raw FROM mail_in WHERE id = ?", (number,)).fetchone()
    assert stored == ("a�b", b"a\0b")


def test_what_a_column_cant_hold_is_named(zine: Settings, new_postgresql: Callable[[], str]) -> None:
    """SQLite holds any number anywhere: one that is too big is told with its table and rows, and the zine stays."""
    with closing(sqlite3.connect(zine.database.url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("UPDATE seat SET number = ? WHERE id = 3", (2**40,))
    with pytest.raises(StoreError, match=r"doesn't take seat, in rows 1 to \d+: .*out of range.*; nothing was moved"):
        migrate(zine, new_postgresql(), tell=QUIET)
    assert is_served(zine)


def test_a_database_that_knows_few_letters_is_refused(zine: Settings, cluster: Cluster) -> None:
    """A database in LATIN1 would stumble over the first emoji, perhaps years later."""
    cluster.sql("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER libc "
                "TEMPLATE template0 OWNER gm")  # fmt: skip
    url = cluster.url("latin", host="127.0.0.1")
    with pytest.raises(StoreError, match=r"is in LATIN1, which lacks letters; make another one: createdb"):
        migrate(zine, url, tell=QUIET)


# -- where it must not go ----------------------------------------------------------------------------------------------


def test_a_zine_is_never_overwritten(small: Settings, new_database: Callable[[], str], tmp_path: Path) -> None:
    """A database with a zine in it is refused and left as it is, however little it holds."""
    there = new_database()
    other = at(small, there)
    with closing(open_app(other, create=True)) as app, app.database.write() as session:
        secret = zine_queries.zine(session).secret
    with pytest.raises(Refused, match=r"holds a zine already, which is never overwritten; name an empty one"):
        migrate(small, there, tell=QUIET)
    with closing(open_app(other)) as app, app.database.read() as session:
        assert zine_queries.zine(session).secret == secret
    assert is_served(small)


def test_something_else_is_never_mixed_with(small: Settings, new_database: Callable[[], str]) -> None:
    """A database with tables of another program is refused."""
    there = new_database()
    if there.startswith("sqlite"):
        Path(there.removeprefix("sqlite:///")).touch()
    with closing(Database(there)) as database, database.write() as session:
        session.connection().execute(sa.text("CREATE TABLE cellar (wine text)"))
    with pytest.raises(Refused, match=r"has tables of something else \(cellar\); name an empty one"):
        migrate(small, there, tell=QUIET)
    with closing(Database(there)) as database, database.read() as session:
        assert sa.inspect(session.connection()).get_table_names() == ["cellar"]


def test_an_empty_schema_is_as_good_as_nothing(small: Settings, new_database: Callable[[], str]) -> None:
    """An empty schema that a broken-off move left at the new URL is no obstacle."""
    there = new_database()
    _make_tables(there)
    migrate(small, there, tell=QUIET)
    assert is_served(at(small, there))


def _make_tables(url: str) -> None:
    if url.startswith("sqlite"):
        Path(url.removeprefix("sqlite:///")).touch()
    with closing(Database(url)) as database:
        upgrade(database.engine, "it")


def test_what_was_left_is_renamed(small: Settings, new_database: Callable[[], str]) -> None:
    """What the zine has left is kept whole under other names, and no config that still names it serves it."""
    before = rows(small.database.url)
    left, _ = migrate(small, there := new_database(), tell=QUIET)
    file = Path(small.database.url.removeprefix("sqlite:///"))
    assert not file.exists()
    assert rows(f"sqlite:///{left}") == before == rows(there)
    with pytest.raises(StoreError, match=r"after `gm migrate` another one"):
        open_app(small)
    place = at(small, there)
    left, _ = migrate(place, f"sqlite:///{file}", tell=QUIET)
    assert rows(f"sqlite:///{file}") == before
    with pytest.raises(StoreError, match=r"after `gm migrate` another one"):
        open_app(place)
    assert is_served(small)
    if there.startswith("postgresql"):
        assert "where each table is called moved_... now" in left
        with closing(Database(there)) as database, database.read() as session:
            names = sa.inspect(session.connection()).get_table_names()
        assert set(names) == {f"moved_{name}" for name in ("alembic_version", *TABLES)}


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("gm.db", "'gm.db' is no database to move to; allowed is sqlite:///FILE or postgresql"),
        ("sqlite:///", "allowed is sqlite:///FILE or postgresql"),
        ("sqlite:///~nobody-of-this-name/gm.db", "allowed is sqlite:///FILE or postgresql"),
        ("mysql://gm:hunter2@db/zine", "'mysql://gm:\\*\\*\\*@db/zine' is no database to move to"),
        ("sqlite:///gm.db", "is the database itself; name another one"),
        ("sqlite:///no/where/gm.db", "unable to open database file': check the path and the rights of its folder"),
        ("sqlite:///config.toml", "the file is something else"),
        ("postgresql+psycopg://gm:hunter2@127.0.0.1:1/zine", "The database 127.0.0.1:1/zine said "),
    ],
)
def test_a_place_that_cant_be(url: str, says: str, small: Settings) -> None:
    """What can't be a target is told in one sentence without the password; nothing is changed."""
    before = small.path.read_bytes(), rows(small.database.url)
    with pytest.raises(OperatorError, match=says) as caught:
        migrate(small, url, tell=QUIET)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert (small.path.read_bytes(), rows(small.database.url)) == before
    assert is_served(small)


def test_without_a_zine_there_is_nothing_to_move(tmp_path: Path) -> None:
    """A config whose database was never made is told so, and no file appears."""
    place = load(write_config(tmp_path / "new"))
    place.path.with_name("gm.db").unlink(missing_ok=True)
    with pytest.raises(Refused, match=r"There is no database .*gm.db yet; nothing to move"):
        migrate(place, "sqlite:///other.db", tell=QUIET)
    assert not [*place.path.parent.glob("*.db")]


def test_without_rights_nothing_happens(small: Settings, new_postgresql: Callable[[], str]) -> None:
    """A login that may not make tables there is told so, and the zine stays."""
    url = sa.make_url(new_postgresql()).set(username="stranger").render_as_string()
    with pytest.raises(StoreError, match=r"permission denied for schema public.*make it the owner of the database"):
        migrate(small, url, tell=QUIET)
    assert is_served(small)


# -- what goes wrong on the way ----------------------------------------------------------------------------------------


def test_a_place_that_vanishes(small: Settings, new_database: Callable[[], str]) -> None:
    """When file or server of the new database go away on the way, the zine is where it was, and is served on."""
    there = new_database()

    def take_away(line: str) -> None:
        if line.startswith("turn:"):
            _take_away(there)

    with pytest.raises(StoreError):
        migrate(small, there, tell=take_away)
    assert is_served(small)
    migrate(small, there, tell=QUIET)
    assert is_served(at(small, there))


def _take_away(url: str) -> None:
    if url.startswith("sqlite"):
        Path(url.removeprefix("sqlite:///")).unlink()
        return
    beside = sa.make_url(url).set(database="postgres").render_as_string(hide_password=False)
    with closing(Database(beside)) as database, database.write() as session:
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"
        session.connection().execute(sa.text(ended), {"name": sa.make_url(url).database})


def test_a_zine_that_vanishes(small: Settings, new_database: Callable[[], str]) -> None:
    """When the database that is left goes away on the way, the new one is no zine, or has all that was there."""
    there = new_database()
    migrate(small, there, tell=QUIET)
    before = rows(there)
    back = f"sqlite:///{small.path.with_name('back.db')}"
    with pytest.raises(StoreError):
        migrate(at(small, there), back, tell=lambda line: _take_away(there) if line.startswith("turn:") else None)
    if there.startswith("sqlite"):  # a file that was removed can still be read
        assert rows(back) == before
    else:
        assert not is_served(at(small, back))


SPOILERS = {
    "sqlite": "CREATE TRIGGER spoil AFTER INSERT ON address WHEN new.id = 6 "
    "BEGIN DELETE FROM address WHERE id = 1; END",
    "postgresql": "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;"
    "CREATE TRIGGER spoil BEFORE INSERT ON address FOR EACH ROW WHEN (new.id = 1) EXECUTE FUNCTION spoil()",
}


def test_a_lost_row_stops_the_move(small: Settings, new_database: Callable[[], str]) -> None:
    """A row that is missing in the copy stops the move: no copy stays, and the old database is served."""
    there = new_database()
    _make_tables(there)
    with closing(Database(there)) as database, database.engine.begin() as connection:
        connection.exec_driver_sql(SPOILERS[connection.dialect.name])
    with pytest.raises(StoreError, match=r"address has \d+ rows in the new database, and \d+ here: nothing was moved"):
        migrate(small, there, tell=QUIET)
    assert is_served(small)
    assert not any(rows(there).values())


def test_a_game_whose_plugin_is_gone(zine: Settings, new_database: Callable[[], str]) -> None:
    """What no engine can read here any more moves as well."""
    with closing(open_app(zine)) as app, app.database.write() as session:
        session.execute(sa.update(Game).where(col(Game.name) == "Yerba").values(engine="gone"))
    before = rows(zine.database.url)
    migrate(zine, there := new_database(), tell=QUIET)
    assert rows(there) == before
    assert is_served(at(zine, there))


# -- a service that runs -----------------------------------------------------------------------------------------------


def test_a_service_that_runs_is_noticed(small: Settings, new_database: Callable[[], str]) -> None:
    """While a service has the zine, on a file or a server, nothing moves; when it has ended, all does."""
    migrate(small, there := new_database(), tell=QUIET)
    place, back = at(small, there), f"sqlite:///{small.path.with_name('back.db')}"
    with closing(open_app(place)) as app:
        assert app.database.lead()
        with pytest.raises(Refused, match=r" is still served: end `gm serve` \(and its line in cron\), then try again"):
            migrate(place, back, tell=QUIET)
        assert is_served(place)
    migrate(place, back, tell=QUIET)
    assert is_served(at(small, back))


def test_whoever_waits_writes_nowhere_else(running: Callable[..., Story], tmp_path: Path) -> None:
    """A command that waited for its turn finds the file renamed, and says so: what it wrote would be lost."""
    story = running()
    other = Database(story.app.database.url)
    with other.read() as session:
        assert session.exec(select(Game.name)).all() == [GAME]
    with ThreadPoolExecutor() as beside:
        begun: list[Future[Any]] = []

        def write() -> None:
            with other.write() as session:
                session.merge(SentIssue(number=1, checksum="b"))

        def tell(line: str) -> None:
            if line.startswith("turn:"):
                begun.append(beside.submit(write))
                time.sleep(0.3)  # it waits for the lock

        migrate(load(story.config), there := f"sqlite:///{tmp_path}/new.db", tell=tell)
        with pytest.raises(StoreError):
            begun[0].result()
    assert rows(there)["sent_issue"] == []
    other.close()


def test_nobody_writes_meanwhile(new_database: Callable[[], str], running: Callable[..., Story]) -> None:
    """While rows go over a command can look and can't write; when the move fails all goes on."""
    story = running()
    other = Database(story.app.database.url, lock_seconds=0.1)

    def look(line: str) -> None:
        if line.startswith("turn:"):
            with other.read() as session:
                assert session.exec(select(Game.name)).all() == [GAME]
            with pytest.raises(StoreError, match=r"locked"), other.write() as session:
                session.merge(SentIssue(number=1, checksum="b"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        migrate(load(story.config), there := new_database(), tell=look)
    story.writes(PLAYERS[0], "Stand Eriwan\n")
    assert story.tick().received == 1
    assert not is_served(at(load(story.config), there))
    other.close()


def test_no_move_counts_twice(new_database: Callable[[], str], tmp_path: Path) -> None:
    """Moves come in before, while and after the zine moves: each is counted and answered once, by one service."""
    users = {GM_ADDRESS: "x", "cici@postspiel.example": "x", **{address_of(name): "x" for name in PLAYERS}}
    with MailServer(users) as server, ExitStack() as stack:
        login = {"username": GM_ADDRESS, "password": "x"}
        imap = {**login, "port": server.imap_port, "poll_seconds": 1}
        place = load(write_config(tmp_path / "zine", words=["ROT"], more={
            "imap": imap, "smtp": {"port": server.smtp_port},
        }))  # fmt: skip
        with closing(open_app(place)) as app:
            begin_eriwan(app)
        numbers = iter(range(10**6))

        def move(count: int = 1) -> None:
            for number in (next(numbers) for _ in range(count)):
                name, wish = PLAYERS[number % 6], "ENARIST"[number // 6 % 7]
                text = f"Crossword {GAME}\nNeu: {wish}\nDNTIRO" + "\n......" * 5
                server.append(GM_ADDRESS, write_mail(address_of(name), text, name=name, message_id=f"<{number}@x>"))

        with serving(place.path):
            move(6)
            until("an answer", lambda: len(answers(server, *PLAYERS)) >= 3)
            with pytest.raises(Refused, match=r"is still served"):
                migrate(place, new_database(), tell=QUIET)
            move(3)
        migrate(place, there := new_database(), tell=lambda _: move())
        waiting = len(server.mails(GM_ADDRESS))
        for once in ([], ["--once"]):
            ran = subprocess.run(command(place.path, "serve", *once), capture_output=True, text=True, timeout=TIMEOUT)
            assert (ran.returncode, ran.stdout) == (1, "")
            assert "There is no database" in ran.stderr.splitlines()[-1]
        assert len(server.mails(GM_ADDRESS)) == waiting
        move(3)
        stack.enter_context(serving((moved_place := at(place, there)).path))
        total = next(numbers)
        until("all answers", lambda: len(answers(server, *PLAYERS)) >= total)
        until("an empty inbox", lambda: not server.mails(GM_ADDRESS))
        time.sleep(1.5)
        found = answers(server, *PLAYERS)
        assert (len(found), len(set(found))) == (total, total)
    with closing(open_app(moved_place)) as app, app.database.read() as session:
        assert sorted(session.exec(select(MailIn.message_id))) == sorted(f"<{number}@x>" for number in range(total))
        # Whether a move is legal is another matter; none may be taken for a copy of itself.
        handled = session.exec(select(MailIn.id).where(MailIn.status == "applied")).all()
        assert sorted(session.exec(select(Sheet.mail_id))) == sorted(handled)
        assert set(session.exec(select(MailIn.status))) <= {"applied", "refused"}


def test_two_moves_at_once(small: Settings, new_database: Callable[[], str], tmp_path: Path) -> None:
    """Of two moves to the same place, begun at the same moment, one wins; the other zine stays where it is."""
    there, other = new_database(), tmp_path / "other"
    shutil.copytree(small.path.parent, other, ignore=shutil.ignore_patterns("other"))
    theirs = load(other / small.path.name)
    with ThreadPoolExecutor() as beside:
        begun: list[Future[Any]] = []

        def tell(_: str) -> None:
            begun.extend([] if begun else [beside.submit(migrate, theirs, there, tell=QUIET)])

        migrate(small, there, tell=tell)
        with pytest.raises(OperatorError):
            begun[0].result()
    assert is_served(theirs)
    assert is_served(at(small, there))
    assert not is_served(small)


def test_an_empty_zine_by_another_name(new_database: Callable[[], str], tmp_path: Path) -> None:
    """A place that turns out to be the database itself is refused, and stays what it was."""
    url = new_database()
    with closing(Database(url)) as database:
        database.prepare(create=True)
    place = at(load(write_config(tmp_path / "new")), url)
    alias = f"{url.removesuffix('.db')}.link" if url.startswith("sqlite") else url.replace("127.0.0.1", "localhost")
    if url.startswith("sqlite"):
        os.link(url.removeprefix("sqlite:///"), alias.removeprefix("sqlite:///"))
    says = r"is the database itself" if url.startswith("sqlite") else r"holds a zine already"
    with pytest.raises(OperatorError, match=says):
        migrate(place, alias, tell=QUIET)
    with closing(open_app(place)) as app:
        actions.new_game(app, "crossword", GAME)


# -- a process that dies -----------------------------------------------------------------------------------------------


def test_killed_anywhere(small: Settings, new_database: Callable[[], str], at_full_length: bool) -> None:
    """After a SIGKILL at any statement or commit the zine is where the config says, or whole in the new place.

    It is never in neither. Where both are whole, the new one is the later copy, which takes the mailbox over.
    """
    file = Path(small.database.url.removeprefix("sqlite:///"))
    fresh, before = file.read_bytes(), rows(small.database.url)
    steps = _steps(small, new_database())
    last = len(steps) - 1
    _put(file, fresh)
    commits = [number for number, name in enumerate(steps) if name == "commit"]
    near = {number + more for number in commits for more in (0, 1)}
    some = set(random.Random(5).sample(range(last), 3)) | {*sorted(near)[-6:]}
    seen = set()
    for number in sorted({*range(0, last, 5), *near}) if at_full_length else sorted(some):
        there = new_database()
        _die_at(small, there, number)
        new = at(small, there)
        is_there = is_served(new)
        if file.exists():
            assert rows(small.database.url) == before, f"killed at {number} ({steps[number:][:1]})"
        else:
            assert is_there
        if is_there:
            assert rows(there) == before
            with closing(Database(there)) as database, database.read() as session:
                assert zine_queries.zine(session).former
        seen.add((file.exists(), is_there))
        _put(file, fresh)
    assert seen <= {(True, False), (True, True), (False, True)}
    assert len(seen) > 1


def _put(file: Path, fresh: bytes) -> None:
    for path in file.parent.glob(f"{file.name}*"):
        path.unlink()
    file.write_bytes(fresh)


def _steps(place: Settings, there: str) -> list[str]:
    """Move, and list the statements and commits that it takes."""
    names: list[str] = []
    with _listening(names.append):
        migrate(place, there, tell=QUIET)
    return names


@contextmanager
def _listening(note: Callable[[str], None]) -> Iterator[None]:
    listeners: dict[str, Any] = {
        "before_cursor_execute": lambda _connection, _cursor, said, *_: note(said),
        "commit": lambda _: note("commit"),
    }
    for name, listener in listeners.items():
        event.listen(Engine, name, listener)
    yield
    for name, listener in listeners.items():
        event.remove(Engine, name, listener)


def _die_at(place: Settings, there: str, number: int) -> bool:
    """Move in a process of its own that is killed at a step."""
    if (child := os.fork()) == 0:
        left = iter(range(number))

        def note(_: str) -> None:
            if next(left, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            with _listening(note):
                migrate(place, there, tell=QUIET)
        finally:
            os._exit(1)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


# -- for the GM --------------------------------------------------------------------------------------------------------


def gm(place: Settings, *words: str) -> tuple[int, str]:
    """Run a command; returns its exit code and all that it says."""
    ran = CliRunner().invoke(cli, [*words, "--config", str(place.path)])
    return (1, str(ran.exception)) if isinstance(ran.exception, GmError) else (ran.exit_code, ran.output)


def test_what_the_gm_reads(small: Settings, new_database: Callable[[], str]) -> None:
    """The last lines are the config to write, and it works. Every command on the old database is refused."""
    there = new_database()
    secret = there.replace("gm@", "gm:hunter2@")
    code, said = gm(small, "migrate", secret)
    assert code == 0, said
    assert "hunter2" not in said
    lines = said.splitlines()
    url = json.loads(lines[lines.index("[database]") + 1].removeprefix("url = "))
    assert is_served(at(small, url))
    assert ("~/.pgpass" in said) == there.startswith("postgresql")
    for words in (["list"], ["status"], ["serve", "--once"], ["show", GAME], ["migrate", "sqlite:///new.db"]):
        code, said = gm(small, *words)
        assert code == 1, words
        assert said.startswith("There is no database "), words
    code, said = gm(small, "doctor")
    assert "fail  database: There is no database" in said
