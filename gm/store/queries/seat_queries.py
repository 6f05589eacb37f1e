"""Queries for the seats of games: who sits there, who sat there, who watches."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from gm.store.queries.player_queries import players_at
from gm.store.tables import Game, Player, Seat, Watcher


def seats(game: Game) -> Sequence[Seat]:
    """List the seats as they are taken now."""
    return sorted((seat for seat in game.seats if seat.until is None), key=lambda seat: seat.number)


def holders(game: Game) -> Sequence[Seat]:
    """List for each seat who holds it, or held it last."""
    return sorted({seat.number: seat for seat in game.seats}.values(), key=lambda seat: seat.number)


def seat_history(game: Game) -> dict[int, list[str]]:
    """List, by seat number, everybody who has sat there, in order."""
    history: dict[int, list[str]] = {}
    for seat in game.seats:
        history.setdefault(seat.number, []).append(seat.player.name)
    return history


def names(game: Game) -> dict[int, str]:
    """Name the players by seat; a seat that nobody holds now keeps its last player's name."""
    return {seat.number: seat.player.name for seat in game.seats}


def have_changed(game: Game) -> bool:
    """Return whether a seat has changed hands, or is empty."""
    history = seat_history(game)
    return len(seats(game)) < len(history) or any(len(held) > 1 for held in history.values())


def seat_row(game: Game, player_id: int) -> Seat | None:
    """Find the row of a player in a game: the present one, else the last before the player left."""
    theirs = [seat for seat in game.seats if seat.player_id == player_id]
    return max(theirs, key=lambda seat: (seat.until is None, seat.id), default=None)


def rows_of_seat(game: Game, number: int) -> Sequence[Seat]:
    """List who has held a seat, in order."""
    return [seat for seat in game.seats if seat.number == number]


def seated_since(game: Game, since: datetime) -> set[int]:
    """Find the players who sit in a game, or have left it since then."""
    return {seat.player_id for seat in game.seats if seat.until is None or seat.until >= since}


def has_seat(session: Session, game: Game, address: str) -> bool:
    """Return whether somebody with this address sits in a game."""
    ids = {player.id for player in players_at(session, address)}
    return any(seat.player_id in ids for seat in seats(game))


def watchers(game: Game) -> Sequence[Player]:
    """List who gets a game's bulletins as spectators see it."""
    return [watcher.player for watcher in game.watchers]


def watcher(game: Game, player_id: int) -> Watcher | None:
    """Find the row that says that a player watches a game."""
    return next((watcher for watcher in game.watchers if watcher.player_id == player_id), None)


def watched_games(session: Session, player_id: int) -> Sequence[Game]:
    """List the games that a player watches."""
    rows = select(Game).join(Watcher).where(Watcher.player_id == player_id).order_by(col(Watcher.id))
    return session.exec(rows).all()
