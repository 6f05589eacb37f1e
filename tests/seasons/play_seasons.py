"""`make seasons`: plays seasons, sums them up, and makes the first one that breaks smaller (replay line by line)."""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from promises import PromiseChecker
    from season import Played

ROOT: Final = Path(__file__).parents[2]
NONE: Final = "none"


def set_up() -> PromiseChecker:
    """Let the helpers of the tests be found, and every story be watched: what tests/conftest.py does for pytest."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    sys.path[:0] = [str(ROOT / path) for path in project["tool"]["pytest"]["ini_options"]["pythonpath"]]
    import databases
    import postgres
    import promises

    from gm.demo import in_memory_zine
    from gm.service import tick

    tempfile.tempdir = str(postgres.fastest_folder())
    in_memory_zine.database_url = databases.CHOSEN.url
    checker = promises.PromiseChecker()
    in_memory_zine.observers.append(checker)
    checker.start()
    tick.settle_in()
    return checker


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Read what the Makefile hands over; what is empty there was not given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=_number, help="play so many seasons (default: 20)")
    parser.add_argument("--first", type=_number, help="from this seed on")
    parser.add_argument("--seed", type=_number, help="play this one only")
    parser.add_argument("--faults", help="these faults, with commas between them, or none; else the seed's")
    parser.add_argument("--steps", type=_number)
    parser.add_argument("--games", type=_number)
    parser.add_argument("--outcome", action="store_true", help="print a digest of all that came of each")
    return parser.parse_args([one for one in arguments if not one.endswith("=")])


def _number(text: str) -> int:
    return int(text)


def main(arguments: Sequence[str]) -> int:
    """Play seasons; returns the exit code."""
    checker = set_up()
    from season import STEPS, BrokenSeason, Season
    from smaller import made_smaller

    given = parsed(arguments)
    first, seeds = given.first or 0, given.seeds or 20
    played: list[Played] = []
    faults = None if given.faults is None else frozenset(given.faults.split(",")) - {NONE}
    for seed in [given.seed] if given.seed is not None else range(first, first + seeds):
        with tempfile.TemporaryDirectory(prefix="season-") as folder:
            season = Season(Path(folder), seed, faults, given.steps or STEPS, given.games)
            try:
                played.append(season.play())
                print(f"outcome {season.outcome()}" if given.outcome else ".", end="\n" * given.outcome, flush=True)
            except BrokenSeason as broken:
                print(broken, flush=True)
                print(f"Smaller: {made_smaller(season, broken).replay}")
                return 1
            checker.forget(season.story.app)  # a hundred seasons would fill the memory
    print(f"\n{summary(played)}")
    return 0


def summary(played: Sequence[Played]) -> str:
    """Say what all seasons were, together."""
    games, seconds = sum(one.games for one in played), sum(one.seconds for one in played)
    told = sum((one.told for one in played), Counter[str]())
    met = sum((one.met for one in played), Counter[str]())
    figures = {
        "seasons": len(played), "games": games, "ended": sum(one.ended for one in played),
        "rounds": sum(one.rounds for one in played), "mails in": told["mails in"],
        "mails out": sum(one.mails_out for one in played), "crashes": met["crash"], "restores": met["restore"],
        "CPU seconds": round(seconds), "CPU seconds a game": round(seconds / max(games, 1), 2),
    }  # fmt: skip
    lines = [f"{name:20}{number}" for name, number in figures.items()]
    faults = ", ".join(f"{name} {met[name]}" for name in sorted(met))
    return "\n".join([*lines, f"{'faults met':20}{faults}"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
