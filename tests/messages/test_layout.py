"""All mails of the story: safe for every mail program and readable by screen readers (bulletins.md 3 and 7)."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree as ET

import pytest
from colours import contrast, inverted

from games import engines
from games.api import LANGUAGES, MoveBlock, Seat
from games.crossword.rules import State
from games.kit.testkit import WordSet
from gm.demo.in_memory_zine import write_mail
from gm.messages.rendering.wording import phrase
from gm.requests.declared import all_names
from parsers.commands import Orders
from parsers.mime.message import read_mail
from parsers.reading import read as read_mail_text

TODAY = date(2026, 11, 4)

pytestmark = pytest.mark.tampers  # some mails of the story are of states that are written by hand
Posted = Any
"""A mail as conftest.py keeps it."""
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "div", "h1", "h2", "p", "span", "b", "br", "a", "ol", "li", "pre",
    "blockquote", "ul", "table", "caption", "tr", "th", "td",
}  # fmt: skip
STYLES = {
    "background", "border", "border-bottom", "border-collapse", "border-left", "border-radius", "border-top", "clear",
    "color", "display", "font-family", "font-size", "font-weight", "line-height", "margin", "max-width", "mso-hide",
    "mso-padding-alt", "padding", "text-align", "text-decoration", "white-space", "width", "word-break", "word-wrap",
}  # fmt: skip
COLOURED = ("table", "tr", "td", "th", "body")
"""Elements with a `bgcolor`; others have no such attribute."""
PADDED = {"td", "th", "caption", "ol", "ul", "blockquote", "a", "body", "h2"}
"""Elements that may have padding; Outlook knows it in cells alone, and draws the others well without."""


def styles(element: ET.Element) -> dict[str, str]:
    """Return an element's styles by property."""
    pairs = (part.split(":", 1) for part in element.get("style", "").split(";") if part.strip())
    return {key.strip(): value.strip() for key, value in pairs}


def said(element: ET.Element) -> str:
    """Return all text in an element."""
    return " ".join("".join(element.itertext()).split())


def is_grid(table: ET.Element) -> bool:
    """Return whether a table is a board."""
    return table.get("cellspacing") == "1"


def tables(mail: Posted) -> Iterator[ET.Element]:
    """Return the tables of a mail, without those for the layout."""
    return (table for table in mail.page.iter("table") if table.get("role") != "presentation")


def buttons(mail: Posted) -> list[str]:
    """Return the links of the buttons of a mail."""
    cells = mail.page.iter("td")
    return [cell[0].get("href", "") for cell in cells if "mso-padding-alt" in cell.get("style", "")]


# -- the HTML part -------------------------------------------------------------------------------------------------


def check_only_what_every_program_shows(mail: Posted) -> None:
    """No element, attribute or style that some mail program drops, and nothing that is fetched from anywhere."""
    assert len(mail.html.encode()) < 80_000
    for element in mail.page.iter():
        assert element.tag in ALLOWED
        assert not [key for key in element.keys() if key in ("id", "class", "src") or "-" in key]  # noqa: SIM118
        assert element.get("role", "presentation") == "presentation"
        assert styles(element).keys() <= STYLES, element.attrib
        assert "padding" not in styles(element) or element.tag in PADDED, element.tag
        assert not re.search(r"rgb|url|var\(|!important|inherit", element.get("style", ""))
        assert element.get("href", "mailto:").startswith(("mailto:", "#game-"))


def check_colours(mail: Posted) -> None:
    """Every background stands there twice, for GMX, and no text has a colour without a background of its own."""
    for element in mail.page.iter():
        style = styles(element)
        if element.tag in COLOURED and "color" not in style:
            assert element.get("bgcolor") == style.get("background"), element.attrib
        elif element.tag in COLOURED:  # muted words on the ground of the mail
            assert element.get("bgcolor", "#fffdf8") == style.get("background"), element.attrib
        assert ("color" in style) <= ("background" in style), element.attrib
        assert re.fullmatch("(#[0-9a-f]{6})?", style.get("background", ""))
        assert re.fullmatch("(#[0-9a-f]{6})?", style.get("color", ""))


def check_words_can_be_read(mail: Posted) -> None:
    """Words stand out from their ground, also where a program turns light into dark and dark into light."""
    seen: set[tuple[str, str]] = set()

    def walk(element: ET.Element, ink: str, ground: str) -> None:
        style = styles(element)
        ink, ground = style.get("color", ink), style.get("background", ground)
        if any((words or "").strip() for words in (element.text, *(child.tail for child in element))):
            seen.add((ink, ground))
        for child in element:
            walk(child, ink, ground)

    walk(next(mail.page.iter("body")), "", "")
    assert all("color" in styles(link) for link in mail.page.iter("a") if link.get("href")), "its program's own blue"
    for ink, ground in seen:
        assert contrast(ink, ground) >= 4.5, (ink, ground)
        assert contrast(inverted(ink), inverted(ground)) >= 4.5, (ink, ground)


@pytest.mark.parametrize(("ink", "ground"), [("#777777", "#ffffff"), ("#ffffff", "#f2c200"), ("#1a1a1a", "#f2c200")])
def test_weak_colours_would_be_seen(ink, ground):
    """Grey on white is too weak; so is black on a yellow that stays yellow when it is turned."""
    assert min(contrast(ink, ground), contrast(inverted(ink), inverted(ground))) < 4.5


def check_the_head_comes_first(mail: Posted) -> None:
    """A mail begins with the game or the zine, and with how it is: one heading, in a colour and in words."""
    words = " ".join(mail.text.split())
    heading = next(mail.page.iter("h1"))
    assert said(heading).casefold() in words[:400].casefold()
    assert styles(heading)["background"] in ("#1c6638", "#9c221a", "#744e00", "#17566a")
    hidden = next(mail.page.iter("div"))
    assert styles(hidden)["display"] == "none"
    assert said(hidden).startswith(said(heading))


def check_no_line_of_ours_is_an_order(mail: Posted) -> None:
    """Quoted without any marks, neither the head nor the small print is read as a command or as a move."""
    body = mail.text
    small = body[body.rindex("\n\n") :] if body.count("\n\n") > 1 else ""
    for part in (body[: body.index("\n\n")], small if "GM: ..." in small else ""):
        received = read_mail(write_mail("anna@spieler.example", part))
        assert not read_mail_text(received, all_names(), TODAY).commands, part


def check_tables_can_be_read_by_ear(mail: Posted) -> None:
    """Every table has a caption first and says of every row and column what it is about."""
    for table in tables(mail):
        caption, *rows = list(table)
        assert caption.tag == "caption"
        assert said(caption)
        assert all(row.tag == "tr" for row in rows)
        for head in table.iter("th"):
            assert head.get("scope") in ("row", "col")
        for row in rows:
            cells = list(row)
            of_columns = [cell for cell in cells if cell.get("scope") == "col"]
            assert of_columns or any(cell.get("scope") == "row" for cell in cells)
            assert len(of_columns) in (0, len(cells), len(cells) - 1)  # a board's corner is empty
        if is_grid(table):
            assert {cell.get("style", "").rpartition("border:")[2][:3] for cell in table.iter("td")} == {"", "2px"}


def in_parts(whole: ET.Element) -> Iterator[list[str]]:
    """List the second headings of each part of a mail about several games."""
    heard: list[str] = []
    for element in whole.iter():
        if "name" in element.attrib and element.tag != "meta":
            yield heard
            heard = []
        heard += [said(element)] if element.tag == "h2" else []
    yield heard


def check_nothing_is_heard_twice(mail: Posted) -> None:
    """A heading that is a table's caption is no heading beside it, and headings come in order."""
    heads = [element for element in mail.page.iter() if element.tag in ("h1", "h2", "caption")]
    ranks = [element.tag for element in heads if element.tag != "caption"]
    assert "h1" not in ranks[1:]
    for heard in in_parts(mail.page):
        assert len(set(heard)) == len(heard)
    for before, after in pairwise(heads):
        in_caption = before.tag == "caption" and after in list(before)
        assert in_caption or said(before) != said(after) or before.tag == after.tag == "caption"


# -- the text part -------------------------------------------------------------------------------------------------


def check_lines(mail: Posted) -> None:
    """Lines have at most 78 columns and no tabs; those of boards, tables and blocks end with three blanks."""
    assert unicodedata.is_normalized("NFC", mail.subject + mail.text)
    assert "\t" not in mail.text
    for line in mail.text.split("\n"):
        assert len(line.rstrip()) <= 78
        assert not line.endswith(" ") or re.fullmatch(r" {2}.*\S {3}", line), line
        if re.search(r"a b c d e f|^ {2}\d [A-Za-zÄ.] [A-Za-z.] ", line):
            assert line.endswith("   "), line


WORD = re.compile(r"\w+")


def check_both_parts_say_the_same(mail: Posted) -> None:
    """No word stands in one part only, but for what HTML needs beside: captions, links, `(du)`."""
    labels = " ".join(phrase(language, f"board.{code}") for language in LANGUAGES for code in ("own", "table"))
    tree, plain = mail.page, f"{mail.subject} {mail.text}"
    extra = " ".join(said(part) for tag in ("caption", "a") for part in tree.iter(tag))
    whole = " ".join(text for part in tree.iter() if part.tag != "style" for text in (part.text, part.tail) if text)
    in_text, in_html = (set(WORD.findall(part.casefold())) for part in (plain, whole))
    assert not in_html - in_text - set(WORD.findall(f"{labels} {extra}".casefold()))
    assert not {word for word in in_text - in_html if len(word) > 1}  # shortened names


EVERY_MAIL = (
    check_only_what_every_program_shows,
    check_colours,
    check_words_can_be_read,
    check_the_head_comes_first,
    check_no_line_of_ours_is_an_order,
    check_tables_can_be_read_by_ear,
    check_nothing_is_heard_twice,
    check_lines,
    check_both_parts_say_the_same,
)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("check", EVERY_MAIL, ids=lambda check: check.__name__)
def test_mail(check, mails, subtests):
    """Every mail passes the checks that hold for all of them."""
    for name, mail in mails.items():
        with subtests.test(name):
            check(mail)


@pytest.mark.trust
def test_both_languages_are_built_alike(told, subtests):
    """English mails are no poor relations: the same parts in the same order, no German left.

    The rules are as their README has them.
    """
    german, english = told("de"), told("en")
    assert german.keys() == english.keys()
    for name in german:
        if not name.startswith("rules"):
            with subtests.test(name):
                assert german[name].shapes == english[name].shapes
                if name != "stranger":  # both languages, for who may read either
                    assert not re.search("[äöü»«]", f"{english[name].subject} {english[name].text}")


# -- subjects -------------------------------------------------------------------------------------------------------


SUBJECTS = {
    "de": {
        "start": "[Eriwan] Es geht los – ZAT Runde 1: Mo, 16.11.2026, 20:00 Uhr",
        "bulletin": "[Eriwan] Runde 3 ausgewertet – ZAT Runde 4: Mi, 09.12.2026, 20:00 Uhr",
        "final": "[Eriwan] Endstand: Carla gewinnt mit 96 Punkten, 11 vor Anna",
        "final-second": "[Eriwan] KORRIGIERT: Endstand (2. Fassung): Carla gewinnt mit 96 Punkten, 11 vor Anna",
        "confirmation": "[Eriwan] Zug Runde 1 angekommen",
        "rejection": "[Eriwan] Zug Runde 1 NICHT angenommen: 5 Fehler",
        "rejection-on-file": "[Eriwan] Zug Runde 1 NICHT angenommen: 1 Fehler",
        "late": "[Eriwan] Zug Runde 1 verspätet eingegangen",
    },
    "en": {
        "bulletin": "[Eriwan] Round 3 closed – deadline for round 4: Wed, 9 Dec 2026, 20:00",
        "rejection-on-file": "[Eriwan] Move for round 1 NOT accepted: 1 mistake",
    },
}


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_subjects(language, told):
    """Game, what it is and the round: Gmail parts threads by subject, and players see at once what came."""
    expected = SUBJECTS[language]
    assert {name: told(language)[name].subject for name in expected} == expected


# -- rejections and templates ---------------------------------------------------------------------------------------

ENGINE = engines()["crossword"]


def named(mails: dict[str, Posted], pattern: str) -> list[tuple[str, Posted]]:
    """Return the mails whose names begin like this, with their names."""
    found = [(name, mail) for name, mail in mails.items() if re.match(pattern, name)]
    assert found
    return found


def mailto(mail: Posted) -> tuple[str, ...]:
    """Read what the link of a mail would send, as our own parser does; the lines below the title."""
    links = buttons(mail)
    assert len(links) == 1
    assert len(links[0]) <= 1_800
    assert not re.search("%0A(?<!%0D%0A)|[^!-~]", links[0])
    body = parse_qs(urlsplit(links[0]).query, strict_parsing=True)["body"][0]
    received = read_mail(write_mail("anna@spieler.example", body))
    commands = [said.command for said in read_mail_text(received, all_names(), TODAY).commands]
    assert [type(command) for command in commands] == [Orders]
    assert commands[0].game == "Eriwan"
    return commands[0].block.lines


def position(lines: tuple[str, ...], letters: str = "DNTIRO") -> State:
    """Make a position where these old letters lie for the first seat."""
    rows = tuple(re.sub("[^a-z]", ".", line).upper() for line in lines if re.fullmatch(r"[A-Za-z.]{6}", line))
    assert len(rows) == 6
    return State(wishes=tuple(letters), grids=(rows,) * 6)


@pytest.mark.trust(except_first=1)
def test_untouched_template_is_an_empty_move(mails, subtests):
    """What the link writes is read as a block in which nothing was entered."""
    for name, mail in named(mails, "(start|bulletin|welcome)(?!.*(plays|watch))"):
        with subtests.test(name):
            lines = mailto(mail)
            sheet = ENGINE.read(position(lines), Seat(1), MoveBlock(lines=lines), WordSet())
            assert sheet.move is None
            assert not sheet.problems


@pytest.mark.trust(except_first=1)
def test_a_rejection_brings_the_corrected_block(mails, subtests):
    """Below the grid as read stands a block without faults, in both parts and behind the button."""
    for name, mail in named(mails, "rejection"):
        with subtests.test(name):
            lines = mailto(mail)
            shown = re.findall(r"^ {5}(.*\S) {3}$", mail.text, re.MULTILINE)
            assert re.fullmatch(r"Crossword Eriwan, (Runde|Round) \d", shown[0])
            assert tuple(shown[1:]) == lines
            [block] = mail.page.iter("pre")
            assert (block.text or "").split("\n") == shown
            assert not ENGINE.read(position(lines), Seat(1), MoveBlock(lines=lines), WordSet()).problems


@pytest.mark.trust(except_first=1)
def test_a_rejection_names_every_fault(mails):
    """A refusal shows a row of wrong length as it was sent, and each other fault with its cell and correct value."""
    faults = [said(item) for item in mails["rejection"].page.iter("li")]
    for sent, right in (("DNTIROX", "6"), ("a2", "D, I, N, O, R, T"), ("e3", "AE"), ("b2, a3", "1"), ("EN", "E")):
        assert any(sent in fault and right in fault for fault in faults), (sent, faults)


# -- the result ------------------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=1)
def test_sums(mails, subtests):
    """The words of the lines add up to the rows, columns and diagonals of the table, and these to the points."""
    for name, mail in named(mails, "final"):
        with subtests.test(name):
            ranking, *players = [table for table in tables(mail) if not is_grid(table)]
            rows = [[said(cell) for cell in row] for row in list(ranking)[2:]]
            assert len(rows) == len(players) == 6
            for row, player in zip(rows, players, strict=True):
                cells = [[said(cell) for cell in line] for line in list(player)[2:]]
                halves = [half for line in cells for half in (line[:3], line[3:])]
                sums = [sum(int(worth) for line, _, worth in halves if line[0] in kinds) for kinds in ("ZR", "SC", "D")]
                assert [int(figure) for figure in row[2:5]] == sums
                assert sum(sums) == int(row[-1].partition(",")[0])


@pytest.mark.trust(except_first=1)
def test_struck_words_have_reasons(mails, subtests):
    """Each word that was struck is named below with the reason; a line has one substitute at most."""
    for name, mail in named(mails, "final"):
        with subtests.test(name):
            notes = [said(note) for note in mail.page.iter("p")]
            for words in (said(cell).split() for table in tables(mail) for cell in table.iter("td")):
                assert sum(word.startswith("+") for word in words) <= 1
                for word in words:
                    if re.fullmatch(r"\+?-\w+<?-", word):
                        bare = word.strip("+-<")
                        assert any(f" {bare} " in note and ": " in note for note in notes), word
