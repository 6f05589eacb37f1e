"""A better grid from the same letters: simulated annealing over the sum of the best words in all fourteen lines."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from games.crossword.board import BLANK, LINES, SIZE, Line, Rows
from games.dice import Dice

COOLINGS: Final = 8
"""How often it is heated and cooled again, each time from the best grid so far."""
STEPS: Final = 12_000
"""Swaps tried while it cools."""
PAUSE: Final = 50
"""Swaps between two answers: a few milliseconds."""
_HOT: Final = 1.1
_COLD: Final = 0.35
_CELLS: Final = SIZE * SIZE
_MOST: Final = 140
"""Fourteen lines of ten points."""
_ALL: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Arranged:
    """A grid row by row, and what its lines are worth."""

    points: int
    cells: str

    @property
    def rows(self) -> Rows:
        """The grid as others write it."""
        return tuple(self.cells[start : start + SIZE] for start in range(0, _CELLS, SIZE))


@dataclass(frozen=True, kw_only=True)
class _Swap:
    """Two cells, and the lines through one or both of them."""

    first: int
    second: int
    lines: tuple[int, ...]
    slices: tuple[slice, ...]

    def done(self, cells: str) -> str:
        """Swap what lies in the two cells."""
        one, other = cells[self.first], cells[self.second]
        return f"{cells[: self.first]}{other}{cells[self.first + 1 : self.second]}{one}{cells[self.second + 1 :]}"


def _numbers(line: Line) -> tuple[int, ...]:
    return tuple(row * SIZE + column for row, column in line.cells)


def _slice(line: Line) -> slice:
    """Find a line in a grid that is written as one string."""
    start, second, *_, last = _numbers(line)
    step = second - start
    return slice(start, last + (1 if step > 0 else -1), step)


_SLICES: Final = tuple(_slice(line) for line in LINES)
_THROUGH: Final = tuple(
    frozenset(number for number, line in enumerate(LINES) if cell in _numbers(line)) for cell in range(_CELLS)
)


def _swap(first: int, second: int) -> _Swap:
    lines = tuple(sorted(_THROUGH[first] | _THROUGH[second]))
    return _Swap(first=first, second=second, lines=lines, slices=tuple(_SLICES[number] for number in lines))


_SWAPS: Final = tuple(_swap(first, second) for first, second in combinations(range(_CELLS), 2))


def rearranged(letters: str, worth: Callable[[str], int], dice: Dice) -> Iterator[Arranged]:
    """Lay letters into a grid so that its lines are worth much; the best so far, again and again, and then an end.

    `worth` says what a line holds; it is asked often and should remember. With fewer than 36 letters cells stay blank.
    """
    cells = "".join(dice.shuffled(letters.ljust(_CELLS, BLANK)))
    best = Arranged(points=sum(worth(cells[line]) for line in _SLICES), cells=cells)
    for _ in range(COOLINGS):
        for found in _cooled(best.cells, worth, dice):
            best = max(best, found, key=lambda arranged: arranged.points)
            yield best


def _cooled(cells: str, worth: Callable[[str], int], dice: Dice) -> Iterator[Arranged]:
    """Swap cells; what loses points is taken the less often the colder it gets."""
    worths = [worth(cells[line]) for line in _SLICES]
    best = Arranged(points=sum(worths), cells=cells)
    for done in range(0, STEPS, PAUSE):
        odds = _odds(_HOT * (_COLD / _HOT) ** (done / STEPS))
        for _ in range(PAUSE):
            swap = dice.choice(_SWAPS)
            after = swap.done(cells)
            changed = [worth(after[line]) for line in swap.slices]
            gain = sum(changed) - sum(worths[number] for number in swap.lines)
            if gain >= 0 or dice.below(_ALL) < odds[-gain]:
                cells = after
                for number, points in zip(swap.lines, changed, strict=True):
                    worths[number] = points
                if gain > 0 and sum(worths) > best.points:
                    best = Arranged(points=sum(worths), cells=cells)
        yield best


def _odds(heat: float) -> tuple[int, ...]:
    """Say for each loss how often it is taken."""
    return tuple(int(_ALL * math.exp(-loss / heat)) for loss in range(_MOST + 1))
