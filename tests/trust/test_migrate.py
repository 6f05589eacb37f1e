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
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import played_zine
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from postgres import Cluster
from processes import answers, begin_eriwan, command, serving
from sqlalchemy import Engine, event
from sqlmodel import SQLModel, col, select
from typer.testing import CliRunner
from waiting import TIMEOUT, until

from gm.app.context import in_cluster, open_app
from gm.app.pass_report import Report
from gm.cli.commands import cli
from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_config, write_mail
from gm.game.replay import verify
from gm.runtime.clock import utcnow
from gm.runtime.config.settings import Settings, load
from gm.runtime.errors import GmError, Moved, OperatorError, Refused, StoreError
from gm.service.inbound import receive
from gm.service.inbound.batches import handle_batch
from gm.service.inbound.receive import store
from gm.service.maintenance.full_backup import Order, write_backup
from gm.service.maintenance.migrate import migrate
from gm.service.outbound import delivery
from gm.service.scheduler import Loop
from gm.service.setup.full_restore import restore_all
from gm.store import relocation_copy, relocation_marks
from gm.store.backup import back_up, put_back
from gm.store.database import Database
from gm.store.queries import game_queries, meta_queries, player_queries
from gm.store.queries.meta_queries import COPIED, RESTORED
from gm.store.tables import Game, MailIn, MailOut, Meta, Player, Sheet
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


def dump(url: str) -> dict[str, list[Any]]:
    """Return every value of every table as it is stored, with its type, but the mark of a move; for SQLite."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        found = {}
        for table in (*TABLES, "alembic_version"):
            names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(f"typeof({name}), {name}" for name in names)
            found[table] = connection.execute(f"SELECT {values} FROM {table} ORDER BY {names[0]}").fetchall()
    found["meta"] = [row for row in found["meta"] if row[1] != relocation_marks.MOVED]
    return found


def sums(url: str) -> dict[str, relocation_copy.TableSum]:
    """Give the checksums of all tables."""
    found = {}
    with closing(Database(url)) as database, database.read() as session:
        for table in relocation_copy.tables():
            found[table.name] = relocation_copy.TableSum()
            for rows in relocation_copy.read_rows(session, table):
                found[table.name].add(
                    [row for row in rows if row[0] not in (relocation_marks.MOVED, relocation_marks.ARRIVING)]
                )
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


@pytest.mark.server
def test_a_whole_backup_of_a_server(zine: Settings, new_postgresql: Callable[[], str], tmp_path: Path) -> None:
    """Issue 29, `gm backup FILE --all`: on PostgreSQL as well, row by row; restored, it is a zine in an SQLite file.

    The service may go on meanwhile, and the server's password isn't in it.
    """
    before = dump(zine.database.url)
    migrate(zine, url := new_postgresql(), tell=QUIET)
    served, file = at(zine, url), tmp_path / "zine.tar.gz"
    with closing(open_app(served)) as app, app.database.write():  # somebody is at it
        write_backup(served, Order(target=file, now=utcnow()))
    with pytest.raises(Refused, match="is there already"):
        write_backup(served, Order(target=file, now=utcnow()))
    restored = restore_all(file, tmp_path / "new", now=utcnow())
    text = restored.config.read_text(encoding="utf-8")
    assert 'url = "sqlite:///gm.db"' in text
    assert "postgresql" not in text
    after = dump(f"sqlite:///{tmp_path}/new/gm.db")
    meta = [row for row in after.pop("meta") if row[1] not in (COPIED, RESTORED)]
    assert (meta, after) == (before.pop("meta"), before)
    with closing(open_app(load(restored.config))) as app, app.database.read() as session:
        games = game_queries.games(session)
        assert [verify(app, session, game) for game in games] == [[]] * len(games)


def test_every_game_is_verified_there(zine: Settings, new_database: Callable[[], str]) -> None:
    """`gm verify` finds every game there as recorded; `gm migrate` has compared all rows and said so."""
    said: list[str] = []
    migrate(zine, there := new_database(), tell=said.append)
    with closing(open_app(at(zine, there))) as app, app.database.read() as session:
        games = game_queries.games(session)
        assert len({game.engine for game in games}) == 9
        assert [verify(app, session, game) for game in games] == [[]] * len(games)
    assert f"game: {len(games)} rows" in said
    assert re.fullmatch(r"All [\d,]+ rows are the same on both sides\.", said[-1])


def test_the_game_goes_on_there(zine: Settings, new_database: Callable[[], str]) -> None:
    """New rows get ids behind the old ones, and the secret is the same: the mailbox stays ours."""
    with closing(open_app(zine)) as app, app.database.read() as session:
        secret, last = session.get_one(Meta, "secret").value, max(session.exec(select(Player.id)))
    migrate(zine, there := new_database(), tell=QUIET)
    with closing(open_app(at(zine, there))) as app:
        actions.new_game(app, "crossword", "Zell")
        actions.join(app, "Zell", "Zoe Zander", "zoe@spieler.example", "E")
        with app.database.read() as session:
            assert player_queries.player_named(session, "Zoe Zander").id == last + 1  # type: ignore[union-attr]
            assert session.get_one(Meta, "secret").value == secret


ODD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20) | st.sampled_from(
    ["", "\\N", "\\.", "a\tb\nc\r\\d", "'\"; --", "😀é\u200b\u2028", "W" * 9_000, "null", "%s {0} :x"]
)
PLAIN = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | ODD
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
        session.add(Meta(key=data.draw(ODD), value=data.draw(ODD)))
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
    """A text with a NUL is named, another sign stands in its place; the mail itself keeps every byte."""
    with closing(open_app(zine)) as app:
        store(app, "INBOX", [Fetched(uid=9, uidvalidity=1, raw=b"a\0b", received_at=app.now(), size=3)])
        with app.database.write() as session:
            row = session.exec(select(MailIn).where(MailIn.uid == 9)).one()
            row.subject, row.status, number = "a\0b", "ignored", row.id
            session.add(row)
    before, there = dump(zine.database.url), new_postgresql()
    said: list[str] = []
    migrate(zine, there, tell=said.append)
    assert any(f"'�' stands there now: mail_in {number}: subject" in line for line in said)
    migrate(at(zine, there), f"sqlite:///{tmp_path}/back.db", tell=QUIET)
    after = dump(f"sqlite:///{tmp_path}/back.db")
    assert {name for name, rows in after.items() if rows != before[name]} == {"mail_in"}
    with closing(sqlite3.connect(tmp_path / "back.db")) as connection:
        stored = connection.execute("SELECT subject, raw FROM mail_in WHERE id = ?", (number,)).fetchone()
    assert stored == ("a�b", b"a\0b")


def test_what_a_column_cant_hold_is_named(zine: Settings, new_postgresql: Callable[[], str]) -> None:
    """SQLite holds any number anywhere: one that is too big is told with its table and row, and the zine stays."""
    with closing(sqlite3.connect(zine.database.url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("UPDATE seat SET number = ? WHERE id = 3", (2**40,))
    with pytest.raises(StoreError, match=r"doesn't take seat, row 3: .*out of range.*; nothing was moved"):
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
        secret = meta_queries.secret(session)
    with pytest.raises(Refused, match=r"holds a zine already, which is never overwritten; name an empty one"):
        migrate(small, there, tell=QUIET)
    with closing(open_app(other)) as app, app.database.read() as session:
        assert meta_queries.get_meta(session, "secret") == secret
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
    """An empty schema that `gm doctor` made at the new URL is no obstacle."""
    there = new_database()
    with closing(Database(there)) as database:
        database.prepare(create=True)
    migrate(small, there, tell=QUIET)
    assert is_served(at(small, there))


def test_the_way_back_is_a_new_file(small: Settings, new_database: Callable[[], str]) -> None:
    """What the zine has left once is kept as it was: nothing moves over it."""
    migrate(small, there := new_database(), tell=QUIET)
    before = sums(small.database.url)
    with pytest.raises(Refused, match=r"is what the zine has left once, and stays as it is; name a new one"):
        migrate(at(small, there), "sqlite:///gm.db", tell=QUIET)
    assert sums(small.database.url) == before == sums(there)
    assert is_served(at(small, there))


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
    before = small.path.read_bytes(), sums(small.database.url)
    with pytest.raises(OperatorError, match=says) as caught:
        migrate(small, url, tell=QUIET)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert (small.path.read_bytes(), sums(small.database.url)) == before
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
    """When the database that is left goes away on the way, the new one is no zine: what it lacks nobody knows."""
    there = new_database()
    migrate(small, there, tell=QUIET)
    back = f"sqlite:///{small.path.with_name('back.db')}"
    with pytest.raises(StoreError):
        migrate(at(small, there), back, tell=lambda line: _take_away(there) if line.startswith("turn:") else None)
    assert not is_served(at(small, back))


SPOILERS = {
    "sqlite": [
        "CREATE TRIGGER spoil AFTER INSERT ON turn WHEN new.id = 1 BEGIN UPDATE turn SET foreword = 'x'; END",
        "CREATE TRIGGER spoil AFTER INSERT ON address WHEN new.id = 6 BEGIN DELETE FROM address WHERE id = 1; END",
    ],
    "postgresql": [
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.foreword = 'x'; RETURN new; END $$;"
        "CREATE TRIGGER spoil BEFORE INSERT ON turn FOR EACH ROW WHEN (new.id = 1) EXECUTE FUNCTION spoil()",
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;"
        "CREATE TRIGGER spoil BEFORE INSERT ON address FOR EACH ROW WHEN (new.id = 1) EXECUTE FUNCTION spoil()",
    ],
}


@pytest.mark.parametrize("which", [0, 1], ids=["changed", "lost"])
def test_a_difference_stops_the_move(which: int, small: Settings, new_database: Callable[[], str]) -> None:
    """A row that differs or is missing in the copy stops the move: no copy stays, and the old database is served."""
    there = new_database()
    with closing(Database(there)) as database:
        database.prepare(create=True)
        with database.engine.begin() as connection:
            connection.exec_driver_sql(SPOILERS[connection.dialect.name][which])
    with pytest.raises(StoreError, match=r"is another one in the new database.*nothing was moved"):
        migrate(small, there, tell=QUIET)
    assert is_served(small)
    with closing(Database(there)) as database, database.read() as session:
        assert [
            relocation_copy.count_rows(session, table) for table in relocation_copy.tables() if table.name != "meta"
        ] == [0] * (len(TABLES) - 1)


def test_a_game_whose_plugin_is_gone(zine: Settings, new_database: Callable[[], str]) -> None:
    """What no engine can read here any more moves as well."""
    with closing(open_app(zine)) as app, app.database.write() as session:
        session.execute(sa.update(Game).where(col(Game.name) == "Yerba").values(engine="gone"))
    before = sums(zine.database.url)
    migrate(zine, there := new_database(), tell=QUIET)
    assert sums(there) == before
    assert is_served(at(zine, there))


# -- a service that runs -----------------------------------------------------------------------------------------------


def test_a_service_that_runs_is_noticed(small: Settings, new_database: Callable[[], str]) -> None:
    """While a service has the zine, on a file or a server, nothing moves; when it has ended, all does."""
    migrate(small, there := new_database(), tell=QUIET)
    place, back = at(small, there), f"sqlite:///{small.path.with_name('back.db')}"
    with closing(open_app(place)) as app, in_cluster(app, wake=lambda: None):
        with pytest.raises(Refused, match=r" is still served: end `gm serve` \(and its line in cron\), then try again"):
            migrate(place, back, tell=QUIET)
        assert is_served(place)
    migrate(place, back, tell=QUIET)
    assert is_served(at(small, back))


def opened_anew(story: Story) -> Story:
    """Let a service stand where it has opened the zine, and nobody sees it yet."""
    story.app.database.close()
    story.app = story.open(load(story.config))
    return story


def test_a_service_in_the_middle_of_something(new_database: Callable[[], str], running: Callable[..., Story]) -> None:
    """Whatever a service was about to do when the zine left, it reads, handles and sends nothing more here."""
    story = running()
    story.writes(PLAYERS[0], "Stand Eriwan\n")
    story.tick()
    with story.app.database.write() as session:
        session.execute(sa.update(MailOut).values(status="queued", lease_until=None))
    story.writes(PLAYERS[1], "Stand Eriwan\n")
    store(story.app, "INBOX", [Fetched(uid=99, uidvalidity=1, raw=b"", received_at=story.now, size=0)])
    opened_anew(story)
    migrate(load(story.config), there := new_database(), tell=QUIET)
    before, sent = sums(story.app.database.url), len(story.outbox.letters)
    waiting = list(story.server.folders["INBOX"])
    report = Report()
    for act in (
        lambda: story.tick(),
        lambda: receive.receive(story.app, report),
        lambda: handle_batch(story.app, [2], report),
        lambda: delivery.deliver(story.app, report),
        lambda: delivery.note_deliveries(story.app, [], {}) or actions.new_game(story.app, "crossword", "Zell"),
    ):
        with pytest.raises(Moved, match=r"The zine moved from .*gm.db to .*: write that as url under"):
            act()
    assert list(story.server.folders["INBOX"]) == waiting != []
    assert len(story.outbox.letters) == sent
    assert sums(story.app.database.url) == before == sums(there)


def test_the_loop_ends_with_the_sentence(new_database: Callable[[], str], running: Callable[..., Story]) -> None:
    """`gm serve` doesn't wait and try again: it ends, and who starts it again reads the config anew."""
    story = running()
    assert Loop(app=story.app).one_pass()
    loop = Loop(app=opened_anew(story).app)
    migrate(load(story.config), new_database(), tell=QUIET)
    with pytest.raises(Moved):
        loop.run()


def test_nobody_writes_meanwhile(new_database: Callable[[], str], running: Callable[..., Story]) -> None:
    """While rows go over a command can look and can't write; when the move fails all goes on."""
    story = running()
    other = Database(story.app.database.url, lock_seconds=0.1)

    def look(line: str) -> None:
        if line.startswith("turn:"):
            with other.read() as session:
                assert session.exec(select(Game.name)).all() == [GAME]
            with pytest.raises(StoreError, match=r"locked"), other.write() as session:
                session.merge(Meta(key="a", value="b"))
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
        left, waiting = sums(place.database.url), len(server.mails(GM_ADDRESS))
        for once in ([], ["--once"]):
            ran = subprocess.run(command(place.path, "serve", *once), capture_output=True, text=True, timeout=TIMEOUT)
            assert (ran.returncode, ran.stdout) == (1, "")
            assert "The zine moved from" in ran.stderr.splitlines()[-1]
        assert (sums(place.database.url), len(server.mails(GM_ADDRESS))) == (left, waiting)
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
    says = r"is the database itself" if url.startswith("sqlite") else r"another process has held it"
    with pytest.raises(OperatorError, match=says):
        migrate(place, alias, tell=QUIET)
    with closing(open_app(place)) as app:
        actions.new_game(app, "crossword", GAME)


# -- a process that dies -----------------------------------------------------------------------------------------------


def test_killed_anywhere(small: Settings, new_database: Callable[[], str], at_full_length: bool) -> None:
    """After a SIGKILL at any statement or commit at most one zine is served; once more ends the move."""
    file = Path(small.database.url.removeprefix("sqlite:///"))
    fresh, before = file.read_bytes(), sums(small.database.url)
    steps = _steps(small, new_database())
    last = len(steps) - 1
    _put(file, fresh)
    commits = [number for number, name in enumerate(steps) if name == "commit"]
    near = {number + more for number in commits for more in (0, 1)}
    some = set(random.Random(5).sample(range(last), 3)) | {*sorted(near)[-6:]}
    seen = set()
    for number in sorted({*range(0, last, 5), *near}) if at_full_length else sorted(some):
        there = new_database()
        assert _die_at(small, there, number) or number > last - 5, number  # there are some more the first time
        new = at(small, there)
        served = [name for name, place in (("here", small), ("there", new)) if is_served(place)]
        assert len(served) <= 1, f"killed at {number} ({steps[number]}): {served}"
        seen.update(served or ["nowhere"])
        if served != ["there"]:
            migrate(small, there, tell=QUIET)
        assert not is_served(small)
        assert is_served(new)
        assert sums(there) == before
        _put(file, fresh)
    assert seen == {"here", "nowhere", "there"}


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


def test_an_end_that_is_left_to_the_gm(small: Settings, new_database: Callable[[], str]) -> None:
    """Killed when the zine had left: neither is served, each says what to do, and once more ends the move."""
    file = Path(small.database.url.removeprefix("sqlite:///"))
    fresh, there = file.read_bytes(), new_database()
    number = len(_steps(small, new_database()))
    _put(file, fresh)
    while not _die_at(small, there, number):  # there are some more steps the first time
        number, there = number - 1, new_database()
        _put(file, fresh)
    assert not is_served(small)
    with closing(Database(there)) as database, pytest.raises(StoreError, match=r"isn't finished: `gm migrate`, with"):
        database.prepare()
    with pytest.raises(Moved):
        migrate(small, new_database(), tell=QUIET)
    migrate(small, there, tell=QUIET)
    file.unlink()
    assert is_served(at(small, there))


# -- for the GM --------------------------------------------------------------------------------------------------------


def gm(place: Settings, *words: str) -> tuple[int, str]:
    """Run a command; returns its exit code and all that it says."""
    ran = CliRunner().invoke(cli, [*words, "--config", str(place.path)])
    return (1, str(ran.exception)) if isinstance(ran.exception, GmError) else (ran.exit_code, ran.output)


def test_what_the_gm_reads(small: Settings, new_database: Callable[[], str]) -> None:
    """The last lines are the config to write, and it works. Every command on the old database names the new one."""
    there = new_database()
    secret = there.replace("gm@", "gm:hunter2@")
    code, said = gm(small, "migrate", secret)
    assert code == 0, said
    assert "hunter2" not in said
    lines = said.splitlines()
    url = json.loads(lines[lines.index("[database]") + 1].removeprefix("url = "))
    assert is_served(at(small, url))
    assert ("~/.pgpass" in said) == there.startswith("postgresql")
    commands = (["list"], ["status"], ["serve", "--once"], ["show", GAME], ["todo"], ["migrate", "sqlite:///new.db"])
    for words in (*commands, ["backup", "copy.db"], ["restore", str(small.path)]):
        code, said = gm(small, *words)
        assert code == 1, words
        assert said.startswith("The zine moved from "), words
        assert said.endswith(
            f" to {url} on {datetime.now(UTC):%Y-%m-%d}: write that as url under [database] in the config."
        )
    code, said = gm(small, "doctor")
    assert "fail  database: The zine moved from" in said


def test_what_was_left_is_a_backup(small: Settings, new_database: Callable[[], str], tmp_path: Path) -> None:
    """Should the new database be lost, `gm restore` makes what the zine has left a zine again, as of any copy."""
    migrate(small, new_database(), tell=QUIET)
    again = at(small, "sqlite:///again.db")
    put_back(again.database.url, Path(small.database.url.removeprefix("sqlite:///")), now=datetime.now(UTC))
    assert is_served(again)
    with closing(open_app(again)) as app:
        actions.new_game(app, "crossword", "Zell")
        with app.database.read() as session:
            assert meta_queries.get_meta(session, meta_queries.COPIED)
    assert not is_served(small)
    back_up(again.database.url, tmp_path / "copy.db", now=datetime.now(UTC), force=False)
