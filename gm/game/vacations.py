"""Who is away when. With `vacation = "extend"` no ZAT falls on such a day."""

import datetime as dt

from sqlmodel import Session

from gm.app.context import App
from gm.store.queries import game_queries, turn_queries
from gm.store.tables import Game


def days_off(app: App, session: Session, game: Game) -> set[dt.date]:
    """List the days on which a ZAT of this game waits for somebody who is away."""
    if app.settings.deadlines.vacation != "extend":
        return set()
    players = [seat.player_id for seat in game_queries.seats(session, game)]
    found = turn_queries.vacations(session, players, local_day(app))
    return {one.first + dt.timedelta(days=n) for one in found for n in range((one.last - one.first).days + 1)}


def local_day(app: App) -> dt.date:
    """Say which day it is for the zine."""
    return app.now().astimezone(app.settings.service.timezone).date()
