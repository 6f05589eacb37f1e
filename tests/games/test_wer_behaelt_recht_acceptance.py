"""Wer behält recht by the acceptance example of the rulings (section 4), turn by turn, and its variant."""

from dataclasses import replace
from typing import Any

from games.api import Seat, Sheet
from games.dice import Dice
from games.kit.testkit import WordSet, block, worded
from games.shared.plane import picture
from games.shared.tiles import in_order
from games.wer_behaelt_recht import ENGINE
from games.wer_behaelt_recht.rules import News, State

ANN, BOB, CEM = (Seat(number) for number in (1, 2, 3))
WORDS = WordSet(["SPIEL", "TIER", "TIEF", "WIND", "WINTER", "ERDE"])


def table(ann: str, bob: str, cem: str, bag: str = "NSRAEH") -> State:
    """A game of three before the first tile; Ann begins."""
    return State(
        seats=(ANN, BOB, CEM),
        profile="typdom",
        stake=1,
        on_turn=ANN,
        racks=(in_order(ann), in_order(bob), in_order(cem)),
        bag=bag,
        news=News(code="BEGINS", seat=ANN),
    )


def read(state: State, text: str) -> Sheet[Any]:
    return ENGINE.read(state, state.on_turn, block(text), WORDS)


def play(state: State, *blocks: str) -> State:
    """Play blocks of whoever is on turn."""
    for text in blocks:
        sheet = read(state, text)
        assert sheet.move is not None, (text, said(sheet.problems))
        assert not sheet.doubtful, text
        state = ENGINE.act(state, state.on_turn, sheet.move, Dice("seed", 1), WORDS).state
    return state


def said(texts: Any) -> list[str]:
    return [worded(ENGINE, text, "de") for text in texts]


def fragment(state: State) -> str:
    return state.open.run(state.board).word if state.open else ""


def opened(state: State) -> tuple[str, int]:
    assert state.open is not None
    return state.open.word, state.open.owner


def drawn(state: State) -> list[str]:
    return ["".join(cell.text or "." for cell in row) for row in picture(state.board, margin=0).cells]


START = table(ann="IFTRLDD", bob="EESK", cem="TWNMOPQ")
TIEF = ("mitte I SPIEL", "hinten E TIER", "vorn T TIEF", "hinten F")
WINTER = (*TIEF, "neu Z26 s vorn W WIND\nhinten N", "hinten T WINTER", "kaufen", "hinten E")


def test_turns_1_to_4_tief_is_built_and_its_owner_starts() -> None:
    """Ann, Bob, Cem, Ann: TIEF is finished, Cem, its owner, starts, and Bob is skipped."""
    state = play(START, TIEF[0])
    assert (fragment(state), opened(state), state.on_turn) == ("I", ("SPIEL", ANN), BOB)
    state = play(state, TIEF[1])
    assert (fragment(state), opened(state), state.on_turn) == ("IE", ("TIER", BOB), CEM)
    state = play(state, TIEF[2])
    assert (fragment(state), opened(state), state.on_turn) == ("TIE", ("TIEF", CEM), ANN)
    assert state.open is not None
    assert state.open.run(state.board).where == "Y26-AA26"
    state = play(state, TIEF[3])
    assert [word.word for word in state.finished] == ["TIEF"]
    assert (state.open, state.on_turn) == (None, CEM)


def test_turn_5_crosses_at_a_vowel_and_lays_two() -> None:
    """Cem crosses at the I, a vowel: an extra tile in the same block."""
    state = play(START, *WINTER[:5])
    assert (fragment(state), opened(state), state.on_turn) == ("WIN", ("WIND", CEM), ANN)
    assert state.open is not None
    assert state.open.run(state.board).where == "Z25-Z27"


def test_turns_6_to_8_winter_comes_round() -> None:
    """Ann announces WINTER; Bob buys and lays in its sense, Cem buys and passes."""
    state = play(START, *WINTER[:6])
    assert (fragment(state), opened(state), state.on_turn) == ("WINT", ("WINTER", ANN), BOB)
    state = play(state, "kaufen")
    assert state.on_turn == BOB
    assert len(state.rack(BOB)) == 4
    state = play(state, "hinten E")
    assert (fragment(state), opened(state), state.on_turn) == ("WINTE", ("WINTER", ANN), CEM)
    state = play(state, "kaufen")
    assert (fragment(state), opened(state), state.on_turn) == ("WINTE", ("WINTER", ANN), CEM)


def test_turn_9_the_service_completes_winter() -> None:
    """The service lays Ann's R; she is still on turn, starts a word crossing WINTER, and then it is Bob's turn."""
    state = play(START, *WINTER, "kaufen", "weiter")
    assert [word.word for word in state.finished] == ["TIEF", "WINTER"]
    assert drawn(state) == [".w..", "tief", ".n..", ".t..", ".e..", ".r.."]
    assert (state.open, state.on_turn, state.rack(ANN)) == (None, ANN, "DDL")
    state = play(state, "neu Z30 w hinten D ERDE")
    assert (fragment(state), opened(state), state.on_turn) == ("RD", ("ERDE", ANN), BOB)


def test_variant_ann_has_no_r() -> None:
    """Without an R Ann is out: 14 to Bob, 14 to Cem; W N T E leave, I stays; Bob starts, crossing TIEF."""
    start = table(ann="IFTAEODDLLM", bob="EESK", cem="TWNMOPQ")
    state = play(start, *WINTER, "kaufen", "weiter")
    assert state.out == (ANN,)
    assert [state.balance(seat) for seat in state.seats] == [-28, 14, 14]
    assert drawn(state) == ["tief"]
    assert sorted(state.gone) == sorted("WNTE")
    assert state.on_turn == BOB
    assert said(read(state, "neu Z25 s vorn S SPIEL").problems)[-1].endswith("Frei sind dafür: Y26, Z26, AA26, AB26.")
    sheet = ENGINE.read(state, BOB, block("neu Z26 s vorn S SIE"), WordSet(["SIE"]))
    assert sheet.move is not None, said(sheet.problems)


def test_variant_a_joker_will_do() -> None:
    """A black joker serves as the R, but only where there is no real one."""
    state = play(table(ann="IFT#LDD", bob="EESK", cem="TWNMOPQ"), *WINTER, "kaufen", "weiter")
    assert drawn(state)[-1] == ".r*.."
    assert state.rack(ANN) == "DDL"
    state = play(table(ann="IFT#RDD", bob="EESK", cem="TWNMOPQ"), *WINTER, "kaufen", "weiter")
    assert state.rack(ANN) == "DD#"


def test_announcing_the_open_word_is_no_announcement() -> None:
    """Bob's `hinten E WINTER` is `hinten E` with a remark: the owner stays Ann."""
    state = play(START, *WINTER[:7])
    sheet = read(state, "hinten E WINTER")
    assert said(sheet.remarks)[0].startswith("WINTER ist schon angesagt")
    assert opened(play(state, "hinten E WINTER")) == ("WINTER", ANN)


def test_refused() -> None:
    """Refused: `weiter` without `kaufen`, a second `kaufen`, `hinten T WIND`."""
    state = play(START, *WINTER[:5])
    sheet = read(state, "weiter")
    assert said(sheet.problems) == ["»weiter« geht erst nach »kaufen«, solange noch Steine da sind."]
    assert sheet.offer == ()
    bought = play(state, "kaufen")
    assert said(read(bought, "kaufen").problems)[0].startswith("Du hast in diesem Zug schon gekauft.")
    assert said(read(state, "hinten T WIND").problems) == ["T geht dort nicht im Sinne von WIND: Es liegt WIN."]
    after = play(START, *WINTER[:6])
    assert after.open is not None
    other = replace(after, racks=(after.racks[0], in_order(after.racks[1] + "T"), after.racks[2]))
    assert said(read(other, "hinten T WIND").problems) == ["Dann liegt WINTT, und das kommt in WIND nicht vor."]
