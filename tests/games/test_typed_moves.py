"""Issue 55: what people type beside the printed form is read alike in all games, from the mail to the move."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from email.message import EmailMessage
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import pytest

from games import engines
from games.api import MoveBlock
from games.kit.testplay import Contract, Sent, Step, games
from games.kit.testsecrets import picked
from gm.requests.declared import command_table
from parsers.commands import Orders
from parsers.lines.names import names_of
from parsers.mime.message import Mail, read_mail
from parsers.reading import read

NAMES: Final = names_of([game.rules for game in engines().values()], command_table())
Lines = Sequence[str]


def wide(line: str) -> str:
    """Write a line in signs of full width, as some keyboards do."""
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in line)


def with_sign(sign: str) -> Callable[[str], str]:
    """Write a sign behind the first word of a line: behind its label, its verb or its cell."""
    return lambda line: re.sub(r"^(\S+?):? (?=.)", lambda found: f"{found[1]}{sign}", line)


def numbered(form: str) -> Callable[[Lines], Lines]:
    """Make a list of the lines."""
    return lambda lines: [form.format(number) + line for number, line in enumerate(lines, 1)]


SIGNS: Final = (" → ", " -> ", " => ", ": ", "：", " : ", " = ", " – ", " - ", " ..... ")
WAYS: Final[MappingProxyType[str, Callable[[Lines], Lines]]] = MappingProxyType(
    {
        "as it is": lambda lines: lines,
        "full width": lambda lines: [*map(wide, lines)],
        "capitals": lambda lines: [*map(str.upper, lines)],
        **{f"a sign {sign}": lambda lines, sign=sign: [*map(with_sign(sign), lines)] for sign in SIGNS},
        **{f"a list {form}": numbered(form) for form in ("{}. ", "{}) ", "({}) ", "- ", "• ")},
        **{f"lines {form}": numbered(form) for form in ("Zeile {}: ", "{}. Zeile: ", "Zeile {} → ")},
    }
)


def mail(title: str, lines: Lines) -> Mail:
    """Write a mail with a move in it."""
    message = EmailMessage()
    message["From"], message["To"] = "Anna Berg <anna@example.org>", "zug@example.org"
    message["Subject"], message["Message-ID"] = "Mein Zug", "<1@example.org>"
    message.set_content("\n".join(["Hallo,", "", f"{title} Eriwan", *lines, "", "Gruß", "Anna", ""]))
    return read_mail(message.as_bytes())


@cache
def sent_moves(key: str) -> tuple[tuple[Step, Sent], ...]:
    """Pick moves of a random game, each with its position."""
    steps = next(iter(games(contract_of(key))))
    last = ((step, step.sent[-1]) for step in picked(steps[1:], 8) if step.sent)
    return tuple((step, sent) for step, sent in last if sent.sheet.move is not None)


def contract_of(key: str) -> Contract:
    """Make the contract of one random game."""
    return Contract(engine=engines()[key], games=1)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("key", engines())
def test_what_people_type(key: str, way: str) -> None:
    """A move is the same in every way to write its lines."""
    contract = contract_of(key)
    tried = 0
    for step, sent in sent_moves(key):
        lines = WAYS[way](sent.lines)
        found = read(mail(contract.engine.rules.title, lines), NAMES, date(2026, 11, 4))
        (block,) = (one.command.block for one in found.commands if isinstance(one.command, Orders))
        sheet: Any = contract.engine.read(step.before, sent.seat, block, contract.words)
        assert sheet.summary == sent.sheet.summary, f"{lines} is read as {block.lines}: {sheet.problems}"
        tried += 1
    assert tried >= 2


@pytest.mark.parametrize("key", engines())
def test_what_is_not_read_is_named(key: str) -> None:
    """A line with a sign that no game knows is quoted, and the sign is named."""
    contract, (step, sent) = contract_of(key), sent_moves(key)[0]
    sheet: Any = contract.engine.read(step.before, sent.seat, MoveBlock(lines=("Hallo ☃ du da",)), contract.words)
    told = [
        text for text in (*sheet.problems, *sheet.remarks) if "☃" in (text.values.get("sign"), text.values.get("sent"))
    ]
    assert told, f"{sheet.problems} {sheet.remarks}"
