"""The calendar of the issues: when each appears, its ZAT, its copy deadline, and which evaluations it prints.

It is computed from `[zine]` in config.toml and from the issues that the GM has moved since (`gm issue move`). These lie
in the database: a running service sees them at once, and config.toml stays the GM's own text. An issue counts as moved
only while config.toml still has it on the day that it was moved from, so whoever writes another date there gets that.
"""

import datetime as dt
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from zoneinfo import ZoneInfo

from sqlmodel import Session

from gm.app.context import App
from gm.runtime.clock import local_instant
from gm.runtime.config.zine import Zine
from gm.store.queries import meta_queries

KEY: Final = "issues"
"""The entry of `meta` with the issues that were moved."""
BEGINNING: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
"""From then on the first issue prints."""


@dataclass(frozen=True, kw_only=True)
class Issue:
    """An issue. It prints the evaluations that were released from `since` on and before `until`."""

    number: int
    date: dt.date
    """When it appears."""
    zat: dt.datetime
    copy_until: dt.datetime
    since: dt.datetime
    """The copy deadline of the issue before; the beginning of time for the first one."""
    until: dt.datetime
    """Its own copy deadline."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """The GM has moved an issue from one day to another."""

    was: dt.date
    to: dt.date


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """All issues. Instants are in UTC."""

    plan: Zine
    zone: ZoneInfo
    moved: Mapping[int, Move] = field(default_factory=dict)

    def planned(self, number: int) -> dt.date | None:
        """Return the day of an issue by config.toml; None where it has none."""
        at, plan = number - self.plan.first, self.plan
        try:
            if plan.date and at >= 0:
                return plan.date + dt.timedelta(days=at * plan.rhythm.days)
        except OverflowError:
            return None
        return plan.dates[at] if 0 <= at < len(plan.dates) else None

    def numbered(self, number: int) -> Issue | None:
        """Return an issue; None where the calendar has none of this number."""
        day = self._day(number)
        if day is None or day > dt.date.max - dt.timedelta(days=1):
            return None
        before = self._day(number - 1)
        copy_until = self._copy_until(day)
        return Issue(
            number=number, date=day, zat=self._zat(day), copy_until=copy_until,
            since=self._copy_until(before) if before else BEGINNING, until=copy_until,
        )  # fmt: skip

    def from_day(self, day: dt.date) -> Iterator[Issue]:
        """Go through the issues in order, from the first that appears on this day or later."""
        number = self.plan.first
        if self.plan.date and day > self.plan.date:
            # One may have been moved back, by less than the time to the next one.
            number += max(0, (day - self.plan.date).days // self.plan.rhythm.days - 1)
        for issue in self.from_number(number):
            if issue.date >= day:
                yield issue

    def from_number(self, number: int) -> Iterator[Issue]:
        """Go through the issues in order, from one on."""
        for one in itertools.count(max(number, self.plan.first)):
            issue = self.numbered(one)
            if issue is None:
                return
            yield issue

    def _day(self, number: int) -> dt.date | None:
        planned, move = self.planned(number), self.moved.get(number)
        return move.to if move and move.was == planned else planned

    def _zat_day(self, day: dt.date) -> dt.date:
        return day + dt.timedelta(days=self.plan.zat.number)

    def _zat(self, day: dt.date) -> dt.datetime:
        return local_instant(self._zat_day(day), self.plan.zat_time, self.zone)

    def _copy_until(self, day: dt.date) -> dt.datetime:
        return local_instant(
            self._zat_day(day) + dt.timedelta(days=self.plan.copy.number), self.plan.zat_time, self.zone
        )


def calendar(app: App, session: Session) -> Calendar | None:
    """Return the calendar of the issues; None where config.toml has none."""
    plan = app.settings.zine
    if not plan.date and not plan.dates:
        return None
    return Calendar(plan=plan, zone=app.settings.service.timezone, moved=moved(session))


def moved(session: Session) -> dict[int, Move]:
    """Return which issues the GM has moved."""
    rows = json.loads(meta_queries.get_meta(session, KEY) or "{}")
    day = dt.date.fromisoformat
    return {int(number): Move(was=day(was), to=day(to)) for number, (was, to) in rows.items()}


def note_move(session: Session, number: int, move: Move) -> None:
    """Write down that an issue was moved; its move before counts no more."""
    rows = {**moved(session), number: move}
    text = {str(one): (at.was.isoformat(), at.to.isoformat()) for one, at in sorted(rows.items())}
    meta_queries.set_meta(session, KEY, json.dumps(text))
