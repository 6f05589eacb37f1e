"""What could have been had: looked for in finished games when there is nothing else to do, a short while for each."""

import logging
import time
from typing import Final, NamedTuple

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import Session, col, select

from games import engines
from games.api import LooksBack, Section
from games.dice import Dice
from gm.app.context import App
from gm.game import word_judge
from gm.game.position import position
from gm.runtime.log_format import event
from gm.runtime.tracebacks import described, trace
from gm.store.change_tracking import note_hindsight_done
from gm.store.chunks import CHUNK_SIZE
from gm.store.tables import Game, Hindsight, Turn

log = logging.getLogger("gm")

SECONDS: Final = 1.8
"""How long is looked at a game; with the last step and the writing at most 2."""

_SECTIONS: TypeAdapter[tuple[Section, ...]] = TypeAdapter(tuple[Section, ...])


def look_back(app: App) -> str | None:
    """Look at one game that nobody has looked back on since its end and keep what was found; returns its name."""
    with app.database.read() as session:
        written = _written_since(session)
        at = next((one for one in written if one.looked_at != one.turn_id), None)
        game = session.get_one(Game, at.game_id) if at else None
        found = _found(app, session, game) if game else ()
    seen = {one.game_id: one.writes for one in written if one is at or one.looked_at == one.turn_id}
    if not seen:
        return None
    with app.database.write() as session:
        note_hindsight_done(session, seen)
        if at:
            sections = _SECTIONS.dump_python(found, mode="json")
            session.merge(Hindsight(game_id=at.game_id, turn_id=at.turn_id, sections=sections, at=app.now()))
    return game.name if game else None


class _Written(NamedTuple):
    """A game that has ended and was written about since it was looked at; `looked_at` is the step that was seen."""

    game_id: int
    writes: int
    turn_id: int
    looked_at: int | None


def _written_since(session: Session) -> list[_Written]:
    """List some of them, the newest first: most have the same result as before."""
    kinds = [key for key, engine in engines().items() if isinstance(engine, LooksBack)]
    # Not as a join: SQLite would go through all steps of all games.
    last = (
        select(Turn.id)
        .where(Turn.game_id == Game.id, Turn.number == Game.turn, Turn.version == Game.version)
        .correlate(Game).scalar_subquery()
    )  # fmt: skip
    rows = (
        sa.select(col(Game.id), col(Game.writes), last, col(Hindsight.turn_id))
        .outerjoin(Hindsight, col(Hindsight.game_id) == Game.id)
        .where(col(Game.look_back), col(Game.status) == "finished", col(Game.engine).in_(kinds))
    )  # fmt: skip
    found = session.connection().execute(rows.order_by(col(Game.id).desc()).limit(CHUNK_SIZE))
    return [_Written(*row) for row in found]


def _found(app: App, session: Session, game: Game) -> tuple[Section, ...]:
    """Let the engine look, until it has seen enough or the time is over."""
    end = time.monotonic() + SECONDS
    found: tuple[Section, ...] = ()
    try:
        at = position(app, session, game)
        judge, dice = word_judge.judge(app, session, game), Dice(game.seed, at.turn.number + 1)
        for better in at.engine.look_back(at.state, judge, dice):  # type: ignore[attr-defined]
            found = better
            app.pulse.beat()
            if time.monotonic() >= end:
                break
    except Exception as error:  # noqa: BLE001  it is an extra: a fault in it costs this game's, and nothing else
        log.warning("Nothing could be looked for in %s: %s", game.name, described(error),
                    extra=event("hindsight failed", game=game.name, trace=trace(error)))  # fmt: skip
    return found
