"""How much CPU time a piece of work takes, in units of a reference work.

The reference work is timed beside it, so a slow or busy machine takes longer for both and the ratio stays. Only the CPU
time of this thread counts, not what it waited. A unit is about 2 ms on the machine for which the limits were set.
"""

import re
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Final

TRIES: Final = 5

_TEXT = " ".join(f"Zug {number}: Wort{number % 97} <p{number}@spieler.example>" for number in range(2000))
_WORDS = re.compile(r"(\w+)\s*:\s*(\w+)|<([^<>@\s]+)@([\w.]+)>")


def work_units(work: Callable[[], object], *, most: float = 0.0) -> float:
    """Return how many times longer than the reference work it takes.

    With `most` it is repeated up to five times while it takes longer than that; the fastest try counts.
    """
    least = float("inf")
    for _ in range(TRIES if most else 1):
        before, spent = seconds_of_a_unit(), _seconds(work)
        least = min(least, 2 * spent / (before + seconds_of_a_unit()))
        if least < most:
            break
    return least


def work_units_each(steps: Iterator[object]) -> list[float]:
    """Return the same for each step of an iterator."""
    before, spent, began = seconds_of_a_unit(), list[float](), time.thread_time()
    for _ in steps:
        spent.append(time.thread_time() - began)
        began = time.thread_time()
    unit = (before + seconds_of_a_unit()) / 2
    return [seconds / unit for seconds in spent]


def seconds_of_a_unit() -> float:
    """Measure how long the reference work takes just now."""
    return statistics.median(_seconds(_reference_work) for _ in range(5))


def _seconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _reference_work() -> int:
    """Do what reading a mail consists of: search a text, look up words, count."""
    found: dict[str, int] = {}
    for match in _WORDS.finditer(_TEXT):
        word = (match[1] or match[3]).lower()
        found[word] = found.get(word, 0) + len(match[0])
    return sum(number * number for number in found.values())
