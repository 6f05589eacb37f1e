"""The two pictures in README. `pytest tests/archive/test_readme_pictures.py --update-golden` takes them anew."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from waiting import TIMEOUT

GOLDEN = Path(__file__).parents[1] / "golden"
BULLETIN = (640, 960)
"""As wide as the part of a mail program that shows a mail."""
GAME = (1280, 1040)

pytestmark = pytest.mark.server


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


def test_bulletin(browser, golden_picture):
    """README shows a bulletin as it is."""
    page = window(browser, BULLETIN)
    page.set_content((GOLDEN / "mails" / "bulletin-nmr.en.html").read_text(encoding="utf-8"))
    golden_picture("readme/bulletin.png", top_of(page))


@pytest.mark.trust
def test_game_page(browser, site, golden_picture):
    """README shows the page of a game as it is, with a round of its replay."""
    page = window(browser, GAME)
    page.goto((site.bare / "partien" / "oslo" / "index.html").as_uri())
    page.locator("label.b3").click()
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    golden_picture("readme/game.png", top_of(page))


@pytest.mark.trust
def test_pictures_are_small():
    """Both together stay below 300 kB."""
    assert sum(path.stat().st_size for path in (GOLDEN / "readme").glob("*.png")) < 300_000
    assert {path.name for path in (GOLDEN / "readme").iterdir()} == {"bulletin.png", "game.png"}
