"""The list of games for the GM: what each waits for, and which come first."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import text
from sqlmodel import Session, and_, col, func, select

from gm.app.context import App, local_iso
from gm.game import closing_time, missing_moves
from gm.game.position import is_released, position
from gm.runtime.errors import OperatorError
from gm.store import game_file
from gm.store.chunks import CHUNK_SIZE
from gm.store.queries import game_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Game

MOST_GAMES: Final = 30
IS_HELD: Final = text("held <> ''")
"""Literally as in the index of held games: with a bound value the database wouldn't use it."""


def all_games(app: App, session: Session) -> list[dict[str, Any]]:
    """List every game with its clock and how many moves are in."""
    games = game_queries.games(session)
    return [row for at in range(0, len(games), CHUNK_SIZE) for row in rows(app, session, games[at : at + CHUNK_SIZE])]


def rows(app: App, session: Session, games: Sequence[Game]) -> list[dict[str, Any]]:
    """Describe games in a row each, with as many statements as for one. There may be as many as a statement takes."""
    under_way = [game for game in games if game.status in ("open", "running")]
    _files = game_file.load(session, [game.id for game in under_way])
    return [_row(app, session, game) for game in games]


def _row(app: App, session: Session, game: Game) -> dict[str, Any]:
    try:
        title, moves, held = app.engine(game.engine).rules.title, _moves(app, game), _held(app, session, game)
    except OperatorError as error:  # its rules aren't installed: the other games are listed all the same
        title, moves, held = game.engine, "", game.held or str(error)
    return {
        "name": game.name,
        "game": game.engine,
        "title": title,
        "status": game.status,
        "round": game.round,
        "zat": local_iso(app, game.zat_in_force),
        "moves": moves,
        "held": held or None,
        "paused_until": local_iso(app, closing_time.paused_until(app, game)),
    }


def _held(app: App, session: Session, game: Game) -> str:
    """Name why a round stays open though its ZAT has passed."""
    if game.status == "running" and not is_released(turn_queries.current_turn(game)):
        return f"the bulletin waits for you: gm release {game.name}"
    is_due = game.status == "running" and game.zat is not None and game.zat <= app.now()
    waiting = missing_moves.waiting_for(app, session, game, game.zat) if is_due and game.zat else ""
    return game.held or waiting


def _moves(app: App, game: Game) -> str:
    """Count the moves that are in, or the seats that are taken."""
    if game.status == "open":
        return f"{len(seat_queries.seats(game))} of {app.engine(game.engine).rules.seats[1]} seats"
    if game.status != "running":
        return ""
    at = position(app, game)
    due = at.engine.due(at.state)
    return f"{len(due & sheet_queries.sheets_on_file(game).keys())} of {len(due)}"


def first_rows(app: App, session: Session) -> dict[str, Any]:
    """List the games that the GM should see first, and say how many more there are."""
    games, left_out = first_games(session, app.now(), game_queries.STATUSES)
    return {"games": rows(app, session, games), "games_left_out": left_out}


def first_games(session: Session, now: datetime, statuses: Sequence[str]) -> tuple[Sequence[Game], int]:
    """Pick the games that may need the GM, and the next ZATs. Gives them and the number of the others."""
    status, zat, number = col(Game.status), col(Game.zat), col(Game.id)
    is_running, is_held = status == "running", and_(IS_HELD, status.not_in({*game_queries.STATUSES} - {*statuses}))
    urgent = (
        and_(is_held, zat.is_not(None)), and_(is_held, zat.is_(None)), status == "provisional",
        and_(is_running, zat.is_(None)), and_(is_running, zat <= now),
    )  # fmt: skip
    by_zat = (zat.asc().nulls_last(), number)
    found: list[int] = []
    for kinds, order, place in (
        (urgent, by_zat, lambda row: (row.zat is None, row.zat or now, row.id)),
        ([and_(is_running, zat > now)], by_zat, lambda row: (row.zat, row.id)),
        ([status == one for one in statuses], (number.desc(),), lambda row: -row.id),
    ):  # fmt: skip
        more = sorted(_of_each(session, kinds, order, found), key=place)
        found += [row.id for row in more[: MOST_GAMES - len(found)]]
    total = session.exec(select(func.count()).select_from(Game).where(status.in_(statuses))).one()
    games = {game.id: game for game in game_queries.games_by_id(session, found)}
    return [games[game_id] for game_id in found], total - len(found)


def _of_each(session: Session, kinds: Iterable[Any], order: Sequence[Any], but: Sequence[int]) -> set[Any]:
    """List the first games of each kind, with their ZATs, as many as are wanted beside those of `but`.

    Each kind is a statement of its own, which an index answers in the right order. A statement for all kinds would read
    every game.
    """
    rows = select(Game.id, Game.zat).order_by(*order).limit(MOST_GAMES - len(but))
    others = rows.where(col(Game.id).not_in(but)) if but else rows
    return {row for kind in kinds for row in session.exec(others.where(kind))} if len(but) < MOST_GAMES else set()
