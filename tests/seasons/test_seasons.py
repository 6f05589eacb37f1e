"""Seasons from one seed each: all promises hold after each step, whatever goes wrong (`make seasons` plays many)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import play_seasons
import pytest
from crashing_zine import FAULTS, CrashingZine
from people import HABITS
from season import STEPS_WITH_PAGES, BrokenSeason, Season
from smaller import made_smaller

pytestmark = pytest.mark.sqlite
SEEDS, MANY, MOST = 1, 6, 60
"""So many small ones in `make test`; whole ones in `make trust`, and at full length."""
SMALL: dict[str, Any] = {"steps": 8, "games": 2}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_promises_hold(seed: int, tmp_path: Path) -> None:
    """A short season with some games, a GM, outsiders and faults keeps every promise."""
    played = Season(tmp_path, seed, **SMALL).play()
    assert played.told["started"] > 0
    assert played.told["mails in"] > 10


@pytest.mark.trust
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Mails, rows and pages are the same in two processes, in which sets and dicts of names have other orders."""
    assert Season(tmp_path, 2, steps=STEPS_WITH_PAGES, games=1)._has_pages
    script = [sys.executable, Path(__file__).parent / "play_seasons.py"]
    words = ["--seed=2", f"--steps={STEPS_WITH_PAGES}", "--games=1", "--outcome"]
    said = [
        subprocess.run(
            [*script, *words], check=True, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True
        ).stdout
        for seed in ("7", "11")
    ]
    outcomes = [re.findall(r"^outcome \w{64}$", one, re.MULTILINE) for one in said]
    assert len(outcomes[0]) == 1
    assert outcomes[0] == outcomes[1]


@pytest.mark.trust
def test_a_broken_season_is_made_smaller(tmp_path: Path) -> None:
    """A planted fault of crashes is found again with few faults beside crashes, in one game; one line replays it."""
    before = CrashingZine.begin_anew

    def forgetful(zine: CrashingZine) -> None:
        before(zine)
        raise LookupError("planted: a process began anew")

    season = Season(tmp_path, 5, faults=FAULTS - {"restore"}, steps=30, games=2)
    with patch.object(CrashingZine, "begin_anew", forgetful):
        with pytest.raises(BrokenSeason, match="planted") as broken:
            season.play()
        found = made_smaller(season, broken.value, tries=12)
        assert found.faults is not None
        assert "crash" in found.faults
        assert len(found.faults) <= 3
        assert found.games == 1
        with pytest.raises(BrokenSeason, match="planted") as again:
            replace(found, folder=tmp_path / "again").play()
    faults = ",".join(sorted(found.faults))
    assert str(again.value).startswith(f"make seasons SEED=5 FAULTS='{faults}' STEPS={found.steps} GAMES=1\n")


@pytest.mark.trust
@pytest.mark.parametrize("seed", range(SEEDS, MANY))
def test_a_whole_season(seed: int, tmp_path: Path) -> None:
    """A season with all its games keeps every promise."""
    assert Season(tmp_path, seed).play().told["mails in"] > 10


@pytest.mark.extra("--full-length")
def test_many_seasons(tmp_path: Path) -> None:
    """In many seasons together everybody has had every habit, and each fault has been met."""
    played = [Season(tmp_path / f"{seed}", seed).play() for seed in range(MANY, MOST)]
    told = sum((one.told for one in played), Counter[str]())
    met = sum((one.met for one in played), Counter[str]())
    assert {*HABITS} <= told.keys()
    assert {"crash", "visit", "restore", "full disk", "hang-up", "renumbered"} <= met.keys()
    assert sum(one.ended for one in played) > sum(one.games for one in played) / 2
    assert "CPU seconds a game" in play_seasons.summary(played)
