"""Boards as SVG: drawn once for all rounds, short, and heard by those who don't see them."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from games import engines
from games.api import ALL, Cell, Look
from games.farbdomino.board import Laid, draw_hand, draw_table
from games.kit.testkit import Contract, play
from gm.drawing import svg
from gm.drawing.parts import Board, Outline


def letters(*rows: str, first: str = "A", name: str = "Brett", new: str = "") -> Board:
    """A board of letters; `.` is blank, and the letters of `new` are new."""
    columns = tuple(chr(ord(first) + at) for at in range(len(rows[0])))
    cells = tuple(tuple(Cell(text="" if sign == "." else sign, new=sign in new) for sign in row) for row in rows)
    return Board(name=name, columns=columns, rows=tuple(map(str, range(1, len(rows) + 1))), cells=cells)


def groups(drawn: str) -> dict[str, str]:
    """The letters of each group of tiles, by its class."""
    root = ElementTree.fromstring(drawn)
    return {
        group.get("class", ""): "".join(text.text or "" for text in group.iter("text"))
        for group in root.iter("g")
        if "tiles" in group.get("class", "")
    }


def test_each_round_has_a_group_with_what_came_in_it() -> None:
    """A page hides the groups behind that of the chosen round; a letter that only changes its case has not come."""
    rounds = [letters("..."), letters("T.."), letters("tIE"), letters("tie")]
    assert groups(svg.draw(rounds)) == {"tiles r0": "", "tiles r1": "T", "tiles r2": "IE", "tiles r3": ""}


def test_a_later_group_paints_over_an_earlier_one() -> None:
    """A tile that was taken away is painted blank, one that was replaced is drawn again."""
    drawn = svg.draw([letters("TI"), letters(".A")])
    assert groups(drawn) == {"tiles r0": "TI", "tiles r1": "A"}
    assert drawn.index('class="blank"') > drawn.index("r1")


def test_the_board_grows_in_its_own_order() -> None:
    """Labels are joined by column and number: Z comes before AA, 2 before 10, and rows may fall from above."""
    one = Board(name="", columns=("Z", "AA"), rows=("9", "10"), cells=((Cell(text="X"), Cell()),) * 2)
    two = Board(name="", columns=("Y", "Z"), rows=("8", "9"), cells=((Cell(), Cell()), (Cell(), Cell(text="X"))))
    drawn = svg.draw([one, two])
    assert re.findall(r'class="axis"[^>]*>([^<]+)', drawn) == ["YZ89", "AA", "10"]
    falling = Board(name="", look="dominoes", columns=("0",), rows=("1", "0", "-1"), cells=((Cell(),),) * 3)
    assert re.findall(r'class="axis"[^>]*>([^<]+)', svg.draw([falling, falling])) == ["010", "−1"]


def test_a_board_that_has_grown_has_one_blank_line_around() -> None:
    """What each round left blank far from the tiles isn't drawn; a board that never grows is drawn whole."""
    rounds = [letters("....", "....", "...."), letters("T....", ".....", ".....", first="D")]
    assert re.findall(r'class="axis"[^>]*>([^<]+)', svg.draw(rounds)) == ["CDE12"]
    assert re.findall(r'class="axis"[^>]*>([^<]+)', svg.draw([letters("T...", "....", "....")] * 2)) == ["ABCD123"]


def test_what_came_last_is_found() -> None:
    """Where the newest tiles lie across; a round that brings none leaves that as it was."""
    rounds = [letters("T.....", new="T"), letters("T...IE", new="IE"), letters("T...IE")]
    assert svg.newest(rounds) == (svg.newest(rounds[:2])) == (20 + 5 * 30) / (20 + 6 * 30 + 1)
    assert svg.newest([letters("TIER")]) is None


def test_a_single_round_marks_what_is_new() -> None:
    """On the page of a round and on small boards nothing is chosen; what was new then stands out."""
    shown = letters("TIER", new="R")
    assert groups(svg.draw([shown])) == groups(svg.mini(shown)) == {"tiles r0": "TIE", "tiles r0 new": "R"}


def test_words_can_be_reached_with_the_keyboard() -> None:
    """Each word is an image with a name; the board is a group then, and its letters are not read again."""
    drawn = svg.draw([letters("TIER", "E...")], [Outline(first="A1", last="D1", title="TIER, 5 <Punkte>")])
    root = ElementTree.fromstring(drawn)
    (word,) = root.findall("./g[@class='words']/path")
    assert (word.get("tabindex"), word.get("role"), word.findtext("title")) == ("0", "img", "TIER, 5 <Punkte>")
    assert root.get("role") == "group"
    assert root.find("./g[@aria-hidden='true']") is not None
    assert "words" not in svg.draw([letters("TIER")], [Outline(first="A1", last="Z9", title="TIERE")])


def test_letters_in_no_word_are_pale() -> None:
    """With outlines, what lies in none of them is pale, however a word runs; without, nothing is known of it."""

    def pale(outlines: list[Outline] | None) -> str:
        root = ElementTree.fromstring(svg.draw([letters("TIE", "RAB", "EEN")], outlines))
        return "".join(text.text or "" for text in root.iter("text") if text.get("class") == "pale")

    assert pale(None) == ""
    assert pale([]) == "TIERABEEN"
    assert pale([Outline(first="A1", last="C1", title="TIE")]) == "RABEEN"
    assert pale([Outline(first="C3", last="A1", title="NAT"), Outline(first="A3", last="A2", title="ER")]) == "IEBE"


def test_a_board_is_heard() -> None:
    """Whose it is, and each row with its label; gaps are a dash. A sentence of the game's own goes before that."""
    assert 'role="img" aria-label="Anna: 1 T – ER, 2 A"' in svg.draw([letters("T.ER", "A...", "....", name="Anna")])
    said = Board(name="", look="tiles", said="rot <A>", columns=("",), rows=("",), cells=((Cell(text="A"),),))
    assert 'aria-label="rot &lt;A&gt;"' in svg.draw([said])
    named = replace(said, name="Anna", said="Anna: rot A")
    assert 'aria-label="Anna: rot A"' in svg.draw([named])


def test_a_domino_is_heard_with_its_place_and_colours() -> None:
    """The colours are heard from above clockwise, as players write them."""
    (grid,) = draw_table((Laid(tile="a1", x=0, y=-1, up="gn"),))
    shown = Board(name="Tisch", look="dominoes", columns=grid.columns, rows=grid.rows, cells=grid.cells)
    assert 'aria-label="Tisch: a1 0,-1 gn sw ge bl"' in svg.draw([shown])


def test_a_key_says_which_symbol_is_which_colour() -> None:
    """Players write `rt`; who can't tell the colours apart finds the symbol with it below the table."""
    (grid,) = draw_table((Laid(tile="a1", x=0, y=0, up="gn"),))
    shown = Board(name="", look="dominoes", columns=grid.columns, rows=grid.rows, cells=grid.cells)
    key = ElementTree.fromstring(svg.draw([shown])).find(".//g[@class='key']")
    assert key is not None
    assert [text.text for text in key.iter("text")] == ["gn", "sw", "ge", "bl"]
    assert "key" not in svg.mini(shown)


def test_what_a_player_wrote_is_escaped() -> None:
    """A cell may hold any sign that somebody sent."""
    drawn = svg.draw([letters("<&", name="<b>")])
    assert ElementTree.fromstring(drawn).get("aria-label") == "<b>: 1 <&"


def test_jokers_and_values_are_drawn() -> None:
    """The star of a joker is a shape in the corner, so that the letter stays alone; small boards have neither."""
    cells = ((Cell(text="a*", tone="red", mark="joker", value=0), Cell(text="B", value=4)),)
    shown = Board(name="", columns=("A", "B"), rows=("1",), cells=cells)
    drawn = svg.draw([shown])
    assert 'class="star"' in drawn
    assert groups(drawn) == {"tiles r0": "BA04"}
    assert groups(svg.mini(shown)) == {"tiles r0": "BA"}


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("key", engines())
def test_all_boards_are_drawn_shortly(key: str) -> None:
    """Issue 28: no more than 110 bytes a letter and 650 a domino, whatever the game; and it is good XML."""
    engine = engines()[key]
    views = [engine.view(step.after.state, ALL) for step in play(Contract(engine=engine), "drawing", 0.1)]
    for grid in (grid for view in views for section in view.sections for grid in section.grids):
        shown = Board(look=grid.look, name="", columns=grid.columns, rows=grid.rows, cells=grid.cells)
        many = sum(bool(cell.text.strip(" .")) for line in grid.cells for cell in line)
        ground = len(svg.draw([_emptied(shown)]))
        has_sides = any(cell.sides for line in grid.cells for cell in line)
        once, each = (1500, 650) if has_sides else (500, 110)  # dominoes have a key
        assert len(svg.draw([shown])) - ground <= once + each * many
        ElementTree.fromstring(svg.draw([shown]))
        ElementTree.fromstring(svg.mini(shown))


def _emptied(shown: Board) -> Board:
    cells = tuple(tuple(Cell() for _ in line) for line in shown.cells)
    return Board(look=shown.look, name="", columns=shown.columns, rows=shown.rows, cells=cells)


def test_a_hand_of_dominoes_is_drawn_apart() -> None:
    """A rack of dominoes has no table below it and no places between."""
    (grid,) = draw_hand(("a1", "b2"))
    shown = Board(look=grid.look, name="", columns=grid.columns, rows=grid.rows, cells=grid.cells)
    assert 'class="board hand" viewBox="0 0 136 68"' in svg.draw([shown])


@pytest.mark.parametrize(("look", "across"), [("tiles", 432), ("dice", 624)])
def test_a_long_rack_takes_several_rows(look: Look, across: int) -> None:
    """On a phone a row of thirty tiles would be too small to read; dice are never so many."""
    shown = Board(look=look, name="", columns=("",) * 15, rows=("",), cells=((Cell(text="A"),) * 15,))
    assert f'viewBox="0 0 {across} ' in svg.draw([shown])
