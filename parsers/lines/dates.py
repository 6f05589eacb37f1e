"""Days and spans as people write them: `24.12. bis 6.1.`, `bis Sonntag`, `nächste Woche`, `3 Tage`.

What lacks its year, or is a day of the week, depends on the day on which it is said. So a reading holds `Days`, and
whoever knows today asks `Days.on`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from parsers.calendar_words import (
    AHEAD,
    BARE_DAY,
    DATE,
    DAY,
    LOOSE_DATE,
    MONTH_OF,
    NUMBER,
    NUMBER_OF,
    UNTIL,
    WEEKDAY_OF,
    plain_words,
)

MOST_DAYS: Final = 366
"""Nobody is on vacation for longer."""
MOST_YEARS: Final = 9
"""The 29th of February comes again after eight years at the latest."""
LEAP: Final = 2000

FROM = r"(?:vom|von|ab(?: dem)?|zwischen|from|starting(?: on)?|between)"
TO = rf"(?:\s*[-‐‑‒–—]+\s*|\s*(?:{UNTIL}|und|and)\s+|(?<=[0-9.])\s+(?=[0-9]))"
SPAN_DAYS = rf"(?:(?:für|fuer|um|for)\s+)?(?P<count>{NUMBER})\s*(?P<unit>tage?n?|days?|wochen?|weeks?)\b"
WEEK = (
    r"(?:(?:in der |die )?(?P<week>nächste|naechste|kommende|diese)[rn]? woche"
    r"|(?:the )?(?P<week_en>next|this|the coming) week"
    r"|(?:am |übers? |uebers? |das )?(?P<end>nächste[sn]? |naechste[sn]? |kommende[sn]? |dieses )?wochenende"
    r"|(?:at |on |over |for )?(?P<end_en>the |this |next )?weekend)\b"
)
DAYS = re.compile(
    rf"(?<!\w)(?:(?:(?:(?:{FROM}|am|on)\s+)?(?P<first>{DAY}|{BARE_DAY}){TO}|{UNTIL}\s+)(?P<last>{DAY})(?![0-9])"
    rf"|(?:{FROM}\s+(?P<since>{DAY})\s+)?{SPAN_DAYS}|{WEEK}|(?:am|on)\s+(?P<at>{DAY})|(?P<alone>{AHEAD}))",
    re.IGNORECASE,
)
WORDED = re.compile(r"[0-9]+|[a-zäöü]{3,}", re.IGNORECASE)
TWO_DAYS = re.compile(r"(?!zwischen|between).*\s(?:und|and)\s", re.IGNORECASE)
LOOKS_LIKE_DAYS = re.compile(r"\D{0,12}[0-9][0-9./ -]{3,14}\D{0,10}[0-9][0-9./ -]{3,14}[0-9.]")
"""A wrong year, month or day: near enough to be told how days are written."""
LOOSE_DAYS = re.compile(rf"(?:{FROM}\s+)?{LOOSE_DATE}{TO}{LOOSE_DATE}", re.IGNORECASE)

SPAN = re.compile(
    rf"(?P<before>.*?)(?:(?:^|\s)(?:um|by|for))?(?:^|\s+)\+?(?P<number>{NUMBER})\s*"
    r"(?:(?P<days>tage?n?|days?|d|t)|(?P<hours>stunden?|hours?|std|h)|(?P<weeks>wochen?|weeks?|w))\.?",
    re.IGNORECASE,
)
TIME = re.compile(
    r"(?:(?:täglich|taeglich|jeden tag|daily|every day)\s+)?(?:(?:um|ab|gegen|at|from)\s+)?"
    r"(?P<hour>[0-9]{1,2})(?:\s?[:.]\s?(?P<minute>[0-9]{2}))?"
    r"(?:\s*(?:uhr|h|o['’]?clock|(?P<half>[ap])\.?\s?m\.?))?",
    re.IGNORECASE,
)
"""A time of day: `18:00`, `18.30 Uhr`, `um 7`, `6 pm`."""
UNTIL_DAY = re.compile(rf"(?P<before>.*?)(?:^|\s+){UNTIL}\s+(?P<day>{DAY})", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Day:
    """A day as somebody named it: a date, a day of the week, or so many days ahead."""

    day: int = 0
    month: int = 0
    """0: the one of the day that follows (`20. bis 27.12.`)."""
    year: int = 0
    """0: none was named."""
    weekday: int | None = None
    """0 is Monday."""
    week: int | None = None
    """0 is the present week, 1 the next; None: the first such weekday to come."""
    ahead: int | None = None

    @property
    def is_date(self) -> bool:
        """Whether it stands in a calendar, with or without its year."""
        return self.day > 0

    def to_come(self, today: date, after: date | None = None) -> date | None:
        """Return the day that is meant today: the next such date, today included, or the next weekday after it."""
        after = after or today
        if self.ahead is not None:
            return today + timedelta(days=self.ahead)
        if self.weekday is not None and self.week is not None:
            return today + timedelta(days=7 * self.week + self.weekday - today.weekday())
        if self.weekday is not None:
            return after + timedelta(days=(self.weekday - after.weekday() - 1) % 7 + 1)
        years = (self.year,) if self.year else range(after.year, after.year + MOST_YEARS)
        found = (self._in(year) for year in years)
        return next((one for one in found if one and (self.year or one >= after)), None)

    def _in(self, year: int) -> date | None:
        try:
            return date(year, self.month, self.day)
        except ValueError:
            return None

    def before(self, last: date) -> date | None:
        """Return the last such date up to another day; one with its year is what it is."""
        month = self.month or (last.month if self.day <= last.day else (last.month - 2) % 12 + 1)
        whole = Day(day=self.day, month=month)
        years = (self.year,) if self.year else (last.year, last.year - 1)
        return next((one for year in years if (one := whole._in(year)) and (self.year or one <= last)), None)

    def past(self, today: date) -> date | None:
        """Return the day that is meant by who looks back: the last such date, today included, or such a weekday."""
        if self.weekday is not None:
            return today - timedelta(days=(today.weekday() - self.weekday - 1) % 7 + 1)
        return self.before(today) if self.is_date else self.to_come(today)

    @property
    def eve(self) -> "Day":
        """The day before it."""
        if self.ahead is not None:
            return replace(self, ahead=self.ahead - 1)
        if self.weekday is not None:
            week = None if self.week is None else self.week - (self.weekday == 0)
            return replace(self, weekday=(self.weekday - 1) % 7, week=week)
        before = date(self.year or LEAP + 1, self.month, self.day) - timedelta(days=1)
        return Day(day=before.day, month=before.month, year=before.year if self.year else 0)

    @property
    def is_possible(self) -> bool:
        """Whether any calendar has it."""
        return not self.is_date or self._in(self.year or LEAP) is not None or not self.month


TODAY: Final = Day(ahead=0)


@dataclass(frozen=True, kw_only=True)
class Days:
    """A span of days as somebody named it."""

    first: Day = TODAY
    last: Day | None = None
    length: int = 0
    """So many days from the first, where the last isn't named."""

    def on(self, today: date) -> tuple[date, date] | None:
        """Return the first and the last day, as it is meant today: the running or next such span.

        None where there is no such span, or one of a year and more.
        """
        found = self._from_length(today) if self.last is None else self._to_last(today, self.last)
        first, last = found or (None, None)
        return (first, last) if first and last and 0 <= (last - first).days < MOST_DAYS else None

    def _from_length(self, today: date) -> tuple[date | None, date | None]:
        ahead = timedelta(days=self.length - 1)
        since = today - ahead if self.first.is_date else today  # a span that runs is still meant
        first = self.first.to_come(today, since) if self.first.is_date else self.first.to_come(today)
        return first, first + ahead if first else None

    def _to_last(self, today: date, named: Day) -> tuple[date | None, date | None]:
        if not named.is_date or not self.first.is_date or (self.first.year and not named.year):
            first = self.first.to_come(today)
            return first, named.to_come(today, first) if first else None
        last = named.to_come(today)
        while last and not named.year and self.first.before(last) is None and last.year < today.year + MOST_YEARS:
            last = named.to_come(today, last + timedelta(days=1))  # it begins on a 29th of February
        return (self.first.before(last), last) if last else (None, None)

    @property
    def is_possible(self) -> bool:
        """Whether there may be such a span; without a year that depends on the day on which it is said."""
        named = [day for day in (self.first, self.last) if day]
        is_fixed = self.first.is_date and any(day.year for day in named)
        return all(day.is_possible for day in named) and (not is_fixed or self.on(date(LEAP, 1, 1)) is not None)


_CHRISTMAS: Final = Days(first=Day(day=24, month=12), last=Day(day=26, month=12))
_NEW_YEAR: Final = Days(first=Day(day=31, month=12), last=Day(day=1, month=1))
_BOTH: Final = Days(first=_CHRISTMAS.first, last=_NEW_YEAR.last)
HOLIDAY_DAYS: Final = {
    **dict.fromkeys(("weihnachten", "weihnachtstage", "weihnachtsfeiertage", "christmas"), _CHRISTMAS),
    **dict.fromkeys(("silvester", "neujahr", "jahreswechsel"), _NEW_YEAR),
    **dict.fromkeys(("feiertage", "feiertagen"), _BOTH),
}
"""Days of a name that are the same each year."""

# -- reading -----------------------------------------------------------------------------------------------------------


def read_days(text: str) -> Days | None:
    """Read a text that is nothing but a span of days; None for anything else, and for days that can't be."""
    found = DAYS.fullmatch(text.strip())
    days = _days(found) if found else None
    return days if days and days.is_possible else None


def read_day(text: str) -> Day | None:
    """Read a text that is nothing but one day (`20.11.`, `Sonntag`, `morgen`); None for anything else."""
    found = re.fullmatch(DAY, text.strip(), re.IGNORECASE)
    day = _day(found[0]) if found else None
    return day if day and day.is_possible else None


def find_days(text: str) -> tuple[Days, int, int] | None:
    """Find a span of days within a text, with where it begins and ends."""
    for found in DAYS.finditer(text):
        is_word = not text[: found.start()][-1:].isalnum() and not text[found.end() :][:1].isalnum()
        days = _days(found) if is_word else None
        if days and days.is_possible:
            return days, found.start(), found.end()
    return None


def _days(found: re.Match[str]) -> Days | None:
    if found["last"]:
        first = _day(found["first"]) if found["first"] else TODAY
        last = _day(found["last"])
        is_listed = TWO_DAYS.match(found[0]) is not None  # `am 24.12. und 25.12.`, no `zwischen`
        if is_listed and first and last and last.is_possible and last.eve != first:
            return None
        return Days(first=first, last=last) if first and last else None
    if found["count"]:
        weeks = found["unit"].lower().startswith("w")
        first = _day(found["since"]) if found["since"] else TODAY
        return Days(first=first, length=_number(found["count"]) * (7 if weeks else 1)) if first else None
    if alone := found["at"] or found["alone"]:
        day = _day(alone)
        return Days(first=day, length=1) if day else None
    said = (found["week"] or found["week_en"] or found["end"] or found["end_en"] or "").strip().lower()
    is_end = not (found["week"] or found["week_en"])
    week = 0 if said in ("", "diese", "dieses", "this", "the") or (is_end and said.startswith("komm")) else 1
    first = Day(weekday=5, week=week) if is_end else Day(weekday=0, week=1) if week else TODAY
    return Days(first=first, last=Day(weekday=6, week=week))


def _day(text: str) -> Day | None:
    """Read one day; None for a month that no calendar has."""
    said = plain_words(text)
    if said in NUMBER_OF.ahead:
        return Day(ahead=NUMBER_OF.ahead[said])
    if said.split()[-1] in WEEKDAY_OF:
        return Day(weekday=WEEKDAY_OF[said.split()[-1]])
    year, month, day = _parts(text)
    return Day(day=day, month=month, year=year) if 0 <= month <= 12 and day else None


_NO_MONTH: Final = frozenset(["the", "den", "dem", *WEEKDAY_OF])


def _parts(text: str) -> tuple[int, int, int]:
    """Year and month (0 where it is missing) and day, not yet checked; month 13 where its name is none."""
    words = WORDED.findall(re.sub(r"(?<=[0-9])(?:st|nd|rd|th)\b", "", text.lower()))
    if re.match(r"[0-9]{4}-", text.strip()):
        return int(words[0]), int(words[1]), int(words[2])
    names = [MONTH_OF.get(word[:3], 13) for word in words if word.isalpha() and word not in _NO_MONTH]
    numbers = [int(word) for word in words if not word.isalpha()]
    if names:
        return _year(numbers[1:]), names[0], numbers[0]
    return _year(numbers[2:]), numbers[1] if len(numbers) > 1 else 0, numbers[0]


def _year(numbers: list[int]) -> int:
    return numbers[0] + (2000 if numbers[0] < 100 else 0) if numbers else 0


def _number(text: str) -> int:
    return int(text) if text.isdigit() else NUMBER_OF.words[plain_words(text)]


def read_span(text: str) -> tuple[str, str]:
    """Split `Eriwan 3 Tage` into what stands before and the span as `gm zat` takes it; `''` where there is none."""
    found = SPAN.fullmatch(text)
    if not found:
        return text, ""
    number = _number(found["number"])
    span = f"{number}h" if found["hours"] else f"{number * 7}d" if found["weeks"] else f"{number}d"
    return found["before"].strip(), span


def read_until(text: str) -> tuple[str, Day | None]:
    """Split `Eriwan bis Sonntag` into what stands before and the day; None where there is none."""
    found = UNTIL_DAY.fullmatch(text)
    day = _day(found["day"]) if found else None
    return (found["before"].strip(), day) if found and day and day.is_possible else (text, None)


def read_time(text: str) -> str | None:
    """Read a time of day as `18:00`; None where it is none."""
    found = TIME.fullmatch(text)
    if not found:
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (found["half"].lower() == "p")
    elif (hour, minute) == (24, 0):
        hour = 0
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


# -- what only looks like days -----------------------------------------------------------------------------------------


def looks_like_days(text: str) -> bool:
    """Return whether a text is meant as days, also where they are no dates."""
    is_meant = LOOSE_DAYS.fullmatch(text) or LOOKS_LIKE_DAYS.fullmatch(text) or DAYS.fullmatch(text)
    return is_meant is not None


def propose_days(text: str, otherwise: str) -> str:
    """Write the dates of a text that can't be read as they would be right; `otherwise` where there are none."""
    dates = list(_nearest_dates(text))[:2]
    if not dates:
        return otherwise
    first, last = dates[0], dates[-1]
    if first[2] and last[2]:
        first, last = sorted((first, last), key=lambda day: day[::-1])
        span = read_days(_shown(first) + "-" + _shown(last))
        if span:
            return f"{_shown(first)}-{_shown(last)}"
    return f"{_shown((*first[:2], 0))}-{_shown((*last[:2], 0))}"


def _shown(day: tuple[int, int, int]) -> str:
    return f"{day[0]:02}.{day[1]:02}.{day[2] or ''}"


def _nearest_dates(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield day, month and year of what may be dates; the day is at most the month's last."""
    for found in re.finditer(DATE, text, re.IGNORECASE):
        year, month, day = _parts(found[0])
        if month > 12 and 0 < day <= 12:
            month, day = day, month
        if not 0 < month <= 12:
            continue
        after = date(year or LEAP, month % 12 + 1, 1) if 0 <= year <= 9998 else date(LEAP, month % 12 + 1, 1)
        yield min(max(day, 1), (after - timedelta(days=1)).day), month, year if year > LEAP else 0
