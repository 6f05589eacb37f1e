"""What a record keeps of a board is enough to draw it."""

import pytest
from pydantic import TypeAdapter, ValidationError

from games.api import Cell, Grid, Seat, Section, Text, say
from gm.archive.record.public_wording import PublicSpeaker
from gm.archive.record.record import WordRecord
from gm.drawing.parts import Part

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
PLAIN = Grid(columns=("A", "B"), rows=("1",), cells=((Cell(text="A"), Cell(text="B", new=True)),))


def _read_back(part: Part) -> Part:
    adapter = TypeAdapter(Part)
    return adapter.validate_json(adapter.dump_json(part, by_alias=True, exclude_defaults=True))


def test_a_board_goes_through_the_file_as_it_was_in_the_game() -> None:
    """Look, colours, marks, values and sides are kept; the seat has become a name."""
    (kept,) = _read_back(SPEAKER.part(Section(grids=(GRID,)))).boards
    assert (kept.look, kept.name, kept.note, kept.said) == ("tiles", "Anna Berg", "NMR", "rot A")
    assert (kept.columns, kept.rows, kept.cells) == (GRID.columns, GRID.rows, GRID.cells)


def test_a_cell_of_which_nothing_else_is_known_is_its_text() -> None:
    """So files stay small; what is new, or has a colour, stands there as an object."""
    written = TypeAdapter(Part).dump_python(SPEAKER.part(Section(grids=(PLAIN,))), by_alias=True)
    assert written["raster"][0]["felder"] == (("A", {"text": "B", "neu": True}),)


def test_what_isn_t_known_of_a_board_or_word_may_be_missing() -> None:
    """A board is a grid of letters then, and a word has no place."""
    part = TypeAdapter(Part).validate_json(
        '{"raster": [{"spalten": ["a"], "reihen": ["1"], "felder": [[{"text": "X", "neu": true}]]}]}'
    )
    assert part.boards[0].cells == ((Cell(text="X", new=True),),)
    word = TypeAdapter(WordRecord).validate_json('{"sitz": 1, "wort": "TIER"}')
    assert (word.first, word.last) == ("", "")


@pytest.mark.parametrize("cell", ["7", '{"neu": true}', "[]"])
def test_no_cell(cell: str) -> None:
    """What is no cell is refused."""
    with pytest.raises(ValidationError, match="a cell is a text"):
        TypeAdapter(Part).validate_json(f'{{"raster": [{{"spalten": ["a"], "reihen": ["1"], "felder": [[{cell}]]}}]}}')
