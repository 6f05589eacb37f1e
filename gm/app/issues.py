"""The calendar of the issues: when each appears, its ZAT, its copy deadline, and which evaluations it prints.

It is computed from `[zine]` in config.toml.
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from gm.runtime.clock import local_instant
from gm.runtime.config.settings import Settings
from gm.runtime.config.zine import Zine

FOLDER: Final = "issues"
"""Beside the config: a folder for each issue, with what the GM wants in it and what was made."""
PUBLISHED: Final = "hefte"
"""The folder of the issues in the archive."""
BEGINNING: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
"""From then on the first issue prints."""
OVER: Final = (
    "No ZAT of an issue is to come by [zine] in config.toml, so games opened for the issues go on with their own span. "
    "Write more dates."
)


@dataclass(frozen=True, kw_only=True)
class Issue:
    """An issue. It prints the evaluations that were released from `since` on and before `until`."""

    number: int
    date: dt.date
    """When it appears."""
    noon: dt.datetime
    """Noon of that day, for texts that write an instant."""
    zat: dt.datetime
    since: dt.datetime
    """The copy deadline of the issue before; the beginning of time for the first one."""
    until: dt.datetime
    """Its own copy deadline."""


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """All issues. Instants are in UTC."""

    plan: Zine
    time: dt.time
    """Of ZATs and copy deadlines."""
    zone: ZoneInfo

    def numbered(self, number: int) -> Issue | None:
        """Return an issue; None where the calendar has none of this number."""
        day = self._day(number)
        if day is None or day > dt.date.max - dt.timedelta(days=1):
            return None
        before = self._day(number - 1)
        return Issue(
            number=number, date=day, noon=local_instant(day, dt.time(12), self.zone), zat=self._zat(day),
            since=self._copy_until(before) if before else BEGINNING, until=self._copy_until(day),
        )  # fmt: skip

    def from_day(self, day: dt.date) -> Iterator[Issue]:
        """Go through the issues in order, from the first that appears on this day or later."""
        plan, number = self.plan, self.plan.first
        if plan.rhythm and day > plan.dates[0]:
            number += (day - plan.dates[0]).days // plan.rhythm.days
        while issue := self.numbered(number):
            if issue.date >= day:
                yield issue
            number += 1

    def _day(self, number: int) -> dt.date | None:
        """Say when an issue appears."""
        at, plan = number - self.plan.first, self.plan
        if at < 0 or not plan.rhythm:
            return plan.dates[at] if 0 <= at < len(plan.dates) else None
        try:
            return plan.dates[0] + dt.timedelta(days=at * plan.rhythm.days)
        except OverflowError:
            return None

    def _zat(self, day: dt.date) -> dt.datetime:
        return self._days_after(day, self.plan.zat.number)

    def _copy_until(self, day: dt.date) -> dt.datetime:
        return self._days_after(day, self.plan.zat.number + self.plan.copy.number)

    def _days_after(self, day: dt.date, days: int) -> dt.datetime:
        return local_instant(day + dt.timedelta(days=days), self.time, self.zone)


def calendar(settings: Settings) -> Calendar | None:
    """Return the calendar of the issues; None where config.toml has no dates."""
    if not settings.zine.dates:
        return None
    return Calendar(plan=settings.zine, time=settings.deadlines.time, zone=settings.service.timezone)


def are_over(settings: Settings, now: dt.datetime) -> bool:
    """Say whether no ZAT of an issue is to come."""
    found, today = calendar(settings), now.astimezone(settings.service.timezone).date()
    return not any(issue.zat > now for issue in (found.from_day(today) if found else ()))
