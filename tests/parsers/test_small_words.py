"""Small words around commands and moves: what is taken off, and what never is (issue 47)."""

import pytest
from cpu_cost import work_units
from hypothesis import given
from hypothesis import strategies as st

from games.api import MoveBlock
from parsers.commands import Extension, Status, Wait, Withdraw
from parsers.lines.names import Names
from parsers.lines.small_words import command_in_front, read_line, signatures, without_small_words

ANNA = signatures("Anna Berg")


def bare(text: str, *, is_grid: bool = False) -> list[str]:
    """Return the blocks that are offered for a text, shortest last."""
    block = MoveBlock(lines=tuple(text.split("\n")))
    return ["\n".join(one.block.lines) for one in without_small_words(block, ANNA, is_grid=is_grid)]


def test_how_somebody_may_sign() -> None:
    """By the whole name or a part, by initials, and by both."""
    assert {"anna berg", "anna", "berg", "ab", "a b", "a berg", "anna b", "a"} <= ANNA
    assert "juergen kranz" in signatures("Jürgen Kranz")
    assert "hp" in signatures("Hans-Peter Lange")
    assert signatures("", "-") == frozenset()


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("kaufe schwarz 😊", "kaufe schwarz"), ("ich kaufe schwarz, bitte. Anna", "kaufe schwarz"),
        ("I buy black, please", "buy black"), ("DN.... 🙂", "DN...."), ("BROT\nA. Berg", "BROT"),
        ("🎉 BROT :-) danke!", "BROT"), ("Hallo Cici,\nBROT\nViele Grüße und bis bald\nAnna", "BROT"),
        ("kaufe schwarz liebe Grüße", "kaufe schwarz"), ("BROT\nLG\nPaul", "BROT"), ("BROT\nLG Paul", "BROT"),
        ("Z26 w  RUF bitte", "Z26 w  RUF"),
    ],
)  # fmt: skip
def test_small_words_are_taken_off(text: str, rest: str) -> None:
    """From both ends of a line and of the block; blanks within a line stay."""
    assert bare(text)[-1] == rest


@pytest.mark.parametrize(
    "text",
    [
        "kaufe schwarz", "BROT", "BROT.", "DN....", "ABCDE.", "kaufe schwarz?", "kaufe 🔴", "E ♦", "kaufe schwarz 👎",
        "BROT 🤔", "Viele Grüße\nRosa", "Danke!\n\nLG Paul",
        "BROT\nBernd", "vorn B BITTE", "vorn L Anna", "behalte E A", "behalte E, A", "Toll, danke!", "Neu :D", "ICH",
        "I c h", "hi....", "BROT nicht", "kaufe ich schwarz", "Bitte", "Danke!\nAnna",
    ],
)  # fmt: skip
def test_what_may_be_said_stays(text: str) -> None:
    """Nothing is offered where a word may be one of the move, or says something."""
    assert bare(text) == []


def test_no_line_of_a_grid_is_left_out() -> None:
    """In a game with a grid a name may be a row of it; smileys behind one aren't."""
    assert bare("DN....\nANNA", is_grid=True) == []
    assert bare("DN.... 😊\nAnna", is_grid=True) == ["DN....\nAnna"]


SMALL = [
    "bitte",
    "Danke",
    "😊",
    ":-)",
    "Anna",
    "A.",
    "ich",
    "I",
    "und",
    ",",
    ".",
    "!",
    "(",
    ")",
]
OTHER = ["BROT", "kaufe", "schwarz", "Z26", "w", "DN....", "riga", "nicht", "bernd", "oder", "?", "7", "*"]


@given(st.lists(st.lists(st.sampled_from([*SMALL, *OTHER]), max_size=8).map(" ".join), max_size=6))
def test_only_small_words_go(lines: list[str]) -> None:
    """Whatever else stands in a block stays, in its order."""
    block = MoveBlock(lines=tuple(line for line in lines if line) or ("BROT",))
    said = [word for line in block.lines for word in line.split() if word in OTHER]
    for one in without_small_words(block, ANNA, is_grid=False):
        assert [word for line in one.block.lines for word in line.split() if word in OTHER] == said


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Zurückziehen Eriwan 😊", Withdraw(game="Eriwan")), ("Warten Eriwan bitte", Wait(game="Eriwan")),
        ("Bitte: Warten Eriwan, vielen Dank und LG Anna!", Wait(game="Eriwan")), ("Stand bitte", Status()),
        ("Verlängerung bitte Eriwan 3 Tage", Extension(game="Eriwan", span="3d")),
        ("Hello Cici, status Eriwan please :)", Status(game="Eriwan")), ("Stand Danke", Status()),
        ("Zurückziehen Eriwan, danke Cici!", Withdraw(game="Eriwan")),
        ("Withdraw Eriwan, sorry", Withdraw(game="Eriwan")),
    ],
)  # fmt: skip
def test_commands_are_read_through_them(names: Names, line: str, command: object) -> None:
    """The rest is the command; no courtesy is a game's name."""
    said = read_line(line, names, ANNA)
    assert said is not None
    assert said.command == command


@pytest.mark.parametrize(
    "line",
    [
        "Zurückziehen Eriwan? 😊", "Zurückziehen Eriwan nicht, bitte", "Warten Eriwan 👎", "danke, warten ist gut",
        "Vorab danke!", "Presse bitte", "Presse Eriwan bitte: Danke!", "Stand hallo Eriwan hallo",
        "Warten Eriwan Bernd", "Warten, bitte Riga", "ich warten Eriwan", "Danke für die Verlängerung Eriwan",
    ],
)  # fmt: skip
def test_prose_is_no_command(names: Names, line: str) -> None:
    """What says more than a command and a courtesy stays as it is."""
    assert read_line(line, names, ANNA) is None


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Urlaub streichen bitte, wir bleiben doch hier", "Urlaub streichen"), ("Warten, bitte nicht so eilig", ""),
        ("Verlängerung Eriwan 3 Tage weil ich krank bin", "Verlängerung Eriwan 3 Tage"), ("Warten Eriwan", ""),
        ("Ich will Urlaub streichen, bitte", ""),
    ],
)  # fmt: skip
def test_a_command_in_front_of_prose(names: Names, line: str, command: str) -> None:
    """It is named where it has its argument, for the answer to offer it."""
    assert command_in_front(line, names) == command


CRAFTED = [
    "bitte ",
    "😊",
    "danke, ",
    "lg anna ",
    "Stand ",
    "- ",
    ". ",
    "hallo ",
    "und ",
    "Warten bitte ",
    "(anna) ",
    ":-) ",
]


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("piece", CRAFTED)
def test_a_long_mail_takes_no_longer(names: Names, piece: str) -> None:
    """128 kB of small words, in lines as long as are looked at, cost less than a second."""
    line = (piece * 160)[:159]
    lines = [line] * (128 * 1024 // 160)

    def read() -> None:
        for one in lines:
            read_line(one, names, ANNA)
        for start in range(0, len(lines), 60):
            list(without_small_words(MoveBlock(lines=tuple(lines[start : start + 60])), ANNA, is_grid=False))

    assert work_units(read, most=1000) < 1000


def test_a_name_behind_a_command_is_no_word_of_it(names: Names) -> None:
    """A command has no words of its own behind the game: whoever signs there may write the name small."""
    said = read_line("Warten Eriwan anna", names, signatures("Anna Berg"))
    assert said is not None
    assert said.command == Wait(game="Eriwan")


@pytest.mark.parametrize(
    ("line", "bare"), [("BROT, anna", ["BROT"]), ("vorn AB Anna", []), ("kaufe schwarz Anna", ["kaufe schwarz"])]
)
def test_where_a_name_is_a_signature(line: str, bare: list[str]) -> None:
    """Behind a mark a name may be small; among words in capitals it may be one of the move, and stays."""
    block = MoveBlock(lines=(line,))
    found = without_small_words(block, signatures("Anna Berg"), is_grid=False)
    assert [one.block.lines[0] for one in found if one.names] == bare
