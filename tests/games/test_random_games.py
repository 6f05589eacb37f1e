"""Random games of every kind to their end, with blocks damaged or missing: 20 each, 1,000 in `make bench`."""

from __future__ import annotations

import pytest
from random_games import play_random_games

from games import engines

GAMES = 20


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("key", engines())
def test_games_end(key: str) -> None:
    """Whatever is sent or missing, a game ends with standings, and every position on the way survives storage."""
    assert play_random_games(key, range(GAMES)) > GAMES
