"""Makes a broken season smaller: it is played again with fewer faults, steps and games, as long as it breaks alike."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from season import BrokenSeason, Season

MOST_TRIES: Final = 24
"""So often a broken season is played again."""
MARGIN: Final = 6
"""With less in it a season may break so many steps later."""


def made_smaller(season: Season, broken: BrokenSeason, tries: int = MOST_TRIES) -> Season:
    """Return the smallest season found in so many tries that breaks in the same way."""
    smallest, most = _up_to(season, broken), broken.step + MARGIN
    seen = {smallest.replay}
    while found := next((one for one in _parts(smallest) if one.replay not in seen), None):
        if not (tries := tries - 1):
            break
        seen.add(found.replay)
        if (again := _breaks(replace(found, steps=most))) and kind_of(again) == kind_of(broken):
            smallest, most = _up_to(found, again), again.step + MARGIN
            seen.add(smallest.replay)
    return smallest


def _up_to(season: Season, broken: BrokenSeason) -> Season:
    return replace(season, steps=max(broken.step, 0) + 1)


def kind_of(broken: BrokenSeason) -> str:
    """Name what was wrong, without the numbers of mails and games: the promise, or the kind of error."""
    return f"{type(broken.error).__name__} {str(broken.error).partition(': ')[0]}"


def _parts(season: Season) -> Iterator[Season]:
    """List seasons with less in them: with fewer games, without faults, with one of them, without one of them."""
    faults, games = season.faults or frozenset(), season.games or 1
    yield from (replace(season, games=fewer) for fewer in sorted({1, games // 2, games - 1}) if 0 < fewer < games)
    if faults:
        yield replace(season, faults=frozenset())
    if len(faults) > 1:
        yield from (replace(season, faults=frozenset({one})) for one in sorted(faults))
        yield from (replace(season, faults=faults - {one}) for one in sorted(faults))


def _breaks(season: Season) -> BrokenSeason | None:
    with tempfile.TemporaryDirectory(prefix="season-") as folder:
        try:
            replace(season, folder=Path(folder)).play()
        except BrokenSeason as broken:
            return broken
    return None
