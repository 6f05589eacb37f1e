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
from gm.runtime.config.settings import Settings
from gm.runtime.config.zine import Zine
from gm.store.queries import meta_queries

KEY: Final = "issues"
"""The entry of `meta` with the issues that were moved."""
_OF_GAME: Final = "issue of game "
"""What the entry of `meta` for a game begins with; its id follows."""
FOLDER: Final = "issues"
"""Beside the config: a folder for each issue, with what the GM wants in it and what was made."""
BEGINNING: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
"""From then on the first issue prints."""


@dataclass(frozen=True, kw_only=True)
class Issue:
    """An issue. It prints the evaluations that were released from `since` on and before `until`."""

    number: int
    date: dt.date
    """When it appears."""
    noon: dt.datetime
    """Noon of that day, for texts that write an instant."""
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
    why: str = ""


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
            number=number, date=day, noon=local_instant(day, dt.time(12), self.zone), zat=self._zat(day),
            copy_until=copy_until, since=self._copy_until(before) if before else BEGINNING, until=copy_until,
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


def is_planned(app: App) -> bool:
    """Say whether config.toml has a calendar."""
    return bool(app.settings.zine.date or app.settings.zine.dates)


def calendar(app: App, session: Session) -> Calendar | None:
    """Return the calendar of the issues; None where config.toml has none."""
    return calendar_of(app.settings, session)


def calendar_of(settings: Settings, session: Session) -> Calendar | None:
    """Return the calendar by these settings."""
    if not settings.zine.date and not settings.zine.dates:
        return None
    return Calendar(plan=settings.zine, zone=settings.service.timezone, moved=moved(session))


def moved(session: Session) -> dict[int, Move]:
    """Return which issues the GM has moved."""
    rows = json.loads(meta_queries.get_meta(session, KEY) or "{}")
    day = dt.date.fromisoformat
    return {int(number): Move(was=day(was), to=day(to), why=why) for number, (was, to, why) in rows.items()}


def note_move(session: Session, number: int, move: Move) -> None:
    """Write down that an issue was moved; its move before counts no more."""
    rows = {**moved(session), number: move}
    text = {str(one): (at.was.isoformat(), at.to.isoformat(), at.why) for one, at in sorted(rows.items())}
    meta_queries.set_meta(session, KEY, json.dumps(text, ensure_ascii=False))


# -- the games that take their ZATs from it ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The issue that the present round of a game ends with."""

    number: int = 0
    """0 before the first round, and where the calendar had no more issues."""
    zat: dt.datetime | None = None
    """The ZAT of that issue when it was last looked up. If it has another one now, the game is to follow."""


def kept(session: Session, game_id: int) -> Kept | None:
    """Return which issue the round of a game ends with; None for a game that isn't opened for the issues."""
    text = meta_queries.get_meta(session, f"{_OF_GAME}{game_id}")
    return _read(text) if text is not None else None


def keep(session: Session, game_id: int, to: Kept) -> None:
    """Let a game take its ZATs from the issues, and note which one its round ends with."""
    meta_queries.set_meta(
        session, f"{_OF_GAME}{game_id}", f"{to.number} {to.zat.isoformat() if to.zat else ''}".strip()
    )


def all_kept(session: Session) -> dict[int, Kept]:
    """Return the games that take their ZATs from the issues, also those that are over, by id."""
    rows = meta_queries.with_prefix(session, _OF_GAME)
    return {int(key.removeprefix(_OF_GAME)): _read(text) for key, text in sorted(rows.items())}


def _read(text: str) -> Kept:
    number, _, zat = text.partition(" ")
    return Kept(number=int(number), zat=dt.datetime.fromisoformat(zat) if zat else None)
