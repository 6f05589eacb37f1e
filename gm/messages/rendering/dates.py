"""Instants as readers write them: weekday, date, time and zone (bulletins.md 5)."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime, format_timedelta, get_day_names

from games.api import Language
from gm.runtime.catalogues import catalogue


def _patterns(language: Language) -> Mapping[str, str]:
    return catalogue("dates", language)


def write_date(instant: datetime, zone: ZoneInfo, language: Language, pattern: str = "long") -> str:
    """Write an instant in local time: `Freitag, 18.12.2026, 20:00 Uhr (MEZ)`; `short`, `date` and `day` for less."""
    # Every mail about a game names its ZAT and today, and Babel takes its time.
    return _written(instant.replace(second=0, microsecond=0), zone, language, pattern)


def write_span(span: timedelta, language: Language) -> str:
    """Write how long something takes, in the largest unit of which it has at least two: `75 Minuten`, `3 Tage`."""
    return format_timedelta(span, granularity="minute", threshold=2, locale=_patterns(language)["locale"])


def write_day(day: date, language: Language) -> str:
    """Write a day: `24.12.2026`, `24 December 2026`."""
    return format_date(day, _patterns(language)["date"], locale=_patterns(language)["locale"])


@lru_cache(maxsize=512)
def _written(minute: datetime, zone: ZoneInfo, language: Language, pattern: str) -> str:
    form = _patterns(language)[pattern]
    written = format_datetime(minute, form, tzinfo=zone, locale=_patterns(language)["locale"])
    return written.replace(".,", ",")  # the short weekday of a German locale carries a full stop: "Fr."


def weekday_name(number: int, language: Language) -> str:
    """Name a day of the week, 0 for Monday."""
    return str(get_day_names(locale=_patterns(language)["locale"])[number])
