"""After a power loss with unwritten data mails and games are intact, and pages can be made again."""

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner

from gm.app.context import App
from gm.archive.export import export
from gm.archive.site_folder import STAMP
from gm.cli.commands import cli
from gm.demo.in_memory_zine import PLAYERS, Story, one_pass
from gm.requests.desk import actions
from gm.store.database import Database
from gm.store.queries import game_queries
from gm.store.tables import MailIn, Sheet
from gm.transport.doubles.in_memory import MemoryInbox
from gm.transport.imap.mails import Fetched


def _pages(site: Path) -> dict[str, bytes]:
    files = (path for path in site.rglob("*") if path.is_file() and path.name != STAMP)
    return {str(path.relative_to(site)): path.read_bytes() for path in files}


@pytest.mark.sqlite
def test_a_commit_is_on_the_disk(running: Callable[..., Story]) -> None:
    """The database waits for the disk at every commit: a mail is moved out of the inbox only after that."""
    with closing(Database(running().app.settings.database.url)) as database, database.read() as session:
        ask = session.connection().exec_driver_sql
        pragmas = [ask(f"PRAGMA {key}").scalar() for key in ("synchronous", "journal_mode")]
    assert pragmas == [2, "wal"]  # 2 is FULL


@pytest.mark.parametrize("torn", [b"", b'{"zine": "'])
def test_a_torn_stamp_stops_no_export(running: Callable[..., Story], torn: bytes) -> None:
    """Where the note of how far the site is made was cut off, the next pass makes every page once more."""
    story = running()
    story.tick(archive=True)
    site = story.app.settings.archive.path
    actions.close(story.app, "Eriwan", story.now)
    (site / "index.html").write_bytes(b"")
    (site / ".new").write_bytes(b"<!DOCTYPE")
    (site / STAMP).write_bytes(torn)
    report = story.tick(archive=True)
    assert report.troubles == []
    assert (site / "partien/eriwan/runde-1/index.html").exists()
    assert (site / "index.html").stat().st_size
    assert not (site / ".new").exists()


def test_a_full_export_mends_pages_that_were_lost(running: Callable[..., Story]) -> None:
    """`gm archive --full` trusts nothing that lies there: empty and missing files are as they were, to the byte."""
    story = running()
    story.tick(archive=True)
    site = story.app.settings.archive.path
    before = _pages(site)
    (site / "partien/eriwan/index.html").write_bytes(b"")
    (site / "index.html").unlink()
    (site / "style.css").write_bytes(b"\0" * 100)
    export(story.app, site, full=True)
    assert _pages(site) == before


MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


def _known(app: App) -> list[tuple[datetime, str]]:
    with app.database.read() as session:
        rows = session.exec(select(MailIn).order_by(col(MailIn.received_at), col(MailIn.id))).all()
    return [(row.received_at, row.status) for row in rows]


@pytest.mark.sqlite
@pytest.mark.parametrize("closes", [False, True])
def test_a_log_that_is_lost_loses_no_move(
    running: Callable[..., Story], tmp_path: Path, caplog: pytest.LogCaptureFixture, closes: bool
) -> None:
    """If the last commits are lost (no `-wal` file), their mails are handled again, by their time of arrival."""
    story = running()
    story.writes(PLAYERS[0], MOVE)
    story.tick()
    story.app.database.compact()
    file = Path(story.app.settings.database.url.removeprefix("sqlite:///"))
    before = file.read_bytes()
    story.passes(minutes=5)
    for name in PLAYERS[1:4]:
        story.writes(name, MOVE)
    story.tick()
    if closes:
        story.at("2026-11-16T20:01:00+01:00")
        story.tick()
    moved, rounds = _known(story.app), show(story)
    story.app.close()
    for path in file.parent.glob("gm.db*"):
        path.unlink()
    file.write_bytes(before)
    app = story.open(story.app.settings)
    assert len(_known(app)) == 1
    story.passes(minutes=1)
    one_pass(app, archive=False)
    assert _known(app) == moved
    assert show(story, app) == rounds
    assert "it has lost its end" in caplog.text
    count = len(_known(app))
    one_pass(replace(app, ours=set()), archive=False)
    assert len(_known(app)) == count


def show(story: Story, app: App | None = None) -> list[Any]:
    """Return the round, and what is on file for it."""
    with (app or story.app).database.read() as session:
        game = game_queries.named(session, "Eriwan")
        filed = [(one.seat, one.move) for one in session.exec(select(Sheet).order_by(col(Sheet.seat)))]
        return [game.round, sorted(filed, key=str)]


def test_a_healthy_start_reads_no_mail_again(running: Callable[..., Story]) -> None:
    """What is known is not fetched: a look at the last mails' heads is all that a start costs."""
    story = running()
    for name in PLAYERS[:3]:
        story.writes(name, MOVE)
    story.tick()
    fetched: list[int] = []

    class Watched(MemoryInbox):
        def other_folder(self, folder: str) -> MemoryInbox:
            return Watched(self.server, folder=folder)

        def fetch(self, uids: Sequence[int]) -> list[Fetched]:
            fetched.extend(uids)
            return super().fetch(uids)

    one_pass(replace(story.app, ours=set(), inbox=Watched(story.server)), archive=False)
    assert fetched == []


@pytest.mark.sqlite
@pytest.mark.parametrize("part", range(12))
def test_doctor_finds_what_is_damaged(running: Callable[..., Story], part: int) -> None:
    """Wherever a page of the file is overwritten, `gm doctor` fails with the mend."""
    story = running()
    story.app.database.compact()
    file = Path(story.app.settings.database.url.removeprefix("sqlite:///"))
    story.app.close()
    pages = file.stat().st_size // 4096
    with file.open("r+b") as raw:
        raw.seek(4096 * (1 + (pages - 2) * part // 12))
        raw.write(b"\xa5" * 4096)
    ran = CliRunner().invoke(cli, ["doctor", "--config", str(story.config)])
    assert ran.exit_code == 1
    assert re.search("fail  database: .*(restore a backup|check)", ran.output)
