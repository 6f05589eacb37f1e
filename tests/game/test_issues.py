"""The calendar of the issues, and games opened with `--zat issue`, which end their rounds with them (issue 30)."""

import datetime as dt
import itertools
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar as CalendarFile

from gm.app import issues
from gm.app.context import App
from gm.app.issues import BEGINNING, Calendar, Issue, Kept, Move
from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.schedule import clashes, issue_calendar, moved_issues, resting
from gm.runtime.config.settings import Span, load
from gm.runtime.config.zine import Days, Zine
from gm.runtime.errors import Refused
from gm.runtime.stop_signal import Stopped, StopSignal
from gm.store.queries import game_queries, turn_queries

ANNA, BERND = PLAYERS[:2]
BERLIN = ZoneInfo("Europe/Berlin")
PLAN = {"first": 102, "date": "2026-11-25", "rhythm": "5w", "weekday": "wednesday", "zat": "-12d", "copy": "+8d"}
"""ZATs on Fridays at 20:00: 13 November (102), 18 December (103), 22 January (104), 26 February (105)."""
ZAT = {102: "2026-11-13T20:00", 103: "2026-12-18T20:00", 104: "2027-01-22T20:00", 105: "2027-02-26T20:00"}
NOW = "2026-11-02T12:00:00+01:00"


def at(text: str) -> dt.datetime:
    """Read a local instant."""
    return dt.datetime.fromisoformat(text).replace(tzinfo=BERLIN)


def day(text: str) -> dt.date:
    """Read a day."""
    return dt.date.fromisoformat(text)


# -- the calendar ------------------------------------------------------------------------------------------------------


@st.composite
def calendars(draw: Any) -> Calendar:
    """A calendar by a rhythm, or by listed dates; two issues were moved a little."""
    zat = draw(st.integers(2, 40))
    copy = draw(st.integers(1, zat))
    first, start = draw(st.integers(1, 300)), draw(st.dates(dt.date(2020, 1, 1), dt.date(2040, 1, 1)))
    rhythm = draw(st.integers(7, 70))
    plan = {
        "first": first,
        "zat": f"-{zat}d",
        "copy": f"+{copy}d",
        "zat_time": draw(st.sampled_from(["02:30", "20:00"])),
    }
    dates = [start + dt.timedelta(days=rhythm * n) for n in range(8)]
    plan |= draw(st.sampled_from([{"date": start, "rhythm": f"{rhythm}d"}, {"dates": dates}]))
    found = Calendar(plan=Zine.model_validate(plan), zone=BERLIN)
    numbers = draw(st.sets(st.integers(first, first + 6), max_size=2))
    days = {number: found.planned(number) for number in numbers}
    moved = {
        number: Move(was=was, to=was + dt.timedelta(days=draw(st.integers(-3, 3))))
        for number, was in days.items()
        if was
    }
    return replace(found, moved=moved)


@given(calendars())
def test_windows_follow_one_another(found: Calendar) -> None:
    """An evaluation is printed in one issue: each window begins where the one before ends, the first with all."""
    listed = list(itertools.islice(found.from_number(0), 7))
    assert listed[0].since == BEGINNING
    for issue, following in itertools.pairwise(listed):
        assert (following.number, following.since) == (issue.number + 1, issue.until)
        assert issue.since < issue.until == issue.copy_until < following.until
    for issue in listed:
        zat, copy = (instant.astimezone(BERLIN).date() for instant in (issue.zat, issue.copy_until))
        assert zat == issue.date + dt.timedelta(days=found.plan.zat.number)
        assert copy == zat + dt.timedelta(days=found.plan.copy.number) <= issue.date
        assert issue == found.numbered(issue.number)


@given(calendars(), st.integers(-40, 400))
def test_issues_from_a_day_on(found: Calendar, days: int) -> None:
    """From any day on, none that appears then or later is missing, and none before it comes."""
    listed = list(itertools.islice(found.from_number(0), 7))
    since = listed[0].date + dt.timedelta(days=days)
    expected = [issue for issue in listed if issue.date >= since]
    assert list(itertools.islice(found.from_day(since), len(expected))) == expected


def test_a_calendar_ends_with_the_dates_or_the_years() -> None:
    """Behind listed dates, and behind the year 9999, there is no issue; nothing is raised."""
    listed = Calendar(plan=Zine.model_validate({"first": 5, "dates": ["2026-11-25", "2026-12-30"]}), zone=BERLIN)
    assert [issue.number for issue in listed.from_number(1)] == [5, 6]
    assert (listed.numbered(4), listed.numbered(7)) == (None, None)
    endless = Calendar(plan=Zine.model_validate({"date": "9999-11-25", "rhythm": "1w"}), zone=BERLIN)
    assert [issue.number for issue in endless.from_day(day("9999-12-01"))] == [2, 3, 4, 5, 6]
    assert endless.numbered(10**9) is None


def test_config_wins_over_an_older_move() -> None:
    """A move counts while config.toml has the day that it was moved from: editing by hand works as well."""
    move = {103: Move(was=day("2026-12-30"), to=day("2027-01-06"))}
    found = Calendar(plan=Zine.model_validate(PLAN), zone=BERLIN, moved=move)
    dates = ["2026-11-25", "2027-01-13"]
    edited = Calendar(plan=Zine.model_validate({"first": 102, "dates": dates}), zone=BERLIN, moved=move)
    shown = [one.numbered(103) for one in (found, edited)]
    assert [one and one.date.isoformat() for one in shown] == ["2027-01-06", "2027-01-13"]


@pytest.mark.parametrize(
    ("text", "days"), [("-12d", -12), ("+8d", 8), ("8d", 8), ("-2w", -14), ("− 12 Tage", -12), ("+ 1 Woche", 7)]
)
def test_days_before_and_after(text: str, days: int) -> None:
    """Days are written with their sign, also as people write them."""
    assert Days.parse(text).number == days


# -- which issue a round ends with -------------------------------------------------------------------------------------


@pytest.fixture
def begin_zine(begin: Callable[..., Any]) -> Callable[..., Any]:
    """Begin a zine with a calendar; `zine` are its keys, the others settings by section."""

    def make(now: str = NOW, zine: Any = PLAN, **more: Any) -> Any:
        return begin("empty", now=now, zine=zine, **more)

    return make


def play(zine: Any, name: str = "Genua", zat: str = "issue", kind: str = "combinato") -> None:
    """Open a game and start it."""
    actions.new_game(zine.app, kind, name, zat=zat)
    for player in (ANNA, BERND):
        actions.join(zine.app, name, player, address_of(player), None)
    actions.start(zine.app, name)
    zine.tick()
    zine.mails()


def stands(zine: Any, name: str = "Genua") -> tuple[int, str]:
    """Return the issue of a game's round, and its ZAT in local time."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        kept = issues.kept(session, game.id)
        assert kept is not None
        return kept.number, f"{game.zat.astimezone(BERLIN):%Y-%m-%dT%H:%M}" if game.zat else ""


def with_issue(number: int) -> tuple[int, str]:
    """Return what `stands` says of a game that ends with an issue."""
    return number, ZAT[number]


@pytest.mark.parametrize(
    ("now", "zat", "issue"),
    [
        ("2026-10-20T12:00:00+02:00", "issue", 102),
        ("2026-10-30T19:59:00+01:00", "issue", 102),
        ("2026-10-30T23:59:00+01:00", "issue", 102),
        ("2026-10-31T00:01:00+01:00", "issue", 103),
        ("2026-11-02T12:00:00+01:00", "issue 11d", 102),
        ("2026-11-02T12:00:00+01:00", "Heft 12 Tage", 103),
        ("2026-11-10T12:00:00+01:00", "issue 12h", 102),
        ("2026-11-13T07:59:00+01:00", "issue 12h", 102),
        ("2026-11-13T08:00:00+01:00", "issue 12h", 102),
        ("2026-11-13T08:01:00+01:00", "issue 12h", 103),
        ("2026-11-13T20:00:01+01:00", "issue", 103),
    ],
)
def test_the_first_issue_that_leaves_the_least_time(begin_zine: Any, now: str, zat: str, issue: int) -> None:
    """A round takes the next issue whose ZAT leaves the game's usual span (14d), or the one that is named."""
    zine = begin_zine(now, deadlines={"zat": "14d"})
    play(zine, zat=zat, kind="combinato")
    assert stands(zine) == with_issue(issue)


@pytest.mark.parametrize(
    ("evaluated", "issue", "too_soon"),
    [
        ("2026-11-13T20:00:02+01:00", 103, ""),
        ("2026-12-04T23:00:00+01:00", 103, ""),
        ("2026-12-05T09:00:00+01:00", 104, "103"),
        ("2026-12-18T20:00:01+01:00", 104, ""),
    ],
)
def test_after_a_late_evaluation(begin_zine: Any, evaluated: str, issue: int, too_soon: str) -> None:
    """A round never gets less than its least time: else the next issue is taken, and the bulletin says so."""
    zine = begin_zine(now="2026-10-20T12:00:00+02:00")
    play(zine)
    assert stands(zine) == with_issue(102)
    zine.at(evaluated)
    zine.tick()
    assert stands(zine) == with_issue(issue)
    said = zine.said(zine.gets(ANNA))
    assert f"Runde 1 endet mit Heft {issue}" in said
    assert (f"Heft {too_soon} hätte dafür zu wenig Zeit gelassen." in said) == bool(too_soon)
    assert ("zu wenig Zeit" in said) == bool(too_soon)
    with zine.app.database.read() as session:
        rows = {row.issue.number: row for row in issue_calendar.year(zine.app, session)}
    soon = [number for number, row in rows.items() if any("too soon for Genua" in one for one in row.clashes)]
    assert soon == ([int(too_soon)] if too_soon and int(too_soon) in rows else [])
    assert [number for number, row in rows.items() if row.games] == [issue]


def test_the_start_mail_plans_by_the_calendar(begin_zine: Any) -> None:
    """The ZATs that the start mail lists are those of the issues."""
    zine = begin_zine(now="2026-10-20T12:00:00+02:00")
    actions.new_game(zine.app, "crossword", "Jalta", zat="issue")
    for player, letter in zip(PLAYERS[:6], "DNTIRO", strict=True):
        actions.join(zine.app, "Jalta", player, address_of(player), letter)
    actions.start(zine.app, "Jalta")
    zine.tick()
    said = zine.said(zine.gets(ANNA))
    for number, instant in ZAT.items():
        assert f"Runde {number - 101}: Fr, {at(instant):%d.%m.%Y}, 20:00 Uhr" in said


def test_where_the_dates_end(begin_zine: Any) -> None:
    """After the last listed date a game goes on with its own span, and the GM is told that the dates end."""
    zine = begin_zine(zine={"first": 7, "dates": ["2026-11-30"], "zat": "-12d"})
    play(zine)
    assert stands(zine) == (7, "2026-11-18T20:00")
    zine.at("2026-11-18T20:00:02+01:00")
    zine.tick()
    assert stands(zine) == (0, "2026-12-02T20:00")
    with zine.app.database.read() as session:
        assert issue_calendar.end(zine.app, session).startswith("After issue 7 there are no more dates")
    zine.at("2026-12-01T12:00:00+01:00")
    with zine.app.database.read() as session:
        checked = clashes.check(zine.app.settings, session, zine.now)
    assert checked == (False, "All issues have appeared; write more dates into config.toml: [zine] dates.")


def test_the_clock_begins_with_the_release(begin_zine: Any) -> None:
    """With `release = "gm"` the issue is chosen when the bulletin goes out, so that players have their time."""
    zine = begin_zine(now="2026-10-20T12:00:00+02:00", deadlines={"release": "gm"})
    play(zine)
    zine.at("2026-11-13T20:00:02+01:00")
    zine.tick()
    assert stands(zine)[1] == ""
    zine.at("2026-12-06T12:00:00+01:00")
    actions.release(zine.app, "Genua", "")
    assert stands(zine) == with_issue(104)


def test_a_holiday_of_the_config_moves_one_games_zat(begin_zine: Any) -> None:
    """No ZAT falls on `deadlines.holidays`, and the game still belongs to the issue and follows it."""
    zine = begin_zine(deadlines={"holidays": ["2026-12-18", "2026-12-19"]})
    play(zine)
    assert stands(zine) == (103, "2026-12-20T20:00")
    moved_issues.move(zine.app, 103, "2027-01-06")
    assert stands(zine) == (103, "2026-12-25T20:00")


def test_without_a_calendar(zine: Any) -> None:
    """Without [zine] no game can be opened for the issues, and the calendar says what to write."""
    with pytest.raises(Refused, match=r"\[zine\]"):
        actions.new_game(zine.app, "combinato", "Genua", zat="issue")
    with zine.app.database.read() as session, pytest.raises(Refused, match=r"\[zine\]"):
        issue_calendar.year(zine.app, session)
    with pytest.raises(Refused, match=r"\[zine\]"):
        moved_issues.move(zine.app, 1, "+7d")
    with zine.app.database.read() as session:
        assert clashes.check(zine.app.settings, session, zine.now) is None


# -- an issue moves ----------------------------------------------------------------------------------------------------


@pytest.fixture
def running(begin_zine: Callable[..., Any]) -> Any:
    """Genua and Lima end their rounds with issue 103, Riga doesn't care."""
    zine = begin_zine()
    for name in ("Genua", "Lima"):
        play(zine, name)
    play(zine, "Riga", zat="60d")
    return zine


def told(zine: Any) -> list[tuple[str, str]]:
    """Do a pass and return who was told of which game."""
    zine.tick()
    return sorted((to.split("@")[0], mail.subject.split("]")[0][1:]) for to, mail in zine.mails())


ALL = [("anna", "Genua"), ("anna", "Lima"), ("bernd", "Genua"), ("bernd", "Lima")]


def zats(zine: Any) -> list[tuple[int, str]]:
    """Return how Genua and Lima stand."""
    return [stands(zine, name) for name in ("Genua", "Lima")]


def test_an_issue_moves_all_its_games_once(running: Any) -> None:
    """One mail a player and game, with the reason; done again, nothing happens; other games stay."""
    moved = moved_issues.move(running.app, 103, "6.1.", " Weih-\n nachten ")
    assert [game.name for game in moved.games] == ["Genua", "Lima"]
    assert zats(running) == [(103, "2026-12-25T20:00")] * 2
    running.tick()
    mails = running.mails()
    assert sorted((to.split("@")[0], mail.subject.split("]")[0][1:]) for to, mail in mails) == ALL
    for _, mail in mails:
        said = running.said(mail)
        assert "Heft 103 erscheint am 06.01.2027. Der ZAT für Runde 0" in said
        assert "Grund: Weih- nachten" in said
    assert moved_issues.move(running.app, 103, "2027-01-06").games == []
    assert told(running) == []
    back = moved_issues.move(running.app, 103, "30.12.")
    assert back.after.date == day("2026-12-30")
    assert (zats(running), told(running)) == ([with_issue(103)] * 2, ALL)


def test_a_move_that_was_interrupted_is_finished_once(running: Any) -> None:
    """Stopped before any game has followed, or after the first: the next pass does the rest, and nothing twice."""
    stopping = replace(running.app, stop_signal=StopSignal())
    stopping.stop_signal.set()
    with pytest.raises(Stopped):
        moved_issues.move(stopping, 103, "6.1.", "Weihnachten")
    assert zats(running) == [with_issue(103)] * 2
    with running.app.database.write() as session:
        moved_issues._follow_one(running.app, session, game_queries.named(session, "Genua"))
    assert (stands(running, "Genua"), stands(running, "Lima")) == ((103, "2026-12-25T20:00"), with_issue(103))
    assert told(running) == ALL
    assert zats(running) == [(103, "2026-12-25T20:00")] * 2
    assert told(running) == []


def edit(zine: Any, **changes: Any) -> App:
    """Edit [zine] by hand and start another process, as if `gm serve` was started anew."""
    text = zine.config.read_text()
    for key, value in changes.items():
        before = next(
            line for line in text.splitlines() if line.startswith(f"{key} = ") and line in text.split("[zine]")[1]
        )
        text = text.replace(f"\n{before}\n", f'\n{key} = "{value}"\n')
    zine.config.write_text(text)
    app: App = zine.open(load(zine.config))
    return app


def test_editing_the_config_by_hand_moves_them_as_well(running: Any) -> None:
    """After a restart all games follow, once; a process with the old config doesn't move them back."""
    assert told(running) == []
    old, running.app = running.app, edit(running, date="2026-12-02")
    assert told(running) == ALL
    assert zats(running) == [(103, "2026-12-25T20:00")] * 2
    assert told(running) == []
    running.app = old
    assert (told(running), zats(running)) == ([], [(103, "2026-12-25T20:00")] * 2)
    moved_issues.move(running.app, 104, "+1d")  # by the old calendar; no game ends with this issue
    assert (told(running), zats(running)) == ([], [(103, "2026-12-25T20:00")] * 2)


def test_a_shift_by_a_whole_rhythm_is_made_once(running: Any) -> None:
    """Issue 103 comes where 104 was: a game that has followed isn't taken for one of 104."""
    running.app = edit(running, date="2026-12-30")
    with running.app.database.write() as session:
        moved_issues._follow_one(running.app, session, game_queries.named(session, "Genua"))
    assert told(running) == ALL
    assert zats(running) == [(103, ZAT[104])] * 2


def test_an_issue_that_comes_too_soon_is_left_out(running: Any) -> None:
    """Brought forward so far that a round would lack time, its games end with the next issue, and are told."""
    moved = moved_issues.move(running.app, 103, "2026-11-26")
    assert [game.name for game in moved.games] == ["Genua", "Lima"]
    assert zats(running) == [with_issue(104)] * 2
    running.tick()
    said = running.said(next(mail for to, mail in running.mails() if to == address_of(ANNA)))
    assert "Heft 103 käme für diesen ZAT zu früh. Heft 104 erscheint am 03.02.2027." in said


@pytest.mark.parametrize(("when", "zat"), [("+3d", "2026-12-21T20:00"), ("2026-12-16 20:00", "2026-12-16T20:00")])
def test_a_zat_set_by_hand_is_not_brought_forward(running: Any, when: str, zat: str) -> None:
    """It stays when the issue comes earlier, goes along when it comes later, and `gm zat NAME issue` brings it back."""
    actions.move_zat(running.app, "Genua", when)
    moved_issues.move(running.app, 103, "2026-12-27")
    assert zats(running) == [(103, zat if zat > "2026-12-16" else "2026-12-16T20:00"), (103, "2026-12-15T20:00")]
    moved_issues.move(running.app, 103, "2027-01-06")
    assert zats(running) == [(103, "2026-12-25T20:00")] * 2
    actions.move_zat(running.app, "Genua", when if when[0] != "+" else "2027-01-02")
    actions.move_zat(running.app, "Genua", "Issue")
    assert zats(running) == [(103, "2026-12-25T20:00")] * 2
    with pytest.raises(Refused, match="wasn't opened for the issues"):
        actions.move_zat(running.app, "Riga", "issue")


def test_games_that_stand_still_do_not_follow(running: Any) -> None:
    """A held game waits for the GM's word, one that is over for nobody."""
    with running.app.database.write() as session:
        game = game_queries.named(session, "Genua")
        game.held = "an outage"
        session.add(game)
    actions.abort(running.app, "Lima", "Too few.")
    told(running)
    assert moved_issues.move(running.app, 103, "6.1.").games == []
    assert told(running) == []
    actions.move_zat(running.app, "Genua", "2026-12-01 20:00")
    told(running)
    running.app = running.open(load(running.config))
    assert (told(running), stands(running)) == ([], (103, "2026-12-01T20:00"))


def test_a_round_that_was_reopened_goes_its_own_way(running: Any) -> None:
    """After `gm undo` the ZAT that the GM sets stays, whichever issue moves; `gm zat NAME issue` takes one again."""
    running.at("2026-12-18T20:00:02+01:00")
    running.tick()
    assert zats(running) == [with_issue(104)] * 2
    actions.undo(running.app, "Genua")
    actions.move_zat(running.app, "Genua", "2026-12-23 20:00")
    assert [game.name for game in moved_issues.move(running.app, 104, "+7d").games] == ["Lima"]
    assert stands(running, "Genua") == (0, "2026-12-23T20:00")
    actions.move_zat(running.app, "Genua", "issue")
    assert zats(running) == [(104, "2027-01-29T20:00")] * 2


@pytest.mark.parametrize(
    ("number", "when", "why"),
    [
        (101, "6.1.", "There is no issue 101; the first one is 102"),
        (102, "2026-11-10", "has been 2026-10-29|would have been 2026-10-29 20:00, which has passed"),
        (103, "2026-11-25", r"issue 102 \(2026-11-25\) would not be out yet"),
        (103, "2027-02-03", r"issue 104 \(2027-02-03\) would be out already"),
        (103, "bald", "'bald' is no deadline"),
        (103, "2026-10-01", "which has passed"),
    ],
)
def test_where_an_issue_can_not_go(running: Any, number: int, when: str, why: str) -> None:
    """Issues stay in order, and no ZAT comes to lie in the past; a refusal changes nothing."""
    with pytest.raises(Refused, match=why):
        moved_issues.move(running.app, number, when)
    assert (told(running), zats(running)) == ([], [with_issue(103)] * 2)


def test_an_issue_that_is_out_stays(running: Any) -> None:
    """Only an issue to come can be moved, and no more than the listed ones."""
    running.at("2026-11-26T12:00:00+01:00")
    with pytest.raises(Refused, match="Issue 102 appeared on 2026-11-25"):
        moved_issues.move(running.app, 102, "+1d")


def test_in_english(begin_zine: Any) -> None:
    """The start mail names the issue, and the mail about its move says when it appears."""
    zine = begin_zine()
    actions.new_game(zine.app, "combinato", "Genua", zat="issue", language="en")
    for player in (ANNA, BERND):
        actions.join(zine.app, "Genua", player, address_of(player), None)
    actions.start(zine.app, "Genua")
    zine.tick()
    said = zine.said(zine.gets(ANNA))
    assert "Round 0 ends with issue 103, which appears on 30 December 2026." in said
    assert "Issue 102 would have left too little time for it." in said
    moved_issues.move(zine.app, 103, "6.1.")
    zine.tick()
    said = zine.said(zine.gets(ANNA))
    assert "Issue 103 appears on 6 January 2027. The deadline of round 0 of “Genua” has moved." in said


# -- whatever happens --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_a_round_has_its_time(begin_zine: Any, seed: int) -> None:
    """Issues move, games pause, the zine rests, rounds end late: the ZAT is that of an issue and leaves the least time.

    Nobody gets two mails about one move.
    """
    chance, zine = random.Random(seed), begin_zine()
    for name in ("Genua", "Lima"):
        play(zine, name, zat="issue 25d")
    for _ in range(40):
        with suppress(Refused):
            what = chance.choice(["move", "move", "pause", "resume", "rest", "go on", "time", "time"])
            if what == "move":
                issue = chance.choice(upcoming(zine))
                to = issue.date + dt.timedelta(days=chance.randint(-20, 20))
                moved_issues.move(zine.app, issue.number, f"{to}")
            elif what == "pause":
                actions.pause(zine.app, chance.choice(["Genua", "Lima"]), f"{chance.randint(1, 20)}d")
            elif what == "resume":
                actions.resume(zine.app, chance.choice(["Genua", "Lima"]))
            elif what == "rest":
                today = zine.now.date() + dt.timedelta(days=chance.randint(0, 30))
                resting.rest(zine.app, f"{today}", f"{today + dt.timedelta(days=chance.randint(1, 20))}", "")
            elif what == "go on":
                resting.go_on(zine.app)
            else:
                zine.passes(days=chance.randint(1, 15), hours=chance.randint(0, 23))
        zine.mails()
        zine.tick()
        mails = [(to, mail.subject) for to, mail in zine.mails()]
        assert len(set(mails)) == len(mails)
        for name in ("Genua", "Lima"):
            check(zine, name)


def upcoming(zine: Any) -> list[Issue]:
    """Return the next issues."""
    with zine.app.database.read() as session:
        found = issues.calendar(zine.app, session)
        assert found
        return list(itertools.islice(found.from_day(zine.now.date()), 3))


def check(zine: Any, name: str) -> None:
    """Check that a game that runs ends its round with an issue, at its ZAT, and not before its least time is over."""
    with zine.app.database.read() as session:
        game, found = game_queries.named(session, name), issues.calendar(zine.app, session)
        kept = issues.kept(session, game.id)
        if game.status != "running" or game.zat is None or game.zat <= zine.now:
            return
        turn = turn_queries.current_turn(session, game)
        issue = found.numbered(kept.number) if found and kept else None
    assert issue
    assert kept == Kept(number=issue.number, zat=issue.zat)
    assert game.zat == issue.zat
    opened = (turn.released_at or turn.at).astimezone(BERLIN).date()
    assert game.zat.astimezone(BERLIN).date() >= opened + dt.timedelta(days=25)


# -- pauses and rests --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "span", "paused", "resumed"),
    [
        ("2026-11-05T12:00:00+01:00", "3d", 103, 103),
        ("2026-11-05T12:00:00+01:00", "30d", 103, 103),
        ("2026-11-05T12:00:00+01:00", "35d", 104, 103),
        ("2026-12-10T12:00:00+01:00", "7d", 103, 103),
        ("2026-12-10T12:00:00+01:00", "9d", 104, 104),
    ],
)
def test_a_pause_moves_a_round_to_the_next_issue_if_it_must(
    begin_zine: Any, now: str, span: str, paused: int, resumed: int
) -> None:
    """A round keeps its issue if it has its least time without the pause; ended sooner, it comes back if it can."""
    zine = begin_zine(deadlines={"pause_max": "60d"})
    play(zine)
    zine.at(now)
    zine.tick()
    zine.mails()
    actions.pause(zine.app, "Genua", span)
    assert stands(zine) == with_issue(paused)
    zine.passes(days=1)
    actions.resume(zine.app, "Genua")
    assert stands(zine) == with_issue(resumed)


@pytest.mark.parametrize(
    ("first", "last", "issue"),
    [
        ("2026-12-19", "2027-01-06", 103),
        ("2026-12-10", "2026-12-17", 103),
        ("2026-12-10", "2026-12-18", 104),
        ("2026-12-10", "2026-12-24", 104),
        ("2026-11-04", "2026-12-03", 103),
        ("2026-11-10", "2026-12-09", 103),
    ],
)
def test_no_round_ends_in_a_rest(running: Any, first: str, last: str, issue: int) -> None:
    """`gm pause --all`: games whose issue lies in it, or that would lack time, take the next; ended, they return."""
    resting.rest(running.app, first, last, "")
    assert zats(running) == [with_issue(issue)] * 2
    running.tick()
    assert len(running.mails()) == 2  # one each
    resting.go_on(running.app)
    assert zats(running) == [with_issue(103)] * 2


def test_rounds_that_open_before_a_rest_count_without_it(begin_zine: Any) -> None:
    """A round that opens before a rest gets its least time around it."""
    zine = begin_zine(now="2026-12-01T12:00:00+01:00")
    resting.rest(zine.app, "2026-12-05", "2026-12-12", "")
    play(zine)
    assert stands(zine) == with_issue(104)


# -- what clashes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("year", "sunday"),
    [(1961, "04-02"), (2000, "04-23"), (2008, "03-23"), (2019, "04-21"), (2026, "04-05"), (2027, "03-28"),
     (2035, "03-25"), (2038, "04-25"), (2076, "04-19")],
)  # fmt: skip
def test_easter(begin_zine: Any, year: int, sunday: str) -> None:
    """Easter Sundays as printed in calendars, the earliest and latest of our time among them."""
    settings, easter = begin_zine().app.settings, day(f"{year}-{sunday}")
    named = [clashes.holiday(settings, easter + dt.timedelta(days=days)) for days in (-2, 0, 1, 39)]
    assert named == ["Good Friday", "Easter Sunday", "Easter Monday", "Ascension Day"]


@pytest.mark.parametrize(
    ("plan", "more", "said"),
    [
        ({"date": "2027-01-06"}, {}, ["Its ZAT is on Fri 2026-12-25: Christmas Day."]),
        ({"date": "2027-01-05"}, {}, ["Its ZAT is on Thu 2026-12-24: Christmas Eve.",
                                      "Its copy deadline is on Fri 2027-01-01: New Year."]),
        ({"date": "2027-04-07"}, {}, ["Its ZAT is on Fri 2027-03-26: Good Friday."]),
        ({"date": "2027-03-29"}, {}, ["It appears on Mon 2027-03-29: Easter Monday."]),
        ({"date": "2027-10-15"}, {}, ["Its ZAT is on Sun 2027-10-03: German Unity Day."]),
        ({"date": "2027-08-18"}, {"deadlines": {"holidays": ["2027-08-06"]}},
         ["Its ZAT is on Fri 2027-08-06: a day without ZAT (deadlines.holidays)."]),
        ({"dates": ["2027-08-18", "2027-08-20"]}, {},
         ["From its ZAT to that of issue 2 it is 2d: too little for a standby, who has 3d at least "
          "(nmr.standby_time)."]),
        ({"dates": ["2027-08-18", "2027-08-21"]}, {}, []),
        ({"date": "2027-08-18"}, {}, []),
    ],
)  # fmt: skip
def test_clashes_are_said(begin_zine: Any, plan: Any, more: Any, said: list[str]) -> None:
    """Holidays, Christmas and Easter, own holidays, and too little time for a standby; else nothing."""
    zine = begin_zine(now="2026-12-01T12:00:00+01:00", zine=plan, **more)
    with zine.app.database.read() as session:
        first = issue_calendar.year(zine.app, session)[0]
        checked = clashes.check(zine.app.settings, session, zine.now)
    assert list(first.clashes) == said
    assert checked is not None
    begin = f"Issue 1: {said[0]} gm issue move 1 DAY moves it." if said else "Issue 1 appears on 2027-08-18; no issue"
    assert checked[0] is not bool(said)
    assert checked[1].startswith(begin)


def test_a_zat_in_a_rest_is_said(running: Any) -> None:
    """Where the zine rests over a ZAT, the calendar says so."""
    resting.rest(running.app, "2026-12-10", "2026-12-24", "")
    with running.app.database.read() as session:
        rows = {row.issue.number: row for row in issue_calendar.year(running.app, session)}
    rest = "lies in the rest from 2026-12-10 to 2026-12-24; games end with the next issue."
    assert f"Its ZAT, Fri 2026-12-18, {rest}" in rows[103].clashes
    assert rows[104].games == ["Genua", "Lima"]


def test_the_calendar_file(running: Any) -> None:
    """Three entries an issue; after a move they have the same ids, a higher sequence, and the new days."""

    def read(listed: list[Issue]) -> dict[str, Any]:
        file = CalendarFile.from_ical(issue_calendar.as_file(running.app, listed))
        return {str(event["uid"]).partition(".")[0]: event for event in file.walk("VEVENT")}

    with running.app.database.read() as session:
        before = read([row.issue for row in issue_calendar.year(running.app, session)])
    running.passes(minutes=5)
    after = read([moved_issues.move(running.app, 103, "6.1.").after])
    assert list(after) == ["issue103-zat", "issue103-copy", "issue103-appears"]
    assert [before[key]["uid"] for key in after] == [event["uid"] for event in after.values()]
    assert all(event["sequence"] > before[key]["sequence"] for key, event in after.items())
    assert after["issue103-zat"]["dtstart"].dt == at("2026-12-25T20:00")
    assert after["issue103-copy"]["dtstart"].dt == at("2027-01-02T20:00")
    assert after["issue103-appears"]["dtstart"].dt == day("2027-01-06")
    assert str(after["issue103-appears"]["summary"]) == "Dottendorfer Soccer 103 erscheint"


def test_a_span_of_its_own_is_the_least_one(begin_zine: Any) -> None:
    """`issue 10d` names the least time; it is what else would be the span of a round."""
    zine = begin_zine()
    game = actions.new_game(zine.app, "combinato", "Genua", zat="issue 10d")
    assert game.span == str(Span(10, "d"))
    with zine.app.database.read() as session:
        assert issues.kept(session, game.id) == Kept()
    with pytest.raises(Refused, match="no span of time"):
        actions.new_game(zine.app, "combinato", "Lima", zat="issue bald")
