"""How far everybody knows a game: no step whose bulletins are still to go out, and none that only its player saw."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col

from games.api import EVERYONE
from gm.store.json_values import decode_events
from gm.store.tables import Game, Turn


@dataclass(frozen=True, kw_only=True)
class Known:
    """The last step that everybody knows of."""

    number: int
    version: int
    round: int
    since: datetime
    """When all were told of its round."""
    zat: datetime | None
    """The deadline as it was set before a closing that waits."""


class _Step(NamedTuple):
    """A step, without what is big."""

    id: int
    number: int
    version: int
    kind: str
    round: int
    at: datetime
    zat: datetime | None
    released_at: datetime | None
    published_at: datetime | None


_STEPS: Final = (
    sa.select(*(col(getattr(Turn, name)) for name in _Step._fields))
    .where(col(Turn.game_id) == sa.bindparam("game"), col(Turn.undone_at).is_(None))
    .order_by(col(Turn.number).desc(), col(Turn.version).desc())
)
IS_UNPUBLISHED: Final = col(Turn.published_at).is_(None) & col(Turn.undone_at).is_(None)
_IS_ACT: Final = (  # not as a join: SQLite would go through all steps of all games
    sa.select(col(Turn.kind) == "act")
    .where(
        col(Turn.game_id) == col(Game.id), col(Turn.number) == col(Game.turn), col(Turn.version) == col(Game.version)
    )
    .correlate(Game).scalar_subquery()
)  # fmt: skip
_UNSURE: Final = sa.select(col(Game.id)).where(
    col(Game.id).in_(sa.select(col(Turn.game_id)).where(IS_UNPUBLISHED))
    | (col(Game.status).in_(("running", "aborted")) & col(Game.turn).is_not(None) & _IS_ACT.is_(True))
)


def last_known(session: Session, game_id: int) -> Known | None:
    """Find the last step that everybody knows of; None where nothing went out yet."""
    told = _lately_told(session, game_id)
    if not told:
        return None
    zat = told[0].zat  # of a private step as well: the GM may have moved it since
    while len(told) > 1 and is_private(told[0].kind, told[1].round == told[0].round, _events(session, told[0].id)):
        told.pop(0)
    last = told[0]
    first = [step for step in told if step.round == last.round][-1]
    return Known(
        number=last.number, version=last.version, round=last.round, since=first.released_at or first.at, zat=zat
    )


def _lately_told(session: Session, game_id: int) -> list[_Step]:
    """Read the published steps of the last round and the one before them, newest first: no more, as rows are big."""
    found: list[_Step] = []
    with session.connection().execute(_STEPS, {"game": game_id}) as rows:
        for step in (_Step(*row) for row in rows):
            found += [step] if step.published_at else []
            if found and found[-1].round != found[0].round:
                break
    return found


def unsure(session: Session, among: Collection[int] | None = None) -> Sequence[int]:
    """List the games that may stand at a step that not everybody knows of."""
    games = _UNSURE if among is None else _UNSURE.where(col(Game.id).in_(among))
    return list(session.connection().scalars(games))


def is_private(kind: str, stays: bool, events: Any) -> bool:
    """Say whether nobody but the one who moved was told of a step; `stays`: the round is the same after it."""
    return kind == "act" and stays and not any(event.readers == EVERYONE for event in decode_events(events))


def _events(session: Session, turn_id: int) -> Any:
    return session.connection().scalar(sa.select(col(Turn.events)).where(col(Turn.id) == turn_id))
