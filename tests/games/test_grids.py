"""Rows of a grid in the ways in which people write them (games/shared/grids.py)."""

import pytest

from games.api import MoveBlock, Seat
from games.crossword import ENGINE as CROSSWORD
from games.crossword.rules import State as Grids
from games.kit.testkit import WordSet
from games.presto import ENGINE as PRESTO
from games.presto.rules import Deal
from games.presto.rules import State as Race
from games.shared.grids import plain_rows
from games.shared.tiles import in_order

ANNA = Seat(1)
WORDS = WordSet(["WINTER", "SOMMER", "NASEN", "RUMPF"])
GRID = ("WINTER..", "..A.....", "..SOMMER", "..E....U", "..N....M", ".......P", ".......F*")
RACK = in_order("AEEEIOUMMMNNPRRSTW#")
FORMS = (
    "Z{n}: {row}", "Zeile {n} → {row}", "zeile {n} = {row}", "Zeile {n}: {row}", "Reihe {n} - {row}", "Zl. {n}: {row}",
    "{n}. Zeile: {row}", "{n}. Reihe {row}", "{n}. Zeile – {row}", "{th} Zeile: {row}", "{th} Reihe – {row}",
    "{n}. {row}", "{n}) {row}", "({n}) {row}", "{n}: {row}", "{n} {row}", "{n} | {bars}", "| {n} | {bars} |",
    "Row {n}: {bars}", "{bars}", "{n}: {commas}", "{commas}", "{commas},", "{row},", "{n}   {spaced}", "{spaced}",
)  # fmt: skip
ORDINALS = ("erste", "zweite", "dritte", "vierte", "fünfte", "sechste", "siebte")


def written(form: str, grid: tuple[str, ...]) -> tuple[str, ...]:
    """Write the rows of a grid in some form; a star belongs to its letter."""
    signs = [[sign + "*" * (row[at + 1 : at + 2] == "*") for at, sign in enumerate(row) if sign != "*"] for row in grid]
    return tuple(
        form.format(n=n, th=th, row="".join(row), bars=" | ".join(row), commas=",".join(row), spaced=" ".join(row))
        for n, (th, row) in enumerate(zip(ORDINALS, signs, strict=False), start=1)
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("header", [(), ("  A B C D E F G H",), ("| a | b | c | d | e | f | g | h |",)])
def test_presto_reads_rows_as_people_write_them(form: str, header: tuple[str, ...]) -> None:
    """Issue 55: names and numbers of rows, bars between cells, and a header above numbered rows."""
    if header and "{n}" not in form and "{th}" not in form:
        return  # a header alone may be a row
    state = Race(
        seats=tuple(map(Seat, range(1, 5))),
        deals=1,
        one_left=False,
        profile="typdom",
        now=Deal(racks=(RACK,) * 4, rest=""),
    )
    plain, sent = (
        PRESTO.read(state, ANNA, MoveBlock(lines=lines), WORDS) for lines in (GRID, (*header, *written(form, GRID)))
    )
    assert sent.move == plain.move is not None, sent.problems


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("header", [(), ("  a b c d e f",), ("| A | B | C | D | E | F |",)])
def test_crossword_reads_rows_as_people_write_them(form: str, header: tuple[str, ...]) -> None:
    """Issue 55: the same above a word list, whose entries begin with names of lines too."""
    if header and "{n}" not in form and "{th}" not in form:
        return
    grid, listed = ("D..-..", "......", ".A....", ".._...", "......", ".....R"), ("Z1: ar", "S2: rar 3", "ab 1")
    sent = MoveBlock(lines=("Neu: E", *header, *written(form, grid), *listed))
    move = CROSSWORD.read(Grids(wishes=tuple("DARUHE")), ANNA, sent, WORDS).move
    assert move is not None
    assert (move.grid, move.wish) == (("D.....", "......", ".A....", "......", "......", ".....R"), "E")
    assert move.words == listed


def test_what_is_no_row() -> None:
    """Lines without a grid stay as they are, and named ones too unless all rows are there."""
    lines = ("Z1: brecht", "S2: rar 3", "Hallo Anna,", "Neu: E, sonst nichts", "a b c d e f", "passe")
    assert plain_rows(lines, 6) == lines
    assert plain_rows(lines[2:]) == lines[2:]
