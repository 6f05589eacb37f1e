"""`gm upgrade`: the line that lets games go on by new rules."""

from typing import Any

import pytest
from sqlalchemy import update

from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.tables import Turn

pytestmark = pytest.mark.tampers


@pytest.mark.parametrize("which", ["Eriwan", "--all"])
def test_it_lets_a_game_go_on(running: Any, which: str) -> None:
    """A game of older rules waits, by name or with --all it goes on, and a second time there is nothing to do."""
    with running.app() as app:
        actions.close(app, "Eriwan", app.now())
        with app.database.write() as session:
            session.execute(update(Turn).values(rules_version=0))
        with pytest.raises(Refused, match="gm upgrade Eriwan"):
            actions.close(app, "Eriwan", app.now())
    agreed = running.run("upgrade", which, "--config", str(running.config))
    assert (agreed.code, agreed.err) == (0, "")
    assert "Eriwan goes on. What is recorded stands" in agreed.out
    with running.app() as app:
        actions.close(app, "Eriwan", app.now())
    again = running.run("upgrade", which, "--config", str(running.config))
    assert (again.code, "No game waits" in again.out) == ((0, True) if which == "--all" else (1, False))


@pytest.mark.parametrize("words", [(), ("Eriwan", "--all")])
def test_what_it_needs(running: Any, words: tuple[str, ...]) -> None:
    """It wants either a game or --all."""
    ran = running.run("upgrade", *words, "--config", str(running.config))
    assert ran.code == 2
    assert "--all" in ran.err
