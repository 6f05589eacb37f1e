"""Random games of every kind to their end, with blocks damaged or missing: 20 each, 1,000 in `make bench`."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pydantic import TypeAdapter

from games import engines
from games.kit.testkit import Contract, play

GAMES = 20


def check(key: str, numbers: range) -> int:
    """Play games of a kind; returns how many steps they took together."""
    engine = engines()[key]
    adapter: TypeAdapter[Any] = TypeAdapter(engine.state_type)
    chance, steps = random.Random(f"{key}/{numbers}"), 0
    for number in numbers:
        last: Any = None
        for step in play(Contract(engine=engine), f"random {number}", chance.choice((0.0, 0.05, 0.3, 1.0))):
            last, steps = step.after.state, steps + 1
            if chance.random() < 0.2:
                assert adapter.validate_json(adapter.dump_json(last)) == last
        outcome = engine.outcome(last)
        assert outcome is not None
        assert outcome.standings
        assert not engine.due(last)
    return steps


@pytest.mark.parametrize("key", engines())
def test_games_end(key: str) -> None:
    """Whatever is sent or missing, a game ends with standings, and every position on the way survives storage."""
    assert check(key, range(GAMES)) > GAMES
