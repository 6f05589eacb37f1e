"""The plain text part of a mail: boards, tables and paragraphs within 78 columns."""

from games.api import Cell, Grid, Seat, Section, Table, Text, say
from gm.messages.rendering.plain_text import Plain, short_name, wrap
from gm.messages.rendering.wording import Speaker

NAMES = {Seat(1): "Anna Berg", Seat(2): "Bernd Cordes", Seat(3): "Wilhelmine-Theodora Großmann"}
WORDING = {"T": {"de": "{text}", "en": "{text}"}, "NMR": {"de": "NMR", "en": "NMR"}}
SPEAKER = Speaker(language="de", wording=WORDING, names=NAMES)
PLAIN = Plain()


def t(text: str) -> Text:
    """Return a text that needs no wording."""
    return say("T", text=text)


def board(width: int = 6, height: int = 6, seat: int | None = 1, note: Text | None = None, letters: str = "x") -> Grid:
    """Make a board full of the same."""
    return Grid(
        seat=Seat(seat) if seat else None, note=note, columns=tuple("abcdefghijklmnopqrstuvwxyz"[:width]),
        rows=tuple(str(row + 1) for row in range(height)),
        cells=tuple(tuple(Cell(text=letters) for _ in range(width)) for _ in range(height)),
    )  # fmt: skip


def lines(text: str) -> list[str]:
    """The lines of a drawing; all but blank ones begin with two blanks and end with three."""
    found = text.split("\n")
    for line in filter(None, found):
        assert line.startswith("  ")
        assert line.endswith("   ")
        assert len(line.rstrip()) <= 78
    return found


def test_one_board():
    """A board has its player's name, column letters and row numbers."""
    assert PLAIN.grids(SPEAKER.boards([board(3, 2)])) == "    Anna B.   \n    a b c   \n  1 x x x   \n  2 x x x   \n\n"


def test_one_to_six_boards_stand_in_balanced_rows():
    """Up to five small boards share a row, six stand three by three: never five and one."""
    shape = {}
    for number in range(1, 7):
        drawn = lines(PLAIN.grids(SPEAKER.boards([board()] * number)))
        shape[number] = [line.count("a b c d e f") for line in drawn if "a b c" in line]
    assert shape == {1: [1], 2: [2], 3: [3], 4: [4], 5: [5], 6: [3, 3]}


def test_rows_of_boards_are_parted_by_a_blank_line():
    """Between two rows of boards is one blank line, after the last one."""
    drawn = PLAIN.grids(SPEAKER.boards([board()] * 6))
    assert drawn.count("\n\n") == 2
    assert drawn.endswith("\n\n")


def test_wide_boards():
    """A board of 20 columns stands alone, one of 35 is drawn all the same."""
    assert [line.count("a b c") for line in lines(PLAIN.grids(SPEAKER.boards([board(20)] * 2))) if "a b c" in line] == [
        1,
        1,
    ]
    assert "x x x" in PLAIN.grids(SPEAKER.boards([board(26)]))


def test_cells_of_two_letters():
    """Cells are as wide as the longest of a board."""
    drawn = lines(PLAIN.grids(SPEAKER.boards([board(3, 1, letters="QU")])))
    assert drawn[1:3] == ["    a  b  c   ", "  1 QU QU QU   "]


def test_boards_of_different_height():
    """The shorter board ends earlier, the columns stay in line."""
    drawn = lines(PLAIN.grids(SPEAKER.boards([board(3, 3), board(3, 1)])))
    assert drawn[2] == "  1 x x x    x x x   "
    assert drawn[3] == "  2 x x x   "


def test_ten_rows():
    """Row numbers stand on the right."""
    drawn = lines(PLAIN.grids(SPEAKER.boards([board(2, 10, seat=None)])))
    assert drawn[1].startswith("   1 x x")
    assert drawn[10].startswith("  10 x x")


def test_blank_cells():
    """A blank cell is a dot."""
    blank = Grid(columns=("a",), rows=("1",), cells=((Cell(),),))
    assert PLAIN.grids(SPEAKER.boards([blank])) == "    a   \n  1 .   \n\n"


def test_a_board_without_a_player_has_no_caption():
    """Where nothing is to be said above a board, no line is spent."""
    assert PLAIN.grids(SPEAKER.boards([board(2, 1, seat=None)])).startswith("    a b")


def test_captions_give_way_to_the_note():
    """The note is never cut; the name is shortened to the initial, and beyond that only if it is very long."""
    drawn = lines(PLAIN.grids(SPEAKER.boards([board(seat=2, note=say("NMR")), board(seat=3, note=say("NMR"))])))
    assert drawn[0] == "    Bernd Cordes NMR      Wilhelmine-Theo… NMR   "


def test_short_names():
    """A name loses its second part first, then its end."""
    assert short_name("Anna Berg", 9) == "Anna Berg"
    assert short_name("Anna Berg", 8) == "Anna B."
    assert short_name("Anna Berg", 5) == "Anna"
    assert short_name("Anna Berg", 3) == "An…"
    assert short_name("Anna", 1) == "A…" or len(short_name("Anna", 1)) <= 2
    assert short_name("", 5) == ""


def test_names_over_boards_are_not_cut():
    """A board of one cell is as wide as its player's first name with the initial of the other."""
    grid = Grid(seat=Seat(1), columns=("a",), rows=("1",), cells=((Cell(text="A"),),))
    head = PLAIN.grids(SPEAKER.boards([grid])).split("\n")[0].strip()
    first, _, rest = SPEAKER.name(Seat(1)).partition(" ")
    assert head in (f"{first} {rest}", f"{first} {rest[:1]}.")


def test_tables():
    """Numbers stand on the right, words on the left, headings over both."""
    table = Table(head=(t("Name"), t("Punkte")), rows=(("Anna", 100), ("Bernd", 7)))
    assert (
        PLAIN.section(SPEAKER.part(Section(table=table)))
        == "  Name   Punkte   \n  Anna      100   \n  Bernd       7   \n\n"
    )


def test_tables_without_headings():
    """Empty headings take no line."""
    table = Table(head=(t(""), t("")), rows=(("Anna", 100),))
    assert PLAIN.section(SPEAKER.part(Section(table=table))) == "  Anna  100   \n\n"


def test_folded_tables():
    """The halves of a folded table stand side by side, the first one longer where the number is odd."""
    rows = tuple((f"Z{number}", number) for number in range(1, 6))
    drawn = lines(PLAIN.section(SPEAKER.part(Section(table=Table(head=(t("L"), t("P")), rows=rows, fold=2)))))
    assert drawn[0] == "  L   P   L   P   "
    assert drawn[1].split() == ["Z1", "1", "Z4", "4"]
    assert drawn[3].split() == ["Z3", "3"]


def test_a_folded_table_that_is_too_wide_is_unfolded():
    """Halves that have no room side by side stand below each other."""
    rows = tuple((f"{letter * 50}", 1) for letter in "ABCD")
    drawn = lines(PLAIN.section(SPEAKER.part(Section(table=Table(head=(t("L"), t("P")), rows=rows, fold=2)))))
    assert [line[2] for line in drawn[1:5]] == ["A", "B", "C", "D"]


def test_a_table_stands_beside_its_board():
    """One board and a table share their lines where there is room, and only then."""
    table = Table(head=(t("L"), t("P")), rows=(("Z1", 1), ("Z2", 2)))
    beside = lines(PLAIN.section(SPEAKER.part(Section(grids=(board(2, 2, seat=None),), table=table))))
    assert beside[1].split() == ["1", "x", "x", "Z1", "1"]
    wide = Table(head=(t("L"), t("P")), rows=(("Z" * 65, 1),))
    below = lines(PLAIN.section(SPEAKER.part(Section(grids=(board(2, 2, seat=None),), table=wide))))
    assert below[1].strip() == "1 x x"
    assert below[3] == ""


def test_a_table_that_is_too_wide_shortens_its_names():
    """A name of forty letters gives way to the figures."""
    head = tuple(t(title) for title in ("Pl.", "Name", "Zeilen", "Spalten", "Diag.", "Sechser", "gestr.", "Punkte"))
    rows = ((1, f"{'A' * 19} {'B' * 20}", 1, 2, 3, 4, 5, 100), (2, "Anna Berg", 1, 2, 3, 4, 5, 6))
    drawn = lines(PLAIN.section(SPEAKER.part(Section(table=Table(head=head, rows=rows)))))
    assert f"{'A' * 19} B." in drawn[1]
    assert "Anna Berg" in drawn[2]
    assert drawn[1].rstrip().endswith("100")


def test_paragraphs():
    """Text is filled to 78 columns; a long word stands alone and is never broken."""
    address = "https://example.org/" + "x" * 80
    filled = wrap(f"{'wort ' * 20}{address} und weiter")
    assert address in filled.split("\n")
    assert all(len(line) <= 78 or line == address for line in filled.split("\n"))
    assert wrap("ein Wort-mit-Strichen " * 6).count("-\n") == 0
    assert wrap("") == ""


def test_lists():
    """Numbered sentences hang below their first line, labels stand before their contents."""
    listed = PLAIN.items(["kurz", "lang " * 30])
    assert listed.startswith("  1. kurz\n  2. lang lang")
    assert "\n     lang" in listed
    pairs = PLAIN.pairs("Zug", [("Gesetzt", "a1 D"), ("Wunsch", "wort " * 30)])
    assert pairs.startswith("  Gesetzt: a1 D\n  Wunsch:  wort")
    assert "\n           wort" in pairs
    assert PLAIN.pairs("Zug", [("Stand", "x")], mark="") == "  Stand  x\n\n"


def test_quotations():
    """What somebody wrote keeps its lines, each with a mark, so that none is a command; long ones are folded."""
    assert PLAIN.quote(["eins", "", "zwei"]) == "  > eins   \n  >   \n  > zwei   \n\n"
    assert all(len(line) <= 81 for line in PLAIN.quote(["wort " * 200]).split("\n"))


def test_blocks():
    """A block's lines stand five blanks in and keep their end."""
    assert PLAIN.block(["Neu:", "......"]) == "     Neu:   \n     ......   \n\n"


def test_banners():
    """The title is in capitals; left and right share a line, or where there is no room, the right one comes below."""
    assert PLAIN.banner([("a", "b")]).split("\n")[:2] == [f"  A{' ' * 74}b", f"  {'=' * 76}"]
    tight = PLAIN.banner([("A" * 70, "B" * 20), ("c", "")], "ZAT", "Freitag").split("\n")
    assert tight[:3] == [f"  {'A' * 70}", ("B" * 20).rjust(78), "  c"]
    assert tight[4:6] == ["  ZAT:  Freitag", f"  {'=' * 76}"]


def test_headings():
    """Headings are capitals, folded where they are long."""
    assert PLAIN.h("Raster") == "  RASTER\n\n"
    assert all(len(line) <= 78 for line in PLAIN.h("wort " * 40).split("\n"))


def test_points():
    """A point that needs several lines goes on below its first word."""
    written = PLAIN.points(["kurz", "lang " * 20])
    assert written == "  - kurz\n  - " + " ".join(["lang"] * 15) + "\n    " + " ".join(["lang"] * 5) + "\n\n"
