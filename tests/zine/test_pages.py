"""The pages of an issue: twenty games of all kinds, set once, and looked at (the end of shared/spec/zine.md).

`pytest tests/zine --update-golden` takes the pictures in tests/golden/issue anew; review them by looking at them.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from printed_zine import CANARY, PrintedZine, play_twenty_games
from waiting import TIMEOUT

from games.shared import wordfinder
from gm.archive.issue import pdf
from gm.archive.issue.build import Built
from gm.archive.issue.pages import FONTS
from gm.archive.record.builder import build_record
from gm.archive.record.loader import LoadedGame
from gm.demo.in_memory_zine import PLAYERS
from gm.game.people.site_directory import directory
from gm.runtime.errors import OperatorError
from gm.store.queries import game_queries

pytestmark = [pytest.mark.trust, pytest.mark.server, pytest.mark.usefixtures("pages")]

HOSTILE = (
    "<script>alert(1)</script><img src=https://boese.example/x.png><link rel=attachment href=file:///etc/passwd>",
    "</p></blockquote></section></style><style>@import 'https://boese.example/a.css'; * { background: url(x) }</style>",
    '{{ 7 * 7 }} {% raw %} #read("/etc/passwd") $x$ *fett* `code` [x](javascript:alert(1)) ![x](file:///etc/passwd)',
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3,
    "W" * 300,
    "Steuerzeichen: \x07\x1b[31m\x00\u202e umgedreht \u200b\ufeff, und \u0627\u0644\u0639\u0631\u0628\u064a\u0629 🎲",
    f"Schreibt an {CANARY} oder mailto:{CANARY}?subject=x!",
)


@dataclass(frozen=True)
class Printed:
    """An issue that was built, and its pages as text."""

    zine: PrintedZine
    built: Built
    texts: list[str]
    layout: Any
    """The boxes of its pages."""


def reader(content: bytes) -> Any:
    """Open a PDF."""
    from pypdf import PdfReader

    return PdfReader(io.BytesIO(content))


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> Iterator[Printed]:
    """Twenty games, press in them that would like to be more than text, and the issue."""
    if pdf.check().status != "ok":
        pytest.skip(pdf.check().sentence)
    zine = PrintedZine(tmp_path_factory.mktemp("zine") / "zine")
    play_twenty_games(zine)
    zine.says("Anna Berg", "Isfahan", *HOSTILE)
    zine.plays("Isfahan", 1)
    laid_out, layouts = pdf._laid_out, list[Any]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf, "_laid_out", lambda html: layouts.append(laid_out(html)) or layouts[-1])
        built = zine.builds()
    texts = [page.extract_text() for page in reader(zine.reads("issue.pdf")).pages]
    yield Printed(zine, built, texts, layouts[-1])
    zine.close()


def test_whole_sheets(printed):
    """The pages fill sheets of four, the GM is told how many there are, and the imprint is the last one."""
    assert printed.built.games == 20
    assert printed.built.pages == len(printed.texts)
    assert printed.built.pages % 4 == 0
    assert "Impressum" in printed.texts[-1]
    assert any("Notizen" in text for text in printed.texts) == ("notes" in printed.built.filler)


def test_pages_are_well_filled(printed):
    """None between the cover and the last one is less than half full: lines to write on fill what is left."""
    assert [round(pdf._used(page), 2) for page in printed.layout.pages[1:-1] if pdf._used(page) < 0.5] == []


def test_every_game_stands_in_the_contents(printed):
    """Once, with the page on which its heading stands."""
    entries = re.findall(r"^(.+?[»“].+?[«”])[ .]*?(\d+)$", printed.texts[0], re.MULTILINE)
    names = Counter(title.strip(" .") for title, _ in entries)
    assert len(names) == 20
    assert set(names.values()) == {1}
    for title, page in entries:
        assert title.strip(" .") in printed.texts[int(page) - 1]


def test_only_our_fonts(printed):
    """Every letter comes from the fonts of the wheel, whatever fonts a machine has; a box stands for what they lack."""
    document = reader(printed.zine.reads("issue.pdf"))
    names = {
        str(font.get_object()["/BaseFont"]).partition("+")[2]
        for page in document.pages
        for font in page["/Resources"].get("/Font", {}).values()
    }
    assert {"Zine", "Zine-Italic", "Zine-Bold", "Zine-Sans", "Zine-Sans-Bold"} <= names
    assert {name for name in names if not name.startswith("Zine")} == set()
    assert {family for family, *_ in FONTS} == {"Zine", "Zine Sans"}
    assert len(printed.built.troubles) == 1
    assert "🎲" in printed.built.troubles[0]


def test_nothing_is_split_and_no_heading_stands_alone(printed):
    """Each board and each small table stands on one page; below a heading there is always something."""
    kept: dict[int, set[int]] = {}
    last: list[tuple[int, str]] = []
    for number, page in enumerate(printed.layout.pages, 1):
        boxes = list(_drawn(page._page_box))
        for box in boxes:
            if box.element_tag in ("figure", "svg") or (box.element_tag == "table" and "whole" not in _class(box)):
                kept.setdefault(id(box.element), set()).add(number)
        lowest = max((box for box in boxes if box.element_tag in TEXTS), key=lambda box: box.position_y, default=None)
        last += [(number, lowest.element_tag)] if lowest is not None else []
    assert len(kept) > 60
    assert set(map(len, kept.values())) == {1}
    assert [one for one in last if one[1] in ("h2", "h3", "h4")] == []


TEXTS = ("p", "h2", "h3", "h4", "figure", "td", "th", "figcaption", "li", "div")


def _class(box: Any) -> str:
    return box.element.get("class", "") if box.element is not None else ""


def _drawn(box: Any) -> Iterator[Any]:
    """All boxes of a page that belong to an element of the document."""
    for child in getattr(box, "children", ()):
        if child.element is not None and child.element_tag and ":" not in child.element_tag:
            yield child
        yield from _drawn(child)


def test_the_booklet_folds(printed, tmp_path):
    """Page 1 stands to the right of the last one; all pages are there, and the file doesn't grow."""
    booklet = printed.zine.reads("issue-booklet.pdf")
    sides = text_of(booklet, tmp_path).rstrip("\f").split("\f")
    assert len(sides) == printed.built.pages // 2
    assert "Impressum" in sides[0]
    assert "INHALT" in sides[0]
    for title in re.findall(r"^(.+?[»“].+?[«”])[ .]", printed.texts[0], re.MULTILINE):
        assert any(title in side for side in sides[1:]), title
    assert len(booklet) < 2 * len(printed.zine.reads("issue.pdf"))


@pytest.mark.parametrize("pages", [4, 8, 36])
def test_the_order_of_the_booklet(pages):
    """Folded and put into each other, sides 1, 2, 3 ... follow each other (front n-2s, 2s+1; back 2s+2, n-2s-1)."""
    sides = list(pdf.sides(pages))
    right = [one for front in sides[::2] for one in (front[1],)]
    assert sides[0] == (pages, 1)
    assert sides[1] == (2, pages - 1)
    assert sorted(one for side in sides for one in side) == list(range(1, pages + 1))
    assert right == sorted(right)


def test_nobodys_address(printed):
    """No address stands in any file: text, metadata, links, attachments. Nor does one of a player or of the service."""
    document = reader(printed.zine.reads("issue.pdf"))
    links = [str(note.get_object()) for page in document.pages for note in page.get("/Annots", [])]
    said = [
        *printed.texts,
        str(document.metadata),
        *links,
        printed.zine.text(),
        printed.zine.reads("issue.html").decode(),
    ]
    for text in said:
        plain = text.replace("@page", "").replace("@media", "").replace("@font-face", "").replace("@import", "")
        assert CANARY not in text
        assert "spieler.example" not in text
        assert "zug@" not in text
        assert not re.search(r"\w@\w+\.\w", re.sub(r"base64,[\w+/=]+", "", re.sub(r"@(top|bottom)-\w+", "", plain)))
    assert list(document.attachments) == []


def test_words_of_players_are_words(printed):
    """Whatever somebody writes stands literally on the page, and nothing is fetched (a request stops the build)."""
    said = " ".join(printed.texts).replace("\n", "")
    page = printed.zine.reads("issue.html").decode()
    assert "<script>alert(1)</script>" in said.replace("\u2010", "")
    assert "<script" not in page
    assert page.count("<style") == 1
    assert "{{ 7 * 7 }}" in page
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page)


def test_a_request_stops_the_build():
    """The lock: an address that isn't one of our fonts is refused, not ignored."""
    with pytest.raises(Exception, match="nothing is fetched"):
        pdf.set_pages(
            lambda _: "<style>body { background: url(https://boese.example/x.png) }</style><img src='file:///etc/passwd'>",
            filler=(), page="a5", identifier="x",
        )  # fmt: skip


def test_a_warning_stops_the_build():
    """What the library doesn't understand would be missing silently."""
    with pytest.raises(OperatorError, match="can't be set as they should"):
        pdf.set_pages(lambda _: "<style>p { colour: red }</style><p>x", filler=(), page="a5", identifier="x")


@pytest.mark.parametrize("name", ["Faro", "Tokio", "Prag"])
def test_boards_are_those_of_the_game(name, printed):
    """The letters of a board in issue.html are those of its cells, row by row."""
    with printed.zine.app.database.read() as session:
        known, game = directory(printed.zine.app, session), game_queries.named(session, name)
        record = build_record(
            LoadedGame(app=printed.zine.app, session=session, game=game, slug=known.slugs[game.id], people=known.people)
        )
    board = next(board for part in record.snapshots[-1].parts for board in part.boards if board.look != "tiles")
    cells = [cell.text.strip(" .*").lower() for line in board.cells for cell in line]
    page = printed.zine.reads("issue.html").decode()
    section = page.partition(f'id="partie-{name.lower()}"')[2].partition("</section>")[0]
    drawings = re.findall(r"<svg.*?</svg>", section, re.DOTALL)
    drawn = [Counter(text.lower() for text in re.findall(r"<text[^>]*>([^<]+)</text>", one)) for one in drawings]
    wanted = Counter(filter(None, cells))
    assert any(wanted <= found for found in drawn)


HEAD = "<html lang=de><title>x</title><style>@page { size: 148mm 210mm; margin: 16mm } p { margin: 0 }</style>"
NEXT = "<p style='break-before:page'>y"


def notes(lines):
    """The lines to write on, as the pages have them."""
    return "<h2 style='height:10mm;margin:0'>z</h2>" * bool(lines) + "<div style='height:6.9mm'></div>" * lines


@pytest.mark.parametrize(("page", "size"), [("a5", (420, 595)), ("a4", (593, 842))])
def test_sizes_of_paper(page, size):
    """A4 has the same pages, enlarged."""
    found = pdf.set_pages(lambda fill: f"{HEAD}<p>x{notes(fill.lines)}", filler=(), page=page, identifier="x")
    box = reader(found.pdf).pages[0].mediabox
    assert (round(box.width), round(box.height)) == size
    assert (found.count, found.filler) == (4, ())


@pytest.mark.parametrize("height", [0, 20, 60, 85, 125, 140, 145, 150, 155, 160, 165])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_lines_to_write_on_fill_the_sheet(height, number):
    """They begin where the text ends, wherever that is; a full sheet with well filled pages has none."""

    def pages(fill):
        return HEAD + "<p>x" + NEXT * (number - 1) + f"<div style='height:{height}mm'></div>{notes(fill.lines)}"

    found = pdf.set_pages(pages, filler=(), page="a5", identifier="x")
    assert found.count == 4
    assert bool(found.lines) == (number < 4 or height < 100)


def test_filler_comes_before_empty_lines():
    """Waiting articles are used where they fit, each once; lines to write on come last."""
    lengths = {"long": 5, "two": 2, "one": 1, "more": 1}

    def pages(fill):
        return HEAD + "<p>x" + "".join(NEXT * lengths[name] for name in fill.filler) + notes(fill.lines)

    found = pdf.set_pages(pages, filler=("long", "two", "one", "more"), page="a5", identifier="x")
    assert (found.count, found.filler) == (4, ("two", "one"))
    found = pdf.set_pages(pages, filler=("two",), page="a5", identifier="x")
    assert (found.count, found.filler) == (4, ("two",))


# -- on a screen -------------------------------------------------------------------------------------------------------


def test_one_file_for_every_screen(printed, launch):
    """issue.html asks for nothing, and nobody scrolls sideways, on a small phone, in the dark, at a desk."""
    asked: list[str] = []
    for width, mode in ((320, "light"), (390, "dark"), (1280, "light")):
        page = launch().new_page(viewport={"width": width, "height": 900}, color_scheme=mode)
        page.set_default_timeout(1000 * TIMEOUT)
        page.on("request", lambda request: asked.append(request.url) if not request.url.startswith("data:") else None)
        page.goto(f"file://{printed.zine.issues / '1' / 'issue.html'}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.fonts.check('16px Zine')")
    assert {url.rpartition("/")[2] for url in asked} == {"issue.html"}


# -- the same again ----------------------------------------------------------------------------------------------------


def test_the_same_bytes_in_another_place(new_zine):
    """The same issue in another time zone, another locale and another process is the same file, byte by byte."""
    zine = new_zine()
    zine.begins("combinato", "Como", PLAYERS[:2])
    zine.plays("Como", 3)
    zine.builds()
    names = ("issue.pdf", "issue-booklet.pdf", "issue.html", "issue.txt")
    before = {name: zine.reads(name) for name in names}
    environment = {**os.environ, "TZ": "Pacific/Auckland", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-m", "gm", "issue", "build", "--config", str(zine.config)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "issue 1, games: 1, 4 pages" in ran.stdout, ran.stderr
    assert {name: zine.reads(name) for name in names} == before


def text_of(content: bytes, folder: Path) -> str:
    """Read a PDF as people copy from it."""
    (folder / "read.pdf").write_bytes(content)
    ran = subprocess.run(["pdftotext", "read.pdf", "-"], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout


def picture(content: bytes, number: int, folder: Path) -> Image.Image:
    """Draw a page."""
    (folder / "issue.pdf").write_bytes(content)
    command = ["pdftoppm", "-r", "72", "-f", str(number), "-l", str(number), "-png", "issue.pdf", "page"]
    subprocess.run(command, cwd=folder, check=True)
    return Image.open(next(folder.glob("page*.png"))).convert("RGB")


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Iterator[PrintedZine]:
    """An issue of a few games, with everything that a page can show."""
    wordfinder._index.cache_clear()  # a list that another test has ruled on suggests other moves
    zine = PrintedZine(tmp_path_factory.mktemp("small") / "zine")
    zine.begins("crossword", "Eriwan", PLAYERS, "DNTIRO")
    zine.says("Anna Berg", "Eriwan", "Grüße an alle, die den Herbst mit Wörtern verbringen statt im Garten,", "nicht?")
    zine.plays("Eriwan", 2)
    zine.begins("farbdomino", "Faro", PLAYERS[:3])
    zine.plays("Faro", 4)
    zine.begins("point-typ-dom", "Paris", PLAYERS[:3])
    zine.plays("Paris", 3)
    zine.begins("combinato", "Como", PLAYERS[:2])
    zine.plays("Como", 4)
    zine.puts("vorwort.md", "Liebe Leute,\n\ndas *erste* Heft der Donaudampfschifffahrtsgesellschaft ist **da**.\n")
    zine.orders('[forewords]\neditorial = "vorwort.md"\n')
    zine.builds()
    yield zine
    zine.close()


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_golden_pages(number, small, tmp_path, golden_picture):
    """What a page looks like is only changed on purpose."""
    golden_picture(f"issue/page-{number}.png", picture(small.reads("issue.pdf"), number, tmp_path))
