"""What handling mails and closing rounds asks about players and games, looked up for many of them at once.

Each result is stored in the query cache. Nothing is decided here: a result that is missing, or that a change makes the
cache forget, costs one statement for its game.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, select

from gm.store.chunks import in_chunks
from gm.store.queries import (
    game_queries,
    player_queries,
    question_queries,
    seat_queries,
    sheet_queries,
    thread_queries,
    turn_queries,
)
from gm.store.query_cache import prime
from gm.store.tables import Address, Game, MailOut, Player, Press, Question, Ruling, Seat, Turn, Watcher
from parsers.invisible import fold_name

# -- players -----------------------------------------------------------------------------------------------------------


def for_senders(session: Session, addresses: Iterable[str]) -> list[int]:
    """Look up who writes from these addresses and where each gets mail; returns the players' ids."""
    wanted = {address.lower() for address in addresses}
    senders = select(Address.player_id).where(col(Address.address).in_(wanted))
    rows = select(Address.address, Player).join(Player).where(col(Address.player_id).in_(senders))
    players: dict[str, list[Player]] = {address: [] for address in wanted}
    first: dict[int, str] = {}
    for address, player in session.exec(rows.order_by(col(Address.player_id), col(Address.id))):
        players.setdefault(address, []).append(player)
        first.setdefault(player.id, address)
    for address in wanted:
        prime(session, player_queries.players_at_lower, (address,), players[address])
    for player_id, address in first.items():
        prime(session, player_queries.address_of, (player_id,), address)
    return list(first)


def for_players(session: Session, player_ids: Collection[int]) -> None:
    """Look up where players get mail, and who else gets it there."""
    for ids in in_chunks(player_ids):
        for_senders(session, session.exec(select(Address.address).where(col(Address.player_id).in_(ids))))


# -- games -------------------------------------------------------------------------------------------------------------


def for_named_games(session: Session, names: Iterable[str], player_ids: Collection[int]) -> None:
    """Look up the games of these names, and which positions of them these players were shown."""
    wanted = {fold_name(name) for name in names}
    found = session.exec(select(Game).where(col(Game.name_key).in_(wanted))).all()
    for key in wanted:
        prime(session, game_queries.game_by_key, (key,), next((game for game in found if game.name_key == key), None))
    _prime_standing(session, found)
    sitting_there = {seat.player_id for game in found for seat in seat_queries.seats(session, game)}
    _prime_sharing(session, found, _addresses_of(session, sitting_there))
    asking = set(player_ids)
    sitting = ((game.id, seat.player_id) for game in found for seat in seat_queries.seats(session, game))
    _prime_position_mails(session, {(game_id, player_id) for game_id, player_id in sitting if player_id in asking})


def for_games(session: Session, games: Sequence[Game]) -> None:
    """Look up how these games stand: their last steps, seats, sheets, rulings and open questions."""
    _prime_standing(session, games)
    _prime_questions(session, games)


def for_closings(session: Session, games: Sequence[Game]) -> Sequence[Player]:
    """Look up all that closing a round of these games asks.

    Returns the players: the session knows them only as long as somebody holds them.
    """
    if not games:
        return []
    for_games(session, games)
    _prime_advance_moves(session, games)
    _prime_step_versions(session, games)
    _prime_press(session, games)
    watching = _prime_watchers(session, games)
    playing = _players_of(session, games)
    _prime_addresses(session, games, [*playing, *watching])
    shown_to = {(game.id, seat.player_id) for game in games for seat in seat_queries.seats(session, game)}
    shown_to |= {(game.id, player.id) for game in games for player in seat_queries.watchers(session, game)}
    _prime_position_mails(session, shown_to)
    return [*playing, *watching]


def _prime_standing(session: Session, games: Sequence[Game]) -> None:
    if games:
        _prime_turns(session, games)
        _prime_seats(session, games)
        _prime_rulings(session, games)
        filed = sheet_queries.read_sheets(session, _ids(games))
        for game in games:
            prime(session, sheet_queries.sheets_of_round, (game.id, game.round), filed.get(game.id, {}))


def _prime_turns(session: Session, games: Sequence[Game]) -> None:
    rows = select(Turn).join(Game).where(
        col(Game.id).in_(_ids(games)), col(Turn.number) == Game.turn, col(Turn.version) == Game.version
    )  # fmt: skip
    for turn in session.exec(rows):
        prime(session, turn_queries.turn_version, (turn.game_id, turn.number, turn.version), turn)


def _prime_seats(session: Session, games: Sequence[Game]) -> None:
    taken: dict[int, list[Seat]] = {game.id: [] for game in games}
    past: dict[int, list[tuple[int, str]]] = {game.id: [] for game in games}
    rows = select(Seat, Player.name).join(Player).where(col(Seat.game_id).in_(taken))
    for seat, name in session.exec(rows.order_by(col(Seat.since), col(Seat.id))):
        taken[seat.game_id] += [seat] if seat.until is None else []
        past[seat.game_id].append((seat.number, name))
    for game_id, seats in taken.items():
        prime(session, seat_queries.seats, (game_id,), sorted(seats, key=lambda seat: seat.number))
        prime(session, seat_queries.seat_history, (game_id,), seat_queries.names_by_seat(past[game_id]))


def _prime_rulings(session: Session, games: Sequence[Game]) -> None:
    general = game_queries.rulings(session, None)
    own: dict[int | None, list[Ruling]] = {game.id: [] for game in games}
    for ruling in session.exec(select(Ruling).where(col(Ruling.game_id).in_(own)).order_by(col(Ruling.id))):
        own[ruling.game_id].append(ruling)
    for game_id, rulings in own.items():
        prime(session, game_queries.rulings, (game_id,), [*general, *rulings])


def _prime_questions(session: Session, games: Sequence[Game]) -> None:
    found: dict[int | None, list[Question]] = {game.id: [] for game in games}
    rows = select(Question).where(col(Question.game_id).in_(found), col(Question.answered_at).is_(None))
    for question in session.exec(rows.order_by(col(Question.id))) if found else ():
        found[question.game_id].append(question)
    for game_id, asked in found.items():
        prime(session, question_queries.open_about, (game_id,), asked)


def _prime_step_versions(session: Session, games: Sequence[Game]) -> None:
    """Look up the steps that the games stand at, and what there is of the next."""
    found: dict[tuple[int, int], list[turn_queries.StepVersion]] = {
        (game.id, (game.turn or 0) + ahead): [] for game in games for ahead in (0, 1)
    }
    rows = sa.select(col(Turn.game_id), col(Turn.number), *turn_queries.STEP_VERSION).join(Game)
    near = rows.where(
        col(Game.id).in_(_ids(games)), col(Turn.number) >= col(Game.turn), col(Turn.number) <= col(Game.turn) + 1
    )
    for game_id, number, *version in session.connection().execute(near):
        found[game_id, number].append(turn_queries.StepVersion(*version))
    for key, versions in found.items():
        prime(session, turn_queries.step_versions, key, versions)


def _prime_advance_moves(session: Session, games: Sequence[Game]) -> None:
    open_moves = sheet_queries.read_advance_moves(session, _ids(games))
    for game in games:
        prime(session, sheet_queries.advance_moves, (game.id,), open_moves.get(game.id, {}))


def _prime_press(session: Session, games: Sequence[Game]) -> None:
    rows = select(Press.game_id).where(col(Press.game_id).in_(_ids(games))).distinct()
    with_press = set(session.exec(rows))
    for game in games:
        prime(session, turn_queries.has_press, (game.id,), game.id in with_press)


def _prime_watchers(session: Session, games: Sequence[Game]) -> list[Player]:
    found: dict[int, list[Player]] = {game.id: [] for game in games}
    rows = select(Watcher.game_id, Player).join(Player).where(col(Watcher.game_id).in_(found))
    for game_id, player in session.exec(rows.order_by(col(Watcher.id))):
        found[game_id].append(player)
    for game_id, watching in found.items():
        prime(session, seat_queries.watchers, (game_id,), watching)
    return [player for watching in found.values() for player in watching]


def _players_of(session: Session, games: Sequence[Game]) -> Sequence[Player]:
    seated = select(Seat.player_id).where(col(Seat.game_id).in_(_ids(games)), col(Seat.until).is_(None))
    return session.exec(select(Player).where(col(Player.id).in_(seated))).all()


def _prime_addresses(session: Session, games: Sequence[Game], players: Sequence[Player]) -> None:
    """Look up where each player gets mail, and who of a game has an address in common."""
    held = _addresses_of(session, {player.id for player in players})
    for player_id, addresses in held.items():
        prime(session, player_queries.address_of, (player_id,), addresses[0] if addresses else "")
    _prime_sharing(session, games, held)


def _addresses_of(session: Session, player_ids: Collection[int]) -> dict[int, list[str]]:
    """Look up all addresses of players, the first one first."""
    held: dict[int, list[str]] = {player_id: [] for player_id in player_ids}
    rows = select(Address.player_id, Address.address).where(col(Address.player_id).in_(held)).order_by(col(Address.id))
    for player_id, address in session.exec(rows):
        held[player_id].append(address)
    return held


def _prime_sharing(session: Session, games: Sequence[Game], held: Mapping[int, Sequence[str]]) -> None:
    for game in games:
        sitting = [seat.player_id for seat in seat_queries.seats(session, game)]
        theirs = ((address, player_id) for player_id in sitting for address in held[player_id])
        sharing = player_queries.with_a_common_address(theirs)
        prime(session, player_queries.sharing_an_address, (game.id,), sharing)


def _prime_position_mails(session: Session, shown_to: Collection[tuple[int, int]]) -> None:
    """Look up the mails that showed positions of games, by game and player."""
    if not shown_to:
        return
    found: dict[Any, list[thread_queries.PositionMail]] = {key: [] for key in shown_to}
    rows = sa.select(col(MailOut.game_id), col(MailOut.player_id), *thread_queries.POSITION_MAIL).where(
        col(MailOut.game_id).in_({game_id for game_id, _ in shown_to}),
        col(MailOut.player_id).in_({player_id for _, player_id in shown_to}), col(MailOut.opens_round).is_not(None),
    )  # fmt: skip
    for game_id, player_id, *mail in session.connection().execute(rows.order_by(col(MailOut.id))):
        if (game_id, player_id) in found:
            found[game_id, player_id].append(thread_queries.PositionMail(*mail))
    for key, mails in found.items():
        prime(session, thread_queries.position_mails, key, mails)


def _ids(games: Sequence[Game]) -> list[int]:
    return [game.id for game in games]
