"""`gm issue calendar` and `gm issue move` at the command line, and where else the calendar of the issues shows."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, address_of

ANNA, BERND = PLAYERS[:2]


def wednesday(weeks: int) -> str:
    """Name the Wednesday of a week to come; the commands have no other clock than the machine's."""
    today = datetime.now(UTC).date()
    return f"{today + timedelta(days=(2 - today.weekday()) % 7 + 7 * weeks)}"


@pytest.fixture
def gm(make_shell):
    """Genua ends its round with issue 102, which appears in twelve weeks."""
    shell = make_shell(zine={"first": 102, "date": wednesday(12), "weekday": "wednesday"})
    shell("new", "combinato", "Genua", "--zat", "issue 10d")
    with shell.app() as app:
        for player in (ANNA, BERND):
            actions.join(app, "Genua", player, address_of(player), None)
    return shell


def test_a_game_for_the_issues(gm):
    """`gm new --zat issue` says what that means; `start` and `zat` name the issue."""
    assert (
        "Each round ends with an issue, 14d after its beginning at the earliest: gm issue calendar\n"
        in gm("new", "combinato", "Lima", "--zat", "issue").out
    )
    assert " (issue 102). The bulletins are queued" in gm("start", "Genua").out
    assert gm("zat", "Genua").out.endswith("20:00 (issue 102)\n")
    gm("zat", "Genua", "+3d")
    assert "issue" not in gm("zat", "Genua").out
    assert gm("zat", "Genua", "issue").out.startswith("New ZAT of Genua: ")
    assert gm("zat", "Genua").out.endswith("20:00 (issue 102)\n")


def test_calendar(gm, tmp_path):
    """A table of the year with the games, its clashes below, the file where it is named or beside the config; JSON."""
    gm("start", "Genua")
    ran = gm("issue", "calendar")
    rows = [row for row in ran.rows if len(row) == 5]
    assert [row[0] for row in rows] == [str(number) for number in range(102, 102 + len(rows))]
    assert len(rows) in (8, 9)  # the issues of twelve weeks to a year ahead
    assert (rows[0][3], rows[0][4], rows[1][4]) == (f"Wed {wednesday(12)}", "Genua", "")
    assert all(row[1].startswith("Fri ") and row[1].endswith(" 20:00") and row[2].startswith("Sat ") for row in rows)
    beside = gm.config.parent / "issues" / "calendar.ics"
    assert ran.out.endswith(f"For calendars: {beside}\n")
    assert beside.read_bytes().count(b"BEGIN:VEVENT") == 3 * len(rows)
    gm("issue", "calendar", "--ics", str(tmp_path / "own.ics"))
    assert (tmp_path / "own.ics").exists()
    assert "can't be written" in gm.refused("issue", "calendar", "--ics", str(tmp_path / "no" / "own.ics"))
    shown = json.loads(gm("issue", "calendar", "--json").out)
    assert (shown[0]["number"], shown[0]["date"], shown[0]["games"]) == (102, wednesday(12), ["Genua"])
    assert [row["clashes"] for row in shown if row["clashes"]] == [
        [line.partition(": ")[2] for line in ran.out.splitlines() if line.startswith(f"Issue {row['number']}: ")]
        for row in shown if row["clashes"]
    ]  # fmt: skip


def test_move(gm):
    """It says what moves, and what clashes then; the same day again changes nothing; refusals are one sentence."""
    gm("start", "Genua")
    said = gm("issue", "move", "102", "+7d", "--why", "Drucker").out
    assert said.startswith(f"Issue 102 appears on Wed {wednesday(13)}, no longer on {wednesday(12)}. ZAT: Fri ")
    assert "\n  Genua: ZAT " in said
    assert "The players' mails are queued; `gm serve` delivers.\n" in said
    assert f"Wed {wednesday(13)} (not {wednesday(12)})" in gm("issue", "calendar").out
    assert gm("issue", "move", "102", wednesday(13)).out.startswith(
        f"Issue 102 appears on {wednesday(13)} already; nothing changes, and nobody is told.\n"
    )
    assert "No game's ZAT had to move.\n" in gm("issue", "move", "103", "+1d").out
    assert "There is no issue 7; the first one is 102" in gm.refused("issue", "move", "7", "+1d")
    assert gm.run("issue", "move", "Eriwan", "+1d").code == 2


def test_doctor_looks_at_the_calendar(make_shell):
    """A clash is a warning with the line that mends it; games without a calendar are one; else there is no line."""
    plain = make_shell()
    plain("list")
    assert "issues" not in plain.run("doctor", "--config", str(plain.config)).out
    year = datetime.now(UTC).year + 1
    clashing = make_shell(zine={"dates": [f"{year}-01-01"]})
    clashing("new", "combinato", "Genua", "--zat", "issue")
    said = clashing.run("doctor", "--config", str(clashing.config)).out
    new_year = f"{datetime(year, 1, 1, tzinfo=UTC):%a} {year}-01-01: New Year."
    assert f"warn  issues: Issue 1: It appears on {new_year} gm issue move 1 DAY moves it." in said
    clashing.config.write_text(clashing.config.read_text().partition("[zine]")[0])
    said = clashing.run("doctor", "--config", str(clashing.config)).out
    assert "warn  issues: Games take their ZATs from the issues, and config.toml has no calendar" in said


def test_without_a_calendar(make_shell):
    """Without [zine] the commands say what to write."""
    gm = make_shell()
    gm("list")
    for words in (
        ("issue", "calendar"),
        ("issue", "move", "1", "+7d"),
        ("new", "combinato", "Genua", "--zat", "issue"),
    ):
        assert "[zine]" in gm.refused(*words)
