"""What a game's pages are made from, as a checksum: a page is written anew when it changes, and only then.

Steps are never changed once players know of them: the last one that everybody knows says all of them. What is changed
afterwards beside them stands here, or is counted (`Game.edits`). No row of steps is read, as their states are big.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col

from gm.archive.manifest import digest
from gm.archive.record.public_steps import IS_UNPUBLISHED, last_known, unsure
from gm.archive.record.record import OVER
from gm.players.shown_names import Person
from gm.store.chunks import in_chunks
from gm.store.queries import meta_queries
from gm.store.tables import ArchivedGame, Game, Hindsight, Press, Seat, Turn

_GAMES = sa.select(
    col(Game.id), col(Game.name), col(Game.engine), col(Game.language), col(Game.status),
    (col(Game.held) != "").label("is_held"), col(Game.edits), col(Game.turn), col(Game.version), col(Game.zat),
).order_by(col(Game.id))  # fmt: skip
_SEATS = sa.select(col(Seat.game_id), col(Seat.number), col(Seat.player_id)).order_by(col(Seat.id))
_PRESS = (
    sa.select(col(Press.game_id), col(Press.id), col(Press.turn_id), col(Press.player_id), col(Press.anonymous),
              col(Press.text))
    .where(col(Press.turn_id).is_not(None))
    .order_by(col(Press.game_id), col(Press.received_at), col(Press.id))
)  # fmt: skip
_HINDSIGHT = sa.select(col(Hindsight.game_id), col(Hindsight.turn_id), sa.type_coerce(col(Hindsight.at), sa.String))
_EXTRACTED = sa.select(col(ArchivedGame.game_id), col(ArchivedGame.form))
_ENDED = sa.select(col(Game.id)).where(
    col(Game.status).in_(OVER), col(Game.turn).is_not(None),
    col(Game.id).not_in(sa.select(col(Turn.game_id)).where(IS_UNPUBLISHED)),
)  # fmt: skip
_CHANGED = sa.select(col(Game.id), col(Game.writes)).where(col(Game.changed)).order_by(col(Game.id))

Ids = Collection[int] | None
"""Some games; None: all."""


def changed(session: Session) -> dict[int, int]:
    """List the games that were written about since a pass has shown them last, with the writes that count so far."""
    return dict(iter(session.connection().execute(_CHANGED)))


def stamps(session: Session, people: Mapping[int, Person], slugs: Mapping[int, str], among: Ids) -> dict[int, str]:
    """Give each game's checksum: a few small columns of every game, 10,000 of them in a fraction of a second.

    A game that was broken off before it began has none, and no pages: nothing was played, and no list has it.
    """
    # The site has them in a file that a web server may give away: nobody shall try guesses on them.
    secret = meta_queries.secret(session)
    if among is None:
        return _stamps(session, people, slugs, secret, None)
    return {
        game_id: stamp for some in in_chunks(among)
        for game_id, stamp in _stamps(session, people, slugs, secret, some).items()
    }  # fmt: skip


def _stamps(
    session: Session, people: Mapping[int, Person], slugs: Mapping[int, str], secret: str, among: Ids
) -> dict[int, str]:  # fmt: skip
    connection = session.connection()
    games = connection.execute(_of(_GAMES, Game.id, among)).all()
    found: dict[int, list[Any]] = {row.id: [slugs[row.id], *row[:-3]] for row in games}
    steps = {row.id: (row.turn, row.version, row.zat) for row in games} | _steps_known(session, among)
    for game_id, number, player_id in connection.execute(_of(_SEATS, Seat.game_id, among)).all():
        found[game_id] += (number, *_shown(people[player_id], is_open=steps[game_id][0] is None))
    for game_id, *press, player_id, is_anonymous, text in connection.execute(_of(_PRESS, Press.game_id, among)):
        found[game_id] += (*press, "" if is_anonymous else people[player_id].name, text)
    for game_id, *more in connection.execute(_of(_HINDSIGHT, Hindsight.game_id, among)):
        found[game_id] += more
    never_begun = {row.id for row in games if row.status == "aborted" and row.turn is None}
    return {
        game_id: digest(secret, steps[game_id], *values) for game_id, values in found.items()
        if game_id not in never_begun
    }  # fmt: skip


def _of(rows: Any, game_id: Any, among: Ids) -> Any:
    return rows if among is None else rows.where(col(game_id).in_(among))


def _steps_known(session: Session, among: Ids) -> dict[int, tuple[int | None, int, datetime | None]]:
    """Say where games stand to everybody that stand elsewhere in truth: not even a checksum may change meanwhile."""
    known = {game_id: last_known(session, game_id) for game_id in unsure(session, among)}
    return {game_id: (step.number, step.version, step.zat) if step else (0, 0, None) for game_id, step in known.items()}


def _shown(person: Person, *, is_open: bool) -> tuple[str, ...]:
    """Name who sits there; before the start nobody needs to know."""
    return () if is_open else (person.name, person.slug)


def without_extract(session: Session, form: str, among: Ids) -> set[int]:
    """Find games that have ended but whose rows for tables and registers are missing, or another version's."""
    connection, found = session.connection(), set[int]()
    for some in [None] if among is None else in_chunks(among):
        forms = {row.game_id: row.form for row in connection.execute(_of(_EXTRACTED, ArchivedGame.game_id, some))}
        over = connection.scalars(_of(_ENDED, Game.id, some))
        found.update(game_id for game_id in over if forms.get(game_id) != form)
    return found
