"""The archive in the running service: pages after each closing, the end, links in mails, forgetting."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from games.crossword import ENGINE
from gm.archive.record.record import Record, from_json
from gm.demo.in_memory_zine import PLAYERS, Story
from gm.game.position import position
from gm.game.replayed_step import look_back
from gm.requests.desk import actions, players
from gm.requests.desk.erasure import forget
from gm.runtime.errors import ArchiveError, NotOurs
from gm.service.scheduler import Loop
from gm.store.queries import game_queries, turn_queries
from gm.transport.doubles.in_memory import MemoryInbox
from gm.transport.imap.ownership import Owner

Begin = Callable[..., Story]


def _site(story: Story) -> Path:
    return story.app.settings.archive.path


def _record(story: Story, name: str = "eriwan") -> Record:
    return from_json((_site(story) / f"partien/{name}/partie.json").read_bytes())


def _ended(story: Story) -> Story:
    """Let Eriwan end: nobody sends anything."""
    for _ in range(6):
        actions.close(story.app, "Eriwan", story.now)
        story.tick()
    return story


def test_a_pass_that_closes_a_round_writes_its_page(running: Begin) -> None:
    """Issue 7: `gm serve` writes the site after each closing, and only what has changed."""
    story = running()
    assert story.tick(archive=True).pages > 0
    site = _site(story)
    assert (site / "index.html").exists()
    assert not (site / "partien/eriwan/runde-1").exists()
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    actions.close(story.app, "Eriwan", story.now)
    assert story.tick(archive=True).pages > 0
    assert (site / "partien/eriwan/runde-1/index.html").exists()
    written = {path for path in before if path.stat().st_mtime_ns != before[path]}
    assert site / "partien/eriwan/index.html" in written
    assert site / "style.css" not in written
    assert site / "spiele/crossword/index.html" not in written
    assert story.tick(archive=True).pages == 0, "a second pass has nothing to write"


def test_a_move_on_file_changes_the_pages_of_its_game_alone(running: Begin) -> None:
    """How many moves are in can be seen; whose they are can't, and a better move of the same player changes nothing."""
    story = running()
    site = _site(story)
    story.tick(archive=True)
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    move = "Crossword Eriwan\nNeu: E\nDNTIRO\n......\n......\n......\n......\n......\n"
    story.writes(PLAYERS[0], move)
    assert story.tick(archive=True).received == 1
    assert "1 von 6 Zügen da" in (site / "partien/eriwan/index.html").read_text(encoding="utf-8").replace("\u00a0", " ")
    changed = {str(path.relative_to(site)) for path in before if path.read_bytes() != before[path]}
    assert changed <= {
        ".stamp.json", "index.html", "partien/index.html", "partien/eriwan/index.html", "partien/eriwan/partie.json",
        "termine/index.html",
    }  # fmt: skip
    story.writes(PLAYERS[0], move.replace("Neu: E", "Neu: A"))
    assert story.tick(archive=True).pages == 0
    story.writes(PLAYERS[0], "Zurückziehen Eriwan\n")
    story.tick(archive=True)
    assert "Noch kein Zug da" in (site / "partien/eriwan/index.html").read_text(encoding="utf-8").replace("\u00a0", " ")


def test_a_site_that_cannot_be_written_stops_no_mail(running: Begin) -> None:
    """Trouble with the archive is reported; rounds close and bulletins go out all the same."""
    story = running()
    _site(story).parent.mkdir(exist_ok=True)
    _site(story).write_text("somebody's file")
    actions.close(story.app, "Eriwan", story.now)
    report = story.tick(archive=True)
    assert report.sent >= len(PLAYERS)
    assert [type(trouble) for trouble in report.troubles] == [ArchiveError]
    assert str(_site(story)) in str(report.troubles[0])


def test_no_page_before_the_mailbox_is_ours(running: Begin) -> None:
    """Where another database's service reads the mailbox, no page is written; nor before anybody could look."""
    story = running()
    loop = Loop(app=story.app, makes_pages=True)
    story.server.is_down = True
    loop.one_pass()
    assert not _site(story).exists()
    story.server.is_down = False
    others, ours = (Owner(id=letter * 24, name="Zine", address="zug@postspiel.example", host="h") for letter in "ab")
    MemoryInbox(story.server, owner=lambda: others).waiting()
    loop.app = replace(story.app, inbox=MemoryInbox(story.server, owner=lambda: ours))
    for _ in range(3):
        story.passes(seconds=2)  # not long enough for a second look into the mailbox, but for the last one
        with suppress(NotOurs):
            loop.one_pass()
        assert not _site(story).exists()
    story.server.folders["GM/Owner"].clear()
    story.passes(hours=1)
    loop.one_pass()
    assert (_site(story) / "index.html").exists()


def test_the_loop_lets_a_broken_archive_rest(running: Begin, caplog: pytest.LogCaptureFixture) -> None:
    """What lasts is said once and tried again after growing pauses, like a mail server that is away."""
    story = running()
    _site(story).write_text("somebody's file")
    loop = Loop(app=story.app)
    for _ in range(3):
        loop.one_pass()
    assert len([record for record in caplog.records if record.levelname == "WARNING"]) == 1
    _site(story).unlink()
    story.passes(minutes=30)
    loop.one_pass()
    assert (_site(story) / "index.html").exists()


def test_a_mail_comes_before_the_next_game_s_pages(running: Begin) -> None:
    """What wakes the service while pages are written is done first: one game or page, the mail, the others."""
    story = running()
    for number in range(3):
        actions.new_game(story.app, "crossword", f"Kairo{number}")
    loop, wake = Loop(app=story.app), story.app.stop_signal.wake
    wake.set()
    report = loop.one_pass()
    assert report is not None
    assert report.has_pages_left
    assert not (_site(story) / "index.html").exists()
    story.writes(PLAYERS[0], "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5)
    report = loop.one_pass()
    assert report is not None
    assert (report.received, report.sent, report.has_pages_left) == (1, 1, True)
    wake.clear()
    report = loop.one_pass()
    assert report is not None
    assert not report.has_pages_left
    assert report.pages > 0
    assert _record(story).status == "running"


@pytest.mark.trust
def test_the_end_looks_back(running: Begin) -> None:
    """Bulletins.md 2, "Was war drin?": worked out with the result, and the same from the same seed."""
    story = _ended(running())
    story.tick(archive=True)
    found = _record(story).retrospect
    assert any("mindestens" in line for part in found for line in (part.heading, *part.lines, *part.notes))
    page = (_site(story) / "partien/eriwan/index.html").read_text(encoding="utf-8")
    assert "mindestens" in page
    with story.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
        at = position(story.app, game)
        again = look_back(story.app, game, at.engine, at.state, at.turn.number)
        assert at.turn.retrospect == again != []
        assert all(turn.retrospect == [] for turn in turn_queries.turns(session, game)[:-1])


@pytest.mark.trust
def test_a_fault_in_looking_back_costs_only_that(running: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is an extra must never stop a game from ending."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(ENGINE), "look_back", broken)
    story = _ended(running())
    story.tick(archive=True)
    assert _record(story).status == "finished"
    assert _record(story).retrospect == ()


@pytest.mark.trust
def test_forgetting_reaches_every_page(running: Begin) -> None:
    """Issue 7: afterwards no file of the site knows the name, in whatever form it was shown."""
    story = _ended(running(more={"archive": {"names": "full"}}))
    story.tick(archive=True)
    site = _site(story)
    assert any("Anna Berg" in path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
    assert (site / "personen/anna-berg/index.html").exists()
    forget(story.app, "Anna Berg")
    story.tick(archive=True)
    for path in site.rglob("*"):
        assert "anna" not in str(path.relative_to(site))
        assert path.is_dir() or b"Anna" not in path.read_bytes(), path


@pytest.mark.trust
def test_renaming_reaches_every_page(running: Begin) -> None:
    """A later name is shown in games of the past as well (bulletins.md 6(e), publication rules)."""
    story = _ended(running())
    story.tick(archive=True)
    players.rename(story.app, "Anna Berg", "Zoe Xander")
    story.tick(archive=True)
    assert {seat.name for seat in _record(story).seats} >= {"Zoe X."}
    assert not any(b"Anna" in path.read_bytes() for path in _site(story).rglob("*") if path.is_file())


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("base", ["", "https://zine.example/ds/"])
def test_bulletins_name_the_page_where_it_is_published(running: Begin, base: str) -> None:
    """Links appear only where `[archive] base_url` is set (bulletins.md, settled); the page they name is there."""
    story = running(more={"archive": {"base_url": base}})
    actions.close(story.app, "Eriwan", story.now)
    story.tick(archive=True)
    mail = story.gets("Anna Berg")
    assert ("https://zine.example/ds/partien/eriwan/" in mail.text) is bool(base)
    assert (_site(story) / "partien/eriwan/index.html").exists()
