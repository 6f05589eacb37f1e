"""Checks that a move can be written as lines, and that the moves a game counts out are the legal ones."""

from itertools import islice
from typing import Final

from games.api import MoveBlock, Seat
from games.dice import Dice
from games.kit.testplay import Contract, Step, games
from games.kit.testsecrets import GAMES, picked

_STEPS: Final = 8
"""Steps of each game whose moves are looked at."""
_MOVES: Final = 40
"""Moves of each position that are tried."""


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
            for number in range(1, engine.rules.seats[1] + 1):
                listed = islice(engine.moves(step.before, Seat(number)), _MOVES)
                for move in listed:
                    assert Seat(number) in engine.due(step.before), f"seat {number} owes no move and has {move}"
                    _check_written(contract, step, Seat(number), move)
                    engine.act(step.before, Seat(number), move, Dice("moves", 1), contract.words)


def _check_written(contract: Contract, step: Step, seat: Seat, move: object) -> None:
    lines = contract.engine.write(step.before, seat, move)
    sheet = contract.engine.read(step.before, seat, MoveBlock(lines=lines), contract.words)
    assert sheet.move == move, f"{move} is written as {lines}, and read as {sheet.move} {sheet.problems}"
