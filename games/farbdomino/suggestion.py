"""Legal placements from a hand, as many as go, for scripted players and tests."""

from games.api import Seat
from games.dice import Dice
from games.farbdomino.board import placements, squares, table_of
from games.farbdomino.state import State


def suggest_lines(state: State, seat: Seat, dice: Dice) -> tuple[str, ...]:
    """Lay tile after tile while one fits, squares before others."""
    table, hand, lines = table_of(state.board), list(state.player(seat).hand), []
    while found := list(placements(table, hand)):
        worth = [squares({**table, (laid.x, laid.y): laid}, (laid.x, laid.y)) for laid in found]
        best = dice.choice([laid for laid, number in zip(found, worth, strict=True) if number == max(worth)])
        table[best.x, best.y] = best
        hand.remove(best.tile)
        lines.append(best.line)
    return tuple(lines)
