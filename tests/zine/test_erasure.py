"""Whoever is forgotten stands in no issue any more, wherever it lies."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from printed_zine import ISSUES, PrintedZine, gm, without_pages
from sqlmodel import select

from gm.archive.issue.send import send
from gm.demo.in_memory_zine import PLAYERS
from gm.store.zine_tables import StoredFile

ANNA, BERND, CARLA = PLAYERS[:3]
HERE = {"base_url": "https://postspiel.example/ds/"}
SIGNED = "Auf diese Partie habe ich mich seit Wochen gefreut."
UNSIGNED = "Wer hier den letzten Stein legt, hat gewonnen."
ORDER = 'letters = ["post/briefe.md"]\n[forewords]\neditorial = "vorwort.md"\n'
FOREWORD = "# Zum Anfang\n\nGlückwunsch an Anna\nBerg, und Dank an Bernd Cordes.\n"


def begin(zine: PrintedZine) -> None:
    """Play a game to its end, with press of all kinds and pages of the GM's, and build the issue."""
    zine.begins("farbdomino", "Faro", PLAYERS[:3], options=["press=anonymous"])
    zine.says(ANNA, "Faro", SIGNED)
    zine.writes(ANNA, f"Presse anonym Faro:\n{UNSIGNED}\nEnde\n", sender=zine.address(ANNA))
    zine.says(BERND, "Faro", "Nimm dich in Acht, Anna Berg!", "Und Bernd grüßt.")
    zine.plays("Faro")
    zine.orders(ORDER)
    zine.puts("vorwort.md", FOREWORD)
    (zine.issues / "1" / "post").mkdir()
    zine.puts("post/briefe.md", f"Anna Berg schreibt aus {zine.address(ANNA)}: Schön war's!\n")
    zine.puts("liegt-noch.md", "Für später: Anna Bergs Bericht, und einer von Anna Bergmann.\n")
    zine.builds()
    zine.tick()


def traces(zine: PrintedZine) -> list[tuple[str, str]]:
    """List the files of site and issues in which something of Anna's stands."""
    wanted = {"Anna B", "Anna\u00a0B", zine.address(ANNA), SIGNED, UNSIGNED, SIGNED[8:30]}
    found = []
    for folder in (zine.app.settings.archive.path, zine.issues):
        for path in folder.rglob("*"):
            if path.is_file():
                said = words_of(path)
                found += [(path.name, one) for one in sorted(wanted) if one in said.replace("Anna Bergmann", "")]
    return found


def words_of(path: Path) -> str:
    """Read a file as text, the pages of a PDF too, with what it says of itself."""
    raw = path.read_bytes()
    if path.suffix != ".pdf" or not raw.startswith(b"%PDF"):
        return " ".join(raw.decode("utf-8", "replace").split())
    from pypdf import PdfReader

    pages = PdfReader(io.BytesIO(raw))
    text = " ".join([*(page.extract_text() for page in pages.pages), str(pages.metadata)])
    return " ".join(text.replace("\u2010\n", "").split())


def forget(zine: PrintedZine, capsys: pytest.CaptureFixture[str]) -> str:
    """Say `gm player forget`; gives what it says."""
    zine.tick(archive=True)
    zine.mails()
    assert gm(zine, "player", "forget", ANNA, "--yes") == 0
    return capsys.readouterr().out


@pytest.mark.trust
@pytest.mark.server
@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("names", ["full", "initial"])
def test_forgotten_in_issues(names, new_zine, capsys):
    """HTML, text, pages and booklet have neither name nor texts, in the archive and beside the config."""
    zine = new_zine(archive={**HERE, "names": names})
    begin(zine)
    send(zine.app)
    zine.tick()
    before = {name for name, _ in traces(zine)}
    assert {"index.html", "issue.html", "issue.txt", "issue.pdf", "issue-booklet.pdf", "vorwort.md"} <= before
    said = forget(zine, capsys)
    assert traces(zine) == []
    assert "Issues without the name now: 1." in said
    assert "Pages written anew in " in said
    assert "vorwort.md is without the name now." in said
    text = zine.text()
    for words in ("N. N.", "Nimm dich in Acht, N. N.!", "Glückwunsch an N. N., und Dank", "Schön war's!"):
        assert words in text
    assert "N. N.s Bericht, und einer von Anna Bergmann" in zine.reads("liegt-noch.md").decode()
    published = zine.app.settings.archive.path / "hefte" / "1"
    assert (published / "issue.pdf").read_bytes() == zine.reads("issue.pdf")
    assert send(zine.app).mails == 0, "it counts as the one that went out"


@pytest.fixture
def zine(new_zine, monkeypatch):
    """A zine whose first issue has Anna in it, the second has not. There are no pages: setting them takes seconds."""
    without_pages(monkeypatch)
    zine = new_zine(zine=ISSUES, archive=HERE)
    begin(zine)
    zine.at("2026-11-22T12:00:00+01:00")
    zine.begins("combinato", "Como", [BERND, CARLA])
    zine.plays("Como", 2)
    zine.at("2027-01-01T12:00:00+01:00")
    zine.tick()
    return zine


@pytest.mark.trust
def test_other_issues_stay(zine, capsys):
    """An issue without a trace isn't touched, and a corrected one still says that it is."""
    zine.builds(1, corrected=True)
    zine.builds(2)
    zine.puts("issue.txt", zine.text(2) + "Von Hand.\n", 2)
    assert "Issues without the name now: 1." in forget(zine, capsys)
    assert zine.text(2).endswith("Von Hand.\n")
    assert "Berichtigte Ausgabe" in zine.text(1)
    assert traces(zine) == []


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("text", [SIGNED, UNSIGNED, "Bernd grüßt."])
def test_a_text_without_a_name(zine, capsys, text):
    """A text of theirs is a trace, also where nobody's name stands below it."""
    zine.orders('sections = ["cover", "press"]\n')
    zine.builds(1)
    only = "\n".join(line for line in zine.text().splitlines() if text in line or "Heft" in line)
    for name in ("issue.html", "issue.txt"):
        zine.puts(name, only)
    assert ("Issues without the name now: 1." in forget(zine, capsys)) == (text != "Bernd grüßt.")


def test_what_can_t_be_built_anew(zine, capsys):
    """It is deleted rather than left, and the GM is told how it comes back; nobody gets it twice."""
    send(zine.app, 1)
    zine.tick()
    zine.mails()
    zine.orders("sections = ['covr']\n")
    said = forget(zine, capsys)
    assert "Issue 1 is deleted, as it can't be built anew: " in said
    assert "line 1: covr is not a section" in said
    assert "then: gm issue build 1, gm issue send 1" in said
    assert traces(zine) == []
    zine.orders(ORDER)
    assert gm(zine, "issue", "build", "1") == gm(zine, "issue", "send", "1") == 0
    assert "nothing is sent" in capsys.readouterr().out
    assert traces(zine) == []
    assert (zine.app.settings.archive.path / "hefte" / "1" / "index.html").exists()


def test_an_issue_that_lies_in_the_archive_alone(zine, capsys):
    """The GM's own folder is gone: the issue in the archive loses the name all the same."""
    send(zine.app, 1)
    zine.tick()
    shutil.rmtree(zine.issues)
    said = forget(zine, capsys)
    assert "Issues without the name now: 1." in said
    assert "pages of your own are in it no more" in said
    assert traces(zine) == []


@pytest.mark.trust
def test_the_file_that_went_along(new_zine, monkeypatch, capsys):
    """Without a published archive the issue was attached, and kept for that: it goes with the name."""
    without_pages(monkeypatch)
    zine = new_zine()
    begin(zine)
    send(zine.app)
    zine.tick()
    forget(zine, capsys)
    with zine.app.database.read() as session:
        assert [row.name for row in session.exec(select(StoredFile))] == []
    zine.orders(ORDER)
    assert send(zine.app).mails == 0
