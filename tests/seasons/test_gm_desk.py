"""The GM of a season knows every command of the program, and types each as it is meant."""

from __future__ import annotations

from collections.abc import Iterator

import gm_desk
import pytest
from crashing_zine import FAULTS, CrashingZine
from gm_desk import NOT_AT_THE_DESK, TYPED, Desk
from story_actions import StoryActions


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """The GM's desk in a zine with some games, all of whose faults are possible and none happens."""
    zine = CrashingZine(tmp_path_factory.mktemp("desk"), 1, FAULTS, {"zine": {"dates": ["2026-12-09"], "rhythm": "5w"}})
    actions = StoryActions(zine, 1)
    actions.open_games(4, zine.tick)
    yield Desk(zine, actions.company)
    zine.close()


def test_no_command_is_forgotten() -> None:
    """Each command of the command line is typed in some season, or named with the reason why not, and no other is."""
    assert {*TYPED, *NOT_AT_THE_DESK} == set(gm_desk.commands())
    assert not TYPED.keys() & NOT_AT_THE_DESK
    assert all(NOT_AT_THE_DESK.values())


@pytest.mark.trust(except_first=3)
@pytest.mark.sqlite
@pytest.mark.parametrize("name", TYPED)
def test_each_is_typed_as_it_is_meant(desk: Desk, name: str) -> None:
    """Each command is done or refused in a sentence: none is misspelt, and none fails."""
    if (words := TYPED[name](desk)) is not None:
        desk.types(*name.split(), *words)
        assert desk.told[f"gm {name}"] + desk.told[f"gm {name} refused"]
