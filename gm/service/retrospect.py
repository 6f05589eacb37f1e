"""What players could have scored, computed for finished games when there is nothing else to do."""

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
"""How long is spent on a game; with the last step and the writing at most 2."""

_SECTIONS: TypeAdapter[tuple[Section, ...]] = TypeAdapter(tuple[Section, ...])


def write_retrospect(app: App) -> str | None:
    """Compute and store what could have been scored in one game that has ended. Returns its name, if there was one."""
    with app.database.read() as session:
        candidates = _candidates(session)
        chosen = next((one for one in candidates if one.known_turn_id != one.turn_id), None)
        game = session.get_one(Game, chosen.game_id) if chosen else None
        sections = _compute(app, session, game) if game else ()
    done = {one.game_id: one.writes for one in candidates if one is chosen or one.known_turn_id == one.turn_id}
    if not done:
        return None
    with app.database.write() as session:
        note_hindsight_done(session, done)
        if chosen:
            stored = _SECTIONS.dump_python(sections, mode="json")
            session.merge(Hindsight(game_id=chosen.game_id, turn_id=chosen.turn_id, sections=stored, at=app.now()))
    return game.name if game else None


class _Candidate(NamedTuple):
    """A game that has ended, and that something was written about since its retrospect."""

    game_id: int
    writes: int
    turn_id: int
    known_turn_id: int | None
    """The last step when the retrospect was computed. If it is still `turn_id`, nothing is to be done."""


def _candidates(session: Session) -> list[_Candidate]:
    """List some of these games, the newest first."""
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
    return [_Candidate(*row) for row in found]


def _compute(app: App, session: Session, game: Game) -> tuple[Section, ...]:
    """Let the engine search until it is done or the time is over. The last result is the best."""
    end = time.monotonic() + SECONDS
    found: tuple[Section, ...] = ()
    try:
        at = position(app, session, game)
        judge, dice = word_judge.judge(app, session, game), Dice(game.seed, at.turn.number + 1)
        for better in at.engine.look_back(at.state, judge, dice):  # type: ignore[attr-defined]
            found = better
            app.stop_signal.check()
            if time.monotonic() >= end:
                break
    except Exception as error:  # noqa: BLE001  a bug here costs this extra, and nothing else
        log.warning("Nothing could be looked for in %s: %s", game.name, described(error),
                    extra=event("hindsight failed", game=game.name, trace=trace(error)))  # fmt: skip
    return found
