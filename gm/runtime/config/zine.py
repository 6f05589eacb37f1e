"""`[zine]`: when the issues appear that print the evaluations, and what comes before each of them."""

import datetime as dt
import re
import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ValidationInfo, field_validator

from gm.runtime.config import values
from gm.runtime.config.values import NotAllowed, Section, Span, allowed, number, read_by
from gm.runtime.errors import Refused

Weekday: TypeAlias = Literal["", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEK = 7


@dataclass(frozen=True)
class Days:
    """So many calendar days before (`-12d`) or after (`+8d`) another day."""

    number: int

    @classmethod
    def parse(cls, text: str) -> "Days":
        """Read `-12d`, `+8d`, `8 Tage` or `-2w`. Raises Refused."""
        match = re.fullmatch(r"\s*([-–−+]?)\s*([0-9].*)", text)
        span = Span.parse(match[2].strip()) if match else None
        if not match or span is None or span.unit != "d" or span.length > values.LONGEST_ROUND:
            raise Refused(
                f"'{text}' are no days; write -12d or +8d.", de=f"»{text}« sind keine Tage; schreib -12d oder +8d."
            )
        return cls(span.amount if match[1] in ("", "+") else -span.amount)

    def __str__(self) -> str:
        return f"{self.number:+d}d"


def _day_or_none(value: Any) -> dt.date | None:
    return None if value == "" else dt.date.fromisoformat(str(value))


_DayOrNone: TypeAlias = Annotated[dt.date | None, read_by(_day_or_none), allowed("a date like 2026-11-04")]
_Before: TypeAlias = Annotated[Days, read_by(Days.parse), allowed("whole days before the issue appears, like -12d")]
_After: TypeAlias = Annotated[Days, read_by(Days.parse), allowed("whole days after the ZAT, like +8d")]
_Rhythm: TypeAlias = Annotated[Span, read_by(Span.parse), allowed("whole weeks or days like 5w")]


with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "Field name .copy.")  # a method of pydantic's that nobody calls

    class Zine(Section):
        """The calendar of the issues. Without `date` or `dates` there is none."""

        first: Annotated[int, number(1, 99_999)] = 1
        date: _DayOrNone = None
        rhythm: _Rhythm = Span(5 * _WEEK, "d")
        dates: tuple[values.Day, ...] = ()
        weekday: Weekday = ""
        zat: _Before = Days(-12)
        zat_time: values.ClockTime = dt.time(20)
        copy: _After = Days(8)  # type: ignore[assignment]
        page: Literal["a5", "a4"] = "a5"
        mail_limit: values.Size = values.Bytes(5_000_000)
        address: values.Flag = False

        @field_validator("rhythm")
        @classmethod
        def _is_whole_days(cls, rhythm: Span) -> Span:
            if not rhythm.days or rhythm.length > values.LONGEST_ROUND:
                raise ValueError
            return rhythm

        @field_validator("dates")
        @classmethod
        def _come_in_order(cls, dates: tuple[dt.date, ...], info: ValidationInfo) -> tuple[dt.date, ...]:
            if dates and info.data.get("date"):
                raise NotAllowed("a date, and all of it only where zine.date is left out")
            wrong = next((later for day, later in pairwise(dates) if later <= day), None)
            if wrong:
                raise NotAllowed(f"a date later than the one before it, which {wrong} isn't")
            return dates

        @field_validator("weekday")
        @classmethod
        def _is_theirs(cls, weekday: Weekday, info: ValidationInfo) -> Weekday:
            date, dates, rhythm = (info.data.get(key) for key in ("date", "dates", "rhythm"))
            for day in filter(None, (date, *(dates or ()))):
                if weekday and _WEEKDAYS[day.weekday()] != weekday:
                    raise NotAllowed(
                        f"the weekday of all dates, and {day} is a {_WEEKDAYS[day.weekday()]}; change one of them, or "
                        "leave weekday out"
                    )
            if weekday and date and rhythm and rhythm.days % _WEEK:
                raise NotAllowed(f"a weekday only where zine.rhythm is whole weeks like 5w, and it is {rhythm}")
            return weekday

        @field_validator("zat")
        @classmethod
        def _is_before(cls, zat: Days) -> Days:
            if zat.number >= 0:
                raise ValueError
            return zat

        @field_validator("copy")
        @classmethod
        def _is_between(cls, copy: Days, info: ValidationInfo) -> Days:
            if copy.number <= 0:
                raise ValueError
            zat = info.data.get("zat")
            if zat is not None and copy.number + zat.number > 0:
                raise NotAllowed(f"at most +{-zat.number}d: then the issue appears (zine.zat)")
            return copy
