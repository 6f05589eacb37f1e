"""`gm status --json` for monitoring, `gm show` with many games, and a database that is missing."""

import json
import re
import sqlite3
import subprocess
from contextlib import closing
from datetime import timedelta

import databases
import pytest
from processes import command
from waiting import TIMEOUT

from gm.runtime.clock import utcnow
from gm.store.queries import game_queries
from gm.store.schema import HEAD
from gm.store.tables import Game


def keys_in(found):
    """All keys of an answer, also those deeper in it."""
    if isinstance(found, dict):
        return [*found, *(key for value in found.values() for key in keys_in(value))]
    return [key for value in found for key in keys_in(value)] if isinstance(found, list) else []


def test_health_of_a_running_zine(running):
    """A monitor gets flat fields under names that stay, and one word on the whole with its reasons."""
    found = json.loads(running("status", "--json").out)
    assert found.keys() >= {
        "ok", "reasons", "fetched_seconds_ago", "to_handle", "to_handle_oldest_seconds", "to_send",
        "to_send_oldest_seconds", "untried_oldest_seconds", "quarantined", "overdue", "troubles", "version", "database",
        "schema", "last_fetch", "last_delivery", "mailbox_trouble", "waiting_for_gm", "waiting_for_gm_oldest_seconds",
        "held_too_long", "mails", "unreachable", "forged_senders", "games", "games_left_out",
    }  # fmt: skip
    assert [key for key in keys_in(found) if not re.fullmatch("[a-z][a-z_]*", key)] == []
    assert (found["ok"], found["reasons"]) == (False, ["mails were never fetched; does `gm serve` run?"])
    assert (found["to_send"], found["to_handle"], found["to_handle_oldest_seconds"]) == (6, 0, None)
    kind = "postgresql" if databases.CHOSEN.is_shared else "sqlite"
    assert (found["database"], found["schema"], found["troubles"]) == (kind, HEAD, [])


def test_gm_has_the_time_of_the_test(running, gm_clock):
    """`gm`, called here or as a program of its own, goes by the time that a test sets, and so does the test."""
    words = ("zat", "Eriwan", "9999-12-31 20:00")
    for day, last in (("2027-03-28", "2127-03-04"), ("2028-02-29", "2128-02-05")):
        gm_clock(f"{day} 12:00")
        ran = subprocess.run(command(running.config, *words), stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
        for said in (running.refused(*words), ran.stderr):
            assert f"a hundred years ahead at most, not after {last}." in said
        assert f"{utcnow():%F}" == day


def test_many_games(running):
    """Without a name `gm show` lists games that need the GM and the next ZATs, and says how many more there are."""
    with running.app() as app, app.database.write() as session:
        eriwan = game_queries.named(session, "Eriwan")
        for number in range(40):
            zat = eriwan.zat + timedelta(minutes=number + 1)
            copied = {"id": None, "name": f"Jalta-{number}", "name_key": f"jalta-{number}", "zat": zat}
            session.add(Game(**{**eriwan.model_dump(), **copied, "status": "open" if number > 20 else "finished"}))
        game_queries.named(session, "Eriwan").held = "somebody has to look"
    rows = running("show").out.splitlines()
    assert rows[0].startswith("Eriwan\t")
    assert rows[-1] == "... and 11 more: gm list"
    assert len(rows) == 31
    found = json.loads(running("show", "--json").out)
    assert (len(found["games"]), found["games_left_out"]) == (30, 11)
    assert found["games"][0]["held"] == "somebody has to look"
    assert "gm show NAME" in running.refused("show", "--seat", "Anna Berg")


COMMANDS = (
    "serve --once", "status", "todo", "list", "show Eriwan", "players", "player show Anna", "mail list", "verify",
    "archive DIR", "close Eriwan", "digest", "join Eriwan Anna a@b.example", "start Eriwan", "backup DIR/copy",
    "migrate sqlite:///other.db", "rulings", "standbys list", "mail retry 1", "player forget Anna",
)  # fmt: skip


@pytest.mark.trust
@pytest.mark.parametrize("how", ["gone", "empty", "no folder", "without tables"])
def test_a_database_that_is_missing_is_not_made(running, how, tmp_path):
    """Every command but `init` and `new` says that there is none, where and what to do, and changes nothing."""
    config, site = running.config, running.config.parent / "archive"
    running("archive", str(site))
    pages = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    url, there = _without_a_zine(running, how)
    for line in COMMANDS:
        said = running.refused(*line.replace("DIR", str(tmp_path)).split())
        assert ("database" in said, "\n" in said) == (True, False), said
    doctor = running.run("doctor", "--config", str(config))
    assert (doctor.code, "fail  database: " in doctor.out, "[database] url" in doctor.out) == (1, True, True)
    assert there is None or (there.read_bytes() if there.exists() else b"") == b""
    assert not (tmp_path / "other.db").exists()
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == pages
    if how == "no folder":
        running.refused("new", "crossword", "Fiume")
    else:
        running("new", "crossword", "Fiume")
        assert running("list").rows[0][0] == "Fiume", url


def _without_a_zine(running, how):
    """Let the config name a database that isn't there; returns its file, where there is to be none."""
    if databases.CHOSEN.is_shared:
        url, file = databases.CHOSEN.empty(running.config.parent), None
    else:
        file = running.config.parent / ("gone/gm.db" if how == "no folder" else "gm.db")
        running.config.with_name("gm.db").unlink()
        if how == "empty":
            file.touch()
        if how == "without tables":
            with closing(sqlite3.connect(file)) as made:
                made.execute("PRAGMA journal_mode=WAL")
        url = f"sqlite:///{file.relative_to(running.config.parent)}"
        file = None if how == "without tables" else file
    text = running.config.read_text()
    running.config.write_text(re.sub(r"(?m)^url = .*$", f'url = "{url}"', text, count=1))
    return url, file


def test_a_new_zine_begins_where_there_was_none(make_shell):
    """`gm new` makes the database that isn't there yet, for nobody else to read."""
    gm = make_shell()
    if not databases.CHOSEN.is_shared:
        gm.config.with_name("gm.db").unlink()
        gm("new", "crossword", "Eriwan")
        assert gm.config.with_name("gm.db").stat().st_mode & 0o777 == 0o600
