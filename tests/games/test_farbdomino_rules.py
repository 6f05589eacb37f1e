"""Farbdomino by its rule text (seed 002, rules 1 to 8), the rulings and their acceptance example."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games.farbdomino
from games.api import ALL, EVERYONE, SPECTATOR, MoveBlock, Resolution, Seat, Sheet, SignUp
from games.dice import Dice
from games.errors import SetupError
from games.farbdomino import ENGINE
from games.farbdomino.board import (
    COLOURS,
    TILES,
    Laid,
    Table,
    draw_hand,
    draw_table,
    fitting,
    mirror,
    misfits,
    openings,
    placements,
    squares,
    table_of,
    turned,
)
from games.farbdomino.rules import HANDS, Move, Player, State
from games.kit.testkit import Contract, WordSet, block, drawn, same_for_others, worded
from games.shared.drawing import text_forms
from tests.games.rules_pages import in_both_languages

DICE = Dice("seed", 1)
WORDS = WordSet()
ANNA, BEN, CLEO = Seat(1), Seat(2), Seat(3)
README = in_both_languages(games.farbdomino)

START = "a1 0,0 gn\ne2 1,0 gn"
"""What Anna lays in the acceptance example."""


def laid(text: str) -> tuple[Laid, ...]:
    """Read `a1 0,0 gn` line by line."""
    found = []
    for line in text.split("\n") if text else []:
        tile, place, up = line.split()
        x, y = place.split(",")
        found.append(Laid(tile=tile, x=int(x), y=int(y), up=up))
    return tuple(found)


def state(board: str = START, *hands: str, on_turn: Seat = BEN, stock: str = "", **more: Any) -> State:
    players = tuple(Player(seat=Seat(n), hand=tuple(hand.split())) for n, hand in enumerate(hands, 1))
    return State(turn=5, on_turn=on_turn, players=players, stock=tuple(stock.split()), board=laid(board), **more)


def read(text: str, position: State, seat: Seat = BEN) -> Sheet[Move]:
    return ENGINE.read(position, seat, block(text), WORDS)


def act(text: str, position: State) -> Resolution[State]:
    sheet = read(text, position, position.on_turn)
    assert sheet.move is not None, said(sheet.problems)
    return ENGINE.act(position, position.on_turn, sheet.move, DICE, WORDS)


def said(texts: Any, language: Any = "de") -> list[str]:
    return [worded(ENGINE, text, language).replace("Wilhelmine B", "B") for text in texts]


def told(resolution: Resolution[State], reader: Any = EVERYONE) -> list[str]:
    wanted = EVERYONE if reader == EVERYONE else frozenset({reader})
    return said(event.text for event in resolution.events if event.readers == wanted)


def counters(position: State) -> list[int]:
    return [player.counters for player in position.players]


def start(number: int, options: Any = None, seed: str = "seed") -> State:
    entries = {Seat(n): SignUp() for n in range(1, number + 1)}
    return ENGINE.start(entries, ENGINE.rules.options if options is None else options, Dice(seed, 0)).state


ANNAS = "b1 b2 b3 b4 b5 b6"
BENS = "a2 e1 d1 c5 c6"


# The tiles (introduction, and the table of rulings section 2)

TABLE = """
gn sw ge bl | gn bl ge sw | gn ge sw bl | gn bl sw ge | gn sw bl ge | gn ge bl sw
rt sw ge bl | rt bl ge sw | rt ge sw bl | rt bl sw ge | rt sw bl ge | rt ge bl sw
rt gn ge bl | rt bl ge gn | rt ge gn bl | rt bl gn ge | rt gn bl ge | rt ge bl gn
rt gn sw bl | rt bl sw gn | rt sw gn bl | rt bl gn sw | rt gn bl sw | rt sw bl gn
rt gn sw ge | rt ge sw gn | rt sw gn ge | rt ge gn sw | rt gn ge sw | rt sw ge gn
"""


def test_tile_table() -> None:
    """Rulings 2: the thirty tiles are those of the table, north east south west."""
    rows = [line.split(" | ") for line in TABLE.strip().splitlines()]
    assert {name: " ".join(sides) for name, sides in TILES.items()} == {
        f"{row}{number}": text for row, texts in zip("abcde", rows, strict=True) for number, text in enumerate(texts, 1)
    }


def test_all_tiles_differ_however_they_turn() -> None:
    """Introduction: no two tiles have the same arrangement; each shows four colours, a row lacks one."""
    arrangements = {frozenset(turned(tile, up) for up in sides) for tile, sides in TILES.items()}
    assert len(arrangements) == 30
    for tile, sides in TILES.items():
        assert set(COLOURS) - set(sides) == {dict(zip("abcde", COLOURS, strict=True))[tile[0]]}


def test_pairs_are_mirror_images() -> None:
    """Introduction: 1-2, 3-4, 5-6 of a row are mirror images; in a1/a2 gelb is opposite grün, schwarz opposite blau."""
    for tile in TILES:
        north, east, south, west = TILES[tile]
        images = {turned(mirror(tile), up) for up in TILES[tile]}
        assert (north, west, south, east) in images
        assert mirror(mirror(tile)) == tile
    assert TILES["a1"][0] == "gn"
    assert TILES["a1"][2] == "ge"
    assert {TILES["a1"][1], TILES["a1"][3]} == {"sw", "bl"}


@pytest.mark.parametrize("colour", ["ge", "bl", "gn", "sw"])
def test_pairs_fit_at_every_colour(colour: str) -> None:
    """Introduction: a1 and a2 go on in each other gelb to gelb, blau to blau, grün to grün, schwarz to schwarz."""
    side = turned("a1", "gn").index(colour)
    place = ((0, 1), (1, 0), (0, -1), (-1, 0))[side]
    assert fitting(table_of(laid("a1 0,0 gn")), "a2", place) is not None


def test_exactly_two_tiles_fit_beside_a_lone_one() -> None:
    """Rulings 2: beside a free side of a lone tile two fit, its mirror image and the one with the fifth colour."""
    for tile, up in ((tile, up) for tile, sides in TILES.items() for up in sides):
        table = table_of((Laid(tile=tile, x=0, y=0, up=up),))
        for place in openings(table):
            both = {found.tile for found in fits(table, place)}
            assert len(both) == 2
            assert mirror(tile) in both
            (fifth,) = both - {mirror(tile)}
            assert fifth[0] != tile[0]


def fits(table: Table, place: tuple[int, int]) -> list[Laid]:
    """All tiles that aren't on the table and fit at a place."""
    lying = {laid.tile for laid in table.values()}
    found = [fitting(table, tile, place) for tile in TILES if tile not in lying]
    return [laid for laid in found if laid]


def test_complete_squares_are_two_mirror_pairs() -> None:
    """Rulings 2: every 2x2 square that the rules allow holds two mirror pairs."""
    number = 0
    for first in TILES:
        lone = table_of((Laid(tile=first, x=0, y=0, up=TILES[first][0]),))
        for right in fits(lone, (1, 0)):
            for above in fits({**lone, (1, 0): right}, (0, 1)):
                three = {**lone, (1, 0): right, (0, 1): above}
                for corner in fits(three, (1, 1)):
                    tiles = {laid.tile for laid in (*three.values(), corner)}
                    assert {mirror(tile) for tile in tiles} == tiles
                    number += 1
    assert number == 60  # two for each tile that lies unturned at the bottom left


# The numbered rules


def test_rule_1_colours_meet_and_go_on_at_both_sides() -> None:
    """Rule 1: the touching fields have one colour, and the two lateral fields continue."""
    table = table_of(laid("a1 0,0 gn"))
    assert not misfits(table, laid("e2 1,0 gn")[0])
    wrong = misfits(table, laid("e2 1,0 rt")[0])
    assert {(misfit.direction, misfit.side) for misfit in wrong} == {(3, 3), (3, 0), (3, 2)}
    assert [laid.tile for laid in placements(table, TILES) if (laid.x, laid.y) == (1, 0)] == ["a2", "e2"]


def test_rule_2_everywhere_where_it_fits() -> None:
    """Rule 2: a tile may be laid at any side of any tile, not only at two ends."""
    assert openings(table_of(laid(START))) == ((-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0))
    assert read("a2 0,1 ge", state(START, ANNAS, BENS)).move is not None
    assert read("a2 -1,0 gn", state(START, ANNAS, BENS)).move is not None


@pytest.mark.parametrize(("players", "tiles"), [(2, 8), (3, 7), (4, 6), (5, 5)])
def test_rules_3_and_4_hands(players: int, tiles: int) -> None:
    """Rules 3 and 4: two to five play; hands of 8, 7, 6, 5 tiles; the rest stays face down."""
    position = start(players)
    assert [len(player.hand) for player in position.players] == [tiles] * players
    assert len(position.stock) == 30 - players * tiles
    assert sorted((*position.stock, *(tile for player in position.players for tile in player.hand))) == sorted(TILES)
    assert ENGINE.rules.seats == (2, 5)


@pytest.mark.parametrize(("players", "why"), [(1, "SETUP_FREE.*'seat': 2"), (6, "SETUP_MANY.*'number': 6")])
def test_rule_3_not_with_one_or_six(players: int, why: str) -> None:
    """Rule 3: two to five partners."""
    with pytest.raises(SetupError, match=why):
        start(players)


def test_rule_5_the_first_tile_lies_in_the_middle() -> None:
    """Rule 5 and rulings 2: the first tile lies at 0,0 whatever is written; without a colour as in the table."""
    position = state("", "a1 e2 b1", "b2", on_turn=ANNA)
    sheet = read("a1 7,-3 gn\ne2 8,-3 gn", position, ANNA)
    assert sheet.move == Move(tiles=laid(START))
    (remark,) = said(sheet.remarks)
    assert remark == "Der erste Stein liegt immer auf 0,0: a1 und was dazu gehört habe ich dorthin gerückt."
    assert read("a1 0,0", position, ANNA).move == Move(tiles=laid("a1 0,0 gn"))
    assert read("a1 0,0 ge", position, ANNA).move == Move(tiles=laid("a1 0,0 ge"))
    assert not read("a1 0,0 ge", position, ANNA).remarks


def test_rule_5_as_many_as_one_likes() -> None:
    """Rule 5, rule 6 (`darf`) and 1.11: at least one tile, then stopping is free."""
    position = state(START, ANNAS, BENS)
    assert act("a2 0,1 ge", position).state.player(BEN).hand == ("e1", "d1", "c5", "c6")
    assert act("a2 0,1 ge\ne1 1,1 ge", position).state.player(BEN).hand == ("d1", "c5", "c6")
    sheet = read("passe", position)
    assert said(sheet.problems) == [
        "Passen geht nur, wenn kein Stein passt; bei dir passt einer. Einen musst du legen, weitere darfst du."
    ]
    assert read("a2 0,1 ge\npasse", position).move is not None


def test_rule_5_the_first_seat_is_drawn_and_then_their_order() -> None:
    """1.11: the first one is drawn from the seed; then seat order, cyclic."""
    starters = {start(3, seed=f"seed {number}").on_turn for number in range(30)}
    assert starters == {ANNA, BEN, CLEO}
    begins = ENGINE.start({Seat(n): SignUp() for n in (1, 2)}, {}, Dice("seed", 0))
    assert told(begins) == [f"B{begins.state.on_turn} beginnt (ausgelost)."]
    assert act("a2 0,1 ge", state(START, ANNAS, "a2 d1", "e1 e4")).state.on_turn == CLEO
    position = state(START, "e1 b1", "d5", "a2 c1", on_turn=CLEO)
    assert act("a2 0,1 ge", position).state.on_turn == ANNA


def test_rule_6_bought_until_one_fits() -> None:
    """Rule 6 and rulings 2: who becomes due buys until a tile fits; the number is public, the tiles aren't."""
    position = state(START, "c1 c3", "a2 e1", stock="c5 b1 e4 d2 a3 b6")
    closed = act("a2 0,1 ge", position)
    hand, number = closed.state.player(ANNA).hand, 6 - len(closed.state.stock)
    assert closed.state.on_turn == ANNA
    assert number > 0
    assert set(hand) == {"c1", "c3", *position.stock[:number]}
    assert any(True for _ in placements(table_of(closed.state.board), hand))
    assert not any(True for _ in placements(table_of(closed.state.board), ("c1", "c3", *position.stock[: number - 1])))
    words = "einen Stein" if number == 1 else f"{number} Steine"
    assert f"B1 kann nicht legen und kauft {words}." in told(closed)
    assert told(closed, ANNA) == [f"Du hast gekauft: {', '.join(position.stock[:number])}."]
    assert told(closed, BEN) == []


def test_rule_6_one_tile_is_one_tile() -> None:
    """Rule 6: also for the number one there is a sentence."""
    closed = act("a2 0,1 ge", state(START, "c1", "a2 c2", stock="e1 d4"))
    assert "B1 kann nicht legen und kauft einen Stein." in told(closed)
    assert closed.state.stock == ("d4",)


def test_rule_6_without_a_rest_passed_at_once() -> None:
    """Rulings 2: rest empty and none fits: passed at once, no mail is asked for."""
    closed = act("a2 0,1 ge", state(START, "c1", "a2 e1 c2"))
    assert told(closed)[-1] == "B1 kann nicht legen, und es ist nichts mehr zu kaufen: B1 passt."
    assert closed.state.on_turn == BEN
    assert ENGINE.due(closed.state) == {BEN}


def test_rule_7_who_is_out_is_paid() -> None:
    """Rule 7: who is out first gets a counter for every tile that the others hold; play goes on."""
    closed = act("a2 0,1 ge", state(START, ANNAS, "a2", "e1 e3 c1"))
    assert counters(closed.state) == [-6, 9, -3]
    assert told(closed)[1] == "B2 ist als 1. fertig und bekommt 9 Marken: 6 von B1, 3 von B3."
    assert not closed.state.over
    assert closed.state.on_turn == CLEO
    one = act("a2 0,1 ge", state(START, "c1", "a2"))
    assert told(one)[1] == "B2 ist als 1. fertig und bekommt eine Marke von B1."
    second = act("e1 1,1", replace(closed.state, players=(*closed.state.players[:2], Player(seat=CLEO, hand=("e1",)))))
    assert second.state.over
    assert second.state.player(CLEO).finished == 2


def test_rule_7_until_one_is_left_who_pays_nothing_more() -> None:
    """Rule 7 and rulings 2: the game ends when one is left; the last one pays the last payment and no more."""
    closed = act("a2 0,1 ge", state(START, "b1 b2", "a2"))
    assert closed.state.over
    assert counters(closed.state) == [-2, 2]
    assert ENGINE.due(closed.state) == frozenset()
    assert told(closed)[-1] == "Gewinner der Partie: B2."


def test_rule_7_out_seats_are_skipped() -> None:
    """Rulings 2: seats that are out are skipped and neither pay nor are paid."""
    position = state(START, ANNAS, "a2 e1 d1", "")
    position = position.with_players(replace(position.player(CLEO), finished=1, counters=4))
    closed = act("a2 0,1 ge\ne1 1,1 ge", position)
    assert counters(closed.state) == [-1, 1, 4]
    assert closed.state.on_turn == ANNA


def test_rule_8_a_square_pays_one_from_each() -> None:
    """Rule 8: a square of four pays one counter from everybody still in."""
    closed = act("a2 0,1 ge\ne1 1,1 ge", state(START, ANNAS, BENS, "e3 e4"))
    assert counters(closed.state) == [-1, 2, -1]
    assert "e1 schließt ein Quadrat: B2 bekommt von allen, die noch spielen, eine Marke, zusammen 2." in told(closed)


def test_rule_8_two_squares_with_one_tile() -> None:
    """Rulings 2: two squares with one tile pay two from every seat still in."""
    board = laid(f"{START}\na2 0,1 ge\nb1 2,0 rt\nb2 2,1 rt")
    assert squares(table_of(board), (1, 1)) == 0
    assert squares(table_of((*board, *laid("e1 1,1 ge"))), (1, 1)) == 2
    position = replace(state(START, ANNAS, "e1 c1", "b6"), board=board)
    closed = ENGINE.act(position, BEN, Move(tiles=laid("e1 1,1 ge")), DICE, WORDS)
    assert counters(closed.state) == [-2, 4, -2]
    assert "e1 schließt 2 Quadrate" in told(closed)[1]


def test_rule_8_paid_before_out() -> None:
    """Rulings 2: a square is paid before `out` is settled."""
    closed = act("a2 0,1 ge\ne1 1,1 ge", state(START, ANNAS, "a2 e1"))
    assert [text.split()[1] for text in told(closed)[:3]] == ["legt", "schließt", "ist"]
    assert counters(closed.state) == [-7, 7]


# The acceptance example (rulings 4)


def test_acceptance_example() -> None:
    """Rulings 4: Anna a1 and e2, Ben a2 and e1, which is a square; d1 in its place is refused."""
    position = state("", f"a1 e2 {ANNAS}", BENS, on_turn=ANNA)
    assert turned("a1", "gn") == ("gn", "sw", "ge", "bl")
    assert turned("e2", "gn") == ("gn", "rt", "ge", "sw")
    assert turned("a2", "ge") == ("ge", "sw", "gn", "bl")
    assert turned("e1", "ge") == ("ge", "rt", "gn", "sw")
    position = act(START, position).state
    assert position.on_turn == BEN
    closed = act("a2 0,1 ge\ne1 1,1 ge", position)
    assert counters(closed.state) == [-1, 1]
    assert turned("d1", "bl") == ("bl", "rt", "gn", "sw")
    sheet = read("a2 0,1 ge\nd1 1,1 bl", position)
    assert said(sheet.problems) == ["d1 auf 1,1: links liegt a2: oben ge, bei dir bl."]
    assert sheet.move is None
    assert sheet.offer == ("a2 0,1 ge",)


def test_acceptance_example_last_tiles() -> None:
    """Rulings 4: were these Ben's last two tiles and Anna holds 6: Ben +7, Anna -7, Ben is Gewinner."""
    closed = act("a2 0,1 ge\ne1 1,1 ge", state(START, ANNAS, "a2 e1"))
    outcome = ENGINE.outcome(closed.state)
    assert outcome is not None
    assert [(line.rank, line.seat, line.points) for line in outcome.standings] == [(1, BEN, 7), (2, ANNA, -7)]
    lines = drawn(ENGINE, ENGINE.view(closed.state, SPECTATOR))
    assert any("+7" in line and "GEWINNER (zuerst fertig)" in line for line in lines)


# Rulings: the Gewinner


def ended(**changes: Any) -> State:
    """Three at the end: Ben was out first, Cleo has most counters, Anna is left."""
    position = state(START, "b1", "", "", over=True, **changes)
    return position.with_players(
        replace(position.player(ANNA), counters=-5),
        replace(position.player(BEN), counters=2, finished=1),
        replace(position.player(CLEO), counters=3, finished=2),
    )


def test_first_out_wins_and_counters_rank() -> None:
    """1.10: the Gewinner was out first; the table is ordered by balance."""
    position = ended()
    outcome = ENGINE.outcome(position)
    assert outcome is not None
    assert [(line.rank, line.seat, line.points) for line in outcome.standings] == [(1, 3, 3), (2, 2, 2), (3, 1, -5)]
    assert outcome.winners == (BEN,)
    assert ENGINE.view(position, SPECTATOR).facts["winners"] == [BEN]
    lines = drawn(ENGINE, ENGINE.view(position, SPECTATOR))
    assert any("B2" in line and "GEWINNER (zuerst fertig)" in line for line in lines)
    assert "Gewonnen hat, wer zuerst fertig war; dahinter zählen die Marken." in lines


def test_option_counters() -> None:
    """1.10: with the option `counters` most counters win."""
    position = ended(winner="counters")
    assert ENGINE.view(position, SPECTATOR).facts["winners"] == [CLEO]
    assert start(2, {"winner": "counters"}).winner == "counters"
    assert start(2).winner == "first_out"
    with pytest.raises(SetupError, match="'value': 'most'"):
        start(2, {"winner": "most"})


def test_equal_balances_rank_by_finishing() -> None:
    """1.10: ties are ordered by finishing, then by the fewest tiles; what is wholly equal shares a rank."""
    position = ended()
    position = position.with_players(replace(position.player(CLEO), counters=2))
    outcome = ENGINE.outcome(position)
    assert outcome is not None
    assert [(line.rank, line.seat) for line in outcome.standings] == [(1, BEN), (2, CLEO), (3, ANNA)]
    position = state(START, "b1", "b2", "b3 b4", over=True)
    outcome = ENGINE.outcome(position)
    assert outcome is not None
    assert [(line.rank, line.seat) for line in outcome.standings] == [(1, ANNA), (1, BEN), (3, CLEO)]


def test_nobody_out() -> None:
    """1.10: nobody out at the end (all pass): most counters, then fewest tiles."""
    closed = ENGINE.resolve(state(START, "c1 b1", "c3", on_turn=ANNA, passes=1), {}, DICE, WORDS)
    assert closed.state.over
    assert ENGINE.view(closed.state, SPECTATOR).facts["winners"] == [BEN]
    assert any(line.endswith("GEWINNER") for line in drawn(ENGINE, ENGINE.view(closed.state, BEN)))


# Rulings: NMR, passing, leaving


def test_nmr_buys_one_although_one_fits() -> None:
    """Rulings 2: NMR buys one tile (a penalty), the turn passes; which one is told to that seat only."""
    closed = ENGINE.resolve(state(START, "a2 c1", "e1 d1", stock="b4 b5"), {}, DICE, WORDS)
    assert closed.state.player(BEN).hand == ("b4", "d1", "e1")
    assert closed.state.stock == ("b5",)
    assert closed.state.on_turn == ANNA
    assert told(closed) == ["Kein Zug von B2 (NMR): Ein Stein wird gekauft."]
    assert told(closed, BEN) == ["Du hast gekauft: b4."]
    assert said([ENGINE.view(closed.state, ANNA).headline]) == ["Kein Zug von B2"]


def test_nmr_without_a_rest_passes_and_all_passing_ends() -> None:
    """Rulings 2 and games.md: without a rest NMR only passes; everybody passing in a row ends the game."""
    first = ENGINE.resolve(state(START, "a2 c1", "e1 d1"), {}, DICE, WORDS)
    assert told(first) == ["Kein Zug von B2 (NMR), und es ist nichts mehr zu kaufen: B2 passt."]
    assert first.state.passes == 1
    second = ENGINE.resolve(first.state, {}, DICE, WORDS)
    assert second.state.over
    assert ENGINE.resolve(second.state, {}, DICE, WORDS).state == second.state


def test_a_tile_laid_ends_the_row_of_passes() -> None:
    """games.md: only passes in a row end the game."""
    assert act("e1 1,1", state(f"{START}\na2 0,1 ge", "b1 d1", "e1 e3", passes=1)).state.passes == 0


def test_resolve_takes_a_move_on_file() -> None:
    """Contract: a move that is there is carried out, whoever brings it."""
    position = state(START, ANNAS, BENS)
    move = read("a2 0,1 ge", position).move
    assert move is not None
    assert ENGINE.resolve(position, {BEN: move}, DICE, WORDS) == ENGINE.act(position, BEN, move, DICE, WORDS)
    assert ENGINE.act(position, ANNA, move, DICE, WORDS).state == position


def test_a_seat_that_resigned_is_skipped() -> None:
    """Rulings 2 (all games): it is skipped and its tiles are out of play; for who goes out later they still count."""
    position = state(START, ANNAS, BENS, "e3 e4")
    left = ENGINE.resign(position, ANNA, DICE)
    assert left.events[0].readers == EVERYONE
    assert left.state.on_turn == BEN
    assert ENGINE.resign(left.state, ANNA, DICE).state == left.state
    closed = act("a2 0,1 ge\ne1 1,1 ge", left.state)
    assert counters(closed.state) == [0, 1, -1]
    gone = ENGINE.resign(state(START, ANNAS, BENS, "a2 e4"), BEN, DICE)
    assert gone.state.on_turn == CLEO


def test_a_seat_that_resigned_still_pays_who_goes_out() -> None:
    """By Typ-Dom's ruling: what a seat that left holds counts for who is out later."""
    position = ENGINE.resign(state(START, ANNAS, "a2", "e1 c1"), ANNA, DICE).state
    closed = act("a2 0,1 ge", position)
    assert counters(closed.state) == [-6, 8, -2]


def test_one_left_by_resigning_ends_the_game() -> None:
    """Rule 7: the game goes on until one is left; who resigned can't be the Gewinner."""
    left = ENGINE.resign(state(START, ANNAS, BENS), BEN, DICE)
    assert left.state.over
    outcome = ENGINE.outcome(left.state)
    assert outcome
    assert (outcome.winners, [line.rank for line in outcome.standings]) == ((ANNA,), [1, 2])
    assert ENGINE.resign(left.state, ANNA, DICE).state == left.state
    assert any("ausgeschieden" in line for line in drawn(ENGINE, ENGINE.view(left.state, SPECTATOR)))


def test_who_is_out_of_tiles_has_nothing_to_give_up() -> None:
    """1.10: the Gewinner was out first, and stays so if the place is left afterwards; in play it would rank last."""
    position = replace(ended(), over=False)
    assert ENGINE.resign(position, BEN, DICE).state == position
    left = ENGINE.resign(position, ANNA, DICE).state
    outcome = ENGINE.outcome(left)
    assert outcome
    assert (outcome.winners, [line.seat for line in outcome.standings]) == ((BEN,), [CLEO, BEN, ANNA])


def test_seats_need_not_be_in_a_row() -> None:
    """A player who left before the start leaves a gap; the others play all the same."""
    position = ENGINE.start({ANNA: SignUp(), Seat(4): None}, {}, DICE).state
    assert [player.seat for player in position.players] == [1, 4]
    closed = ENGINE.resolve(position, {}, DICE, WORDS)
    assert {position.on_turn, closed.state.on_turn} == {1, 4}


# Notation (rulings 3.7) and refusals


@pytest.mark.parametrize(
    "line",
    [
        "a2 -1,0 gn", "A2 -1,0 GN", "a2 −1,0 gn", "a2 –1/0 gn", "a2 (-1|0) grün", "a2 (-1, 0) gruen",
        "a 2 -1 , 0 gn", "a2: -1,0 grün oben", "a2 auf -1;0, green up", "*a2 -1,0 gn*", "a2 -1,0", "a2 -1,0.",
    ],
)  # fmt: skip
def test_ways_to_write_a_placement(line: str) -> None:
    """Rulings 3.7: minus signs, brackets, separators, colours long or short, or none."""
    assert read(line, state(START, ANNAS, BENS)).move == Move(tiles=laid("a2 -1,0 gn"))


@pytest.mark.parametrize("word", ["passe", "Passe!", "weiter.", "kaufen", "kaufen!", "pass"])
def test_ways_to_pass(word: str) -> None:
    """Rulings 3.7: `passe`, `weiter`, `kaufen`, also with a sign behind; a turn's end needs none of them."""
    position = state(START, ANNAS, BENS)
    assert read(f"a2 0,1 ge\n{word}", position).move == Move(tiles=laid("a2 0,1 ge"))
    assert [text.code for text in read(word, position).problems] == ["MUST_LAY"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("a7 1,1 ge", "Einen Stein a7 gibt es nicht, nur a1 bis a6, b1 bis b6 und so weiter bis e6."),
        ("b1 1,1 rt", "b1 hast du nicht. Du hast: a2, e1, d1, c5, c6."),
        ("e1 1,1 lila", "e1: »lila« ist keine Farbe. Auf dem Stein sind rt gn sw ge."),
        ("e1 1,1 bl", "e1: Die Farbe bl ist nicht auf dem Stein. Darauf sind rt gn sw ge."),
        ("e1 1,0 ge", "e1: Auf 1,0 liegt schon e2."),
        ("e1 5,5 ge", "e1: Neben 5,5 liegt nichts. Jeder Stein muss einen anderen berühren."),
        ("c5 1,1", "c5 passt auf 1,1 nicht, wie man ihn auch dreht. Dort liegt: unten e2 1,0 gn."),
        ("a2 0,1 sw", "a2 auf 0,1: unten liegt a1: Dort grenzt gn an, bei dir ist unten bl."),
        (
            "a2 0;1x ge",
            "»a2 0;1x ge« kann ich nicht lesen. "
            "Ich brauche Stein, Spalte, Zeile und die Farbe, die oben liegt: »a3 1,0 ge«.",
        ),
    ],
)  # fmt: skip
def test_refused_lines(line: str, problem: str) -> None:
    """Conventions: every fault names the tile, the neighbour and what would be right; nothing is laid."""
    sheet = read(line, state(START, ANNAS, BENS))
    assert said(sheet.problems)[0] == problem
    assert sheet.move is None


def test_a_wrong_turn_is_put_right_in_the_offer() -> None:
    """Conventions: the offer is a corrected block; a tile that fits the other way round is turned."""
    sheet = read("a2 0,1 sw\ne1 1,1 ge\nc5 9,9 rt", state(START, ANNAS, BENS))
    assert sheet.offer == ("a2 0,1 ge", "e1 1,1 ge")
    assert len(sheet.problems) > 2
    assert read("\n".join(sheet.offer), state(START, ANNAS, BENS)).move is not None
    assert sheet.grids


def test_lines_take_effect_in_order() -> None:
    """Rulings 2: each line must fit when it is laid, so the order matters."""
    position = state(START, ANNAS, BENS)
    assert read("e1 1,1 ge\na2 0,1 ge", position).move is not None
    board = "a1 0,0 gn"
    assert said(read("e1 1,1 ge\na2 0,1 ge", state(board, ANNAS, BENS)).problems) == [
        "e1: Neben 1,1 liegt nichts. Jeder Stein muss einen anderen berühren."
    ]


def test_the_same_tile_twice() -> None:
    """A tile can be laid once."""
    sheet = read("a2 0,1 ge\na2 -1,0 gn", state(START, ANNAS, BENS))
    assert said(sheet.problems) == ["a2 liegt in deinem Zug schon."]
    assert sheet.offer == ("a2 0,1 ge",)


def test_what_is_no_line_does_no_harm() -> None:
    """A greeting is a remark; the copy block as we sent it, whose `Stand: 5` the service reads, is no move."""
    position = state(START, ANNAS, BENS)
    sheet = read("a2 0,1 ge\nGruß Ben", position)
    assert sheet.move is not None
    assert said(sheet.remarks) == ["Nicht gelesen: »Gruß Ben«."]
    view = ENGINE.view(position, BEN)
    assert view.block == ("Stand: 5",)
    empty = ENGINE.read(position, BEN, MoveBlock(lines=view.block[1:]), WORDS)
    assert (empty.move, empty.problems) == (None, ())


def test_not_on_turn_and_over() -> None:
    """Rulings 2 (all games): a seat that isn't on turn is told who is."""
    assert said(read("b1 0,1", state(START, ANNAS, BENS), ANNA).problems) == ["Du bist nicht am Zug, sondern B2."]
    assert said(read("b1 0,1", ended(), ANNA).problems) == ["Die Partie ist zu Ende."]


def test_summary() -> None:
    """A confirmation says what was laid, the squares, and what is left in hand."""
    sheet = read("a2 0,1\ne1 1,1", state(START, ANNAS, "a2 e1 d1"))
    assert [tuple(said(pair)) for pair in sheet.summary] == [
        ("Gelegt", "a2 0,1 ge; e1 1,1 ge"), ("Quadrate", "1"), ("In der Hand", "d1")
    ]  # fmt: skip
    assert said(read("a2 0,1", state(START, ANNAS, "a2")).summary[-1]) == ["In der Hand", "nichts mehr"]


# Views


def test_the_table_is_drawn_tile_by_tile() -> None:
    """Brief: a cell a tile with its four fields from above clockwise, the colours with their tone; a free border."""
    (grid,) = draw_table(laid(START), ["e2"])
    assert (grid.look, grid.columns, grid.rows) == ("dominoes", ("-1", "0", "1", "2"), ("1", "0", "-1"))
    assert [(cell.text, cell.new) for cell in grid.cells[1]] == [("", False), ("a1", False), ("E2", True), ("", False)]
    assert [(side.text, side.tone) for side in grid.cells[1][2].sides] == [
        ("gn", "green"), ("rt", "red"), ("ge", "yellow"), ("sw", "black")
    ]  # fmt: skip


def test_a_text_mail_writes_a_tile_as_a_cross() -> None:
    """Brief: three by three cells a tile, the colours at the sides, the name in the middle, a dot for a free place."""
    (form,) = text_forms(*draw_table(laid(START), ["e2"]))
    assert form.columns == ("", "-1", "", "", "0", "", "", "1", "", "", "2", "")
    assert form.rows == ("", "1", "", "", "0", "", "", "-1", "")
    named = [cell.text.strip() for cell in form.cells[4]]
    assert named == ["", ".", "", "bl", "a1", "sw", "sw", "E2", "rt", "", ".", ""]
    assert [cell.text for cell in form.cells[3] if cell.text.strip()] == ["gn", "gn"]


def test_a_wide_table_is_written_in_parts() -> None:
    """Brief: no board is wider than 72 columns of text; HTML draws it as one."""
    row = tuple(Laid(tile="a1", x=x, y=0, up="gn") for x in range(-6, 5))
    (grid,) = draw_table(row)
    forms = text_forms(grid)
    assert [len(form.columns) // 3 for form in forms] == [7, 6]
    names = [name for form in forms for name in form.columns if name]
    assert names == [str(x) for x in range(-7, 6)]


def test_all_eyes_see_hands_and_the_rest() -> None:
    """The archive of a finished game shows every hand, its tiles numbered, and what would be bought next."""
    seen = ENGINE.view(state(START, "b1 b2 b3 b4 b5 b6", "a2 d1", "", stock="d2 c1"), ALL)
    (hands,) = [section for section in seen.sections if section.title and section.title.code == "ALL_HANDS"]
    assert [grid.seat for grid in hands.grids] == [ANNA, BEN]
    assert (hands.grids[0].look, hands.grids[0].columns, hands.grids[0].rows) == ("tiles", tuple("12345"), ("1", "2"))
    assert hands.grids[1].columns == ("1", "2")
    (form,) = text_forms(hands.grids[1])
    assert form.columns == ("", "1", "", "", "", "2", "")
    assert form.cells[1][5].text == "d1"
    assert said(hands.notes) == ["Im verdeckten Rest, der nächste zuerst: d2, c1"]
    assert seen.seat_facts[BEN]["hand"] == ["a2", "d1"]
    assert ENGINE.view(replace(state(START, "", "a2"), over=True), ALL).words == ()


def test_a_large_hand_takes_several_rows() -> None:
    """A hand that has bought much is drawn in rows."""
    (grid,) = draw_hand(tuple(TILES)[:7])
    (form,) = text_forms(grid)
    assert (len(form.rows), len(form.columns)) == (7, 19)
    assert draw_hand(()) == ()


def test_view_of_the_seat_on_turn() -> None:
    """The seat on turn sees its hand, how to move and the block with its number."""
    position = state(START, ANNAS, BENS, stock="c1")
    view = ENGINE.view(position, BEN)
    lines = drawn(ENGINE, view)
    assert "# Deine Steine (5)" in lines
    assert "# Zug 5: Wilhelmine B2" in lines
    assert "* Verdeckter Rest: 1" in lines
    assert len(view.how_to) == 2
    assert ENGINE.view(position, ANNA).how_to == ()
    assert ENGINE.view(position, ANNA).block == ()
    assert ENGINE.stand(position, BEN) == ENGINE.round(position) == 5


@pytest.mark.parametrize(
    ("tiles", "headline"),
    [
        ("a2", "B2 legt a2"), ("a2 e1", "B2 legt a2 und e1"),
        ("a b c", "B2 legt a, b und c"), ("a b c d e", "B2 legt 5 Steine"),
    ],
)  # fmt: skip
def test_headline(tiles: str, headline: str) -> None:
    """Brief: `Ben legt a2 und e1`, short enough for a subject."""
    position = act("a2 0,1 ge", state(START, ANNAS, BENS)).state
    assert position.last is not None
    position = replace(position, last=replace(position.last, tiles=tuple(tiles.split())))
    assert said([ENGINE.view(position, SPECTATOR).headline]) == [headline]
    assert ENGINE.view(start(2), SPECTATOR).headline is None


def test_hands_and_rest_are_hidden() -> None:
    """Secrecy: another hand, or the order of the rest, changes nothing for anybody else; events tell only numbers."""
    one = state(START, "b1 b2", "a2 d1", "e1 c2", stock="d1 d2")
    other = state(START, "b3 b4", "a2 d1", "e1 c2", stock="d5 d6")
    same_for_others(Contract(engine=ENGINE), one, other, ANNA)
    assert "hand" not in ENGINE.view(one, BEN).seat_facts[ANNA]
    assert ENGINE.view(one, ANNA).seat_facts[ANNA]["hand"] == ["b1", "b2"]
    closings = [ENGINE.resolve(position, {}, DICE, WORDS) for position in (one, other)]
    assert told(closings[0]) == told(closings[1])
    assert told(closings[0], BEN) != told(closings[1], BEN)
    assert {event.readers for event in closings[0].events} == {EVERYONE, frozenset({BEN})}


def test_all_is_shown_at_the_end() -> None:
    """The final view shows what was hidden."""
    position = replace(ended(), stock=("c2", "c1"))
    lines = drawn(ENGINE, ENGINE.view(position, SPECTATOR))
    assert "Wilhelmine B1 hat noch b1." in lines
    assert "Im verdeckten Rest lagen c1, c2." in lines
    assert ENGINE.view(position, SPECTATOR).seat_facts[ANNA]["hand"] == ["b1"]
    done = position.with_players(replace(position.player(ANNA), hand=()))
    assert "Alle Steine sind gelegt." in drawn(ENGINE, ENGINE.view(replace(done, stock=()), SPECTATOR))


def test_rules_page() -> None:
    """The rules page has every tile, both languages, and the rulings."""
    for sides in TABLE.strip().splitlines():
        for tile in sides.split(" | "):
            assert tile in README
    for word in ("Gewinner", "NMR", "passe", "first_out", "Quadrat", "winner", "square"):
        assert word in README


# Properties


@pytest.mark.trust
@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10_000), st.lists(st.integers(0, 5), min_size=1, max_size=60))
def test_whole_games(players: int, seed: int, choices: list[int]) -> None:
    """Whatever is sent or missing: thirty tiles, counters that add up to zero, a board that fits, and an end."""
    position = start(players, seed=str(seed))
    for step in range(200):
        tiles = [tile for player in position.players for tile in player.hand]
        assert sorted((*tiles, *position.stock, *(one.tile for one in position.board))) == sorted(TILES)
        assert sum(counters(position)) == 0
        table = table_of(position.board)
        assert len(table) == len(position.board)
        assert not any(misfits(table, one) for one in position.board)
        if position.over:
            break
        assert any(True for _ in placements(table, position.player(position.on_turn).hand))
        choice = choices[step % len(choices)]
        lines = ENGINE.suggest(position, position.on_turn, Dice(str(seed), step), WORDS)[:choice]
        move = read("\n".join(lines), position, position.on_turn).move
        before = position
        position = ENGINE.resolve(position, {position.on_turn: move} if move else {}, DICE, WORDS).state
        assert position.over or position.turn == before.turn + 1
    assert position.over
    assert HANDS[players] > 0
