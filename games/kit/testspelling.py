"""Checks that a game reads its lines as people write them, and not in one spelling only."""

import re
from collections.abc import Callable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from games.api import MoveBlock, Seat, Sheet
from games.kit.testplay import Contract, Step, games
from games.kit.testsecrets import GAMES, picked

_STEPS: Final = 8
"""Steps of each game whose blocks are written in other ways."""

SPELLINGS: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "capitals": str.upper,
        "small letters": str.lower,
        "wide blanks": lambda line: line.replace(" ", "  "),
    }
)
"""Ways to write any line that mean the same."""

LABELS: Final = (
    "{label}:{value}",
    "{label} : {value}",
    "{label} = {value}",
    "{label} -> {value}",
    "{label} ..... {value}",
    "{label} → {value}",
    "{label} – {value}",
    "{label} - {value}",
)
"""Ways to write a line that begins with a word and a colon, as in the block to copy (`Geheim: BILD`)."""

_LABELLED: Final = re.compile(r"(?P<label>[^\W\d_]+): (?P<value>.*\S)")


def check_spellings(contract: Contract) -> None:
    """A block that is written in another way is the same move."""
    for steps in islice(games(contract), GAMES):
        for step in picked(steps[1:], _STEPS):
            _check_step(contract, step)


def _check_step(contract: Contract, step: Step) -> None:
    def understood(sheet: Sheet[Any], seat: Seat) -> Any:
        """Return what the confirmation says, and the move as we write it; it may hold lines as they were sent."""
        written = contract.engine.write(step.before, seat, sheet.move)
        return sheet.summary, [line.lower().split() for line in written]

    last = {sent.seat: sent for sent in step.sent}  # what came before it may be damaged
    for sent in last.values():
        if sent.sheet.move is None:
            continue
        for name, lines in _ways(sent.lines):
            sheet = contract.engine.read(step.before, sent.seat, MoveBlock(lines=lines), contract.words)
            is_same = sheet.move is not None and understood(sheet, sent.seat) == understood(sent.sheet, sent.seat)
            assert is_same, f"{name}: {lines} isn't read as {sent.lines}: {sheet.move} {sheet.problems}"


def _ways(lines: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    found = [(name, tuple(map(spell, lines))) for name, spell in SPELLINGS.items()]
    return found + [(label, tuple(_labelled(line, label) for line in lines)) for label in LABELS]


def _labelled(line: str, form: str) -> str:
    """Write a line with a label in another way; any other line stays."""
    parts = _LABELLED.fullmatch(line)
    return form.format_map(parts.groupdict()) if parts else line
