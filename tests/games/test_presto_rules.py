"""Presto by its rule text (seed 000, section 2), by games.md and by the rulings (sections 2, 3 and 4)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games.presto
from games.api import ALL, EVERYONE, SPECTATOR, Seat, Sheet, SignUp
from games.dice import Dice
from games.errors import SetupError
from games.kit.testkit import COMMON_WORDS, Contract, WordSet, block, drawn, play, same_for_others, worded
from games.presto import ENGINE
from games.presto.rules import Deal, Finish, Move, State
from games.presto.suggest import solve, suggest_lines
from games.shared.plane import apart, runs
from games.shared.tiles import TILES, in_order
from tests.games.rules_pages import in_both_languages

DICE = Dice("seed", 1)
SEATS = tuple(Seat(number) for number in range(1, 5))
ANN, BOB, CEM, DAN = SEATS
RACK = in_order("AEEEIOU" + "MMMNNPRRSTW#")
EXAMPLE = "WINTER..\n..A.....\n..SOMMER\n..E....U\n..N....M\n.......P\n.......F*"
LESS = EXAMPLE.rpartition("\n")[0]
NASE = "WINTER..\n..A.....\n..SOMMER\n..E....U\n.......M\n.......P\n.......F*"
WORDS = WordSet(["WINTER", "SOMMER", "NASEN", "NASE", "RUMPF"], {"NAB": "RULED"})


def state(*, rack: str = RACK, **more: Any) -> State:
    now = Deal(racks=(rack,) * 4, rest="CDEV")
    defaults: dict[str, Any] = {"seats": SEATS, "deals": 3, "one_left": False, "profile": "typdom", "now": now}
    return State(**(defaults | more))


def changed(position: State, **more: Any) -> State:
    """Return a position with other tiles or grids in the present deal."""
    return replace(position, now=replace(position.now, **more))


def read(text: str, position: State | None = None, words: WordSet = WORDS, seat: Seat = ANN) -> Sheet[Any]:
    return ENGINE.read(position or state(), seat, block(text), words)


def said(texts: Any, language: Any = "de") -> list[str]:
    return [worded(ENGINE, text, language) for text in texts]


def problems(text: str, position: State | None = None, words: WordSet = WORDS) -> list[str]:
    sheet = read(text, position, words)
    assert sheet.move is None
    return said(sheet.problems)


def act(position: State, seat: Seat, text: str = EXAMPLE) -> Any:
    sheet = read(text, position, seat=seat)
    assert sheet.move is not None, said(sheet.problems)
    return ENGINE.act(position, seat, sheet.move, DICE, WORDS)


def told(resolution: Any) -> list[str]:
    return said(event.text for event in resolution.events if event.readers == EVERYONE)


def points(position: State) -> list[int]:
    return [position.points(seat) for seat in position.seats]


# Dealing


@pytest.mark.parametrize(("seats", "black", "red", "rest"), [(4, 12, 7, 4), (5, 10, 6, 0), (6, 8, 5, 2)])
def test_text_hands(seats: int, black: int, red: int, rest: int) -> None:
    """Rule text: all tiles are dealt, 12/7, 10/6 or 8/5; the rest is not used."""
    dealt = ENGINE.start({Seat(n + 1): SignUp() for n in range(seats)}, {}, DICE)
    for rack in dealt.state.now.racks:
        assert len([tile for tile in rack if tile in "AEIOUY*"]) == red
        assert len(rack) == red + black
    assert len(dealt.state.now.rest) == rest
    assert sorted("".join(dealt.state.now.racks) + dealt.state.now.rest) == sorted(TILES)


def test_text_everybody_gets_the_tiles_at_once() -> None:
    """Rule text: at "Los!" everybody turns the tiles over; each hears of the own ones only, and all are due."""
    dealt = ENGINE.start(dict.fromkeys(SEATS, SignUp()), {}, DICE)
    assert told(dealt) == ["Los! Durchgang 1 von 3 beginnt."]
    assert [event.readers for event in dealt.events[1:]] == [frozenset({seat}) for seat in SEATS]
    assert ENGINE.due(dealt.state) == frozenset(SEATS)


@pytest.mark.parametrize("seats", [3, 7])
def test_text_four_to_six_players(seats: int) -> None:
    """Rule text: for four to six."""
    with pytest.raises(SetupError, match=r"SETUP_(FREE|MANY)"):
        ENGINE.start({Seat(n + 1): SignUp() for n in range(seats)}, {}, DICE)


@pytest.mark.parametrize(("option", "value"), [("deals", 0), ("deals", 21), ("words", "klingon")])
def test_options_that_cannot_be(option: str, value: Any) -> None:
    """`deals` and `words` have their limits."""
    with pytest.raises(SetupError, match=f"SETUP_OPTION.*{option}"):
        ENGINE.start(dict.fromkeys(SEATS, SignUp()), {option: value}, DICE)


def test_sign_up_needs_nothing() -> None:
    """A sign-up brings nothing but the will to play."""
    assert ENGINE.enrol(block(""), {}).move == SignUp()


# The acceptance example (rulings, section 4)


def test_rulings_4_the_example_is_valid() -> None:
    """WINTER, SOMMER, NASEN, RUMPF with the F as a black joker: 19 tiles, one piece; first: 4 points."""
    sheet = read(EXAMPLE)
    assert said(sheet.problems) == []
    assert sheet.move.grid[-1] == ".......f"
    pairs = {worded(ENGINE, a, "de"): worded(ENGINE, b, "de") for a, b in sheet.summary}
    assert pairs == {"Durchgang": "1", "Gelegte Steine": "19", "Wörter": "NASEN, RUMPF, SOMMER, WINTER"}
    first = act(state(), ANN)
    assert told(first) == ["Fertig! Wilhelmine B1, Platz 1: 4 Punkte."]
    assert first.state.round == 1
    assert ENGINE.due(first.state) == {BOB, CEM, DAN}


def test_rulings_4_the_second_grid_ends_the_deal() -> None:
    """A second seat's valid grid: 2 points, the deal is over, the next one is dealt, all are told."""
    second = act(act(state(), ANN).state, CEM)
    assert told(second) == [
        "Fertig! Wilhelmine B3, Platz 2: 2 Punkte.",
        "Durchgang 1 ist zu Ende. Punkte: Wilhelmine B1 4, Wilhelmine B3 2.",
        "Los! Durchgang 2 von 3 beginnt.",
    ]
    assert points(second.state) == [4, 0, 2, 0]
    assert (second.state.round, ENGINE.due(second.state)) == (2, frozenset(SEATS))
    assert second.state.now.racks != state().now.racks


def test_rulings_4_a_tile_left_over_is_refused() -> None:
    """The same grid without the last row: one tile left over, and RUMP is judged."""
    assert problems(LESS) == ["1 Stein übrig: Joker (schwarz)."]
    assert said(read(LESS).remarks)[0].startswith("Nicht in der Wörterliste: RUMP.")
    refused = WordSet(["WINTER", "SOMMER", "NASEN"], ["RUMP"])
    assert problems(LESS, words=refused) == [
        "1 Stein übrig: Joker (schwarz).",
        "H3-H6 ergibt RUMP: vom GM gestrichen.",
    ]


def test_rulings_4_one_left() -> None:
    """With `one_left` RUMP must still be a word; NASE and RUMPF without an N: 2 points, as the second one 1."""
    easy = state(one_left=True)
    assert problems(LESS, easy, WordSet(["WINTER", "SOMMER", "NASEN"], ["RUMP"])) == [
        "H3-H6 ergibt RUMP: vom GM gestrichen."
    ]
    assert read(LESS, easy).doubtful == ("RUMP",)
    first = act(easy, ANN, NASE)
    assert told(first) == ["Fertig mit einem Stein Rest! Wilhelmine B1, Platz 1: 2 Punkte."]
    assert points(act(first.state, BOB, NASE).state) == [2, 1, 0, 0]
    assert points(act(first.state, BOB, EXAMPLE).state) == [2, 2, 0, 0]
    assert problems(NASE) == ["1 Stein übrig: N."]


def test_rulings_2_one_left_means_exactly_one() -> None:
    """Rulings 2: exactly one tile left over; two are too many."""
    two = NASE.replace("NASE", "NAS").replace("..E....U", ".......U")
    assert problems(two, state(one_left=True), WordSet([*WORDS.listed(""), "NAS"])) == ["2 Steine übrig: E, N."]


def test_rulings_2_a_place_once_paid_is_not_improved() -> None:
    """Rulings 2: a complete grid by a later mail of the same seat improves nothing."""
    first = act(state(one_left=True), ANN, NASE).state
    assert problems(EXAMPLE, first)[0].startswith("In Durchgang 1 bist du schon fertig")


# Faults


def test_every_fault_at_once() -> None:
    """games.md: a wrong grid is answered with all its faults."""
    found = problems("WINTERX\n..A\n..Bß\n.....1.Q", words=WordSet((), ["WINTERX", "NAB"]))
    starts = (
        "Zeile 3 (»..Bß«): ß wird SS geschrieben",
        "Zeile 4 (».....1.Q«): »1« ist kein Feld",
        "B: Du legst 1, hast aber 0.",
        "Q: Du legst 1",
        "X: Du legst 1",
        "12 Steine übrig: ",
        "Das Raster hängt nicht zusammen: Q (H4) ist nicht mit WINTERX (A1-G1) verbunden.",
        "A1-G1 ergibt WINTERX: vom GM gestrichen.",
        "C1-C3 ergibt NAB",
    )
    assert len(found) == len(starts), found
    for text, start in zip(found, starts, strict=True):
        assert text.startswith(start), found


def test_text_one_connected_grid() -> None:
    """games.md: one connected crossword."""
    apart = "WINTER..\n..A.....\n..S.MMER\n..E....U\n..N....M\n.......P\n....O..F*"
    found = problems(apart, words=WordSet([*WORDS.listed(""), "MMER"]))
    assert any(text.startswith("Das Raster hängt nicht zusammen: MMER (E3-H3)") for text in found), found


def test_doubtful_words_are_held() -> None:
    """Rulings 2: a doubtful word is no fault; the GM is asked while the grid keeps its place."""
    sheet = read(EXAMPLE, words=WordSet(["WINTER"]))
    assert sheet.doubtful == ("NASEN", "RUMPF", "SOMMER")
    assert sheet.move is not None
    assert sheet.problems == ()


def test_a_grid_that_waits_is_shown_to_its_seat() -> None:
    """Issue 55: a grid that waits for the GM's ruling is on file, and its seat sees it with its words."""
    move = read(EXAMPLE, words=WordSet(["WINTER"])).move
    waiting = drawn(ENGINE, ENGINE.view(state(), ANN, move))
    assert "# Dein Raster wartet auf den GM" in waiting
    assert "Wörter: NASEN, RUMPF, SOMMER, WINTER" in waiting
    for old in (None, replace(move, deal=2), Move(deal=1, passes=True)):
        assert ENGINE.view(state(), ANN, old) == ENGINE.view(state(), ANN)


def test_a_wrong_grid_costs_nothing() -> None:
    """games.md: it costs nothing but time: the seat is still due and may send another one."""
    position = state()
    assert problems("WINTER", position)
    assert ENGINE.due(position) == frozenset(SEATS)
    assert read(EXAMPLE, position).move is not None


# Notation


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE.lower(),
        "W I N T E R\n. . A\n. . S O M M E R\n__E____U\n··N····M\n.......P\n.......F*",
        "\n".join(f"....{row}" for row in EXAMPLE.splitlines()),
        f"......\n{EXAMPLE}\n......",
        f"{EXAMPLE}\nFertig!",
        f"Fertig\n{EXAMPLE}",
        EXAMPLE.replace("F*", "F◆"),
        EXAMPLE.replace("WINTER..", "*WINTER*"),
        f"Durchgang: 1\n{EXAMPLE}",
    ],
)
def test_rulings_3_6_ways_to_write_it(text: str) -> None:
    """Rulings 3.4, 3.6: case, blanks, margins, short rows, bold stars, and the cry `Fertig!`."""
    sheet = read(text)
    assert sheet.move == read(EXAMPLE).move, said(sheet.problems)


def test_rulings_3_6_a_row_is_as_wide_as_its_cells() -> None:
    """Rulings 3.6: a joker is one cell; leading dots are obligatory."""
    sheet = read(EXAMPLE.replace("WINTER..", "WINTER").replace("S.O", "SO"))
    assert sheet.move is not None
    moved = EXAMPLE.replace("\n..A.....", "\n.A......")
    assert problems(moved)


def test_a_forgotten_star_is_seen() -> None:
    """Rulings 3.9: where only the star of the joker is missing, it is taken with a remark."""
    sheet = read(EXAMPLE.replace("F*", "F"))
    assert sheet.move == read(EXAMPLE).move
    assert said(sheet.remarks) == [
        "H7: Ein F hast du nicht mehr; ich nehme deinen Joker dafür. Sicherer ist F* im Block."
    ]


def test_a_joker_of_the_wrong_colour() -> None:
    """Rule text (section 1): a black joker stands for a consonant only."""
    found = problems(EXAMPLE.replace("WINTER", "WI*NTER"))
    assert "Joker (rot): Du legst 1, hast aber 0." in found


@pytest.mark.parametrize(
    ("row", "start"),
    [
        ("Ä", "Zeile 1 (»Ä«): Ä wird AE geschrieben"),
        ("A..*", "Zeile 1 (»A..*«): Vor dem Stern fehlt der Buchstabe"),
        ("A4", "Zeile 1 (»A4«): »4« ist kein Feld"),
        ("A" + 40 * "." + "E", "Dein Raster ist 1 mal 42 Felder groß"),
        ("A\n" + 40 * ".\n" + "E", "Dein Raster ist 42 mal 1 Felder groß"),
        ("Durchgang: 2\nA", "Der Block nennt Durchgang 2, gespielt wird Durchgang 1."),
    ],
)
def test_faults_of_notation(row: str, start: str) -> None:
    """games.md: any size up to 40x40, letters and dots; a block for another deal is refused (rulings 3.17)."""
    assert any(text.startswith(start) for text in problems(row)), problems(row)


def test_forty_by_forty_is_allowed() -> None:
    """games.md: 40 rows and columns are not too many."""
    assert not any("höchstens 40" in text for text in problems("A" + 38 * "." + "E\n" + 38 * ".\n" + "I"))


@pytest.mark.parametrize("text", ["", "....\n....", "Fertig!"])
def test_an_empty_block_is_nothing(text: str) -> None:
    """Rulings 3.14: without a tile nothing was entered."""
    assert read(text) == Sheet()


# Passing, NMR, the end


@pytest.mark.parametrize("text", ["passe", "Passe!", "ich passe", "pass"])
def test_house_rule_passing(text: str) -> None:
    """House rule: `passe` gives the deal up; the seat is asked for nothing more in it."""
    passed = act(state(), BOB, text)
    assert told(passed) == ["Wilhelmine B2 gibt diesen Durchgang auf."]
    assert BOB not in ENGINE.due(passed.state)
    assert said(read(EXAMPLE, passed.state, seat=BOB).problems)[0].startswith("Durchgang 1 hast du aufgegeben")


def test_house_rule_the_deal_ends_when_nobody_builds() -> None:
    """House rule: when all have finished or passed, the deal ends at once."""
    position = act(state(), ANN).state
    for seat in (BOB, CEM, DAN):
        position = act(position, seat, "passe").state
    assert (position.round, points(position)) == (2, [4, 0, 0, 0])


def test_rulings_2_zat_pays_who_has_finished() -> None:
    """Rulings 2: fewer than two finish: the deal ends at its ZAT; who has finished is paid, nobody else."""
    closed = ENGINE.resolve(act(state(), ANN).state, {}, DICE, WORDS)
    assert told(closed)[:2] == [
        "Der ZAT von Durchgang 1 ist vorbei. Nicht fertig geworden: Wilhelmine B2, Wilhelmine B3, Wilhelmine B4.",
        "Durchgang 1 ist zu Ende. Punkte: Wilhelmine B1 4.",
    ]
    assert points(closed.state) == [4, 0, 0, 0]
    nobody = ENGINE.resolve(state(), {}, DICE, WORDS)
    assert told(nobody)[1] == "Durchgang 1 ist zu Ende, niemand ist fertig geworden."


@pytest.mark.parametrize("turned", [False, True])
def test_all_tiles_in_one_row_hold_no_place(turned: bool) -> None:
    """Issue 26: all tiles in one row, or in one column, that can't be a word are refused and not put before the GM."""
    row = "AEEEIOUMMMNNPRRSTWF*"
    sheet = read("\n".join(row.replace("F*", "F")[:-1]) + "\nF*" if turned else row)
    assert sheet.move is None
    assert not sheet.doubtful
    assert "AEEEIOUMMMNNPRRSTWF" in said(sheet.problems)[0]
    assert "kann kein Wort sein" in said(sheet.problems)[0]


def test_a_long_row_with_a_tail_holds_no_place() -> None:
    """Issue 26: neither does a row longer than any listed word with a real word across it."""
    row = "AEEEIOUMMMNPRRSTWF*"
    sheet = read(f"{row}\n................N", words=WordSet(["WN"]))
    assert [text[:40] for text in said(sheet.problems)] == ["AEEEIOUMMMNPRRSTWF (A1-R1) kann kein Wor"]


def test_a_long_compound_is_the_gms() -> None:
    """A run of all tiles that is made of two listed words is doubtful: the GM may well take it."""
    rack = in_order("WINTERSOMMER")
    sheet = read("WINTERSOMMER", state(rack=rack))
    assert sheet.doubtful == ("WINTERSOMMER",)
    assert sheet.move is not None
    joined = read("WINTERSRUMPF", state(rack=in_order("WINTERSRUMPF")))
    assert joined.doubtful == ("WINTERSRUMPF",)


def test_the_last_deal_ends_the_game() -> None:
    """games.md, rulings 2: after the option's number of deals the sums rank; equal sums share the rank."""
    over = act(act(state(deals=1), DAN).state, BOB).state
    outcome = ENGINE.outcome(over)
    assert outcome is not None
    assert [(line.rank, line.seat, line.points) for line in outcome.standings] == [
        (1, 4, 4), (2, 2, 2), (3, 1, 0), (3, 3, 0),
    ]  # fmt: skip
    assert ENGINE.due(over) == frozenset()
    assert ENGINE.resolve(over, {}, DICE, WORDS).state == over


def test_a_late_grid_changes_nothing() -> None:
    """A grid for a deal that is over has no effect, whatever held it up."""
    position = state()
    move = read(EXAMPLE, position).move
    later = replace(position, before=(position.now,))
    late = ENGINE.act(later, ANN, move, DICE, WORDS)
    assert late.state == later
    assert late.events[0].readers == frozenset({ANN})
    assert ENGINE.act(position, Seat(9), Move(deal=1, passes=True), DICE, WORDS).state == position


def test_the_last_one_in_play_has_won() -> None:
    """rulings.md, All games: with one seat left the game is over at once, and who led before stands behind."""
    position = act(state(), ANN).state
    for seat in (ANN, BOB):
        position = ENGINE.resign(position, seat, DICE).state
    left = ENGINE.resign(position, CEM, DICE)
    outcome = ENGINE.outcome(left.state)
    assert outcome
    assert outcome.winners == (DAN,)
    assert [(line.rank, line.seat, line.points) for line in outcome.standings][:2] == [(1, DAN, 0), (2, ANN, 4)]
    assert told(left)[-2] == "Nur Wilhelmine B4 ist noch im Spiel und gewinnt."


def test_a_seat_that_resigned_builds_no_more() -> None:
    """Rulings 2, All games: it is skipped; its points stay; when all have gone, the game is over."""
    position = ENGINE.resign(act(state(), ANN).state, ANN, DICE).state
    assert (points(position), ENGINE.due(position)) == ([4, 0, 0, 0], {BOB, CEM, DAN})
    for seat in (BOB, CEM, DAN):
        position = ENGINE.resign(position, seat, DICE).state
    assert position.over
    assert ENGINE.resign(position, ANN, DICE).state == position
    assert said(read(EXAMPLE, position).problems)


# What is seen


def test_stand_is_the_deal_and_grows_with_finishing() -> None:
    """The copy block names the deal; who has finished gets none."""
    position = act(state(), ANN).state
    assert [ENGINE.stand(position, seat) for seat in SEATS] == [2, 1, 1, 1]
    assert ENGINE.view(position, BOB).block == ("Stand: 1",)
    assert ENGINE.view(position, ANN).block == ()


def test_racks_rest_and_grids_are_hidden() -> None:
    """Racks, the rest and the grid of a deal in play show to nobody else."""
    contract = Contract(engine=ENGINE)
    one = state()
    racks = (in_order("AAEEEIOBBCDFGHJKLMN"), *one.now.racks[1:])
    same_for_others(contract, one, changed(one, racks=racks, rest="AAAA"), ANN)
    grid = Finish(seat=ANN, grid=("AB", "U."), points=4)
    other = Finish(seat=ANN, grid=("EI", "I."), points=4)
    same_for_others(contract, changed(one, finishes=(grid,)), changed(one, finishes=(other,)), ANN)
    assert "AB" in "".join(drawn(ENGINE, ENGINE.view(changed(one, finishes=(grid,)), ANN))).replace(" ", "")


def test_rest_is_shown_after_the_end_only() -> None:
    """Rulings 2: nobody is shown the rest before the end; all eyes belong to the archive of a finished game."""
    over = act(act(state(), ANN).state, BOB).state
    for viewer in (*over.seats, SPECTATOR):
        middle = "\n".join(drawn(ENGINE, ENGINE.view(over, viewer)))
        assert "Nicht verteilt" not in middle
        assert "'rest'" not in middle
    final = "\n".join(drawn(ENGINE, ENGINE.view(act(act(state(deals=1), ANN).state, BOB).state, SPECTATOR)))
    assert "Durchgang 1: Nicht verteilt wurden E CDV." in final
    assert "Durchgang 1: Wilhelmine B3 hatte AEEEIOU MMMNNPRRSTW*." in final


def test_all_eyes_see_racks_rest_and_grids() -> None:
    """The archive of a finished game shows of each deal every rack, the rest, and who had which grid already."""
    seen = ENGINE.view(act(state(), ANN).state, ALL)
    text = drawn(ENGINE, seen)
    at = text.index("# Alle Steine in Durchgang 1")
    assert text[at + 1] == "Wilhelmine B1: AEEEIOU MMMNNPRRSTW* (7 rote, 12 schwarze)"
    assert any("Nicht verteilt" in line for line in text)
    grids = [grid for section in seen.sections for grid in section.grids]
    assert [grid.seat for grid in grids if grid.look == "letters"] == [ANN]
    assert [grid.seat for grid in grids if grid.look == "tiles"] == [*seen.seat_facts, None]
    assert all("rack" in facts for facts in seen.seat_facts.values())


def test_words_of_finished_grids() -> None:
    """After the end every word of a grid that was finished is listed with its player and deal, without points."""
    final = act(act(state(deals=1), ANN).state, BOB).state
    words = ENGINE.view(final, SPECTATOR).words
    assert {played.seat for played in words} == {ANN, BOB}
    by_ann = sorted(played.word for played in words if played.seat == ANN)
    assert by_ann == sorted(run.word for run in runs(final.past[0].finishes[0].grid))
    assert {played.points for played in words} == {None}
    assert {worded(ENGINE, played.where, "en") for played in words if played.where} == {"Deal 1"}
    assert {(played.word, played.first, played.last) for played in words if played.seat == ANN} == {
        (run.word, *run.where.split("-")) for run in runs(final.past[0].finishes[0].grid)
    }


def test_headlines() -> None:
    """A bulletin's subject says what has happened."""
    first = act(state(), ANN).state
    seen = [ENGINE.view(position, SPECTATOR).headline for position in (state(), first, act(first, BOB).state)]
    assert said(text for text in seen if text) == [
        "Durchgang 1 beginnt",
        "Wilhelmine B1 ist in Durchgang 1 fertig (Platz 1)",
        "Wilhelmine B1 gewinnt Durchgang 1, Durchgang 2 beginnt",
    ]


def test_the_grids_of_the_deal_before_are_shown() -> None:
    """Everybody sees the grids once a deal is over."""
    text = "\n".join(drawn(ENGINE, ENGINE.view(act(act(state(), ANN).state, BOB).state, DAN)))
    assert "Die Raster von Durchgang 1" in text
    assert "F*" in text


def test_rules_page_has_every_ruling() -> None:
    """The rules page says what was decided, in German and English."""
    page = in_both_languages(games.presto)
    for words in (
        "one_left",
        "deals",
        "Hausregel",
        "House rule",
        "rückt der Nächste auf",
        "moves up",
        "Ankunft",
        "passe",
    ):
        assert words in page, words


# Building


def test_the_solver_builds_a_legal_grid() -> None:
    """What is built uses all letters, hangs together, and all its runs are words."""
    words = ["WINTER", "SOMMER", "NASEN", "RUMPF", *COMMON_WORDS]
    cells = solve("AEEEIOUFMMMNNPRRSTW", words, Dice("grid", 1))
    assert cells is not None
    assert sorted(cells.values()) == sorted("AEEEIOUFMMMNNPRRSTW")


def test_suggestion_is_accepted_or_gives_up() -> None:
    """A rack with its words known is built, jokers included; without words the deal is given up."""
    words = WordSet(["WINTER", "SOMMER", "NASEN", "RUMPF"])
    rack = in_order("AEEEIOU" + "MMMNNPRRSTWF")
    for tiles in (rack, rack.replace("S", "#"), rack.replace("O", "*")):
        lines = suggest_lines(state(rack=tiles), ANN, DICE, words)
        sheet = read("\n".join(lines), state(rack=tiles), words)
        assert sheet.move is not None, lines
        assert not sheet.move.passes
        assert apart(sheet.move.grid) is None
        assert {run.word for run in runs(sheet.move.grid)} == {"WINTER", "SOMMER", "NASEN", "RUMPF"}
    assert suggest_lines(state(), ANN, DICE, WordSet()) == ("passe",)


def test_suggestion_leaves_a_tile_where_that_is_allowed() -> None:
    """With `one_left` a Q without U is left over."""
    words = WordSet(["WINTER", "SOMMER", "NASEN", "RUMPF"])
    position = state(rack=in_order("AEEEIOU" + "MMMNNPRRSTWFQ"), one_left=True)
    sheet = read("\n".join(suggest_lines(position, ANN, DICE, words)), position, words)
    assert sheet.move is not None
    assert sheet.move.left == "Q"


# Properties


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.2, 0.6]))
def test_tiles_are_conserved_and_points_are_those_of_the_places(seed: int, nmr: float) -> None:
    """In every deal the 80 tiles are in racks and rest; a grid holds its rack; a deal pays 4 and 2 at most."""
    for step in play(Contract(engine=ENGINE), f"seed {seed}", nmr):
        now: State = step.after.state
        for deal in (*now.before, now.now):
            assert sorted("".join(deal.racks) + deal.rest) == sorted(TILES)
            assert [finish.points for finish in deal.finishes] == [4, 2][: len(deal.finishes)]


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="ABEWINTR.*◆ \n-²½ß…é1passeFertig!:", max_size=120))
def test_nothing_that_is_sent_raises(text: str) -> None:
    """Whatever a block holds, it is answered."""
    sheet = read(text)
    assert not (sheet.problems and sheet.move)
