"""Vacations, which a player takes by mail, and the GM enters. Days that are taken twice count once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from sqlmodel import Session, col, select

from games.api import Language, Text, say
from gm.app.context import App
from gm.game.deadlines import local_day
from gm.game.schedule import clock_control
from gm.messages.outgoing import gm_name
from gm.messages.rendering.dates import write_day
from gm.runtime.errors import PlayerError
from gm.store.tables import Player, Vacation
from parsers import commands

DAY: Final = timedelta(days=1)


def carry_out(
    app: App, session: Session, player: Player, wish: commands.Vacation, language: Language, said_on: date
) -> Text:
    """Note days on which a player is away, or strike them; returns what the player is told. Raises PlayerError."""
    if wish.is_off:
        return _take_back(app, session, player, wish.days, language)
    return _take(app, session, player, check_days(wish.days, said_on), language)


def check_days(days: tuple[date, date] | None, today: date) -> tuple[date, date]:
    """Return days that are not over on the day on which they were said. Raises PlayerError for others, and for none."""
    if days is None or days[1] < today:
        raise PlayerError(say("VACATION_PAST"))
    return days


def _take(app: App, session: Session, player: Player, days: tuple[date, date], language: Language) -> Text:
    """Note when a player is away; with `vacation = "extend"` no ZAT falls on those days. Raises PlayerError."""
    extends = app.settings.deadlines.vacation == "extend"
    taken = _of(session, player)
    if extends:
        _check_allowance(taken, days, app.settings.deadlines.vacation_days)
    add(app, session, player, days)
    moved = clock_control.move_for_vacation(app, session, player) if extends else []
    code = "VACATION_MOVED" if moved else "VACATION_KEPT_FREE" if extends else "VACATION_NOTED"
    first, last = (write_day(day, language) for day in days)
    return say(code, gm=gm_name(app), games=", ".join(game.name for game in moved), first=first, last=last)


def _take_back(app: App, session: Session, player: Player, days: tuple[date, date] | None, language: Language) -> Text:
    """Strike these days, or all, as far as they are still to come: from today on. ZATs that have moved stay.

    Raises PlayerError where there are none.
    """
    today = local_day(app)
    first, last = check_days(days, today) if days else (today, date.max)
    first = max(first, today)
    struck = _overlapping(_of(session, player), (first, last))
    if not struck:
        raise PlayerError(say("VACATION_NONE"))
    for one in struck:
        session.delete(one)
        if one.first < first:
            _note(app, session, player, (one.first, first - DAY))
        if one.last > last:
            _note(app, session, player, (last + DAY, one.last))
    session.flush()
    if days is None:
        return say("VACATION_OFF", gm=gm_name(app))
    return say("VACATION_DAYS_OFF", gm=gm_name(app), first=write_day(first, language), last=write_day(last, language))


def add(app: App, session: Session, player: Player, days: tuple[date, date]) -> None:
    """Add days to a player's vacations, as one with those that they overlap or touch."""
    together = _overlapping(_of(session, player), (days[0] - DAY, days[1] + DAY))
    for one in together:
        session.delete(one)
    firsts, lasts = [one.first for one in together], [one.last for one in together]
    _note(app, session, player, (min([days[0], *firsts]), max([days[1], *lasts])))
    session.flush()


def _note(app: App, session: Session, player: Player, days: tuple[date, date]) -> None:
    session.add(Vacation(player_id=player.id, first=days[0], last=days[1], at=app.now()))


def _check_allowance(taken: Sequence[Vacation], days: tuple[date, date], most: int) -> None:
    """Check the days a year. Each day counts once, for the year in which it lies. Raises PlayerError."""
    held = {day for one in taken for day in _each(one.first, one.last)}
    used = Counter(day.year for day in held)
    asked = Counter(day.year for day in _each(*days) if day not in held)
    for year, number in asked.items():
        left = max(0, most - used[year])
        if number > left:
            raise PlayerError(say("VACATION_TOO_LONG", asked=number, left=left, most=most, year=year))


def _of(session: Session, player: Player) -> Sequence[Vacation]:
    rows = select(Vacation).where(Vacation.player_id == player.id)
    return session.exec(rows.order_by(col(Vacation.first))).all()


def _overlapping(taken: Sequence[Vacation], days: tuple[date, date]) -> list[Vacation]:
    return [one for one in taken if one.first <= days[1] and one.last >= days[0]]


def _each(first: date, last: date) -> Iterator[date]:
    return (first + timedelta(days=at) for at in range((last - first).days + 1))
