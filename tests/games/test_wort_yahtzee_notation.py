"""Wort-Yahtzee: the lines of a block (rulings 3.11), the protection against repeats, and the worked examples (4)."""

from dataclasses import replace
from typing import Any

import pytest

from games.api import Seat, Sheet
from games.dice import Dice
from games.kit.testkit import WordSet, block, worded
from games.wort_yahtzee import ENGINE
from games.wort_yahtzee.rules import BONUS, Entry, Move, Player, State, Word, card_of

ANNA = Seat(1)
DICE = Dice("seed", 1)
START = ENGINE.start({ANNA: None}, {}, Dice("start", 0)).state
WORDS = WordSet(["SENATOR", "AN", "MILD", "CHANCE", "VOKALE", "RAT", "OSTER", "SO", "TONERAS"])
AERTKO = "OARTK*E"


def state(dice: str = AERTKO, *, rolls: int = 1, number: int = 1, **more: Any) -> State:
    player = Player(seat=ANNA, rolls=("BBBBBBB",) * (rolls - 1) + (dice,))
    return replace(START, round=number, players=(player,), **more)


def read(text: str, position: State | None = None) -> Sheet[Move]:
    return ENGINE.read(position or state(), ANNA, block(text), WORDS)


def said(texts: Any) -> list[str]:
    return [worded(ENGINE, text, "de") for text in texts]


def kept(text: str, dice: str = AERTKO) -> str:
    sheet = read(text, state(dice))
    assert sheet.move, said(sheet.problems)
    assert sheet.move.keep is not None
    return "".join(dice[at] for at in sheet.move.keep)


# Rolls


@pytest.mark.parametrize(
    ("text", "dice", "stay"),
    [
        ("behalte A E R", AERTKO, "ARE"),
        ("behalte aer", AERTKO, "ARE"),
        ("Behalte: A, E + R!", AERTKO, "ARE"),
        ("keep A E", AERTKO, "AE"),
        ("Ich behalte A, E, R", AERTKO, "ARE"),
        ("Ich behalte: A, E und R.", AERTKO, "ARE"),
        ("Bitte behalte A, E und R und würfle den Rest neu.", AERTKO, "ARE"),
        ("I keep A and E", AERTKO, "AE"),
        ("behalte *", AERTKO, "*"),
        ("behalte ◆ K", AERTKO, "K*"),
        ("behalte E *", AERTKO, "*E"),
        ("behalte S*", AERTKO, "*"),  # no S lies there: the diamond, as in a word
        ("behalte Ä", "OÄRTK*X", "Ä"),
        ("behalte AE", "OÄRTK*X", "Ä"),  # no A and E lie there
        ("behalte AE", "OÄRTKAE", "AE"),
        ("behalte nichts", AERTKO, ""),
        ("behalte keine", AERTKO, ""),
        ("keep nothing", AERTKO, ""),
        ("behalte S", "OSRTKAS", "S"),
        ("behalte = A, E", AERTKO, "AE"),
        ("- behalte → A E", AERTKO, "AE"),
        ("behalte ..... A E", AERTKO, "AE"),
        ("1. behalte – A E", AERTKO, "AE"),
    ],
)
def test_behalte(text: str, dice: str, stay: str) -> None:
    """Which dice stay, however it is written."""
    assert kept(text, dice) == stay


def test_of_equal_dice_the_left_one_stays() -> None:
    """Decision: who keeps one of two keeps the one on the left."""
    move = read("behalte S", state("OSRTKAS")).move
    assert move
    assert move.keep == (1,)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("behalte Z", "Z liegt nicht da. Es liegen O A R T K * E."),
        (
            "behalte A A",
            "A schreibst du 2-mal, es liegt aber nur 1-mal (O A R T K * E); jeder Würfel zählt nur einmal.",
        ),
        ("behalte A 3", "»3« steht auf keinem Würfel. Es liegen O A R T K * E."),
        ("behalte AEÉ", "»É« steht auf keinem Würfel. Es liegen O A R T K * E."),
        ("behalte ABCDEFGHIJKLMNOPQ", "B liegt nicht da. Es liegen O A R T K * E."),
        (
            "behalte alles",
            "Behältst du alle sieben Würfel, gibt es nichts zu würfeln; dann bitte werten (»werte WORT«).",
        ),
        (
            "behalte O A R T K * E",
            "Behältst du alle sieben Würfel, gibt es nichts zu würfeln; dann bitte werten (»werte WORT«).",
        ),
        (
            "behalte E*",
            "»E*« kann der Diamant allein sein oder E und der Diamant. "
            "Schreib »behalte *« oder »behalte E *«; ich habe nicht gewürfelt.",
        ),
    ],
)
def test_behalte_refused(text: str, reason: str) -> None:
    """Rulings 2: seven kept is no roll; what doesn't lie there can't stay; the present dice are shown."""
    sheet = read(text)
    assert sheet.move is None
    assert reason in said(sheet.problems)


def test_a_star_without_a_diamond() -> None:
    """Where no diamond lies, that is said."""
    assert said(read("behalte E*", state("OARTKBE")).problems) == ["* liegt nicht da. Es liegen O A R T K B E."]


def test_roll_summary() -> None:
    """The sheet says what stays and what is rolled."""
    assert [said(pair) for pair in read("behalte A E").summary] == [
        ["Behalten", "A E"],
        ["Neu gewürfelt", "O R T K *"],
    ]
    assert said(read("behalte nichts").summary[0])[1] == "nichts"


# The protection against repeats


def test_roll_line_of_the_present_roll() -> None:
    """`Wurf 1: ...` above the order: the block counts for that roll, in any case and order of the dice."""
    for line in (
        "Wurf 1: O A R T K * E",
        "wurf 1: oartk*e",
        "Roll 1: E O A R T K ◆",
        "1. Wurf: OARTK*E",
        "Wurf 1:",
        "Wurf 1 → OARTK*E",
    ):
        assert read(f"{line}\nbehalte A").move, line


def test_block_for_an_earlier_roll_rolls_nothing() -> None:
    """Rulings 3.11: answered with the present dice; nothing is rolled; offered again where it would do."""
    second = state(rolls=2)
    sheet = read("Wurf 1: B B B B B B B\nbehalte A E", second)
    assert sheet.move is None
    assert said(sheet.problems) == [
        "Der Block ist für Wurf 1; du bist bei Wurf 2. Jetzt liegen O A R T K * E. Ich habe nicht gewürfelt."
    ]
    assert sheet.offer == ("Wurf 2: O A R T K * E", "behalte A E")
    assert read("\n".join(sheet.offer), second).move
    assert not read("Wurf 1: B B B B B B B\nbehalte B", second).offer


def test_roll_line_with_other_dice() -> None:
    """The same number in another round has other dice: refused as well."""
    sheet = read("Wurf 1: B B B B B B B\nwerte AN")
    assert said(sheet.problems)[0].startswith("Der Block nennt andere Würfel (B B B B B B B)")


def test_without_the_line_it_counts_for_the_present_roll() -> None:
    """Without `Wurf` the engine takes the present roll; the shell looks at when the mail was written."""
    move = read("behalte A", state(rolls=2)).move
    assert move
    assert move.roll == 2


def test_a_roll_that_comes_twice_rolls_once() -> None:
    """games.md: a mail that arrives twice never rolls twice."""
    move = read("behalte A").move
    assert move
    once = ENGINE.act(state(), ANNA, move, DICE, WORDS)
    assert once
    twice = ENGINE.act(once.state, ANNA, move, Dice("seed", 2), WORDS)
    assert twice
    assert (twice.state, twice.events) == (once.state, ())
    late = replace(move, roll=3)
    third = ENGINE.act(state(rolls=3), ANNA, late, DICE, WORDS)
    assert third
    assert third.state == state(rolls=3)


def test_unedited_template_is_no_move() -> None:
    """Rulings 3.14: the block as we sent it enters nothing."""
    for rolls in (1, 3):
        position = state(rolls=rolls)
        lines = "\n".join(ENGINE.view(position, ANNA).block[1:])  # without the line `Stand`, which the service reads
        sheet = read(lines, position)
        assert (sheet.move, sheet.problems) == (None, ())


def test_late_block_for_another_round() -> None:
    """Rulings 3.17: `Runde: 3` different from the present round refuses the block."""
    assert "Runde »2«" in said(read("Runde: 2\nwerte AN").problems)[0]
    assert "Runde »x«" in said(read("Runde: x\nwerte AN").problems)[0]
    assert read("Runde: 1\nbehalte A").move


# Scores


@pytest.mark.parametrize(
    ("text", "dice", "number", "laid"),
    [
        ("werte AN", "ANXXXXX", 1, ["AN"]),
        ("Werte: an.", "ANXXXXX", 1, ["AN"]),
        ("score AN", "ANXXXXX", 1, ["AN"]),
        ("werte R1 AN", "ANXXXXX", 1, ["AN"]),
        ("werte r 1: AN", "ANXXXXX", 1, ["AN"]),
        ("werte M I L D", "MILDXXX", 3, ["MILD"]),
        ("werte M* I L D", "*ILDMXX", 3, ["M*ILD"]),
        ("werte RAT + SO", "RATSOXX", 7, ["RAT", "SO"]),
        ("werte RAT, SO", "RATSOXX", 7, ["RAT", "SO"]),
        ("werte RAT SO", "RATSOXX", 7, ["RAT", "SO"]),
        ("werte R6 CHANCE", "CHANCEX", 6, ["CHANCE"]),
        ("werte R6 VOKALE", "VOKALEX", 6, ["VOKALE"]),
        ("werte AN 3", "ANXXXXX", 1, ["AN"]),
        ("werte AN = 3 Punkte", "ANXXXXX", 1, ["AN"]),
        ("werte = AN", "ANXXXXX", 1, ["AN"]),
        ("Meine Werte: AN", "ANXXXXX", 1, ["AN"]),
        ("werte R1 → AN", "ANXXXXX", 1, ["AN"]),
        ("werte ..... R1 – AN = 3", "ANXXXXX", 1, ["AN"]),
    ],
)
def test_werte(text: str, dice: str, number: int, laid: list[str]) -> None:
    """Rulings 3.11: `werte [Rn] WORDS`; a word called CHANCE or VOKALE goes behind its box."""
    sheet = read(text, state(dice, number=number))
    assert sheet.move, said(sheet.problems)
    assert [word.laid for word in sheet.move.words] == laid
    assert sheet.remarks == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("werte AÉ", "AÉ: »É« steht auf keinem Würfel. "),
        ("werte A-N", "A-N: »-« steht auf keinem Würfel."),
        ("werte A*N*", "* schreibst du 2-mal, es liegt aber nur 1-mal (O A R T K * E); jeder Würfel zählt nur einmal."),
        ("werte " + "N" * 30, "N liegt nicht da. Es liegen O A R T K * E."),
        ("werte R9 AN", "Du nennst Kästchen R9; in Runde 1 wird R1"),
        ("werte 44 AN", "Du nennst Kästchen 44; in Runde 1 wird R1"),
        ("werte R1", "Hier steht kein Wort; nötig: ein Wort mit 2 Buchstaben."),
        ("streiche alles", "»alles« ist kein Kästchen. Die Kästchen heißen R1 bis R8."),
        ("streiche R9", "Du nennst Kästchen R9; in Runde 1 wird R1"),
        ("bhalte A E", "»bhalte A E« verstehe ich nicht."),
        ("werte AR\nbehalte A", "Im Block steht mehr als ein Zug: werte AR / behalte A."),
    ],
)
def test_refused(text: str, reason: str) -> None:
    """Each fault is named with what would be right, and nothing counts."""
    sheet = read(text)
    assert sheet.move is None
    assert any(problem.startswith(reason) for problem in said(sheet.problems)), said(sheet.problems)


def test_refused_without_a_box() -> None:
    """Under the alternative rules a word without a box asks for it, and is judged as well."""
    assert len(read("werte", state(any_order=True)).problems) == 0
    reasons = said(read("werte ZZ", state(any_order=True)).problems)
    assert reasons[0].startswith("Welches Kästchen?")
    assert reasons[1].startswith("Z liegt nicht da.")
    assert said(read("werte / R2", state(any_order=True)).problems)[-1] == "Hier steht kein Wort; nötig: ein Wort."


def test_remarks() -> None:
    """Another figure and lines that nobody can read are remarked on; the same line twice is one."""
    assert read("werte AN\nWERTE an", state("ANXXXXX")).move
    sheet = read("werte AN 9\nGruß Anna", state("ANXXXXX"))
    assert said(sheet.remarks) == ["Punkte: Du schreibst 9, ich zähle 3.", "Nicht gelesen: »Gruß Anna«."]


def test_a_letter_that_is_on_no_die_of_this_game() -> None:
    """With dice of one's own some letters have no value: they don't lie there, and that is all."""
    own = ENGINE.start({ANNA: None}, {"dice": "A B C D E F *", "values": "A1 B2 C3 D4 E5 F6"}, DICE).state
    assert said(read("werte YZ", own).problems)[1] == "Z liegt nicht da. Es liegen A B C D E F *."


@pytest.mark.parametrize(
    ("text", "dice", "number", "any_order", "line"),
    [
        ("keep e, a", AERTKO, 1, False, "behalte A E"),
        ("keep none", AERTKO, 1, False, "behalte nichts"),
        ("Streiche!", AERTKO, 1, False, "streiche"),
        ("strike: r 2", AERTKO, 1, True, "streiche R2"),
        ("score R1 → an", "ANXXXXX", 1, False, "werte AN"),
        ("werte R6 CHANCE", "CHANCEX", 6, False, "werte R6 CHANCE"),
        ("werte r7: rat, so", "RATSOXX", 1, True, "werte R7 RAT+SO"),
        ("score consonants", "WBRCPTV", 1, False, "werte konsonanten"),
        ("werte chance an / 3", "ANXXXXX", 1, True, "werte chance AN / R3"),
    ],
)
def test_a_move_as_we_write_it(text: str, dice: str, number: int, any_order: bool, line: str) -> None:
    """However it was sent, a move is written in one way, below its roll, and read as the same move."""
    position = state(dice, number=number, any_order=any_order)
    move = read(text, position).move
    assert move
    written = ENGINE.write(position, ANNA, move)
    assert written == (f"Wurf 1: {' '.join(dice)}", line)
    assert read("\n".join(written), position).move == move


# The worked examples of rulings.md, part 4


def close(text: str, position: State) -> dict[str, int]:
    move = ENGINE.read(position, ANNA, block(text), WORDS).move
    assert move
    return dict(card_of(ENGINE.resolve(position, {ANNA: move}, DICE, WORDS).state.players[0].card).boxes)


def test_example_senator() -> None:
    """Roll 1 `O S R A E T N`: `werte yahtzee SENATOR` -> Yahtzee 50, R1 = 0; `werte AN` -> R1 = 1+2 = 3."""
    assert close("werte yahtzee SENATOR", state("OSRAETN")) == {"yahtzee": 50, "R1": 0}
    assert close("werte AN", state("OSRAETN")) == {"R1": 3}


def test_example_second_yahtzee() -> None:
    """A second seven-letter word later: 100 and a zero in that round's box."""
    first = Entry(round=1, roll=1, box="yahtzee", words=(Word(laid="SENATOR", value=12, status="accepted"),), zero="R1")
    player = Player(seat=ANNA, card=(first,), rolls=("OSRAETN",))
    assert close("werte yahtzee TONERAS", replace(START, round=2, players=(player,))) == {
        "yahtzee": 150, "R1": 0, "R2": 0,
    }  # fmt: skip


def test_example_mild() -> None:
    """Round 3, `M E D I * L N`: `werte MILD` 3+1+2+3 = 9; `werte M*ILD` 6."""
    assert close("werte MILD", state("MEDI*LN", number=3)) == {"R3": 9}
    assert close("werte M*ILD", state("MEDI*LN", number=3)) == {"R3": 6}


def test_example_consonants_and_vowels() -> None:
    """Roll 2 `W B R C P T V`: 25, box 0; after a third roll refused. `O E Ä A I E U`: `werte vokale` 25."""
    assert close("werte konsonanten", state("WBRCPTV", rolls=2)) == {"konsonanten": 25, "R1": 0}
    assert read("werte konsonanten", state("WBRCPTV", rolls=3)).problems
    assert close("werte vokale", state("OEÄAIEU")) == {"vokale": 25, "R1": 0}


@pytest.mark.parametrize(("upper", "bonus"), [(36, BONUS), (35, 0)])
def test_example_bonus(upper: int, bonus: int) -> None:
    """Upper half 36: bonus 35; 35: none."""
    words = (Word(laid="X", value=upper, status="accepted"),)
    assert card_of((Entry(round=1, roll=1, box="R1", words=words),)).bonus == bonus
