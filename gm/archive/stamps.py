"""What a game's pages are made from, as a checksum: a page is written anew when it changes, and only then.

Steps are never changed once players know of them: which one a game stands at says all of them. What is changed
afterwards beside them stands here, or is counted (`Game.edits`). No row of steps is read, as their states are big.
"""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.archive.edition import digest
from gm.archive.names import Person
from gm.archive.record import OVER
from gm.store.tables import ArchivedGame, Game, Hindsight, Press, Seat, Turn

_GAMES = sa.select(
    col(Game.id), col(Game.name), col(Game.engine), col(Game.language), col(Game.status), col(Game.zat),
    col(Game.held), col(Game.turn), col(Game.version), col(Game.edits),
).order_by(col(Game.id))  # fmt: skip
_SEATS = sa.select(col(Seat.game_id), col(Seat.number), col(Seat.player_id)).order_by(col(Seat.id))
_RELEASED = sa.select(
    col(Game.id),
    # Not as a join: SQLite would go through all steps of all games.
    sa.select(col(Turn.released_at))
    .where(
        col(Turn.game_id) == col(Game.id), col(Turn.number) == col(Game.turn), col(Turn.version) == col(Game.version)
    )
    .correlate(Game).scalar_subquery(),
).where(col(Game.status).in_(("running", "aborted")), col(Game.turn).is_not(None))  # fmt: skip
"""Of a game that ended, players know; before, the GM may have to look at a step first."""
_PRESS = (
    sa.select(col(Press.game_id), col(Press.id), col(Press.turn_id), col(Press.player_id), col(Press.anonymous),
              col(Press.text))
    .where(col(Press.turn_id).is_not(None))
    .order_by(col(Press.game_id), col(Press.received_at), col(Press.id))
)  # fmt: skip
_HINDSIGHT = sa.select(col(Hindsight.game_id), col(Hindsight.turn_id), sa.type_coerce(col(Hindsight.at), sa.String))
_EXTRACTED = sa.select(col(ArchivedGame.game_id), col(ArchivedGame.form))


def stamps(session: Session, people: Mapping[int, Person], slugs: Mapping[int, str]) -> dict[int, str]:
    """Give each game's checksum: a few small columns of every game, 10,000 of them in a fraction of a second.

    A game that was broken off before it began has none, and no pages: nothing was played, and no list has it.
    """
    connection = session.connection()
    games = connection.execute(_GAMES).all()
    known: dict[int, list[Any]] = {row[0]: [slugs[row[0]], *row] for row in games}
    for game_id, number, player_id in connection.execute(_SEATS).all():
        known[game_id] += (number, people[player_id].name, people[player_id].slug)
    for game_id, *press, player_id, is_anonymous, text in connection.execute(_PRESS):
        known[game_id] += (*press, "" if is_anonymous else people[player_id].name, text)
    for query in (_RELEASED, _HINDSIGHT):
        for game_id, *more in connection.execute(query):
            known[game_id] += more
    never_begun = {row.id for row in games if row.status == "aborted" and row.turn is None}
    return {game_id: digest(*values) for game_id, values in known.items() if game_id not in never_begun}


def without_extract(session: Session, form: str) -> set[int]:
    """Find games that have ended but whose rows for tables and registers are missing, or another version's."""
    connection = session.connection()
    forms = {row.game_id: row.form for row in connection.execute(_EXTRACTED)}
    over = sa.select(col(Game.id)).where(col(Game.status).in_(OVER), col(Game.turn).is_not(None))
    return {game_id for game_id in connection.scalars(over) if forms.get(game_id) != form}
