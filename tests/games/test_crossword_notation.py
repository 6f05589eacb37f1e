"""Reading Crossword blocks: properties over all writings, and brute force against the clever parts."""

from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.api import MoveBlock, Seat, say
from games.crossword import ENGINE
from games.crossword.board import LINES, POINTS, SIZE, all_along, arrange, arrange_most, placed, points
from games.crossword.rules import Move, State, best_parts, best_score, worth_of
from games.crossword.sheets import sort_lines
from games.crossword.wordlist import Entry, match, read_entry, rising_lines
from games.kit.testkit import NASTY, WordSet
from games.shared.grids import cells, columns, has_odd_blanks
from games.shared.lines import field, read_lines, unread
from games.shared.notation import board_letters, letter, shown

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ANNA = Seat(1)
WORDS = WordSet(["AB", "BA", "ABA"])
NASTIER = st.text(st.sampled_from(NASTY + "abEN:\n\t<>()/+-. 123") | st.characters(codec="utf-8"), max_size=60)

grids = st.tuples(*[st.text(st.sampled_from("....ABCDEFNEU"), min_size=SIZE, max_size=SIZE)] * SIZE)
letters = st.text(st.sampled_from(ALPHABET), min_size=6, max_size=6)


@st.composite
def positions(draw: Any, last: int = 6) -> State:
    number = draw(st.integers(1, last))
    return State(round=number, wishes=tuple(draw(letters)), grids=tuple(draw(grids) for _ in range(6)))


@st.composite
def moves(draw: Any) -> tuple[State, Move]:
    """A position of a round with a wish, and a legal move in it."""
    state = draw(positions(last=5))
    old = state.grids[0]
    blank = [(r, c) for r in range(SIZE) for c in range(SIZE) if old[r][c] == "."]
    order = draw(st.permutations(blank)) if blank else []
    left = draw(st.lists(st.integers(0, 5), unique=True))
    new = {cell: state.wishes[at] for cell, at in zip(order, left, strict=False)}
    rows = tuple("".join(new.get((r, c), old[r][c]) for c in range(SIZE)) for r in range(SIZE))
    return state, Move(grid=rows, wish=draw(st.sampled_from(ALPHABET)))


@st.composite
def writings(draw: Any) -> tuple[State, Move, MoveBlock]:
    """A legal move in any accepted writing."""
    state, move = draw(moves())
    wish = draw(st.sampled_from(["Neu: {}", "neu {}", "NEW:{}", "Wunsch: {}", "Wunschbuchstabe: »{}«", "Wish : {}"]))
    gap = st.sampled_from(["", " ", "\t", "   "])
    rows = [_row(draw, row, draw(gap)) for row in move.grid]
    head = [wish.format(draw(st.sampled_from([move.wish, move.wish.lower()])))]
    head += draw(st.lists(st.sampled_from(["Partie: Eriwan", f"Runde: {state.round}"]), max_size=2))
    lines = [*rows, *head] if draw(st.booleans()) else [*head, *rows]
    return state, move, MoveBlock(lines=tuple(lines))


def _row(draw: Any, row: str, gap: str) -> str:
    return gap.join(draw(st.sampled_from("._-·–" if sign == "." else sign + sign.lower())) for sign in row)


@given(writings())
@settings(max_examples=300, deadline=None)
def test_every_writing_reads_back(written: tuple[State, Move, MoveBlock]) -> None:
    """Any legal move in any accepted writing reads back as itself."""
    state, move, lines = written
    sheet = ENGINE.read(state, ANNA, lines, WORDS)
    assert not sheet.problems
    assert sheet.move == move


@given(positions(), st.lists(NASTIER, max_size=12), st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_text_raises(state: State, lines: list[str], filed: bool) -> None:
    """Whatever is sent, there is an answer, and what is offered instead is accepted."""
    own = Move(grid=state.grids[0], wish="E") if filed else None
    for block in (MoveBlock(lines=tuple(lines)), MoveBlock(lines=("Neu: E", *state.grids[0], *lines))):
        sheet = ENGINE.read(state, ANNA, block, WORDS, own)
        assert not (sheet.problems and sheet.move)
        if sheet.offer:
            assert not ENGINE.read(state, ANNA, MoveBlock(lines=sheet.offer), WORDS, own).problems
        if sheet.move:
            _check_legal(state, sheet.move)
        ENGINE.enrol(block, {})


def _check_legal(state: State, move: Move) -> None:
    old = state.grids[0]
    assert all(
        a in (".", b) for old_row, row in zip(old, move.grid, strict=True) for a, b in zip(old_row, row, strict=True)
    )
    laid = list(placed(old, move.grid).values())
    assert all(laid.count(new) <= state.wishes.count(new) for new in laid)
    assert move.wish == "" or move.wish in ALPHABET


@given(
    st.text(st.sampled_from("AB."), min_size=6, max_size=6),
    st.sets(st.text(st.sampled_from("AB"), min_size=2, max_size=6)),
)
@settings(max_examples=200, deadline=None)
def test_best_parts_against_brute_force(text: str, known: set[str]) -> None:
    """The best words of a line are worth what trying all sets of pieces finds."""
    pieces = [(a, b) for a in range(6) for b in range(a + 2, 7) if {text[a:b], text[a:b][::-1]} & known]
    sets = (chosen for number in range(4) for chosen in combinations(pieces, number))
    apart = (c for c in sets if all(x[1] <= y[0] or y[1] <= x[0] for x, y in combinations(c, 2)))
    best = max((sum(POINTS[b - a] for a, b in chosen), -len(chosen)) for chosen in apart)
    found = best_parts(text, worth_of(known.__contains__))
    assert all({piece, piece[::-1]} & known for piece in found)
    assert arrange(found, text) is not None
    assert (sum(map(points, found)), -len(found)) == best


short_lists = st.lists(
    st.tuples(
        st.lists(st.text(st.sampled_from("ABEN"), min_size=2, max_size=3), min_size=1, max_size=2),
        st.none() | st.none() | st.integers(0, 13),
    ),
    max_size=4,
)


@given(grids, short_lists)
@settings(max_examples=200, deadline=None)
def test_rising_lines_against_brute_force(grid: Any, listed: list[tuple[list[str], int | None]]) -> None:
    """Rulings 2: a list's lines are those that trying every assignment finds: most entries, most points, earliest."""
    entries = [Entry(words=tuple(words), line=line) for words, line in listed]
    entries = [e for n, e in enumerate(entries) if e.line is None or e.line not in [o.line for o in entries[:n]]]
    texts = all_along(grid)

    def goes(chosen: tuple[int | None, ...]) -> bool:
        used = [line for line in chosen if line is not None]
        together: dict[int, list[str]] = {e.line: list(e.words) for e in entries if e.line is not None}
        for line, entry in zip(chosen, entries, strict=True):
            if line is not None and entry.line is None:
                together.setdefault(line, []).extend(entry.words)
        joined = {line for line, entry in zip(chosen, entries, strict=True) if entry.line is None and line is not None}
        fits = all(len(together[n]) <= 3 and arrange(together[n], texts[n]) is not None for n in joined)
        return used == sorted(used) and fits

    def merit(chosen: tuple[int | None, ...]) -> Any:
        number = sum(line is not None for line in chosen)
        lying = [entry for line, entry in zip(chosen, entries, strict=True) if line is not None]
        value = sum(points(word) for entry in lying for word in entry.words)
        return number, value, [-(len(LINES) if line is None else line) for line in chosen]

    def lines(entry: Entry) -> list[int | None]:
        near = [n for n in range(len(LINES)) if arrange(entry.words, texts[n]) is not None]
        return [None, *(near if entry.line is None else [entry.line])]

    every = product(*[lines(entry) for entry in entries])
    assert rising_lines(entries, texts) == max((chosen for chosen in every if goes(chosen)), key=merit)


@given(
    grids,
    st.lists(st.lists(st.text(st.sampled_from("ABEN"), min_size=2, max_size=4), min_size=1, max_size=3), max_size=8),
)
@settings(max_examples=200, deadline=None)
def test_match_loses_no_entry(grid: Any, entries: list[list[str]]) -> None:
    """Every word has a line or is unplaced, and what could lie there whole, or for the most part, lies somewhere."""
    made = [Entry(words=tuple(words)) for words in entries]
    found = match(made, grid)
    lying = [word for entry in (*found.lines.values(), *found.unplaced) for word in (*entry.words, *entry.surplus)]
    assert sorted(lying) == sorted(word for words in entries for word in words)
    texts = all_along(grid)
    for entry in found.unplaced:
        for number, text in enumerate(texts):
            lies = found.lines[number].words if number in found.lines else ()
            laid = zip(entry.words, arrange_most(entry.words, text), strict=True)
            part = sum(len(word) for word, start in laid if start is not None)
            assert lies or part <= sum(map(len, entry.words)) / 2
            assert len(lies + entry.words) > 3 or arrange(lies + entry.words, text) is None


def test_arrange_moves_a_word_aside() -> None:
    """A word takes the first cells from the left, unless that leaves no room for the others."""
    assert arrange(["AB", "ABC"], "ABCAB.") == (3, 0)
    assert arrange(["AB", "AB"], "ABC...") is None
    assert arrange_most(["AB", "BC"], "ABC...")[1] is None
    assert arrange_most(["XY"], "ABC...") == (None,)


def test_palindrome_is_one_place() -> None:
    """A palindrome is read forwards, and claims its cells once."""
    best = best_score(("ABA...", *("......",) * 5), {"ABA"}.__contains__)
    assert [(found.word, found.backwards) for found in best] == [("ABA", False)]


def test_entries() -> None:
    """The grammar of an entry (rulings 3.13)."""
    assert read_entry("Ar+au 2") == Entry(words=("AR", "AU"), points=2)
    assert read_entry("urb / ur 1") == Entry(words=("URB",), substitute="UR", points=1)
    assert read_entry("urb (ur) = 1 P.") == Entry(words=("URB",), substitute="UR", points=1)
    assert read_entry("Z2: ar< + au") == Entry(words=("AR", "AU"), line=1)
    assert read_entry("c3: ÄSSE 7 Punkte") == Entry(words=("AESSE",), line=8, points=7)
    assert read_entry("D2: ut 1") == Entry(words=("UT",), line=13, points=1)
    for text in (
        "Gruß Anna",
        "ur",
        "Gruß Anna 2",
        "S3",
        "S3 rar",
        "bis morgen um 8",
        "Tel. 12",
        "D3: ut 1",
        "X 1",
        "ur ²",
        "",
        "1",
    ):
        assert read_entry(text) is None


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("bar (3)", Entry(words=("BAR",), points=3)),
        ("brecht (10)", Entry(words=("BRECHT",), points=10)),
        ("brecht [10 Punkte]", Entry(words=("BRECHT",), points=10)),
        ("S2 rar 3", Entry(words=("RAR",), line=7, points=3)),
        ("Spalte 2: rar (3)", Entry(words=("RAR",), line=7, points=3)),
        ("Zeile 2 Ar+au 2", Entry(words=("AR", "AU"), line=1, points=2)),
        ("Diagonale 1 ab 1", Entry(words=("AB",), line=12, points=1)),
        ("urb 3 / ur 1", Entry(words=("URB",), substitute="UR", points=3)),
        ("urb (3) / ur (1)", Entry(words=("URB",), substitute="UR", points=3)),
        ("urb 3 (ur 1)", Entry(words=("URB",), substitute="UR", points=3)),
        ("ar 1 + au 1", Entry(words=("AR", "AU"), points=2)),
    ],
)
def test_entries_near_the_form(text: str, entry: Entry) -> None:
    """Rulings 3.13, generously: points in brackets or behind each word, a label without colon."""
    assert read_entry(text) == entry


def test_fields() -> None:
    """`Key: value` in all its writings; `Neu` alone needs no colon."""
    assert field("Neu:D") == ("wish", "D")
    assert field("neu D") == ("wish", "D")
    assert field("NEU") == ("wish", "")
    assert field("Wunschbuchstabe :  x ") == ("wish", "x")
    assert field("Runde: 3") == ("round", "3")
    assert field("Partie: Eriwan") == ("game", "Eriwan")
    for line in ("neu 3", "neu alt", "wunsch", "Z1: ur", "Gruß: Anna", ""):
        assert field(line) is None


@pytest.mark.parametrize("sign", [":", " : ", "=", " = ", "->", " -> ", " => ", " → ", " ..... ", " ... "])
def test_what_stands_between_a_label_and_its_value(sign: str) -> None:
    """People write a colon, an equals sign, an arrow or dots."""
    assert field(f"neu{sign}D") == ("wish", "D")
    assert _read(f"NIMM{sign}A 1") == ("take", "A 1")
    assert _read(f"2. Mein Nimm ist{sign}A 1") == ("take", "A 1")


def test_what_is_no_label() -> None:
    """A word of a list has its points behind `=`, and a row of a grid may hold dots."""
    assert field("neu = 3") is None
    assert field("partie=10") is None
    assert field("neu...") is None
    assert field("neu..D") is None
    assert _read("A 1") == ("", "A 1")
    assert _read("Rat: A 1") == ("", "Rat: A 1")


def _read(line: str) -> tuple[str, str]:
    (read,) = read_lines(MoveBlock(lines=(line,)), {"nimm": "take"})
    return read.label, read.value


@pytest.mark.parametrize("sign", ["{", "@", "☃", "→"])
def test_a_sign_that_nobody_knows_is_named(sign: str) -> None:
    """What isn't read is named by its character."""
    assert unread(f"Rat{sign}{sign} BILD") == say(
        "UNREAD_SIGN", reason=say("UNREAD", line=f"Rat{sign}{sign} BILD"), sign=sign
    )
    assert unread("Rat BILD") == say("UNREAD", line="Rat BILD")


def test_letters_and_cells() -> None:
    """ß is never made SS inside a row, and nothing but A-Z is a letter."""
    assert [letter(sign) for sign in "aZßıÄ1."] == ["A", "Z", "", "", "", "", ""]
    assert cells("r a_·ß…") == "ra..ß..."
    assert has_odd_blanks("a…")
    assert not has_odd_blanks("a.b")
    assert board_letters("Größe é") == "GROESSE é"
    assert shown("a\0b\n c" + "x" * 50) == "a b c" + "x" * 32 + "..."


def test_columns() -> None:
    """A line is split at the first gap of three blanks where both sides make sense."""
    yes: Any = lambda *_: True  # noqa: E731
    assert columns("a   b   c", yes, yes) == ("a", "b   c")
    assert columns("a   b   c", lambda left: " " in left, yes) == ("a   b", "c")
    assert columns("a  b", yes, yes) == ("a  b", "")


def test_spaced_cells_are_no_columns() -> None:
    """Cells three blanks apart are a row, with or without an entry beside it."""
    state = State(round=6, wishes=tuple("ABCDEF"))
    for row in ("A   B   .   .   .   .", "A   B   .   .   .   .   ab 1", "AB....     -", "AB....     ..."):
        sheet = ENGINE.read(state, ANNA, MoveBlock(lines=(row, *("......",) * 5)), WORDS)
        assert sheet.move is not None
        assert sheet.move.grid[0] == "AB...."


LABELLED_ROWS = {
    "1. Zeile": "{number}. Zeile: {row}", "Zeile 1 →": "Zeile {number} → {row}", "Reihe 1 -": "Reihe {number} - {row}",
    "1. Reihe": "{number}. Reihe {row}", "(1)": "({number}) {row}", "1 |": "{number} | {row}",
    "Zeile1:": "Zeile{number}: {row}",
    "Zl. 1:": "Zl. {number}: {row}", "zeile 1 =": "zeile {number} = {row}", "1. Zeile –": "{number}. Zeile – {row}",
}  # fmt: skip
"""Ways to number the rows of a grid."""


@pytest.mark.parametrize("form", LABELLED_ROWS)
@pytest.mark.parametrize("wish", ["Neu: E", "Neu → E", "Neu ..... E", "Neu – E", "1. Neu: E"])
def test_rows_with_their_numbers(form: str, wish: str) -> None:
    """Issue 55: a number, a name of the row and what stands between are no part of it."""
    grid = ("D.....", "......", ".-....", "..__..", "......", ".....R")
    lines = [LABELLED_ROWS[form].format(number=number, row=row) for number, row in enumerate(grid, 1)]
    parts = sort_lines(MoveBlock(lines=(wish, *lines)))
    assert tuple(cells(row) for row in parts.rows) == tuple(cells(row) for row in grid)
    assert parts.wishes == ("E",)
    assert parts.words == ()
