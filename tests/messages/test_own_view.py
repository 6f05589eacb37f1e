"""What a reminder shows of a position: what is the reader's own, or nobody's."""

from games.api import Cell, Grid, Seat, Section, Table, View, say
from gm.messages.rendering.own_view import own_boards, own_view
from gm.messages.rendering.wording import Speaker

ANNA, BERND = Seat(1), Seat(2)
SPEAKER = Speaker(
    language="de",
    wording={
        "HEAD": {"de": "Raster", "en": "Grids"},
        "SEAT": {"de": "{seat}", "en": "{seat}"},
        "HOW": {"de": "Schreib ein Wort.", "en": "Write a word."},
    },
    names={ANNA: "Anna Berg", BERND: "Bernd Cordes"},
    own=ANNA,
)


def grid(seat: Seat | None, letter: str) -> Grid:
    """Make a board of one cell."""
    return Grid(seat=seat, columns=("a",), rows=("1",), cells=((Cell(text=letter),),))


def rows(*seats: Seat) -> Table:
    """Make a table with a row for each seat."""
    return Table(
        head=(say("SEAT", seat=1), say("HEAD")), rows=tuple((say("SEAT", seat=seat), seat * 10) for seat in seats)
    )


def test_only_the_own_board_is_shown():
    """Of six boards the own one is left, and one that is nobody's stays."""
    section = Section(title=say("HEAD"), grids=(grid(ANNA, "A"), grid(BERND, "B"), grid(None, "C")))
    (kept,) = own_view(View(sections=(section,)), ANNA).sections
    assert [one.cells[0][0].text for one in kept.grids] == ["A", "C"]


def test_only_the_own_row_is_shown():
    """A table keeps the own row; one that is about others alone goes, with its heading."""
    both, other = Section(table=rows(ANNA, BERND)), Section(title=say("HEAD"), table=rows(BERND))
    (kept,) = own_view(View(sections=(both, other)), ANNA).sections
    assert kept.table is not None
    assert [row[1] for row in kept.table.rows] == [10]


def test_all_rows_stay_where_boards_alone_are_left_out():
    """The start mail shows one board, and names all who play."""
    view = View(sections=(Section(grids=(grid(ANNA, "A"), grid(BERND, "B")), table=rows(ANNA, BERND)),))
    (kept,) = own_boards(view, ANNA).sections
    assert kept.table == rows(ANNA, BERND)
    assert len(kept.grids) == 1
    assert not own_boards(View(sections=(Section(grids=(grid(BERND, "B"),)),)), ANNA).sections


def test_sentences_and_other_tables_stay():
    """Letters of the round and lists that name no seat are the reader's as well."""
    said = Section(title=say("HEAD"), lines=(say("HOW"),))
    listed = Section(table=Table(head=(say("HEAD"), say("HEAD")), rows=(("A", 1), ("B", 2))))
    assert own_view(View(sections=(said, listed)), ANNA).sections == (said, listed)
