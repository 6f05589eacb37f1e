"""When a round ends (its ZAT), through summer time, holidays and vacations. Instants are aware and in UTC."""

import datetime as dt
import re
from collections.abc import Collection
from itertools import takewhile
from typing import Final
from zoneinfo import ZoneInfo

from sqlmodel import Session

from games.api import say
from gm.app import issues
from gm.app.context import App
from gm.app.issues import Calendar, Issue
from gm.runtime.clock import local_instant as local_instant
from gm.runtime.config.settings import Span
from gm.runtime.config.values import FARTHEST
from gm.runtime.errors import Refused, at_minute, on_day
from gm.store import game_file
from gm.store.queries import player_queries, seat_queries, turn_queries
from gm.store.tables import Game, Turn

END_OF_TIME: Final = dt.datetime.max.replace(tzinfo=dt.UTC)


def next_zat(
    start: dt.datetime, span: Span, at: dt.time, zone: ZoneInfo, holidays: Collection[dt.date] = ()
) -> dt.datetime:
    """Compute the ZAT of a round that starts at `start`.

    Minutes and hours are exact. Whole days end at `at` on the local day so many days after the start's, or on
    the first day from there that is no holiday.
    """
    if span.exact is not None:
        return start + span.exact
    day = start.astimezone(zone).date() + dt.timedelta(days=span.days)
    while day in holidays:
        day += dt.timedelta(days=1)
    return local_instant(day, at, zone)


def next_time(app: App, clock: str) -> dt.datetime:
    """Return when the zine's clock shows this time, `18:00`, the next time after now."""
    now, zone, at = app.now(), app.settings.service.timezone, dt.time.fromisoformat(clock)
    days = (local_day(app) + dt.timedelta(days=ahead) for ahead in (0, 1))
    return next(instant for day in days if (instant := local_instant(day, at, zone)) > now)


def first_free(zat: dt.datetime, free: Collection[dt.date], zone: ZoneInfo) -> dt.datetime:
    """Move a ZAT on to the first day that is none of these; it keeps its clock time."""
    local = zat.astimezone(zone)
    day = local.date()
    while day in free:
        day += dt.timedelta(days=1)
    return zat if day == local.date() else local_instant(day, local.time(), zone)


def parse_when(
    text: str, now: dt.datetime, zat: dt.datetime | None, zone: ZoneInfo, at: dt.time = dt.time(20)
) -> dt.datetime:
    """Read a new deadline: `+7d`, `7 Tage` or `-3d` from the present one, or a local day, with or without a time.

    A span of days keeps the clock time. If the present ZAT has passed, days count from today and hours from now. A day
    without a year is the next such day, one without a time ends at `at`. Raises Refused for anything else, and for
    what doesn't lie in the future or lies too far in it.
    """
    try:
        when = _later(text, zat, now, zone) or named(text.strip(), zone) or _upcoming(text, now, zone, at)
    except ValueError:
        when = None
    except OverflowError:
        when = END_OF_TIME
    if when is None:
        raise Refused(say("deadlines.no_deadline", text=text))
    if when > (last := now + FARTHEST):
        raise Refused(say("deadlines.too_far", text=text, last=on_day(last)))
    if when <= now:
        raise Refused(say("deadlines.has_passed", text=text, meant=at_minute(when.astimezone(zone))))
    return when


def _later(text: str, zat: dt.datetime | None, now: dt.datetime, zone: ZoneInfo) -> dt.datetime | None:
    """Add a span to the present ZAT; None for what is no span."""
    span = span_of(text) or span_back(text)
    if span is None:
        return None
    if zat is not None and zat <= now:
        today = now.astimezone(zone).date()
        zat = local_instant(today, zat.astimezone(zone).time(), zone) if span.exact is None else now
    return later(zat or now, span, zone)


def span_of(text: str) -> Span | None:
    """Read a span of time as `gm zat` takes it, with a plus or without; None for anything else."""
    try:
        return Span.parse(text)
    except Refused:
        return None


def span_back(text: str) -> Span | None:
    """Read a span that goes back, `-3d`; None for anything else."""
    sign, found = text.strip()[:1], span_of(text.strip()[1:].lstrip("+"))
    return Span(-found.amount, found.unit) if found and sign in ("-", "−", "–") else None


def later(base: dt.datetime, span: Span, zone: ZoneInfo) -> dt.datetime:
    """Add a span to an instant: minutes and hours exactly, days to the same time by the clock."""
    if span.exact is not None:
        return base + span.exact
    local = base.astimezone(zone)
    return local_instant(local.date() + dt.timedelta(days=span.days), local.time(), zone)


def moved(zat: dt.datetime, start: dt.datetime, end: dt.datetime, span: Span, zone: ZoneInfo) -> dt.datetime:
    """Move a ZAT by the time between two instants, back if the second is the earlier one.

    If rounds are counted in days, it moves by whole days in the players' favour, and keeps its clock time.
    """
    if span.exact is not None:
        return zat + (end - start)
    by_the_clock = end.astimezone(zone).replace(tzinfo=None) - start.astimezone(zone).replace(tzinfo=None)
    return later(zat, Span(-(-by_the_clock // dt.timedelta(days=1)), "d"), zone)


def named(text: str, zone: ZoneInfo) -> dt.datetime | None:
    """Read a local date and time; None for anything else. Raises ValueError for one that no calendar has."""
    iso = r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
    german = r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})"
    clock = r"(?:T|,?\s+)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?:\s+Uhr)?"
    match = re.fullmatch(iso + clock, text, re.ASCII) or re.fullmatch(german + clock, text, re.ASCII)
    if not match:
        return None
    number = {name: int(value or 0) for name, value in match.groupdict().items()}
    day = dt.date(number["year"], number["month"], number["day"])
    return local_instant(day, dt.time(number["hour"], number["minute"], number["second"]), zone)


_DAYS_FROM_TODAY: Final = {"today": 0, "heute": 0, "tomorrow": 1, "morgen": 1, "übermorgen": 2}
_WEEKDAYS: Final = (
    ("monday", "montag"), ("tuesday", "dienstag"), ("wednesday", "mittwoch"), ("thursday", "donnerstag"),
    ("friday", "freitag"), ("saturday", "samstag", "sonnabend"), ("sunday", "sonntag"),
)  # fmt: skip
_DAY_AND_TIME: Final = re.compile(
    r"(?:(?:bis|am|until|on) )*(?P<day>\w+|\d{1,2}\.\d{1,2}\.(?:\d{4})?|\d{4}-\d{1,2}-\d{1,2})"
    r"(?:,? (?:(?:um|at) )?(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2})(?: uhr)?| uhr))?"
)
_LEAP_YEARS: Final = 8
"""The 29th of February comes again after eight years at the latest."""


def _upcoming(text: str, now: dt.datetime, zone: ZoneInfo, at: dt.time) -> dt.datetime | None:
    """Read `tomorrow`, `Sonntag 18:00`, `24.12. 20:00` or a date without a time; None for anything else.

    Raises ValueError for a day or time that no calendar or clock has.
    """
    match = _DAY_AND_TIME.fullmatch(" ".join(text.split()).casefold())
    if not match or not text.replace("ü", "u").replace("Ü", "U").isascii():
        return None
    time = dt.time(int(match["hour"]), int(match["minute"] or 0)) if match["hour"] else at
    found = [local_instant(day, time, zone) for day in _days_meant(match["day"], now.astimezone(zone).date())]
    return next((when for when in found if when > now), found[-1] if found else None)


def _days_meant(text: str, today: dt.date) -> list[dt.date]:
    """List the days that a day may be, in order; none for what is no day. Raises ValueError."""
    if text in _DAYS_FROM_TODAY:
        return [today + dt.timedelta(days=_DAYS_FROM_TODAY[text])]
    if names := [names for names in _WEEKDAYS if text in names]:
        to_come = (_WEEKDAYS.index(names[0]) - today.weekday()) % 7
        return [today + dt.timedelta(days=to_come), today + dt.timedelta(days=to_come + 7)]
    parts = [int(part) for part in re.findall(r"[0-9]+", text)]
    if "-" in text:
        return [dt.date(*parts)]
    if len(parts) == 3:
        return [dt.date(*reversed(parts))]
    if len(parts) != 2:
        return []
    years = range(today.year, today.year + _LEAP_YEARS + 1)
    return [day for year in years if (day := _date_or_none(year, parts[1], parts[0]))]


def _date_or_none(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


# -- of a game ---------------------------------------------------------------------------------------------------------


def zat_of_new_round(app: App, session: Session, game: Game) -> dt.datetime:
    """Compute the ZAT of a round that opens now: on no holiday, and on no day on which a player is allowed to be away.

    In a pause the time counts from its end. A game that takes its ZATs from the issues gets that of the first one that
    leaves it so much time; where none does, its own span counts.
    """
    rules, zone, now = app.settings.deadlines, app.settings.service.timezone, app.now()
    start, span, free = max(now, game.paused_until or now), Span.parse(game.span), days_without_zat(app, session, game)
    if by_issue := zat_by_issue(app, session, game, least_zat(app, game, start), after=start):
        return by_issue
    zat = next_zat(start, span, rules.time, zone, free)
    return zat if span.exact is None else first_free(zat, _vacation_days(app, session, game), zone)


def save_zat(app: App, session: Session, game: Game, zat: dt.datetime) -> None:
    """Write a new ZAT down, for the game and for the step that opened the round, with when it was moved."""
    turn = turn_queries.current_turn(game)
    if zat != game.zat:
        turn.zat_moves, turn.zat_at = turn.zat_moves + 1, app.now()
    game.zat = turn.zat = zat
    game_file.touch(session, game)
    session.flush()


def days_without_zat(app: App, session: Session, game: Game) -> set[dt.date]:
    """List the holidays, and the days on which a player is away and the ZAT waits for it."""
    return {*app.settings.deadlines.free_days, *_vacation_days(app, session, game)}


def _vacation_days(app: App, session: Session, game: Game) -> set[dt.date]:
    """List the days on which a player of this game is away, if ZATs wait for that."""
    if app.settings.deadlines.vacation != "extend":
        return set()
    players = [seat.player_id for seat in seat_queries.seats(game)]
    found = player_queries.vacations(session, players, local_day(app))
    return {one.first + dt.timedelta(days=n) for one in found for n in range((one.last - one.first).days + 1)}


def local_day(app: App) -> dt.date:
    """Return the present day in the zine's time zone."""
    return app.now().astimezone(app.settings.service.timezone).date()


# -- of a game that takes its ZATs from the issues ---------------------------------------------------------------------


def least_zat(app: App, game: Game, start: dt.datetime) -> dt.datetime:
    """Compute when a round that begins at `start` may end at the earliest."""
    return next_zat(start, Span.parse(game.span), app.settings.deadlines.time, app.settings.service.timezone)


def zat_by_issue(
    app: App, session: Session, game: Game, least: dt.datetime, *, after: dt.datetime
) -> dt.datetime | None:
    """Return the ZAT of the first issue with one not before `least` and behind `after`, on no day that has to be free.

    A span of whole days is over on its last day, at whatever hour. None where the game has a span of its own, or there
    is no such issue.
    """
    found, zone = _calendar_for(app, game), app.settings.service.timezone
    is_exact = Span.parse(game.span).exact is not None
    for issue in found.from_day(_day_of(least, zone)) if found else ():
        leaves_the_least = issue.zat >= least if is_exact else _day_of(issue.zat, zone) >= _day_of(least, zone)
        if leaves_the_least and (zat := _off_free_days(app, session, game, issue.zat)) > after:
            return zat
    return None


def _off_free_days(app: App, session: Session, game: Game, zat: dt.datetime) -> dt.datetime:
    """Move the ZAT of an issue to the first day that is free for this game. Hours run on through such days."""
    if Span.parse(game.span).exact is not None:
        return zat
    return first_free(zat, days_without_zat(app, session, game), app.settings.service.timezone)


def opened_at(game: Game) -> dt.datetime:
    """Say when the time of the present round began to count: with its bulletin, or at the end of the last pause."""
    turn = turn_queries.current_turn(game)
    opened = turn.released_at or turn.at
    return max(opened, game.paused_until or opened)


def planned_zat(app: App, session: Session, game: Game, zat: dt.datetime) -> dt.datetime:
    """Compute the ZAT of the round after one that ends at `zat`, if nothing comes between."""
    rules, zone = app.settings.deadlines, app.settings.service.timezone
    by_issue = zat_by_issue(app, session, game, least_zat(app, game, zat), after=zat)
    return by_issue or next_zat(zat, Span.parse(game.span), rules.time, zone, rules.free_days)


def issue_of_round(app: App, session: Session, game: Game, turn: Turn) -> tuple[Issue, int] | None:
    """Say which issue a round ends with, and the number of the last one that came too soon for it, 0 for none.

    None where it doesn't end with an issue.
    """
    found, zone, zat = _calendar_for(app, game), app.settings.service.timezone, turn.zat
    if found is None or zat is None:
        return None
    begins = turn.released_at or turn.at
    to_come = takewhile(lambda issue: issue.zat <= zat, found.from_day(_day_of(begins, zone)))
    ahead = [issue for issue in to_come if issue.zat > begins]
    if not ahead or zat not in (ahead[-1].zat, _off_free_days(app, session, game, ahead[-1].zat)):
        return None
    return ahead[-1], ahead[-2].number if ahead[1:] else 0


def _calendar_for(app: App, game: Game) -> Calendar | None:
    """Return the calendar for a game that takes its ZATs from the issues."""
    return issues.calendar(app.settings) if game.by_issue else None


def _day_of(instant: dt.datetime, zone: ZoneInfo) -> dt.date:
    return instant.astimezone(zone).date()
