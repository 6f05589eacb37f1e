"""Instants in words: weekday, date, clock time and zone, as German and English readers write them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from gm.messages.rendering.dates import weekday_name, write_date

BERLIN = ZoneInfo("Europe/Berlin")
WINTER = datetime(2026, 12, 18, 19, 0, tzinfo=UTC)
SUMMER = datetime(2027, 6, 4, 18, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("instant", "language", "pattern", "written"),
    [
        (WINTER, "de", "long", "Freitag, 18.12.2026, 20:00 Uhr (MEZ)"),
        (SUMMER, "de", "long", "Freitag, 04.06.2027, 20:00 Uhr (MESZ)"),
        (WINTER, "en", "long", "Friday, 18 December 2026, 20:00 (CET)"),
        (SUMMER, "en", "long", "Friday, 4 June 2027, 20:00 (CEST)"),
        (WINTER, "de", "short", "Fr, 18.12.2026, 20:00 Uhr"),
        (SUMMER, "de", "short", "Fr, 04.06.2027, 20:00 Uhr"),
        (WINTER, "en", "short", "Fri, 18 Dec 2026, 20:00"),
        (SUMMER, "en", "short", "Fri, 4 Jun 2027, 20:00"),
        (WINTER, "de", "date", "18.12.2026"),
        (WINTER, "en", "date", "18 December 2026"),
        (WINTER, "de", "day", "Fr, 18.12."),
        (WINTER, "en", "day", "Fri, 18 Dec"),
    ],
)
def test_both_halves_of_the_year(instant, language, pattern, written):
    """A deadline says its weekday and year, and which of the two times it is in."""
    assert write_date(instant, BERLIN, language, pattern) == written


@pytest.mark.parametrize(
    ("instant", "written"),
    [
        (datetime(2026, 10, 25, 0, 59, tzinfo=UTC), "Sonntag, 25.10.2026, 02:59 Uhr (MESZ)"),
        (datetime(2026, 10, 25, 1, 0, tzinfo=UTC), "Sonntag, 25.10.2026, 02:00 Uhr (MEZ)"),
        (datetime(2027, 3, 28, 0, 59, tzinfo=UTC), "Sonntag, 28.03.2027, 01:59 Uhr (MEZ)"),
        (datetime(2027, 3, 28, 1, 0, tzinfo=UTC), "Sonntag, 28.03.2027, 03:00 Uhr (MESZ)"),
    ],
)
def test_the_nights_when_clocks_change(instant, written):
    """In the hour that comes twice, the zone tells which of the two is meant."""
    assert write_date(instant, BERLIN, "de") == written


def test_every_weekday_without_a_full_stop():
    """The German short weekday is written as on a calendar: `Mo`, not `Mo.`."""
    written = [write_date(datetime(2026, 11, day, 12, tzinfo=UTC), BERLIN, "de", "short")[:4] for day in range(2, 9)]
    assert written == ["Mo, ", "Di, ", "Mi, ", "Do, ", "Fr, ", "Sa, ", "So, "]


def test_another_zone():
    """A zine elsewhere tells its own clock."""
    assert write_date(WINTER, ZoneInfo("UTC"), "en") == "Friday, 18 December 2026, 19:00 (UTC)"


def test_weekdays():
    """Monday is the first day of the week, in both languages."""
    assert [weekday_name(number, "de") for number in (0, 6)] == ["Montag", "Sonntag"]
    assert [weekday_name(number, "en") for number in (0, 6)] == ["Monday", "Sunday"]
