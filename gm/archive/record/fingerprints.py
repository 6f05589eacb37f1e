"""What a game's pages are made from, as a checksum: its pages are made anew when it changes, and only then.

Steps never change once players know of them, so the last one that everybody knows stands for all. What may change
beside them is part of the checksum, or is counted (`Game.edits`). No step is read, as their states are big.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col

from games import engines
from gm.archive.manifest import digest
from gm.archive.record.public_steps import IS_UNPUBLISHED, Known, last_known, unsure
from gm.archive.record.record import OVER
from gm.players.shown_names import Person
from gm.store.archive_tables import ArchivedGame
from gm.store.chunks import in_chunks
from gm.store.queries import zine_queries
from gm.store.queries.sheet_queries import seats_filed
from gm.store.tables import Game, Press, Seat, Turn

_GAMES = sa.select(
    col(Game.id), col(Game.name), col(Game.engine), col(Game.language), col(Game.status),
    (col(Game.held) != "").label("is_held"), col(Game.edits), col(Game.turn), col(Game.version), col(Game.zat),
    col(Game.round),
).order_by(col(Game.id))  # fmt: skip
_SEATS = sa.select(col(Seat.game_id), col(Seat.number), col(Seat.player_id)).order_by(col(Seat.id))
_PRESS = (
    sa.select(col(Press.game_id), col(Press.id), col(Press.turn_id), col(Press.player_id), col(Press.anonymous),
              col(Press.text))
    .where(col(Press.turn_id).is_not(None))
    .order_by(col(Press.game_id), col(Press.received_at), col(Press.id))
)  # fmt: skip
_LISTED = sa.select(col(ArchivedGame.game_id), col(ArchivedGame.form))
_ENDED = sa.select(col(Game.id)).where(
    col(Game.status).in_(OVER), col(Game.turn).is_not(None),
    col(Game.id).not_in(sa.select(col(Turn.game_id)).where(IS_UNPUBLISHED)),
)  # fmt: skip
_CHANGED = sa.select(col(Game.id), col(Game.writes)).where(col(Game.changed)).order_by(col(Game.id))

Ids = Collection[int] | None
"""Some games; None: all."""


def changed_games(session: Session) -> dict[int, int]:
    """List the games that have changed since a pass has shown them, with their `writes`."""
    return dict(iter(session.connection().execute(_CHANGED)))


def fingerprints(
    session: Session, people: Mapping[int, Person], slugs: Mapping[int, str], among: Ids
) -> dict[int, str]:  # fmt: skip
    """Give the checksum of each game. It takes a few small columns: 10,000 games need a fraction of a second.

    A game that was broken off before it began has none, and no pages: nothing was played, and no list names it.
    """
    # A web server may give away the file that they stand in: with a secret nobody can check guesses against them.
    secret = zine_queries.zine(session).secret
    found: dict[int, str] = {}
    for some in _chunks(among):
        found |= _fingerprints(session, people, slugs, secret, some)
    return found


def _chunks(among: Ids) -> Iterable[Ids]:
    return [None] if among is None else in_chunks(among)


def _fingerprints(
    session: Session, people: Mapping[int, Person], slugs: Mapping[int, str], secret: str, among: Ids
) -> dict[int, str]:  # fmt: skip
    connection = session.connection()
    games = connection.execute(_of(_GAMES, Game.id, among)).all()
    found: dict[int, list[Any]] = {row.id: [slugs[row.id], *row[:-4]] for row in games}
    known = _steps_known(session, among)
    steps = {row.id: (row.turn, row.version, row.zat) for row in games} | {
        game_id: (step.number, step.version, step.zat) if step else (0, 0, None) for game_id, step in known.items()
    }
    for game_id, seats in seats_filed(session, _rounds_shown(games, known)).items():
        found[game_id] += (len(seats),)
    for game_id, number, player_id in connection.execute(_of(_SEATS, Seat.game_id, among)).all():
        found[game_id] += (number, people[player_id].name, people[player_id].slug)
    for game_id, *press, player_id, is_anonymous, text in connection.execute(_of(_PRESS, Press.game_id, among)):
        found[game_id] += (*press, "" if is_anonymous else people[player_id].name, text)
    never_begun = {row.id for row in games if row.status == "aborted" and row.turn is None}
    return {
        game_id: digest(secret, steps[game_id], *values) for game_id, values in found.items()
        if game_id not in never_begun
    }  # fmt: skip


def _of(rows: Any, game_id: Any, among: Ids) -> Any:
    return rows if among is None else rows.where(col(game_id).in_(among))


def _steps_known(session: Session, among: Ids) -> dict[int, Known | None]:
    """Give the last public step of games that have gone on since: that must not show, not even by the checksum."""
    return {game_id: last_known(session, game_id) for game_id in unsure(session, among)}


def _rounds_shown(games: Iterable[Any], known: Mapping[int, Known | None]) -> dict[int, int]:
    """Give the round whose moves are counted: of games with rounds, the last one that everybody knows of."""
    counted = {kind for kind, engine in engines().items() if engine.rules.unit == "round"}
    rounds = {row.id: row.round for row in games if row.engine in counted and row.status == "running"}
    later = {row.id for row in games if row.engine in counted} & known.keys()
    return rounds | {game_id: step.round for game_id in later if (step := known[game_id])}


def without_list_rows(session: Session, program: str, among: Ids) -> set[int]:
    """Find games that have ended but whose rows for lists are missing, or were made by another program."""
    connection, found = session.connection(), set[int]()
    for some in _chunks(among):
        rows = connection.execute(_of(_LISTED, ArchivedGame.game_id, some))
        made_by = {row.game_id: row.form for row in rows}
        over = connection.scalars(_of(_ENDED, Game.id, some))
        found.update(game_id for game_id in over if made_by.get(game_id) != program)
    return found
