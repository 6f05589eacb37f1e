"""`issue.toml`: what the GM wants in an issue, and what is refused with its line (shared/spec/zine.md, Structure)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from printed_zine import PrintedZine, without_pages

from gm.archive.issue.markdown import read_article
from gm.demo.in_memory_zine import PLAYERS
from gm.runtime.errors import Refused


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Iterator[PrintedZine]:
    """A zine with two short games."""
    one = PrintedZine(tmp_path_factory.mktemp("zine") / "zine")
    one.begins("combinato", "Como", PLAYERS[:2])
    one.begins("combinato-zahlen", "Zagreb", PLAYERS[:2])
    for name in ("Como", "Zagreb"):
        one.plays(name, 2)
        one.says("Anna Berg", name, f"Grüße aus {name}.")
        one.plays(name, 1)
    yield one
    one.close()


@pytest.fixture
def zine(played, monkeypatch) -> PrintedZine:
    """The same before its first issue, and without pages: they take seconds."""
    without_pages(monkeypatch)
    shutil.rmtree(played.issues, ignore_errors=True)
    return played


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("number = 2", r"line 1: 2 is the issue of another folder; allowed is 1"),
        ("number = 1\nsektions = []", "line 2: sektions is no setting of an issue"),
        ('sections = ["cover",\n "gaems"]', "line 2: gaems is not a section; there are cover, editorial"),
        ('sections = ["games", "games"]', "line 1: games stands twice in sections"),
        ('sections = "games"', "line 1: sections is no list of texts"),
        ("sections = [1]", "line 1: sections is no list of texts"),
        ('sections = ["page:fehlt.md"]', "line 1: fehlt.md can't be read"),
        ('sections = ["page:../config.toml"]', r"\.\./config.toml is no Markdown file \(FILE.md\) in "),
        ('sections = ["page:../draussen.md"]', r"\.\./draussen.md is no Markdown file"),
        ('sections = ["page:/etc/passwd.md"]', "/etc/passwd.md is no Markdown file"),
        ('sections = ["page:link.md"]', "line 1: link.md is no Markdown file"),
        ('letters = ["brief.txt"]', "line 1: brief.txt is no Markdown file"),
        ('letters = ["latin1.md"]', "line 1: latin1.md is not UTF-8"),
        ('leave_out = [\n\n"seek", "wetter"]', "line 3: wetter is no section"),
        ('leave_out = ["game:Atlantis"]', "line 1: game:Atlantis names no game of this zine: Atlantis"),
        ('leave_out = ["game:Como/wetter"]', "line 1: game:Como/wetter names no part of a game; there are foreword"),
        ('order = ["schach"]', "line 1: schach is not a kind of game; there are"),
        ('filler = ["wetter"]', 'line 1: wetter is not a filler; there are notes and "page:FILE.md"'),
        ('[forewords]\nAtlantis = "a.md"', "line 2: Atlantis is no game of this zine; there are also editorial"),
        ("[forewords]\nComo = 3", "line 2: Como is not the name of a file in quotes"),
        ("forewords = 3", "line 1: forewords is no section"),
        ("number = 1\n= 3", r"is not TOML: .*line 2"),
    ],
)
def test_what_is_refused(text, says, zine):
    """Unknown names and files outside the folder are refused, with the line."""
    zine.puts("leer.md", "")
    (zine.issues / "draussen.md").write_text("Geheim.")
    (zine.issues / "1" / "latin1.md").write_bytes("Grüße".encode("latin-1"))
    (zine.issues / "1" / "link.md").symlink_to("../draussen.md")
    zine.orders(text)
    with pytest.raises(Refused, match=says):
        zine.builds()
    assert not (zine.issues / "1" / "issue.html").exists()


def test_the_first_build_writes_the_file_and_no_other_does(zine):
    """It is the GM's from then on, and says everything that can be said."""
    zine.builds()
    written = zine.reads("issue.toml").decode()
    assert "number = 1\n" in written
    for key in ("sections", "leave_out", "order", "letters", "puzzles", "filler", "[forewords]"):
        assert key in written
    zine.orders(f"{written}# Meins.\n")
    zine.builds()
    assert zine.reads("issue.toml").decode() == f"{written}# Meins.\n"


def test_an_old_file_loses_nothing(zine):
    """Games that began after the file was written come in."""
    zine.builds()
    zine.begins("typ-dom", "Tokio", PLAYERS[:2])
    zine.plays("Tokio", 1)
    assert zine.builds().games == 3
    assert "TYP-DOM »TOKIO«" in zine.text()


def test_order_and_own_pages(zine):
    """The GM's kinds come first; pages of one's own, letters, puzzles and forewords stand where they belong."""
    zine.puts("treffen.md", "# Das Treffen\n\nIm *Mai* in **Bonn**.\n")
    zine.puts("vorwort.md", "Liebe Leute,\n\nes ist <b>Herbst</b>.\n")
    zine.puts("zagreb.md", "Spannend!\n")
    zine.puts("brief.md", "# Anna schreibt\n\n> Mehr davon!\n")
    zine.puts("raetsel.md", "# Quiz\n\n1. Wer?\n2. Wo?\n")
    zine.puts("impressum.md", "Cici, Dottendorf.\n")
    zine.orders(
        'sections = ["cover", "editorial", "page:treffen.md", "letters", "games", "puzzles", "imprint"]\n'
        'order = ["Combinato-Zahlen"]\nletters = ["brief.md"]\npuzzles = ["raetsel.md"]\n'
        '[forewords]\neditorial = "vorwort.md"\nZagreb = "zagreb.md"\nimprint = "impressum.md"\n'
    )
    zine.builds()
    text, page = zine.text(), zine.reads("issue.html").decode()
    wanted = ["VORWORT", "es ist", "DAS TREFFEN", "LESERBRIEFE", "ANNA SCHREIBT", "»ZAGREB«", "Spannend!", "»COMO«",
              "QUIZ", "IMPRESSUM", "Cici, Dottendorf."]  # fmt: skip
    assert [text.index(one) for one in wanted] == sorted(text.index(one) for one in wanted)
    assert "Im <em>Mai</em> in <strong>Bonn</strong>." in page
    assert "es ist &lt;b&gt;Herbst&lt;/b&gt;." in page
    assert "Grüße aus Como." in text, "without a section of its own the press stands below its game"
    assert "STAND DER PARTIEN" not in text


def test_leaving_out(zine):
    """A section, a game, or a part of one can be left out."""
    zine.orders('leave_out = ["standings", "game:Zagreb", "game:Como/notes", "game:Como/press"]')
    zine.builds()
    text = zine.text()
    assert "STAND DER PARTIEN" not in text
    assert "Zagreb" not in text
    assert "Noch möglich" not in text
    assert "Grüße" not in text
    assert "WAS ANNA B. GELEGT HAT" in text


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>"),
        ("![Bild](file:///etc/passwd)", '<p>!<a href="file:///etc/passwd">Bild</a></p>'),
        ("[Link](javascript:alert(1))", "<p>[Link](javascript:alert(1))</p>"),
        ("Schreib an anna@spieler.example!", "<p>Schreib an [Adresse]!</p>"),
        ("## Unter\n\nText", "<h4>Unter</h4>\n<p>Text</p>"),
        ("a  \nb", "<p>a<br>\nb</p>"),
        ("| a | b |\n|---|--:|\n| 1 | 2 |", "<table>"),
    ],
)
def test_markdown(source, html):
    """No HTML, no pictures, no addresses; headings go below that of the section."""
    made = read_article("text.md", source).html("de")
    assert html in made or (html.startswith("<p>!") and "<img" not in made)
    assert "<script" not in made
    assert "<img" not in made


def test_the_title_of_an_article():
    """It is the first heading, or else the name of the file."""
    assert read_article("a.md", "# Das Treffen #\nText").title == "Das Treffen"
    assert read_article("unser_treffen.md", "Text\n\n# Später").title == "Unser treffen"
