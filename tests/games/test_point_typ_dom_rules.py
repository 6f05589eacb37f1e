"""Point-Typ-Dom by its rule text (seed 000, 3 Point-Typ-Dom) and by the rulings."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games.point_typ_dom
from games.api import SPECTATOR, Resolution, Seat, Sheet
from games.dice import Dice
from games.errors import SetupError
from games.kit.testkit import Contract, WordSet, block, play, same_for_others, worded
from games.point_typ_dom import ENGINE
from games.shared.plane import EMPTY, Rows, Spot, lay, occupied, sign_at, spot_named
from games.shared.tiles import POINTS, TILES, count_colours, in_order, tile_of
from games.typ_dom.rules import Move, State, Turn
from tests.games.rules_pages import in_language

DICE = Dice("seed", 1)
ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)
SAMPLE = (
    ["MEXICO", "TEXAS", "SARAJEVO", "POLA", "PHON", "WIND", "MOND", "RUF", "RUDOLF", "GELB"],
    {"POLE": "REFUSED"},
)
WORDS = WordSet(*SAMPLE)
RACKS = ("EIUOOCFHLMNPX", "EIOU*DFLLRSTW", "AAEEOBDGJMNRV")
"""The racks of the Musterbeispiel."""


def board(first: str, *rows: str) -> Rows:
    """Lay rows of signs, the first sign in the named cell."""
    corner = spot_named(first)
    assert corner
    cells = [(r, c, sign) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != "."]
    return lay(EMPTY, {Spot(corner.row + r, corner.column + c): sign for r, c, sign in cells})


def state(rows: Rows = EMPTY, racks: Any = RACKS, seat: Seat = ONE, **more: Any) -> State:
    seats = tuple(Seat(number) for number in range(1, len(racks) + 1))
    fixed = {"seats": seats, "profile": "typdom", "starter": ONE, "on_turn": seat, "racks": tuple(racks), "bag": "EBAC"}
    return State(board=rows, **(fixed | more))


def read(text: str, position: State, words: WordSet = WORDS) -> Sheet[Move]:
    return ENGINE.read(position, position.on_turn, block(text), words)


def acted(text: str, position: State, words: WordSet = WORDS) -> Resolution[State]:
    sheet = read(text, position, words)
    assert sheet.move, said(sheet.problems)
    assert not sheet.doubtful, sheet.doubtful
    result = ENGINE.act(position, position.on_turn, sheet.move, DICE, words)
    assert result
    return result


def after(text: str, position: State, words: WordSet = WORDS) -> State:
    return acted(text, position, words).state


def sums(position: State) -> tuple[int | None, ...]:
    points = {line.seat: line.points for line in ENGINE.result(position).standings}
    return tuple(points[seat] for seat in position.seats)


def said(texts: Any, language: Any = "de") -> list[str]:
    return [worded(ENGINE, text, language) for text in texts]


def heard(result: Resolution[State]) -> list[str]:
    return said([event.text for event in result.events if event.readers == "everyone"])


TURNS = (
    ("Z26 w MEXICO", 19),
    ("AB24 s TExA*S", 15),
    ("Jolly AB27 = A\nAB28 w sA*RAJEVO", 19),
    ("AE25 s PoLa\nAE25 w pHON", 18),
    ("AH23 s WInD", 12),
    ("AI27 s MoND", 9),
    ("AD28 s rUF", 6),
    ("AG30 w RUdOLF", 12),
    ("AK28 s GElB", 11),
)
PICTURE = """
. . . . . . . . . W . . . .
. . . T . . . . . I . . . .
. . . E . . P H O N . . . .
. M E X I C O . . D . . . .
. . . A . . L . . . M . . .
. . . S a R A J E V O . G .
. . . . . U . . . . N . E .
. . . . . F . . R U D O L F
. . . . . . . . . . . . B .
"""


def sample(turns: int) -> State:
    position = state()
    for line, _ in TURNS[:turns]:
        position = after(line, position)
    return position


def test_racks_of_the_sample_game_are_in_the_set() -> None:
    """Musterbeispiel: the three racks can be drawn from the 80 tiles."""
    assert in_order("".join(RACKS)).replace("", " ").split() == sorted(
        "".join(RACKS), key=lambda tile: in_order(TILES).index(tile)
    )
    assert all("".join(RACKS).count(tile) <= TILES.count(tile) for tile in TILES)


def test_sample_game_turn_by_turn() -> None:
    """Rulings 1.1: nine turns, every score: 19, 15, 19, 8 + 10, 12, 9, 6, 12, 11."""
    position, scores = state(), []
    for line, _ in TURNS:
        seat = position.on_turn
        before = position.points(seat)
        position = after(line, position)
        scores.append(position.points(seat) - before)
    assert scores == [points for _, points in TURNS]
    assert position.over


def test_sample_game_sums() -> None:
    """Abrechnung: 19 + 18 + 6 + 10 = 53, 15 + 12 + 12 - 2 (L) = 37, 19 + 9 + 11 = 39."""
    over = sample(9)
    assert [(s.seat, s.points, s.rank) for s in ENGINE.outcome(over).standings] == [
        (ONE, 53, 1), (THREE, 39, 2), (TWO, 37, 3)
    ]  # fmt: skip
    assert over.racks == ("", "L", "")
    assert said(ENGINE.view(over, SPECTATOR).sections[1].lines) == [
        "Wilhelmine B1: 19 + 18 + 6 + 10 = 53",
        "Wilhelmine B3: 19 + 9 + 11 = 39",
        "Wilhelmine B2: 15 + 12 + 12 - 2 = 37",
    ]


def test_sample_game_board() -> None:
    """Rulings 1.1: the board of the picture; the joker lies as A in AC28."""
    rows = sample(9).board
    found = [" ".join(sign_at(rows, Spot(row, column)) for column in range(24, 38)) for row in range(22, 31)]
    assert found == PICTURE.split("\n")[1:-1]


def test_sample_game_rounds() -> None:
    """Rulings 2: a round begins with the starter and ends with the seat before it."""
    assert [sample(n).round for n in range(10)] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 3]


def test_values_of_the_letters() -> None:
    """Buchstabenwerte: A 1, Q 9, X 9, Y 9, Z 6."""
    assert [POINTS[letter] for letter in "ABQXYZ"] == [1, 4, 9, 9, 9, 6]


def test_without_the_exchange_it_is_twenty() -> None:
    """Section 4, negative: SARAJEVO with both A is legal and counts 20."""
    assert after("AB28 w sARAJEVO", sample(2)).points(THREE) == 20


def test_exchange_for_another_letter_is_refused() -> None:
    """Section 4, negative: the joker of TEXAS stands for A, not for E."""
    assert "AB27: Der Joker steht für A, nicht für E." in said(read("Jolly AB27 = E\nkaufen", sample(2)).problems)


def test_joker_on_the_board_counts_nothing_for_everybody() -> None:
    """ "zählt, wenn er im Spiel angesetzt wurde, 0 Punkte"; after an exchange the letter has its value (rulings 2)."""
    words = WordSet(["EI", "EIS"])
    lies = board("Z26", "eI")
    assert after("Z26 w eiS", state(lies, ("SEA", "B", "C")), words).points(ONE) == 3
    assert after("Jolly Z26 = E\nZ26 w eiS", state(lies, ("SEA", "B", "C")), words).points(ONE) == 4


def test_joker_left_over_costs_ten() -> None:
    """ "10 Minuspunkte für den Jolly"; other letters their value."""
    over = state(racks=("*L", "#", ""), over=True, first_out=THREE)
    assert sums(over) == (-12, -10, 10)


def test_only_the_first_out_gets_ten() -> None:
    """Rulings 1.1: a second seat that goes out in the last round gets nothing extra and loses nothing."""
    assert sums(sample(9))[2] == 39


def test_round_is_played_to_its_end() -> None:
    """ "die Runde muß also fertiggespielt werden": after seat 1 is out, seats 2 and 3 still have their turns."""
    result = acted(TURNS[6][0], sample(6))
    assert not result.state.over
    assert heard(result)[-1] == "Die Runde wird zu Ende gespielt."
    notes = said(ENGINE.view(result.state, TWO).sections[2].notes)
    assert notes[1] == "Wilhelmine B1 hat alle Steine gelegt: Die Runde wird zu Ende gespielt."


def test_last_seat_of_the_round_ends_at_once() -> None:
    """Rulings 2: if the last seat goes out, the game is over."""
    words = WordSet(["EIS"])
    assert after("Z26 w eiS", state(board("Z26", "EI"), ("A", "B", "S"), seat=THREE), words).over


def test_round_starts_with_the_starter_not_with_seat_one() -> None:
    """Rulings 2: the round ends with the seat before the starter."""
    words = WordSet(["EIS"])
    position = replace(state(board("Z26", "EI"), ("S", "B", "C"), seat=ONE), starter=TWO)
    assert after("Z26 w eiS", position, words).over


def test_highest_sum_wins_not_the_first_out() -> None:
    """ "daß ein anderer Mitspieler mehr Punkte erzielen konnte als der Sieger": the ranking goes by points."""
    over = state(racks=("", "E"), over=True, first_out=ONE, turns=(sample(1).turns[0],))
    over = replace(over, turns=(replace(over.turns[0], seat=TWO),))
    assert [(s.seat, s.points) for s in ENGINE.outcome(over).standings] == [(TWO, 18), (ONE, 10)]


def test_nobody_out_no_bonus() -> None:
    """Rulings 2: all pass with nothing to buy: leftovers count, nobody gets ten."""
    position = state(board("Z26", "EI"), ("E", "B"), bag="")
    over = after("passe", after("passe", position))
    assert over.over
    assert sums(over) == (-1, -4)
    assert said(ENGINE.view(over, SPECTATOR).sections[0].lines) == ["Niemand ist alle Steine losgeworden."]


def test_all_pass_twice_round() -> None:
    """Rulings 2: with tiles left, all must pass twice round."""
    position = state(board("Z26", "EI"), ("E", "B"))
    for _ in range(3):
        position = after("passe", position)
    assert not position.over
    assert after("passe", position).over


def test_second_word_is_a_right_and_both_score() -> None:
    """ "darf noch ein Wort ansetzen": the second may start from the first one's tile; not laid it costs nothing."""
    assert after(TURNS[3][0], sample(3)).points(ONE) == 19 + 18
    result = acted("AE25 s PoLa", sample(3))
    assert result.state.points(ONE) == 19 + 8
    assert result.state.bag == "EBAC"
    assert said(read("AE25 s PoLa", sample(3)).remarks)[0].startswith(
        "Dein Wort verbindet zwei Stücke; du hättest noch ein zweites"
    )


def test_bad_second_word_refuses_the_block() -> None:
    """Rulings 2: nothing changes, and the first word alone is offered."""
    assert read("AE25 s PoLa\nAE25 w pXON", sample(3)).offer == ("AE25 s PoLa",)


@pytest.mark.parametrize(
    ("line", "left"),
    [("kaufen 2 rot 1 schwarz", "C"), ("kaufen 1 schwarz", "EAC"), ("kaufen", "BAC"), ("kaufen 3", "C"),
     ("kaufe 1 roten und 1 schwarzen Stein", "AC"), ("buy 2 red", "BC")],
)  # fmt: skip
def test_buying_one_to_three(line: str, left: str) -> None:
    """ "darf er 1 bis 3 Steine nach eigener Wahl kaufen": and lays in the next round at the earliest."""
    result = acted(line, state(board("Z26", "EI"), bag="EBAC"))
    assert result.state.bag == left
    assert result.state.on_turn == TWO


def test_buying_four_is_refused() -> None:
    """Three is the most; the offer has three."""
    sheet = read("kaufen 2 rot 2 schwarz", state())
    assert said(sheet.problems) == ["Du willst 4 Steine kaufen, erlaubt sind höchstens 3."]
    assert sheet.offer == ("kaufen 2 rot 1 schwarz",)


def test_passing_is_allowed() -> None:
    """Rulings 1.7: no word: buy, or pass."""
    assert heard(acted("passe", state())) == ["Wilhelmine B1 passt."]


def test_nothing_is_bought_in_the_last_round() -> None:
    """Rulings 1.7: in the finishing round `passe` or a word; NMR buys nothing then."""
    position = sample(7)
    sheet = read("kaufen rot", position)
    assert said(sheet.problems) == ["In der Schlussrunde wird nichts mehr gekauft: ein Wort oder »passe«."]
    assert sheet.offer == ()
    assert heard(ENGINE.resolve(position, {}, DICE, WORDS)) == ["Kein Zug von Wilhelmine B2 (NMR): gepasst."]
    assert ENGINE.suggest(position, TWO, DICE, WordSet()) == ("passe",)


def test_nmr_buys_one_tile() -> None:
    """Rulings 1.7: without a move one tile is bought."""
    assert heard(ENGINE.resolve(state(), {}, DICE, WORDS)) == [
        "Wilhelmine B1 hat nicht gezogen (NMR) und kauft einen roten Stein."
    ]


def test_word_and_purchase_exclude_each_other() -> None:
    """A missing second word is not bought for, so a purchase beside a word is refused."""
    assert read("AE25 s PoLa\nkaufen", sample(3)).offer == ("AE25 s PoLa",)


@pytest.mark.parametrize(("rack", "seats", "colours"), [("5+8", 5, (5, 8)), ("8+10", 3, (8, 10)), ("8+12", 3, (8, 12))])
def test_sizes_of_racks(rack: str, seats: int, colours: tuple[int, int]) -> None:
    """ "z. B. 10 schwarze und 8 rote Steine oder 12 schwarze und 8 rote"."""
    position = ENGINE.start({Seat(n): None for n in range(1, seats + 1)}, {"rack": rack}, DICE).state
    assert [count_colours(tiles) for tiles in position.racks] == [colours] * seats


@pytest.mark.parametrize(("rack", "seats"), [("8+10", 4), ("8+12", 5), ("9+9", 2)])
def test_racks_that_cannot_be_dealt(rack: str, seats: int) -> None:
    """Rulings 1.8: 30 red tiles are enough for three racks of eight; other sizes aren't known."""
    with pytest.raises(SetupError, match=r"SETUP_OPTION|SETUP_TOO_FEW"):
        ENGINE.start({Seat(n): None for n in range(1, seats + 1)}, {"rack": rack}, DICE)


def test_points_are_shown_in_sheet_and_table() -> None:
    """The confirmation names the points of each word, the table those of every seat."""
    sheet = read(TURNS[3][0], sample(3))
    assert [worded(ENGINE, content, "de") for _, content in sheet.summary] == [
        "AE25 s POLA, 8 Punkte", "AE25 w PHON, 10 Punkte"
    ]  # fmt: skip
    table = ENGINE.view(sample(3), TWO).sections[2].table
    assert table
    assert [row[-1] for row in table.rows] == [19, 15, 19]
    assert heard(acted(TURNS[3][0], sample(3))) == ["Wilhelmine B1 legt POLA und PHON: 18 Punkte."]


def test_tiles_have_their_values() -> None:
    """Issue 28: board and rack show what a letter is worth; a joker counts nothing."""
    view = ENGINE.view(state(board("Z26", "QuAY"), ("X*", "E", "E")), ONE)
    boards = [grid for section in view.sections for grid in section.grids]
    lying = [
        cell.value for grid in boards if grid.look == "letters" for line in grid.cells for cell in line if cell.text
    ]
    assert lying == [POINTS["Q"], 0, POINTS["A"], POINTS["Y"]]
    assert [cell.value for grid in boards if grid.look == "tiles" for cell in grid.cells[0]] == [0, POINTS["X"]]


def test_words_have_their_points() -> None:
    """After the end each word is listed with what it scored."""
    turns = (
        Turn(seat=ONE, round=1, number=1, words=("MEXICO",), scores=(19,)),
        Turn(seat=TWO, round=1, number=2, words=("POLA", "PHON"), scores=(8, 10)),
    )
    words = ENGINE.view(state(turns=turns, over=True, first_out=ONE), SPECTATOR).words
    assert [(played.seat, played.word, played.points) for played in words] == [
        (ONE, "MEXICO", 19),
        (TWO, "POLA", 8),
        (TWO, "PHON", 10),
    ]


def test_racks_are_hidden() -> None:
    """Swapping tiles of one colour between a rack and the bag changes nothing for the others."""
    one = state(board("Z26", "EI"), ("AS", "EB", "OD"), bag="UGC")
    other = replace(one, racks=("AS", "UC", "OD"), bag="EGB")
    assert ENGINE.view(one, TWO) != ENGINE.view(other, TWO)
    same_for_others(Contract(engine=ENGINE), one, other, TWO)


@pytest.mark.trust
@settings(max_examples=12, deadline=None)
@given(st.integers(), st.sampled_from([0.0, 0.3]))
def test_no_tile_is_lost(seed: int, nmr: float) -> None:
    """Board, racks and bag are always the 80 tiles; the sums are words, bonus and leftovers."""
    for step in play(Contract(engine=ENGINE), str(seed), nmr):
        position = step.after.state
        lying = [tile_of(sign_at(position.board, spot)) for spot in occupied(position.board)]
        assert sorted([*lying, *"".join(position.racks), *position.bag]) == sorted(TILES)


@pytest.mark.trust
@settings(max_examples=12, deadline=None)
@given(st.integers())
def test_all_have_equally_many_turns(seed: int) -> None:
    """ "wenn jeder Spieler gleich oft zum Ansetzen gekommen ist": at the end after somebody went out."""
    last = list(play(Contract(engine=ENGINE), str(seed), 0.0))[-1].after.state
    numbers = {sum(turn.seat == seat for turn in last.turns) for seat in last.seats}
    assert len(numbers) == 1 or not last.first_out


def test_a_round_is_finished_also_when_nobody_lays_any_more() -> None:
    """rulings.md, Point-Typ-Dom: an empty bag and all passing end the game at the round's end, never in mid-round."""
    position = state(board("Z26", "MEXICO"), bag="", passes=2, round=4)
    passed = acted("passe", position)
    assert (passed.state.over, passed.state.on_turn, passed.state.round) == (False, TWO, 4)
    left = ENGINE.resign(passed.state, THREE, DICE).state
    assert (left.over, left.on_turn) == (False, TWO)
    for _ in (TWO, THREE):
        passed = acted("passe", passed.state)
    assert passed.state.over
    assert [turn.seat for turn in passed.state.turns] == [ONE, TWO, THREE]


def test_the_leader_of_the_last_two_wins_nothing_by_leaving() -> None:
    """rulings.md, All games: the other one has won, whatever the points; those of the seat given up are shown."""
    leads = state(turns=(Turn(seat=ONE, round=1, number=1, words=("MEXICO",), scores=(99,)),), racks=("AB", "ABCD"))
    left = ENGINE.resign(leads, ONE, DICE)
    outcome = ENGINE.outcome(left.state)
    assert outcome
    assert outcome.winners == (TWO,)
    assert [(line.rank, line.seat, line.points) for line in outcome.standings] == [(1, TWO, -12), (2, ONE, 94)]
    assert "Nur Wilhelmine B2 ist noch im Spiel und gewinnt." in said(ENGINE.view(left.state, ONE).sections[0].lines)


def test_the_letter_values_stand_by_the_tiles_and_in_the_rules() -> None:
    """Seed 000 §3 `eigenen Punktewert (siehe Tabelle)`: each seat's mail and the rules page show every value."""
    position = state()
    for language in ("de", "en"):
        (values,) = said(ENGINE.view(position, TWO).sections[-1].notes, language)
        shown = {
            letter: int(number)
            for letters, number in re.findall(r"((?:[A-Z] )+)([0-9]+)", values.partition(":")[2])
            for letter in letters.split()
        }
        assert shown == dict(POINTS)
    assert not any("Werte:" in text for text in said(ENGINE.view(position, SPECTATOR).sections[-1].notes))
    page = in_language(games.point_typ_dom, "README.md")
    assert f"| {' '.join(map(str, POINTS.values()))} 0 |" in page


def test_the_rules_page_is_whole() -> None:
    """Issue 26: `Wie Typ-Dom, aber` is no rules page; it refers to no other, in either language."""
    for name, words in (
        (
            "README.md",
            ("**Steine.**", "**Beginn.**", "**Ein Zug**", "**Zweites Wort.**", "**Joker tauschen.**", "**Wörter.**"),
        ),
        (
            "README.en.md",
            ("**Tiles.**", "**Beginning.**", "**A turn**", "**Second word.**", "**Taking jokers.**", "**Words.**"),
        ),
    ):
        page = in_language(games.point_typ_dom, name)
        assert "typ_dom/" not in page
        assert [word for word in (*words, "Z26", "AY", "(NMR)", "rack", "words") if word not in page] == []
