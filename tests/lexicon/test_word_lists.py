"""Verdicts from our list, the zine's own lists and rulings, and the record of a turn's verdicts."""

from pathlib import Path

import pytest

from games.words import UNLISTED, Verdict
from gm.lexicon.lexicon import Judge, Lexicon, Recorded
from gm.lexicon.spelling import board_letters
from gm.runtime.errors import ConfigError

RULED_IN = Verdict("accepted", "RULED", note="steht im Duden")
RULED_OUT = Verdict("refused", "RULED")
HOUSE = Verdict("accepted", "HOUSE")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A house list as somebody would write it."""
    path = tmp_path / "own.txt"
    path.write_text("\ufeff# ours\nNinja\n\n  müsli  # for breakfast\n-ei\nku\u0308r\nstra\u00dfe\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("word", "letters"),
    [
        ("Kanu", "KANU"),
        ("Übergröße", "UEBERGROESSE"),
        ("MAẞ", "MASS"),
        ("a\u0308rger", "AERGER"),
        ("Café", None),
        ("e\u0301", None),
        ("ﬁnden", None),
        ("ſ", None),
        ("ı", None),
        ("U-Boot", None),
        ("K2", None),
        ("", None),
        (" ", None),
    ],
)
def test_board_letters(word: str, letters: str | None) -> None:
    """A word is A-Z on the board; a form with any other character is none."""
    assert board_letters(word) == letters


def test_two_letters() -> None:
    """Our list accepts words of two letters; uncertain ones are doubtful, like words that aren't listed."""
    lexicon = Lexicon.load()
    assert lexicon.check("OB", "duden") == Verdict("accepted", entry="ob")
    assert lexicon.check("UN", "duden") == lexicon.check("QX", "duden") == UNLISTED
    assert "OB" in lexicon.listed("duden")
    assert "UN" not in lexicon.listed("duden")


def test_house_list_has_the_last_word(own: Path) -> None:
    """The house's list adds words, and refuses some that ours accepts."""
    lexicon = Lexicon.load([own])
    for word in ("NINJA", "MUESLI", "KUER", "STRASSE"):
        assert lexicon.check(word, "duden") == HOUSE
    assert lexicon.check("EI", "duden") == Verdict("refused", "HOUSE")
    assert "EI" not in lexicon.listed("duden")


def test_bad_lines_are_all_named(tmp_path: Path) -> None:
    """Every line that is no word, and a list that isn't there, are told at once."""
    path = tmp_path / "own.txt"
    path.write_text("Café\nKanu\nzwei Wörter\n-\n", encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        Lexicon.load([path, tmp_path / "nothing.txt"])
    lines = str(raised.value).splitlines()
    assert [line.partition(" is no word")[0] for line in lines[:3]] == [
        f"{path}, line 1: 'Café'",
        f"{path}, line 3: 'zwei Wörter'",
        f"{path}, line 4: '-'",
    ]
    assert lines[3] == f"{tmp_path}/nothing.txt, named in lexicon.extra, can't be read: No such file or directory."


def test_latin_1_list_is_a_sentence(tmp_path: Path) -> None:
    """A list in another encoding is told, never guessed."""
    path = tmp_path / "own.txt"
    path.write_bytes("Müsli\n".encode("latin-1"))
    with pytest.raises(ConfigError, match="it is not UTF-8"):
        Lexicon.load([path])


def test_lists_are_told_apart(own: Path) -> None:
    """Name and checksum say which lists judged a game: any change of a list changes the checksum."""
    ours, with_own = Lexicon.load(), Lexicon.load([own])
    assert (ours.name, with_own.name) == ("german-2", "german-2+own.txt")
    assert ours.checksum == Lexicon.load().checksum
    assert ours.checksum != with_own.checksum


def test_rulings_come_first() -> None:
    """The GM's ruling stands above every list."""
    judge = Judge(Lexicon.load(), {"OB": RULED_OUT, "OHRABT": RULED_IN})
    assert judge.check("OB", "duden") == RULED_OUT
    assert judge.check("OHRABT", "duden") == RULED_IN
    assert "OB" not in judge.listed("duden")
    assert "OHRABT" in judge.listed("duden")


def test_judge_remembers_what_was_asked() -> None:
    """What a turn rests on is recorded, but not the words that nobody knows."""
    judge = Judge(Lexicon.load(), {"OHRABT": RULED_IN})
    for word in ("OB", "OHRABT", "QX", "OB"):
        judge.check(word, "duden")
    assert judge.asked == {"duden/OB": Verdict("accepted", entry="ob"), "duden/OHRABT": RULED_IN}


def test_record_replays_a_turn() -> None:
    """A record gives the same verdicts again without any list."""
    judge = Judge(Lexicon.load(), {"OHRABT": RULED_IN})
    words = ("OB", "OHRABT", "QX")
    then = [judge.check(word, "duden") for word in words]
    record = Recorded(judge.asked)
    assert [record.check(word, "duden") for word in words] == then
    assert record.check("OB", "typdom") == UNLISTED
    assert list(record.listed("duden")) == []
