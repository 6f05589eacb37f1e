"""Queries for games and for the rulings that hold in them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, func, or_, select

from games.api import say
from gm.runtime.errors import Refused
from gm.store.tables import DigestStep, Game, Ruling, Seat
from parsers.invisible import fold_name

STATUSES: Final = ("open", "running", "provisional", "finished", "aborted")
MOST_NAMED: Final = 30
"""So many games are named where one isn't found."""


def named(session: Session, name: str) -> Game:
    """Find a game. Raises Refused with the names there are."""
    game = game_named(session, name)
    if game is None:
        found, are_more = newest_games(session, STATUSES, MOST_NAMED)
        names = ", ".join(game.name for game in found)
        there_are = say("game_queries.and_others", games=names) if are_more else names or say("game_queries.none_yet")
        raise Refused(say("game_queries.no_game", name=name, there_are=there_are))
    return game


def game_named(session: Session, name: str) -> Game | None:
    """Find a game by name."""
    return game_by_key(session, fold_name(name))


def game_by_key(session: Session, key: str) -> Game | None:
    """Find a game by the key of its name."""
    return session.exec(select(Game).where(Game.name_key == key)).first()


_IS_NAMED: Final = col(Game.name_key).in_(bindparam("keys", expanding=True))
_SEATED: Final = select(Seat.game_id).where(
    col(Seat.player_id).in_(bindparam("players", expanding=True)), col(Seat.until).is_(None)
)  # fmt: skip
_IS_THEIRS: Final = and_(col(Game.id).in_(_SEATED), col(Game.status).in_(("open", "running", "provisional")))
_NAMED: Final = select(Game).where(_IS_NAMED).order_by(col(Game.id))
_NAMED_OR_THEIRS: Final = select(Game).where(or_(_IS_NAMED, _IS_THEIRS)).order_by(col(Game.id))


def games_among(session: Session, keys: Sequence[str], player_ids: Sequence[int]) -> Sequence[Game]:
    """List the games that are called as one of these words, small, and those in which one of these players sits now.

    There may be some hundred words.
    """
    if player_ids:
        return session.exec(_NAMED_OR_THEIRS, params={"keys": keys, "players": player_ids}).all()
    return session.exec(_NAMED, params={"keys": keys}).all()


def games(session: Session, statuses: Sequence[str] = STATUSES) -> Sequence[Game]:
    """List games by age."""
    return session.exec(select(Game).where(col(Game.status).in_(statuses)).order_by(col(Game.id))).all()


def games_with_zat(session: Session, spans: Sequence[tuple[datetime, datetime]]) -> Sequence[int]:
    """List the running games whose ZAT is in force and in one of these spans, without its end."""
    in_one = or_(*(and_(col(Game.zat) >= begin, col(Game.zat) < end) for begin, end in spans))
    return session.exec(
        select(Game.id).where(Game.status == "running", Game.held == "", in_one).order_by(col(Game.id))
    ).all()


def any_by_issue(session: Session) -> bool:
    """Say whether there is an open or running game that takes its ZATs from the issues."""
    rows = select(Game.id).where(Game.by_issue, col(Game.status).in_(("open", "running"))).limit(1)
    return session.exec(rows).first() is not None


def games_by_id(session: Session, game_ids: Sequence[int]) -> Sequence[Game]:
    """Load games, by age."""
    return session.exec(select(Game).where(col(Game.id).in_(game_ids)).order_by(col(Game.id))).all()


def newest_games(session: Session, statuses: Sequence[str], most: int) -> tuple[list[Game], bool]:
    """List so many games at most, by age, those of the first status before others; says whether there are more."""
    found: list[Game] = []
    for status in statuses:
        rows = select(Game).where(Game.status == status).order_by(col(Game.id).desc())
        found += session.exec(rows.limit(most + 1 - len(found)))
    return sorted(found[:most], key=lambda game: game.id), len(found) > most


def games_of_players(session: Session, player_ids: Sequence[int], statuses: Sequence[str]) -> list[Game]:
    """List, by age, the games in which one of these players sits now."""
    held = select(Seat.game_id).where(col(Seat.player_id).in_(player_ids), col(Seat.until).is_(None))
    rows = select(Game).where(col(Game.id).in_(held), col(Game.status).in_(statuses))
    return list(session.exec(rows.order_by(col(Game.id))))


def games_with_room(session: Session, engine: str, seats: int) -> Sequence[Game]:
    """List, by age, the open games of a kind in which fewer seats than that are taken."""
    taken = select(func.count(col(Seat.id))).where(Seat.game_id == Game.id, col(Seat.until).is_(None))
    rows = select(Game).where(
        Game.status == "open", Game.engine == engine, taken.correlate(Game).scalar_subquery() < seats
    )  # fmt: skip
    return session.exec(rows.order_by(col(Game.id))).all()


def held_games(session: Session) -> Sequence[Game]:
    """List the running games that stand still until the GM decides, by age."""
    rows = select(Game).where(Game.status == "running", Game.held != "")
    return session.exec(rows.order_by(col(Game.id))).all()


def ids_to_check(session: Session, until: datetime) -> Sequence[int]:
    """List the games that are to be checked by then, the earliest first."""
    rows = select(Game.id).where(col(Game.look_at) <= until)
    return session.exec(rows.order_by(col(Game.look_at), col(Game.id))).all()


def next_due(session: Session, since: datetime) -> datetime | None:
    """Find when a game is to be checked, or a daily digest to be sent, for the first time after an instant."""
    check = select(func.min(col(Game.look_at))).where(col(Game.look_at) > since)
    digest = select(func.min(col(DigestStep.due_at))).where(DigestStep.told_by == "", col(DigestStep.due_at) > since)
    found = session.exec(select(check.scalar_subquery(), digest.scalar_subquery())).one()
    return min((instant for instant in found if instant), default=None)


def all_rulings(session: Session, game: Game | None = None) -> Sequence[tuple[Ruling, str]]:
    """List the rulings, the newest first, each with its game's name, "" for all games; of a game: what holds there."""
    rows = select(Ruling, Game.name).join(Game, isouter=True).order_by(col(Ruling.id).desc())
    if game is not None:
        rows = rows.where(or_(col(Ruling.game_id).is_(None), Ruling.game_id == game.id))
    return [(ruling, name or "") for ruling, name in session.exec(rows)]
