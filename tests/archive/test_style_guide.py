"""The style guide shows each part of a page, and the look keeps its rules: contrast, sizes, spaces, measure, targets.

`pytest tests/archive/test_style_guide.py --update-golden` takes its pictures anew.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from PIL import Image

from gm.archive import layout
from gm.archive.reference_pages import style_guide
from gm.demo.in_memory_zine import Story

WIDTHS = (320, 1280)
REM = 16
LEAST_TARGET = 44
MEASURE = 75


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The style guide with its stylesheet, in the folder of a zine."""
    folder = tmp_path_factory.mktemp("guide")
    story = Story(folder / "zine")
    try:
        path = style_guide.write(story.app.settings, folder)
    finally:
        story.close()
    (folder / "style.css").write_bytes(layout.stylesheet())
    (folder / "icon.svg").write_bytes(layout.static_file("icon.svg"))
    return path


@pytest.fixture(scope="module")
def opened(launch: Callable[..., Any], guide: Path) -> Callable[[int, str], Any]:
    """Open the style guide in Chromium: `opened(320, "dark")`."""
    page = launch().new_page()

    def show(width: int, scheme: str) -> Any:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.goto(guide.as_uri())
        return page

    return show


# -- what is on it -----------------------------------------------------------------------------------------------------


def test_every_common_part_is_shown(guide: Path) -> None:
    """Each class of components.css stands on the page."""
    sheet = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", layout.static_file("css/components.css").decode(), flags=re.S)
    shown = {name for one in html.parse(str(guide)).xpath("//@class") for name in str(one).split()}
    assert sorted(set(re.findall(r"\.([a-z][\w-]*)", sheet)) - shown) == []


def test_every_look_of_a_board_is_shown(guide: Path) -> None:
    """Boards of letters, dominoes, racks, dice and pegs are drawn, each with its name."""
    figures = html.parse(str(guide)).xpath("//figure[svg]/figcaption")
    assert len(figures) == len({one.text for one in figures}) >= 6


# -- pictures ----------------------------------------------------------------------------------------------------------


@pytest.mark.server
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_golden_pictures(width: int, scheme: str, opened: Callable[[int, str], Any], golden_picture: Any) -> None:
    """What a part of a page looks like is only changed on purpose."""
    picture = opened(width, scheme).screenshot(full_page=True)
    golden_picture(f"style-guide/{width}-{scheme}.png", Image.open(io.BytesIO(picture)).convert("RGB"))


# -- colours -----------------------------------------------------------------------------------------------------------


def test_colours_have_contrast() -> None:
    """All that is written has a contrast of 4.5 at least, and edges have 3, on light and on dark screens."""
    found = [(style_guide.TEXTS, 4.5), (style_guide.EDGES, 3.0)]
    weak = [one for pairs, least in found for one in style_guide.swatches(pairs) if min(one.light, one.dark) < least]
    assert weak == []


def test_contrast_is_counted_as_the_standard_says() -> None:
    """Black on white has 21, a colour on itself 1, and a grey that just does 4.5."""
    pairs = (("#000000", "#ffffff"), ("#ffffff", "#000000"), ("#123456", "#123456"), ("#767676", "#ffffff"))
    assert [style_guide.contrast(*pair) for pair in pairs] == [21.0, 21.0, 1.0, 4.5]


CONTRASTS = """() => {
    const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
    const ground = e => {
        for (; e; e = e.parentElement) {
            const back = numbers(getComputedStyle(e).backgroundColor);
            if (back.length < 4 || back[3] === 1) return back;
        }
        return [255, 255, 255];
    };
    const light = colour => colour.slice(0, 3).map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
    return [...document.querySelectorAll('body *')]
        .filter(e => e.checkVisibility() && !e.closest('svg, .skip, .said'))
        .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
        .map(e => {
            const [a, b] = [light(numbers(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => x - y);
            return [e.textContent.trim().slice(0, 30), (b + 0.05) / (a + 0.05)];
        });
}"""


@pytest.mark.server
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_whatever_is_written_can_be_read(opened: Callable[[int, str], Any], scheme: str) -> None:
    """In the browser, too, every text has a contrast of 4.5 to what is behind it."""
    found = opened(1280, scheme).evaluate(CONTRASTS)
    assert len(found) > 60
    assert [(text, round(ratio, 1)) for text, ratio in found if ratio < 4.5] == []


# -- type and space ----------------------------------------------------------------------------------------------------

SIZES = """() => [...document.querySelectorAll('body *')]
    .filter(e => e.checkVisibility() && !e.closest('svg'))
    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    .map(e => [e.tagName, parseFloat(getComputedStyle(e).fontSize), e.textContent.trim().slice(0, 30)])"""
STACKED = "main :is(h1, h2, h3, p, section, ul, dl, table, pre, figure, blockquote)"
SPACES = """all => all.flatMap(e => [getComputedStyle(e).marginTop, getComputedStyle(e).marginBottom]
    .map(space => [e.tagName + '.' + e.className, parseFloat(space)]))"""
LINES = """() => [...document.querySelectorAll('main p')].map(e => {
    const range = document.createRange();
    range.selectNodeContents(e);
    const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
    return [e.textContent.trim().length, lines];
})"""
TARGETS = ".masthead a, nav a, .links a, ul.letters a, summary, body > footer a"
HEIGHTS = """all => all.filter(e => e.checkVisibility())
    .map(e => [e.textContent.trim(), e.getBoundingClientRect().height])"""


@pytest.mark.server
@pytest.mark.parametrize("width", WIDTHS)
def test_type_is_of_one_scale(opened: Callable[[int, str], Any], width: int) -> None:
    """Every text has one of eight sizes; only the name of a page is smaller on a phone, to 1.9 rem."""
    scale = {float(size) * REM for size in style_guide.SIZES}
    found = opened(width, "light").evaluate(SIZES)
    odd = [one for one in found if not any(abs(one[1] - size) < 0.1 for size in scale)]
    assert [one for one in odd if not 1.9 * REM <= one[1] <= 2.6 * REM] == []


@pytest.mark.server
@pytest.mark.parametrize("width", WIDTHS)
def test_space_is_of_one_scale(opened: Callable[[int, str], Any], width: int) -> None:
    """What stands above each other is parted by one of seven spaces."""
    scale = (0, *(space * REM for space in style_guide.SPACES))
    found = opened(width, "light").eval_on_selector_all(STACKED, SPACES)
    assert len(found) > 60
    assert [one for one in found if not any(abs(one[1] - space) < 0.1 for space in scale)] == []


@pytest.mark.server
def test_lines_are_not_too_long(opened: Callable[[int, str], Any]) -> None:
    """A paragraph has at most 75 characters in a line, on average, however wide the window."""
    long = [(length, lines) for length, lines in opened(1280, "light").evaluate(LINES) if lines > 1]
    assert long
    assert [one for one in long if one[0] / one[1] > MEASURE] == []


@pytest.mark.server
def test_a_thumb_can_hit_everything(opened: Callable[[int, str], Any]) -> None:
    """On the smallest phone links that stand alone and what can be opened are 44 px high, and the places as wide."""
    found = opened(320, "light").eval_on_selector_all(TARGETS, HEIGHTS)
    assert len(found) > 15
    assert [one for one in found if one[1] < LEAST_TARGET - 0.5] == []
    places = opened(320, "light").eval_on_selector_all(
        ".masthead li a", "all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])"
    )
    assert len(places) == len(layout.PLACES)
    assert all(right - left >= LEAST_TARGET for left, _, right, _ in places)
    assert not [(one, other) for one in places for other in places if one is not other and _overlap(one, other)]


def _overlap(one: list[float], other: list[float]) -> bool:
    left, top, right, bottom = one
    return left < other[2] - 0.5 and other[0] < right - 0.5 and top < other[3] - 0.5 and other[1] < bottom - 0.5


@pytest.mark.server
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(opened: Callable[[int, str], Any], width: int) -> None:
    """The page can't be scrolled sideways."""
    page = opened(width, "light")
    assert page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth") <= 0
