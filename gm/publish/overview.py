"""The games in short, as the GM sees them: what each waits for, and which come first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import true
from sqlmodel import Session, and_, col, func, or_, select

from gm.app import App
from gm.errors import OperatorError
from gm.play import timing
from gm.play.position import is_released, position
from gm.publish.instants import local_iso
from gm.store import queries
from gm.store.tables import Game

MOST_GAMES: Final = 30


def all_games(app: App, session: Session) -> list[dict[str, Any]]:
    """List every game with its clock and how many moves are in."""
    return [game_row(app, session, game) for game in queries.games(session)]


def game_row(app: App, session: Session, game: Game) -> dict[str, Any]:
    """Tell a game in short."""
    try:
        title, moves, held = app.engine(game.engine).rules.title, _moves(app, session, game), _held(app, session, game)
    except OperatorError as error:  # its rules can't be had here: the other games are listed all the same
        title, moves, held = game.engine, "", game.held or str(error)
    return {
        "name": game.name,
        "game": game.engine,
        "title": title,
        "status": game.status,
        "round": game.round,
        "zat": local_iso(app, game.zat),
        "moves": moves,
        "held": held or None,
        "paused_until": local_iso(app, game.paused_until) if timing.is_paused(app, game) else None,
    }


def _held(app: App, session: Session, game: Game) -> str:
    """Say why a round stays open although its time has come."""
    if game.status == "running" and not is_released(queries.current_turn(session, game)):
        return f"the bulletin waits for you: gm release {game.name}"
    is_due = game.status == "running" and game.zat is not None and game.zat <= app.now()
    waiting = timing.waiting_for(app, session, game, game.zat) if is_due and game.zat else ""
    return game.held or waiting


def _moves(app: App, session: Session, game: Game) -> str:
    """Count the moves that are in, or the seats that are taken."""
    if game.status == "open":
        return f"{len(queries.seats(session, game))} of {app.engine(game.engine).rules.seats[1]} seats"
    if game.status != "running":
        return ""
    at = position(app, session, game)
    due = at.engine.due(at.state)
    return f"{len(due & queries.sheets_on_file(session, game).keys())} of {len(due)}"


def first_rows(app: App, session: Session) -> dict[str, Any]:
    """List the games that the GM should see first, and say how many more there are."""
    games, left_out = first_games(session, app.now(), queries.SHOWN)
    return {"games": [game_row(app, session, game) for game in games], "games_left_out": left_out}


def first_games(session: Session, now: datetime, statuses: Sequence[str]) -> tuple[Sequence[Game], int]:
    """Pick the games that the GM should see first, those that may need something and the next ZATs; how many more."""
    shown, zat = col(Game.status).in_(statuses), col(Game.zat)
    is_running = col(Game.status) == "running"
    is_urgent = or_(
        col(Game.held) != "", col(Game.status) == "provisional", and_(is_running, or_(zat.is_(None), zat <= now))
    )
    found: list[Game] = []
    for condition, order in (
        (is_urgent, (zat.is_(None), zat, col(Game.id))),
        (and_(is_running, zat > now), (zat, col(Game.id))),
        (true(), (col(Game.id).desc(),)),
    ):  # fmt: skip
        others = col(Game.id).not_in([game.id for game in found])
        rows = select(Game).where(shown, condition, others).order_by(*order).limit(MOST_GAMES - len(found))
        found += session.exec(rows).all() if len(found) < MOST_GAMES else ()
    total = session.exec(select(func.count()).select_from(Game).where(shown)).one()
    return found, total - len(found)
