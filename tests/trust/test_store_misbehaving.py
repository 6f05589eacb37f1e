"""A database that is unusable for a while: one sentence, nothing lost or quarantined, and it recovers by itself."""

import logging
import os
import re
import shutil
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import databases
import pytest
from sqlalchemy import event
from sqlmodel import Session, select
from typer.testing import CliRunner

from gm.app.pass_report import Report
from gm.cli.commands import cli
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, observed
from gm.service.scheduler import Backoff, Loop
from gm.store.database import Database
from gm.store.tables import MailIn, MailOut, Question, Turn
from gm.transport.doubles.in_memory import MemoryInbox
from gm.transport.imap.mails import Fetched

MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5
NEVER = timedelta(days=9999)
ZAT = "2026-11-16T20:01:00+01:00"


@pytest.fixture
def story(running: Callable[..., Story], caplog: pytest.LogCaptureFixture) -> Story:
    """Eriwan in round 1, a minute after its ZAT; three moves wait in the inbox."""
    caplog.set_level(logging.INFO, "gm")
    story = running()
    story.outbox.remembers = True
    for name in PLAYERS[:3]:
        story.writes(name, MOVE)
    story.at(ZAT)
    return story


def all_rows(story: Story, table: Any) -> list[Any]:
    """List a table."""
    with story.app.database.read() as session:
        return list(session.exec(select(table).order_by(table.id)).all())


def passes(story: Story, loop: Loop, number: int = 1) -> list[Report | None]:
    """Do passes, with enough time between them that all is tried again."""
    found = []
    for _ in range(number):
        found.append(loop.one_pass())
        story.passes(minutes=11)
    return found


def check(story: Story) -> None:
    """Three moves were taken and answered, the round is closed once, and everybody has one bulletin."""
    assert [(row.status, row.reason) for row in all_rows(story, MailIn)] == [("applied", "confirmation")] * 3
    assert [(turn.number, turn.kind) for turn in all_rows(story, Turn)] == [(0, "start"), (1, "resolve")]
    assert not all_rows(story, Question)
    assert {row.status for row in all_rows(story, MailOut)} == {"sent"}
    letters = Counter((letter.recipient, letter.raw) for letter in story.outbox.letters)
    expected = Counter({address_of(name): 2 if name in PLAYERS[:3] else 1 for name in PLAYERS})
    assert Counter(recipient for recipient, _ in letters) == expected
    assert set(letters.values()) == {1}


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what the log warns of."""
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]


class Contended(Database):
    """Another process takes the write lock when the service is about to write for the nth time in a pass."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, lock_seconds=0.01)
        self._folder = folder
        self._let_go: Callable[[], None] | None = None
        self.at = self.seen = 0

    @contextmanager
    def write(self) -> Iterator[Session]:
        if self.seen == self.at:
            self._let_go = databases.CHOSEN.hold(self._folder)
        self.seen += 1
        with super().write() as session:
            yield session

    def let_go(self, at: int) -> None:
        """End the lock; the next one comes at the nth write from now."""
        if self._let_go:
            self._let_go()
            self._let_go = None
        self.at, self.seen = at, 0


def test_a_lock_at_any_moment_and_again_and_again(story: Story, caplog: pytest.LogCaptureFixture) -> None:
    """Whichever write of a pass finds the database locked, five passes in a row: nothing is lost, twice or put aside.

    Also where the failed attempt itself can't be taken back: it is no fault of the mails.
    """
    database = Contended(story.app.settings.database.url, story.config.parent)
    loop = Loop(app=replace(story.app, database=database), makes_pages=False)
    hit = 0
    for at in range(14):
        for _ in range(5):
            database.let_go(at)
            (report,) = passes(story, loop)
            hit += report is None
    database.let_go(999)
    passes(story, loop, 3)
    assert hit >= 20
    (warning,) = set(warnings(caplog))
    assert re.fullmatch(
        r"The database \S+ said '.*lock.*': another process has held it for 0.01 s; try again.*", warning
    )
    assert [row.attempts for row in all_rows(story, MailIn)] == [0, 0, 0]
    check(story)
    database.close()


class Greedy(MemoryInbox):
    """While mails are fetched, somebody takes the database."""

    folder: Path | None = None
    let_go: Callable[[], None]

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        if self.folder:
            self.let_go = databases.CHOSEN.hold(self.folder)
        return super().fetch(uids)


def test_a_lock_between_fetching_and_storing(story: Story) -> None:
    """Mails that were read and could not be stored stay in the inbox, and are read again."""
    inbox = Greedy(story.server)
    database = Database(story.app.settings.database.url, lock_seconds=0.01)
    loop = Loop(app=replace(story.app, inbox=inbox, database=database), makes_pages=False)
    inbox.folder = story.config.parent
    assert passes(story, loop) == [None]
    assert len(story.server.folders["INBOX"]) == 3
    assert len(all_rows(story, Turn)) == 1
    inbox.let_go()
    inbox.folder = None
    passes(story, loop, 3)
    check(story)
    database.close()


@pytest.mark.sqlite
def test_a_database_that_is_taken_away_and_comes_back(story: Story, caplog: pytest.LogCaptureFixture) -> None:
    """A deleted database file is noticed at once; no empty one is made, and the service goes on when it is back."""
    loop = Loop(app=story.app, makes_pages=False)
    path = story.config.with_name("gm.db")
    loop.app.database.close()  # so that what is written lies in the file
    path.rename(path.with_suffix(".bak"))
    assert passes(story, loop, 3) == [None] * 3
    assert not path.exists()
    assert warnings(caplog) == [f"The database {path} is gone; restore a backup, then all goes on."]
    shutil.copyfile(path.with_suffix(".bak"), path)
    passes(story, loop, 3)
    check(story)
    assert len(story.server.folders["INBOX"]) == 0


@pytest.mark.sqlite
def test_a_backup_put_in_place_while_the_service_runs(story: Story, caplog: pytest.LogCaptureFixture) -> None:
    """A backup copied over the file is what the GM wants: the service goes on with it, not with the old file."""
    loop = Loop(app=story.app, makes_pages=False)
    path = story.config.with_name("gm.db")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(path.with_suffix(".bak"))) as target:
        source.backup(target)
    story.tick()
    os.replace(path.with_suffix(".bak"), path)  # noqa: PTH105  what a shell's mv does
    for uid in list(story.server.folders["GM/Processed"]):
        story.server.transfer(uid, "GM/Processed", "INBOX")
    story.outbox.letters.clear()
    passes(story, loop, 3)
    assert warnings(caplog) == [f"The database {path} is another file than before; we go on with this one."]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert [row.status for row in all_rows(story, MailIn)] == ["applied"] * 3 + ["ignored"] * 3, "read again once"
    assert len(all_rows(story, Turn)) == 2


@pytest.mark.sqlite
def test_a_damaged_database_is_left_alone_until_a_backup_lies_there(
    story: Story, caplog: pytest.LogCaptureFixture
) -> None:
    """Pages overwritten by something else: said once, nothing fetched is moved; with the backup all goes on."""
    path = story.config.with_name("gm.db")
    loop = Loop(app=story.app, makes_pages=False)
    story.app.database.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    assert passes(story, loop, 3) == [None] * 3
    assert len(warnings(caplog)) == 1
    assert "the file is damaged; restore a backup" in warnings(caplog)[0]
    assert len(story.server.folders["INBOX"]) == 3
    path.with_suffix(".bak").write_bytes(whole)
    path.with_suffix(".bak").replace(path)
    for rest in ("gm.db-wal", "gm.db-shm"):
        path.with_name(rest).unlink(missing_ok=True)
    passes(story, loop, 3)
    check(story)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A real disk of 2 MB, where we may mount one."""
    folder.mkdir(exist_ok=True)
    mount = shutil.which("mount")
    if not mount or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    command = [mount, "-t", "tmpfs", "-o", "size=2m", "gm-test", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, room: int) -> None:
    """Leave so many bytes free."""
    filler = folder / "filler"
    filler.unlink(missing_ok=True)
    status = os.statvfs(folder)
    filler.write_bytes(b"\0" * max(0, status.f_bavail * status.f_frsize - room))


@pytest.mark.sqlite
def test_a_full_disk_under_the_database(
    running: Callable[..., Story], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A disk without room for the -wal file, then with a little more each time: once there is room, all goes on."""
    folder = tmp_path / "disk"
    with small_disk(folder):
        story = running(folder)
        story.outbox.remembers = True
        for name in PLAYERS[:3]:
            story.writes(name, MOVE)
        story.at(ZAT)
        loop = Loop(app=story.app, archive=Backoff(until=story.now + NEVER, pause=NEVER))
        failed = 0
        for room in range(0, 120_000, 12_000):
            fill(folder, room)
            (report,) = passes(story, loop)
            failed += report is None or bool(report.troubles)
            if failed == 3:
                story.app.database.close()  # not even the log's files are there
        assert failed >= 3
        (folder / "filler").unlink()
        passes(story, loop, 3)
        check(story)
        assert {message.partition(" said ")[2].partition(";")[2] for message in warnings(caplog)} <= {
            " make room and try again, nothing was half done.", " or its quota is used up; nothing was half done.",
            " nothing was half done.", "",
        }  # fmt: skip
        story.close()


MANY = 60


def many(begin: Callable[..., Story], *place: Path) -> Story:
    """Eriwan in round 1, with sixty mails in the inbox, of which the sender of each wants an answer."""
    story = begin(*place, more={"security": {"answers_per_hour": 1000}})
    story.outbox.remembers = True
    story.app.database.compact()
    for number in range(MANY):
        story.writes(PLAYERS[number % 6], MOVE)
    return story


def check_part(story: Story, done: int, *, answered: int) -> None:
    """The first mails are applied and put away, so many answered once; the others wait, and no round is closed."""
    rows = all_rows(story, MailIn)
    assert [row.status for row in rows[:done]] == ["applied"] * done
    assert {row.status for row in rows[done:]} <= {"new"}
    assert len(story.server.folders["GM/Processed"]) == done
    assert len(story.server.folders["INBOX"]) == MANY - done
    assert len(story.outbox.letters) == len({letter.raw for letter in story.outbox.letters}) == answered
    assert len(all_rows(story, Turn)) == 1
    assert not all_rows(story, Question)


@pytest.mark.sqlite
@pytest.mark.parametrize("room", [400_000, 600_000])
def test_of_many_mails_those_are_handled_that_fit(
    running: Callable[..., Story], tmp_path: Path, room: int, caplog: pytest.LogCaptureFixture
) -> None:
    """With disk space for a part of a batch these mails are stored, answered and moved; the others wait."""
    folder = tmp_path / "disk"
    with small_disk(folder):
        story = many(running, folder)
        loop = Loop(app=story.app, archive=Backoff(until=story.now + NEVER, pause=NEVER))
        fill(folder, room)
        with observed(story.app):
            assert all(passes(story, loop, 3))
        done = len(story.server.folders["GM/Processed"])
        assert 5 <= done <= MANY - 5
        check_part(story, done, answered=done)
        (warning,) = warnings(caplog)
        said = f"The disk of the database {folder / 'gm.db'} has no room for more mails; make some: until then they"
        assert warning == f"{said} stay in the mailbox."
        (folder / "filler").unlink()
        with observed(story.app):
            passes(story, loop, 2)
        check_part(story, MANY, answered=MANY)
        assert {row.attempts for row in all_rows(story, MailIn)} == {0}
        story.close()


@pytest.mark.sqlite
def test_where_nobody_can_tell_the_room_smaller_batches_are_tried(
    running: Callable[..., Story], caplog: pytest.LogCaptureFixture
) -> None:
    """A quota shows in no free bytes: a batch that doesn't fit is tried mail by mail; what fits stays done."""
    story = many(running)
    database = story.app.database
    with closing(sqlite3.connect(story.config.with_name("gm.db"))) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    most = [pages + 40]

    def limit(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={most[0]}")

    event.listen(database.engine, "connect", limit)
    database.engine.dispose()
    assert not database.has_little_room()
    loop = Loop(app=story.app, archive=Backoff(until=story.now + NEVER, pause=NEVER))
    with observed(story.app):
        passes(story, loop, 3)
    done = len(story.server.folders["GM/Processed"])
    assert 5 <= done <= MANY - 5
    check_part(story, done, answered=len(story.outbox.letters))
    assert len(set(warnings(caplog))) == len(warnings(caplog)) == 1
    assert "'database or disk is full': the disk is full; make room" in warnings(caplog)[0]
    most[0] = 2**30
    database.engine.dispose()
    with observed(story.app):
        passes(story, loop, 2)
    check_part(story, MANY, answered=MANY)
    assert {row.attempts for row in all_rows(story, MailIn)} == {0}


@pytest.mark.sqlite
def test_a_disk_that_turns_read_only(
    running: Callable[..., Story], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As a worn-out card does: said once with what to check; writable again, all goes on."""
    folder = tmp_path / "disk"
    with small_disk(folder):
        story = running(folder)
        story.outbox.remembers = True
        for name in PLAYERS[:3]:
            story.writes(name, MOVE)
        story.at(ZAT)
        loop = Loop(app=story.app, archive=Backoff(until=story.now + NEVER, pause=NEVER))
        story.app.database.close()
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        assert passes(story, loop, 3) == [None] * 3
        assert len(set(warnings(caplog))) == 1
        assert "check the" in warnings(caplog)[0]
        subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
        passes(story, loop, 3)
        check(story)
        story.close()


@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_an_archive_that_can_not_be_written_stops_nothing_else(
    running: Callable[..., Story], tmp_path: Path, trouble: str, caplog: pytest.LogCaptureFixture
) -> None:
    """With a full or read-only archive folder moves are taken, the round closes and mails go out."""
    folder = tmp_path / "pages"
    with small_disk(folder):
        story = running(more={"archive": {"path": str(folder / "site")}})
        for name in PLAYERS[:3]:
            story.writes(name, MOVE)
        story.at(ZAT)
        if trouble == "full":
            fill(folder, 0)
        else:
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        passes(story, loop := Loop(app=story.app), 3)
        check(story)
        assert warnings(caplog)
        assert "Traceback" not in caplog.text
        if trouble == "full":
            (folder / "filler").unlink()
        else:
            subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
        passes(story, loop, 2)
        assert (folder / "site" / "index.html").exists() or "no space" in caplog.text.lower()
        story.close()


@pytest.mark.parametrize(
    ("path", "is_folder", "is_first"),
    [
        ("index.html", True, False), ("partien/eriwan/index.html", True, False), ("partien/eriwan", False, False),
        ("partien", False, False), ("partien/eriwan/runde-1", False, False), (".new", True, False),
        (".stamp.json", True, True), (".new", True, True),
    ],
)  # fmt: skip
def test_what_lies_in_the_way_of_a_page_is_named_once(
    story: Story, path: str, is_folder: bool, is_first: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """A folder where a page has to be, or a file where a folder has to: one sentence, and only the pages wait."""
    loop, site = Loop(app=story.app), story.app.settings.archive.path
    if not is_first:
        story.at("2026-11-10T12:00:00+01:00")
        passes(story, loop)
    in_the_way = site / path
    if in_the_way.is_dir():
        shutil.rmtree(in_the_way)
    in_the_way.unlink(missing_ok=True)
    if is_folder:
        in_the_way.mkdir(parents=True)
    else:
        in_the_way.parent.mkdir(parents=True, exist_ok=True)
        in_the_way.write_text("mine")
    story.at(ZAT)
    passes(story, loop, 5)
    check(story)
    (said,) = warnings(caplog)
    what = "folder where a file" if is_folder else "file where a folder"
    assert said.startswith(f"The archive {site} can't be written: {in_the_way} is a {what} has to be; move it away and")
    ran = CliRunner().invoke(cli, ["archive", str(site), "--config", str(story.config)])
    assert (ran.exit_code, str(ran.exception)) == (1, said)
    in_the_way.rmdir() if is_folder else in_the_way.unlink()
    passes(story, loop, 2)
    assert (site / "partien/eriwan/runde-1/index.html").exists()
    assert len(warnings(caplog)) == 1
