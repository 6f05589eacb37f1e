"""Checks that a move can be written as lines, and that the moves a game counts out are the legal ones."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from games.api import MoveBlock, Seat
from games.dice import Dice
from games.kit.testplay import Contract, Step, games
from games.kit.testsecrets import GAMES, picked

_STEPS: Final = 8
"""Steps of each game whose moves are looked at."""
_MOST: Final = 2000
"""So many moves of a position are counted out at most."""
_MOVES: Final = 20
"""Moves of each position that are tried."""
_CHANGED: Final = 5
"""Moves of each position that are tried with another number."""
_NUMBER: Final = re.compile(r"[0-9]+")


def check_written(contract: Contract) -> None:
    """`write` makes lines of a move, of which `read` makes the same move."""
    for steps in islice(games(contract), GAMES):
        for step in picked(steps[1:], _STEPS):
            for sent in step.sent:
                if sent.sheet.move is not None:
                    _check_written(contract, step, sent.seat, sent.sheet.move)


def check_moves(contract: Contract) -> None:
    """Each of the `moves` is read as it is written, and carried out; a seat that owes no move has none."""
    engine = contract.engine
    for steps in islice(games(contract), GAMES):
        for step in picked(steps[1:], _STEPS):
            for seat in contract.all_seats:
                listed = tuple(islice(engine.moves(step.before, seat), _MOST))
                for move in (*picked(listed, _MOVES), *listed[-1:]):
                    assert seat in engine.due(step.before), f"seat {seat} owes no move and has {move}"
                    _check_written(contract, step, seat, move)
                    engine.act(step.before, seat, move, Dice("moves", 1), contract.words)
                if 0 < len(listed) < _MOST:
                    _check_all_listed(contract, step, seat, listed)


def _check_all_listed(contract: Contract, step: Step, seat: Seat, listed: Sequence[object]) -> None:
    """What is read as a move is listed: tried with the lines of listed moves, one number in them changed."""
    for move in picked(listed, _CHANGED):
        for lines in _with_other_numbers(contract.engine.write(step.before, seat, move)):
            read = contract.engine.read(step.before, seat, MoveBlock(lines=lines), contract.words).move
            assert read is None or read in listed, f"{lines} is read as {read}, which `moves` doesn't list"


def _with_other_numbers(lines: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Make the first number of each line in turn one smaller, and one larger."""
    for at, line in enumerate(lines):
        if found := _NUMBER.search(line):
            for other in (int(found[0]) - 1, int(found[0]) + 1):
                yield (*lines[:at], f"{line[: found.start()]}{other}{line[found.end() :]}", *lines[at + 1 :])


def _check_written(contract: Contract, step: Step, seat: Seat, move: object) -> None:
    lines = contract.engine.write(step.before, seat, move)
    sheet = contract.engine.read(step.before, seat, MoveBlock(lines=lines), contract.words)
    assert sheet.move == move, f"{move} is written as {lines}, and read as {sheet.move} {sheet.problems}"
