"""The archive shows a position as soon as its bulletins were accepted for everybody, or refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
import seating
from sqlmodel import select

from gm.archive.record.record import Record, from_json
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.requests.desk import actions
from gm.store.tables import Sheet

ANNA = address_of(PLAYERS[0])


@pytest.fixture
def story(running: Callable[[], Story]) -> Story:
    """Eriwan in round 1, with everybody's start bulletin out and its pages written."""
    story = running()
    story.tick(archive=True)
    return story


def site(story: Story) -> Path:
    """Return the folder with the pages."""
    return story.app.settings.archive.path


def told(story: Story, slug: str = "eriwan") -> Record:
    """Read what the site tells of a game."""
    return from_json((site(story) / f"partien/{slug}/partie.json").read_bytes())


def rounds(story: Story) -> list[int]:
    """List the rounds that the site shows."""
    return [one.number for one in told(story).snapshots]


def closes(story: Story) -> None:
    """Close the round; the bulletins go out in the same pass."""
    actions.close(story.app, "Eriwan", story.now)
    story.tick(archive=True)


def read(page: Path) -> str:
    """Read a page; a round and its number are kept together by a blank that doesn't break."""
    return page.read_text(encoding="utf-8").replace("\u00a0", " ").replace("&nbsp;", " ")


def test_the_last_bulletin_brings_the_page(story: Story) -> None:
    """While one bulletin is still to go out, nobody reads the position anywhere; then all do."""
    story.outbox.defer(ANNA)
    closes(story)
    assert rounds(story) == [0]
    pages = {path: read(path) for path in site(story).rglob("*.html") if "spiele" not in path.parts}
    assert not [path for path, text in pages.items() if "Runde 2" in text]
    story.outbox.accept(ANNA)
    story.passes(hours=2)
    story.tick(archive=True)
    assert rounds(story) == [0, 1]
    assert "Runde 2" in read(site(story) / "partien/eriwan/index.html")


def test_a_refused_bulletin_keeps_nobody_waiting(story: Story) -> None:
    """A player with a refused bulletin doesn't delay the pages."""
    story.outbox.refuse(ANNA)
    closes(story)
    assert rounds(story) == [0, 1]


def test_twelve_hours_are_enough(story: Story) -> None:
    """A server that is down for days hides no position from everybody else."""
    story.outbox.defer(ANNA)
    closes(story)
    story.passes(hours=11, minutes=58)
    story.tick(archive=True)
    assert rounds(story) == [0]
    story.passes(minutes=2)
    story.tick(archive=True)
    assert rounds(story) == [0, 1]


def test_a_start_whose_mails_are_still_to_go_out(running: Callable[[], Story]) -> None:
    """That a game runs is known; where it stands isn't."""
    story = running()
    actions.new_game(story.app, "crossword", "Fiume")
    for name in PLAYERS:
        seating.join(story.app, "Fiume", name, address_of(name), "D")
    story.tick()
    story.outbox.is_down = True
    actions.start(story.app, "Fiume")
    story.tick(archive=True)
    assert told(story, "fiume").snapshots == ()
    assert (site(story) / "partien/fiume/index.html").exists()
    story.outbox.is_down = False
    story.passes(hours=1)
    story.tick(archive=True)
    assert [one.number for one in told(story, "fiume").snapshots] == [0]


def test_whoever_reads_the_archive_may_move(story: Story) -> None:
    """A move for a position that everybody can read counts, also of a player whom no bulletin reaches."""
    story.outbox.refuse(ANNA)
    closes(story)
    story.passes(hours=1)
    story.writes(PLAYERS[0], "Crossword Eriwan\nNeu: E\nTI....\n" + "......\n" * 5)
    story.tick()
    with story.app.database.read() as session:
        (sheet,) = session.exec(select(Sheet)).all()
    assert (sheet.round, sheet.seat) == (2, 1)
