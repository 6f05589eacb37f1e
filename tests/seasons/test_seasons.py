"""Seasons from one seed each: all promises hold after each step, whatever goes wrong (`make seasons` plays many)."""

from __future__ import annotations

import os
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
SEEDS = 1
"""In `make test`."""
MANY = 60
"""In `make trust`."""
SMALL: dict[str, Any] = {"steps": 8, "games": 2}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_promises_hold(seed: int, tmp_path: Path) -> None:
    """A short season with some games, a GM, outsiders and faults keeps every promise."""
    played = Season(tmp_path, seed, **SMALL).play()
    assert played.told["started"] > 0
    assert played.told["mails in"] > 10


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Mails, rows and pages are the same in another process, in which sets and dicts of names have other orders."""
    season = Season(tmp_path / "zine", 2, steps=STEPS_WITH_PAGES, games=1)
    season.play()
    assert any(season.story.app.settings.archive.path.rglob("*.html"))
    script = Path(__file__).parent / "play_seasons.py"
    said = subprocess.run(
        [sys.executable, script, "--seed=2", f"--steps={season.steps}", "--games=1", "--outcome"], check=True,
        env={**os.environ, "PYTHONHASHSEED": "11"}, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert f"outcome {season.outcome()}\n" in said


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
