"""Plays random games to their end, with blocks damaged or missing: for the tests and for `make bench`."""

from __future__ import annotations

import random
from typing import Any

from pydantic import TypeAdapter

from games import engines
from games.kit.testkit import Contract, play


def play_random_games(key: str, numbers: range) -> int:
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
