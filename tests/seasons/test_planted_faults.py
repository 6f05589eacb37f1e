"""Planted faults: each is found by a promise in seasons of the simulator; issue 31, Planted faults."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from inspect import Parameter, signature
from pathlib import Path

import pytest
from planted_faults import FAULTS, NEEDS
from promises import BrokenPromise
from season import BrokenSeason, Season

pytestmark = pytest.mark.sqlite
FOUND_BY = {
    "a move at the ZAT is too late": "1: a closing takes what is on file",
    "a round closes without a fetch": "2: no NMR over a mail that lies there",
    "a round waits for ever": "3: a round waits for a mail once",
    "an excused NMR counts": "2: after the hold an NMR is unclear",
    "a reminder comes twice": "4: reminders are bounded",
    "a forged mail is taken": "3: nothing unproven is applied",
    "no proof is asked for": "3: nothing unproven is applied",
    "an answer goes where the mail says": "5: a player's mail goes to the registered address",
    "a cap is not counted": "4: answers are bounded",
    "others see what a seat holds": "5: nobody reads what another seat holds",
    "others see a move on file": "5: no hidden move in a view",
    "spectators see a move on file": "5: no hidden move for spectators",
    "spectators see all": "5: nobody reads what another seat holds",
    "all steps have the same dice": "6: each step is as a replay makes it",
    "a verdict is not recorded": "6: each step is as a replay makes it",
    "a mail counts twice": "3: nothing is applied twice",
    "duties are another game's": "1: a closing takes what is on file",
    "a commit is lost": "3: what was taken is noted",
    "a bulletin is queued again": "3: the same step is not told again",
    "an undone closing is told": "3: no step taken back is told",
    "a result doesn't go to all": "told to all",
}
"""The promise that a fault breaks. The other faults were found by none so far."""
QUICK = ("others see what a seat holds", "others see a move on file", "a commit is lost", "a verdict is not recorded")
"""Those that a short season finds."""
SEEDS = 12
"""So many seasons are played until a fault is found."""
FEWEST = 18
"""So many of all faults are found, at least."""


def found(name: str, folder: Path, seeds: int, steps: int, games: int) -> Iterator[tuple[int, str]]:
    """Play seasons with a fault in the program until it breaks its promise; give the seed, and what was said."""
    seasons = (Season(folder / f"{seed}", seed, steps=steps, games=games) for seed in itertools.count())
    fitting = (one for one in seasons if NEEDS.get(name) in {None, *(one.faults or ())})
    for season in itertools.islice(fitting, seeds):
        try:
            with FAULTS[name].planted():
                season.play()
        except BrokenSeason as broken:
            if isinstance(broken.error, BrokenPromise) and FOUND_BY[name] in str(broken.error):
                yield season.seed, str(broken.error)
                return


@pytest.mark.parametrize("name", QUICK)
def test_a_fault_is_found(name: str, tmp_path: Path) -> None:
    """A fault that shows soon is found by the promise that it breaks."""
    assert len(list(found(name, tmp_path, seeds=1, steps=6, games=2))) == 1


@pytest.mark.parametrize("name", FAULTS)
def test_what_a_fault_changes_is_there(name: str) -> None:
    """A fault whose target is gone, or has another name or other arguments, is planted nowhere."""
    fault = FAULTS[name]
    before = getattr(fault.target, fault.name)
    with fault.planted():
        after = getattr(fault.target, fault.name)
        assert after is not before
        if callable(before):
            wanted = signature(before).parameters.values()
            by_name = {one.name: None for one in wanted if one.kind is Parameter.KEYWORD_ONLY}
            signature(after).bind(*[None for one in wanted if one.name not in by_name], **by_name)
    assert getattr(fault.target, fault.name) is before


@pytest.mark.extra("--full-length")
def test_the_simulator_finds_the_faults(tmp_path: Path) -> None:
    """Of all faults, spread over the whole service, most are found within some seasons."""
    missed = [name for name in FOUND_BY if not list(found(name, tmp_path / name, SEEDS, steps=60, games=5))]
    assert len(FOUND_BY) - len(missed) >= FEWEST, f"not found: {missed}"
