"""The service dies at every boundary of a farewell by mail: nobody is half forgotten, and nothing is told twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import kill_scripts
import pytest
import resettable_zine
from kill_scripts import ANNA, YES, Step
from sqlmodel import select

from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, address_of, one_pass
from gm.store.tables import Question

STEPS = (
    Step(title="both games begin"),
    Step(title="Anna wants to be forgotten", mails=[(ANNA, "Vergiss mich\n"), (PLAYERS[1], "GM: Wo ist Anna?\n")]),
    Step(title="she says yes", mails=[(ANNA, YES)]),
    Step(title="the GM is told"),
)  # fmt: skip


@pytest.fixture(scope="module")
def farewell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, list[Any]]]:
    """The farewell as it goes when nobody dies, and the story in which it is told."""
    story = resettable_zine.ResettableZine(tmp_path_factory.mktemp("farewell"))
    actions.new_game(story.app, "crossword", "Havanna")
    actions.join(story.app, "Havanna", ANNA, address_of(ANNA), "A")
    kill_scripts.seat_the_others(story.app)
    one_pass(story.app, outbox=False)
    yield story, story.tell(STEPS)
    story.close()


def test_it_ends_as_it_should(farewell: tuple[Any, list[Any]]) -> None:
    """Undisturbed, the name is gone at the end, the seats are free, and the GM was told once."""
    _, parts = farewell
    state = parts[-1].state
    assert ("N. N.",) in state["people"]
    assert (ANNA,) not in state["people"]
    assert [kind for kind, *_ in state["asked"]].count("forgotten") == 1
    names = [name for part in parts for name in part.names]
    assert {"commit _forget 1", "_forget committed 1", "commit _clean_up 1"} <= {*names}


@pytest.mark.parametrize("title", [step.title for step in STEPS])
def test_a_death_at_any_boundary_changes_nothing(farewell: tuple[Any, list[Any]], title: str) -> None:
    """The next process ends where an undisturbed one does; at most the letter in flight goes out twice."""
    story, parts = farewell
    mine = [part for part in parts if part.step.title == title]
    assert any(part.names for part in mine)
    for part in mine:
        for name in part.names:
            story.die_at(part, name)
            found = story.recover(part)
            wrong = {key: (said, part.state[key]) for key, said in found.items() if said != part.state[key]}
            assert not wrong, f"died at {name}: {wrong}"
            assert not part.lacks(story.outbox.letters), f"died at {name}: a letter is missing"
            assert part.exceeds(story.outbox.letters).total() <= ("accepted" in name), f"died at {name}"


@pytest.mark.sqlite  # it searches the file
def test_no_byte_is_left_after_a_death_between(farewell: tuple[Any, list[Any]]) -> None:
    """Who dies between the removal and the cleaning of the file leaves the cleaning to the next process."""
    story, parts = farewell
    part, name = next((part, name) for part in parts for name in part.names if name.startswith("_forget committed"))
    story.die_at(part, name)
    with story.app.database.read() as session:
        asked = session.exec(select(Question).where(Question.kind == "forget")).all()
        assert [one.answer for one in asked] == ["erased"]
    story.recover(part)
    folder = story.config.parent
    content = b"".join(path.read_bytes() for path in folder.glob("gm.db*"))
    assert address_of(ANNA).encode() not in content
