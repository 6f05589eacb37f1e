"""Seasons from one seed each: all promises hold after each step, whatever goes wrong (`make seasons` plays many)."""

from __future__ import annotations

from pathlib import Path

import pytest
from season import Season


@pytest.mark.sqlite
@pytest.mark.parametrize("seed", range(2))
def test_all_promises_hold(seed: int, tmp_path: Path) -> None:
    """A short season with some games, a GM, outsiders and faults keeps every promise."""
    played = Season(tmp_path, seed, steps=15, games=3).play()
    assert played.told["started"] > 0
    assert played.told["mails in"] > 10
