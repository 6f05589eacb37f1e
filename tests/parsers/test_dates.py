"""Days and spans as people write them (issue 29): what is meant depends on the day on which it is said."""

from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from parsers.lines.dates import (
    Days,
    find_days,
    looks_like_days,
    propose_days,
    read_days,
    read_span,
    read_time,
    read_until,
)

WEDNESDAY = date(2026, 11, 4)
EXAMPLE = "24.12.2026-06.01.2027"


def said_on(today: date, text: str) -> tuple[str, str]:
    """What a span means when it is said on a day."""
    days = read_days(text)
    assert days is not None, text
    found = days.on(today)
    assert found is not None, text
    return found[0].isoformat(), found[1].isoformat()


@pytest.mark.parametrize(
    "days",
    [
        "24.12.2026 - 06.01.2027", "24.12.2026–6.1.2027", "24.12.26-6.1.27", "24.12.2026 bis 06.01.2027",
        "vom 24.12.2026 bis zum 06.01.2027", "24.12.2026 06.01.2027", "24.12. - 6.1.2027", "24.12.-06.01.27",
        "2026-12-24 - 2027-01-06", "2026-12-24 to 2027-01-06", "from 24 Dec 2026 till 6 Jan 2027",
        "24. Dezember bis 6. Januar 2027", "24th December 2026 until 6th January 2027", "2026-12-24–06.01.2027",
        "24.12.-6.1.", "24.12.-06.01.", "vom 24. Dezember bis zum 6. Januar", "ab dem 24.12. bis einschließlich 6.1.",
        "zwischen 24.12. und 6.1.", "between December 24 and January 6", "Dec 24th to Jan 6th, 2027",
        "from the 24th of December until the 6th of January", "von Donnerstag, 24.12. bis Mittwoch, den 6.1.",
        "ab 24.12. für zwei Wochen", "from December 24 for 14 days", "24.12.2026-6.1.",
    ],
)  # fmt: skip
def test_one_span_written_in_many_ways(days: str) -> None:
    """A day that lacks its year is the next such day, or the last one before the day that has it."""
    assert said_on(WEDNESDAY, days) == ("2026-12-24", "2027-01-06")


FROM_TODAY = [
    ("bis Sonntag", 4, 8), ("until Sunday", 4, 8), ("till tomorrow", 4, 5), ("bis zum 9.11.", 4, 9),
    ("ab Montag bis Freitag", 9, 13), ("from Monday to Friday", 9, 13), ("Montag bis Freitag", 9, 13),
    ("ab morgen bis Sonntag", 5, 8), ("heute bis Freitag", 4, 6), ("bis nächsten Freitag", 4, 6),
    ("nächste Woche", 9, 15), ("next week", 9, 15), ("diese Woche", 4, 8), ("naechste woche", 9, 15),
    ("am Wochenende", 7, 8), ("this weekend", 7, 8), ("nächstes Wochenende", 14, 15),
    ("morgen", 5, 5), ("übermorgen", 6, 6), ("the day after tomorrow", 6, 6), ("am Freitag", 6, 6),
    ("am 24.11.", 24, 24), ("on November 24", 24, 24), ("3 Tage", 4, 6), ("für 3 Tage", 4, 6),
    ("eine Woche", 4, 10), ("for a week", 4, 10), ("ab Montag 3 Tage", 9, 11), ("20. bis 27.11.", 20, 27),
    ("vom 20. bis 27. November", 20, 27), ("10.-12.11.", 10, 12), ("bis Mittwoch", 4, 11),
]  # fmt: skip


def test_days_named_from_today(subtests: pytest.Subtests) -> None:
    """Weekdays come after today, weeks begin on Monday, and a span counts its first day."""
    for text, first, last in FROM_TODAY:
        with subtests.test(text=text, first=first, last=last):
            assert said_on(WEDNESDAY, text) == (f"2026-11-{first:02}", f"2026-11-{last:02}")


def test_the_running_or_the_next_span() -> None:
    """Said on 2 January, `24.12.-6.1.` has begun in the old year; said in March, it is next December's (issue 29)."""
    assert said_on(date(2027, 1, 2), "24.12.-6.1.") == ("2026-12-24", "2027-01-06")
    assert said_on(date(2027, 1, 6), "24.12.-6.1.") == ("2026-12-24", "2027-01-06")
    assert said_on(date(2027, 1, 7), "24.12.-6.1.") == ("2027-12-24", "2028-01-06")
    assert said_on(date(2027, 3, 1), "24.12.-6.1.") == ("2027-12-24", "2028-01-06")
    assert said_on(date(2026, 12, 31), "bis 3.1.") == ("2026-12-31", "2027-01-03")
    assert said_on(date(2026, 11, 4), "29.2.-3.3.") == ("2028-02-29", "2028-03-03")
    assert said_on(date(2027, 1, 2), "28.12. bis 4.1.") == ("2026-12-28", "2027-01-04")
    assert said_on(date(2026, 1, 5), "30. bis 2.2.") == ("2026-01-30", "2026-02-02")


def test_a_span_within_a_year() -> None:
    """The first day takes the year of the last, and a span may be a year long."""
    assert said_on(WEDNESDAY, "1.7.-14.7.2027") == ("2027-07-01", "2027-07-14")
    assert said_on(WEDNESDAY, "1.1.2028-31.12.2028") == ("2028-01-01", "2028-12-31")
    assert said_on(WEDNESDAY, "1.7.2027-1.7.2027") == ("2027-07-01", "2027-07-01")


@pytest.mark.parametrize(
    ("days", "proposed"),
    [
        ("06.01.2027-24.12.2026", EXAMPLE), ("31.02.2027-01.03.2027", "28.02.2027-01.03.2027"),
        ("1.1.2027-2.1.2028", "01.01.-02.01."), ("24/12/2026-06/01/2027", EXAMPLE), ("12/24-2/13", "24.12.-13.02."),
        ("1.13.2026-2.13.2026", "13.01.2026-13.02.2026"), ("24 Foo 2026 - 6 Bar 2027", "?"),
        ("24.12.0026-06.01.0027", EXAMPLE), ("31.12.-31.2.", "31.12.-29.02."),
    ],
)  # fmt: skip
def test_impossible_days_are_proposed_as_they_may_be_right(days: str, proposed: str) -> None:
    """A proposal shows the sender's own dates, never the fixed example, where there are any (issue 29)."""
    assert read_days(days) is None
    assert looks_like_days(days)
    assert propose_days(days, "?") == proposed


@pytest.mark.parametrize(
    "text",
    ["", "Sommer", "war schön", "24.12.2026", "bald", "3", "bis bald", "bis dann", "von Anna bis Zoe", "Freitag",
     "1.5", "A1 bis B2", "to be", "und morgen", "100 Tage"],
)  # fmt: skip
def test_other_texts_are_no_days(text: str) -> None:
    """A single date is no span, nor is what only has the words of one."""
    assert read_days(text) is None


def test_days_are_found_in_a_sentence() -> None:
    """Where they begin and end is told, and a part of a word is none."""
    for text, part in (
        ("bin vom 20.12. bis 3.1. weg", "vom 20.12. bis 3.1."), ("Ich bin bis Sonntag verreist", "bis Sonntag"),
        ("nächste Woche bin ich im Urlaub", "nächste Woche"), ("I am away until Jan 3", "until Jan 3"),
    ):  # fmt: skip
        found = find_days(text)
        assert found is not None
        assert text[found[1] : found[2]] == part
    assert find_days("Guten Morgen") is None
    assert find_days("allerheute") is None


def test_spans_and_days_behind_a_name() -> None:
    """What stands before is returned: the game."""
    assert read_span("Eriwan +3 Tage") == ("Eriwan", "3d")
    assert read_span("Eriwan um eine Woche") == ("Eriwan", "7d")
    assert read_span("Eriwan 100 Tage") == ("Eriwan 100 Tage", "")
    assert read_until("Eriwan bis Sonntag")[0] == "Eriwan"
    assert read_until("Eriwan bis 31.2.") == ("Eriwan bis 31.2.", None)


ANY_DAY = st.dates(date(2020, 1, 1), date(2040, 1, 1))


@given(ANY_DAY, ANY_DAY, st.integers(0, 300), st.sampled_from(["{}-{}", "vom {} bis {}", "{} to {}"]))
def test_a_span_without_years_is_the_first_that_is_not_over(today: date, first: date, days: int, form: str) -> None:
    """Its last day is never past, and the same span a year before is over."""
    last = first + timedelta(days=days)
    assume((first.month, first.day) != (2, 29) != (last.month, last.day))
    read = read_days(form.format(f"{first.day}.{first.month}.", f"{last.day}.{last.month}."))
    assert read is not None
    meant = read.on(today)
    assert meant is not None
    assert [(day.month, day.day) for day in meant] == [(first.month, first.day), (last.month, last.day)]
    assert today <= meant[1] <= today + timedelta(days=366)
    assert 0 <= (meant[1] - meant[0]).days < 366


@given(ANY_DAY, ANY_DAY, st.integers(0, 365), st.sampled_from(["%d.%m.%Y", "%Y-%m-%d", "%d %B %Y", "%B %d, %Y"]))
def test_a_span_with_years_is_what_it_says(today: date, first: date, days: int, form: str) -> None:
    """It doesn't matter when it is said."""
    last = first + timedelta(days=days)
    read = read_days(f"{first:{form}} bis {last:{form}}")
    assert read is not None
    assert read.on(today) == (first, last)


@given(st.text(alphabet="0123456789.- bistozumvonabTageWoche/", max_size=40), ANY_DAY)
def test_any_text_is_days_or_none(text: str, today: date) -> None:
    """Nothing raises, and what is found is in order."""
    read = read_days(text)
    assert propose_days(text, "?")
    found = read.on(today) if isinstance(read, Days) else None
    assert found is None or found[0] <= found[1]


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_time_of_day_is_read(hour: int, minute: int) -> None:
    """A time is read as it is written, with a colon or a dot, by 24 or by 12 hours."""
    clock, half = f"{hour:02}:{minute:02}", "pm" if hour >= 12 else "am"
    for text in (clock, f"{hour}:{minute:02}", f"um {hour}.{minute:02} Uhr", f"{hour % 12 or 12}:{minute:02} {half}"):
        assert read_time(text) == clock, text


@pytest.mark.parametrize("text", ["", "25:00", "18:60", "13 pm", "0 am", "18:00:00", "18-20", "achtzehn", "24:01"])
def test_what_is_no_time_of_day(text: str) -> None:
    """Nothing is guessed."""
    assert read_time(text) is None
