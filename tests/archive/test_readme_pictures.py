"""The two pictures in README. `pytest tests/archive/test_readme_pictures.py --update-golden` takes them anew.

They show the game that `gm demo` plays, in English.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import seating
from PIL import Image
from waiting import TIMEOUT

from gm.archive.export import export
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.demo.people import STANDBY
from gm.demo.scripted_game import script_of
from gm.requests.desk import actions
from gm.store.queries import game_queries

GOLDEN = Path(__file__).parents[1] / "golden"
BULLETIN = (640, 960)
"""As wide as the part of a mail program that shows a mail."""
GAME = (1280, 1040)
SHOWN = 5
"""The round whose bulletin is shown."""

pytestmark = [pytest.mark.server, pytest.mark.trust]


@dataclass(frozen=True, kw_only=True)
class Played:
    """The bulletin that is shown, as HTML, and the page of the game."""

    bulletin: str
    page: Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """The written game, played to its end."""
    story = Story(tmp_path_factory.mktemp("readme"), now="2026-09-06T18:00:00+02:00")
    actions.new_game(story.app, "crossword", "Eriwan", language="en")
    cast, script = dict(enumerate(PLAYERS, 1)), script_of("crossword")
    for seat, name in cast.items():
        seating.join(story.app, "Eriwan", name, address_of(name), script[0, seat][0][0][-1])
    actions.start(story.app, "Eriwan")
    story.tick()
    bulletin = ""
    for number in range(1, 7):
        story.passes(days=9)
        for seat, name in cast.items():
            for block in script.get((number, seat), ())[-1:]:
                story.writes(name, "\n".join(["Crossword Eriwan", *block, ""]))
        story.tick()
        with story.app.database.read() as session:
            story.at(game_queries.named(session, "Eriwan").zat.isoformat())
        story.passes(minutes=1)
        story.tick()
        if number == SHOWN - 1:
            actions.add_standby(story.app, STANDBY, address_of(STANDBY), None)
            actions.standby(story.app, "Eriwan", cast[4], None, None)
            cast[4] = STANDBY
            story.tick()
        told = [mail for to, mail in story.mails() if to == address_of(PLAYERS[0])]
        if number == SHOWN:
            bulletin = told[-1].html
    actions.rule(story.app, "Eriwan", ["TEEBAR"], False, "", False)
    story.tick()
    site = story.config.parent / "site"
    export(story.app, site)
    yield Played(bulletin=bulletin, page=site / "partien" / "eriwan" / "index.html")
    story.close()


def top_of(page: Any) -> Image.Image:
    """Take a picture of what fits into the window."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


@pytest.fixture(scope="module")
def browser(launch: Any) -> Any:
    """Chromium."""
    return launch()


def window(browser: Any, size: tuple[int, int]) -> Any:
    """Open a window."""
    page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    page.set_default_timeout(1000 * TIMEOUT)
    return page


def test_bulletin(browser, played, golden_picture):
    """README shows a bulletin as it is."""
    page = window(browser, BULLETIN)
    page.set_content(played.bulletin)
    golden_picture("readme/bulletin.png", top_of(page))


def test_game_page(browser, played, golden_picture):
    """README shows the page of a game as it is, after its end."""
    page = window(browser, GAME)
    page.goto(played.page.as_uri())
    golden_picture("readme/game.png", top_of(page))


def test_pictures_are_small():
    """Both together stay below 300 kB."""
    assert sum(path.stat().st_size for path in (GOLDEN / "readme").glob("*.png")) < 300_000
    assert {path.name for path in (GOLDEN / "readme").iterdir()} == {"bulletin.png", "game.png"}
