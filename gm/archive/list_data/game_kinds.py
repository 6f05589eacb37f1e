"""What the kinds of games are called, also those whose rules aren't installed."""

from collections.abc import Iterable
from functools import lru_cache

from games import engines
from games.api import Language, Unit
from gm.archive.record import public_steps
from gm.messages.rendering.sentences import SENTENCES
from gm.messages.rendering.wording import Speaker


def title_of(kind: str) -> str:
    """Name a kind of game."""
    engine = engines().get(kind)
    return engine.rules.title if engine else kind


def by_title(kinds: Iterable[str]) -> list[str]:
    """Sort kinds of games."""
    return sorted(kinds, key=lambda kind: (title_of(kind), kind))


def heading_of(kind: str, number: int, language: Language) -> str:
    """Name a round, turn or deal of a kind of game: `Runde 3`; 0 is the start."""
    engine = engines().get(kind)
    return _heading(engine.rules.unit if engine else "round", number, language)


@lru_cache(maxsize=1024)
def _heading(unit: Unit, number: int, language: Language) -> str:
    return Speaker(language=language, wording=SENTENCES, names={}).say(public_steps.heading(unit, number))
