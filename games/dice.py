"""Chance, derived from the seed of a game and the number of a turn, so that the same seed gives the same game."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """The random numbers of one turn.

    They come only from `random()` of Python's generator, whose sequence is the same in all versions. So a game can be
    checked by its seed years later.
    """

    def __init__(self, seed: str, turn: int) -> None:
        self._random = random.Random(f"{seed}/{turn}").random

    def below(self, n: int) -> int:
        """Draw a number from 0 to n-1."""
        return int(self._random() * n)

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order (Fisher-Yates)."""
        pool = list(items)
        for last in range(len(pool) - 1, 0, -1):
            other = self.below(last + 1)
            pool[last], pool[other] = pool[other], pool[last]
        return tuple(pool)
