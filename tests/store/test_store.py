"""The database: migrations up and down, constraints, and errors as sentences."""

import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import event, inspect
from sqlalchemy.exc import StatementError
from sqlmodel import SQLModel, func, select

from gm.demo.in_memory_zine import PLAYERS, Story, write_config, write_mail
from gm.runtime.config.settings import load
from gm.runtime.errors import StoreError
from gm.store import tables
from gm.store.database import Database
from gm.store.schema import HEAD, REVISIONS, schema_version
from gm.store.tables import Address, Game, MailIn, MailOut, Player, Seat, Standby, Turn
from gm.store.zine_tables import Zine

NOW = datetime(2026, 11, 2, 11, 0, tzinfo=UTC)
MIGRATIONS = Path(tables.__file__).with_name("migrations")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty zine."""
    database = Database(load(write_config(tmp_path)).database.url)
    database.prepare()
    yield database
    database.close()


def alembic(database: Database) -> Config:
    """What Alembic needs to work on this database."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["engine"] = database.engine
    return config


def player(number: int = 1) -> Player:
    """A player to store."""
    return Player(id=number, name=f"P{number}", name_key=f"p{number}", created_at=NOW)


def game(number: int = 1) -> Game:
    """A game to store."""
    return Game(
        id=number, name=f"G{number}", name_key=f"g{number}", engine="crossword", language="de", seed="", span="1d",
        created_at=NOW,
    )  # fmt: skip


def mail_in(**more: Any) -> MailIn:
    """A received mail to store."""
    return MailIn(**{"folder": "INBOX", "uidvalidity": 2**32 - 1, "uid": 2**32 - 1, "raw": b"", "size": 0,
                     "content": "", "received_at": NOW, **more})  # fmt: skip


def mail_out(**more: Any) -> MailOut:
    """An outgoing mail to store."""
    return MailOut(**{"cause": "turn:1", "kind": "bulletin", "recipient": "1", "address": "a@b.example",
                      "message_id": "<1@x>", "subject": "", "next_try": NOW, "created_at": NOW, **more})  # fmt: skip


# -- schema ------------------------------------------------------------------------------------------------------------


def test_the_known_head_is_the_newest_migration(database: Database) -> None:
    """A start compares one string, without Alembic: what it knows must be the folder's, in order."""
    found = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]
    assert found[::-1] == list(REVISIONS)
    with database.read() as session:
        assert schema_version(session) == HEAD


@pytest.mark.sqlite
def test_a_new_database_is_for_nobody_else(database: Database, tmp_path: Path) -> None:
    """It holds mails, addresses and the secret: other users of the machine can't read it, nor its log."""
    with database.write() as session:
        session.add(player())
    files = list(tmp_path.glob("gm.db*"))
    assert {path.name: path.stat().st_mode & 0o077 for path in files} == {path.name: 0 for path in files}
    assert len(files) > 1


def test_tables_and_migrations_say_the_same(database: Database) -> None:
    """What the migrations make is what the code reads and writes."""
    command.check(alembic(database))


def test_migrations_lead_up_down_and_up_again(database: Database) -> None:
    """Going back leaves nothing behind, so that going up again works."""
    command.downgrade(alembic(database), "base")
    assert inspect(database.engine).get_table_names() == ["alembic_version"]
    database.prepare(create=True)
    command.check(alembic(database))


def test_a_second_start_changes_nothing(database: Database) -> None:
    """Preparing a prepared database is harmless."""
    with database.write() as session:
        session.add(player())
    database.prepare()
    with database.read() as session:
        assert session.exec(select(func.count()).select_from(Player)).one() == 1


def test_a_database_of_an_unknown_version_is_refused(database: Database) -> None:
    """What gm can't know it doesn't touch; the sentence says which version made it and what to do."""
    with database.write() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '9.10'")
    says = r"^The database .* was written by gm 9\.10 or newer; this gm knows databases up to .*\. Install the newer "
    with pytest.raises(StoreError, match=says):
        database.prepare()
    with database.read() as session:
        assert schema_version(session) == "9.10"


@pytest.mark.sqlite
def test_the_safe_modes_of_sqlite_are_on(database: Database) -> None:
    """Commits reach the disk, readers block no writer, foreign keys are checked."""
    with database.engine.connect() as connection:
        modes = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in
                 ("journal_mode", "synchronous", "foreign_keys")]  # fmt: skip
    assert modes == ["wal", 2, 1]


# -- rows --------------------------------------------------------------------------------------------------------------


def test_an_instant_without_a_zone_is_refused(database: Database) -> None:
    """A naive datetime never gets into a row; an aware one comes back aware."""
    naive = NOW.replace(tzinfo=None)
    with pytest.raises(StoreError), database.write() as session:
        session.add(Player(name="A", name_key="a", created_at=naive))
    with database.write() as session:
        session.add(player())
    with database.read() as session:
        assert session.get_one(Player, 1).created_at == NOW
        with pytest.raises(StatementError):
            session.exec(select(Player).where(Player.created_at > naive))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (lambda: mail_in(id=1), lambda: mail_in(id=2)),
        (lambda: mail_out(), lambda: mail_out(message_id="<2@x>")),
        (lambda: mail_out(), lambda: mail_out(recipient="2")),
        (lambda: Game(**{**game().model_dump(), "id": 3}), lambda: Game(**{**game().model_dump(), "id": 4})),
        (lambda: Player(**{**player().model_dump(), "id": 3}), lambda: Player(**{**player().model_dump(), "id": 4})),
        (lambda: Seat(game_id=1, number=1, player_id=1, since=NOW), lambda: Seat(game_id=1, number=1, player_id=2,
                                                                                since=NOW)),
        (lambda: Seat(game_id=1, number=1, player_id=1, since=NOW),
         lambda: Seat(game_id=1, number=2, player_id=1, since=NOW)),
        (lambda: Standby(player_id=1, at=NOW), lambda: Standby(player_id=1, at=NOW)),
        (lambda: Address(player_id=1, address="a@b"), lambda: Address(player_id=1, address="a@b")),
        (lambda: turn(), lambda: turn()),
        (lambda: Zine(secret="a", incarnation="1"), lambda: Zine(secret="a", incarnation="2")),
    ],
    ids=["a mail by UID", "a cause, kind and recipient", "a Message-ID", "a game's name", "a player's name",
         "a seat taken", "a player in a game", "a standby", "an address", "a step of a game", "the zine"],
)  # fmt: skip
def test_what_must_be_unique_is(database: Database, one: Callable[[], SQLModel], two: Callable[[], SQLModel]) -> None:
    """Two processes that do the same thing collide here, whatever else went wrong."""
    with database.write() as session:
        session.add_all([player(1), player(2), game(1)])
    if type(one()) in (Game, Player, Zine):
        with pytest.raises(StoreError, match=r"(?i)unique"), database.write() as session:
            session.add(one())
        return
    with database.write() as session:
        session.add(one())
    with pytest.raises(StoreError, match=r"(?i)unique"), database.write() as session:
        session.add(two())


def turn() -> Turn:
    """A step to store."""
    return Turn(
        game_id=1, number=1, kind="resolve", round=1, input={}, state={}, events=[], rules_version=1, made_by="",
        result={}, at=NOW,
    )  # fmt: skip


def test_a_row_that_names_nobody_is_refused(database: Database) -> None:
    """No sheet, seat or mail points to a game or player that doesn't exist."""
    with pytest.raises(StoreError, match=r"(?i)foreign key"), database.write() as session:
        session.add(Seat(game_id=7, number=1, player_id=7, since=NOW))


def test_a_seat_that_was_left_can_be_taken(database: Database) -> None:
    """History doesn't stand in a standby's way."""
    with database.write() as session:
        session.add_all([player(1), player(2), game(1)])
        session.flush()
        session.add(Seat(game_id=1, number=1, player_id=1, since=NOW, until=NOW))
        session.add(Seat(game_id=1, number=1, player_id=2, since=NOW))
    with database.read() as session:
        taken = session.exec(select(Seat.player_id).where(Seat.until == None)).all()  # noqa: E711 (SQL's own)
        assert taken == [2]


# -- troubles ----------------------------------------------------------------------------------------------------------


def test_an_exception_takes_everything_back(database: Database) -> None:
    """A transaction is all or nothing, whatever ends it."""

    def store_and_stop() -> None:
        with database.write() as session:
            session.add(player())
            session.flush()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store_and_stop()
    with database.read() as session:
        assert session.get(Player, 1) is None


@pytest.mark.trust
@pytest.mark.sqlite
def test_a_full_disk_stops_nothing_for_good(running: Callable[..., Story]) -> None:
    """On a full disk the pass fails with a sentence and nothing is half done; with room again, all goes on."""
    story = running()
    pages = [0]

    def limit(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages[0] or 1_000_000}")

    event.listen(story.app.database.engine, "connect", limit)
    for name in PLAYERS:
        story.writes(name, "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5)
    with sqlite3.connect(story.config.with_name("gm.db")) as connection:
        used = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    said: list[str] = []
    for room in range(24):  # a little more each second time: the disk is full at another place
        pages[0] = used + room // 2
        story.app.database.close()  # the limit is set on a new connection
        try:
            story.tick()
        except StoreError as error:
            said.append(str(error).partition(" said ")[2])
    assert len(said) > 6
    assert set(said) == {
        "'database or disk is full': the disk is full; make room and try again, nothing was half done."
    }
    pages[0] = 0
    story.app.database.close()
    story.tick()
    story.tick()
    with story.app.database.read() as session:
        received = session.exec(select(MailIn)).all()
        assert [(row.status, row.reason) for row in received] == [("applied", "confirmation")] * 6
    assert sorted(recipient for recipient, _ in story.mails()) == sorted(f"{n.split()[0].lower()}@spieler.example"
                                                                         for n in PLAYERS)  # fmt: skip


def test_a_mail_that_the_tables_refuse_is_put_aside(running: Callable[..., Story]) -> None:
    """A number too large for its column is one mail's trouble, not the database's."""
    story = running()
    story.arrives(write_mail("anna@spieler.example", "Crossword Eriwan\nRunde: 99999999999999999999\nDNTIRO\n"))
    story.writes("Bernd Cordes", "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5)
    assert story.tick().received == 2
    assert story.gets("Bernd Cordes").subject == "[Eriwan] Zug Runde 1 angekommen"


@pytest.mark.sqlite
def test_a_foreign_file_is_no_database(tmp_path: Path) -> None:
    """Some other file under the name is left alone."""
    path = tmp_path / "gm.db"
    path.write_text("Lieber Tagebuch, " * 500, encoding="utf-8")
    database = Database(f"sqlite:///{path}")
    with pytest.raises(StoreError, match=r"the file is something else; check \[database\] url"):
        database.prepare()
    assert path.read_text(encoding="utf-8") == "Lieber Tagebuch, " * 500


@pytest.mark.sqlite
def test_a_damaged_file_is_said_to_be(database: Database) -> None:
    """Overwritten pages are noticed: a backup is what helps."""
    with database.write() as session:
        session.add_all(mail_in(uid=number, raw=b"x" * 3000) for number in range(50))
    with database.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("BEGIN")
    database.close()  # what a connection has in its cache is still good
    path = Path(database.url.removeprefix("sqlite:///"))
    with path.open("r+b") as file:
        file.seek(4096 * 2)
        file.write(b"\xff" * 4096 * 60)
    with pytest.raises(StoreError, match="the file is damaged; restore a backup"), database.read() as session:
        session.exec(select(MailIn)).all()


@pytest.mark.sqlite
@pytest.mark.parametrize("folder", ["missing/folder", "/proc"])
def test_a_folder_that_takes_no_file(folder: str, tmp_path: Path) -> None:
    """Where no file can be made, the path and the folder's rights are named as what to check."""
    database = Database(f"sqlite:///{tmp_path / folder}/gm.db")
    with pytest.raises(StoreError, match="check the path and the rights of its folder"):
        database.prepare(create=True)


@pytest.mark.sqlite
def test_a_file_that_may_only_be_read(database: Database) -> None:
    """A database without the right to write is named as such (opened so: root may write everywhere)."""
    reader = Database(f"sqlite:///file:{database.url.removeprefix('sqlite:///')}?mode=ro&uri=true")
    with pytest.raises(StoreError, match="can't be written; check the rights"), reader.write() as session:
        session.add(player())
    reader.close()
