"""Slips of the pen: how far a word is from the one that was meant."""

from typing import Final

SHORT_WORD: Final = 7
"""Up to this length one letter may be wrong, in longer words two."""


def most_slips(word: str) -> int:
    """Return how many slips a word of this length may have."""
    return 1 if len(word) <= SHORT_WORD else 2


def distance(first: str, second: str) -> int:
    """Count the letters to leave out, put in, replace or swap with a neighbour to make one word of the other."""
    above: list[int] = []
    row = list(range(len(second) + 1))
    for i, a in enumerate(first):
        two_above, above, row = above, row, [i + 1]
        for j, b in enumerate(second):
            steps = min(above[j] + (a != b), above[j + 1] + 1, row[j] + 1)
            if i and j and a == second[j - 1] and b == first[i - 1]:
                steps = min(steps, two_above[j - 1] + 1)
            row.append(steps)
    return row[-1]
