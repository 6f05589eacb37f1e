"""Texts made to keep a reader busy: the words of each vocabulary repeated, alternating and nested (issue 48).

A mail of 1 kB takes 50 ms of CPU at most, one of 128 kB a second. A unit of work is about 2 ms.
"""

import random
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from cpu_cost import work_units

from gm.requests.declared import all_names
from parsers.mime.message import Mail
from parsers.reading import read

ROOT = Path(__file__).resolve().parents[2]
VOCABULARIES = {
    name: ROOT / path
    for name, path in {
        "answers": "parsers/prose/answer_phrases.py", "courtesies": "parsers/prose/courtesies.py",
        "clauses": "parsers/prose/clauses.py", "wishes": "parsers/prose/intents.toml",
        "small words": "parsers/lines/small_words.py", "days": "parsers/calendar_words.py",
        "quotations": "parsers/mime/quoting.py", "German": "templates/words/de/commands.toml",
        "English": "templates/words/en/commands.toml",
    }.items()
}  # fmt: skip
BETWEEN = (" ", ", ", ". ", "\n", "\n\n", " „", "(", ": ", ' "', "> ", " so ", "? ")
NAMES = all_names(frozenset({"eriwan"}))
SMALL, LARGE = 25, 500
"""Units."""


def words_of(name: str) -> list[str]:
    """Return the words of a vocabulary, each once."""
    return sorted({*re.findall(r"[^\W\d_']{2,}", VOCABULARIES[name].read_text(encoding="utf-8"))})


def crafted(name: str, size: int, number: int) -> Iterator[str]:
    """Make texts of one to four words of a vocabulary, again and again; with something at the end that fits nothing."""
    chance, words = random.Random(f"{name} {size}"), words_of(name)
    for _ in range(number):
        piece, between = chance.sample(words, chance.randint(1, 4)), chance.choice(BETWEEN)
        yield ((between.join(piece) + between) * size)[: size - 1] + "x"


def cost(text: str, most: float) -> float:
    """Return the units that it takes to read all that a text may say."""

    def read_all() -> None:
        reading = read(Mail(texts=(text,), subject=text[:200]), NAMES, date(2026, 11, 2))
        assert reading.yes is None or reading.yes.line is not None

    return work_units(read_all, most=most)


@pytest.mark.trust(except_first=6)
@pytest.mark.parametrize("size", [155, 1000])
@pytest.mark.parametrize("name", VOCABULARIES)
def test_small_texts(name: str, size: int) -> None:
    """Whatever a small mail repeats, it is read at once."""
    for text in crafted(name, size, 8):
        assert cost(text, SMALL) < SMALL, text[:60]


@pytest.mark.trust
@pytest.mark.parametrize("size", [155, 1000])
@pytest.mark.parametrize("name", VOCABULARIES)
def test_many_small_texts(name: str, size: int) -> None:
    """The same with forty texts of each."""
    for text in crafted(name, size, 40):
        assert cost(text, SMALL) < SMALL, text[:60]


@pytest.mark.trust
@pytest.mark.parametrize("name", VOCABULARIES)
def test_large_texts(name: str) -> None:
    """The largest mail that is read whole takes no longer for its length."""
    for text in crafted(name, 128_000, 3):
        assert cost(text, LARGE) < LARGE, text[:60]
