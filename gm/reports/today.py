"""Today's page for the GM: what waits, which rounds are due next and who is missing, and how the mail goes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session, col, select

from games.api import Language
from gm.app.context import App, local_iso
from gm.game import missing_moves
from gm.messages.outgoing import Part
from gm.messages.rendering.dates import write_date, write_day
from gm.messages.sentences import SENTENCES
from gm.reports import health, todo
from gm.runtime.errors import OperatorError
from gm.store.queries import zine_queries
from gm.store.tables import Game

NEXT: Final = 8
"""Rounds that are shown: the next ones to close."""


def today(app: App, session: Session) -> dict[str, Any]:
    """Describe the GM's day: `waiting` as `gm todo` lists it, `rounds` by ZAT, and the state of the mail."""
    return {
        "waiting": todo.waiting_for_gm(app, session),
        "rounds": [_round(app, session, game) for game in _next_to_close(session)],
        "last_fetch": local_iso(app, zine_queries.zine(session).last_fetch) or "never",
        **{key: value for key, value in health.monitored(app, session).items() if key in ("to_send", "reasons")},
    }


def _next_to_close(session: Session) -> Sequence[Game]:
    rows = select(Game).where(Game.status == "running", col(Game.zat).is_not(None))
    return session.exec(rows.order_by(col(Game.zat), col(Game.id)).limit(NEXT)).all()


def _round(app: App, session: Session, game: Game) -> dict[str, Any]:
    """Describe a round: whose move is missing, by name."""
    try:
        unit = app.engine(game.engine).rules.unit
    except OperatorError:  # its rules aren't installed
        unit = "round"
    return {
        "game": game.name, "unit": unit, "round": game.round, "zat": local_iso(app, game.zat_in_force),
        "held": game.held, "missing": _missing(app, session, game),
    }  # fmt: skip


def _missing(app: App, session: Session, game: Game, language: Language = "en") -> list[str]:
    """Name whose move is missing; nobody where the rules aren't installed."""
    seat = SENTENCES["SEAT_NUMBER"][language]
    try:
        found = missing_moves.missing(app, session, game, app.now())
    except OperatorError:
        return []
    return [_named(one, language) if one.player else seat.format(seat=one.seat) for one in found]


def _named(one: missing_moves.Missing, language: Language) -> str:
    """Name whose move is missing, with the days of a vacation that it may be missing for."""
    if one.away is None:
        return one.player
    first, last = (write_day(day, language) for day in one.away)
    pattern = SENTENCES["AWAY_UNTIL" if one.is_away else "AWAY_FROM"][language]
    return pattern.format(name=one.player, first=first, last=last)


def today_by_mail(app: App, session: Session, language: Language) -> Part:
    """Make the answer to a GM who asks by mail what waits."""

    def when(instant: datetime | None) -> str:
        return write_date(instant, app.settings.service.timezone, language, "short") if instant else ""

    rounds = [
        {**_clock_row(app, game, language), "missing": _missing(app, session, game, language)}
        for game in _next_to_close(session)
    ]
    context = {
        "game": "", "todo": todo.rows_for_mail(app, session, language), "rounds": rounds,
        "fetched": when(zine_queries.zine(session).last_fetch), "queued": health.monitored(app, session)["to_send"],
    }  # fmt: skip
    return Part(template="gm_today", context=context)


def _clock_row(app: App, game: Game, language: Language) -> dict[str, Any]:
    """Describe a game's clock, also of one whose rules aren't installed here."""
    try:
        rules = app.engine(game.engine).rules
        title, counted = rules.title, SENTENCES[f"UNIT_{rules.unit.upper()}"][language]
    except OperatorError:
        title = counted = ""
    zat = write_date(game.zat_in_force, app.settings.service.timezone, language, "short") if game.zat_in_force else ""
    return {
        "game": game.name, "title": title, "counted": counted, "round": game.round, "zat": zat, "held": bool(game.held),
    }  # fmt: skip
