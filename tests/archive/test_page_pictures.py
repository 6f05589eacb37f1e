"""Golden pictures of pages that a visitor meets first: an open game, a finished Crossword, a table on a phone.

`pytest tests/archive/test_page_pictures.py --trust-too --update-golden` takes them anew; review them by looking.
"""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from test_readme_pictures import top_of, window

GOLDEN = Path(__file__).parents[1] / "golden" / "pages"
PAGES = {"open": "jakarta", "crossword-final": "eriwan", "farbdomino": "faro"}
SIZES = {390: 1160, 1280: 1000}
MODES = ("light", "dark")
COLOURS = 32

pytestmark = [pytest.mark.server, pytest.mark.trust]


@pytest.fixture(scope="module")
def browser(launch: Any) -> Any:
    """Chromium."""
    return launch()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_golden_pages(name: str, width: int, mode: str, browser: Any, site: Any, golden_picture: Any) -> None:
    """What a page looks like is only changed on purpose."""
    page = window(browser, (width, SIZES[width]))
    page.emulate_media(color_scheme=mode)
    page.goto((site.bare / "partien" / PAGES[name] / "index.html").as_uri())
    few = (
        top_of(page).quantize(COLOURS, dither=Image.Dither.NONE).convert("RGB")
    )  # as it is kept: pale tints get others
    golden_picture(f"pages/{name}-{width}-{mode}.png", few)
    page.close()


def test_pictures_belong_to_pages() -> None:
    """All together stay below half a megabyte, and none is left over."""
    expected = {f"{name}-{width}-{mode}.png" for name in PAGES for width in SIZES for mode in MODES}
    assert {path.name for path in GOLDEN.iterdir()} == expected
    assert sum(path.stat().st_size for path in GOLDEN.iterdir()) < 500_000
