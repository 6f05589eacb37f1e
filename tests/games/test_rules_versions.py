"""A change of a game's rules code is looked at: does `Rules.version` have to go up?"""

import pytest

from games import engines
from gm.app.recorded_rules import checksum

NAME = "rules-versions.txt"


def lines() -> dict[str, str]:
    """Write each game's version with the checksum of its code."""
    return {key: f"{key} {engine.rules.version} {checksum(engine)}" for key, engine in sorted(engines().items())}


def test_versions_and_checksums(request: pytest.FixtureRequest) -> None:
    """Code that has changed was looked at: tests/golden/rules-versions.txt has its checksum and its version."""
    path = request.config.rootpath / "tests" / "golden" / NAME
    found = lines()
    if request.config.getoption("--update-golden"):
        path.write_text("".join(f"{line}\n" for line in found.values()))
    changed = sorted(found[key] for key in found if found[key] not in path.read_text().splitlines())
    if changed:
        pytest.fail(
            f"The code of rules has changed: {'; '.join(changed)}. If moves that are on record would lead to other "
            "positions, points or winners, raise `version` in the game's Rules; it stays if they would not (wording, "
            "drawing, suggestions). Then note it: pytest tests/games/test_rules_versions.py --update-golden",
            pytrace=False,
        )
