"""Planted faults: each is found by a promise in seasons of the simulator; issue 31, Planted faults."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from planted_faults import FAULTS, NEEDS
from promises import BrokenPromise
from season import BrokenSeason, Season

pytestmark = pytest.mark.sqlite
QUICK = {
    "others see what a seat holds": "5: nobody reads what another seat holds",
    "a commit is lost": "3: what was taken is noted",
    "a verdict is not recorded": "6: each step is as a replay makes it",
}
"""Those that a short season finds, by the promise that it finds broken."""
SEEDS = 12
"""So many seasons are played until a fault is found."""
FEWEST = 13
"""So many of all faults are found, at least."""


def found(name: str, folder: Path, seeds: int, steps: int, games: int) -> Iterator[tuple[int, str]]:
    """Play seasons with a fault in the program until a promise is broken; give the seed and the promise."""
    seasons = (Season(folder / f"{seed}", seed, steps=steps, games=games) for seed in itertools.count())
    fitting = (one for one in seasons if NEEDS.get(name) in {None, *(one.faults or ())})
    for season in itertools.islice(fitting, seeds):
        try:
            with FAULTS[name].planted():
                season.play()
        except BrokenSeason as broken:
            if isinstance(broken.error, BrokenPromise):
                yield season.seed, str(broken.error)
                return


@pytest.mark.parametrize("name", QUICK)
def test_a_fault_is_found(name: str, tmp_path: Path) -> None:
    """A fault that shows soon is found by the promise that it breaks."""
    ((_, said),) = found(name, tmp_path, seeds=1, steps=6, games=2)
    assert QUICK[name] in said


@pytest.mark.parametrize("name", FAULTS)
def test_what_a_fault_changes_is_there(name: str) -> None:
    """A fault whose target is gone, or has another name, is planted nowhere."""
    fault = FAULTS[name]
    before = getattr(fault.target, fault.name)
    with fault.planted():
        assert getattr(fault.target, fault.name) is not before
    assert getattr(fault.target, fault.name) is before


def test_the_simulator_finds_the_faults(at_full_length: bool, tmp_path: Path) -> None:
    """Of all faults, spread over the whole service, most are found within some seasons."""
    if not at_full_length:
        pytest.skip("only with --trust")
    missed = [name for name in FAULTS if not list(found(name, tmp_path / name, SEEDS, steps=60, games=5))]
    assert len(FAULTS) - len(missed) >= FEWEST, f"not found: {missed}"
