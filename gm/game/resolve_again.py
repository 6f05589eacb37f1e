"""The last closing resolved once more, as its next version: the GM has ruled on words that were played with."""

from typing import Any

from sqlmodel import Session

from games.api import Resolution
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.words import Words
from gm.app.context import App
from gm.game import given_up, steps, word_judge
from gm.game.announcements import bulletins
from gm.game.position import Position, is_released, position
from gm.store.json_values import decode
from gm.store.queries import turn_queries
from gm.store.tables import Game


def resolve_again(app: App, session: Session, game: Game) -> bool:
    """Resolve the last turn once more with today's rulings, as its next version; False where no result changes.

    The result goes out when no word is doubtful any more; while some are, nothing is mailed.
    """
    at = position(app, session, game)
    if "moves" not in at.turn.input:
        return False  # boards are never rolled back, and no doubtful word ever lies on one (rulings.md 2)
    judge = word_judge.judge_again(session, game, at.turn)
    resolution = resolved_by(session, game, at, judge)
    if resolution.state == at.state:
        return False
    turn = steps.write(
        app, session, game, at.engine, number=at.turn.number, kind="rule", resolution=resolution,
        given=at.turn.input, verdicts={**at.turn.verdicts, **word_judge.record(judge.asked)}, words=at.turn.words,
    )  # fmt: skip
    turn.foreword, outcome = at.turn.foreword, at.engine.outcome(resolution.state)
    if not is_released(at.turn):
        return True  # the GM has yet to release the result: it goes out as it is then
    steps.wind_up(app, session, game, at.engine, turn, resolution.state)
    turn.released_at = app.now()
    if outcome == at.outcome:
        return False  # another best possible score, perhaps, but nobody's points: no reason for a mail
    if outcome and not outcome.doubtful:
        bulletins.announce(app, session, game, turn)
    return True


def resolved_by(session: Session, game: Game, at: Position, words: Words) -> Resolution[Any]:
    """Resolve the last turn once more as this judge of words sees it; nothing is written."""
    moves = {SeatNumber(int(seat)): decode(at.engine.move_type, move) for seat, move in at.turn.input["moves"].items()}
    return at.engine.resolve(_state_before(session, at), moves, Dice(game.seed, at.turn.number), words)


def _state_before(session: Session, at: Position) -> Any:
    before = turn_queries.turn_before(session, at.turn)
    assert before is not None, "a closing has a step before it"
    return given_up.before(at.engine, decode(at.engine.state_type, before.state), at.turn)
