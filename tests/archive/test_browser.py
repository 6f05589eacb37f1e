"""The archive's pages in real Chromium: layout, replay, keyboard, print, console errors, and accessibility (axe)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from waiting import TIMEOUT

from games.api import Cell
from gm.archive.game_pages.boards import position
from gm.archive.layout import stylesheet
from gm.drawing.parts import Board

WIDTHS = (320, 390, 760, 1280)
HIGH = 900
BOARDS = """all => all.filter(e => e.checkVisibility()).map(e => {
    const lying = {};
    for (const text of e.querySelectorAll('g.tiles text:not(.value)')) {
        if (getComputedStyle(text.closest('g')).display === 'none') continue;
        const xs = text.getAttribute('x').split(' '), ys = text.getAttribute('y').split(' '), all = text.textContent;
        xs.forEach((x, at) => lying[x + ',' + (ys[at] || ys[0])] = xs.length > 1 ? all[at] : all);
    }
    return Object.values(lying).sort().join(' ');
})"""
"""What can be seen on boards: what was drawn over something else counts, not what lies below it."""
BROKEN = (
    '<!DOCTYPE html><html lang="de"><head><title>a</title><meta name="viewport" content="width=device-width"></head>'
)

pytestmark = [pytest.mark.server, pytest.mark.trust]


class Reader:
    """Somebody who reads the archive; keeps whatever Chromium complains of, and what it asks the net for."""

    def __init__(self, browser: Any, root: str) -> None:
        self.root = root
        self.page = browser.new_page(viewport={"width": 1280, "height": HIGH})
        self.page.set_default_timeout(1000 * TIMEOUT)
        self.troubles: list[str] = []
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("requestfailed", self._note_failure)
        self.page.on("response", lambda answer: self._note(answer.url, answer.status))
        self.page.on("request", lambda request: self._note(request.url, 200))

    def _note_failure(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # a picture that was still on its way when the page was left
            self.troubles.append(f"{request.failure}: {request.url}")

    def _note(self, url: str, status: int) -> None:
        if not url.startswith(self.root) or status not in (0, 200, 304):
            self.troubles.append(f"{status}: {url}")

    def opens(self, path: str, width: int = 1280) -> Any:
        """Open a page of the site."""
        self.widens(width)
        self.page.goto(f"{self.root}/{path}")
        return self.page

    def widens(self, width: int) -> None:
        """Make the window so wide, if it isn't: Chromium takes its time for that."""
        if self.page.viewport_size["width"] != width:
            self.page.set_viewport_size({"width": width, "height": HIGH})

    def overflow(self, width: int) -> int:
        """Return how far the page that is open can be scrolled sideways."""
        self.widens(width)
        measure = "(e => Math.max(e.scrollWidth, document.body.scrollWidth) - e.clientWidth)(document.scrollingElement)"
        return int(self.page.evaluate(measure))

    def boards(self, within: str) -> list[str]:
        """Return the letters and names that can be seen on each board in a part of the page, sorted."""
        return sorted(str(text) for text in self.page.eval_on_selector_all(f"{within} svg.board", BOARDS))


@pytest.fixture(scope="module")
def browser(launch: Callable[..., Any]) -> Any:
    """Chromium."""
    return launch()


@pytest.fixture(scope="module")
def reader(browser: Any, site: Any) -> Reader:
    """Somebody who has the site on disk."""
    return Reader(browser, site.bare.as_uri())


@pytest.fixture(scope="module")
def surfer(browser: Any, web: str) -> Reader:
    """Somebody who reads it on the web."""
    return Reader(browser, web)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A page at all widths: where it is too wide, what is too small on a phone, what is wider than the smallest."""

    too_wide: tuple[int, ...]
    too_small: tuple[str, ...]
    movable: tuple[Any, ...]


SIZES = """() => [...document.querySelectorAll('main *')]
    .filter(e => e.checkVisibility() && !e.closest('.said, svg.mini'))
    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    .map(e => [parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM ? e.getScreenCTM().a : 1), e.textContent])
    .filter(one => one[0] < 9).map(one => one[1].trim().slice(0, 20))"""
WIDE = """() => [...document.querySelectorAll('main *')].filter(e => e.checkVisibility()
    && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'auto')
    .map(e => [e.tabIndex, e.getAttribute('role'), e.getAttribute('aria-label')])"""


@pytest.fixture(scope="module")
def measured(site: Any, reader: Reader) -> dict[str, Measured]:
    """All samples, each opened once."""
    found = {}
    for path in site.samples:
        page = reader.opens(path)
        too_wide = tuple(width for width in reversed(WIDTHS) if reader.overflow(width) > 0)
        movable = page.evaluate(WIDE)
        reader.widens(390)
        found[path] = Measured(too_wide=too_wide, too_small=tuple(page.evaluate(SIZES)), movable=tuple(movable))
    return found


# -- layout ----------------------------------------------------------------------------------------------------------


def test_nothing_is_fetched_or_complained_of(site, measured, reader, surfer):
    """From disk and over HTTP: a page loads files of its own site only, and the console stays empty."""
    for path in site.samples[::4]:
        surfer.opens(path)
    assert not reader.troubles + surfer.troubles


def test_trouble_would_be_seen(browser, tmp_path):
    """Scripts, pictures from elsewhere and missing files are noticed."""
    for number, body in enumerate(["<script>x</script>", "<img src='https://x.example/a.png'>", "<img src='b.png'>"]):
        (tmp_path / "index.html").write_text(f"{BROKEN}<body>{body}</body></html>", encoding="utf-8")
        reader = Reader(browser, tmp_path.as_uri())
        reader.page.route("https://**", lambda route: route.abort())
        reader.opens("index.html")
        assert reader.troubles, number
        reader.page.close()


def test_nobody_scrolls_sideways(measured):
    """No page is wider than the window, from the smallest phone to a desk; what is wide moves in its own frame."""
    assert {path: found.too_wide for path, found in measured.items() if found.too_wide} == {}


def test_all_pages_fit_a_small_phone(site, reader):
    """Also the pages that are like others are 320 px wide; of rounds those with what players tried."""
    found = []
    for path in (path for path in site.pages if "/runde-" not in path or "/eriwan/" in path):
        reader.opens(path, 320)
        found += [path] if reader.overflow(320) > 0 else []
    assert not found


def test_a_wide_page_would_be_seen(browser, tmp_path):
    """The test of widths can fail."""
    (tmp_path / "index.html").write_text(f"{BROKEN}<body><p>{'W' * 60}</p></body></html>", encoding="utf-8")
    reader = Reader(browser, tmp_path.as_uri())
    reader.opens("index.html")
    assert [reader.overflow(width) > 0 for width in WIDTHS] == [True, True, True, False]
    reader.page.close()


MOVED = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.getAttribute('aria-label'))"
BLANK = """() => {
    const board = document.querySelector('.boards svg:is(.letters, .dominoes)');
    const boxes = [...board.querySelectorAll('.tiles path:is(:not([class]), .red, .edge)')].map(e => e.getBBox());
    const [left, top] = board.matches('.dominoes') ? [30, 30] : [20, 20], cell = board.matches('.dominoes') ? 60 : 30;
    const ground = board.querySelector('path.grid, path.dots').getBBox();
    const half = board.matches('.dominoes') ? cell / 2 : 0;
    const far = (one, size) => Math.max(...boxes.map(b => b[one] + b[size]));
    return [(Math.min(...boxes.map(b => b.x)) - left) / cell, (Math.min(...boxes.map(b => b.y)) - top) / cell,
            (ground.x + ground.width + half - far('x', 'width')) / cell,
            (ground.y + ground.height + half - far('y', 'height')) / cell].map(Math.round);
}"""
"""How many blank lines a board has on each side, in cells."""


def test_boards_fit_a_phone(site, reader):
    """The boards that grow fit a phone as they are: cut to what is used, with one blank line on each side."""
    for name in ("Faro", "Tokio", "Paris", "Yerba"):
        page = reader.opens(f"partien/{name.lower()}/index.html", 390)
        assert page.eval_on_selector_all(".boards .wide", MOVED) == [], name
        assert page.evaluate(BLANK) == [1, 1, 1, 1], name


@pytest.mark.parametrize("at", [1, 20, 37])
def test_a_board_too_wide_begins_at_the_newest_tile(at, browser, tmp_path):
    """Where cells of 18 pixels are too many for a phone, the frame is scrolled to the last move, and the page isn't."""
    cells = [[Cell(text="e") if row == 1 and 0 < column < 39 else Cell() for column in range(40)] for row in range(4)]
    cells[2][at] = Cell(text="T", new=True)
    labels = tuple(f"{'ABC'[column // 26]}{chr(65 + column % 26)}" for column in range(40))
    board = Board(name="Brett", columns=labels, rows=tuple("1234"), cells=tuple(map(tuple, cells)))
    drawn = position(board, "", "Brett", is_own=False)
    body = f'<main><p style="height:99rem">a</p><div class="boards">{drawn}</div><p style="height:99rem">b</p></main>'
    text = f"{BROKEN}<style>{stylesheet().decode()}</style><body>{body}</body></html>"
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    reader = Reader(browser, tmp_path.as_uri())
    for width in (320, 390):
        page = reader.opens("index.html", width)
        page.wait_for_function("scrollY === 0")
        frame, tile = (page.locator(one).bounding_box() for one in (".wide", ".new path"))
        assert reader.overflow(width) == 0
        assert frame["x"] <= tile["x"] < tile["x"] + tile["width"] <= frame["x"] + frame["width"]
        assert 16 < tile["width"] < 20  # 18 with its edge
    reader.page.close()


def test_no_text_is_too_small(measured):
    """On a phone no writing is smaller than 9 px, in charts neither; small boards in lists are pictures of boards."""
    assert {path: found.too_small[:5] for path, found in measured.items() if found.too_small} == {}


def test_small_text_would_be_seen(browser, tmp_path):
    """The test of sizes can fail."""
    chart = '<svg viewBox="0 0 900 90" width="300"><text y="20" font-size="20">klein</text></svg>'
    (tmp_path / "index.html").write_text(f"{BROKEN}<body><main>{chart}</main></body></html>", encoding="utf-8")
    reader = Reader(browser, tmp_path.as_uri())
    assert reader.opens("index.html", 390).evaluate(SIZES) == ["klein"]
    reader.page.close()


def test_pages_turn_dark(reader):
    """With a dark colour scheme the pages are dark, with inverted colours."""
    reader.opens("index.html")
    seen = []
    for scheme in ("light", "dark"):
        reader.page.emulate_media(color_scheme=scheme)
        colour = reader.page.evaluate("getComputedStyle(document.body).backgroundColor")
        seen.append(sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")))
    reader.page.emulate_media(color_scheme="light")
    assert seen[0] > 700
    assert seen[1] < 200


# -- axe -------------------------------------------------------------------------------------------------------------


def violations(page: Any, *rules: str) -> list[str]:
    """Let axe-core look at the page that is open, with all that is folded: for some rules, or all but contrast."""
    from axe_playwright_python.sync_playwright import Axe

    page.eval_on_selector_all("details", "all => all.forEach(e => e.open = true)")
    choice = {"runOnly": list(rules)} if rules else {"rules": {"color-contrast": {"enabled": False}}}
    options = {"resultTypes": ["violations"], "preload": False, **choice}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def test_axe_finds_nothing(site, reader):
    """All pages are accessible: axe-core finds no violation."""
    found = {path: said[:5] for path in site.few if (said := violations(reader.opens(path)))}
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


def test_everything_has_contrast(site, reader):
    """On light and dark phones everything can be told from its ground and be hit by a finger."""
    found = {}
    for path in site.colourful:
        page = reader.opens(path, 390)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            sizes = ["target-size"] if scheme == "light" else []  # the same in the dark
            if said := violations(page, "color-contrast", "link-in-text-block", *sizes):
                found[f"{path}, {scheme}"] = said[:5]
    reader.page.emulate_media(color_scheme="light")
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


def test_axe_would_find_it(browser, tmp_path):
    """The tests with axe can fail."""
    text = (
        '<body><main><h1>a</h1><p style="color:#999;background:#fff">blass</p><img src="data:,"></main></body></html>'
    )
    (tmp_path / "index.html").write_text(BROKEN + text, encoding="utf-8")
    reader = Reader(browser, tmp_path.as_uri())
    reader.opens("index.html")
    found = [*violations(reader.page), *violations(reader.page, "color-contrast")]
    assert {one.partition(":")[0] for one in found} == {"color-contrast", "image-alt"}
    reader.page.close()


# -- replay ----------------------------------------------------------------------------------------------------------


def shown_steps(reader: Reader) -> list[str]:
    """Name the steps that can be seen, by their classes."""
    script = "all => all.filter(e => e.checkVisibility()).map(e => e.className)"
    return [str(name) for name in reader.page.eval_on_selector_all(".step", script)]


def test_replay_shows_each_round(site, reader):
    """Choosing n shows exactly step n, and its boards are those of round page n: grids, dominoes, dice, pegs."""
    seen = 0
    for record in map(site.record, ("Eriwan", "Isfahan", "Como", "Faro", "Riga", "Yokohama")):
        folder = f"partien/{record.slug}"
        rounds = []
        for one in record.snapshots:
            reader.opens(f"{folder}/runde-{one.number}/index.html")
            rounds.append(reader.boards("main"))
        page = reader.opens(f"{folder}/index.html")
        for number, boards in enumerate(rounds):
            page.evaluate(f"document.querySelector('label.b{number}').click()")
            assert shown_steps(reader) == [f"step t{number}"], record.game
            shown, expected = ([one for one in some if one] for some in (reader.boards(".replay"), boards))
            is_short = not page.locator(".rail.long").count()  # a long game shows racks at its end only
            assert shown == expected if is_short else {*shown} <= {*expected}, (record.game, number)
        seen += len(rounds)
    assert seen > 40


def test_replay_by_mouse(site, reader):
    """Clicking at a round shows it and nothing else; arrows lead to the next, the one before, first and last."""
    page = reader.opens("partien/eriwan/index.html", 390)
    for number in (0, 3, 5):
        page.locator(f"label.b{number}").click()
        assert shown_steps(reader) == [f"step t{number}"]
    for sign, number in (("‹", 4), ("‹", 3), ("›", 4), ("«", 0), ("»", 6), ("›", 6)):
        page.locator(".go:visible", has_text=sign).click()
        assert shown_steps(reader) == [f"step t{number}"]


def test_what_came_is_marked(site, reader):
    """The tiles of the chosen round are yellow, those before aren't, and later ones can't be seen."""
    page = reader.opens("partien/eriwan/index.html")
    page.locator("label.b3").click()
    script = "all => all.map(e => getComputedStyle(e.closest('g')).display + getComputedStyle(e).fill)"
    colours = [set(page.eval_on_selector_all(f".boards svg.board .r{number} > path", script)) for number in range(1, 7)]
    assert colours[2] == {"inlinergb(255, 215, 94)"}
    assert colours[0] == colours[1] != colours[2]
    assert all(colour.startswith("none") for later in colours[3:] for colour in later)


def test_replay_begins_at_the_end(site, reader):
    """A game page shows the last round first, until another is chosen."""
    reader.opens("partien/eriwan/index.html")
    assert shown_steps(reader) == ["step t6"]


def test_replay_by_keyboard(site, reader):
    """Tab leads to the replay, arrow keys from round to round, and what is chosen can be seen and has the focus."""
    page = reader.opens("partien/eriwan/index.html")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "radio":
            break
    assert page.evaluate("document.activeElement.id") == "s6"
    for number in (5, 4, 3):
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.id") == f"s{number}"
        assert shown_steps(reader) == [f"step t{number}"]
    page.keyboard.press("ArrowDown")
    assert shown_steps(reader) == ["step t4"]
    frame = page.evaluate("getComputedStyle(document.querySelector('label.b4')).outlineStyle")
    assert frame == "solid"


def test_a_broken_replay_would_be_seen(site, reader):
    """Without its stylesheet the replay shows all rounds at once, and `shown_steps` says so."""
    page = reader.opens("partien/eriwan/index.html")
    page.evaluate("document.querySelectorAll('link[rel=stylesheet], style').forEach(e => e.remove())")
    assert len(shown_steps(reader)) == 7


LIT = """() => [...document.querySelectorAll('.replay .words text')]
    .filter(e => getComputedStyle(e).visibility === 'visible').map(e => e.textContent)"""
TINTED = "e => getComputedStyle(e).stroke !== 'rgba(0, 0, 0, 0)' && getComputedStyle(e).strokeOpacity > .3"


def place_on(line: Any) -> tuple[float, float]:
    """Give a place of a word's line where no other crosses it."""
    script = """e => [0, .25, .5, .75, 1].map(at => e.getPointAtLength(at * e.getTotalLength()))
        .map(p => p.matrixTransform(e.getScreenCTM())).map(p => [p.x, p.y])
        .find(([x, y]) => document.elementFromPoint(x, y) === e)"""
    x, y = line.evaluate(script)
    return x, y


def test_a_word_lights_up(site, browser, reader):
    """Pointed at, touched on a phone, or come to with the keyboard: its cells, and below the board what it is."""
    page = reader.opens("partien/eriwan/index.html")
    word = page.locator(".replay .words path").first
    said = word.locator("title").text_content()
    assert page.evaluate(LIT) == []
    assert not word.evaluate(TINTED)
    page.mouse.move(*place_on(word))
    assert page.evaluate(LIT) == [said]
    assert word.evaluate(TINTED)
    page.mouse.move(0, 0)
    word.focus()
    assert page.evaluate(LIT) == [said]
    assert word.evaluate(TINTED)
    phone = browser.new_context(viewport={"width": 390, "height": HIGH}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    page.goto(f"{reader.root}/partien/eriwan/index.html")
    page.locator(".replay .boards").first.scroll_into_view_if_needed()
    page.touchscreen.tap(*place_on(page.locator(".replay .words path").first))
    assert page.evaluate(LIT) == [said]
    page.touchscreen.tap(5, 5)
    assert page.evaluate(LIT) == []
    phone.close()


# -- keyboard --------------------------------------------------------------------------------------------------------


def stops(page: Any, most: int = 400) -> list[dict[str, Any]]:
    """Press Tab until the page has been gone through; say where it led, and whether that could be seen."""
    script = """() => {
        const e = document.activeElement;
        if (e === document.body || e === document.documentElement) return null;
        const shown = e.matches('.replay > input') ? document.querySelector('label.b' + e.id.slice(1)) : e;
        const style = getComputedStyle(shown), box = shown.getBoundingClientRect();
        return {tag: e.tagName, cls: e.className, role: e.getAttribute('role'), text: shown.textContent.slice(0, 40),
                nav: !!e.closest('nav'), head: !!e.closest('header'), id: e.id,
                framed: e.closest('g.words') ? style.stroke !== 'rgba(0, 0, 0, 0)'
                    : style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
                inside: Math.max(box.width, box.height) > 0 && box.left >= 0 && box.left < innerWidth};
    }"""
    page.evaluate("window.getSelection().removeAllRanges(); document.activeElement.blur(); scrollTo(0, 0)")
    found: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(script)
        if stop is None:
            break
        found.append(stop)
    return found


def test_tab_reaches_everything(site, reader):
    """Tab leads to the skip link first, then to navigation, replay, what can be opened and moved, with a frame seen."""
    page = reader.opens("partien/eriwan/index.html", 390)
    found = stops(page)
    assert found[0]["cls"] == "skip"
    assert sum(stop["head"] and stop["nav"] for stop in found) == page.locator("header nav a").count()
    assert sum(stop["tag"] == "INPUT" for stop in found) == 1  # the arrows do the rest
    assert sum(stop["tag"] == "SUMMARY" for stop in found) == page.locator("summary:visible").count() > 3
    assert sum(stop["tag"] == "A" for stop in found) == page.locator("a:visible").count()
    assert [stop for stop in found if not (stop["framed"] and stop["inside"])] == []


def test_what_is_wide_moves_by_keyboard(measured):
    """What is wider than a phone can be reached by Tab, to be moved with the arrow keys, and has a name."""
    movable = [(path, *one) for path, found in measured.items() for one in found.movable]
    assert len(movable) > 10
    assert [one for one in movable if one[1] != 0 or one[2] != "region" or not one[3]] == []


def test_skip_link_skips(site, reader):
    """The skip link is seen when it has the focus, and leads past the navigation to what the page is about."""
    page = reader.opens("partien/eriwan/index.html")
    page.keyboard.press("Tab")
    box = page.locator("a.skip").bounding_box()
    assert box["x"] >= 0
    assert box["width"] > 40
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('main')")


def test_details_open_by_keyboard(site, reader):
    """What is folded opens with Enter."""
    page = reader.opens("partien/eriwan/index.html")
    folded = page.locator("details:not([open]) > summary").first
    folded.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")


def test_navigation_by_keyboard(site, reader, surfer):
    """From round to round and back to the start of the site, with links and Enter, on disk and on the web."""
    for who in (reader, surfer):
        page = who.opens("partien/eriwan/runde-3/index.html")
        for rel, path in (("next", "runde-4"), ("prev", "runde-3")):
            page.locator(f"nav.pages a[rel={rel}]").first.focus()
            page.keyboard.press("Enter")
            page.wait_for_url(f"**/partien/eriwan/{path}/index.html")
        page.locator("header a").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_url(f"{who.root}/index.html")
    assert not reader.troubles + surfer.troubles


# -- paper -----------------------------------------------------------------------------------------------------------


def test_paper_has_no_buttons(reader):
    """On paper there is no navigation and no choice of rounds, what was folded is open, and the ground is white."""
    page = reader.opens("partien/eriwan/index.html")
    page.emulate_media(media="print", color_scheme="dark")
    script = "all => all.filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 1).length"
    hidden = "nav a, .skip, .rail label, .links a"
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    visible, boards = (page.eval_on_selector_all(one, script) for one in (hidden, "svg.board"))
    words = page.eval_on_selector_all("details > div", script)
    folded = page.locator("details").count()
    page.emulate_media(media="screen", color_scheme="light")
    assert (visible, ground, words) == (0, "rgb(255, 255, 255)", folded)
    assert boards >= 6
