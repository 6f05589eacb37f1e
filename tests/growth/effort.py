"""How much work something is, measured by a piece of work that is known, so that a slow or busy machine doesn't matter.

A machine that is slow, or busy with other things, takes longer for both. Only the processor's time of this thread
counts, not what it waited.
"""

import re
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Final

PIECE_SECONDS: Final = 0.002
"""What the piece of work below took where the limits of tests were set; so they are told in that machine's seconds."""
TRIES: Final = 5

_TEXT = " ".join(f"Zug {number}: Wort{number % 97} <p{number}@spieler.example>" for number in range(2000))
_WORDS = re.compile(r"(\w+)\s*:\s*(\w+)|<([^<>@\s]+)@([\w.]+)>")


def effort(work: Callable[[], object], *, most: float = 0.0) -> float:
    """Tell how many seconds it would take on the machine that the limits are meant for.

    With `most` it is done again, a few times, as long as it seems to be more: then the least counts.
    """
    least = float("inf")
    for _ in range(TRIES if most else 1):
        before, spent = pace(), _seconds(work)
        least = min(least, 2 * spent / (before + pace()))
        if least < most:
            break
    return least


def efforts(steps: Iterator[object]) -> list[float]:
    """Tell the same of each step of a work."""
    before, spent, began = pace(), list[float](), time.thread_time()
    for _ in steps:
        spent.append(time.thread_time() - began)
        began = time.thread_time()
    slowness = (before + pace()) / 2
    return [seconds / slowness for seconds in spent]


def pace() -> float:
    """Tell how much slower this machine is just now than the one that the limits are meant for; 1 is as quick."""
    return statistics.median(_seconds(_piece_of_work) for _ in range(5)) / PIECE_SECONDS


def _seconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _piece_of_work() -> int:
    """Do what reading a mail is made of: search a text, look up words, count."""
    found: dict[str, int] = {}
    for match in _WORDS.finditer(_TEXT):
        word = (match[1] or match[3]).lower()
        found[word] = found.get(word, 0) + len(match[0])
    return sum(number * number for number in found.values())
