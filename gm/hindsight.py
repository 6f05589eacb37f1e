"""What could have been had: looked for in finished games when there is nothing else to do, a short while for each."""

import logging
import time
from typing import Final

from pydantic import TypeAdapter
from sqlmodel import Session, col, or_, select

from games import engines
from games.api import LooksBack, Section
from games.dice import Dice
from gm.app import App
from gm.bugs import described, trace
from gm.logs import event
from gm.play import judging, turns
from gm.store.tables import Game, Hindsight, Turn

log = logging.getLogger("gm")

SECONDS: Final = 1.8
"""How long is looked at a game; with the last step and the writing at most 2."""

_SECTIONS: TypeAdapter[tuple[Section, ...]] = TypeAdapter(tuple[Section, ...])


def look_back(app: App) -> str | None:
    """Look at one game that nobody has looked back on since its end and keep what was found; returns its name."""
    with app.database.read() as session:
        at = _next(session)
        if at is None:
            return None
        game, turn_id = at
        found = _found(app, session, game)
    sections = _SECTIONS.dump_python(found, mode="json")
    with app.database.write() as session:
        session.merge(Hindsight(game_id=game.id, turn_id=turn_id, sections=sections, at=app.now()))
    return game.name


def _next(session: Session) -> tuple[Game, int] | None:
    """Find the newest game that has ended and wasn't looked at, or whose result has changed since."""
    kinds = [key for key, engine in engines().items() if isinstance(engine, LooksBack)]
    # Not as a join: SQLite would go through all steps of all games.
    last = (
        select(Turn.id)
        .where(Turn.game_id == Game.id, Turn.number == Game.turn, Turn.version == Game.version)
        .correlate(Game).scalar_subquery()
    )  # fmt: skip
    rows = (
        select(Game, last)
        .outerjoin(Hindsight, col(Hindsight.game_id) == Game.id)
        .where(
            Game.status == "finished", col(Game.engine).in_(kinds),
            or_(col(Hindsight.game_id).is_(None), col(Hindsight.turn_id) != last),
        )
    )  # fmt: skip
    return session.exec(rows.order_by(col(Game.id).desc()).limit(1)).first()


def _found(app: App, session: Session, game: Game) -> tuple[Section, ...]:
    """Let the engine look, until it has seen enough or the time is over."""
    end = time.monotonic() + SECONDS
    found: tuple[Section, ...] = ()
    try:
        at = turns.position(app, session, game)
        judge, dice = judging.judge(app, session, game), Dice(game.seed, at.turn.number + 1)
        for better in at.engine.look_back(at.state, judge, dice):  # type: ignore[attr-defined]
            found = better
            app.pulse.beat()
            if time.monotonic() >= end:
                break
    except Exception as error:  # noqa: BLE001  it is an extra: a fault in it costs this game's, and nothing else
        log.warning("Nothing could be looked for in %s: %s", game.name, described(error),
                    extra=event("hindsight failed", game=game.name, trace=trace(error)))  # fmt: skip
    return found
