"""`Vorab` and its blocks in mails, however they are written.

Source: the issue on the zine, "Advance moves"; games.md (Conventions) for blocks.
"""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.requests.declared import all_names
from parsers.commands import Advance, Orders
from parsers.mime.message import Mail
from parsers.reading import Reading
from parsers.reading import read as read_mail_text

TODAY = date(2026, 11, 4)

BUY, LAY, RED = ("kaufen",), ("Z26 w MEXICO",), ("kaufen rot",)


def read(text: str, subject: str = "") -> Reading:
    """Read a mail."""
    return read_mail_text(Mail(texts=(text,), subject=subject), all_names(), TODAY)


def advance(text: str, subject: str = "") -> Advance:
    """Read the only command of a mail."""
    (said,) = read(text, subject).commands
    assert isinstance(said.command, Advance)
    return said.command


def blocks(text: str, subject: str = "") -> list[tuple[str, ...]]:
    """Read its blocks."""
    return [block.lines for block in advance(text, subject).blocks]


@pytest.mark.parametrize(
    ("text", "subject", "found"),
    [
        ("Vorab Riga\nkaufen", "", [BUY]),
        ("vorab  »Riga«:\nkaufen", "", [BUY]),
        ("ADVANCE Riga\n\nkaufen\n\n\nkaufen rot", "", [BUY, RED]),
        ("Vorab Riga\nTyp-Dom Riga\nkaufen\n\nTypDom\nZ26 w MEXICO", "", [BUY, LAY]),
        ("Vorab Typ-Dom Riga\nkaufen", "", [BUY]),
        ("Vorab Riga\nkaufen\nViele Grüße\nAnna", "", [BUY]),
        ("Vorab Riga\nkaufen\nkaufen rot\nViele Grüße\nAnna", "", [(*BUY, *RED)]),
        ("Vorab Riga\nkaufen\n\nViele Grüße\n\nAnna", "", [BUY]),
        ("Vorab Riga\nStand: 7\nName: Anna\nZug: 3\nkaufen", "", [BUY]),
        ("Vorab Riga: kaufen", "", [BUY]),
        ("Vorab Riga: Z26 w MEXICO\nkaufen rot\n\nkaufen", "", [(*LAY, *RED), BUY]),
        ("Vorab Riga\nkaufen\n\nVorab Riga\nkaufen rot", "", [BUY, RED]),
        ("kaufen\n\nkaufen rot", "Vorab Riga", [BUY, RED]),
        ("Hallo Cici,\n\nTyp-Dom Riga\nkaufen", "Re: Vorab Riga", [BUY]),
        ("Vorab Riga\nkaufen", "Vorab Riga", [BUY]),
        ("Vorab\nkaufen", "Re: [Riga] Ben legt TIER", [BUY]),
        ("Vorab Riga", "", []),
    ],
)
def test_ways_to_write_it(text: str, subject: str, found: list[tuple[str, ...]]) -> None:
    """With title lines or without, in the subject, in one line, with a greeting; what names a position is left out."""
    assert blocks(text, subject) == found


@pytest.mark.parametrize(
    "text",
    [
        "Vorab eine Frage: geht das?", "Vorab danke!\nBis bald", "Advance notice: I am away.", "Im Vorab Riga",
        "Vorab kurz: Ich bin weg.", "Vorab:\n\nIch bin bald wieder da.", "> Vorab Riga\n> kaufen",
    ],
)  # fmt: skip
def test_prose_and_quotations_are_none(text: str) -> None:
    """An ordinary line with the word in it is none, nor is one that is quoted."""
    assert not [one for one in read(text).commands if isinstance(one.command, Advance)]


def test_other_games_and_commands_end_it() -> None:
    """The title of another game begins a move there; a command is a command."""
    said = read("Vorab Riga\nkaufen\n\nTyp-Dom Oslo\nkaufen rot\n\nStand Riga").commands
    assert [type(one.command).__name__ for one in said] == ["Advance", "Orders", "Status"]
    assert isinstance(said[1].command, Orders)
    assert said[1].command.game == "Oslo"


def test_a_move_above_stays_one() -> None:
    """A block above `Vorab` is the move; below it, its own title line makes it one of the blocks."""
    said = read("Typ-Dom Riga\nkaufen\nVorab Riga\nkaufen rot\n").commands
    assert [type(one.command).__name__ for one in said] == ["Orders", "Advance"]


def test_whose_it_is() -> None:
    """`Name: Anna` above it or in a block says whose it is."""
    assert advance("Name: Anna\nVorab Riga\nkaufen").player_name == "Anna"
    assert advance("Vorab Riga\nName: Anna\nkaufen").player_name == "Anna"
    assert advance("Vorab Riga\nkaufen").heading == Orders(game="Riga")


@given(st.lists(st.sampled_from(["", "kaufen", "Vorab Riga", "Typ-Dom Riga", "Typ-Dom", "Gruß", "Name: A", "Z26 w X"])))
def test_any_lines_can_be_read(lines: list[str]) -> None:
    """No order of such lines is too much; nothing is read twice, and no line of a block is also free text."""
    reading = read("\n".join(lines))
    found = [one.command for one in reading.commands]
    taken = [line for one in found if isinstance(one, Advance) for line in one.lines]
    taken += [line for one in found if isinstance(one, Orders) for line in one.block.lines]
    for line in ("kaufen", "Z26 w X"):
        assert taken.count(line) + reading.free_text.split("\n").count(line) == lines.count(line)
