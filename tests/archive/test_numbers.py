"""How numbers and the phrases around them are written on pages."""

import pytest
from markupsafe import Markup

from gm.archive.game_pages.rounds import DrawnPart, in_rows
from gm.archive.layout import minus, phrase
from gm.archive.list_data.numbers import decimal, percent
from gm.drawing.parts import Board, Chart, Part

BOARD = Board(columns=("a",), rows=("1",), cells=(("X",),))
CHART = Chart(head=("Wort",), rows=(("EI",),))


def test_one_is_singular() -> None:
    """A count of one has a phrase of its own, in both languages."""
    assert [phrase("de", "FEAT_TOTAL", count=count) for count in (0, 1, 2)] == ["0 Punkte", "1 Punkt", "2 Punkte"]
    assert phrase("en", "FEAT_TIGHT", count=1) == "1 point apart"
    assert phrase("en", "FEAT_TOTAL", count=-3) == "−3 points"


@pytest.mark.parametrize(
    ("written", "expected"),
    [("-3", "−3"), (-3, "−3"), ("-3,5", "−3,5"), ("Anna -1 Punkt.", "Anna −1 Punkt."), ("d4 -3,1 rt", "d4 -3,1 rt"),
     ("1,-1", "1,-1"), ("-TUA-", "-TUA-"), ("Typ-Dom-2", "Typ-Dom-2"), (7, "7")],
)  # fmt: skip
def test_minus(written: object, expected: str) -> None:
    """Figures below zero have a minus; names, struck words and places on a board stay as players write them."""
    assert minus(written) == expected


def test_averages_and_shares() -> None:
    """Averages and shares are written as in the language of the page; nothing is less than zero that is zero."""
    assert [decimal(-3, 2, "de"), decimal(-1, 31, "de"), decimal(5, 2, "en"), decimal(0, 0, "de")] == [
        "−1,5", "0,0", "2.5", "",
    ]  # fmt: skip
    assert [percent(1, 2, "de"), percent(1, 2, "en"), percent(0, 0, "en")] == ["50\N{NO-BREAK SPACE}%", "50%", ""]


def shown(boards: int, table: str) -> DrawnPart:
    """Draw a section with boards and a table."""
    part = Part(boards=(BOARD,) * boards, table=CHART if table else None)
    return DrawnPart(part=part, boards=Markup("<table></table>") * boards, table=Markup(table))


def test_narrow_sections_stand_beside_each_other() -> None:
    """Sections of one narrow form share a row; one with several boards, with a wide table or with none stands alone."""
    small, wide = "<table></table>", '<div class="wide"></div>'
    cards = [shown(1, small), shown(1, small)]
    tables = [shown(0, small), shown(0, small)]
    alone = [shown(2, small), shown(0, wide), shown(0, "")]
    assert in_rows([*cards, *tables, *alone]) == [cards, tables, *([one] for one in alone)]
