"""`gm words`: what the lexicon says about words, with and without a config."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from games import profiles
from games.words import UNLISTED, Verdict
from gm.lexicon.lexicon import Lexicon

VERDICTS = {
    "KANU": Verdict("accepted", entry="Kanu, das"),
    "AG": Verdict("refused", "ABBREVIATION", entry="AG, die"),
    "CAFE": Verdict("refused", "ACCENT", entry="Café, das"),
    "GROESSE": Verdict("accepted", entry="Größe, die"),
    "HASS": Verdict("accepted", "HOUSE"),
}


class StandIn:
    """A lexicon of five words: how `gm words` prints doesn't depend on a list."""

    extra: tuple[Path, ...] = ()

    def check(self, word: str, profile: str) -> Verdict:
        """Judge a word; Yahtzee takes none."""
        return Verdict("refused", "REFUSED") if profile == "yahtzee" else VERDICTS.get(word, UNLISTED)

    def flags(self, word: str) -> tuple[str, ...]:
        """Return what kind of word it is."""
        return ("noun", "neuter") if word == "KANU" else ()

    def near(self, word: str, profile: str) -> list[str]:
        """Return what may have been meant."""
        return ["KANU"] if (word, profile) == ("KANN", "duden") else []

    def suggest(self, letters: str, profile: str) -> list[str]:
        """Suggest words."""
        return ["GROESSE", "KANU"] if set("KANU") <= set(letters) and profile == "duden" else []

    def info(self) -> dict[str, str]:
        """Describe the list."""
        return {"name": "stand-in", "size": "5", "licence": "none"}


@pytest.fixture
def lexicon(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """Put the stand-in where the lexicon is loaded; it keeps the house lists it was given."""
    stand_in = StandIn()

    def load(extra: Iterable[Path] = ()) -> StandIn:
        stand_in.extra = tuple(extra)
        return stand_in

    monkeypatch.setattr(Lexicon, "load", load)
    return stand_in


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without a config."""
    monkeypatch.delenv("GM_CONFIG", raising=False)
    folder = tmp_path / "nowhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_check(gm: Any, lexicon: StandIn, nowhere: Path) -> None:
    """Without a config each word is shown for every profile, with verdict, reason in words, flags and entry."""
    ran = gm.run("words", "check", "kanu", "AG", "Xyz")
    assert (ran.code, ran.err) == (0, "")
    assert {row[1] for row in ran.rows} >= {"duden", "typdom", "yahtzee", "combinato"}
    for row in (
        ["kanu", "duden", "accepted", "", "noun neuter", "Kanu, das"],
        ["kanu", "typdom", "accepted", "", "noun neuter", "Kanu, das"],
        ["kanu", "yahtzee", "refused", "not a valid word", "noun neuter", ""],
        ["kanu", "combinato", "accepted", "", "noun neuter", "Kanu, das"],
        ["AG", "duden", "refused", "an abbreviation", "", "AG, die"],
        ["Xyz", "duden", "doubtful", "in no word list", "", ""],
    ):
        assert row in ran.rows
    assert [row[:2] for row in ran.rows] == [[word, one] for word in ("kanu", "AG", "Xyz") for one in profiles()]
    assert lexicon.extra == ()


def test_near_matches(gm: Any, lexicon: StandIn, nowhere: Path) -> None:
    """Below the table stands what may have been meant by a word that isn't accepted (issue 26, "Words judged")."""
    ran = gm.run("words", "check", "--profile", "duden", "kann", "KANU")
    assert ran.out.splitlines()[2:] == ["", "Near KANN (duden): KANU"]
    assert "Near" not in gm.run("words", "check", "--json", "kann").out


def test_check_for_one_profile(gm: Any, lexicon: StandIn, nowhere: Path) -> None:
    """--profile asks for one profile only; an unknown one is a wrong command line."""
    ran = gm.run("words", "check", "--profile", "yahtzee", "KANU", "Größe")
    assert [row[:3] for row in ran.rows] == [["KANU", "yahtzee", "refused"], ["Größe", "yahtzee", "refused"]]
    assert gm.run("words", "check", "--profile", "bogus", "KANU").code == 2


def test_check_as_json(gm: Any, lexicon: StandIn, nowhere: Path) -> None:
    """JSON names the word as it was asked, for P, else for duden."""
    ran = gm.run("words", "check", "--json", "Kanu", "AG", "Größe", "hass")
    assert ran.code == 0
    assert json.loads(ran.out) == [
        {"word": "Kanu", "status": "accepted", "reason": "", "flags": ["noun", "neuter"]},
        {"word": "AG", "status": "refused", "reason": "an abbreviation", "flags": []},
        {"word": "Größe", "status": "accepted", "reason": "", "flags": []},
        {"word": "hass", "status": "accepted", "reason": "", "flags": []},
    ]
    ran = gm.run("words", "check", "--json", "--profile", "yahtzee", "KANU")
    assert json.loads(ran.out)[0]["status"] == "refused"


@pytest.mark.trust(except_first=7)
@pytest.mark.parametrize("word", ["Café", "1a", "", "zwei Wörter", "d'accord", "ﬁ", "K\x1b[31mANU", "🂡"])
def test_other_characters(word: str, gm: Any, lexicon: StandIn, nowhere: Path) -> None:
    """A word of other characters is refused with the reason, and is no error."""
    for arguments in ([], ["--json"]):
        ran = gm.run("words", "check", *arguments, word)
        assert (ran.code, ran.err) == (0, "")
        assert "refused" in ran.out
        assert "not a word of A-Z, Ä, Ö, Ü, ß" in ran.out
        assert "\x1b" not in ran.out


def test_suggest(gm: Any, lexicon: StandIn, nowhere: Path) -> None:
    """`suggest` lists a rack's words in the lexicon's order; the letters may stand apart."""
    for letters in ("kanu", "K A N U", "?kan*u"):
        assert gm.run("words", "suggest", letters).out == "GROESSE\nKANU\n"
    assert json.loads(gm.run("words", "suggest", "--json", "KANU").out) == ["GROESSE", "KANU"]
    assert gm.run("words", "suggest", "--profile", "typdom", "kanu").out == "No word can be laid with KANU.\n"
    assert json.loads(gm.run("words", "suggest", "--json", "X").out) == []
    assert gm.run("words", "suggest", "x?").out == "No word can be laid with X?.\n"
    for letters in ("K4NU", "", " "):
        ran = gm.run("words", "suggest", letters)
        assert (ran.code, ran.out) == (1, "")
        assert "is no rack of A-Z" in ran.err


def test_house_lists(gm: Any, lexicon: StandIn, nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A config's own lists are heard where one is named, by option, by $GM_CONFIG or by lying here."""
    house = (gm.config.parent / "words.txt",)
    gm("words", "check", "KANU")
    assert lexicon.extra == house
    monkeypatch.setenv("GM_CONFIG", str(nowhere / "missing.toml"))
    assert gm.run("words", "suggest", "KANU").code == 0
    assert lexicon.extra == ()
    monkeypatch.setenv("GM_CONFIG", str(gm.config))
    assert gm.run("words", "suggest", "KANU").code == 0
    assert lexicon.extra == house


def test_a_config_that_is_not_there(gm: Any, lexicon: StandIn, nowhere: Path) -> None:
    """A config that is named must be there: else an answer would pass over the house's rulings."""
    ran = gm.run("words", "check", "KANU", "--config", "missing.toml")
    assert (ran.code, ran.out) == (1, "")
    assert "missing.toml" in ran.err


def test_the_real_lexicon(gm: Any) -> None:
    """With the lexicon itself, the house's words count, and what it refuses doesn't."""
    rows = {row[0]: row for row in gm("words", "check", "--profile", "duden", "BROT", "TOR").rows}
    assert rows["BROT"][2] == "accepted"
    assert rows["TOR"][2:4] == ["refused", "on the house list of refused words"]
    assert "BROT" in gm("words", "suggest", "BROT").out.splitlines()


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("arguments", [["--help"], ["words", "--help"], ["words", "check", "--help"]])
def test_help_opens_no_lexicon(arguments: list[str]) -> None:
    """Help is quick: the lexicon isn't even imported."""
    code = (
        f"import sys\nsys.argv = ['gm', *{arguments}]\nfrom gm.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'gm.lexicon.spelling', 'sqlmodel', 'gm.runtime.config.settings'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
