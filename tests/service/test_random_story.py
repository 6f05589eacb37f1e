"""Random stories with several players and games: all promises hold after each of forty steps."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from random_story import HABITS, TRUSTED, RandomStory

from games.kit.testplay import COMMON_WORDS
from gm.demo.in_memory_zine import Story

SEEDS = 4
"""In `make test`: with these every setting of `settings_of` is met. `make trust` plays all others."""
MANY = 300
FEWEST_MAILS = 30
"""Of players, in each story."""


def settings_of(seed: int) -> dict[str, dict[str, Any]]:
    """Choose a zine's settings by the seed: each is met by some of the seeds of every run."""
    return {
        "security": {"sender": "authenticated" if seed % 3 == 2 else "address", "trusted_authserv": [TRUSTED]},
        "deadlines": {"release": "gm" if seed % 4 == 3 else "auto", "close_early": seed % 2 == 0, "zat": "6d"},
        "nmr": {"standby_after": 1 + seed % 2},
    }


def tell(folder: Path, seed: int) -> RandomStory:
    """Play the story of a seed in memory."""
    story = Story(folder, words=COMMON_WORDS, more=settings_of(seed))
    told = RandomStory(story, seed)
    told.tell()
    story.close()
    return told


@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_promises_hold(seed: int, tmp_path: Path) -> None:
    """After each of forty steps of a story, and at its end, every promise holds; and enough has happened in it."""
    told = tell(tmp_path, seed).told
    assert told["player"] > FEWEST_MAILS
    assert told["started"] >= 1


def test_many_stories(at_full_length: bool, tmp_path: Path) -> None:
    """At full length some hundred stories more; in all together everybody has had every habit."""
    if not at_full_length:
        pytest.skip("only with --trust")
    told = sum((tell(tmp_path / f"{seed}", seed).told for seed in range(SEEDS, MANY)), Counter[str]())
    assert {*HABITS, "stranger", "robot", "forger"} <= told.keys()
