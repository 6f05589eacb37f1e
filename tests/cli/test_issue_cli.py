"""Games that take their ZATs from the issues at the command line, and an issue that is moved."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.runtime.clock import utcnow
from gm.store.queries import game_queries
from gm.store.tables import Game, MailOut

ANNA, BERND = PLAYERS[:2]


def wednesday(weeks: int) -> str:
    """Name the Wednesday of a week to come."""
    today = utcnow().date()
    return f"{today + timedelta(days=(2 - today.weekday()) % 7 + 7 * weeks)}"


def opens(gm, name: str, zat: str) -> None:
    """Open a game of two players, who take their seats."""
    with gm.app() as app:
        actions.new_game(app, "combinato", name, zat=zat)
        for player in (ANNA, BERND):
            actions.join(app, name, player, address_of(player), None)


def edits(gm, *dates: str) -> None:
    """Edit `dates` in config.toml."""
    text = gm.config.read_text(encoding="utf-8")
    edited = re.sub(r"(?m)^dates = \[.*\]$", f"dates = {list(dates)}".replace("'", '"'), text)
    assert edited != text
    gm.config.write_text(edited, encoding="utf-8")


@pytest.fixture
def gm(make_shell):
    """Genua ends its round with issue 102, which appears in twelve weeks."""
    shell = make_shell(zine={"first": 102, "dates": [wednesday(12), wednesday(17)]})
    opens(shell, "Genua", "issue 10d")
    return shell


def test_a_game_for_the_issues(gm):
    """`gm new --zat issue` says what that means; `start` and `zat` name the issue."""
    said = gm("new", "combinato", "Lima", "--zat", "issue").out
    assert said.endswith("\nEach round ends with an issue, 14d after its beginning at the earliest.\n")
    assert " (issue 102). The bulletins are queued" in gm("start", "Genua").out
    assert gm("zat", "Genua").out.endswith("20:00 (issue 102)\n")
    gm("zat", "Genua", "+3d")
    assert "issue" not in gm("zat", "Genua").out
    assert gm("zat", "Genua", "issue").out.startswith("New ZAT of Genua: ")
    assert gm("zat", "Genua").out.endswith("20:00 (issue 102)\n")


def test_twenty_games_move_to_another_day_by_one_line(gm):
    """The printer is on holiday: the GM edits one date, types one line, and every player hears once of each game.

    Typed again it does nothing, and a game with a span of its own never knows of it.
    """
    names = ["Genua", *(f"Lima-{number}" for number in range(19))]
    for name in names[1:]:
        opens(gm, name, "issue 10d")
    opens(gm, "Riga", "60d")
    with gm.app() as app:
        for name in (*names, "Riga"):
            actions.start(app, name)
        with app.database.read() as session:
            before = {game.name: game.zat for game in game_queries.games(session)}
    edits(gm, wednesday(13), wednesday(17))
    ran = gm("zat", "--all", "issue", "--why", "Die Druckerei hat Urlaub.")
    *moved, left, told = ran.out.splitlines()
    assert [line.split()[3].rstrip(":") for line in moved] == names
    assert all(line.endswith("20:00 (issue 102).") for line in moved)
    assert left == "Not opened for the issues, so left alone: Riga."
    assert told == "The players' mails are queued; `gm serve` delivers."
    with gm.app() as app, app.database.read() as session:
        after = {game.name: game.zat for game in game_queries.games(session)}
        rows = session.exec(select(MailOut).where(MailOut.kind == "zat")).all()
        reached = Counter((row.address, session.get_one(Game, row.game_id).name) for row in rows)
        zone = app.settings.service.timezone
    moved_by = {after[name].astimezone(zone).date() - before[name].astimezone(zone).date() for name in names}
    assert moved_by == {timedelta(days=7)}
    assert after["Riga"] == before["Riga"]
    assert reached == Counter((address_of(who), name) for name in names for who in (ANNA, BERND))
    again = gm("zat", "--all", "issue").out.splitlines()
    assert again[:-2] == [f"{name} has this ZAT already." for name in names]
    assert again[-1] == "Nothing changes, and nobody is told."
    with gm.app() as app, app.database.read() as session:
        assert len(session.exec(select(MailOut).where(MailOut.kind == "zat")).all()) == len(rows)


def test_all_zats_are_shown(gm):
    """`gm zat --all` alone lists the running games with their ZATs."""
    assert gm("zat", "--all").out == "No game is running.\n"
    gm("start", "Genua")
    (row,) = [row for row in gm("zat", "--all").rows if row[0] == "Genua"]
    assert row[1].endswith("20:00 (issue 102)")


def test_doctor_says_when_the_dates_are_over(gm):
    """A warning while games take their ZATs from the issues; without such games, or with a date to come, no line."""

    def warnings(shell) -> list[str]:
        said = shell.run("doctor", "--config", str(shell.config)).out
        return [line for line in said.splitlines() if " issues: " in line]

    assert warnings(gm) == []
    edits(gm, wednesday(-9), wednesday(-4))
    (warning,) = warnings(gm)
    assert warning.startswith("warn  issues: No ZAT of an issue is to come by [zine] in config.toml")
    assert "\nNo ZAT of an issue is to come" in gm("new", "combinato", "Lima", "--zat", "issue").out
    for name in ("Genua", "Lima"):
        gm("abort", name, "--why", "Too few.", "--yes")
    assert warnings(gm) == []


def test_without_dates(make_shell):
    """Without [zine] the commands say what to write, or that no game asks for it."""
    gm = make_shell()
    gm("list")
    assert "[zine] dates" in gm.refused("new", "combinato", "Genua", "--zat", "issue")
    assert "was opened for the issues" in gm.refused("zat", "--all", "issue")
