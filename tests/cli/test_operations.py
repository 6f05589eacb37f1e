"""What an operator asks: health for a monitor, and the first games of many."""

import json
from datetime import timedelta

import databases

from gm.play import desk
from gm.store.database import HEAD
from gm.store.tables import Game


def test_health_of_a_running_zine(running):
    """A monitor gets flat fields under names that stay, and one word on the whole with its reasons."""
    found = json.loads(running("status", "--json").out)
    assert found.keys() >= {
        "ok", "reasons", "fetched_seconds_ago", "to_handle", "to_handle_oldest_seconds", "to_send",
        "to_send_oldest_seconds", "untried_oldest_seconds", "quarantined", "overdue", "troubles", "version", "database",
        "schema", "last fetch", "last delivery", "mailbox trouble", "waiting for the GM", "mails", "mails come back",
        "games", "games_left_out",
    }  # fmt: skip
    assert (found["ok"], found["reasons"]) == (False, ["mails were never fetched; does `gm serve` run?"])
    assert (found["to_send"], found["to_handle"], found["to_handle_oldest_seconds"]) == (6, 0, None)
    kind = "postgresql" if databases.CHOSEN.is_shared else "sqlite"
    assert (found["database"], found["schema"], found["troubles"]) == (kind, HEAD, [])


def test_many_games(running):
    """Without a name `gm show` lists those that need the GM and the next ZATs, and says how many more there are."""
    with running.app() as app, app.database.write() as session:
        eriwan = desk.named(session, "Eriwan")
        for number in range(40):
            zat = eriwan.zat + timedelta(minutes=number + 1)
            copied = {"id": None, "name": f"Jalta-{number}", "name_key": f"jalta-{number}", "zat": zat}
            session.add(Game(**{**eriwan.model_dump(), **copied, "status": "open" if number > 20 else "finished"}))
        desk.named(session, "Eriwan").held = "somebody has to look"
    rows = running("show").out.splitlines()
    assert rows[0].startswith("Eriwan\t")
    assert rows[-1] == "... and 11 more: gm list"
    assert len(rows) == 31
    found = json.loads(running("show", "--json").out)
    assert (len(found["games"]), found["games_left_out"]) == (30, 11)
    assert found["games"][0]["held"] == "somebody has to look"
    assert "gm show NAME" in running.refused("show", "--seat", "Anna Berg")
