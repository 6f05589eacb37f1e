"""A loss of power takes what the disk had not written yet: mails and games are safe, pages can be made again."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gm.archive.export import export
from gm.play import desk
from gm.store.database import Database
from gm.testing import Story


def _pages(site: Path) -> dict[str, bytes]:
    return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}


@pytest.mark.sqlite
def test_a_commit_is_on_the_disk(running: Callable[..., Story]) -> None:
    """The database waits for the disk at every commit: a mail is moved out of the inbox only after that."""
    with closing(Database(running().app.settings.database.url)) as database, database.read() as session:
        ask = session.connection().exec_driver_sql
        pragmas = [ask(f"PRAGMA {key}").scalar() for key in ("synchronous", "journal_mode")]
    assert pragmas == [2, "wal"]  # 2 is FULL


@pytest.mark.parametrize("torn", [b"", b'{"move": ["partien/eri'])
def test_torn_orders_stop_no_export(running: Callable[..., Story], torn: bytes) -> None:
    """A list of what to move that was cut off is thrown away: the next pass makes the pages once more."""
    story = running()
    story.tick(archive=True)
    site = story.app.settings.archive.path
    desk.close(story.app, "Eriwan", story.now)
    (site / ".new").mkdir()
    (site / ".new" / "orders.json").write_bytes(torn)
    report = story.tick(archive=True)
    assert report.troubles == []
    assert (site / "partien/eriwan/runde-1/index.html").exists()
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
