"""The whole zine rests (`gm pause --all`): no round ends, no day counts, nobody is reminded; moves are taken."""

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import rests
from gm.game.deadlines import local_instant, over_rest, without_rest
from gm.game.rests import Rest
from gm.game.schedule import resting
from gm.runtime.config.settings import Span
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
BERLIN = ZoneInfo("Europe/Berlin")
CHRISTMAS = ("2026-11-14", "2026-11-20")
"""Seven days around the ZAT of round 1, Monday 16 November, 20:00."""


def at(text: str) -> dt.datetime:
    """Read a local instant."""
    return dt.datetime.fromisoformat(text).replace(tzinfo=BERLIN)


def rest(zine: Any, first: str | None = CHRISTMAS[0], last: str = CHRISTMAS[1], why: str = "") -> None:
    """Let the zine rest."""
    resting.rest(zine.app, first, last, why)


def told(zine: Any) -> dict[str, Any]:
    """Do a pass and return what went out, by address; nobody gets two mails."""
    zine.tick()
    mails = zine.mails()
    assert len(dict(mails)) == len(mails), [(to, mail.subject) for to, mail in mails]
    return dict(mails)


# -- what is computed (issue 29, "gm pause --all": days don't count, ZATs move on by the rest) -------------------------

INSTANTS = st.timedeltas(dt.timedelta(), dt.timedelta(days=270)).map(lambda span: at("2026-09-01T00:00") + span)
AHEAD = st.timedeltas(dt.timedelta(minutes=1), dt.timedelta(days=60))
SPANS = st.sampled_from([Span(14, "d"), Span(1, "d"), Span(12, "h"), Span(90, "m")])


@st.composite
def rests_of_days(draw: Any) -> Rest:
    """A rest of whole days; it may begin in the middle of one, when the GM says so."""
    first = draw(st.dates(dt.date(2026, 10, 1), dt.date(2027, 4, 1)))
    end = local_instant(first + dt.timedelta(days=draw(st.integers(1, 30))), dt.time(), BERLIN)
    begin = local_instant(first, dt.time(), BERLIN) + dt.timedelta(minutes=draw(st.sampled_from([0, 0, 61, 1200])))
    return Rest(start=begin, end=end, told=begin)


@given(rest=rests_of_days(), now=INSTANTS, ahead=AHEAD, span=SPANS)
def test_a_zat_goes_over_a_rest(rest: Rest, now: dt.datetime, ahead: dt.timedelta, span: Span) -> None:
    """A ZAT never moves back, never falls into the rest, and stays where it is before the rest or with none ahead."""
    zat = now.astimezone(dt.UTC) + ahead
    new = over_rest(zat, now, rest, span, BERLIN)
    assert new >= zat
    if now < rest.end:
        assert not rest.holds(new)
    if zat < rest.start or now >= rest.end:
        assert new == zat
    if span.exact is None and new != zat:
        assert new.astimezone(BERLIN).time() == zat.astimezone(BERLIN).time() or zat.astimezone(BERLIN).hour in (2, 3)


@given(rest=rests_of_days(), ahead=AHEAD, span=SPANS)
def test_what_is_called_off_leaves_no_trace(rest: Rest, ahead: dt.timedelta, span: Span) -> None:
    """Set and called off before it begins, a rest leaves each ZAT where it was; nothing comes before the present."""
    now = rest.start.astimezone(BERLIN).replace(hour=0, minute=0) - dt.timedelta(days=2)
    zat = (now.astimezone(dt.UTC) + ahead).replace(second=0, microsecond=0)
    whole = Rest(start=now + dt.timedelta(days=2), end=rest.end, told=now)
    back = without_rest(over_rest(zat, now, whole, span, BERLIN), now, whole, span, BERLIN)
    assert back == zat or zat.astimezone(BERLIN).hour in (2, 3)  # the hour that summer time takes or doubles


@pytest.mark.parametrize("span", [Span(14, "d"), Span(12, "h")])
def test_a_zat_at_the_very_begin_of_a_rest_comes_back(span: Span) -> None:
    """A ZAT at the moment a rest begins moves to its end; called off, the rest gives it back, to the minute."""
    whole = Rest(start=at("2026-12-20T00:00"), end=at("2027-01-03T00:00"), told=at("2026-12-01T00:00"))
    moved = over_rest(whole.start, whole.told, whole, span, BERLIN)
    assert moved == whole.end
    assert without_rest(moved, whole.told, whole, span, BERLIN) == whole.start


@given(rest=rests_of_days(), ahead=AHEAD, span=SPANS,
       share=st.floats(0, 0.99))  # fmt: skip
def test_what_ends_early_gives_back_what_is_left(rest: Rest, ahead: dt.timedelta, span: Span, share: float) -> None:
    """However early a rest ends, no ZAT lies before the end, none before its first one, and none later than with it."""
    zat = rest.start.astimezone(dt.UTC) + ahead
    moved, now = over_rest(zat, rest.start, rest, span, BERLIN), rest.start + (rest.end - rest.start) * share
    back = without_rest(moved, now, rest, span, BERLIN)
    assert max(now, zat) - dt.timedelta(hours=1) <= back <= moved + dt.timedelta(hours=1)  # an hour: summer time


@pytest.mark.parametrize(
    ("first", "last", "today", "days"),
    [
        ("20.12.", "6.1.", "2026-11-25", ("2026-12-20", "2027-01-06")),
        ("20.12.", "6.1.", "2026-12-22", ("2026-12-20", "2027-01-06")),
        ("20.12.", "6.1.", "2027-01-06", ("2026-12-20", "2027-01-06")),
        ("20.12.", "6.1.", "2027-01-07", ("2027-12-20", "2028-01-06")),
        ("20.12", "6.1", "2026-11-25", ("2026-12-20", "2027-01-06")),
        ("1.3.", "10.3.", "2026-11-25", ("2027-03-01", "2027-03-10")),
        ("20. Dezember", "6. Januar", "2026-11-25", ("2026-12-20", "2027-01-06")),
        ("2026-12-20", "6.1.", "2026-11-25", ("2026-12-20", "2027-01-06")),
        ("20.12.", "2027-01-06", "2026-11-25", ("2026-12-20", "2027-01-06")),
        ("20.12.2026", "06.01.2027", "2026-11-25", ("2026-12-20", "2027-01-06")),
        (None, "6.1.", "2026-12-22", ("2026-12-22", "2027-01-06")),
        ("heute", "morgen", "2026-12-31", ("2026-12-31", "2027-01-01")),
        ("today", "tomorrow", "2026-12-31", ("2026-12-31", "2027-01-01")),
        ("29.2.", "1.3.", "2027-03-02", ("2028-02-29", "2028-03-01")),
        ("24.12.", "24.12.", "2026-11-25", ("2026-12-24", "2026-12-24")),
    ],
)
def test_days_as_people_write_them(first: str | None, last: str, today: str, days: Sequence[str]) -> None:
    """Without a year it is the running rest, or else the next one (issue 29: "the running or next such span")."""
    read = resting.days_of(first, last, dt.date.fromisoformat(today))
    assert [day.isoformat() for day in read] == list(days)


@pytest.mark.parametrize(
    ("first", "last"),
    [("20.12.", "bald"), ("gestern", "6.1."), ("", ""), ("31.2.", "3.3."), ("2027-01-06", "2026-12-20"),
     ("2025-12-20", "2026-01-06"), ("20.12.", "6.13.")],
)  # fmt: skip
def test_what_are_no_days(first: str, last: str) -> None:
    """What can't be read, is over or ends before it begins is refused with how to write it."""
    with pytest.raises(Refused, match=r"--from 20\.12\. --to 6\.1\."):
        resting.days_of(first, last, dt.date(2026, 11, 25))


# -- what happens ------------------------------------------------------------------------------------------------------


def test_all_zats_move_and_each_player_is_told_once(eriwan: Any) -> None:
    """Two games, one mail a player with the reason and both ZATs; a ZAT before the rest stays."""
    actions.new_game(eriwan.app, "combinato", "Genua", zat="5d")
    for name in (ANNA, BERND):
        actions.join(eriwan.app, "Genua", name, address_of(name), None)
    actions.start(eriwan.app, "Genua")
    told(eriwan)
    rest(eriwan, why="  Weihnachten <b>&\nNeujahr ")
    assert eriwan.zat == at("2026-11-23T20:00")
    mails = told(eriwan)
    assert set(mails) == set(map(address_of, PLAYERS))
    said = eriwan.said(mails[address_of(ANNA)])
    assert "vom 14.11.2026 bis zum 20.11.2026" in said
    assert "Grund: Weihnachten <b>& Neujahr" in said
    assert "Crossword, Runde 1, ZAT Mo, 23.11.2026, 20:00 Uhr" in said
    assert "Combinato, Runde 0, ZAT Sa, 07.11.2026, 20:00 Uhr" in said
    assert "&lt;b&gt;&amp; Neujahr" in mails[address_of(ANNA)].html
    assert "Genua" not in mails[address_of(CARLA)].text


def test_nobody_is_reminded_in_a_rest(eriwan: Any) -> None:
    """The three days before the ZAT begin in the rest: the reminder comes with its end, once, to who hasn't moved."""
    eriwan.all_send(ANNA)
    rest(eriwan)
    eriwan.tick()
    eriwan.mails()
    eriwan.at("2026-11-20T20:00:00+01:00")
    assert told(eriwan) == {}
    eriwan.at("2026-11-20T23:59:55+01:00")
    assert told(eriwan) == {}
    eriwan.at("2026-11-21T00:00:00+01:00")
    assert set(told(eriwan)) == {address_of(name) for name in PLAYERS[1:]}
    eriwan.passes(hours=1)
    assert told(eriwan) == {}


def test_nothing_closes_in_a_rest_and_moves_are_taken(eriwan: Any) -> None:
    """All moves come in the rest and settle there: the round closes with its end, with the last of them."""
    rest(eriwan)
    eriwan.at("2026-11-14T10:00:00+01:00")
    eriwan.all_send()
    assert {eriwan.seat(name)["moved"] for name in PLAYERS} == {True}
    eriwan.at("2026-11-20T23:50:00+01:00")
    assert eriwan.tick().closed == []
    eriwan.sends(ANNA, "DN")
    eriwan.at("2026-11-21T12:10:00+01:00")
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.seat(ANNA)["grid"][0] == "dn...."


def test_a_round_that_was_over_before_closes(eriwan: Any) -> None:
    """Its ZAT came a minute before the rest began, nobody had looked: what was there then counts, nothing later."""
    eriwan.tick()
    eriwan.at("2026-11-16T20:01:00+01:00")
    rest(eriwan, None, "20.11.")
    assert eriwan.zat == at("2026-11-16T20:00")
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.zat == at("2026-12-05T20:00")  # 14 days, counted from the end of the rest


@pytest.mark.parametrize(
    ("now", "zat"),
    [("2026-11-10T12:00:00+01:00", "2026-12-01T20:00"), ("2026-11-17T12:00:00+01:00", "2026-12-05T20:00"),
     ("2026-11-01T12:00:00+01:00", "2026-11-22T20:00"), ("2026-10-30T12:00:00+01:00", "2026-11-13T20:00")],
)  # fmt: skip
def test_rounds_that_begin_before_or_in_a_rest(begin: Any, now: str, zat: str) -> None:
    """Their days are counted without it, and the round has as many as ever; one that ends before it isn't touched."""
    eriwan = begin("empty", now=now)
    rest(eriwan)
    actions.new_game(eriwan.app, "combinato", "Genua", zat="14d")
    for name in (ANNA, BERND):
        actions.join(eriwan.app, "Genua", name, address_of(name), None)
    assert actions.start(eriwan.app, "Genua").zat == at(zat)


def test_the_end_of_a_rest_leaves_no_trace_on_the_record(eriwan: Any) -> None:
    """A rest makes no step of the game."""
    rest(eriwan)
    resting.go_on(eriwan.app)
    assert [turn.kind for turn in eriwan.rows(Turn)] == ["start"]
    assert eriwan.zat == at("2026-11-16T20:00")


def test_a_rest_ends_early(eriwan: Any) -> None:
    """After three of seven days the ZAT comes back by four; each player is told once, and reminded as ever."""
    rest(eriwan)
    told(eriwan)
    eriwan.at("2026-11-16T22:00:00+01:00")
    assert told(eriwan) == {}
    resting.go_on(eriwan.app)
    assert eriwan.zat == at("2026-11-19T20:00")
    mails = told(eriwan)
    assert {mail.subject for mail in mails.values()} == {"Die Pause ist zu Ende"}
    assert set(mails) == set(map(address_of, PLAYERS))
    assert eriwan.show()["paused_until"] is None
    eriwan.at("2026-11-19T08:00:01+01:00")
    assert len(told(eriwan)) == 6  # twelve hours before
    eriwan.at("2026-11-19T20:00:02+01:00")
    assert eriwan.tick().closed == ["Eriwan"]


def test_no_zat_is_set_into_a_rest(eriwan: Any) -> None:
    """A date in it is refused with the way out; more time by days goes over it; a later date is taken as it is."""
    eriwan.tick()
    rest(eriwan, "18.11.", "24.11.")
    with pytest.raises(Refused, match=r"rests from 2026-11-18 to 2026-11-24.* gm resume --all"):
        actions.move_zat(eriwan.app, "Eriwan", "2026-11-20 20:00")
    assert actions.move_zat(eriwan.app, "Eriwan", "+1d") == at("2026-11-17T20:00")
    assert actions.move_zat(eriwan.app, "Eriwan", "+3d") == at("2026-11-27T20:00")
    assert actions.move_zat(eriwan.app, "Eriwan", "+1d") == at("2026-11-28T20:00")
    assert actions.move_zat(eriwan.app, "Eriwan", "2026-11-25 20:00") == at("2026-11-25T20:00")


def test_a_paused_game_rests_without_counting_twice(eriwan: Any) -> None:
    """Pause and rest overlap by three days and a half: each is counted once, and begun days are the players'."""
    actions.pause(eriwan.app, "Eriwan", "15d")  # 2 to 17 November; ZAT 1 December
    assert eriwan.zat == at("2026-12-01T20:00")
    rest(eriwan)
    assert eriwan.zat == at("2026-12-05T20:00")  # from noon of the 17th on: four days
    actions.resume(eriwan.app, "Eriwan")
    assert eriwan.zat == at("2026-11-24T20:00")
    resting.go_on(eriwan.app)
    assert eriwan.zat == at("2026-11-17T20:00")


def test_a_pause_within_a_rest_is_none(eriwan: Any) -> None:
    """The game stands still anyway; a pause that is longer than the rest is one."""
    rest(eriwan, None, "10.11.")
    with pytest.raises(Refused, match="The zine rests, and Eriwan with it, until the end of 2026-11-10"):
        actions.pause(eriwan.app, "Eriwan", "3d")
    actions.pause(eriwan.app, "Eriwan", "20d")
    assert eriwan.zat >= at("2026-12-06T20:00")


def test_hours_move_exactly(begin: Any) -> None:
    """A span of hours goes over a rest by its exact length, also across summer time."""
    eriwan = begin("seated", now="2027-03-27T12:00:00+01:00")
    with eriwan.writing() as session:
        game_queries.named(session, "Eriwan").span = "36h"
    zat = actions.start(eriwan.app, "Eriwan").zat
    rest(eriwan, "28.3.", "28.3.")
    assert eriwan.zat - zat == dt.timedelta(hours=23)
    resting.go_on(eriwan.app)
    assert eriwan.zat == zat


def test_no_zat_on_a_holiday_after_a_rest(begin: Any) -> None:
    """The first free day behind it, at the same time."""
    eriwan = begin("started", deadlines={"holidays": ["2026-11-23", "2026-11-24"]})
    rest(eriwan)
    assert eriwan.zat == at("2026-11-25T20:00")


@pytest.mark.parametrize(
    ("first", "last", "why"),
    [("1.12.", "31.12.", "31 days; a rest has 30 at most"), ("2028-01-01", "2028-01-05", "more than a year ahead")],
)
def test_a_rest_has_a_maximum(eriwan: Any, first: str, last: str, why: str) -> None:
    """`pause_max` is the longest, a year the furthest; nothing happens where more is wanted."""
    with pytest.raises(Refused, match=why):
        rest(eriwan, first, last)
    assert eriwan.zat == at("2026-11-16T20:00")
    assert not told(eriwan)


def test_one_rest_at_a_time(eriwan: Any) -> None:
    """A second one is refused while the first lies ahead or lasts, and taken when it is over; so is its end."""
    with pytest.raises(Refused, match="doesn't rest"):
        resting.go_on(eriwan.app)
    rest(eriwan)
    with pytest.raises(Refused, match="rests from 2026-11-14 to 2026-11-20 already; gm resume --all"):
        rest(eriwan, "1.12.", "3.12.")
    eriwan.at("2026-11-21T00:00:00+01:00")
    with pytest.raises(Refused, match="doesn't rest"):
        resting.go_on(eriwan.app)
    rest(eriwan, "1.12.", "3.12.")
    assert eriwan.zat == at("2026-11-23T20:00")


def test_games_show_a_rest(eriwan: Any) -> None:
    """While it lasts, `gm show` and `gm list` say until when, as in a pause."""
    rest(eriwan)
    assert eriwan.show()["paused_until"] is None
    eriwan.at("2026-11-14T00:00:00+01:00")
    assert eriwan.show()["paused_until"] == "2026-11-21T00:00:00+01:00"
    eriwan.at("2026-11-21T00:00:00+01:00")
    assert eriwan.show()["paused_until"] is None


def test_what_a_rest_stores(eriwan: Any) -> None:
    """It is read as it was written, whatever the reason says."""
    rest(eriwan, why='Käse "und" {Wein}')
    with eriwan.app.database.read() as session:
        found = rests.noted(session)
        text = rests.meta_queries.get_meta(session, rests.KEY)
    assert found is not None
    assert (found.start, found.end, found.why) == (at("2026-11-14T00:00"), at("2026-11-21T00:00"), 'Käse "und" {Wein}')
    assert json.loads(text).keys() == {"start", "end", "told", "why"}
