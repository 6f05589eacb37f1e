"""What a record keeps of a board is enough to draw it."""

from pydantic import TypeAdapter

from games.api import Cell, Grid, Seat, Section, Text, say
from gm.archive.record.pictures import picture
from gm.archive.record.public_wording import PublicSpeaker, worded
from gm.archive.record.record import Board, Part, WordRecord

SPEAKER = PublicSpeaker(
    language="de",
    wording={"NOTE": {"de": "NMR", "en": "NMR"}, "SAID": {"de": "rot A", "en": "red A"}},
    names={Seat(1): "Anna Berg"},
)
GRID = Grid(
    look="tiles",
    seat=Seat(1),
    note=Text("NOTE"),
    columns=("A", "B"),
    rows=("1",),
    cells=(
        (
            Cell(text="a*", new=True, tone="red", mark="joker", value=0),
            Cell(text="b4", sides=(Cell(text="rt", tone="red"), Cell(text="bl", tone="blue"))),
        ),
    ),
    said=say("SAID"),
)


def _read_back(part: Part) -> Part:
    adapter = TypeAdapter(Part)
    return adapter.validate_json(adapter.dump_json(part, by_alias=True, exclude_defaults=True))


def test_a_board_is_drawn_from_the_file_as_it_was_in_the_game() -> None:
    """Look, colours, marks, values and sides go through the file; the seat has become a name."""
    kept = _read_back(worded(SPEAKER, Section(grids=(GRID,))))
    drawn = picture(kept.boards[0])
    assert (drawn.look, drawn.title, drawn.note, drawn.said) == ("tiles", "Anna Berg", "NMR", "rot A")
    assert (drawn.columns, drawn.rows, drawn.cells) == (GRID.columns, GRID.rows, GRID.cells)


def test_a_title_stands_in_place_of_the_name() -> None:
    """Boards that are nobody's get theirs from the page."""
    board = Board(columns=("A",), rows=("1",), cells=(("",),))
    assert picture(board, "Brett").title == "Brett"


def test_files_of_before_are_read() -> None:
    """A board and a word without what came later are a grid of letters and a word without a place."""
    part = TypeAdapter(Part).validate_json(
        '{"raster": [{"spalten": ["a"], "reihen": ["1"], "felder": [["X"]], "neu": [[0, 0]]}]}'
    )
    assert picture(part.boards[0]).cells == ((Cell(text="X", new=True),),)
    word = TypeAdapter(WordRecord).validate_json('{"sitz": 1, "wort": "TIER"}')
    assert (word.first, word.last) == ("", "")
