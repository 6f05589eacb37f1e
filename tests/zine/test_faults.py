"""What can't be printed as it was meant: the GM reads in which file and line it stands, and the issue is built."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from printed_zine import PrintedZine, gm

from gm.demo.in_memory_zine import PLAYERS
from gm.requests.desk import players

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("pages")]

PAGES = {"vorwort.md": "editorial", "treffen.md": "page", "briefe.md": "letters", "como.md": "game"}
ORDER = """sections = ["cover", "editorial", "page:treffen.md", "games", "press", "letters", "standings", "imprint"]
letters = ["briefe.md"]
[forewords]
editorial = "vorwort.md"
Como = "como.md"
"""
BOX = "a box stands for a letter, a mark is left out."
FAULTS = {
    "Mehr [dort](#nirgends).": "#nirgends leads to nothing in the issue; the words stand there without a link.",
    "[Ü](#%C3%9Cbersicht)": "#%C3%9Cbersicht leads to nothing in the issue; the words stand there without a link.",
    "![Beim Spielen](bild.png)": "an issue has no pictures; of bild.png there are its words: “Beim Spielen”.",
    "Da: ![A & B](https://x.example/b.png)": "of https://x.example/b.png there are its words: “A & B”.",
    "<img src='bild.png'>": "an issue has no pictures and no HTML; it stands there as it was written.",
    "Prima 😀!": f"the fonts of the pages don't have 😀 (U+1F600); {BOX}",
    "Ein m\u0316 und ein \ue000": f"the fonts of the pages don't have ◌\u0316 (U+0316), \ue000 (U+E000); {BOX}",
    "a\x00b\u202e": "U+0000, U+202E RIGHT-TO-LEFT OVERRIDE can't be printed; � stands there.",
}


@pytest.fixture
def built(new_zine, capsys) -> Callable[..., tuple[PrintedZine, list[str]]]:
    """Build an issue with pages of the GM's through the command; gives the zine and what it says."""

    def build(pages: dict[str, str], order: str = ORDER, *, sets: bool = True) -> tuple[PrintedZine, list[str]]:
        zine = new_zine()
        zine.begins("combinato", "Como", PLAYERS[:2])
        zine.plays("Como", 1)
        zine.orders(order)
        for name, text in (dict.fromkeys(PAGES, "Gut.\n") | pages).items():
            zine.puts(name, text)
        capsys.readouterr()
        assert gm(zine, "issue", "build", "1", "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert found["files"] == ["issue.html", "issue.txt", *["issue.pdf", "issue-booklet.pdf"] * sets]
        return zine, found["troubles"]

    return build


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("name", PAGES)
def test_the_file_and_the_line(built, name):
    """Each fault is told with its place, in any page of the GM's, and the rest stands there."""
    text = "# Überschrift\r\n\r\nAnfang,\r\nund weiter.\r\n\r\n" + "\r\n\r\n".join(FAULTS) + "\r\n\r\nEnde.\r\n"
    zine, troubles = built({name: text})
    place = zine.issues / "1" / name
    for number, (_, sentence) in enumerate(FAULTS.items()):
        assert any(
            one.startswith(f"{place}, line {6 + 2 * number}: ") and one.endswith(sentence) for one in troubles
        ), (sentence, troubles)  # fmt: skip
    assert len(troubles) == len(FAULTS)
    page = zine.reads("issue.html").decode()
    assert "Mehr dort." in page
    assert "Beim Spielen" in page
    assert "A &amp; B" in page
    assert "Ende." in page
    assert "<img" not in page


def test_lines_within_a_paragraph(built):
    """The line is that of the link, also where a paragraph, a list or a table is longer."""
    text = "Kein Titel\nund [eins](#a)  \nund [zwei](#b)\n\n- x\n- [drei](#c)\n\n| a |\n|---|\n| x |\n| [vier](#d) |\n"
    zine, troubles = built({"vorwort.md": text})
    place = zine.issues / "1" / "vorwort.md"
    assert [one.partition(" leads")[0] for one in troubles] == [
        f"{place}, line 2: #a", f"{place}, line 3: #b", f"{place}, line 6: #c", f"{place}, line 11: #d"
    ]  # fmt: skip


@pytest.mark.trust
def test_links_that_lead_somewhere_stay(built):
    """To a section, a game, another page of one's own, or the web."""
    text = "[a](#standings) [b](#partie-como) [c](#page-treffen) [d](https://x.example/#y)\n"
    zine, troubles = built({"vorwort.md": text})
    assert troubles == []
    page = zine.reads("issue.html").decode()
    for link in ("#standings", "#partie-como", "#page-treffen", "https://x.example/#y"):
        assert f'<a href="{link}">' in page


@pytest.mark.trust
def test_files_of_any_name(built):
    """Pages whose names differ in signs alone have a place of their own in the contents."""
    names = ["a b.md", "a-b.md", "a%20b.md", "Ä.md", "😀.md", "x'y<.md"]
    order = f"sections = {json.dumps(['cover', *(f'page:{name}' for name in names)], ensure_ascii=False)}\n"
    zine, troubles = built(dict.fromkeys(names, "Text.\n"), order)
    assert len(troubles) == 1
    assert "😀 (U+1F600)" in troubles[0]
    assert str(zine.issues / "1" / "😀.md") in troubles[0]


@pytest.mark.trust
def test_without_the_games(built):
    """The table of standings leads to no game where none is printed."""
    zine, troubles = built({}, 'sections = ["cover", "standings"]\n')
    assert troubles == []
    assert "#partie-como" not in zine.reads("issue.html").decode()


@pytest.mark.trust
def test_a_name_that_the_fonts_lack(new_zine, capsys):
    """Of what players write the game is named."""
    zine = new_zine(archive={"names": "full"})
    zine.begins("combinato", "Como", PLAYERS[:2])
    zine.begins("combinato", "Genua", PLAYERS[1:3])
    for name in ("Como", "Genua"):
        zine.plays(name, 1)
    players.rename(zine.app, PLAYERS[0], "Anna ☃ Berg")
    capsys.readouterr()
    assert gm(zine, "issue", "build", "1") == 0
    said = capsys.readouterr().out
    assert f"The fonts of the pages don't have ☃ (U+2603) (Combinato »Como«); {BOX}" in " ".join(said.split())
    assert (zine.issues / "1" / "issue.pdf").exists()


@pytest.mark.trust
def test_what_upsets_the_library(built, monkeypatch):
    """Whatever goes wrong with the pages: the rest is made, and the file is named if it is one of the GM's."""
    import weasyprint

    class Upset(weasyprint.HTML):
        """Fails at a word."""

        def __init__(self, string: str, **more: object) -> None:
            if "Wehe" in string:
                raise RecursionError
            super().__init__(string=string, **more)

    monkeypatch.setattr(weasyprint, "HTML", Upset)
    zine, troubles = built({"treffen.md": "Wehe!\n"}, sets=False)
    assert "The pages can't be set: RecursionError" in troubles[0]
    assert troubles[1:] == [
        f"It is {zine.issues / '1' / 'treffen.md'} that can't be set; the other files are as they should be."
    ]
    assert "Wehe!" in zine.text()
