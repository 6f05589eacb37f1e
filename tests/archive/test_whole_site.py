"""Every file of a site: links, markup, the feed, calendars, names, and pages compared with the data beside them."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from shutil import which
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from icalendar import Calendar
from lxml import etree, html

from games.api import Cell
from gm.archive.game_pages.pages import game_pages
from gm.archive.layout import minus
from gm.archive.record.record import Place, Snapshot, from_json, to_json
from gm.drawing.boards.heard import heard
from gm.drawing.parts import Board, Chart
from gm.runtime.config.settings import load

pytestmark = pytest.mark.trust

ATOM = "{http://www.w3.org/2005/Atom}"
LINKS = ("href", "src", "action", "data", "poster", "srcset", "cite", "formaction")
TEXTS = (".html", ".json", ".txt", ".xml", ".ics", ".svg", ".css")


def page_of(text: str) -> Any:
    """Read a page."""
    return html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))


def links_of(page: Any) -> list[str]:
    """List all that a page refers to."""
    found = [one for name in LINKS for one in page.xpath(f"//@{name}")]
    return [*map(str, found), *(str(one) for one in page.xpath("//@*[local-name()='href' and name()!='href']"))]


def ids_of(page: Any) -> set[str]:
    """List all that a link can lead to."""
    return set(map(str, page.xpath("//@id")))


def faults_of_links(folder: Path, path: str) -> list[str]:
    """Return which links of a page lead nowhere, or out of the site."""
    page = page_of((folder / path).read_text(encoding="utf-8"))
    return [f"{path}: {link}" for link in links_of(page) if not _leads_somewhere(folder, path, link, page)]


def _leads_somewhere(folder: Path, path: str, link: str, page: Any) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or parts.path.startswith("/") or parts.query:
        return False
    target = folder / path
    if parts.path:
        target = (target.parent / unquote(parts.path)).resolve()
        if not target.is_relative_to(folder.resolve()) or not target.is_file():
            return False
    if not parts.fragment:
        return True
    there = page_of(target.read_text(encoding="utf-8")) if parts.path else page
    return unquote(parts.fragment) in ids_of(there)


# -- links -----------------------------------------------------------------------------------------------------------


def test_all_links_resolve(site):
    """Every link of every page leads to a file of the site, and to a place in it: also when it is read from disk."""
    faults = [fault for path in site.pages for fault in faults_of_links(site.bare, path)]
    assert not faults


def test_an_address_on_the_web_changes_no_link(site):
    """Where `base_url` is set, pages lead to each other as before; only what a server shows anywhere begins with it."""
    assert site.pages == tuple(sorted(str(path.relative_to(site.bare)) for path in site.bare.rglob("*.html")))
    for path in site.pages:
        told, bare = page_of(site.text(path)), page_of((site.bare / path).read_text(encoding="utf-8"))
        for link in told.xpath("//link[@rel='canonical']"):
            link.getparent().remove(link)
        expected = links_of(bare)
        if path == "404.html":
            expected = [link if link.startswith("#") else f"/ds/{link}" for link in expected]
        assert links_of(told) == expected, path


@pytest.mark.parametrize(
    "link", ["fehlt.html", "../../aus.html", "/index.html", "https://x.example/", "//x.example/", "#fehlt", "mailto:a"]
)
def test_a_wrong_link_would_be_seen(link, tmp_path):
    """The test of links can fail."""
    (tmp_path / "partien").mkdir()
    (tmp_path / "partien" / "a.html").write_text(f'<p id="da"><a href="#da">a</a> <a href="{link}">b</a></p>')
    assert faults_of_links(tmp_path, "partien/a.html") == [f"partien/a.html: {link}"]


def test_style_fetches_nothing(site):
    """The stylesheet and the pictures stand alone."""
    for path in [*site.files("css"), *site.files("svg")]:
        assert not re.search(r"@import|url\(|href=|<script|https?://(?!www\.w3\.org/)", site.text(path)), path


@pytest.fixture(scope="module")
def served(web) -> Iterator[HTTPConnection]:
    """The site over HTTP on loopback."""
    connection = HTTPConnection(urlsplit(web).netloc)
    yield connection
    connection.close()


def test_all_links_resolve_over_http(site, served):
    """A web server finds whatever a reader can click at, starting from the first page."""
    waiting, seen = ["/ds/index.html", "/ds/404.html"], {"/ds/index.html", "/ds/404.html"}
    while waiting:
        path = waiting.pop()
        served.request("GET", path)
        answer = served.getresponse()
        content = answer.read()
        assert answer.status == 200, path
        if answer.getheader("Content-Type") == "text/html":
            targets = {urlsplit(urljoin(path, link)).path for link in links_of(page_of(content.decode()))}
            waiting += targets - seen
            seen |= targets
    assert {f"/ds/{path}" for path in site.pages} <= seen  # no page that nothing leads to


# -- markup ----------------------------------------------------------------------------------------------------------


def test_every_page_has_a_head(site):
    """Every page says what it is called, what it is about and in which language, and has one main heading."""
    titles: Counter[str] = Counter()
    for path in site.pages:
        page = page_of(site.text(path))
        assert site.text(path).startswith("<!DOCTYPE html>"), path
        assert page.get("lang") in ("de", "en"), path
        assert [bool(str(one).strip()) for one in page.xpath("//meta[@name='description']/@content")] == [True], path
        assert page.xpath("//meta[@name='viewport']/@content") == ["width=device-width, initial-scale=1"], path
        assert [bool(one.text_content().strip()) for one in page.xpath("//h1")] == [True], path
        assert len(page.xpath("//main")) == 1, path
        titles[page.findtext(".//title").strip()] += 1
    assert [title for title, count in titles.items() if count > 1 or not title] == []


def test_pages_speak_their_game(site):
    """The pages of a game are in the game's language, all others in that of the zine."""
    for record in site.records:
        assert page_of(site.text(f"partien/{record.slug}/index.html")).get("lang") == record.language
    assert page_of(site.text("index.html")).get("lang") == "de"
    assert {record.language for record in site.records} == {"de", "en"}


def faults_of_content(page: Any) -> list[str]:
    """Return what tidy doesn't: lists with strangers in them, labels and descriptions of nothing, tables with holes."""
    ids = Counter(map(str, page.xpath("//@id")))
    referred = [one for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls") for one in
                page.xpath(f"//@{name}")]  # fmt: skip
    return [
        *(f"id {one} twice" for one, count in ids.items() if count > 1),
        *(f"refers to {one}" for value in referred for one in value.split() if one not in ids),
        *(f"{one.tag} in a list" for one in page.xpath("//ul/*[not(self::li)] | //ol/*[not(self::li)]")),
        *("list item alone" for _ in page.xpath("//li[not(parent::ul or parent::ol)]")),
        *(f"{one.tag} in a dl" for one in page.xpath("//dl/*[not(self::dt or self::dd or self::div)]")),
        *("details without summary" for _ in page.xpath("//details[not(*[1][self::summary])]")),
        *("control in a link" for _ in page.xpath("//a//a | //a//button | //a//input | //a//summary | //label//a")),
        *("table without caption" for _ in page.xpath("//table[not(caption)]")),
        *("th without scope" for _ in page.xpath("//th[not(@scope='row' or @scope='col')]")),
        *("element with style" for _ in page.xpath("//*[@style or @onclick or @onload]")),
        *(
            f"autocomplete of {one}"
            for one in page.xpath("//input[@autocomplete]/@type")
            if one in ("radio", "checkbox")
        ),
        *("script" for _ in page.xpath("//script | //iframe | //object | //embed | //form[@action] | //base")),
        *(f"table row of {width}" for table in page.xpath("//table") for width in _odd_rows(table)),
        *(
            f"time {one}"
            for one in page.xpath("//time/@datetime")
            if not re.fullmatch(r"\d{4}-\d\d(-\d\d(T\S+)?)?", one)
        ),
    ]


def _odd_rows(table: Any) -> list[int]:
    widths = [sum(int(cell.get("colspan", 1)) for cell in row.xpath("./td|./th")) for row in table.iter("tr")]
    return [width for width in widths if width != widths[0]]


def test_content_makes_sense(site):
    """Ids are unique and referred to rightly, lists, tables and details hold what belongs there, nothing can run."""
    faults = {path: found for path in site.pages if (found := faults_of_content(page_of(site.text(path))))}
    assert not faults


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        ("<p id=a>a</p><p id=a>b</p>", "id a twice"), ("<label for=x>a</label>", "refers to x"),
        ("<ul><p>a</p></ul>", "p in a list"), ("<dl><p>a</p></dl>", "p in a dl"),
        ("<div><li>a</li></div>", "list item alone"), ("<details>a</details>", "details without summary"),
        ("<a href=x><button>b</button></a>", "control in a link"), ("<p style='color:red'>a</p>", "element with style"),
        ("<table><caption>a</caption><tr><td>b<td>c<tr><td>d</table>", "table row of 1"),
        ("<table><tr><td>a</table>", "table without caption"), ("<script>1</script>", "script"),
        ("<table><caption>a</caption><tr><th>b</table>", "th without scope"),
        ("<input type=radio autocomplete=off>", "autocomplete of radio"),
        ("<time datetime='gestern'>a</time>", "time gestern"),
    ],
)  # fmt: skip
def test_odd_content_would_be_seen(broken, fault):
    """The test of content can fail."""
    assert faults_of_content(page_of(f"<body>{broken}</body>")) == [fault]


TIDY = which("tidy")
IRRELEVANT = re.compile(r'trimming empty <td>|proprietary attribute "aria-current"|<title> proprietary attribute "id"')
"""An empty cell of a board is none; and a checker of 2017 doesn't know all attributes, nor those of SVG."""


def faults_of_tidy(paths: Sequence[Path]) -> list[str]:
    """Ask HTML Tidy, which reads markup as the standard says and warns of whatever it would have to mend."""
    program = [TIDY, "-quiet", "-errors", "-utf8", "--gnu-emacs", "yes", "--drop-empty-elements", "no"]
    found = subprocess.run([*program, *map(str, paths)], capture_output=True, check=False, text=True).stderr
    return [line for line in found.splitlines() if re.search("Warning|Error", line) and not IRRELEVANT.search(line)]


@pytest.fixture
def tidy() -> None:
    """Ask for HTML Tidy."""
    if not TIDY:
        pytest.skip("HTML Tidy is not installed (Debian: tidy)")


@pytest.mark.server
def test_markup_is_valid(site, tidy, tmp_path):
    """HTML Tidy has nothing to mend: nothing unclosed, misplaced, unknown, obsolete, nothing without its text."""
    for path in site.pages:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(_without_groups(site.text(path)), encoding="utf-8")
    assert not faults_of_tidy([tmp_path / path for path in site.pages])


def _without_groups(text: str) -> str:
    """Leave out the divs that group the lines of a `dl`: the standard allows them, a checker of 2017 doesn't."""
    return re.sub(r"<dl.*?</dl>", lambda found: re.sub("</?div>", "", found[0]), text, flags=re.DOTALL)


@pytest.mark.server
@pytest.mark.parametrize(
    "broken",
    [
        "<div><p>a", "<p>a</p></div>", "<b><i>a</b></i>", "<p><ul><li>a</li></ul></p>", "<span><div>a</div></span>",
        "<table><p>a</p><tr><td>b</td></tr></table>", "<img src='a.png'>", "<center>a</center>", "<foo>a</foo>",
        "<a href='x'>a<a href='y'>b</a></a>", "<p class=a class=b>x</p>", "<p foo=bar>a</p>", "a & b &foo; c",
        "<a href='a b'>x</a>", "<p id=a>a</p><p id=a>b</p>",
    ],
)  # fmt: skip
def test_invalid_markup_would_be_seen(broken, tidy, tmp_path):
    """The test of markup can fail."""
    head = '<!DOCTYPE html>\n<html lang="de"><head><meta charset="utf-8"><title>a</title></head><body><main>'
    (tmp_path / "page.html").write_text(f"{head}{broken}</main></body></html>\n", encoding="utf-8")
    assert faults_of_tidy([tmp_path / "page.html"])


# -- what machines read ----------------------------------------------------------------------------------------------


def test_feed(site):
    """The zine has one feed: well-formed, complete, ids for ever, links to pages there are."""
    assert [path for path in site.files("xml") if path.endswith("atom.xml")] == ["atom.xml"]
    feed = etree.fromstring((site.folder / "atom.xml").read_bytes())
    assert feed.tag == f"{ATOM}feed"
    assert [feed.findtext(f"{ATOM}author/{ATOM}name") is not None, len(feed.findall(f"{ATOM}id"))] == [True, 1]
    ids: Counter[str] = Counter()
    for one in [feed, *feed.findall(f"{ATOM}entry")]:
        assert one.findtext(f"{ATOM}title").strip()
        assert re.fullmatch(r"tag:[^,@]+,\d{4}(-\d\d){0,2}:\S+", one.findtext(f"{ATOM}id"))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", one.findtext(f"{ATOM}updated"))
        ids[one.findtext(f"{ATOM}id")] += 1
        for link in one.findall(f"{ATOM}link"):
            _leads_to_the_site(site, link.get("href"))
    assert max(ids.values()) == 1


def _leads_to_the_site(site: Any, link: str) -> None:
    base = "https://postspiel.example/ds/"
    assert link.startswith(base), link
    path = urlsplit(link.removeprefix(base)).path
    assert (site.folder / path / ("index.html" if path.endswith("/") or not path else "")).is_file(), link


def test_calendars(site):
    """There is a calendar of all deadlines and one of each player's: an event for each running game, and its link."""
    running = [record for record in site.records if record.zat]
    assert len(running) >= 2
    sitting: dict[str, set[str]] = {}
    for record in running:
        for seat in record.seats:
            sitting.setdefault(f"personen/{seat.person}", set()).add(record.game)
    assert set(site.files("ics")) == {f"{folder}/termine.ics" for folder in ("termine", *sitting)}
    for folder, games in (("termine", {record.game for record in running}), *sitting.items()):
        events = Calendar.from_ical((site.folder / folder / "termine.ics").read_bytes()).walk("VEVENT")
        assert len(events) == len(games)
        for record in (one for one in running if one.game in games):
            of_game = [event for event in events if f" {record.game} (" in str(event["SUMMARY"])]
            assert [event["DTSTART"].dt for event in of_game] == [record.zat], (folder, record.game)
        assert len({str(event["UID"]) for event in events}) == len(events)
        links = page_of(site.text(f"{folder}/index.html")).xpath("//a[@type='text/calendar']/@href")
        assert [link.rpartition("/")[2] for link in links] == ["termine.ics"]


def test_data_can_be_read(site):
    """Every JSON file is JSON, and every text is UTF-8 without control characters or marks of a broken encoding."""
    for path in site.folder.rglob("*"):
        if path.suffix in TEXTS:
            text = path.read_text(encoding="utf-8")
            assert not re.search(
                "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]|Ã¤|Ã¼|Ã¶|{{|{%|\\bUndefined\\b", _meant(text)
            ), path
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))


def _meant(text: str) -> str:
    """Leave out what a player wrote to try us."""
    return text.replace("{{ 7 * 7 }} {% raw %}", "")


# -- names -----------------------------------------------------------------------------------------------------------


def test_no_address_on_the_site(site):
    """Nothing on the site is a mail address, of whomever; it has no @ but in what a stylesheet says to browsers."""
    for path in (path for path in site.folder.rglob("*") if path.is_file()):
        text = path.read_bytes().decode()
        if path.suffix == ".css":
            text = re.sub(r"@(media|page|supports|layer|font-face|starting-style)\b", "", text)
        if path.suffix == ".ics":
            text = re.sub(r"(?m)^UID:\S+", "", text)
        assert "@" not in text, path
        assert not any(address.partition("@")[0] in text for address in site.players), path


def test_nobody_is_named_in_full(site):
    """Players are called by first name and initial on every page; two who would be called the same are told apart."""
    for path in (path for path in site.folder.rglob("*") if path.is_file()):
        text = path.read_bytes().decode()
        assert not [name for name in site.players.values() if name in text], path
    shown = [seat.name for seat in site.record("Isfahan").seats]
    assert len(set(shown)) == len(shown)


def test_press_stays_text(site):
    """What players and the GM write is shown as they wrote it and is nothing but text."""
    page = page_of(site.text("partien/eriwan/runde-1/index.html"))
    said = page.text_content()
    for line in (
        "<script>alert(1)</script> & \"Anführung\" 'einfach' </p></div></main>",
        "&lt;b&gt; <!-- ]]>",
        "北京 🎲 »ß«",
    ):
        assert line in said
    pages = [path for path in site.pages if path.startswith("gestrichen/")]
    struck = " ".join(page_of(site.text(path)).text_content() for path in pages)
    assert 'Eigenname <u>& "so"</u>' in struck


# -- pages against data ----------------------------------------------------------------------------------------------


def test_pages_are_made_of_the_data(site, tmp_path):
    """Every file of a game can be made from its `partie.json`, and that file itself."""
    settings = load(site.folder.with_name("zine") / "config.toml")
    for path in sorted(site.bare.glob("partien/*/partie.json")):
        content = path.read_bytes()
        record = from_json(content)
        assert to_json(record) == content
        made = game_pages(settings, record)
        assert [name for name, file in made.items() if (site.bare / name).read_bytes() != file] == []
        assert {str(file.relative_to(site.bare)) for file in path.parent.rglob("*") if file.is_file()} == set(made)


def test_one_snapshot_a_round(site):
    """Each round has one snapshot and one page, from the start on, also with NMRs or when it was broken off."""
    for record in site.records:
        numbers = [snapshot.number for snapshot in record.snapshots]
        named = [snapshot.heading for snapshot in record.snapshots]
        assert numbers == list(range(len(numbers))), record.game
        assert len(set(named)) == len(named), record.game
        folders = [path.name for path in (site.folder / "partien" / record.slug).glob("runde-*")]
        assert sorted(folders) == sorted(f"runde-{number}" for number in numbers), record.game
        assert len(folders) == len(numbers), record.game
    assert len(site.record("Eriwan").snapshots) == len(site.record("Havanna").snapshots) == 7
    assert len(site.record("Kairo").snapshots) == 2
    assert not (site.folder / "partien" / "lima").exists()  # it never began


def boards_on(page: Any, within: str = "//main") -> list[tuple[str, str]]:
    """Read boards off a page: what is heard of each, and the letters on it, sorted."""
    drawn = page.xpath(f"{within}//*[local-name()='svg' and contains(@class, 'board')]")
    return [_board_read(drawing) for drawing in drawn]


def _board_read(drawing: Any) -> tuple[str, str]:
    texts = drawing.xpath(".//g[contains(@class, 'tiles')]//text[not(contains(@class, 'value'))]")
    letters = "".join(sorted("".join(text.text or "" for text in texts)))
    heard_ = drawing.get("aria-label").replace("\u00a0", " ")
    return heard_, letters if re.search("letters|dice", drawing.get("class")) else ""


def board_of(board: Board, name: str) -> tuple[str, str]:
    """Return a board of the data in the same form."""
    lying = [cell.text.strip().upper() for row in board.cells for cell in row if cell.text.strip(" .")]
    letters = "".join(text if text == "*" else text.rstrip("*") for text in lying)
    return heard(replace(board, name=name)), "".join(sorted(letters)) if board.look in ("letters", "dice") else ""


def test_boards_say_what_the_data_say(site):
    """Boards read back from a round's page are those of the data: what is heard of them, and each letter."""
    compared = 0
    for record in site.records:
        for snapshot in record.snapshots:
            page = page_of(site.text(f"partien/{record.slug}/runde-{snapshot.number}/index.html"))
            named = [(board, part.heading) for part in snapshot.parts for board in part.boards]
            expected = [board_of(board, board.name or heading or "Brett") for board, heading in named]
            assert boards_on(page) == expected, (record.game, snapshot.number)
            compared += len(expected)
    assert compared > 100


def test_the_last_boards_are_on_the_page_of_the_game(site):
    """Each board of the last position is there once."""
    for record in site.records:
        last = record.now or (record.snapshots[-1] if record.snapshots else None)
        boards = [board for part in last.parts for board in part.boards] if last else []
        page = page_of(site.text(f"partien/{record.slug}/index.html"))
        at = len(record.snapshots) + (record.now is not None) - 1
        once = boards_on(page, "//section[@class='replay']/div[@class='boards']")
        beside = boards_on(page, f"//div[@class='state t{at}' or @class='state t{at} only']")
        assert len(once) + len(beside) == len(boards), record.game


def tables_on(page: Any) -> list[list[tuple[str, ...]]]:
    """Read all other tables off a page, without their headings."""
    tables = page.xpath("//main//table[not(contains(@class, 'board'))]")
    return [[_row(row) for row in table.xpath("./tbody/tr | ./tr[not(th[@scope='col'])]")] for table in tables]


def _row(row: Any) -> tuple[str, ...]:
    return tuple(" ".join(cell.text_content().split()) for cell in row.xpath("./td|./th"))


def chart_of(chart: Chart) -> list[tuple[str, ...]]:
    """Return a table of the data in the same form; a score card has a line for each box, and words below figures."""
    rows: Sequence[Any] = chart.rows
    if chart.below:
        rows = [
            [f"{item} {small}" for item, small in zip(*of_seat, strict=True)]
            for of_seat in zip(chart.rows, chart.below, strict=True)
        ]
    rows = list(zip(*(chart.head, *rows), strict=True))[1:] if chart.is_card else rows
    return [tuple(minus(" ".join(str(item).split())) for item in row) for row in rows]


def test_tables_say_what_the_data_say(site):
    """Tables read back from a round's page are those of the data."""
    compared = 0
    for record in site.records:
        for snapshot in record.snapshots:
            found = tables_on(page_of(site.text(f"partien/{record.slug}/runde-{snapshot.number}/index.html")))
            for part in snapshot.parts:
                if part.table:
                    assert chart_of(part.table) in found, (record.game, snapshot.number, part.heading)
                    compared += 1
    assert compared > 50


def test_results_say_what_the_data_say(site):
    """The result on a game's page is that of the data, with ranks, names and points in its order."""
    finished = [record for record in site.records if record.result]
    assert len(finished) > 10
    for record in finished:
        found = tables_on(page_of(site.text(f"partien/{record.slug}/index.html")))
        assert any(_tells(table, record.result.standings) for table in found), record.game


def _tells(table: Iterable[tuple[str, ...]], standings: Sequence[Place]) -> bool:
    rows = list(table)
    return len(rows) == len(standings) and all(
        row[0] == str(place.rank) and row[1].removesuffix(" Gewinner") == place.name
        and _number(place) in {cell.replace("+", "") for cell in row[2:]}
        and (place.rank == 1 or row[1].endswith("Gewinner") == place.winner)
        for row, place in zip(rows, standings, strict=True)
    )  # fmt: skip


def _number(place: Place) -> str:
    number = place.points if place.guesses is None else place.guesses
    return minus("–" if number is None else number)


@pytest.mark.parametrize("change", ["letter", "heard", "missing"])
def test_a_wrong_board_would_be_seen(change):
    """The comparison of boards can fail."""
    drawn = (
        '<main><svg class="board letters" aria-label="Brett: 1 X"><g class="tiles r0"><text>X</text></g></svg></main>'
    )
    broken = {"letter": drawn.replace(">X", ">Y"), "heard": drawn.replace("1 X", "1 Y"), "missing": "<main></main>"}
    board = Board(columns=("a",), rows=("1",), cells=((Cell(text="X", new=True),),))
    assert boards_on(page_of(drawn)) == [board_of(board, "Brett")]
    assert boards_on(page_of(broken[change])) != [board_of(board, "Brett")]


def test_texts_tell_everything(site):
    """`partie.txt` has every round, every board and what was said, for those who hear and those who copy."""
    for record in site.records:
        text = site.text(f"partien/{record.slug}/partie.txt")
        assert all(snapshot.heading.upper() in text for snapshot in record.snapshots), record.game
        plain = _squeezed(text.replace("\n  > ", "\n"))
        assert all(_squeezed(line) in plain for snapshot in record.snapshots for line in _said(snapshot))


def _said(snapshot: Snapshot) -> list[str]:
    return [*snapshot.events, *(line for remark in snapshot.press for line in remark.text)]


def _squeezed(text: str) -> str:
    """However it was broken into lines."""
    return re.sub(r"\s|(?m:^> ?)", "", text)
