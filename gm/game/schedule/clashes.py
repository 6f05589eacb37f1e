"""What is wrong with the days of an issue: a holiday, a rest of the zine, too little time for a standby."""

import datetime as dt
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from dateutil.easter import easter
from sqlmodel import Session

from gm.app import issues
from gm.app.issues import Calendar, Issue
from gm.game import rests
from gm.runtime.config.settings import Settings

YEAR: Final = dt.timedelta(days=366)
"""So far ahead the calendar is shown and checked."""

_FIXED: Final = {
    (1, 1): "New Year", (5, 1): "Labour Day", (10, 3): "German Unity Day", (12, 24): "Christmas Eve",
    (12, 25): "Christmas Day", (12, 26): "Boxing Day", (12, 31): "New Year's Eve",
}  # fmt: skip
_AFTER_EASTER: Final = {
    -2: "Good Friday", -1: "Holy Saturday", 0: "Easter Sunday", 1: "Easter Monday", 39: "Ascension Day",
    49: "Whit Sunday", 50: "Whit Monday",
}  # fmt: skip


@lru_cache(maxsize=64)
def _holidays(year: int) -> Mapping[dt.date, str]:
    """Name the holidays of a year: those of all German states, with the days around Christmas and Easter."""
    found = {dt.date(year, month, day): name for (month, day), name in _FIXED.items()}
    return found | {easter(year) + dt.timedelta(days=days): name for days, name in _AFTER_EASTER.items()}


def holiday(settings: Settings, day: dt.date) -> str:
    """Name the holiday on a day: one that everybody has, or one of `deadlines.holidays`; "" for none."""
    own = "a day without ZAT (deadlines.holidays)" if day in settings.deadlines.holidays else ""
    return _holidays(day.year).get(day, "") or own


def clashes(settings: Settings, session: Session, found: Calendar, issue: Issue) -> Iterator[str]:
    """Say in sentences what is wrong with the days of an issue."""
    rest, zone = rests.noted(session), settings.service.timezone
    zat, copy = (instant.astimezone(zone).date() for instant in (issue.zat, issue.copy_until))
    for what, day in (("Its ZAT", zat), ("Its copy deadline", copy), ("It appears", issue.date)):
        if name := holiday(settings, day):
            yield f"{what}{'' if what == 'It appears' else ' is'} on {day:%a} {day}: {name}."
    if rest and rest.holds(issue.zat):
        first, last = rest.days(zone)
        yield f"Its ZAT, {zat:%a} {zat}, lies in the rest from {first} to {last}; games end with the next issue."
    if following := found.numbered(issue.number + 1):
        yield from _to_the_next(settings, issue, following)


def _to_the_next(settings: Settings, issue: Issue, following: Issue) -> Iterator[str]:
    needed, between = settings.nmr.standby_time, following.zat - issue.zat
    if following.date <= issue.date:
        yield f"Issue {following.number} would appear before it, on {following.date}."
    elif between < needed:
        yield (
            f"From its ZAT to that of issue {following.number} it is {_words(between)}: too little for a standby, who "
            f"has {_words(needed)} at least (nmr.standby_time)."
        )


def _words(span: dt.timedelta) -> str:
    days, hours = span.days, span.seconds // 3600
    return " ".join(filter(None, (f"{days}d" if days else "", f"{hours}h" if hours or not days else "")))


def year_ahead(found: Calendar, now: dt.datetime) -> list[Issue]:
    """List the issues that appear within a year from today; where they are few, the next one at least."""
    today = now.astimezone(found.zone).date()
    listed: list[Issue] = []
    for issue in found.from_day(today):
        if listed and issue.date > today + YEAR:
            break
        listed.append(issue)
    return listed


def check(settings: Settings, session: Session, now: dt.datetime) -> tuple[bool, str] | None:
    """Say whether the calendar is in order, in a sentence with what to do; None where nobody wants one."""
    found, kept = issues.calendar_of(settings, session), issues.all_kept(session)
    if found is None:
        if not kept:
            return None
        return False, "Games take their ZATs from the issues, and config.toml has no calendar: write [zine] with date."
    ahead = year_ahead(found, now)
    wrong = [(issue, sentence) for issue in ahead for sentence in clashes(settings, session, found, issue)]
    if not ahead:
        return False, "All issues have appeared; write more dates into config.toml: [zine] dates."
    if wrong:
        issue, sentence = wrong[0]
        more = f" And {len(wrong) - 1} more: gm issue calendar." if wrong[1:] else ""
        return False, f"Issue {issue.number}: {sentence} gm issue move {issue.number} DAY moves it.{more}"
    return True, f"Issue {ahead[0].number} appears on {ahead[0].date}; no issue of the year ahead clashes."
