"""Crossword by its rule text (seed 001, rules 1 to 9) and by the rulings."""

from dataclasses import replace
from typing import Any

import pytest

from games.api import ALL, EVERYONE, SPECTATOR, Seat, Sheet
from games.crossword import ENGINE
from games.crossword.board import EMPTY
from games.crossword.rules import Claim, Move, Result, State, Wish
from games.dice import Dice
from games.errors import SetupError
from games.kit.testkit import Contract, WordSet, block, drawn, same_for_others, worded
from games.words import Verdict

DICE = Dice("seed", 1)
SEATS = [Seat(number) for number in range(1, 7)]
ANNA, BEN = Seat(1), Seat(2)
OLD = ("BREC.T", "RA...A", "......", "......", "......", "......")
SIX_ROWS = "brec.t\nra...a\n......\n......\n......\n......"
WORDS = WordSet(["AR", "AU", "UR", "BRECHT"], {"USW": "ABBREVIATION", "XY": "STRANGE"})


def state(*, number: int = 1, grid: Any = OLD, letters: str = "HUURZB", **more: Any) -> State:
    return State(round=number, wishes=tuple(letters), grids=(tuple(grid), *(EMPTY,) * 5), **more)


def read(text: str, position: State | None = None, own: Move | None = None, words: WordSet = WORDS) -> Sheet[Move]:
    return ENGINE.read(position or state(), ANNA, block(text), words, own)


def said(texts: Any, language: Any = "de") -> list[str]:
    return [worded(ENGINE, text, language) for text in texts]


def pairs(sheet: Sheet[Any]) -> dict[str, str]:
    return {worded(ENGINE, a, "de"): worded(ENGINE, b, "de") for a, b in sheet.summary}


def finish(grid: Any, listed: str, words: WordSet = WORDS, letters: str = "HUURZB") -> State:
    last = state(number=6, grid=grid, letters=letters)
    rows = "\n".join(row.lower() for row in grid)
    move = ENGINE.read(last, ANNA, block(f"{rows}\n{listed}"), words).move
    return ENGINE.resolve(last, {ANNA: move} if move else {}, DICE, words).state


def counted(final: State) -> dict[str, str]:
    """Line -> words of seat 1, as in the facts."""
    return dict(ENGINE.view(final, SPECTATOR).seat_facts[ANNA]["words"])


# The numbered rules


def test_rule_1_title_and_profile() -> None:
    """Rule 1: the game is Crossword, with the words of the Duden profile."""
    assert (ENGINE.rules.key, ENGINE.rules.title, ENGINE.rules.profile) == ("crossword", "Crossword", "duden")


def test_rule_2_six_players_with_an_empty_grid() -> None:
    """Rule 2: six players, each starts with an empty grid of 6x6."""
    started = ENGINE.start({seat: Wish(letter="E") for seat in SEATS}, {}, DICE)
    assert started.state.grids == (EMPTY,) * 6
    assert ENGINE.rules.seats == (6, 6)
    assert ENGINE.due(started.state) == frozenset(SEATS)


def test_rule_2_not_with_five() -> None:
    """Rule 2: with five players there is no start, and the free seat is named."""
    with pytest.raises(SetupError, match=r"SETUP_FREE.*'seat': 6"):
        ENGINE.start({seat: Wish(letter="E") for seat in SEATS[:5]}, {}, DICE)
    with pytest.raises(SetupError, match="SETUP_MANY"):
        ENGINE.start({Seat(n): Wish(letter="E") for n in range(1, 8)}, {}, DICE)


def test_rule_3_rows_columns_diagonals_both_ways() -> None:
    """Rule 3: words lie in rows, columns and both long diagonals, forwards or backwards."""
    words = WordSet(["AB", "UR"])
    final = finish(("A....U", ".B..R.", "......", "......", "......", "......"), "D1: ab 1\nD2: ur 1\n", words)
    assert counted(final) == {"D1": "ab", "D2": "ur<"}
    final = finish(("UR....", "R.....", "......", "......", "......", "......"), "Z1: ur 1\nS1: ur 1", words)
    assert counted(final) == {"Z1": "ur", "S1": "ur"}


def test_rule_3_three_words_that_do_not_overlap() -> None:
    """Rule 3: three words go into a line; a word that could only overlap another doesn't count."""
    final = finish(("ARAUUR", *OLD[2:], "......"), "Z1: ar+au+ur 3")
    assert counted(final) == {"Z1": "ar au ur"}
    final = finish(("ARA...", *OLD[2:], "......"), "Z1: ar+ar 2")
    assert counted(final) == {"Z1": "ar -ar-"}


def test_rule_4_sign_up_brings_a_wish() -> None:
    """Rule 4: the sign-up brings a letter; the GM publishes all six with who wished which."""
    sheet = ENGINE.enrol(block("Neu: d"), {})
    assert sheet.move == Wish(letter="D")
    assert pairs(sheet) == {"Wunschbuchstabe": "D"}
    started = ENGINE.start({seat: Wish(letter="DNTIRO"[seat - 1]) for seat in SEATS}, {}, DICE)
    view = ENGINE.view(started.state, SPECTATOR)
    assert drawn(ENGINE, view)[0] == "# Buchstaben für Runde 1: D N T I R O"
    assert view.facts == {"round": 1, "rounds": 6, "letters": "DINORT"}
    assert "Wilhelmine B1 D" in drawn(ENGINE, view)[1]


def test_rule_4_without_a_wish_no_start() -> None:
    """Rule 4: a missing wish is asked for, and keeps the game from starting."""
    assert said(ENGINE.enrol(block(""), {}).wanted) == [
        "Dein Wunschbuchstabe für Runde 1 fehlt noch, zum Beispiel »Neu: E«."
    ]
    entries = {seat: None if seat == 3 else Wish(letter="E") for seat in SEATS}
    with pytest.raises(SetupError, match=r"SETUP_WISHES.*'seat': 3"):
        ENGINE.start(entries, {}, DICE)


def test_rule_5_grid_and_new_wish() -> None:
    """Rule 5: the letters of the round go into the grid, the new wish into the next round, new cells are marked."""
    sheet = read("Neu: D\nbrecHt\nra..Ua\n......\n......\n......\n......")
    assert sheet.move == Move(grid=("BRECHT", "RA..UA", "......", "......", "......", "......"), wish="D")
    assert pairs(sheet) == {"Gesetzt": "e1 H, e2 U", "Nicht gesetzt": "B, R, U, Z", "Wunsch für Runde 2": "D"}
    after = ENGINE.resolve(state(), {ANNA: sheet.move}, DICE, WORDS).state
    assert after.round == 2
    assert after.wishes == ("D", "U", "U", "R", "Z", "B")
    grid = ENGINE.view(after, BEN).sections[1].grids[0]
    assert [(cell.text, cell.new) for cell in grid.cells[0]][3:] == [("c", False), ("H", True), ("t", False)]
    assert grid.seat == ANNA


def test_rule_5_not_all_letters_need_be_placed() -> None:
    """Rule 5: letters may stay out; a remark names them."""
    sheet = read(f"Neu: D\n{SIX_ROWS}")
    assert sheet.move is not None
    assert said(sheet.remarks) == ["Nicht gesetzt: B, H, R, U, U, Z. Das darfst du, kannst es aber nicht nachholen."]


def test_rule_5_exactly_six_rounds() -> None:
    """Rule 5: the game ends with the sixth round, whoever moves."""
    position = state(number=5)
    position = ENGINE.resolve(position, {}, DICE, WORDS).state
    assert (ENGINE.round(position), ENGINE.outcome(position)) == (6, None)
    position = ENGINE.resolve(position, {}, DICE, WORDS).state
    assert ENGINE.round(position) == 6
    assert ENGINE.due(position) == frozenset()
    assert ENGINE.resolve(position, {}, DICE, WORDS).state == position


def test_rule_5_blank_cells_end_a_word() -> None:
    """Rule 5: no word reaches over a blank cell."""
    final = finish(("U.R...", *OLD[2:], "......"), "ur 1")
    assert counted(final) == {}
    assert "* UR passt in keine Linie." in drawn(ENGINE, ENGINE.view(final, SPECTATOR))


def test_rule_6_points_by_length() -> None:
    """Rule 6: lengths 2 3 4 5 6 give 1 3 5 7 10; the player's own figures count nothing."""
    words = WordSet(["AB", "ABC", "ABCD", "ABCDE", "ABCDEF"])
    grid = ("AB....", "ABC...", "ABCD..", "ABCDE.", "ABCDEF", "......")
    final = finish(grid, "Z1: ab 90\nZ2: abc 90\nZ3: abcd\nZ4: abcde\nZ5: abcdef 1\nSumme 999", words)
    assert final.results[0].points == 26


def test_rule_6_substitute_after_a_refusal_only() -> None:
    """Rule 6: one substitute a line; it stands in for a refused word, not for a doubtful or accepted one."""
    grid = ("USWUR.", *OLD[2:], "......")
    assert counted(finish(grid, "Z1: usw (ur) 1")) == {"Z1": "-usw- +ur"}
    assert counted(finish(grid, "Z1: wsu / ur 1")) == {"Z1": "wsu<?"}
    assert counted(finish(grid, "Z1: ur / usw 1")) == {"Z1": "ur"}


def test_rule_6_substitute_must_not_overlap_what_stands() -> None:
    """Rule 6 and games.md 5: a substitute overlaps no word that stands, a doubtful one included."""
    assert counted(finish(("USWUR.", *OLD[2:], "......"), "Z1: usw+ur / wur 2")) == {"Z1": "-usw- ur +-wur-"}
    assert counted(finish(("USWRA.", *OLD[2:], "......"), "Z1: usw+ra / ar 2")) == {"Z1": "-usw- ra? +-ar-"}


def test_rule_6_a_word_beside_a_struck_one_is_no_substitute() -> None:
    """Rule 6: what is told as the substitute was named as one; another word of the line stands for itself."""
    final = finish(("USWUR.", *OLD[2:], "......"), "Z1: usw+ur 2")
    notes = [line for line in drawn(ENGINE, ENGINE.view(final, SPECTATOR)) if "USW" in line and line.startswith("* ")]
    assert notes == ["* Z1 USW gestrichen: Abkürzung."]


def test_rule_7_reasons_are_named() -> None:
    """Rule 7: what isn't allowed is struck with its reason; what the list doesn't know is doubtful."""
    final = finish(("USW.XY", *OLD[2:], "......"), "Z1: usw+xy 4")
    lines = drawn(ENGINE, ENGINE.view(final, SPECTATOR))
    assert "* Z1 USW gestrichen: Abkürzung." in lines
    assert "* Z1 XY gestrichen: kein gültiges Wort." in lines


@pytest.mark.parametrize(
    ("wish", "problem"),
    [
        ("Ä", "Ä kannst du dir nicht wünschen, nur A bis Z ohne Umlaute und ß."),
        ("ß", "ß kannst du dir nicht wünschen, nur A bis Z ohne Umlaute und ß."),
        ("DE", "Wünsch dir bitte genau einen Buchstaben, ich lese »DE«. Richtig ist zum Beispiel »Neu: E«."),
        ("3", "»3« kannst du dir nicht wünschen, nur einen Buchstaben von A bis Z."),
        ("²", "»²« kannst du dir nicht wünschen, nur einen Buchstaben von A bis Z."),
    ],
)
def test_rule_7_no_umlaut_is_wished(wish: str, problem: str) -> None:
    """Rule 7: umlauts and ß can't be wished; nor can several letters or figures."""
    assert said(ENGINE.enrol(block(f"Neu: {wish}"), {}).problems) == [problem]
    sheet = read(f"Neu: {wish}\n{SIX_ROWS}")
    assert said(sheet.problems) == [problem]
    assert sheet.offer[0] == "Neu:"


def test_rule_7_umlauts_of_a_list_are_two_letters() -> None:
    """Rule 7: an umlaut in a word list is read as AE, OE, UE, ß as SS."""
    words = WordSet(["UEBEL", "FUSS"])
    assert counted(finish(("UEBEL.", "FUSS..", *OLD[2:]), "übel 7\nFuß 5", words)) == {"Z1": "uebel", "Z2": "fuss"}


def test_rule_8_nmr() -> None:
    """Rule 8: without a move the letters are lost for good and the last wish is repeated; everybody may know."""
    position = state(number=2)
    closed = ENGINE.resolve(position, {}, DICE, WORDS)
    assert closed.state.grids == position.grids
    assert closed.state.wishes == position.wishes
    assert closed.state.repeated == (True,) * 6
    assert closed.state.nmr[0] == (2,)
    assert closed.events[0].readers == EVERYONE
    assert said([closed.events[0].text]) == [
        "Kein Zug von Wilhelmine B1 (NMR): Die Buchstaben der Runde verfallen, der Wunsch H wird wiederholt."
    ]
    lines = drawn(ENGINE, ENGINE.view(closed.state, BEN))
    assert "Wilhelmine B1 H (wiederholt)" in lines[1]
    assert "seat 1 NMR" in lines
    assert ENGINE.view(closed.state, BEN).seat_facts[ANNA]["nmr"] == [2]


def test_rule_8_a_left_seat_waits_for_a_standby() -> None:
    """Rule 8: the GM may put in a standby; until then the seat stays due and is NMR."""
    position = state()
    left = ENGINE.resign(position, BEN, DICE)
    assert ENGINE.give_up(left.state, frozenset()) == position
    assert BEN in ENGINE.due(left.state)
    assert left.events[0].readers == EVERYONE
    assert ENGINE.resign(left.state, BEN, DICE).state == left.state


def test_who_gave_up_ranks_last_with_points_shown() -> None:
    """rulings.md, All games: a seat given up without a standby ranks behind all others, whatever its points."""
    position = replace(state(), round=6, given_up=(BEN,))
    best = Result(claims=(Claim(line=0, word="TANZEN", start=0, status="accepted", points=10),))
    ended = replace(position, over=True, results=(Result(), best, *[Result()] * 4))
    outcome = ENGINE.outcome(ended)
    assert outcome
    assert [(line.rank, line.points) for line in outcome.standings if line.seat == BEN] == [(6, 10)]
    assert BEN not in outcome.winners
    assert len(outcome.winners) == 5
    assert any("Wilhelmine B2 (ausgeschieden)" in line for line in drawn(ENGINE, ENGINE.view(ended, SPECTATOR)))


def test_the_last_seat_in_play_has_won() -> None:
    """rulings.md, All games: one seat left in play has won and the game ends at once, in Crossword too."""
    position = state()
    for seat in (1, 2, 3, 4):
        position = ENGINE.resign(position, Seat(seat), DICE).state
    assert ENGINE.outcome(position) is None
    left = ENGINE.resign(position, Seat(6), DICE)
    outcome = ENGINE.outcome(left.state)
    assert outcome
    assert outcome.winners == (Seat(5),)
    assert [(line.rank, line.seat, line.points) for line in outcome.standings[:2]] == [(1, 5, None), (2, 1, None)]
    assert said(event.text for event in left.events)[-1] == "Nur Wilhelmine B5 ist noch im Spiel und gewinnt."
    lines = drawn(ENGINE, ENGINE.view(left.state, SPECTATOR))
    assert lines[:3] == ["# Endstand", "Pl.  Name", "1    Wilhelmine B5"]
    assert ENGINE.look_back(left.state, WORDS, DICE) == ()


def test_rule_9_most_points_win() -> None:
    """Rule 9: the points of all valid words are added up; equal sums share a rank (games.md 8)."""
    last = state(number=6, grid=("ARAUUR", *OLD[2:], "......"))
    last = replace(last, lists=(("ar+au 2",), *((),) * 5))
    outcome = ENGINE.outcome(ENGINE.resolve(last, {}, DICE, WORDS).state)
    assert outcome is not None
    assert [(line.rank, line.seat, line.points) for line in outcome.standings] == [
        (1, 1, 2), *((2, seat, 0) for seat in range(2, 7))
    ]  # fmt: skip


# The example of the rule text


EXAMPLE_BEFORE = ("BREC.T", "RA...A", "U....N", "......", ".....E", ".....N")
EXAMPLE_AFTER = ("BRECHT", "RA..UA", "UR...N", ".....Z", ".....E", "R..B.N")


def test_example_in_one_column() -> None:
    """The rule text's example: D is wished, and H, U, R, Z, R, B are new."""
    position = state(grid=EXAMPLE_BEFORE, letters="HURZRB")
    sheet = read("Neu: D\nbrecHt\nra..Ua\nuR...n\n.....Z\n.....e\nR..B.n", position)
    assert sheet.move == Move(grid=EXAMPLE_AFTER, wish="D")
    assert pairs(sheet)["Gesetzt"] == "e1 H, e2 U, b3 R, f4 Z, a6 R, d6 B"
    assert not sheet.remarks


PRINTED = """
Neu: D                                   brecht  10
brecHt                                   Ar+au    2
ra..Ua                                   Ur       1
uR...n                                   ...
.....Z                                   Summe   90
.....e
R..B.n
"""


@pytest.mark.parametrize("number", [3, 6])
def test_example_in_two_columns(number: int) -> None:
    """The example as printed: the right column is the list, `...` is skipped (rulings 3.2)."""
    sheet = read(PRINTED, state(number=number, grid=EXAMPLE_BEFORE, letters="HURZRB"))
    assert sheet.move is not None
    assert sheet.move.grid == EXAMPLE_AFTER
    assert sheet.move.words == ("brecht  10", "Ar+au    2", "Ur       1", "Summe   90")
    if number == 3:
        assert sheet.move.wish == "D"
        assert pairs(sheet)["Wörterliste"] == "3 Einträge"
        assert "Deine Wörterliste hebe ich auf. Sie zählt, wenn in Runde 6 keine neue kommt." in said(sheet.remarks)
    else:
        assert sheet.move.wish == ""
        assert pairs(sheet)["Z2"] == "AR< AU< = 2"
        assert "Summe: Du schreibst 90, ich zähle 13." in said(sheet.remarks)


# Rulings: the grid


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("brec.tt", "Zeile 1 (»brec.tt«): 7 statt 6 Felder. Jedes leere Feld braucht einen Punkt."),
        ("brect", "Zeile 1 (»brect«): 5 statt 6 Felder. Jedes leere Feld braucht einen Punkt."),
        ("brac.t", "Feld c1: Dort liegt E, du schickst A. Was liegt, bleibt liegen."),
        ("br.c.t", "Feld c1: Dort liegt E, bei dir ist das Feld leer. Was liegt, bleibt liegen."),
        ("brecXt", "Feld e1 ist frei, aber X gehört nicht zu den Buchstaben dieser Runde (B, H, R, U, U, Z)."),
        ("brecÄt", "Feld e1: Du schickst Ä; im Raster wird das AE geschrieben, in zwei Feldern."),
        ("brec1t", "Feld e1: Du schickst »1«; richtig ist ein Buchstabe von A bis Z oder ein Punkt."),
        ("br3c.t", "Feld c1: Dort liegt E, du schickst 3. Was liegt, bleibt liegen."),
        ("brecıt", "Feld e1: Du schickst »ı«; richtig ist ein Buchstabe von A bis Z oder ein Punkt."),
    ],
)
def test_refused_cells(row: str, problem: str) -> None:
    """games.md 4: every fault names its cell, what lies there, what was sent and what would be right."""
    sheet = read(SIX_ROWS.replace("brec.t", row))
    assert said(sheet.problems) == [problem]
    assert sheet.move is None
    assert sheet.offer == ("Neu:", *SIX_ROWS.splitlines())
    assert len(sheet.grids) == 1


def test_all_problems_at_once() -> None:
    """Conventions: an illegal block is answered with every reason at once."""
    sheet = read("Neu: ÄÖ\nRunde: 4\nbracHt\nra.X.a\nZZ....\n......\n....x\n......")
    assert [text.code for text in sheet.problems] == [
        "ROUND_OTHER", "ROW_LENGTH", "OLD_CHANGED", "FOREIGN", "TOO_OFTEN", "WISH_SEVERAL"
    ]  # fmt: skip
    assert sheet.offer == ("Neu:", "brecHt", "ra...a", "Z.....", "......", "......", "......")


def marked(sheet: Sheet[Move], mark: str) -> list[str]:
    """The names of cells that are drawn with a mark."""
    (grid,) = sheet.grids
    return [
        f"{column}{row}"
        for row, line in zip(grid.rows, grid.cells, strict=True)
        for column, cell in zip(grid.columns, line, strict=True)
        if cell.mark == mark
    ]


def test_the_grid_as_read_marks_what_is_wrong() -> None:
    """Issue 28: a refused move shows which cell it was, and of a letter laid too often all its cells."""
    sheet = read("neu: E\nbracHt\nra.X.a\nZZ....\n......\n......\n......")
    assert marked(sheet, "wrong") == ["c1", "d2", "a3", "b3"]
    assert marked(read("neu: E\nbrecHt\nra...a\nZ.....\n......\n......\n......"), "wrong") == []
    assert marked(read("neu: E\nbr.c.t\nra...a\nZ.....\n......\n......\n......"), "wrong") == ["c1"]


def test_words_of_the_list_tell_where_they_lie() -> None:
    """Issue 28: pages outline a word on the board, from its first letter to its last, also backwards and diagonally."""
    final = finish(("URA...", "U.....", "..R...", "......", ".....X", "......"), "Z1: ur+usw 1\nS1: uu 1\nD1: ur 1")
    lying = {(word.word, word.first, word.last) for word in ENGINE.view(final, SPECTATOR).words}
    assert ("UR", "a1", "b1") in lying
    assert ("UU", "a1", "a2") in lying
    assert ("USW", "", "") in lying
    backwards = finish(("..RU..", *OLD[2:], "......"), "Z1: ur 1")
    assert [(word.first, word.last) for word in ENGINE.view(backwards, SPECTATOR).words] == [("d1", "c1")]
    up = finish(("......",) * 4 + (".R....", "U....."), "D2: ur 1")
    assert [(word.first, word.last) for word in ENGINE.view(up, SPECTATOR).words] == [("a6", "b5")]


def test_seven_rows() -> None:
    """games.md 4: a seventh row is one that holds a dot; letters only belong to the list."""
    problems = said(read(f"Neu: D\n{SIX_ROWS}\n...H..").problems)
    assert problems[0] == "Ich lese 7 statt 6 Zeilen; auch die leeren gehören dazu (»......«)."
    assert "Nicht gelesen: »Gruß Anna«." in said(read(f"Neu: D\n{SIX_ROWS}\nGruß Anna").remarks)
    assert read(f"Neu: D\n{SIX_ROWS}\nHUURZB").move is not None


def test_five_rows_are_compared() -> None:
    """A lost row is found by what lies there; the offer is whole."""
    sheet = read("Neu: D\nra..Ua\n......\n......\n......\n......")
    assert said(sheet.problems) == ["Ich lese 5 statt 6 Zeilen; auch die leeren gehören dazu (»......«)."]
    assert sheet.offer == ("Neu: D", "brec.t", "ra..Ua", "......", "......", "......", "......")


@pytest.mark.parametrize(
    ("sent", "offered"),
    [("HUURZB.", "HUURZB"), (".HUURZB", "HUURZB"), ("HU.URZB", "HUURZB"), ("HUXURZB", "HUURZB"), ("HU..URB", "HU.URB"),
     ("HURZ", "HURZ..")],
)  # fmt: skip
def test_a_cell_too_many_is_no_letter_of_the_round(sent: str, offered: str) -> None:
    """games.md 4: in place of a row of another length as much of it is offered as can lie there."""
    sheet = read(f"Neu: D\nbrec.t\nra...a\n{sent}\n......\n......\n......")
    assert [problem.code for problem in sheet.problems] == ["ROW_LENGTH"]
    assert sheet.offer[3] == offered


def test_many_rows_and_long_rows_are_answered() -> None:
    """However many rows and cells there are, the answer comes and offers six by six."""
    sheet = read("Neu: D\n" + "............\n" * 6 + ".....\n" * 8)
    assert sheet.problems
    assert [len(line) for line in sheet.offer[1:]] == [6] * 6


def test_case_is_only_a_checksum() -> None:
    """games.md 4: case that disagrees is accepted with a remark."""
    sheet = read("Neu: D\nBREChT\nra..ua\n......\n......\n......\n......")
    assert sheet.move is not None
    assert sheet.move.grid[:2] == ("BRECHT", "RA..UA")
    assert said(sheet.remarks)[:2] == [
        "Neu, aber klein geschrieben: e1, e2. Ich nehme sie als neu gesetzt.",
        "Groß geschrieben, obwohl sie schon liegen: a1, b1, c1, d1, f1. Das schadet nicht.",
    ]
    assert "..." in said(read("Neu: D\nBREC.T\nRA...A\n......\n......\n......\n......").remarks)[0]


def test_odd_blanks() -> None:
    """games.md 4: blanks as `_`, `-`, a middle dot or an ellipsis, and blanks between the cells, are accepted."""
    sheet = read("Neu: D\nb r e c _ t\nra\t- - -a\n······\n------\n______\n… …")
    assert sheet.move is not None
    assert said(sheet.remarks)[0] == "Leere Felder habe ich als Punkte gelesen."
    assert read("Neu: D\n" + "------\n" * 6, state(grid=EMPTY)).move is not None


def test_grid_with_coordinates() -> None:
    """A grid copied from a confirmation, with column letters and row numbers, is read."""
    sheet = read("Neu: D\na b c d e f\n1 b r e c H t\n2 r a . . . a\n3 ......\n4 ......\n5 ......\n6 ......")
    assert sheet.move == Move(grid=("BRECHT", *OLD[1:]), wish="D")
    assert read("Neu: D\na b c d e f").move is None


def test_six_of_a_letter() -> None:
    """Rulings 2: if all want E, six E may be placed."""
    assert read("Neu: D\nbrecEt\nraEEEa\nEE....\n......\n......\n......", state(letters="EEEEEE")).move is not None


# Rulings: what a block leaves out, wishes, rounds


OWN = Move(grid=("BRECHT", "RA...A", "......", "......", "......", "......"), wish="D", words=("brecht 10",))


def test_only_a_wish_keeps_the_grid() -> None:
    """A block without a grid keeps the grid on file, or else the old one."""
    sheet = read("Neu: E", own=OWN)
    assert sheet.move == replace(OWN, wish="E")
    assert said(sheet.remarks)[0].startswith("Im Block steht kein Raster; es bleibt bei dem Raster")
    sheet = read("Neu E")
    assert sheet.move == Move(grid=OLD, wish="E")
    assert said(sheet.remarks)[0] == "Im Block steht kein Raster; dein Raster bleibt, wie es ist."


def test_only_a_grid_keeps_wish_and_list() -> None:
    """A block without `Neu:` keeps the wish on file, with a remark, and the list."""
    sheet = read(SIX_ROWS.replace("ra...a", "ra..Ua"), own=OWN)
    assert sheet.move == Move(grid=("BREC.T", "RA..UA", *OLD[2:]), wish="D", words=OWN.words)
    assert said(sheet.remarks)[0] == "Im Block steht kein Wunschbuchstabe; es bleibt bei deinem D."


def test_unchanged_grid_takes_letters_back() -> None:
    """A grid is sent as a whole: without new letters the earlier ones are back in hand, and a remark says so."""
    sheet = read(f"Neu: E\n{SIX_ROWS}", own=OWN)
    assert sheet.move is not None
    assert sheet.move.grid == OLD
    assert "Dein Raster kam ohne neue Buchstaben" in said(sheet.remarks)[0]


def test_missing_wish_is_asked_for() -> None:
    """bulletins.md: a grid without a wish is taken, the letter asked for, and the last one repeated at the ZAT."""
    sheet = read(SIX_ROWS.replace("ra...a", "ra..Ua"))
    assert sheet.move is not None
    assert "wird dein letzter wiederholt" in said(sheet.wanted)[0]
    assert pairs(sheet)["Wunsch für Runde 2"] == "nichts"
    closed = ENGINE.resolve(state(), dict.fromkeys(SEATS, sheet.move), DICE, WORDS)
    assert closed.state.wishes == state().wishes
    assert said([closed.events[0].text]) == ["Wilhelmine B1 hat nichts gewünscht: H wird wiederholt."]


def test_two_wishes() -> None:
    """Two different wishes are none; the same one twice does no harm."""
    assert [text.code for text in read("Neu: D\nNeu: E").problems] == ["WISH_SEVERAL"]
    move = read("Neu: D\nNeu: D").move
    assert move is not None
    assert move.wish == "D"


def test_template_is_no_move() -> None:
    """Rulings 3.14: the block as we sent it is nothing; `Neu: D` with an unchanged grid is a move."""
    lines = ENGINE.view(state(), ANNA).block
    assert lines == ("Neu:", *SIX_ROWS.splitlines())
    for own in (None, OWN):
        sheet = read("\n".join(lines), own=own)
        assert sheet.move is None
        assert (sheet.problems, sheet.remarks, sheet.wanted) == ((), (), ())
    assert read("").move is None
    assert read(f"Neu: D\n{SIX_ROWS}").move == Move(grid=OLD, wish="D")


@pytest.mark.parametrize("line", ["Runde: 3", "Round: 3", "Runde: drei", "Runde: 0", "Runde: 3 von 6"])
def test_block_for_another_round(line: str) -> None:
    """Rulings 3.17: a block that names another round is refused."""
    problems = said(read(f"{line}\nNeu: D\n{SIX_ROWS}").problems)
    assert len(problems) == 1
    assert "gespielt wird Runde 1" in problems[0]


@pytest.mark.parametrize("line", ["Runde: 1", "Round: 01", "Runde: 1 von 6", "Runde:", "Partie: Eriwan"])
def test_block_for_this_round(line: str) -> None:
    """Rulings 3.17: the present round may be named; `Partie:` says nothing."""
    sheet = read(f"{line}\nNeu: D\n{SIX_ROWS}")
    assert sheet.move is not None
    assert len(sheet.remarks) == 1


def test_wish_in_round_6_is_ignored() -> None:
    """Round 6 has no wish: one that is sent has no effect, and is remarked on."""
    sheet = read(f"Neu: ÄÖ\n{SIX_ROWS.replace('ra...a', 'ra..Ua')}", state(number=6))
    assert sheet.move is not None
    assert sheet.move.wish == ""
    assert said(sheet.remarks)[0] == "In der letzten Runde wird nichts mehr gewünscht; »Neu:« bewirkt nichts."
    assert [text.code for text in read("Neu: E", state(number=6)).remarks] == ["WISH_IGNORED"]
    assert ENGINE.view(state(number=6), ANNA).block == tuple(SIX_ROWS.splitlines())


def test_greeting_below_a_wish() -> None:
    """A name below `Neu: E` is not read as a row, and may be none: with nothing on file the grid is asked for."""
    sheet = read("Neu: E\nAnna", own=OWN)
    assert sheet.move == replace(OWN, wish="E")
    assert "Nicht gelesen: »Anna«." in said(sheet.remarks)
    assert [text.code for text in read("Neu: E\nAnna").problems] == ["NO_GRID"]


@pytest.mark.parametrize("rows", ["b r e c . t!\n" * 6, "ROT IN\nD", "brec:.t\n......!\n......!\n......!"])
@pytest.mark.parametrize("own", [None, OWN])
def test_rows_that_nobody_can_read(rows: str, own: Move | None) -> None:
    """A wish above lines that were meant as rows is no move: its letters would be lost without a word."""
    sheet = read(f"Neu: E\n{rows}", own=own)
    assert sheet.move is None
    assert sheet.offer == ("Neu:", *SIX_ROWS.split("\n"))
    assert read("\n".join(sheet.offer), own=own).move is None


@pytest.mark.parametrize("row", ["??????", "XXXXXX", "QQ", "ÄÖÜ!!!"])
def test_an_unreadable_grid_is_never_answered_with_an_empty_one_that_counts(row: str) -> None:
    """games.md, Conventions: what is offered in place of a grid of which no letter can lie is no move itself."""
    for position, head, rest in ((state(), "Neu: E\n", ""), (state(number=6), "", "\nbrecht 10\nSumme 10")):
        sheet = read(head + SIX_ROWS.replace("......", row, 1) + rest, position)
        assert sheet.problems
        assert read("\n".join(sheet.offer), position).move is None


@pytest.mark.parametrize("dots", ["...", "....", ".....", ".......", "_____", ". . . . ."])
def test_a_dot_is_missing_in_an_empty_row(dots: str) -> None:
    """games.md 4: nothing lies in the row, so there is no doubt what it means: it is filled, with a remark."""
    rows = SIX_ROWS.replace("ra...a", "ra..Ua").split("\n")
    sheet = read("\n".join(("Neu: E", *rows[:3], dots, *rows[4:])))
    assert sheet.move is not None
    assert sheet.move.grid[1:4] == ("RA..UA", "......", "......")
    assert "Zeile 4 ist leer; ich lese sechs Punkte." in said(sheet.remarks)
    assert read("\n".join(("Neu: E", rows[0], "ra..a", *rows[2:]))).move is None
    assert read("\n".join(("Neu: E", rows[0], ".....", *rows[2:]))).move is None


@pytest.mark.parametrize(
    "lines", ["a3 H, b3 U, c3 R", "a3 H\nb3 U\nc3 R", "A3: H; B3: U; C3: R.", "a3=h b3=u".replace(" ", ", ") + "\nc3 r"]
)
def test_letters_by_their_cells(lines: str) -> None:
    """games.md 4: letters named with their cells are put where the round found the grid, and a remark says so."""
    sheet = read(f"Neu: E\n{lines}\nGruß Anna", own=replace(OWN, wish="D"))
    assert sheet.move is not None
    assert (sheet.move.grid, sheet.move.wish) == (("BREC.T", "RA...A", "HUR...", *EMPTY[3:]), "E")
    assert said(sheet.remarks)[0].startswith("Du nennst Felder statt eines Rasters")


def test_cells_that_can_not_be() -> None:
    """games.md 4: a taken cell, a letter that nobody wished, two letters for one cell: refused with the reason."""
    assert [text.code for text in read("Neu: E\na1 H").problems] == ["OLD_CHANGED"]
    assert [text.code for text in read("Neu: E\na3 X").problems] == ["FOREIGN"]
    assert [text.code for text in read("Neu: E\na3 H, a3 U").problems] == ["NO_GRID"]
    beside = read(f"Neu: E\n{SIX_ROWS}\na3 H")
    assert beside.move is not None
    assert beside.move.grid == OLD


@pytest.mark.parametrize(
    "line", ["Neu E, sonst nichts", "Neu: E, sonst nichts", "neu e (sonst bleibt alles).", "Neu: E bitte"]
)
def test_a_wish_and_words_beside_it(line: str) -> None:
    """Rulings 3.5: what is said behind the letter is no second wish; a second letter is."""
    sheet = read(line)
    assert sheet.move == Move(grid=OLD, wish="E")
    assert [text.code for text in read("Neu: E, R").problems] == ["WISH_SEVERAL"]
    assert [text.code for text in read("Neu: E, sonst R").problems] == ["WISH_SEVERAL"]
    assert read("Neu E" + " sonst" * 30 + " 1").move is None, "it is read at once, not for years"


@pytest.mark.parametrize(
    "kind",
    ["{n}. {row}", "{n}) {row}", "{n}: {row}", "{n} {row}", "Z{n}: {row}", "Zeile {n}: {row}", "[{row}", "|{row}|"],
)
def test_labelled_rows(kind: str) -> None:
    """Numbers and names of rows beside the cells are taken off; other signs are not guessed at."""
    text = "\n".join(
        kind.format(n=n, row=row) for n, row in enumerate(SIX_ROWS.replace("ra...a", "ra..Ua").split("\n"), 1)
    )
    sheet = read(f"Neu: E\n{text}")
    assert (sheet.move is None) == (kind[0] in "[|")
    assert sheet.move is None or sheet.move.grid[1] == "RA..UA"


@pytest.mark.parametrize("mark", [",", ";", "/", "|", ", ", "*"])
def test_separated_cells(mark: str) -> None:
    """Commas and bars between the cells are no cells, nor are the stars of bold letters."""
    rows = [mark.join(row).replace(", ", ",") for row in SIX_ROWS.replace("ra...a", "ra..Ua").split("\n")]
    sheet = read("Neu: E\n" + "\n".join(rows))
    assert sheet.move is not None
    assert sheet.move.grid[1] == "RA..UA"


# Rulings: the word list


def listed(grid: Any, text: str, words: WordSet = WORDS) -> Sheet[Move]:
    return read(text, state(number=6, grid=grid), words=words)


def test_list_without_grid_in_round_6() -> None:
    """Rulings 2: a list without a grid leaves the grid; the list counts."""
    sheet = listed(("UR....", *OLD[2:], "......"), "ur 1\nSumme 1")
    assert sheet.move is not None
    assert sheet.move.grid[0] == "UR...."
    assert pairs(sheet)["Z1"] == "UR = 1"


def test_last_list_counts() -> None:
    """games.md 5 and 7: the list of an earlier round counts if round 6 brings none, also with NMR."""
    last = state(number=6, grid=("UR....", *OLD[2:], "......"), lists=(("ur 1",), *((),) * 5))
    sheet = read("urU...\n" + "......\n" * 5, last)
    assert "Im Block steht keine Wörterliste; es zählt die, die du früher geschickt hast." in said(sheet.remarks)
    assert ENGINE.resolve(last, {}, DICE, WORDS).state.results[0].points == 1
    early = ENGINE.resolve(state(number=5), {ANNA: Move(grid=OLD, wish="E", words=("ar 1",))}, DICE, WORDS).state
    assert early.lists[0] == ("ar 1",)
    assert ENGINE.resolve(early, {}, DICE, WORDS).state.results[0].points == 1


def test_list_is_asked_for() -> None:
    """Round 6 without any list: it is asked for, because only named words count."""
    assert [text.code for text in listed(OLD, SIX_ROWS.replace("ra...a", "ra..Ua")).wanted] == ["LIST_WANTED"]


def test_list_stays_when_the_wish_changes() -> None:
    """A later block without a list keeps that of the move on file, and doesn't announce it again."""
    sheet = read("Neu: E", own=OWN)
    assert sheet.move is not None
    assert sheet.move.words == OWN.words
    assert pairs(sheet)["Wörterliste"] == "1 Eintrag"
    without = replace(state(), lists=(("ar 1",), *((),) * 5))
    assert not any(text.code == "LIST_EARLY" for text in read("Neu: E", without).remarks)


def test_order_decides_between_lines() -> None:
    """Rulings 2: rising lines so that most entries fit, then most points, then earliest."""
    grid = ("UR....", "R.....", "......", "......", "......", "UR....")
    assert pairs(listed(grid, "ur 1")).keys() >= {"Z1"}
    assert pairs(listed(grid, "ur 1\nur 1\nur 1")).keys() >= {"Z1", "Z6", "S1"}
    assert pairs(listed(grid, "Z6: ur 1\nur 1")).keys() >= {"Z6", "S1"}
    sheet = listed(("UR....", "RAR...", "......", "......", "......", "......"), "S1: ur 1\nC2: ra 1\nR1: ur 1")
    assert pairs(sheet).keys() >= {"S1", "S2", "Z1"}


def test_entries_for_one_line_join() -> None:
    """Rulings 2: an unlabelled entry may stand for the line of the one above, or of a label, up to three words."""
    grid = ("ARAUUR", "UR....", *("......",) * 4)
    for text in ("ar 1\nau 1\nur 1\nur 1", "Z1: ar 1\nau 1\nur 1\nur 1", "au 1\nZ1: ar\nur 1\nur 1"):
        sheet = listed(grid, text)
        assert {words.replace(" = ", " ") for words in (pairs(sheet)["Z1"], pairs(sheet)["Z2"])} >= {"UR 1"}
        assert sorted(pairs(sheet)["Z1"][:8].split()) == ["AR", "AU", "UR"]
        assert not any("passt" in remark for remark in said(sheet.remarks))
    assert counted(finish(grid, "ar 1\nau 1\nSumme 2")) == {"Z1": "ar au"}


def test_entries_join_out_of_their_order() -> None:
    """Rulings 2: what fits nowhere in order is tried on a line with room, too."""
    sheet = listed(("ARAU..", *("......",) * 4, "UR...."), "ur 1\nar 1\nau 1")
    assert pairs(sheet).keys() >= {"Z1", "Z6"}
    assert pairs(sheet)["Z1"] == "AR AU = 2"


def test_an_entry_that_nobody_reads_is_quoted_with_the_form() -> None:
    """Rulings 3.13: a line with a figure that is no entry is told, with what would be one."""
    sheet = listed(("AR....", *("......",) * 5), "ar 1\nS2 = rar -> 3\nBis bald\nSumme 1")
    assert [remark for remark in said(sheet.remarks) if remark.startswith("Nicht gelesen")] == [
        "Nicht gelesen: »S2 = rar -> 3«. In der Wörterliste heißt es zum Beispiel »rar 3«, »S2: rar 3« oder mit "
        "Ersatzwort »urb / ur 3«.",
        "Nicht gelesen: »Bis bald«.",
    ]


def test_out_of_order_entries_are_tried_anywhere() -> None:
    """Rulings 2: what fits nowhere in order is tried on any free line, with a remark."""
    sheet = listed(("AR....", "......", "UR....", *("......",) * 3), "ur 1\nar 1")
    assert pairs(sheet).keys() >= {"Z1", "Z3"}
    assert "AR passt nicht in die Reihenfolge; ich zähle es in Z1." in said(sheet.remarks)


def test_entry_of_which_the_greater_part_lies() -> None:
    """Of an entry that fits nowhere whole, the words count that lie together in a free line; the rest is struck."""
    sheet = listed(("BRAU..", *("......",) * 5), "brau+xyz 8\nzzz 3")
    assert pairs(sheet)["Z1"] == "BRAU? -XYZ- = 0, dazu 5 offen"
    assert "ZZZ passt in keine freie Linie deines Rasters." in said(sheet.remarks)
    assert any(remark.startswith("Z1: XYZ zählt nicht: liegt nicht") for remark in said(sheet.remarks))


BRATEN_AND_RAT = ("BRATEN", ".R....", "..A...", "...T..", "......", "......")
"""RAT lies in the first row, within BRATEN, and in the diagonal."""


@pytest.mark.parametrize(
    ("sent", "lines"),
    [
        ("braten+rat 13", {"Z1": "braten -rat-"}),
        ("braten 10\nbraten+rat 13", {"Z1": "braten"}),
        ("braten 10\nrat+braten 13", {"Z1": "braten"}),
        ("Z1: braten 10\nbraten+rat / rat 13", {"Z1": "braten"}),
        ("bieten+rat 13", {}),
        ("braten 10\nrat 3", {"Z1": "braten", "D1": "rat"}),
        ("D1: braten+rat 13", {"D1": "-braten- rat"}),
    ],
)
def test_a_part_counts_in_no_line_that_was_not_named(sent: str, lines: dict[str, str]) -> None:
    """Rulings 2: an entry means one line, and what fits nowhere is tried as an entry, never a word of it by itself."""
    words = WordSet(["BRATEN", "RAT", "BIETEN"])
    assert counted(finish(BRATEN_AND_RAT, sent, words)) == lines


def test_same_label_twice_is_one_line() -> None:
    """A player may write a word a line: entries of one label belong together, without a fourth word."""
    sheet = listed(("ARAUUR", *("......",) * 5), "Z1: ar 1\nZ1: au\nZ1: ur+ra 1")
    assert pairs(sheet)["Z1"] == "AR AU UR = 3"
    assert "Z1: Mehr als drei Wörter gehen nicht in eine Linie; weggefallen: RA." in said(sheet.remarks)


def test_fourth_word_is_dropped() -> None:
    """Rulings 2: a line is taken without its surplus words, with a remark."""
    sheet = listed(("ARAUUR", *("......",) * 5), "ar+au+ur+ar 4")
    assert pairs(sheet)["Z1"] == "AR AU UR = 3"
    assert "Z1: Mehr als drei Wörter gehen nicht in eine Linie; weggefallen: AR." in said(sheet.remarks)


def test_refused_words_are_told_at_once() -> None:
    """The confirmation names refused words with the reason, and asks about doubtful ones and their substitutes."""
    sheet = listed(("USWXYZ", *("......",) * 5), "usw+xyz / wx 4", WordSet(["AR"], {"USW": "ABBREVIATION"}))
    assert "Z1: USW zählt nicht: Abkürzung." in said(sheet.remarks)
    assert sheet.doubtful == ("WX", "XYZ")
    assert listed(("USWXYZ", *("......",) * 5), "xyz / wv 4").doubtful == ("XYZ",)


def test_notes_of_the_gm_are_shown() -> None:
    """A ruling's note stands beside the reason."""

    class Judge(WordSet):
        def check(self, word: str, profile: str) -> Verdict:  # noqa: ARG002
            return Verdict("refused", "RULED", note="nur in Namen")

    sheet = listed(("UR....", *("......",) * 5), "ur 1", Judge())
    assert "Z1: UR zählt nicht: vom GM gestrichen (nur in Namen)." in said(sheet.remarks)


@pytest.mark.parametrize("line", ["Summe 3", "Sum: 3", "Total = 3 P.", "summe"])
def test_sum_ends_the_list(line: str) -> None:
    """Rulings 3.13: `Summe N` ends the list; what stands below is not read."""
    sheet = listed(("UR....", "AR....", *("......",) * 4), f"ur 1\n{line}\nar 1")
    assert "Z2" not in pairs(sheet)
    assert "Nicht gelesen: »ar 1«." in said(sheet.remarks)


def test_lines_without_points() -> None:
    """Rulings 3.13: without points a line is read only if it is labelled; fillers carry nothing."""
    sheet = listed(("UR....", *("......",) * 5), "Z1: ur\nZ2: -\n-\n...\nur\nGruß Anna")
    assert pairs(sheet)["Z1"] == "UR = 1"
    assert [remark for remark in said(sheet.remarks) if "Nicht gelesen" in remark] == [
        "Nicht gelesen: »ur«.", "Nicht gelesen: »Gruß Anna«."
    ]  # fmt: skip


# Views, secrecy, the best score


def test_all_eyes_see_early_lists() -> None:
    """The archive of a finished game shows a word list that was on file before the last round."""
    early = replace(state(number=4), lists=(("ar 1", "au 1"), *((),) * 5))
    seen = ENGINE.view(early, ALL)
    assert drawn(ENGINE, seen)[-9:-7] == ["# Wörterlisten, die schon da sind", "Wilhelmine B1: ar 1; au 1"]
    assert seen.seat_facts[ANNA]["words"] == ["ar 1", "au 1"]
    assert "words" not in seen.seat_facts[BEN]


def test_words_of_a_finished_game() -> None:
    """After the end every claim is listed: accepted, refused with a reason, doubtful, and what fits no line."""
    grid = ("BREC.T", "RA...A", "UWS...", "......", "......", "......")
    final = finish(grid, "Z2: ra / ar 1\nD1: bas 3\nS1: bru 3\nqqq 3")
    words = ENGINE.view(final, SPECTATOR).words
    assert [(played.word, played.points, played.status, said([played.where])) for played in words[:-1]] == [
        ("RA", 1, "doubtful", ["Z2"]),
        ("BRU", 3, "doubtful", ["S1"]),
        ("BAS", 3, "doubtful", ["D1"]),
    ]
    assert (words[-1].word, words[-1].status, words[-1].where) == ("QQQ", "refused", None)
    assert words[-1].why
    assert worded(ENGINE, words[-1].why, "en") == "fits no line"
    ruled = finish(grid, "Z2: ra / ar 1", WordSet(["AR"], ["RA"]))
    assert [(played.word, played.status) for played in ENGINE.view(ruled, ALL).words] == [
        ("RA", "refused"),
        ("AR", "accepted"),
    ]


def test_lists_are_hidden_until_the_end() -> None:
    """A word list sent early shows to its own seat only."""
    plain = state(number=4)
    hidden = replace(plain, lists=(("ar 1",), *((),) * 5))
    same_for_others(Contract(engine=ENGINE), plain, hidden, ANNA)
    assert ENGINE.view(hidden, ANNA).seat_facts[ANNA]["words"] == ["ar 1"]


def test_a_list_is_drawn_of_two_letters_as_well() -> None:
    """Where two letters lie, another seat may have claimed them; nobody can tell."""
    pair = replace(state(number=4), grids=(EMPTY, ("AB....", *EMPTY[1:]), *(EMPTY,) * 4))
    lists = {ENGINE.resample(pair, ANNA, Dice("drawn", number)).lists[1] for number in range(20)}
    assert lists == {(), ("ab 1",)}


def test_move_on_file_is_its_seats_own() -> None:
    """A seat sees its move on file beside the public position; all others and spectators see nothing of it."""
    own = ENGINE.view(state(), ANNA, OWN)
    assert own.seat_facts[ANNA]["move"] == {"grid": ["brecht", *SIX_ROWS.splitlines()[1:]], "wish": "D"}
    assert "# Dein Zug für Runde 1 liegt vor" in drawn(ENGINE, own)
    assert ENGINE.view(state(), ANNA).seat_facts[ANNA]["move"] is None
    assert "move" not in own.seat_facts[BEN]
    for viewer in (SPECTATOR, ALL):
        view = ENGINE.view(state(), viewer, OWN)
        assert view == ENGINE.view(state(), viewer)
        assert not view.how_to
        assert "move" not in view.seat_facts[ANNA]
    last = ENGINE.view(state(number=6), ANNA, replace(OWN, wish=""))
    assert not any("Wunsch" in line for line in drawn(ENGINE, last) if line.startswith("Wunsch für"))
    bare = ENGINE.view(state(), ANNA, Move(grid=OLD))
    assert "Gesetzt: nichts" in drawn(ENGINE, bare)
    assert "Wunsch für Runde 2: nichts" in drawn(ENGINE, bare)


def test_final_view() -> None:
    """The final bulletin ranks the seats, shows their words line by line and the best possible score."""
    final = finish(("BRECHT", "USWUR.", *("......",) * 4), "brecht 10\nusw / ur 1\nSumme 11")
    assert counted(final) == {"Z1": "brecht", "Z2": "-usw- +ur"}
    lines = drawn(ENGINE, ENGINE.view(final, ANNA))
    assert lines[0] == "# Endstand"
    assert any(line.split() == ["Z1", "BRECHT", "10"] for line in lines)
    assert not any("Höchstens" in line for line in lines), "all of it was found"
    more = finish(("BRECHT", "USWUR.", *("......",) * 4), "brecht 10\nSumme 10")
    assert "* Höchstens möglich: 11 Punkte, mit Z2 UR." in drawn(ENGINE, ENGINE.view(more, ANNA))
    assert "* In diesem Raster steckt kein Wort der Liste." in lines
    facts = ENGINE.view(final, ANNA).seat_facts[ANNA]
    assert (facts["rank"], facts["points"], facts["open"], facts["best"]) == (1, 11, 0, 11)
    english = drawn(ENGINE, ENGINE.view(final, ANNA), "en")
    assert any(line.startswith("R1  BRECHT") for line in english)


def test_provisional_result() -> None:
    """While a word is doubtful the result is provisional and says what is open."""
    final = finish(("URB...", *("......",) * 5), "urb 3")
    lines = drawn(ENGINE, ENGINE.view(final, ANNA))
    assert lines[0] == "# Endstand (vorläufig)"
    assert any("0, dazu 3 offen" in line for line in lines)
    assert "* Z1 URB liegt beim GM (3)." in lines


def test_doubtful_substitute_is_open() -> None:
    """A substitute that nobody knows is open like any other word, once it is needed."""
    final = finish(("USWAB.", *("......",) * 5), "usw / ab 1")
    assert (final.results[0].points, final.results[0].open) == (0, 1)
    assert any("Ersatzwort AB: 0." in line for line in drawn(ENGINE, ENGINE.view(final, ANNA)))


def test_events_of_the_end() -> None:
    """The last closing names who sent nothing, and the first."""
    last = state(number=6, grid=("URB...", *("......",) * 5), lists=(("urb 3",), *((),) * 5))
    texts = said(event.text for event in ENGINE.resolve(last, {}, DICE, WORDS).events)
    assert texts[0].startswith("Kein Zug von Wilhelmine B1 in der letzten Runde (NMR)")
    assert texts[-1] == "Platz 1: Wilhelmine B6, 0 Punkte."


def test_suggestion_with_an_unordered_list() -> None:
    """A suggestion needs no list that can be cut; without words it still places the letters."""

    class Lazy(WordSet):
        def listed(self, profile: str) -> Any:  # noqa: ARG002
            return iter(("BRECHT", "UHU"))

    for words in (Lazy(), WordSet()):
        lines = ENGINE.suggest(state(), ANNA, DICE, words)
        assert not ENGINE.read(state(), ANNA, block("\n".join(lines)), words).problems
