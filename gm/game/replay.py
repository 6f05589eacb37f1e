"""Recorded steps carried out once more: to check a game's record, or with rulings that came after a closing."""

from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import Resolution
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.words import Words
from gm.app.context import App
from gm.game import given_up, steps, word_judge
from gm.game.announcements import bulletins
from gm.game.announcements.announced_step import MadeStep
from gm.game.position import Position, is_released, position
from gm.store.json_values import decode, encode_events
from gm.store.queries import turn_queries
from gm.store.tables import Game, Turn


def verify(app: App, session: Session, game: Game) -> list[str]:
    """Replay every step of a game; returns a sentence for each difference, none where all is as recorded.

    The same seed, moves and verdicts must give the same positions and scores.
    """
    engine = app.engine(game.engine)
    states: dict[int, Any] = {}
    faults: list[str] = []
    # In the order in which they were made: some were undone.
    for turn in sorted(turn_queries.turns(session, game), key=lambda turn: turn.id):
        before = states.get(turn.number - 1)
        if turn.rules_version != engine.rules.version:
            states.pop(turn.number, None)
            faults.append(
                f"turn {turn.number} was played by rules {turn.rules_version}, here are {engine.rules.version}"
            )
            continue
        states[turn.number] = decode(engine.state_type, turn.state)
        if before is None and turn.kind != "start":
            faults.append(f"turn {turn.number} can't be replayed: the one before it was played by other rules")
            continue
        resolution = _replayed(engine, game, turn, before, word_judge.recorded(turn))
        if resolution.state != states[turn.number]:  # as values: a rule may have brought a field since
            faults.append(f"turn {turn.number}, version {turn.version}: the replay leads to another position")
        if encode_events(resolution.events) != turn.events:
            faults.append(f"turn {turn.number}, version {turn.version}: the replay brings other events")
    return faults


def resolve_again(app: App, session: Session, game: Game) -> bool:
    """Resolve the last turn once more with today's rulings, as its next version; False where no result changes.

    The result goes out when no word is doubtful any more; while some are, nothing is mailed.
    """
    at = position(app, session, game)
    if "moves" not in at.turn.input:
        return False  # boards are never rolled back, and no doubtful word ever lies on one (rulings.md 2)
    judge = word_judge.judge_again(session, game, at.turn)
    resolution = resolved_with(session, game, at, judge)
    if resolution.state == at.state:
        return False
    step = steps.NewStep(
        number=at.turn.number, kind="rule", resolution=resolution, given=at.turn.input,
        verdicts={**at.turn.verdicts, **word_judge.record(judge.asked)}, words=at.turn.words,
    )  # fmt: skip
    turn = steps.write(app, session, game, step)
    turn.foreword, outcome = at.turn.foreword, at.engine.outcome(resolution.state)
    if not is_released(at.turn):
        return True  # the GM has yet to release the result: it goes out as it is then
    steps.set_clock(app, session, game, turn, resolution.state)
    turn.released_at = app.now()
    if outcome == at.outcome:
        return False  # another best possible score, perhaps, but nobody's points: no reason for a mail
    if outcome and not outcome.doubtful:
        bulletins.announce(app, session, game, [MadeStep(turn=turn)])
    return True


def resolved_with(session: Session, game: Game, at: Position, words: Words) -> Resolution[Any]:
    """Resolve the last turn, a closing, once more with this judge of words; nothing is written."""
    before = turn_queries.turn_before(session, at.turn)
    assert before is not None, "a closing has a step before it"
    return _replayed(at.engine, game, at.turn, decode(at.engine.state_type, before.state), words)


def _replayed(engine: AnyEngine, game: Game, turn: Turn, before: Any, words: Words) -> Resolution[Any]:
    """Carry a step out once more from the position before it."""
    dice = Dice(game.seed, turn.number)
    if turn.kind == "start":
        entries = {
            SeatNumber(int(seat)): decode(engine.entry_type, entry) for seat, entry in turn.input["entries"].items()
        }
        return engine.start(entries, turn.input["options"], dice)
    before = given_up.position_before(engine, before, turn)
    if turn.kind == "act":
        move = decode(engine.move_type, turn.input["move"])
        resolution = engine.act(before, SeatNumber(turn.input["seat"]), move, dice, words)
        assert resolution is not None, "a step on record has had its effect"
        return resolution
    if turn.kind == "resign":
        return engine.resign(before, SeatNumber(turn.input["seat"]), dice)
    moves = {SeatNumber(int(seat)): decode(engine.move_type, move) for seat, move in turn.input["moves"].items()}
    return engine.resolve(before, moves, dice, words)
