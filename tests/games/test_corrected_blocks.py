"""What is offered in place of a block that is wrong: never more than its writer asked for, in any game."""

from typing import Any

import pytest

from games import engines
from games.api import MoveBlock, Seat
from games.dice import Dice
from games.kit.testkit import Contract, play

UNREADABLE = ("?! § 5", "was soll ich nur tun", "Neuu: %")
STEPS = 12


def move_of(contract: Contract, state: Any, seat: Seat, lines: tuple[str, ...]) -> Any:
    return contract.engine.read(state, seat, MoveBlock(lines=lines), contract.words).move


def offered(contract: Contract, state: Any, seat: Seat, lines: tuple[str, ...]) -> Any:
    """Return the move that the block offered in place of this one would be, if it is one."""
    sheet = contract.engine.read(state, seat, MoveBlock(lines=lines), contract.words)
    return move_of(contract, state, seat, sheet.offer) if sheet.offer else None


@pytest.mark.trust(except_first=5)
@pytest.mark.parametrize("key", engines())
def test_lines_that_nobody_can_read_are_answered_with_no_move(key: str) -> None:
    """games.md, Conventions: a corrected block never does what wasn't asked for, least of all what can't be undone."""
    contract = Contract(engine=engines()[key])
    for step in list(play(contract, "offers", 0.1))[1:STEPS]:
        for seat in sorted(contract.engine.due(step.before)):
            for text in UNREADABLE:
                assert offered(contract, step.before, seat, (text,)) is None
                assert offered(contract, step.before, seat, (text, text)) is None


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", engines())
def test_a_corrected_block_does_what_the_readable_lines_do(key: str) -> None:
    """games.md, Conventions: beside lines that nobody can read, what is offered is what the others would be."""
    contract = Contract(engine=engines()[key])
    for step in list(play(contract, "offers", 0.1))[1:STEPS]:
        for seat in sorted(contract.engine.due(step.before)):
            lines = contract.engine.suggest(step.before, seat, Dice("offers", 1), contract.words)
            for at in range(len(lines) + 1):
                for rest in (lines, (*lines[:at], *lines[at + 1 :])):
                    asked = move_of(contract, step.before, seat, rest)
                    better = offered(contract, step.before, seat, (*rest[:at], UNREADABLE[0], *rest[at:]))
                    assert better in (None, asked) or asked is None
