"""The notation all games share: clean lines, title lines and where a block ends."""

import quopri
from base64 import encodebytes
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games import engines
from games.api import Rules
from gm.requests.declared import all_names
from parsers.clean_lines import clean_line
from parsers.commands import Orders
from parsers.lines.blocks import MAX_BLOCK, Block, find_untitled, read_block, row_width
from parsers.lines.names import Named, Names, names_of
from parsers.lines.own_lines import OwnLines
from parsers.mime.message import Mail, read_mail
from parsers.reading import read

TODAY = date(2026, 11, 4)

GRID = ["brecHt", "ra..Ua", "uR...n", ".....Z", ".....e", "R..B.n"]
NASTY = "²½١−–—’\u00a0\u200b\0"


def block(lines: Sequence[str], grid_rows: int = 6) -> Block:
    """The block at the beginning of these lines; a line `Presto Riga` ends it."""
    return read_block(lines, 0, grid_rows, lambda line: line == "Presto Riga")


CLEAN_LINES = [
    ("  ra..Ua\u00a0", "ra..Ua"),
    ("ra…\u200bUa", "ra...Ua"),
    ("\ufeffr\u00ada\u2009.", "ra ."),
    ("u\u0308b", "üb"),
    ("b\tr", "b    r"),
    ("Neu: D          brecht  10", "Neu: D          brecht  10"),
    ("*Crossword Eriwan*", "Crossword Eriwan"),
    ("**Neu:** D", "Neu: D"),
    ("Z26 w *MEXICO*", "Z26 w MEXICO"),
    ("AB24 s *TExA*S*", "AB24 s TExA*S"),
    ("AB24 s TExA*S", "AB24 s TExA*S"),
    ("X*", "X*"),
    ("* a *", "* a *"),
    ("* ra..Ua", "ra..Ua"),
    ("• ra..Ua", "ra..Ua"),
    ("- ra..Ua", "ra..Ua"),
    ("- - - - a -", "- - - - a -"),
    ("-", "-"),
    ("»ra..Ua«", "ra..Ua"),
    ('"Crossword Eriwan"', "Crossword Eriwan"),
    ("»Crossword« »Eriwan«", "»Crossword« »Eriwan«"),
    ("```", ""),
    ("```text", ""),
    ("**", "**"),
    ("A E R T K * O", "A E R T K * O"),
    ("Z\ufe0f1\x07", "Z1"),
    ("Z\u3164\u115f1\u2800 \uffa0w\u034f\U000e0041\U000e01ef", "Z1 w"),
    ("x" * 1500 + "ä", "x" * 1500 + "ä"),
    ("Ｃｏｍｂｉｎａｔｏ\u3000Ｇｅｎｕａ", "Combinato Genua"),
    ("Ｇｅｈｅｉｍ： ＢＩＬＤ！～", "Geheim: BILD!~"),
]


def test_clean_line(subtests: pytest.Subtests) -> None:
    """A line becomes what the player saw, in plain characters; jokers keep their stars."""
    for line, clean in CLEAN_LINES:
        with subtests.test(line=line, clean=clean):
            assert clean_line(line) == clean


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("aÄ.* \t…\u0308\ufe0f" + NASTY)))
def test_clean_line_is_plain(line: str) -> None:
    """No blank but the space, nothing invisible, no blanks at the ends."""
    clean = clean_line(line)
    assert clean == clean.strip()
    assert not set(clean) & set("\t…\u00a0\u200b\0\ufe0f")


@pytest.mark.parametrize(
    ("line", "key", "game"),
    [
        ("Crossword Eriwan", "crossword", "Eriwan"),
        ("crossword: »Eriwan«.", "crossword", "Eriwan"),
        ("KREUZWORT Eriwan", "crossword", "Eriwan"),
        ("Crossword", "crossword", ""),
        ("Crossword:", "crossword", ""),
        ("Typ Dom Jerewan-2", "typ-dom", "Jerewan-2"),
        ("TypDom Öland", "typ-dom", "Öland"),
        ("Point Typ-Dom Riga", "point-typ-dom", "Riga"),
        ("Wer behält recht? Riga", "wer-behaelt-recht", "Riga"),
        ("Wer behaelt recht Riga:", "wer-behaelt-recht", "Riga"),
        ("Combinato Zahlen", "combinato-zahlen", ""),
        ("Combinato-Zahlen Riga", "combinato-zahlen", "Riga"),
    ],
)
def test_title_line(names: Names, line: str, key: str, game: str) -> None:
    """A title line is recognised in every usual spelling."""
    assert names.read_title_line(line) == Named(title_key=key, game=game)


def text_mail(text: str) -> Mail:
    """A mail with a text and a plain subject."""
    return read_mail(
        f"From: Anna <anna@example.org>\nSubject: Zug\nContent-Type: text/plain; charset=utf-8\n\n{text}".encode()
    )


def with_games(names: Names) -> Names:
    """The same in a mail that may be about some games."""
    return replace(names, games=frozenset(["eriwan", "genua", "riga", "lima"]))


@pytest.mark.parametrize(
    ("line", "key", "game", "number"),
    [
        ("Krosswort Eriwan", "crossword", "Eriwan", None),
        ("Crosswort", "crossword", "", None),
        ("Cross-Wörd Eriwan, Runde 2", "crossword", "Eriwan", 2),
        ("Wort Jazzy", "wort-yahtzee", "", None),
        ("Wort-Jatzi Genua:", "wort-yahtzee", "Genua", None),
        ("Farb-Domino Genua", "farbdomino", "Genua", None),
        ("Kombinato Zahln Riga", "combinato-zahlen", "Riga", None),
        ("Wer hat recht Riga", "wer-behaelt-recht", "Riga", None),
        ("Presdo Lima", "presto", "Lima", None),
    ],
)
def test_misspelt_title_line(names: Names, line: str, key: str, game: str, number: int | None) -> None:
    """A title with slips is one above the lines of a move, as the game's lines are read all the same."""
    assert with_games(names).read_misspelt_title_line(line) == Named(title_key=key, game=game, round=number)
    mail = f"Hallo,\n\n{line}\n1. Neu: E\n2. D☃....\n\nGruß\nAnna\n"
    (said,) = read(text_mail(mail), with_games(names), TODAY).commands
    assert isinstance(said.command, Orders)
    assert (said.command.title_key, said.command.game) == (key, game)
    assert said.command.block.lines == ("Neu: E", "D☃....")


@pytest.mark.parametrize(
    "line",
    """Prost Eriwan|Presse Eriwan|Prese Eriwan|Wartne Riga|Mein Zug Genua|Viele Grüße aus Genua|Passwort|Mein Wort|Post|
    Tip-Top!|Der Typ|Wer hat Zeit|Farbe blau|Kombination|Compliment|Stand Riga|Hallo Lima|
    Preston Sturges|Farb-Domino Tiflis""".replace("\n", "").split("|"),
)
def test_other_lines_are_no_misspelt_titles(names: Names, line: str) -> None:
    """Neither prose nor a command above another line begins a move."""
    said = read(text_mail(f"{line.strip()}\nWINTER\n"), with_games(names), TODAY).commands
    assert not any(isinstance(one.command, Orders) for one in said)


def test_a_list_with_numbers_may_lack_the_title(names: Names) -> None:
    """Programs make a list of what begins with a number, as they do below a title."""
    rows = [f"{at}. {row}" for at, row in enumerate(["Neu: E", *GRID], 1)]
    (said,) = read(text_mail("\n".join(["Hallo,", "", *rows])), names, TODAY).commands
    assert isinstance(said.command, Orders)
    assert said.command.block.lines == ("Neu: E", *GRID)


def test_a_wish_may_stand_below_the_grid(names: Names) -> None:
    """`Wunsch: E` behind a blank line is the wish, as `Neu: E` is."""
    (said,) = read(text_mail("\n".join(["Crossword Eriwan", *GRID, "", "Wunsch: E"])), names, TODAY).commands
    assert isinstance(said.command, Orders)
    assert said.command.block.lines == (*GRID, "Wunsch: E")


def test_a_question_stuck_to_a_grid_is_prose(names: Names) -> None:
    """It goes to the GM; lines of a word list below a sentence stay in the block."""
    found = read(text_mail("\n".join(["Crossword Eriwan", *GRID, "ist das so richtig? darf ich das?"])), names, TODAY)
    assert found.free_text == "ist das so richtig? darf ich das?"
    lines = [*GRID, "hier ist meine Liste dazu", "brecht 10"]
    assert block(lines).moves.lines == tuple(lines)


@pytest.mark.parametrize(
    "line", ["", "Eriwan", "Crossword Eriwan macht Spaß", "Crossword E", "Crossword 3rd", "Mein Crossword Eriwan"]
)
def test_no_title_line(names: Names, line: str) -> None:
    """Prose around a title is no title line."""
    assert names.read_title_line(line) is None


def test_no_titles() -> None:
    """Without games there are no title lines."""
    assert names_of(()).read_title_line("Crossword Eriwan") is None


@pytest.mark.parametrize(
    ("line", "width"),
    [
        ("ra..Ua", 6), ("r a . . U a", 6), ("b    r    e", 3), ("X*b.", 3), ("______", 6),
        ("brecht          brecht  10", 6),
        ("·−–..ß", 6), ("", 0), ("a", 0), ("brecht 10", 0), ("Neu: D", 0), ("Ar+au 2", 0), ("Viele Grüße", 0),
    ],
)  # fmt: skip
def test_row_width(line: str, width: int) -> None:
    """Rows of a grid are told from other lines."""
    assert row_width(line) == width


def double(lines: Sequence[str]) -> list[str]:
    """These lines as Outlook sends them: a blank line before each."""
    return [part for line in lines for part in ("", line)]


@pytest.mark.parametrize(
    ("lines", "grid_rows", "read"),
    [
        (["Neu: D", *GRID, "", "Gruß"], 6, ["Neu: D", *GRID]),
        (["", "", "Neu: D", "", *GRID[:3], "", *GRID[3:], "", "Anna"], 6, ["Neu: D", *GRID]),
        (double(["Neu: D", *GRID]) + ["", "Anna"][:1], 6, ["Neu: D", *GRID]),
        ([*double([*GRID, "brecht 10", "Ur 1"]), "", "Viele Grüße", "", "Anna"], 6, [*GRID, "brecht 10", "Ur 1"]),
        ([*double([*GRID, "brecht 10"]), "", "", "", "Bis bald"], 6, [*GRID, "brecht 10"]),
        (["Neu: D", "", "Viele Grüße", "Anna"], 6, ["Neu: D"]),
        (["Neu: D", "", "Anna"], 6, ["Neu: D"]),
        ([*GRID[:5], "", "Gruß", "Anna"], 6, GRID[:5]),
        ([*GRID[:5], "", "Bernd", "Riese"], 6, GRID[:5]),
        ([*GRID[:5], "", "lg....", "", "Anna"], 6, [*GRID[:5], "lg...."]),
        ([*GRID, "", "Neu: D", "", "Neu: E"], 6, [*GRID, "Neu: D"]),
        (["", "brecht", "", "ra..Ua"], 6, ["brecht", "ra..Ua"]),
        (["Neu: D", "", "brecht", "ra..Ua"], 6, ["Neu: D", "brecht", "ra..Ua"]),
        (["brecHt", "ra..Ua", "Presto Riga", "x"], 6, ["brecHt", "ra..Ua"]),
        (["", "Z26 w EIS", "", "Gruß"], 0, ["Z26 w EIS"]),
        ([*double(["AA25 s TiEr", "AC26 s eIS"]), ""], 0, ["AA25 s TiEr", "AC26 s eIS"]),
        ([*double(["Z26 w EIS", "Mit freundlichen Grüßen"]), "", "Anna"], 0, ["Z26 w EIS"]),
        ([], 6, []),
        (["", ""], 6, []),
        (["a"] * 300, 0, ["a"] * 200),
    ],
)
def test_block_end(lines: list[str], grid_rows: int, read: list[str]) -> None:
    """A blank line ends a block, but not below the title, before the grid is complete or between doubled lines."""
    assert list(block(lines, grid_rows).moves.lines) == read


def test_service_lines() -> None:
    """`Name:` and `Runde:` are for the service and not part of the moves."""
    found = block(["Name: Anna Berg", "Runde: 3", "Neu: D", *GRID])
    assert (found.player_name, found.round, found.moves.lines) == ("Anna Berg", 3, ("Neu: D", *GRID))


def test_untitled() -> None:
    """A grid or a wish without title line is found; words, and lines for games without grids, aren't."""

    def never(_: str) -> bool:
        return False

    found = find_untitled(["Hallo", "", *GRID, "", "Anna"], 6, never)
    assert found is not None
    assert (found[0], list(found[1].moves.lines)) == (2, GRID)
    assert find_untitled(["Neu: D"], 6, never) is not None
    assert find_untitled(GRID, 0, never) is None
    assert find_untitled([*GRID[:5], "", "Anna Berg", "grüßt"], 6, never) is None
    assert find_untitled(["ja"] * 8, 6, never) is None
    assert find_untitled(["------"] * 8, 6, never) is None


ROWS = st.lists(st.text("abcdefxyzABCXYZ.", min_size=6, max_size=6), min_size=6, max_size=6)
BULLETIN = "Crossword Eriwan\n\nNeu:\nbrecht\nra..ua\nur...n\n.....z\n.....e\n.....n\n\nGruß, GM"
QUOTED = "Am 21.11.2026 um 12:38 schrieb GM <gm@example.org>:\n" + "\n".join(f"> {x}" for x in BULLETIN.split("\n"))
FRAMES = {
    "plain": "Hallo Jürgen,\n\n{}\n\nGruß\nAnna\n",
    "quotation above": QUOTED + "\n\n{}\n",
    "quotation below": "{}\n\n" + QUOTED,
    "unmarked below": "{}\n\nVon: GM\nGesendet: Samstag\nAn: Anna\n\n" + BULLETIN,
    "signature": "{}\n-- \nAnna\nCrossword Eriwan\n",
    "telephone": "{}\n\nVon meinem iPhone gesendet",
    "bold": "{}",
    "doubled": "{}",
}


def encoded(text: str, how: str) -> bytes:
    """The text as a mail in this encoding."""
    head = "From: anna@gmx.example\nMIME-Version: 1.0\nContent-Type: text/plain; charset={}\n"
    if how == "latin-1":
        return head.format("iso-8859-1").encode() + b"\n" + text.encode("latin-1")
    transfer = {"8bit": "8bit", "qp": "quoted-printable", "base64": "base64", "multipart": "8bit"}[how]
    code = {"qp": quopri.encodestring, "base64": encodebytes}.get(how, bytes)
    part = f"{head.format('utf-8')}Content-Transfer-Encoding: {transfer}\n\n".encode() + code(text.encode())
    if how != "multipart":
        return part
    outer = b'From: anna@gmx.example\nContent-Type: multipart/alternative; boundary="b"\n\n--b\n'
    return outer + part + b"\n--b\nContent-Type: text/html\n\n<p>Neu: Q</p>\n--b--\n"


@settings(deadline=None)
@given(
    ROWS, st.sampled_from("ABCXYZ"), st.sampled_from(sorted(FRAMES)),
    st.sampled_from(["8bit", "qp", "base64", "latin-1", "multipart"]), st.booleans(),
)  # fmt: skip
@example(["______"[:5] + "X", *GRID[1:]], "D", "plain", "qp", True)
def test_any_block_in_any_writing(rows: list[str], wish: str, frame: str, how: str, crlf: bool) -> None:
    """A legal block reads back as the same lines, however it was encoded and whatever stands around it."""
    lines = [f"Neu: {wish}", *rows]
    title = "*Crossword Eriwan*" if frame == "bold" else "Crossword Eriwan"
    written = ("\n\n" if frame == "doubled" else "\n").join([title, *lines])
    text = FRAMES[frame].format(written)
    raw = encoded(text.replace("\n", "\r\n") if crlf else text, how)
    games = (Rules(key="crossword", title="Crossword", seats=(6, 6), version=1, profile="duden", grid_rows=6),)
    orders = [said.command for said in read(read_mail(raw), names_of(games), TODAY).commands]
    assert [(o.game, list(o.block.lines)) for o in orders if isinstance(o, Orders)] == [("Eriwan", lines)]
    assert len(orders) == 1


@pytest.mark.parametrize(
    "below",
    [
        ["", "brecht 10", "ar+au 2"], ["", "", "brecht 10", "Summe 10"], ["", "Wörter:", "brecht (10)"],
        ["", "-", "Z2: -", "S2 rar 3"], ["", "urb 3 / ur 1"], ["", "Z1: brecht"], ["brecht 10", "", "S2: rar 3 P."],
    ],
)  # fmt: skip
def test_a_word_list_below_a_blank_line(below: list[str]) -> None:
    """Rulings 3.3: a blank line doesn't end a Crossword block where the next line is an entry with points."""
    assert block([*GRID, *below, "", "Viele Grüße", "Anna"]).moves.lines == (*GRID, *filter(None, below))


@pytest.mark.parametrize(
    "text",
    ["Gruß Anna 2", "Bis um 8 Uhr", "LG 5", "Anna", "Rückruf 0228/12345", "Wir sehen uns am 12", "Hallo 3", "12", "ur"],
)
def test_prose_below_a_blank_line_is_no_list(text: str) -> None:
    """Rulings 3.3: whatever else stands below the blank line is outside of the block."""
    assert block([*GRID, "", text]).moves.lines == tuple(GRID)
    assert block([*GRID[:5], "", "brecht 10"]).moves.lines == tuple(GRID[:5])


@pytest.mark.parametrize(
    "text",
    [
        "new: x86 support\nold: none", "New: 3\nChanged: 4", "neu: das Buch von Anna ist da", "new:\n  - a\n  - b",
        "new: foo", "foo.c\nbar.c\nbaz.h\nMakefile\nconfig.h\nmain.c\nREADME.md",
        "---\n+++\na.b.c\n--------\nfoo-bar\nx_y\nend-", "+------+\n|a.b|\n+------+\na-b\nc-d\ne-f\ng-h",
    ],
)  # fmt: skip
def test_a_patch_is_no_block(text: str) -> None:
    """Rulings 3.1: without its title only a grid or the wish for a letter is a block; else nothing is refused."""
    assert find_untitled(text.split("\n"), 6, lambda line: line == "Presto Riga") is None


@pytest.mark.parametrize("wish", ["Neu: E", "new:e.", "Neu: »Ä«", "Neu: E, sonst nichts", "Neu: EE", "Neu: E oder R"])
def test_a_wish_without_a_title_is_a_block(wish: str) -> None:
    """Rulings 3.5: a letter that is wished speaks for itself."""
    found = find_untitled(["Hallo", wish], 6, lambda line: line == "Presto Riga")
    assert found is not None
    assert found[0] == 1


def test_without_a_grid_a_block_ends_at_a_blank_line() -> None:
    """Conventions of games.md: only the rows of a grid hold a block together over a blank line, and its `Neu:`."""
    assert block(["Z26 w MEXICO", "", "Runde: 2"], grid_rows=0).moves.lines == ("Z26 w MEXICO",)
    assert block(["Z26 w MEXICO", "", "Runde: 2"], grid_rows=0).round is None


def test_what_stands_below_the_longest_block_changes_nothing() -> None:
    """A block that Outlook has spaced out is read to its last line, whatever follows the most that is read."""
    lines = [text for number in range(MAX_BLOCK + 1) for text in ("", f"Wort {number}")]
    assert len(block([*lines, "kein Absatz"], grid_rows=0).moves.lines) == MAX_BLOCK


TITLES_OF_ALL = sorted(engine.rules.title for engine in engines().values())


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("title", TITLES_OF_ALL)
def test_two_at_one_address_in_one_mail(title: str, between: str) -> None:
    """Below one title each block with a name is a move, in every game: the second one is lost nowhere (issue 49)."""
    text = f"{title} Eriwan\nName: Ute Klein\nwerte ZET{between}Name: Jan Klein\nGeheim: HERZ\n\nViele Grüße\nUte\n"
    said = read(Mail(texts=(text,)), all_names(frozenset({"eriwan"})), date(2026, 11, 2)).commands
    moves = [one.command for one in said if isinstance(one.command, Orders)]
    assert [(one.game, one.player_name, one.block.lines[:1]) for one in moves] == [
        ("Eriwan", "Ute Klein", ("werte ZET",)), ("Eriwan", "Jan Klein", ("Geheim: HERZ",)),
    ]  # fmt: skip


@pytest.mark.parametrize("between", [" – ", " - ", "–", " / ", " → ", " -> ", " — ", " "])
def test_a_title_and_a_name_with_a_dash_between(between: str) -> None:
    """Issue 55: `Combinato – Genua` is a title line where there is a game of that name, else it may be a remark."""
    names = all_names(frozenset({"genua"}))
    assert names.read_title_line(f"Combinato{between}Genua") == Named(title_key="combinato", game="Genua")
    remark = names.read_title_line(f"Combinato{between}prima")
    assert remark is None or between == " "


def test_a_numbered_list_is_a_move() -> None:
    """Issue 55: the first point is the title, and the numbers go on; another list stays as it is."""
    names = all_names()
    own = OwnLines(["1. Combinato Genua", "2. Geheim: BILD", "", "3) GM: Danke", "Rest"], names)
    assert own.clean == ["Combinato Genua", "Geheim: BILD", "", "GM: Danke", "Rest"]
    other = OwnLines(["1. Milch", "2. Brot", "3. Combinato Genua", "5. Rat: MOND"], names)
    assert other.clean == ["1. Milch", "2. Brot", "Combinato Genua", "5. Rat: MOND"]


@pytest.mark.parametrize(
    "form",
    ["{at}. {line}", "({at}) {line}", "{at}) {line}", "{at}. Zeile: {line}", "Zeile {at} → {line}", "Row {at}: {line}"],
)
@pytest.mark.parametrize("lines", [["V24 s MoND"], ["vorn E WEITE", "hinten N"], ["a2 0,1 ge", "e1 1,1 ge", "passe"]])
def test_lines_with_their_numbers(form: str, lines: list[str]) -> None:
    """Issue 55: in every game a numbered list of lines is the lines."""
    numbered = [form.format(at=at, line=line) for at, line in enumerate(lines, 1)]
    assert block(numbered, 0).moves.lines == tuple(lines)
    assert block(["Stand: 5", *numbered], 0).moves.lines == tuple(lines)


@pytest.mark.parametrize("lines", [["1. MOND", "3. WADE"], ["1.234"], ["2. MOND"], ["1. MOND", "WADE"], ["Zug um Zug"]])
def test_other_numbers_stay(lines: list[str]) -> None:
    """A list that isn't numbered from 1 on, line by line, may mean something."""
    assert block(lines, 0).moves.lines == tuple(lines)


@pytest.mark.parametrize("lead", ["Zug: ", "Mein Zug: ", "My move: ", "mein zug :"])
def test_what_is_announced_as_a_move(lead: str) -> None:
    """`Mein Zug:` before the first line says nothing more."""
    assert block([f"{lead}V24 s MoND", "passe"], 0).moves.lines == ("V24 s MoND", "passe")
