"""Queries for the seats of games: who sits there, who sat there, who watches."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session, col, or_, select

from gm.store.queries.player_queries import players_at
from gm.store.query_cache import cached_query
from gm.store.tables import Game, Player, Seat, Watcher


@cached_query(Seat, per_game=True)
def seats(session: Session, game: Game) -> Sequence[Seat]:
    """List the seats as they are taken now."""
    rows = select(Seat).where(Seat.game_id == game.id, col(Seat.until).is_(None))
    return session.exec(rows.order_by(col(Seat.number))).all()


def holders(session: Session, game: Game) -> Sequence[Seat]:
    """List for each seat who holds it, or held it last."""
    rows = session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.since), col(Seat.id)))
    return sorted({seat.number: seat for seat in rows}.values(), key=lambda seat: seat.number)


@cached_query(Seat, Player, per_game=True)
def seat_history(session: Session, game: Game) -> dict[int, list[str]]:
    """List, by seat number, everybody who has sat there, in order."""
    rows = select(Seat.number, Player.name).join(Player).where(Seat.game_id == game.id)
    return names_by_seat(session.exec(rows.order_by(col(Seat.since), col(Seat.id))))


def names_by_seat(held: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    """Collect names by seat number."""
    history: dict[int, list[str]] = {}
    for number, name in held:
        history.setdefault(number, []).append(name)
    return history


def names(session: Session, game: Game) -> dict[int, str]:
    """Name the players by seat; a seat that nobody holds now keeps its last player's name."""
    return {number: held[-1] for number, held in seat_history(session, game).items()}


def have_changed(session: Session, game: Game) -> bool:
    """Return whether a seat has changed hands, or is empty."""
    history = seat_history(session, game)
    return len(seats(session, game)) < len(history) or any(len(held) > 1 for held in history.values())


def seat_row(session: Session, game: Game, player_id: int) -> Seat | None:
    """Find the row of a player in a game: the present one, else the last before the player left."""
    rows = select(Seat).where(Seat.game_id == game.id, Seat.player_id == player_id)
    return session.exec(rows.order_by(col(Seat.until).is_not(None), col(Seat.id).desc())).first()


def rows_of_seat(session: Session, game: Game, number: int) -> Sequence[Seat]:
    """List who has held a seat, in order."""
    rows = select(Seat).where(Seat.game_id == game.id, Seat.number == number)
    return session.exec(rows.order_by(col(Seat.since), col(Seat.id))).all()


def seated_since(session: Session, game: Game, since: datetime) -> set[int]:
    """Find the players who sit in a game, or have left it since then."""
    rows = select(Seat.player_id).where(Seat.game_id == game.id)
    return set(session.exec(rows.where(or_(col(Seat.until).is_(None), col(Seat.until) >= since))))


def has_seat(session: Session, game: Game, address: str) -> bool:
    """Return whether somebody with this address sits in a game."""
    ids = {player.id for player in players_at(session, address)}
    return any(seat.player_id in ids for seat in seats(session, game))


@cached_query(Watcher, Player, per_game=True)
def watchers(session: Session, game: Game) -> Sequence[Player]:
    """List who gets a game's bulletins as spectators see it."""
    rows = select(Player).join(Watcher).where(Watcher.game_id == game.id).order_by(col(Watcher.id))
    return session.exec(rows).all()


def watcher(session: Session, game: Game, player_id: int) -> Watcher | None:
    """Find the row that says that a player watches a game."""
    rows = select(Watcher).where(Watcher.game_id == game.id, Watcher.player_id == player_id)
    return session.exec(rows).first()


def watched_games(session: Session, player_id: int) -> Sequence[Game]:
    """List the games that a player watches."""
    rows = select(Game).join(Watcher).where(Watcher.player_id == player_id).order_by(col(Watcher.id))
    return session.exec(rows).all()
