"""Chance, derived from the seed of a game and the number of a turn: the same seed gives the same game."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A stream of chance for one turn.

    Only `random()` of the generator is used: Python promises its sequence for all versions, and with it
    that a game of years ago can be checked by its seed.
    """

    def __init__(self, seed: str, turn: int) -> None:
        self._random = random.Random(f"{seed}/{turn}").random

    def below(self, n: int) -> int:
        """Draw from 0 to n-1."""
        return int(self._random() * n)

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Put the items into a drawn order (Fisher-Yates)."""
        pool = list(items)
        for last in range(len(pool) - 1, 0, -1):
            other = self.below(last + 1)
            pool[last], pool[other] = pool[other], pool[last]
        return tuple(pool)
