"""`gm upgrade`: the rehearsal as text and as JSON, its exit code, and the line that lets a game go on."""

import json
from typing import Any

import pytest
from sqlalchemy import update

from gm.commands.gm_commands import actions
from gm.runtime.errors import Refused
from gm.store.tables import Turn

pytestmark = pytest.mark.tampers


@pytest.fixture
def older(running: Any) -> Any:
    """A zine whose game, two rounds old, was made by other code."""
    with running.app() as app:
        for _ in range(2):
            actions.close(app, "Eriwan", app.now())
        with app.database.write() as session:
            session.execute(update(Turn).values(made_by="postal-gm 0.9 000000000000"))
    return running


def test_nothing_changes(older: Any) -> None:
    """One plain sentence and exit code 0 where all comes out as it was (issue 31)."""
    ran = older.run("upgrade", "--rehearse", "--config", str(older.config))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == ("Nothing would change. Games replayed: 1; made by the very rules and words that are here: 0.\n")
    found = json.loads(older.run("upgrade", "--rehearse", "--json", "--config", str(older.config)).out)
    assert found == {"replayed": 1, "same": 0, "games": [], "unreadable": []}


def test_something_changes(older: Any, monkeypatch: Any) -> None:
    """Game, first round and exit code 1; `gm upgrade Eriwan` lets it go on, and says what it was about (issue 31)."""
    monkeypatch.setattr("games.crossword.rules.ROUNDS", 2)
    ran = older.run("upgrade", "--rehearse", "--config", str(older.config))
    assert ran.code == 1
    first = ran.out.splitlines()[0]
    assert first.startswith("Eriwan (crossword, running): from round 2 on another result")
    assert first.endswith("It would wait for you: gm upgrade Eriwan")
    ran = older.run("upgrade", "--rehearse", "Eriwan", "--json", "--config", str(older.config))
    (game,) = json.loads(ran.out)["games"]
    assert (game["game"], game["counted"], game["first"], game["waits"], game["result"]) == (
        "Eriwan", "round", 2, True, True,
    )  # fmt: skip
    with older.app() as app, pytest.raises(Refused, match="gm upgrade Eriwan"):
        actions.close(app, "Eriwan", app.now())
    agreed = older.run("upgrade", "Eriwan", "--config", str(older.config))
    assert agreed.code == 0
    assert "Eriwan goes on. What is recorded stands" in agreed.out
    with older.app() as app:
        actions.close(app, "Eriwan", app.now())


def test_what_it_needs(older: Any) -> None:
    """Without a game and without --rehearse it says what to name."""
    ran = older.run("upgrade", "--config", str(older.config))
    assert ran.code == 2
    assert "--rehearse" in ran.err
