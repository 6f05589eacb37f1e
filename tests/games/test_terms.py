"""One word for one thing: what a game's mails, pages and rules call its parts."""

import re
from pathlib import Path

import pytest

import games
from games import engines
from games.api import Unit

NEVER: dict[Unit, str] = {
    "round": r"Durchgang|Durchgangs|Durchgänge|Durchgängen|deals",
    "turn": r"Durchgang|Durchgangs|Durchgänge|Durchgängen|deals",
    "deal": r"Partie|Partien|Runden?|[Rr]ounds?|[Hh]ands?",
}
"""By what a game counts: words that would be a second name for that, or this name for something else."""


@pytest.mark.parametrize("key", engines())
def test_a_game_has_one_name_for_what_it_counts(key: str) -> None:
    """Issue 26, words said: `Partie` and `Durchgang` are never mixed, in no text of the game and not in its rules."""
    engine = engines()[key]
    page = Path(games.__file__).parent / key.replace("-", "_") / "README.md"
    said = [*(text for pattern in engine.wording.values() for text in pattern.values()), page.read_text("utf-8")]
    never = re.compile(rf"\b(?:{NEVER[engine.rules.unit]})\b")
    assert [(found[0], text) for text in said if (found := never.search(text))] == []
