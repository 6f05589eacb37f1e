"""What the Typ-Dom family shares: tiles, the open board with its notation, and the word finder."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import Dice
from games.kit.testkit import COMMON_WORDS
from games.shared import plane, racks, tiles, wordfinder
from games.shared.plane import EMPTY, Rows, Spot, lay

DICE = Dice("seed", 1)
GRID: Rows = ("WINTER..", "..A.....", "..SOMMER", "..E....U", "..N....M", ".......P", ".......f")
"""The valid grid of the acceptance example of Presto."""


# Tiles


def test_values_of_what_is_left_over() -> None:
    """Black 1, red 3, joker 10."""
    assert [tiles.worth(tile) for tile in "BEY*#"] == [1, 3, 3, 10, 10]


def test_colour_of_a_joker_follows_from_its_letter() -> None:
    """A small letter is a joker: red for a vowel or Y, black for a consonant."""
    assert [tiles.tile_of(sign) for sign in "AaYybB"] == ["A", "*", "Y", "*", "#", "B"]
    assert tiles.on_board("E", joker=True) == "e"


def test_racks_are_shown_red_then_black() -> None:
    """Both jokers are a star, each behind its colour."""
    assert tiles.shown("TE#LA*") == "AE* LT*"
    assert tiles.shown("TL") == "LT"
    assert tiles.shown("") == ""


def test_taking_tiles_from_a_rack() -> None:
    """What a rack doesn't hold can't be taken."""
    assert tiles.without("EIS*", "SE") == "I*"
    assert tiles.without("EIS", "EE") is None
    assert tiles.without("EIS", "*") is None


@pytest.mark.parametrize(
    ("wishes", "drawn"),
    [(["black"], "B"), (["red", "red"], "AE"), ([None], "A"), (["red"] * 3, "AEB"), ([None] * 9, "ABCE")],
)
def test_drawing(wishes: Any, drawn: str) -> None:
    """The first tile of a colour; of the other one where it is used up; nothing from an empty bag."""
    assert tiles.draw("ABCE", wishes)[0] == drawn


@given(st.integers(2, 5), st.text(max_size=5))
def test_dealing_loses_no_tile(seats: int, seed: str) -> None:
    """Racks and bag are the whole set."""
    racks, bag = tiles.deal(Dice(seed, 0), seats, 5, 8)
    assert sorted("".join(racks) + bag) == sorted(tiles.TILES)


# The open board


@pytest.mark.parametrize(("name", "spot"), [("A1", (0, 0)), ("Z26", (25, 25)), ("AA28", (27, 26)), ("AY51", (50, 50))])
def test_names_of_cells(name: str, spot: tuple[int, int]) -> None:
    """Columns A to AY, rows 1 to 51."""
    assert plane.spot_named(name) == spot
    assert plane.spot_named(f" {name[:-1].lower()}{name[-1]}") == spot
    assert plane.cell_name(Spot(*spot)) == name


@pytest.mark.parametrize("name", ["AZ1", "A52", "A0", "1A", "AAA1", "", "A²"])
def test_no_such_cell(name: str) -> None:
    """Beyond the edge there is nothing."""
    assert plane.spot_named(name) is None


def test_runs_of_a_grid() -> None:
    """All runs of two or more, along and down, each once."""
    assert [run.word for run in plane.runs(GRID)] == ["WINTER", "SOMMER", "NASEN", "RUMPF"]
    assert [run.where for run in plane.runs(GRID)][-1] == "H3-H7"
    assert plane.run_at(GRID, Spot(6, 7), "s").signs == "RUMPf"


def test_connected() -> None:
    """All tiles hang together, or they don't; an empty board does."""
    assert plane.apart(GRID) is None
    assert plane.apart(("A.B",)) == (0, 2)
    assert plane.apart(EMPTY) is None


def test_stretches() -> None:
    """Separate stretches of what lies along a line."""
    spots = [Spot(0, column) for column in range(6)]
    assert [plane.stretches((row,), spots) for row in ("......", "AB....", "A.B..C", "A.BC.D")] == [0, 1, 3, 3]


def test_neighbours_stop_at_the_edge() -> None:
    """A corner has two neighbours at most."""
    assert plane.neighbours(("AB", "CD"), Spot(0, 0)) == (Spot(0, 1), Spot(1, 0))
    assert plane.sign_at(("AB",), Spot(-1, 0)) == "."


@pytest.mark.parametrize(
    ("text", "letters", "jokers"),
    [("TExA*S", "TExAS", {3}), ("*WORT*", "WORT", set()), ("*WO*RT*", "WORT", {1}), ("MÄrz", "MAErz", set()),
     ("E◆IS", "EIS", {0}), ("W O R T.", "WORT", set())],
)  # fmt: skip
def test_stars_and_letters(text: str, letters: str, jokers: set[int]) -> None:
    """Rulings 3.6: a star is a joker only directly after a letter; bold type leaves paired outer stars."""
    assert plane.read_signs(text) == (letters, frozenset(jokers))


@pytest.mark.parametrize("text", ["WO1RT", "WO**RT", "", "***", "Café"])
def test_no_word(text: str) -> None:
    """What has other signs is no word."""
    assert plane.read_signs(text) is None


@pytest.mark.parametrize(
    ("text", "direction"), [("w", "w"), ("S", "s"), ("waagrecht", "w"), ("Senkrecht", "s"), ("x", None), ("", None)]
)
def test_directions(text: str, direction: Any) -> None:
    """Rulings 3.8: short and long."""
    assert plane.read_direction(text) == direction


@pytest.mark.parametrize("line", ["Jolly AB27 = A", "jolly ab27=a", "Joker: AB 27 = A", "Jolly AB27 A."])
def test_jolly_lines(line: str) -> None:
    """`Jolly AB27 = A` in many ways."""
    assert plane.read_jolly_line(line) == (Spot(26, 27), "A")


def test_line_of_a_word() -> None:
    """New letters in capitals, jokers with a star, what lay before small."""
    rows = lay(EMPTY, {Spot(25, 25): "E", Spot(25, 26): "i", Spot(25, 27): "S"})
    run = plane.run_at(rows, Spot(25, 25), "w")
    assert plane.word_line(rows, run, [Spot(25, 26)]) == "Z26 w eI*s"


def test_picture_shows_the_used_part() -> None:
    """A margin of one, not beyond the edge; a wide board has no room for stars."""
    small = plane.picture(lay(EMPTY, {Spot(0, 0): "a"}))
    assert (small.columns, small.rows) == (("A", "B"), ("1", "2"))
    assert small.cells[0][0].text == "a*"
    wide = plane.picture(lay(EMPTY, {Spot(0, 0): "a", Spot(0, 50): "B"}), [Spot(0, 50)])
    assert (wide.cells[0][0].text, wide.cells[0][50].text) == ("a", "B")
    assert (wide.cells[0][0].tone, wide.cells[0][50].tone) == ("red", "black")
    assert len(plane.picture(EMPTY).columns) == 3


# The word finder


def test_vocabulary_is_made_once() -> None:
    """The index of the same list is the same; lists that aren't sequences work too."""
    assert wordfinder.vocabulary(COMMON_WORDS) is wordfinder.vocabulary(iter(COMMON_WORDS))


def test_long_lists_share_their_index() -> None:
    """A long list with a ruling more has the same index, and all words that are short enough are in it."""
    many = ["AB", *(f"{a}{b}{c}ABC" for a in tiles.LETTERS for b in tiles.LETTERS for c in tiles.LETTERS * 2), "ZZ"]
    index = wordfinder.vocabulary(many)
    assert wordfinder.vocabulary([*many[:9], "AACX", *many[9:]]) is index
    assert set(index.words) == set(many)


def test_words_containing_a_part() -> None:
    """All words that hold a fragment, in alphabetical order, each once."""
    found = list(wordfinder.vocabulary(COMMON_WORDS).containing("EIS"))
    assert found == sorted(word for word in set(COMMON_WORDS) if "EIS" in word and len(word) <= 8)
    assert list(wordfinder.vocabulary(COMMON_WORDS).containing("QQ")) == []


def test_words_from_a_rack() -> None:
    """What a rack spells, with jokers for what lacks."""
    known = wordfinder.vocabulary(COMMON_WORDS)
    assert {"EIS", "ES"} == set(known.from_rack("EIS")) & {"EIS", "ES", "REIS"}
    assert "REIS" in set(known.from_rack("EIS#"))
    assert wordfinder.signs_for("REIS", "EIS#") == "rEIS"
    assert wordfinder.signs_for("REIS", "EIS*") is None


@settings(max_examples=25, deadline=None)
@given(st.integers())
def test_found_words_are_legal(seed: int) -> None:
    """Whatever is found: every run is a word, it takes tiles of the rack, it shares a cell, tiles only come to."""
    known, good, dice = wordfinder.vocabulary(COMMON_WORDS), set(COMMON_WORDS), Dice(str(seed), 0)
    rows: Rows = EMPTY
    for turn in range(6):
        rack = tiles.deal(Dice(str(seed), turn), 1, 5, 8)[0][0]
        found = wordfinder.best_placing(rows, rack, known, good.__contains__, dice)
        if not found:
            continue
        assert {run.word for run in plane.runs(found.rows)} <= good
        taken = "".join(tiles.tile_of(plane.sign_at(found.rows, spot)) for spot in found.new)
        assert tiles.without(rack, taken) is not None
        assert plane.apart(found.rows) is None
        assert set(plane.occupied(found.rows)) == {*plane.occupied(rows), *found.new}
        assert rows == EMPTY or len(found.new) < len(found.run.signs)
        rows = found.rows


@pytest.mark.parametrize(
    ("line", "wishes"),
    [
        ("kaufen", (None,)), ("kaufen rot", ("red",)), ("kaufen 3", (None, None, None)),
        ("kaufen 2 rot 1 schwarz", ("red", "red", "black")), ("kaufen 1 schwarz 2 rot", ("black", "red", "red")),
        ("kaufen 1 rot 2", ("red", None, None)),
    ],
)  # fmt: skip
def test_purchases_are_read_as_they_are_written(line: str, wishes: racks.Wishes) -> None:
    """A purchase keeps its colours in their order."""
    assert racks.wishes_line(wishes) == line
    assert racks.read_wishes(line) == wishes


def test_the_best_word_of_many_is_found() -> None:
    """However many words fit, the one that takes most tiles is found, or the one that is worth most."""
    many = [f"A{a}{b}{c}" for a in "BCDFGHKLMN" for b in tiles.LETTERS for c in tiles.LETTERS]
    known, rows = wordfinder.vocabulary([*many, "ABCDE", "AX"]), lay(EMPTY, {plane.CENTRE: "A"})
    for seed in range(10):
        dice = Dice(str(seed), 0)
        found = wordfinder.best_placing(rows, "BCDEFGHKX", known, bool, dice)
        assert found
        assert found.run.word == "ABCDE"
        found = wordfinder.best_placing(
            rows, "BCDEX", known, bool, dice, lambda laid: "X" in laid.run.signs, lambda word, _: "X" in word
        )
        assert found
        assert "X" in found.run.signs


def test_words_over_several_letters_of_a_line() -> None:
    """A word may use more of its line than one tile, and jokers for what lacks then."""
    known = wordfinder.vocabulary(["AMPEL", "EL"])
    rows = lay(EMPTY, {plane.CENTRE: "A", plane.CENTRE.moved("w", 2): "P", plane.CENTRE.moved("w", 1).moved("s"): "X"})
    for rack in ("MEL", "#EL", "M*#"):
        found = wordfinder.best_placing(rows, rack, known, lambda word: word != "MX", DICE)
        assert found is None
        found = wordfinder.best_placing(rows, rack, known, bool, DICE)
        assert found
        assert (found.run.word, len(found.new)) == ("AMPEL", 3)


def test_a_word_is_made_longer() -> None:
    """What lies is a part of the word that is found, whatever the letters of the rack."""
    known = wordfinder.vocabulary(["SCHNEE", "SCHNEEWE"])
    rows = lay(EMPTY, {plane.CENTRE.moved("w", at): letter for at, letter in enumerate("SCHNEE")})
    found = wordfinder.best_placing(rows, "WEB", known, {*known.words}.__contains__, DICE)
    assert found
    assert found.run.word == "SCHNEEWE"


def test_nothing_is_found_without_tiles_or_at_the_edge() -> None:
    """An empty rack finds nothing; words stay on the board."""
    known = wordfinder.vocabulary(["EIS"])
    assert wordfinder.best_placing(EMPTY, "", known, bool, DICE) is None
    corner = lay(EMPTY, {Spot(0, 0): "S", Spot(0, 1): "A", Spot(1, 0): "A"})
    assert wordfinder.best_placing(corner, "EI", known, bool, DICE) is None
