"""What the kinds of games are called, also those whose rules aren't installed."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from games import engines
from games.api import Language, Unit
from gm.archive.record import public_steps
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences import SENTENCES

SHORT: Final = 7
"""Letters of a title that is short enough."""


def title_of(kind: str) -> str:
    """Name a kind of game."""
    engine = engines().get(kind)
    return engine.rules.title if engine else kind


def short_title(kind: str) -> str:
    """Abbreviate a kind of game for a chart: the initials of several words, or the first letters of one."""
    words = re.split(r"[-\s]+", title_of(kind))
    if len(words) > 1:
        return "".join(word[:1].upper() for word in words)
    return words[0] if len(words[0]) <= SHORT else f"{words[0][: SHORT - 1]}."


def by_title(kinds: Iterable[str]) -> list[str]:
    """Sort kinds of games."""
    return sorted(kinds, key=lambda kind: (title_of(kind), kind))


def heading_of(kind: str, number: int, language: Language) -> str:
    """Name a round, turn or deal of a kind of game: `Runde 3`; 0 is the start."""
    return _heading(unit_of(kind), number, language)


def unit_of(kind: str) -> Unit:
    """Say what a kind of game counts."""
    engine = engines().get(kind)
    return engine.rules.unit if engine else "round"


@lru_cache(maxsize=1024)
def _heading(unit: Unit, number: int, language: Language) -> str:
    return Speaker(language=language, wording=SENTENCES, names={}).say(public_steps.heading(unit, number))
