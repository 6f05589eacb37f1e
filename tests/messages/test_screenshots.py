"""Golden pictures of mails in Chromium with the fonts in tests/fonts: phone and desktop, light and forced dark mode.

`pytest tests/messages/test_screenshots.py --trust-too --update-golden` takes the pictures in tests/golden/screens anew;
review them by looking at them.
"""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from colours import brightness, contrast
from PIL import Image
from waiting import TIMEOUT

from games.api import LANGUAGES, Language

GOLDEN = Path(__file__).parents[1] / "golden"
FONTS = Path(__file__).parents[1] / "fonts"
FORCED_DARK = ["--force-dark-mode", "--enable-features=WebContentsForceDark"]
WIDTHS = (320, 390, 760)
MODES = ("light", "dark")
NAMES = ("start", "bulletin-nmr", "confirmation", "rejection", "final", "question")
PICTURES = [
    ("bulletin-nmr", 320, "light"), ("bulletin-nmr", 390, "light"), ("bulletin-nmr", 390, "dark"),
    ("bulletin-nmr", 760, "light"), ("confirmation", 390, "light"), ("final", 390, "light"), ("final", 760, "dark"),
    ("question", 320, "dark"), ("rejection", 320, "dark"), ("rejection", 390, "light"), ("start", 760, "light"),
]  # fmt: skip

pytestmark = [
    pytest.mark.server, pytest.mark.trust,
    pytest.mark.tampers,  # some mails of the story are of states that are written by hand
]  # fmt: skip


class Screens:
    """Chromium, light and dark: opens mails and remembers whatever they ask the net for or complain about."""

    def __init__(self, launch: Callable[..., Any], told: Callable[[Language], dict[str, Any]]) -> None:
        self._told = told
        self._browsers = {mode: launch(*(FORCED_DARK if mode == "dark" else ())) for mode in MODES}
        self._pages: dict[tuple[int, str], Any] = {}
        self.troubles: list[str] = []

    def mail(self, name: str, language: Language = "de") -> str:
        """Return the HTML part of a mail of the story."""
        return self._told(language)[name].html

    def page(self, html: str, width: int, mode: str) -> Any:
        """Show a mail."""
        if (width, mode) not in self._pages:
            page = self._browsers[mode].new_page(viewport={"width": width, "height": 600}, color_scheme=mode)
            page.set_default_timeout(1000 * TIMEOUT)
            page.route("**/*", lambda route: (self.troubles.append(route.request.url), route.abort()))
            page.on("console", lambda message: self.troubles.append(message.text))
            page.on("pageerror", lambda error: self.troubles.append(str(error)))
            self._pages[width, mode] = page
        page = self._pages[width, mode]
        # Mail programs that force dark mode don't ask whether a mail knows it, and drop its styles; Chromium doesn't.
        known = '<meta name="[a-z-]*color-scheme[a-z]*"[^>]*>|(?s:<style>.*?</style>)'
        page.set_content(re.sub(known, "", html) if mode == "dark" else html)
        return page

    def picture(self, html: str, width: int, mode: str) -> Image.Image:
        """Take a picture of a whole mail."""
        return picture_of(self.page(html, width, mode))


def picture_of(page: Any) -> Image.Image:
    """Take a picture of a whole page."""
    return Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")


@pytest.fixture(scope="module")
def screens(launch: Callable[..., Any], told: Callable[[Language], dict[str, Any]]) -> Screens:
    """Start Chromium for the tests of this module."""
    return Screens(launch, told)


def rows_of_boards(page: Any) -> list[tuple[float, int]]:
    """Return where each row of boards begins, and how many stand in it."""
    tops = page.eval_on_selector_all("table[cellspacing='1']", "all => all.map(one => one.getBoundingClientRect().top)")
    return [(top, tops.count(top)) for top in sorted(set(tops))]


# -- fonts ----------------------------------------------------------------------------------------------------------


def fonts_of(page: Any) -> set[str]:
    """Name the fonts in which the page that is open is set, as they are called in their files."""
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "body *"})["nodeIds"]
    found = [session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"] for node in nodes]
    session.detach()
    return {font["postScriptName"] for fonts in found for font in fonts}


def test_mails_are_set_in_our_fonts(screens):
    """Whatever fonts a machine has, mails are set in those of tests/fonts, and in all of them."""
    assert fonts_of(screens.page(screens.mail("bulletin-nmr"), 390, "light")) == {
        path.stem for path in FONTS.glob("*.ttf")
    }


@pytest.mark.parametrize("family", ["Verdana", "Arial", "Courier", "Times New Roman", "serif", "system-ui", "emoji"])
def test_no_other_fonts_are_known(family, screens):
    """A font that the machine may have, or have something like it, is none that Chromium finds."""
    others = "Liberation Sans, Noto Sans, Nimbus Sans, DejaVu Serif, DejaVu Sans Condensed"
    assert fonts_of(screens.page(f"<p style='font-family:{family}, {others}'>Wort", 390, "light")) == {"DejaVuSans"}


# -- layout ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_mails_fit(name, width, mode, screens):
    """Nobody scrolls sideways, nothing is fetched, nothing is complained about."""
    for language in LANGUAGES:
        page = screens.page(screens.mail(name, language), width, mode)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not screens.troubles


def test_all_mails_fit_a_small_phone(screens, told):
    """Also the mails of which nobody takes a picture are 320 px wide, and fetch nothing."""
    for name, mail in ((name, mail) for language in LANGUAGES for name, mail in told(language).items()):
        page = screens.page(mail.html, 320, "light")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, name
    assert not screens.troubles


@pytest.mark.parametrize(("width", "beside"), [(320, 2), (390, 2), (760, 3)])
@pytest.mark.parametrize("name", ["bulletin", "bulletin-nmr"])
def test_boards_stand_in_rows(name, width, beside, screens):
    """One's own board stands alone; five share rows whose tops are level: none catches on one a pixel higher."""
    rows = rows_of_boards(screens.page(screens.mail(name), width, "light"))
    assert [number for _, number in rows] == [1, *[beside] * (5 // beside), 5 % beside]


@pytest.mark.parametrize("name", ["start", "bulletin", "turn", "turn-advance-failed", "reminder", "chain-start"])
def test_what_a_player_needs_is_on_the_first_screen_of_a_phone(name, screens):
    """Tiles and board, what to send, and the button: nobody scrolls to move."""
    for language in LANGUAGES:
        page = screens.page(screens.mail(name, language), 390, "light")
        ends = page.eval_on_selector_all(
            "table[cellspacing]:not([role]), pre, a[href^='mailto:'][style*='inline-block']",
            "all => all.map(one => [one.tagName, one.getBoundingClientRect().bottom])",
        )
        needed = ends[: [tag for tag, _ in ends].index("A") + 1]
        assert [tag for tag, _ in needed][-2:] == ["PRE", "A"], "the block, then the button"
        assert max(bottom for _, bottom in needed) <= 844, needed


def test_boards_would_catch(screens):
    """With a frame of another width the rows are no longer level, and this test sees it."""
    own, others = screens.mail("bulletin-nmr").split("</pre>")
    html = own + others.replace("border:2px solid #d9d2c3", "border:12px solid #d9d2c3", 1)
    assert [number for _, number in rows_of_boards(screens.page(html, 390, "light"))] != [1, 2, 2, 1]


# -- colours ---------------------------------------------------------------------------------------------------------


def inside(screens: Screens, name: str, mode: str, selector: str) -> list[Image.Image]:
    """Cut all elements of a kind out of a mail, without their frames."""
    html = screens.mail(name)
    page = screens.page(html, 760, mode)
    picture = picture_of(page)
    boxes = page.eval_on_selector_all(
        selector, "all => all.map(one => one.getBoundingClientRect()).map(r => [r.left, r.top, r.right, r.bottom])"
    )
    return [picture.crop((round(a) + 3, round(b) + 3, round(c) - 3, round(d) - 3)) for a, b, c, d in boxes]


def main_colour(picture: Image.Image) -> tuple[int, ...]:
    """Return the colour of most pixels."""
    return max(picture.getcolors(1 << 20))[1]


@pytest.mark.parametrize("mode", MODES)
def test_new_letters_stand_out(mode, screens):
    """New letters lie on another colour than old ones and blank cells, and everything can be read, dark or light."""
    new, old, blank = (
        inside(screens, "bulletin-nmr", mode, f"td[{mark}]")
        for mark in ("bgcolor='#ffe390'", "bgcolor='#f3ecdc'", "style='border:2px solid #d9d2c3'")
    )
    yellow, grey, paper = (main_colour(cells[0]) for cells in (new, old, blank))
    assert max(abs(a - b) for a, b in zip(yellow, grey, strict=True)) > 24
    assert max(abs(a - b) for a, b in zip(yellow, paper, strict=True)) > 24
    assert (brightness(paper) < 0.05) == (mode == "dark")
    for part in (
        new[0],
        old[0],
        *(inside(screens, "bulletin-nmr", mode, tag)[0] for tag in ("h1", "p", "pre", "a")),
    ):
        ground = main_colour(part)
        assert max(contrast(colour, ground) for _, colour in part.getcolors(1 << 20)) >= 7


WORDS_AND_GROUNDS = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = {}
    while (walk.nextNode()) {
        const words = walk.currentNode.data.trim(), box = walk.currentNode.parentElement
        if (!words || !box.getClientRects().length) continue
        let ground = box
        while (getComputedStyle(ground).backgroundColor == 'rgba(0, 0, 0, 0)') ground = ground.parentElement
        found[getComputedStyle(box).color + ' on ' + getComputedStyle(ground).backgroundColor] = words
    }
    return found
}"""


@pytest.mark.parametrize("mode", MODES)
def test_words_can_be_read_in_our_own_colours(mode, screens, launch, told):
    """A program that asks for the dark gets colours of ours: each word has a contrast of 4.5, links as well."""
    page = launch().new_page(viewport={"width": 390, "height": 844}, color_scheme=mode)
    weak, grounds = {}, set()
    for name, mail in told("de").items():
        page.set_content(mail.html)
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        for pair, words in page.evaluate(WORDS_AND_GROUNDS).items():
            ink, ground = (tuple(map(int, re.findall(r"\d+", colour))) for colour in pair.split(" on "))
            if contrast(ink, ground) < 4.5:
                weak[pair] = (name, words)
    assert weak == {}
    assert (brightness(tuple(map(int, re.findall(r"\d+", *grounds)))) < 0.05) == (mode == "dark")


# -- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "width", "mode"), PICTURES)
def test_golden_pictures(name, width, mode, screens, golden_picture):
    """What a mail looks like is only changed on purpose."""
    golden_picture(f"screens/{name}-{width}-{mode}.png", screens.picture(screens.mail(name), width, mode))


@pytest.mark.parametrize(
    ("broken", "by"),
    [
        ("colours lost", "colour"), ("boards below each other", "high"), ("one colour lost", "colour"),
        ("styles lost", "blocks"), ("small print", "high"), ("a line more", "blocks"),
    ],
)  # fmt: skip
def test_the_comparison_can_fail(broken, by, screens, differences):
    """What breaks a mail is seen: tolerance for another Chromium is none for another layout."""
    html = screens.mail("bulletin-nmr")
    page = {
        "colours lost": re.sub(r'bgcolor="#\w+"|background:#\w+;?', "", html),
        "boards below each other": html.replace('align="left"', ""),
        "one colour lost": html.replace("#ffe390", "#ffffff"),
        "styles lost": re.sub(r' style="[^"]*"', "", html),
        "small print": re.sub(r"font-size:1[67]px", "font-size:11px", html),
        "a line more": re.sub(r"Hallo (\w+),", r"Hallo<br>\1,", html),
    }[broken]
    expected = screens.picture(html, 390, "light")
    assert page != html
    assert by in " ".join(differences(expected, screens.picture(page, 390, "light")))


def test_the_comparison_forgives_another_chromium(screens, differences):
    """Letters may stand at fractions of a pixel."""
    html = screens.mail("final")
    other = html.replace("</head>", "<style>* { text-rendering: geometricPrecision }</style></head>")
    pictures = [screens.picture(page, 390, "light") for page in (html, other)]
    assert pictures[0].tobytes() != pictures[1].tobytes()
    assert not differences(*pictures)


def test_pictures_are_small():
    """All golden pictures together stay below 1.5 MB, and each belongs to a mail."""
    pictures = list((GOLDEN / "screens").glob("*"))
    assert sorted(path.stem for path in pictures) == sorted(f"{name}-{width}-{mode}" for name, width, mode in PICTURES)
    assert sum(path.stat().st_size for path in pictures) < 1_500_000
