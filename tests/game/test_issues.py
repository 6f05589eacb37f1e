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
import seating
from hypothesis import given
from hypothesis import strategies as st

from gm.app import issues
from gm.app.issues import BEGINNING, Calendar
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.deadlines import issue_of_round
from gm.requests.desk import actions, all_games
from gm.runtime.config.settings import Span
from gm.runtime.config.zine import Days, Zine
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, turn_queries
from gm.store.tables import Game

pytestmark = pytest.mark.trust

ANNA, BERND = PLAYERS[:2]
BERLIN = ZoneInfo("Europe/Berlin")
DATES = ["2026-11-25", "2026-12-30", "2027-02-03", "2027-03-10"]
PLAN = {"first": 102, "dates": DATES[:1], "rhythm": "5w", "zat": "-12d", "copy": "+8d"}
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


def planned(time: dt.time = dt.time(20), **plan: Any) -> Calendar:
    """Make a calendar."""
    return Calendar(plan=Zine.model_validate(plan), time=time, zone=BERLIN)


@st.composite
def calendars(draw: Any) -> Calendar:
    """A calendar by a rhythm, or by listed dates, some of them moved a little."""
    zat = draw(st.integers(2, 40))
    plan = {"first": draw(st.integers(1, 300)), "zat": f"-{zat}d", "copy": f"+{draw(st.integers(1, zat))}d"}
    start, rhythm = draw(st.dates(dt.date(2020, 1, 1), dt.date(2040, 1, 1))), draw(st.integers(7, 70))
    dates = [start + dt.timedelta(days=rhythm * n + draw(st.integers(-3, 3))) for n in range(8)]
    plan |= draw(st.sampled_from([{"dates": [start], "rhythm": f"{rhythm}d"}, {"dates": dates}]))
    return planned(draw(st.sampled_from([dt.time(2, 30), dt.time(20)])), **plan)


def first_issues(found: Calendar) -> list[issues.Issue]:
    """List the first seven issues."""
    return list(itertools.islice(found.from_day(dt.date.min), 7))


@given(calendars())
def test_windows_follow_one_another(found: Calendar) -> None:
    """An evaluation is printed in one issue: each window begins where the one before ends, the first with all."""
    listed = first_issues(found)
    assert listed[0].since == BEGINNING
    for issue, following in itertools.pairwise(listed):
        assert (following.number, following.since) == (issue.number + 1, issue.until)
        assert issue.since < issue.until < following.until
    for issue in listed:
        zat, copy = (instant.astimezone(BERLIN).date() for instant in (issue.zat, issue.until))
        assert zat == issue.date + dt.timedelta(days=found.plan.zat.number)
        assert copy == zat + dt.timedelta(days=found.plan.copy.number) <= issue.date
        assert issue == found.numbered(issue.number)


@given(calendars(), st.integers(-40, 400))
def test_issues_from_a_day_on(found: Calendar, days: int) -> None:
    """From any day on, none that appears then or later is missing, and none before it comes."""
    listed = first_issues(found)
    since = listed[0].date + dt.timedelta(days=days)
    expected = [issue for issue in listed if issue.date >= since]
    assert list(itertools.islice(found.from_day(since), len(expected))) == expected


def test_a_calendar_ends_with_the_dates_or_the_years() -> None:
    """Behind listed dates, and behind the year 9999, there is no issue; nothing is raised."""
    listed = planned(first=5, dates=["2026-11-25", "2026-12-30"])
    assert [issue.number for issue in listed.from_day(dt.date.min)] == [5, 6]
    assert (listed.numbered(4), listed.numbered(7)) == (None, None)
    endless = planned(dates=["9999-11-25"], rhythm="1w")
    assert [issue.number for issue in endless.from_day(day("9999-12-01"))] == [2, 3, 4, 5, 6]
    assert endless.numbered(10**9) is None


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
        seating.join(zine.app, name, player, address_of(player), None)
    actions.start(zine.app, name)
    zine.tick()
    zine.mails()


def stands(zine: Any, name: str = "Genua") -> tuple[int, str]:
    """Return the issue that a game's round ends with, 0 for none, and its ZAT in local time."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        found = issue_of_round(zine.app, session, game, turn_queries.current_turn(game))
    return found[0].number if found else 0, f"{game.zat.astimezone(BERLIN):%Y-%m-%dT%H:%M}" if game.zat else ""


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


def test_the_start_mail_plans_by_the_calendar(begin_zine: Any) -> None:
    """The ZATs that the start mail lists are those of the issues."""
    zine = begin_zine(now="2026-10-20T12:00:00+02:00")
    actions.new_game(zine.app, "crossword", "Jalta", zat="issue")
    for player, letter in zip(PLAYERS[:6], "DNTIRO", strict=True):
        seating.join(zine.app, "Jalta", player, address_of(player), letter)
    actions.start(zine.app, "Jalta")
    zine.tick()
    said = zine.said(zine.gets(ANNA))
    for number, instant in ZAT.items():
        assert f"Runde {number - 101}: Fr, {at(instant):%d.%m.%Y}, 20:00 Uhr" in said


def test_where_the_dates_end(begin_zine: Any) -> None:
    """After the last date a game goes on with its own span."""
    zine = begin_zine(zine={"first": 7, "dates": ["2026-11-30"]})
    play(zine)
    assert stands(zine) == (7, "2026-11-18T20:00")
    assert not issues.are_over(zine.app.settings, zine.now)
    zine.at("2026-11-18T20:00:02+01:00")
    assert issues.are_over(zine.app.settings, zine.now)
    zine.tick()
    assert stands(zine) == (0, "2026-12-02T20:00")
    zine.passes_until(zine.rows(Game)[0].zat, seconds=1)
    zine.tick()
    assert stands(zine) == (0, "2026-12-16T20:00")


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


def test_an_issue_on_a_holiday(begin_zine: Any) -> None:
    """No ZAT falls on `deadlines.holidays`: it is on the first day after, as any other, and still that of the issue."""
    zine = begin_zine(deadlines={"holidays": ["2026-12-18..2026-12-19"]})
    play(zine)
    assert stands(zine) == (103, "2026-12-20T20:00")
    refused = all_games.move_zats(zine.app, "issue").refused
    assert list(refused) == ["Genua has this ZAT already."]
    zine.at("2026-12-19T12:00:00+01:00")
    actions.move_zat(zine.app, "Genua", "2026-12-22 20:00")
    assert (to_issue(zine), stands(zine)) == (["Genua"], (103, "2026-12-20T20:00"))


def test_holidays_that_are_written_down_later(running: Any) -> None:
    """The next pass moves the ZATs and tells why, and `gm zat --all issue` doesn't move them back."""
    deadlines = running.app.settings.deadlines
    holidays = type(deadlines).model_validate({"holidays": ["2026-12-18..2026-12-19"]}).holidays
    changed = {"deadlines": deadlines.model_copy(update={"holidays": holidays})}
    running.app = replace(running.app, settings=running.app.settings.model_copy(update=changed))
    assert told(running) == ALL
    assert zats(running) == [(103, "2026-12-20T20:00")] * 2
    assert all_games.move_zats(running.app, "issue").changed == []
    assert told(running) == []


def test_without_dates(zine: Any) -> None:
    """Without `dates` in [zine] no game can be opened for the issues, and none moved to one."""
    with pytest.raises(Refused, match=r"\[zine\] dates"):
        actions.new_game(zine.app, "combinato", "Genua", zat="issue")
    with pytest.raises(Refused, match=r"^No running game was opened for the issues"):
        all_games.move_zats(zine.app, "issue")


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


def edit(zine: Any, *dates: str) -> None:
    """Edit the dates of [zine], as they are after the next start of each process."""
    plan = Zine.model_validate({**PLAN, "dates": dates, "rhythm": ""})
    zine.app = replace(zine.app, settings=zine.app.settings.model_copy(update={"zine": plan}))


def move_103(zine: Any, date: str) -> None:
    """Let issue 103 appear on another day."""
    edit(zine, DATES[0], date, *DATES[2:])


def to_issue(zine: Any, why: str = "") -> list[str]:
    """Say `gm zat --all issue`; returns the games with another ZAT."""
    return [game.name for game in all_games.move_zats(zine.app, "issue", why).changed]


def test_an_edited_date_moves_nothing_by_itself(running: Any) -> None:
    """Whatever [zine] says now: ZATs stay until the GM gives the line."""
    move_103(running, "2027-01-06")
    assert told(running) == []
    assert zats(running) == [(0, ZAT[103])] * 2


def test_one_line_moves_all_games_once(running: Any) -> None:
    """One mail a player and game, with the reason; said again, nothing happens; games not opened so stay."""
    move_103(running, "2027-01-06")
    came = all_games.move_zats(running.app, "Heft", " Weih-\n nachten ")
    assert [game.name for game in came.changed] == ["Genua", "Lima"]
    assert list(came.refused) == ["Not opened for the issues, so left alone: Riga."]
    assert zats(running) == [(103, "2026-12-25T20:00")] * 2
    running.tick()
    mails = running.mails()
    assert sorted((to.split("@")[0], mail.subject.split("]")[0][1:]) for to, mail in mails) == ALL
    assert all("ist verschoben" in running.said(mail) for _, mail in mails)
    assert all("Grund: Weih- nachten" in running.said(mail) for _, mail in mails)
    assert (to_issue(running), told(running)) == ([], [])
    move_103(running, DATES[1])
    assert (to_issue(running), zats(running), told(running)) == (["Genua", "Lima"], [with_issue(103)] * 2, ALL)


class Crash(BaseException):
    """The process dies."""


def dying(zine: Any, calls: int) -> Any:
    """Give the zine to a process that dies when it looks at the clock for the last time of so many."""
    left = iter(range(calls))

    def now() -> dt.datetime:
        if next(left, None) is None:
            raise Crash
        return zine.now

    return replace(zine.app, now=now)


def test_a_line_that_was_interrupted_is_finished_by_saying_it_again(running: Any) -> None:
    """Wherever the process died: all games have the new ZAT after that, and everybody is told of each once."""
    for calls in range(100):
        move_103(running, "2027-01-06" if calls % 2 else "2027-01-07")
        running.passes(minutes=1)
        try:
            all_games.move_zats(dying(running, calls), "issue")
        except Crash:
            to_issue(running)
        else:
            break
        assert told(running) == ALL
        assert zats(running) == [(103, "2026-12-25T20:00" if calls % 2 else "2026-12-26T20:00")] * 2
    assert 5 < calls < 99


def test_an_issue_comes_where_the_next_one_was(running: Any) -> None:
    """Issues move by a whole rhythm: the games of one that did go along by that, not by two."""
    edit(running, DATES[0], *DATES[2:])
    assert (to_issue(running), zats(running), told(running)) == (["Genua", "Lima"], [(103, ZAT[104])] * 2, ALL)
    assert (to_issue(running), told(running)) == ([], [])


def test_an_issue_that_comes_too_soon_is_left_out(running: Any) -> None:
    """Brought forward so far that a round would lack time, its games end with the next issue, and are told."""
    move_103(running, "2026-11-26")
    assert (to_issue(running), zats(running), told(running)) == (["Genua", "Lima"], [with_issue(104)] * 2, ALL)


def test_a_zat_set_by_hand_becomes_that_of_the_issue(running: Any) -> None:
    """What `gm zat` gave one game alone counts no more, and `gm zat NAME issue` does the same for one game."""
    actions.move_zat(running.app, "Genua", "+3d")
    assert stands(running) == (0, "2026-12-21T20:00")
    assert (to_issue(running), zats(running)) == (["Genua"], [with_issue(103)] * 2)
    actions.move_zat(running.app, "Genua", "2026-12-16 20:00")
    actions.move_zat(running.app, "Genua", "Issue")
    assert zats(running) == [with_issue(103)] * 2
    with pytest.raises(Refused, match="wasn't opened for the issues"):
        actions.move_zat(running.app, "Riga", "issue")


def test_a_round_whose_issue_has_had_its_zat_is_not_put_off(running: Any) -> None:
    """One that is due is closed, and one with three days more keeps them; only `gm zat NAME issue` takes the next."""
    actions.move_zat(running.app, "Lima", "+3d")
    told(running)
    running.at("2026-12-18T20:00:02+01:00")
    came = all_games.move_zats(running.app, "issue")
    assert (came.changed, list(came.refused)) == ([], [
        "Genua keeps its ZAT: that of its issue has passed. gm zat Genua issue takes the next one.",
        "Lima keeps its ZAT: that of its issue has passed. gm zat Lima issue takes the next one.",
        "Not opened for the issues, so left alone: Riga.",
    ])  # fmt: skip
    assert zats(running) == [with_issue(103), (0, "2026-12-21T20:00")]
    actions.move_zat(running.app, "Lima", "issue")
    assert stands(running, "Lima") == with_issue(104)


def test_games_that_stand_still(running: Any) -> None:
    """A held game goes on, as after `gm zat NAME issue`; a paused one says why it doesn't move; what is over stays."""
    play(running, "Oslo")
    with running.app.database.write() as session:
        game = game_queries.named(session, "Genua")
        game.held = "an outage"
        session.add(game)
    actions.pause(running.app, "Lima", "5d")
    actions.abort(running.app, "Oslo", "Too few.")
    told(running)
    move_103(running, "2027-01-06")
    came = all_games.move_zats(running.app, "issue")
    assert [game.name for game in came.changed] == ["Genua"]
    assert came.refused[0].startswith("Lima is paused until ")
    assert list(came.refused[1:]) == ["Not opened for the issues, so left alone: Riga."]
    assert zats(running) == [(103, "2026-12-25T20:00"), (0, ZAT[103])]
    assert running.rows(Game)[0].held == ""


def test_a_bulletin_that_waits_for_the_gm(begin_zine: Any) -> None:
    """A game whose bulletin waits for its release gets its ZAT with that, and until then has none to move."""
    zine = begin_zine(now="2026-10-20T12:00:00+02:00", deadlines={"release": "gm"})
    play(zine)
    zine.at("2026-11-13T20:00:02+01:00")
    zine.tick()
    assert list(all_games.move_zats(zine.app, "issue").refused) == [
        "The last bulletin of Genua waits for you: gm release Genua."
    ]
    assert stands(zine) == (0, "")


def test_a_round_that_was_reopened(running: Any) -> None:
    """After `gm undo` its time counts from when the game goes on: the issue that has had its ZAT isn't taken again."""
    running.at("2026-12-18T20:00:02+01:00")
    running.tick()
    assert zats(running) == [with_issue(104)] * 2
    actions.undo(running.app, "Genua")
    actions.move_zat(running.app, "Genua", "2026-12-23 20:00")
    told(running)
    assert (to_issue(running), zats(running)) == (["Genua"], [with_issue(104)] * 2)


def test_no_date_is_left(running: Any) -> None:
    """Where the dates end, a game keeps the ZAT it has, and the line says so."""
    edit(running, DATES[0])
    came = all_games.move_zats(running.app, "issue")
    assert (came.changed, len(came.refused)) == ([], 3)
    assert came.refused[0].startswith(
        "Genua wasn't opened for the issues (gm new ... --zat issue), or none of them fits"
    )
    assert (zats(running), told(running)) == ([(0, ZAT[103])] * 2, [])


def test_in_english(begin_zine: Any) -> None:
    """The start mail names the issue, and the mail about its move the new deadline."""
    zine = begin_zine()
    actions.new_game(zine.app, "combinato", "Genua", zat="issue", language="en")
    for player in (ANNA, BERND):
        seating.join(zine.app, "Genua", player, address_of(player), None)
    actions.start(zine.app, "Genua")
    zine.tick()
    said = zine.said(zine.gets(ANNA))
    assert "Round 0 (secret word) ends with issue 103, which appears on 30 December 2026." in said
    assert "Issue 102 would have left too little time for it." in said
    move_103(zine, "2027-01-06")
    to_issue(zine)
    zine.tick()
    assert "The deadline for round 0 (secret word) of “Genua” has moved." in zine.said(zine.gets(ANNA))


# -- whatever happens --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_a_round_has_its_time(begin_zine: Any, seed: int) -> None:
    """Issues move, games pause, one or all, rounds end late: the ZAT is that of an issue and leaves the least time.

    Nobody gets two mails about one move, and the line that was given is nothing if it is given again.
    """
    chance, zine = random.Random(seed), begin_zine()
    dates = [day("2026-11-25") + dt.timedelta(weeks=5 * n) for n in range(30)]
    for name in ("Genua", "Lima"):
        play(zine, name, zat="issue 25d")
    for _ in range(40):
        with suppress(Refused):
            what = chance.choice(["move", "move", "pause", "resume", "pause all", "resume all", "time", "time"])
            if what == "move":
                number = next(n for n, date in enumerate(dates) if date >= zine.now.date()) + chance.randint(0, 2)
                before, after = [day("2026-11-01"), *dates][number], dates[number + 1]
                moved = dates[number] + dt.timedelta(days=chance.randint(-20, 20))
                dates[number] = moved if before < moved < after else dates[number]
                edit(zine, *map(str, dates))
            elif what == "pause":
                actions.pause(zine.app, chance.choice(["Genua", "Lima"]), f"{chance.randint(1, 20)}d")
            elif what == "resume":
                actions.resume(zine.app, chance.choice(["Genua", "Lima"]))
            elif what == "pause all":
                all_games.pause(zine.app, f"{chance.randint(1, 20)}d")
            elif what == "resume all":
                all_games.resume(zine.app)
            else:
                zine.passes(days=chance.randint(1, 15), hours=chance.randint(0, 23))
        zine.tick()
        zine.mails()
        to_issue(zine)
        zine.tick()
        mails = [(to, mail.subject) for to, mail in zine.mails()]
        assert len(set(mails)) == len(mails)
        assert (to_issue(zine), told(zine)) == ([], [])
        for name in ("Genua", "Lima"):
            check(zine, name)


def check(zine: Any, name: str) -> None:
    """Check that a game that runs ends its round with an issue, at its ZAT, and not before its least time is over."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        turn = turn_queries.current_turn(game)
        if game.status != "running" or game.zat is None or (game.paused_until or game.zat) > zine.now:
            return
        found = issue_of_round(zine.app, session, game, turn)
    assert found
    assert game.zat == found[0].zat
    opened = (turn.released_at or turn.at).astimezone(BERLIN).date()
    assert game.zat.astimezone(BERLIN).date() >= opened + dt.timedelta(days=25)


# -- pauses ------------------------------------------------------------------------------------------------------------


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


def test_a_span_of_its_own_is_the_least_one(begin_zine: Any) -> None:
    """`issue 10d` names the least time; it is what else would be the span of a round."""
    zine = begin_zine()
    game = actions.new_game(zine.app, "combinato", "Genua", zat="issue 10d")
    assert game.span == str(Span(10, "d"))
    assert game.by_issue
    with pytest.raises(Refused, match="no span of time"):
        actions.new_game(zine.app, "combinato", "Lima", zat="issue bald")
