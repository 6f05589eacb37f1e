"""The last closing resolved once more, as its next version: the GM has ruled on words that were played with."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session

from games.api import Resolution, Text, say
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.words import Verdict, Words
from gm.app import App
from gm.play import judging, turns
from gm.play.position import Position, is_released, position
from gm.publish import announcing
from gm.store import queries, records
from gm.store.codec import decode, encode
from gm.store.tables import Game, Turn


def resolve_again(app: App, session: Session, game: Game) -> bool:
    """Resolve the last turn once more with today's rulings, as its next version; False where no result changes.

    The result goes out when no word is doubtful any more; while some are, nothing is mailed.
    """
    at = position(app, session, game)
    if "moves" not in at.turn.input:
        return False  # boards are never rolled back, and no doubtful word ever lies on one (rulings.md 2)
    judge = judging.judge_again(session, game, at.turn)
    resolution = resolved_by(session, game, at, judge)
    if encode(at.engine.state_type, resolution.state) == at.turn.state:
        return False
    turn = turns.write(
        app, session, game, at.engine, number=at.turn.number, kind="rule", resolution=resolution,
        given=at.turn.input, verdicts={**at.turn.verdicts, **judging.record(judge.asked)}, words=at.turn.words,
    )  # fmt: skip
    turn.foreword, outcome = at.turn.foreword, at.engine.outcome(resolution.state)
    if not is_released(at.turn):
        return True  # the GM has yet to release the result: it goes out as it is then
    turns.wind_up(app, session, game, at.engine, turn, resolution.state)
    turn.released_at = app.now()
    if outcome == at.outcome:
        return False  # another best possible score, perhaps, but nobody's points: no reason for a mail
    if outcome and not outcome.doubtful:
        changes = _changes(_last_mailed(session, game, turn), judge.asked)
        announcing.announce(app, session, game, turn, changes=changes)
    return True


def resolved_by(session: Session, game: Game, at: Position, words: Words) -> Resolution[Any]:
    """Resolve the last turn once more as this judge of words sees it; nothing is written."""
    moves = {SeatNumber(int(seat)): decode(at.engine.move_type, move) for seat, move in at.turn.input["moves"].items()}
    return at.engine.resolve(_state_before(session, at), moves, Dice(game.seed, at.turn.number), words)


def _last_mailed(session: Session, game: Game, turn: Turn) -> Turn | None:
    """Find the version of a result that went out last."""
    versions = [version for version in queries.turns(session, game) if version.number == turn.number]
    return next((v for v in reversed(versions) if queries.was_mailed(session, f"turn:{v.id}", "final")), None)


def _changes(mailed: Turn | None, asked: Mapping[str, Verdict]) -> tuple[Text, ...]:
    """Word what the GM has ruled otherwise since a result went out, as far as it rests on it."""
    before = mailed.verdicts if mailed else {}
    now = judging.record(asked)
    ruled = {
        key: verdict for key, verdict in asked.items() if verdict.reason == "RULED" and before.get(key) != now[key]
    }
    return tuple(_change(key.rpartition("/")[2], said) for key, said in sorted(ruled.items()))


def _change(word: str, verdict: Verdict) -> Text:
    text = say("RULED_IN" if verdict.status == "accepted" else "RULED_OUT", word=word)
    return say("RULED_BECAUSE", ruling=text, note=verdict.note) if verdict.note else text


def _state_before(session: Session, at: Position) -> Any:
    before = records.turn_before(session, at.turn)
    assert before is not None, "a closing has a step before it"
    return decode(at.engine.state_type, before.state)
