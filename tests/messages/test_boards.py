"""Boards and score cards in mails: read in every program, also where it turns light and dark round."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from colours import contrast, inverted

from games import engines
from games.api import ALL, SPECTATOR, Cell, Grid, Seat, View
from games.farbdomino.board import Laid, draw_hand, draw_table
from games.kit.testkit import Contract, play
from gm.drawing.parts import Board, Chart
from gm.messages.rendering.templates import html_forms
from gm.messages.rendering.wording import Speaker

MOST = 80_000
"""Bytes of a mail that Gmail shows whole."""


FORMS = html_forms(Speaker(language="de", wording={}, names={}))


def drawn_board(grid: Grid) -> str:
    """The HTML of a board of a game."""
    return str(FORMS.grids([Board(look=grid.look, columns=grid.columns, rows=grid.rows, cells=grid.cells)]))


def letters(*cells: Cell) -> str:
    """The HTML of a board of one row."""
    columns = tuple(chr(ord("a") + at) for at in range(len(cells)))
    return drawn_board(Grid(columns=columns, rows=("1",), cells=(cells,)))


HAVE_GROUNDS = ("table", "tr", "td", "th")
"""Elements that may have a ground as an attribute."""


class Pairs(HTMLParser):
    """Collects each ground with the colour of the text on it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, tuple[str, str]]] = []
        self.found: set[tuple[str, str]] = set()
        self.grounds: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        style = dict(part.partition(":")[::2] for part in given.get("style", "").split(";") if part)
        ground, letter = self.open[-1][1] if self.open else ("#ffffff", "#000000")
        if tag in HAVE_GROUNDS and ("background" in style or "bgcolor" in given):
            self.grounds.append((given.get("bgcolor", ""), style.get("background", "")))
        self.open.append((tag, (style.get("background", ground), style.get("color", letter))))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip(" \n\u00a0·") and self.open:
            self.found.add(self.open[-1][1])


def pairs(html: str) -> Pairs:
    found = Pairs()
    found.feed(html)
    return found


def views(key: str) -> Iterator[View]:
    """The views of a whole game, for a seat, a spectator and all eyes."""
    engine = engines()[key]
    for step in play(Contract(engine=engine), "mails", 0.1):
        for viewer in (Seat(1), SPECTATOR, ALL):
            yield engine.view(step.after.state, viewer)


def drawn(key: str) -> Iterator[str]:
    """The HTML of all sections of each of these views."""
    engine = engines()[key]
    names = {Seat(number): f"Wilhelmine B{number}" for number in range(1, 13)}
    speaker = Speaker(language="de", wording=engine.wording, names=names, own=Seat(1))
    forms = html_forms(speaker)
    for view in views(key):
        yield "".join(str(forms.section(speaker.part(section))) for section in view.sections)


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("key", engines())
def test_mails_stay_small_and_readable_in_the_dark(key: str) -> None:
    """Issue 28: no position takes a mail beyond 80 kB; contrast is 4.5, also where a program inverts the colours."""
    for html in drawn(key):
        assert len(html.encode()) < MOST
        found = pairs(html)
        weak = {
            (ground, letter)
            for ground, letter in found.found
            if min(contrast(ground, letter), contrast(inverted(ground), inverted(letter))) < 4.5
        }
        assert weak == set()
        assert [one for one in found.grounds if one[0] != one[1]] == [], "a ground stands as attribute and as shorthand"


def test_the_measure_finds_a_weak_pair() -> None:
    """The yellow of the pages would fall to 2.8 when it is inverted (shared/design)."""
    ((ground, letter),) = pairs('<td bgcolor="#ffd75e" style="background:#ffd75e;color:#20242a">A</td>').found
    assert contrast(ground, letter) > 11
    assert 2.7 < contrast(inverted(ground), inverted(letter)) < 2.9


def test_cells_keep_the_case_and_show_what_is_new_and_wrong() -> None:
    """Small letters lie since earlier rounds, capitals are new; the wrong cell is white on red, and bold."""
    html = letters(Cell(text="t"), Cell(text="I", new=True), Cell(text="Q", new=True, mark="wrong"), Cell())
    assert re.search(r"#f3ecdc[^>]*>t</td>", html)
    assert re.search(r"#ffe390[^>]*border:2px solid #7d6000[^>]*><b>I</b></td>", html)
    assert re.search(r"#9c221a[^>]*color:#ffffff[^>]*><b>Q</b></td>", html)
    assert html.count("&nbsp;") == 1


def test_one_of_many_boards_is_small() -> None:
    """Two boards of six columns stand beside each other on a phone of 320 pixels."""
    cells = ((Cell(text="A"),) * 6,)
    board = Board(name="Anna", seat=1, columns=tuple("abcdef"), rows=("1",), cells=cells)
    assert "width:36px" in FORMS.grids([board] * 2)
    assert "width:20px" in FORMS.grids([board] * 3)


def test_what_a_player_wrote_is_escaped() -> None:
    """A cell as read may hold any sign, and so may a name."""
    assert "<b>&lt;</b>" in letters(Cell(text="<", new=True))
    named = Board(name="<b>", note="&", seat=1, columns=("a",), rows=("1",), cells=((Cell(text="A"),),))
    assert "<b>&lt;b&gt;</b> &amp;</caption>" in FORMS.grids([named])


def test_a_domino_is_nine_cells() -> None:
    """The corners are split by two borders; its sides say their colours, so that it reads without colour."""
    (grid,) = draw_table((Laid(tile="a1", x=0, y=0, up="gn"),), ["a1"])
    html = drawn_board(grid)
    assert html.count("border-top:") == html.count("border-bottom:") == 2
    assert re.findall(r">(gn|sw|ge|bl|<b>A1</b>)</td>", html) == ["gn", "bl", "<b>A1</b>", "sw", "ge"]
    assert html.count("·") == 8
    assert html.count("<table") == 1


def test_a_wide_table_of_dominoes_is_one() -> None:
    """Text mails split it; HTML has smaller tiles instead."""
    (grid,) = draw_table(tuple(Laid(tile="a1", x=x, y=0, up="gn") for x in range(11)))
    html = drawn_board(grid)
    assert html.count("<table") == 1
    assert 'colspan="3" width="38"' in html


def test_a_hand_has_no_places() -> None:
    """Tiles in hand stand apart, without dots and numbers."""
    (grid,) = draw_hand(tuple(f"a{number}" for number in range(1, 7)))
    html = drawn_board(grid)
    assert "·" not in html
    assert html.count("<b>a") == 6
    assert "<th" not in html


def test_a_rack_parts_red_and_black() -> None:
    """Read without colour, red tiles come first: in a row of their own, or before a gap."""
    red, black = Cell(text="E", tone="red", value=1), Cell(text="*", tone="black", mark="joker", value=0)
    few, many = (
        FORMS.grids([Board(look="tiles", said="rot E", columns=("",) * size, rows=("",), cells=(cells,))])
        for size, cells in ((2, (red, black)), (9, (red,) * 5 + (black,) * 4))
    )
    assert few.count("<tr") == 1
    assert many.count("<tr") == 2
    assert few.index("E</b>") < few.index("width:6px") < few.index("★")
    assert "rot E</caption>" in few


def test_pegs_and_dice_differ_by_more_than_colour() -> None:
    """A full peg, a ring and a hole are three signs; a die that isn't used has a dashed edge."""
    pegs = (Cell(text="R"), Cell(text="I", mark="idle"), Cell(text="●", mark="full"), Cell())
    html = drawn_board(Grid(look="pegs", columns=tuple("1234"), rows=("1",), cells=(pegs,)))
    assert "<s>I</s>" in html
    assert html.index("●") < html.index("·")
    dice = (Cell(text="A"), Cell(text="B", mark="idle"))
    html = drawn_board(Grid(look="dice", columns=("1", "2"), rows=("1",), cells=(dice,)))
    assert html.count("dashed") == 1


def test_a_score_card_has_a_column_for_each_seat() -> None:
    """Issue 28: boxes go down, as on paper; the sum comes last; three seats stand beside each other."""
    head = ("Name", "R1", "Summe")
    card = Chart(head=head, rows=(("Anna", " 4", "  9"), ("Ben", " .", "  0")), is_card=True)
    html = str(FORMS.table(card, "Karten"))
    assert re.findall(r"<th scope=\"col\"[^>]*>([^<]*)", html) == ["Name", "Anna", "Ben"]
    assert re.findall(r"<th scope=\"row\"[^>]*>([^<]*)</th><td>([^<]*)</td><td>([^<]*)", html) == [
        ("R1", "4", "."),
        ("Summe", "9", "0"),
    ]
    assert FORMS.table(replace(card, rows=(("Anna", "4", "9"),) * 9), "").count("<table") == 3
