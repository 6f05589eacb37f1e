"""ZAT arithmetic: whole days end at the same local time, across summer time and holidays."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.game.deadlines import first_free, local_instant, next_zat, parse_when
from gm.runtime.clock import utcnow
from gm.runtime.config.settings import Span
from gm.runtime.errors import Refused

BERLIN = ZoneInfo("Europe/Berlin")
EIGHT = dt.time(20)


def berlin(text: str) -> dt.datetime:
    """A local instant, written as ISO 8601."""
    return dt.datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(dt.UTC)


def zat(start: str, span: str, at: dt.time = EIGHT, holidays: tuple[dt.date, ...] = ()) -> str:
    """The ZAT as local time with its offset."""
    found = next_zat(berlin(start), Span.parse(span), at, BERLIN, holidays)
    assert found.tzinfo is dt.UTC
    return found.astimezone(BERLIN).isoformat(timespec="minutes")


@pytest.mark.parametrize("start", ["2026-11-02T00:00", "2026-11-02T19:59", "2026-11-02T23:59"])
def test_days_are_counted_from_the_local_day(start: str) -> None:
    """Whenever on a day a round starts, it ends the same evening."""
    assert zat(start, "14d") == "2026-11-16T20:00+01:00"


def test_local_day_is_not_the_day_in_utc() -> None:
    """A start after midnight here counts from our day though UTC still has the day before."""
    assert berlin("2026-11-02T00:30").day == 1
    assert zat("2026-11-02T00:30", "1d") == "2026-11-03T20:00+01:00"


@pytest.mark.parametrize(
    ("start", "span", "end"),
    [
        ("2026-10-24T12:00", "1d", "2026-10-25T20:00+01:00"),
        ("2026-10-20T12:00", "14d", "2026-11-03T20:00+01:00"),
        ("2027-03-27T12:00", "1d", "2027-03-28T20:00+02:00"),
        ("2027-03-20T12:00", "14d", "2027-04-03T20:00+02:00"),
    ],
)
def test_clock_time_stays_through_summer_time(start: str, span: str, end: str) -> None:
    """20:00 stays 20:00 when the clocks are changed in between."""
    assert zat(start, span) == end


@pytest.mark.parametrize(
    ("start", "span", "end"),
    [
        ("2026-10-25T01:00", "12h", "2026-10-25T12:00+01:00"),
        ("2027-03-28T01:00", "12h", "2027-03-28T14:00+02:00"),
        ("2026-10-25T01:30", "90m", "2026-10-25T02:00+01:00"),
        ("2027-03-28T01:30", "90m", "2027-03-28T04:00+02:00"),
    ],
)
def test_hours_are_exact(start: str, span: str, end: str) -> None:
    """12 hours are 12 hours, also in the night when the clocks are changed."""
    assert zat(start, span) == end


def test_time_that_comes_twice_is_the_second() -> None:
    """02:30 on the night of 25 October 2026 comes twice: nobody is late at the first."""
    assert zat("2026-10-24T12:00", "1d", dt.time(2, 30)) == "2026-10-25T02:30+01:00"


def test_time_that_never_comes_is_after_the_gap() -> None:
    """02:30 on 28 March 2027 doesn't exist: the ZAT is as long after 02:00 as it would have been."""
    assert zat("2027-03-27T12:00", "1d", dt.time(2, 30)) == "2027-03-28T03:30+02:00"


def test_holidays_are_skipped() -> None:
    """A ZAT on a holiday moves to the next day that is none; hours don't care."""
    christmas = tuple(dt.date(2026, 12, day) for day in (24, 25, 26))
    assert zat("2026-12-10T12:00", "14d", holidays=christmas) == "2026-12-27T20:00+01:00"
    assert zat("2026-12-10T12:00", "13d", holidays=christmas) == "2026-12-23T20:00+01:00"
    assert zat("2026-12-24T12:00", "12h", holidays=christmas) == "2026-12-25T00:00+01:00"


NOW = berlin("2026-10-20T12:00")
PRESENT = berlin("2026-10-24T20:00:30")


WHEN = [
    ("+7d", "2026-10-31T20:00:30"),
    ("+1d", "2026-10-25T20:00:30"),
    (" +12h ", "2026-10-25T07:00:30"),
    ("+90m", "2026-10-24T21:30:30"),
    ("2026-12-24 20:00", "2026-12-24T20:00"),
    ("2026-12-24T20:00:30", "2026-12-24T20:00:30"),
    ("24.12.2026 20:00", "2026-12-24T20:00"),
    ("24.12.2026, 20:00 Uhr", "2026-12-24T20:00"),
    ("1.2.2027 9:05", "2027-02-01T09:05"),
    ("+3 Tage", "2026-10-27T20:00:30"),
    ("3 days", "2026-10-27T20:00:30"),
    ("+1 Woche", "2026-10-31T20:00:30"),
    ("12 Stunden", "2026-10-25T07:00:30"),
    ("7d", "2026-10-31T20:00:30"),
    ("heute 20:00", "2026-10-20T20:00"),
    ("tomorrow 20:00", "2026-10-21T20:00"),
    ("Morgen, 18 Uhr", "2026-10-21T18:00"),
    ("tomorrow", "2026-10-21T19:30"),
    ("übermorgen", "2026-10-22T19:30"),
    ("Sonntag", "2026-10-25T19:30"),
    ("bis Sonntag um 18:00 Uhr", "2026-10-25T18:00"),
    ("Tuesday 13:00", "2026-10-20T13:00"),
    ("Tuesday 11:00", "2026-10-27T11:00"),
    ("24.12. 20:00", "2026-12-24T20:00"),
    ("24.12.", "2026-12-24T19:30"),
    ("6.1. 9:05", "2027-01-06T09:05"),
    ("20.10.", "2026-10-20T19:30"),
    ("20.10. 11:59", "2027-10-20T11:59"),
    ("29.2.", "2028-02-29T19:30"),
    ("24.12.2026", "2026-12-24T19:30"),
    ("2026-12-24", "2026-12-24T19:30"),
    ("2026-12-24 um 20 Uhr", "2026-12-24T20:00"),
]


def test_when_is_read(subtests: pytest.Subtests) -> None:
    """A span counts from the present ZAT and days keep its clock time; a date is local.

    What is left out is the next such day, and the time of `deadlines.time` (issue 29, "Names").
    """
    for text, when in WHEN:
        with subtests.test(text=text, when=when):
            assert parse_when(text, NOW, PRESENT, BERLIN, dt.time(19, 30)) == berlin(when)


def test_span_counts_from_now_without_a_zat() -> None:
    """A held game has no ZAT: its new one counts from now."""
    assert parse_when("+2d", NOW, None, BERLIN) == berlin("2026-10-22T12:00")


@pytest.mark.parametrize("text", ["", "soon", "+7", "-7", "30.2.", "31.11. 20:00", "2026-02-30 20:00", "2026-02-30",
                                  "2026-12-24 25:00", "tomorrow 20:60", "24.12. 20", "+99999d+", "２026-12-24 20:00",
                                  "٢٤.12.", "20:00", "12.2026"])  # fmt: skip
def test_unreadable_when_says_what_is_allowed(text: str) -> None:
    """What can't be read is refused with all that can."""
    with pytest.raises(Refused, match="2026-12-24 20:00"):
        parse_when(text, NOW, PRESENT, BERLIN)


@pytest.mark.parametrize(
    "text", ["2026-10-20 12:00", "2020-01-01 20:00", "24.12.2025 20:00", "24.12.2025", "2026-10-19", "heute 11:00"]
)
def test_past_is_refused(text: str) -> None:
    """A deadline must lie in the future."""
    with pytest.raises(Refused, match="has passed"):
        parse_when(text, NOW, PRESENT, BERLIN)


@given(st.text(st.sampled_from("0123456789.:-+ dhmTagorgenSonutbiü"), max_size=20))
def test_whatever_is_typed_is_a_time_to_come_or_refused(text: str) -> None:
    """No text is anything but a deadline ahead or one sentence (interface.md: no traceback ever reaches a user)."""
    try:
        found = parse_when(text, NOW, PRESENT, BERLIN)
    except Refused:
        return
    assert found > NOW


@pytest.mark.parametrize(
    ("text", "when"),
    [("+1d", "2026-10-21T20:00"), ("+3d", "2026-10-23T20:00"), ("+12h", "2026-10-21T00:00")],
)
def test_span_from_a_passed_zat_counts_from_today(text: str, when: str) -> None:
    """After an outage or an undo the ZAT may have passed long ago: `+3d` still gives three days, at its clock time."""
    assert parse_when(text, NOW, berlin("2026-10-01T20:00"), BERLIN) == berlin(when)


def test_a_free_day_moves_a_zat_on() -> None:
    """The first day that isn't free, at the same time by the clock."""
    free = {dt.date(2026, 10, 24), dt.date(2026, 10, 25)}
    assert first_free(PRESENT, free, BERLIN) == berlin("2026-10-26T20:00:30")
    assert first_free(PRESENT, free - {dt.date(2026, 10, 24)}, BERLIN) == PRESENT


def test_local_instant_in_other_zones() -> None:
    """The same holds where summer time has half an hour (Lord Howe)."""
    howe = ZoneInfo("Australia/Lord_Howe")
    assert local_instant(dt.date(2026, 10, 4), dt.time(2, 15), howe).astimezone(howe).time() == dt.time(2, 45)


def test_clock_is_aware() -> None:
    """The clock answers in UTC, so that nothing is ever compared with a local time."""
    assert utcnow().tzinfo is dt.UTC
