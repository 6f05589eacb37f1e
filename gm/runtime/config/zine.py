"""`[zine]`: when the issues appear that print the evaluations, and what comes before each of them."""

import datetime as dt
import re
import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ValidationInfo, field_validator

from games.api import say
from gm.runtime.config import values
from gm.runtime.config.values import NotAllowed, Section, Span, allowed, number, read_by
from gm.runtime.errors import Refused


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
            raise Refused(say("zine.no_days", text=text))
        return cls(span.amount if match[1] in ("", "+") else -span.amount)

    def __str__(self) -> str:
        return f"{self.number:+d}d"


def _span_or_none(value: Any) -> Span | None:
    return None if value == "" else Span.parse(value)


_Before: TypeAlias = Annotated[Days, read_by(Days.parse), allowed("whole days before the issue appears, like -12d")]
_After: TypeAlias = Annotated[Days, read_by(Days.parse), allowed("whole days after the ZAT, like +8d")]
_Rhythm: TypeAlias = Annotated[Span | None, read_by(_span_or_none), allowed('whole weeks or days like 5w, or ""')]


with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "Field name .copy.")  # a method of pydantic's that nobody calls

    class Zine(Section):
        """When the issues appear that print all evaluations. Without `dates` no issue is planned."""

        first: Annotated[int, number(1, 99_999)] = 1
        dates: tuple[values.Day, ...] = ()
        rhythm: _Rhythm = None
        zat: _Before = Days(-12)
        copy: _After = Days(8)  # type: ignore[assignment]
        page: Literal["a5", "a4"] = "a5"

        @field_validator("dates")
        @classmethod
        def _come_in_order(cls, dates: tuple[dt.date, ...]) -> tuple[dt.date, ...]:
            wrong = next((later for day, later in pairwise(dates) if later <= day), None)
            if wrong:
                raise NotAllowed(f"a date later than the one before it, which {wrong} isn't")
            return dates

        @field_validator("rhythm")
        @classmethod
        def _goes_on_from_one_date(cls, rhythm: Span | None, info: ValidationInfo) -> Span | None:
            if rhythm is None:
                return None
            if not rhythm.days or rhythm.length > values.LONGEST_ROUND:
                raise ValueError
            dates = info.data.get("dates")
            if dates is not None and len(dates) != 1:
                raise NotAllowed(
                    f"a rhythm only where zine.dates has one date, the first one, and it has {len(dates)}; "
                    "without a rhythm it has all"
                )
            return rhythm

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
