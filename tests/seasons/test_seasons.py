"""Seasons from one seed each: all promises hold after each step, whatever goes wrong (`make seasons` plays many)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import play_seasons
import pytest
from house import FAULTS, House
from people import HABITS
from season import BrokenSeason, Season
from smaller import made_smaller

pytestmark = pytest.mark.sqlite
SEEDS = 2
"""In `make test`."""
MANY = 60
"""In `make trust`."""
SMALL: dict[str, Any] = {"steps": 12, "games": 3}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_promises_hold(seed: int, tmp_path: Path) -> None:
    """A short season with some games, a GM, outsiders and faults keeps every promise."""
    played = Season(tmp_path, seed, **SMALL).play()
    assert played.told["started"] > 0
    assert played.told["mails in"] > 10


def test_the_same_seed_gives_the_same_bytes() -> None:
    """Mails, rows and pages are the same in two processes in which sets and dicts of names have other orders."""
    script = Path(__file__).parent / "play_seasons.py"
    outcomes = [
        subprocess.run(
            [sys.executable, script, "--seed=5", "--steps=8", "--games=3", "--outcome"], check=True,
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    digests = [re.findall(r"outcome +([0-9a-f]{64})", said) for said in outcomes]
    assert len(digests[0]) == 1
    assert digests[0] == digests[1]


def test_a_broken_season_is_made_smaller(tmp_path: Path) -> None:
    """A planted fault of crashes is found again with crashes alone, in one game, and one line replays it."""
    before = House.begin_anew

    def forgetful(house: House) -> None:
        before(house)
        raise LookupError("planted: a process began anew")

    season = Season(tmp_path, 5, faults=FAULTS - {"restore"}, steps=30, games=3)
    with patch.object(House, "begin_anew", forgetful):
        with pytest.raises(BrokenSeason, match="planted") as broken:
            season.play()
        found = made_smaller(season, broken.value, tries=16)
    assert found.faults == {"crash"}
    assert found.games == 1
    assert found.steps <= broken.value.step + 1
    assert found.replay == f"make seasons SEED=5 FAULTS='crash' STEPS={found.steps} GAMES=1"
    assert found.replay in str(BrokenSeason(found, 0, LookupError()))


def test_many_seasons(at_full_length: bool, tmp_path: Path) -> None:
    """At full length whole seasons; in all together everybody has had every habit, and each fault has been met."""
    if not at_full_length:
        pytest.skip("only with --trust")
    played = [Season(tmp_path / f"{seed}", seed).play() for seed in range(SEEDS, MANY)]
    told = sum((one.told for one in played), Counter[str]())
    met = sum((one.met for one in played), Counter[str]())
    assert {*HABITS} <= told.keys()
    assert {"crash", "visit", "restore", "full disk", "hang-up", "renumbered"} <= met.keys()
    assert sum(one.ended for one in played) > sum(one.games for one in played) / 2
    assert "CPU seconds a game" in play_seasons.summary(played)
