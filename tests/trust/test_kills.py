"""The service dies at named boundaries of a whole game, by an exception that nothing may catch.

There are more than 500. With `--full-length` it dies at each, else at some of each kind in each pass.

For a boundary database, mailbox, outbox, site and clock are restored to the pass before it. After the crash the next
process goes on until everything is as it was after that pass without a crash. From there the game must end in the same
way, as it depends on nothing else; for a sample of the boundaries it is played to the end all the same.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import kill_scripts
import pytest
import resettable_zine
from crashes import KINDS, Crash, CrashPlan, kind_of

from gm.demo.in_memory_zine import one_pass

STEPS = {step.title: step for step in (*kill_scripts.CROSSWORD, *kill_scripts.AT_ONCE)}
SOME = 3
TO_THE_END, TO_THE_END_AT_FULL_LENGTH = 2, 50


@pytest.fixture(scope="module")
def whole_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, list[Any]]]:
    """A game of Crossword as it goes when nobody dies, and the story in which it is told."""
    yield from _told(tmp_path_factory.mktemp("crossword"), kill_scripts.open_eriwan, kill_scripts.CROSSWORD)


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, list[Any]]]:
    """Dice and turns."""
    yield from _told(tmp_path_factory.mktemp("at_once"), kill_scripts.seat_the_others, kill_scripts.AT_ONCE)


def _told(folder: Path, prelude: Callable[[Any], None], steps: Any) -> Iterator[tuple[Any, list[Any]]]:
    story = resettable_zine.ResettableZine(folder)
    prelude(story.app)
    one_pass(story.app, outbox=False)
    yield story, story.tell(steps)
    story.close()


@pytest.mark.sqlite  # on a server, a look that locks rows has boundaries as well
def test_every_boundary_has_a_name(whole_game: tuple[Any, list[Any]]) -> None:
    """More than 500 boundaries of all kinds have unique names; the game is played to its end."""
    _, parts = whole_game
    names = [name for part in parts for name in part.names]
    assert len(names) == len(set(names)) > 500
    assert {kind_of(name) for name in names} == KINDS
    assert [(name, status, played) for name, status, played, *_ in parts[-1].state["games"]] == [
        ("Eriwan", "finished", 6)
    ]


def test_a_game_has_the_same_boundaries_each_time(whole_game: tuple[Any, list[Any]], tmp_path: Path) -> None:
    """The boundaries and their order don't depend on chance, so a failing one can be repeated by its name."""
    _, parts = whole_game
    again = next(_told(tmp_path, kill_scripts.open_eriwan, kill_scripts.CROSSWORD[:3]))
    assert [part.names for part in again[1]] == [part.names for part in parts[: len(again[1])]]
    again[0].close()


@pytest.mark.parametrize("title", STEPS)
def test_a_death_at_any_boundary_changes_nothing(
    title: str, request: pytest.FixtureRequest, at_full_length: bool
) -> None:
    """The next process ends where an undisturbed one does; every letter arrives, at most the one in flight twice."""
    fixture = "at_once" if STEPS[title] in kill_scripts.AT_ONCE else "whole_game"
    story, parts = request.getfixturevalue(fixture)
    mine = [part for part in parts if part.step is STEPS[title]]
    assert any(part.names for part in mine)
    for part in mine:
        for name in part.names if at_full_length else _some_of_each_kind(part.names):
            story.die_at(part, name)
            _is_as_if_nobody_died(story, part, name, story.recover(part))


def _some_of_each_kind(names: Sequence[str]) -> Sequence[str]:
    """Choose from the boundaries of a pass: each time the same ones, in each pass others."""
    chance, kinds = random.Random("".join(names)), dict[str, list[str]]()
    for name in names:
        kinds.setdefault(kind_of(name), []).append(name)
    return [name for alike in kinds.values() for name in chance.sample(alike, min(SOME, len(alike)))]


def _is_as_if_nobody_died(story: Any, part: Any, name: str, state: dict[str, Any]) -> None:
    wrong = {key: (found, part.state[key]) for key, found in state.items() if found != part.state[key]}
    assert not wrong, f"died at {name}: {wrong}"
    assert not part.lacks(story.outbox.letters), f"died at {name}: a letter is missing"
    twice = part.exceeds(story.outbox.letters)
    assert twice.total() <= ("accepted" in name), f"died at {name}: {twice.total()} letters went out twice"


def test_a_game_in_which_somebody_died_ends_as_any_other(
    whole_game: tuple[Any, list[Any]], at_full_length: bool
) -> None:
    """Played to the final mails: the same scores, pages and letters, to the byte."""
    story, parts = whole_game
    all_of_them = [(part, name) for part in parts for name in part.names]
    number = TO_THE_END_AT_FULL_LENGTH if at_full_length else TO_THE_END
    for part, name in random.Random(8).sample(all_of_them, number):
        story.die_at(part, name)
        story.recover(part)
        state = story.play_on(parts, part)
        _is_as_if_nobody_died(story, parts[-1], name, state)


def test_dying_again_and_again(whole_game: tuple[Any, list[Any]]) -> None:
    """A service that dies after each accepted letter still ends the pass; each death repeats one letter at most."""
    story, parts = whole_game
    part = next(part for part in parts if part.step.title == "round 4 closes early" and part.flags["outbox"])
    deaths = sum(kind_of(name) == "accepted" for name in part.names)
    story.go_back(part.start)
    for _ in range(deaths):
        story.start(CrashPlan(at="accepted 1"))
        with pytest.raises(Crash):
            story.one_pass(part.step)
    story.recover(part)
    assert not part.lacks(story.outbox.letters)
    assert part.exceeds(story.outbox.letters).total() == deaths
