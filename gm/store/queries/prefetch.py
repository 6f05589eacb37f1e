"""What the closing of a round asks the database, looked up for many games at once.

Each answer is stored for its query (`query_cache`). A change makes the query forget it and ask again. So nothing is
decided here: an answer that is missing costs one statement for its game.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, select

from gm.store.queries import game_queries, question_queries, turn_queries
from gm.store.queries.query_cache import tell
from gm.store.tables import Address, Game, MailOut, Player, Press, Seat, Turn, Watcher


def take(session: Session, game_ids: Sequence[int]) -> Sequence[Game]:
    """Load those of these games that no other process is at, in the order given, and lock them."""
    rows = select(Game).where(col(Game.id).in_(game_ids)).order_by(col(Game.id))
    found = {game.id: game for game in session.exec(rows.with_for_update(skip_locked=True))}
    return [found[game_id] for game_id in game_ids if game_id in found]


def visit(session: Session, games: Sequence[Game]) -> Sequence[Player]:
    """Look up all that closing a round of these games asks; returns the players, who are known while they are held."""
    game_queries.visit(session, games)
    question_queries.visit(session, games)
    _tell_steps(session, games)
    _tell_press(session, games)
    watching = _tell_watchers(session, games)
    playing = _tell_players(session, games)
    _tell_addresses(session, games, [*playing, *watching])
    _tell_threads(session, games)
    return [*playing, *watching]


def _tell_steps(session: Session, games: Sequence[Game]) -> None:
    """The steps that the games stand at, and what there is of the next."""
    found: dict[tuple[int, int], list[turn_queries.Step]] = {
        (game.id, (game.turn or 0) + ahead): [] for game in games for ahead in (0, 1)
    }
    rows = sa.select(col(Turn.game_id), col(Turn.number), *turn_queries.STEP).join(Game)
    near = rows.where(
        col(Game.id).in_(_ids(games)), col(Turn.number) >= col(Game.turn), col(Turn.number) <= col(Game.turn) + 1
    )
    for game_id, number, *step in session.connection().execute(near):
        found[game_id, number].append(turn_queries.Step(*step))
    for key, steps in found.items():
        tell(session, turn_queries.steps, key, steps)


def _tell_press(session: Session, games: Sequence[Game]) -> None:
    rows = select(Press.game_id).where(col(Press.game_id).in_(_ids(games))).distinct()
    printed = set(session.exec(rows))
    for game in games:
        tell(session, turn_queries.has_press, (game.id,), game.id in printed)


def _tell_watchers(session: Session, games: Sequence[Game]) -> list[Player]:
    found: dict[int, list[Player]] = {game.id: [] for game in games}
    rows = select(Watcher.game_id, Player).join(Player).where(col(Watcher.game_id).in_(found))
    for game_id, player in session.exec(rows.order_by(col(Watcher.id))):
        found[game_id].append(player)
    for game_id, watching in found.items():
        tell(session, turn_queries.watchers_of, (game_id,), watching)
    return [player for watching in found.values() for player in watching]


def _tell_players(session: Session, games: Sequence[Game]) -> Sequence[Player]:
    seated = select(Seat.player_id).where(col(Seat.game_id).in_(_ids(games)), col(Seat.until).is_(None))
    return session.exec(select(Player).where(col(Player.id).in_(seated))).all()


def _tell_addresses(session: Session, games: Sequence[Game], players: Sequence[Player]) -> None:
    """Where each player gets mail, and who of a game has an address in common."""
    rows = select(Address.player_id, Address.address).where(col(Address.player_id).in_({one.id for one in players}))
    held: dict[int, list[str]] = {player.id: [] for player in players}
    for player_id, address in session.exec(rows.order_by(col(Address.id))):
        held[player_id].append(address)
    for player_id, addresses in held.items():
        tell(session, game_queries.address_of, (player_id,), addresses[0] if addresses else "")
    for game in games:
        sitting = [seat.player_id for seat in game_queries.seats(session, game)]
        theirs = ((address, player_id) for player_id in sitting for address in held[player_id])
        tell(session, game_queries.sharing, (game.id,), game_queries.having_one_in_common(theirs))


def _tell_threads(session: Session, games: Sequence[Game]) -> None:
    """The mails that showed a position to those who get the next one."""
    sitting = [(game.id, seat.player_id) for game in games for seat in game_queries.seats(session, game)]
    watching = [(game.id, player.id) for game in games for player in turn_queries.watchers(session, game)]
    shown: dict[Any, list[game_queries.Shown]] = {key: [] for key in (*sitting, *watching)}
    rows = sa.select(col(MailOut.game_id), col(MailOut.player_id), *game_queries.SHOWN_BY).where(
        col(MailOut.game_id).in_(_ids(games)), col(MailOut.opens_round).is_not(None)
    )
    for game_id, player_id, message_id, opens_round, sent_at in session.connection().execute(
        rows.order_by(col(MailOut.id))
    ):
        if (game_id, player_id) in shown:
            shown[game_id, player_id].append(game_queries.Shown(message_id, opens_round, sent_at))
    for key, mails in shown.items():
        tell(session, game_queries.positions, key, mails)


def _ids(games: Sequence[Game]) -> list[int]:
    return [game.id for game in games]
