"""The acceptance example of the rulings, complete: points before and after the ruling, and the refused variants."""

from dataclasses import replace
from typing import Any

import pytest

from games.api import SPECTATOR, Seat, Sheet
from games.crossword import ENGINE
from games.crossword.rules import State
from games.dice import Dice
from games.kit.testkit import WordSet, block, drawn, worded

BEFORE = ("BRECHT", "RA..UA", "UR...N", ".....Z", ".....E", ".....N")
STATE = State(round=6, wishes=("R", "B", "A", "A", "O", "X"), grids=(BEFORE, *(("......",) * 6,) * 5))
ROWS = "brecht\nra..ua\nur...n\n.....z\n.....e\nR..B.n"
LIST = "brecht 10\nAr+au 2\nUr 1\n-\nurb / ur 1\nrar 3\ntanzen 10\nab 1\nut 2\nSumme 30"
KNOWN = ("BRECHT", "AR", "AU", "UR", "RAR", "TANZEN", "AB", "UT")
ANNA = Seat(1)


def read(text: str, words: WordSet | None = None) -> Sheet[Any]:
    return ENGINE.read(STATE, ANNA, block(text), words or WordSet(KNOWN))


def said(texts: Any) -> list[str]:
    return [worded(ENGINE, text, "de") for text in texts]


def ended(words: WordSet) -> State:
    move = read(f"{ROWS}\n{LIST}", words).move
    return ENGINE.resolve(STATE, {ANNA: move}, Dice("s", 6), words).state


def test_confirmation_shows_every_line() -> None:
    """The confirmation gives every word to its line with its points, and the word in doubt as open (rulings 4)."""
    sheet = read(f"{ROWS}\n{LIST}")
    assert not sheet.problems
    assert sheet.doubtful == ("URB",)
    pairs = {worded(ENGINE, a, "de"): worded(ENGINE, b, "de") for a, b in sheet.summary}
    assert pairs == {
        "Gesetzt": "a6 R, d6 B",
        "Nicht gesetzt": "A, A, O, X",
        "Z1": "BRECHT = 10",
        "Z2": "AR< AU< = 2",
        "Z3": "UR = 1",
        "S1": "URB<? = 0, dazu 3 offen",
        "S2": "RAR = 3",
        "S6": "TANZEN = 10",
        "D1": "AB< = 1",
        "D2": "UT = 1",
        "Summe": "28, dazu 3 offen",
    }


def test_wrong_figures_are_remarked_on() -> None:
    """D2 is claimed with 2 instead of 1, the sum with 30: remarks only (rulings 4)."""
    remarks = said(read(f"{ROWS}\n{LIST}").remarks)
    assert remarks == [
        "Nicht gesetzt: A, A, O, X. Das darfst du, kannst es aber nicht nachholen.",
        "D2: Du schreibst 2, ich zähle 1.",
        "Summe: Du schreibst 30, ich zähle 28.",
    ]


@pytest.mark.parametrize(
    ("accepted", "refused", "points", "open_points", "doubtful"),
    [((), (), 28, 3, ("URB",)), ((), ("URB",), 29, 0, ()), (("URB",), (), 31, 0, ())],
    ids=["before the ruling", "rejected", "accepted"],
)
def test_points(accepted: Any, refused: Any, points: int, open_points: int, doubtful: Any) -> None:
    """28 while URB is doubtful, 29 with the substitute once it is refused, 31 once it is accepted (rulings 4)."""
    state = ended(WordSet((*KNOWN, *accepted), refused))
    outcome = ENGINE.outcome(state)
    assert outcome is not None
    assert outcome.standings[0].seat == ANNA
    assert outcome.standings[0].points == points
    assert outcome.doubtful == doubtful
    assert state.results[0].open == open_points


def test_sum_is_remarked_on_after_either_ruling() -> None:
    """30 is wrong whatever the ruling (rulings 4)."""
    for words in (WordSet((*KNOWN, "URB")), WordSet(KNOWN, ["URB"])):
        assert any("Summe: Du schreibst 30" in remark for remark in said(read(f"{ROWS}\n{LIST}", words).remarks))


def test_substitute_lies_upwards() -> None:
    """UR takes URB's place in column 1, rows 3 to 2, upwards (rulings 4)."""
    state = ended(WordSet(KNOWN, ["URB"]))
    spare = next(claim for claim in state.results[0].claims if claim.substitute)
    assert (spare.word, spare.start, spare.backwards) == ("UR", 1, True)
    lines = drawn(ENGINE, ENGINE.view(state, SPECTATOR))
    assert "S1  -URB<- +UR<  1" in lines
    assert "* S1 URB gestrichen: vom GM gestrichen. Ersatzwort UR: 1." in lines


def test_resolving_again_gives_the_next_version() -> None:
    """The same last round with a ruling more gives the same grids and other points: an appeal rolls nothing back."""
    first, second = ended(WordSet(KNOWN)), ended(WordSet(KNOWN, ["URB"]))
    assert replace(first, results=()) == replace(second, results=())
    assert first.results != second.results


def test_letter_more_often_than_wished() -> None:
    """X placed twice but wished once is refused, with both cells (rulings 4)."""
    sheet = read(ROWS.replace("R..B.n", "X..B.n").replace(".....z", "X....z"))
    assert said(sheet.problems) == ["X hast du 2-mal gesetzt (a4, a6); in dieser Runde darfst du es 1-mal."]
    assert sheet.move is None
    assert sheet.offer == ("brecht", "ra..ua", "ur...n", "X....z", ".....e", "...B.n")


def test_old_letter_in_capitals() -> None:
    """An old letter in capitals is accepted with a remark (rulings 4)."""
    sheet = read(ROWS.replace("brecht", "brechT"))
    assert sheet.move is not None
    assert "Groß geschrieben, obwohl sie schon liegen: f1. Das schadet nicht." in said(sheet.remarks)


def test_changed_old_letter() -> None:
    """`bracht` is refused: at c1 lies E, A was sent (rulings 4)."""
    sheet = read(ROWS.replace("brecht", "bracht"))
    assert said(sheet.problems) == ["Feld c1: Dort liegt E, du schickst A. Was liegt, bleibt liegen."]
    assert sheet.offer[0] == "brecht"
    assert sheet.grids[0].cells[0][2].text == "A"
    assert sheet.grids[0].cells[0][2].new
