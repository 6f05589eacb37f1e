"""Building an issue: what is there without the library, what the command says, how large its parts are."""

from __future__ import annotations

import ast
import json
import re
import string
import sys
from pathlib import Path

import pytest
from played_zine import WISHES
from printed_zine import PrintedZine, gm, without_pages

from games.api import Cell
from gm.archive.issue import pdf, phrases
from gm.archive.issue.pages import paragraphs
from gm.cli.service import _examined
from gm.demo.in_memory_zine import PLAYERS
from gm.drawing.parts import Board
from gm.drawing.printed import HIGHEST, WIDEST, printed

ROOT = Path(__file__).parents[2]


@pytest.fixture
def zine(new_zine) -> PrintedZine:
    """A zine with a game that has begun."""
    one = new_zine()
    one.begins("crossword", "Eriwan", PLAYERS, WISHES)
    one.plays("Eriwan", 1)
    return one


def test_without_the_library(zine, monkeypatch, capsys):
    """issue.html and issue.txt are made, pages of an earlier build go, and one line says what brings the rest."""
    without_pages(monkeypatch)
    zine.puts("issue.pdf", "of an earlier build")
    assert gm(zine, "issue", "build") == 0
    said = capsys.readouterr().out
    assert "issue 1, games: 1." in said
    assert "Written: issue.html, issue.txt." in said
    assert said.count("pip install 'postal-gm[zine]'") == 1
    assert sorted(path.name for path in (zine.issues / "1").iterdir()) == ["issue.html", "issue.toml", "issue.txt"]


def test_without_pango(monkeypatch):
    """Where the library is there and Pango isn't, the line names its packages."""

    class Missing:
        """Fails as an import of WeasyPrint does without Pango."""

        def find_spec(self, name: str, *_: object) -> None:
            """Find nothing."""
            if name == "weasyprint":
                raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    found = pdf.check()
    assert found.status == "warn"
    assert "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0" in found.sentence


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("more", "folder", "asks"),
    [({}, False, False), ({"zine": {"dates": ["2027-01-06"]}}, False, True), ({}, True, True)],
)
def test_only_a_zine_with_issues_is_asked_for_pango(new_zine, more, folder, asks):
    """`gm doctor` has a line about pages where issues have dates or an issue was built, and nowhere else."""
    zine = new_zine(**more)
    if folder:
        zine.issues.mkdir()
    assert ("issue" in [check.name for check in _examined(zine.config)]) == asks


def test_commands_speak_json(zine, monkeypatch, capsys):
    """`gm issue build --json` and `gm issue send --json`."""
    without_pages(monkeypatch)
    assert gm(zine, "issue", "build", "1", "--json") == 0
    built = json.loads(capsys.readouterr().out)
    assert (built["number"], built["games"], built["pages"]) == (1, 1, 0)
    assert built["files"] == ["issue.html", "issue.txt"]
    zine.tick()
    assert gm(zine, "issue", "send", "1", "--json") == 0
    sent = json.loads(capsys.readouterr().out)
    assert sent == {"number": 1, "mails": 6, "readers": 6, "sent": "issue-1.html"}
    assert gm(zine, "issue", "send") == 0
    assert "All 6 readers have got issue 1 already; nothing is sent." in capsys.readouterr().out


def test_a_zine_without_games(new_zine, monkeypatch):
    """An issue of nothing is an issue."""
    without_pages(monkeypatch)
    zine = new_zine()
    assert zine.builds().games == 0
    assert "In diesem Heft ist keine Partie ausgewertet." in zine.text()


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(("language", "says"), [("de", "Termine"), ("en", "Dates")])
def test_an_issue_speaks_the_language_of_the_zine(language, says, new_zine, monkeypatch):
    """Its own words are in the zine's language, those of a game in the game's."""
    without_pages(monkeypatch)
    zine = new_zine(service={"language": language})
    zine.begins("crossword", "Oslo", PLAYERS, WISHES, language="en")
    zine.plays("Oslo", 1)
    zine.builds()
    page = zine.reads("issue.html").decode()
    assert f'<html lang="{language}">' in page
    assert says in page
    assert "Start to Round 1" in page


def test_the_service_s_address_is_printed_where_the_gm_wants_it(new_zine, monkeypatch):
    """Only with `address = true` in [archive]."""
    without_pages(monkeypatch)
    for wanted in (False, True):
        zine = new_zine(archive={"address": wanted})
        zine.opens("crossword", "Jakarta")
        zine.builds()
        assert ("zug@postspiel.example" in zine.text()) is wanted


# -- parts -------------------------------------------------------------------------------------------------------------


def test_no_board_is_larger_than_a_page():
    """A board of any size fits between the margins: one that is higher would leave its heading alone."""
    for look in ("letters", "dominoes", "pegs", "dice", "tiles"):
        for across, down in ((1, 1), (6, 6), (40, 40), (60, 4), (4, 60)):
            cells = tuple(tuple(Cell(text="a") for _ in range(across)) for _ in range(down))
            shown = Board(
                look=look,
                name="x",
                columns=tuple(map(str, range(across))),
                rows=tuple(map(str, range(down))),
                cells=cells,
            )
            drawn = printed(shown)
            assert drawn.width <= WIDEST
            assert drawn.height <= HIGHEST


def test_no_style_is_left_to_a_stylesheet():
    """The library knows no stylesheet inside a drawing: no class is left, and each letter has a place of its own."""
    cells = ((Cell(text="A", new=True), Cell(text="B", tone="red"), Cell(text="c", mark="joker", value=3)),)
    drawn = str(printed(Board(name="x", columns=("a", "b", "c"), rows=("1",), cells=cells)).markup)
    assert "class=" not in drawn
    places = re.findall(r'<text[^>]* x="([^"]*)"', drawn)
    assert len(places) == 8
    assert all(" " not in place for place in places)
    assert "a14 14 0 1 0 28 0" in drawn, "red letters lie on round tiles"
    assert 'stroke-width="2.2"' in drawn, "what is new has a thick edge"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([], []),
        (["Kurz.", "Und kurz."], [["Kurz.", "Und kurz."]]),
        (["x" * 60, "weiter"], [["x" * 60 + " weiter"]]),
        (["eins", "", "", "zwei"], [["eins"], ["zwei"]]),
        (["x" * 60, "", "zwei"], [["x" * 60], ["zwei"]]),
    ],
)
def test_lines_that_a_mail_program_broke_are_joined(lines, found):
    """Short lines were meant to end where they do, as in a poem."""
    assert paragraphs(lines) == found


def test_phrases():
    """Each phrase is used, and has the same placeholders in both languages."""
    modules = [path for path in (ROOT / "gm/archive/issue").glob("*.py") if path.name != "phrases.py"]
    code_of = [path.read_text(encoding="utf-8") for path in modules]
    templates = [path.read_text(encoding="utf-8") for path in (ROOT / "templates" / "zine").glob("*.html")]
    said = "\n".join([*code_of, *templates])
    strings = {node.value for one in code_of for node in ast.walk(ast.parse(one)) if isinstance(node, ast.Constant)}
    for code, wording in phrases.PHRASES.items():
        assert code in strings or f'"{code}"' in said, code
        german, english = ({key for _, key, _, _ in string.Formatter().parse(text)} for text in wording.values())
        assert german == english, code
