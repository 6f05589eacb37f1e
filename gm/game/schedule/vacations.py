"""Vacations, which a player takes by mail, and the GM enters. Days that are taken twice count once."""

from collections.abc import Sequence
from datetime import date, timedelta

from sqlmodel import Session, col, select

from games.api import Language, Text, say
from gm.app.context import App
from gm.game.deadlines import local_day
from gm.game.schedule import clock_control
from gm.messages.outgoing import gm_name
from gm.messages.rendering.dates import write_day
from gm.runtime.errors import PlayerError
from gm.store.tables import Player, Vacation


def check_days(days: tuple[date, date] | None, today: date) -> tuple[date, date]:
    """Return days that are not over on the day on which they were said. Raises PlayerError for others, and for none."""
    if days is None or days[1] < today:
        raise PlayerError(say("VACATION_PAST"))
    return days


def take(app: App, session: Session, player: Player, days: tuple[date, date], language: Language) -> Text:
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


def take_back(app: App, session: Session, player: Player) -> Text:
    """Strike the days from today on. ZATs that have moved stay. Raises PlayerError where there are none."""
    today = local_day(app)
    left = [one for one in _of(session, player) if one.last >= today]
    if not left:
        raise PlayerError(say("VACATION_NONE"))
    for one in left:
        if one.first < today:
            one.last = today - timedelta(days=1)
            session.add(one)
        else:
            session.delete(one)
    session.flush()
    return say("VACATION_OFF", gm=gm_name(app))


def add(app: App, session: Session, player: Player, days: tuple[date, date]) -> None:
    """Add days to a player's vacations, as one with those that they overlap."""
    overlapping = _overlapping(_of(session, player), days)
    first, last = _whole(overlapping, days)
    for one in overlapping:
        session.delete(one)
    session.add(Vacation(player_id=player.id, first=first, last=last, at=app.now()))
    session.flush()


def _check_allowance(taken: Sequence[Vacation], days: tuple[date, date], most: int) -> None:
    """Check the days a year; a vacation counts for the year in which it begins."""
    overlapping = _overlapping(taken, days)
    whole = _whole(overlapping, days)
    used = sum(_number(one.first, one.last) for one in taken if one.first.year == whole[0].year)
    asked = _number(*whole) - sum(_number(one.first, one.last) for one in overlapping)
    if asked and used + asked > most:
        raise PlayerError(say("VACATION_TOO_LONG", asked=asked, left=max(0, most - used), most=most))


def _of(session: Session, player: Player) -> Sequence[Vacation]:
    rows = select(Vacation).where(Vacation.player_id == player.id)
    return session.exec(rows.order_by(col(Vacation.first))).all()


def _overlapping(taken: Sequence[Vacation], days: tuple[date, date]) -> list[Vacation]:
    return [one for one in taken if one.first <= days[1] and one.last >= days[0]]


def _whole(overlapping: Sequence[Vacation], days: tuple[date, date]) -> tuple[date, date]:
    firsts, lasts = [one.first for one in overlapping], [one.last for one in overlapping]
    return min([days[0], *firsts]), max([days[1], *lasts])


def _number(first: date, last: date) -> int:
    return (last - first).days + 1
