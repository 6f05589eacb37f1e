"""Recorded steps carried out once more: to check a game's record, or with rulings that came after a closing."""

from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import Resolution
from games.words import Words
from gm.app.context import App
from gm.app.recorded_rules import is_same_version, read_state
from gm.game import steps, word_judge
from gm.game.announcements import bulletins
from gm.game.announcements.announced_step import MadeStep
from gm.game.position import Position, is_released, position
from gm.game.replayed_step import replay_step, result, step_ruled_again
from gm.game.upgrades import new_rules
from gm.runtime.errors import Refused
from gm.store.json_values import decode, encode_events
from gm.store.queries import turn_queries
from gm.store.tables import Game, Turn


def verify(app: App, session: Session, game: Game) -> list[str]:
    """Replay every step of a game; returns a sentence for each difference, none where all is as recorded.

    The same rules, seed, moves and verdicts must give the same positions and scores. What other rules have made can't
    be checked; `other_rules` tells of it.
    """
    engine = app.engine(game.engine)
    states: dict[int, Any] = {}
    faults: list[str] = []
    # In the order in which they were made: some were undone.
    for turn in sorted(turn_queries.turns(session, game), key=lambda turn: turn.id):
        before = states.get(turn.number - 1)
        try:
            states[turn.number] = read_state(engine, game.name, turn)
        except Refused:
            states.pop(turn.number, None)
            faults.append(
                f"turn {turn.number} was played by rules {turn.rules_version}, here are {engine.rules.version}"
            )
            continue
        if before is None and turn.kind != "start":
            faults.append(f"turn {turn.number} can't be replayed: the one before it was played by other rules")
        elif is_same_version(engine, turn):
            faults += _faults(engine, game, turn, before, states[turn.number])
    return faults


def _faults(engine: AnyEngine, game: Game, turn: Turn, before: Any, recorded: Any) -> list[str]:
    """Make a step once more, and compare it."""
    resolution, found = replay_step(engine, game, turn, before, word_judge.recorded(turn)), list[str]()
    where = f"turn {turn.number}, version {turn.version}: the replay"
    if resolution.state != recorded:
        found.append(f"{where} leads to another position")
    if encode_events(resolution.events) != turn.events:
        found.append(f"{where} brings other events")
    if turn.result != result(engine, recorded):
        found.append(f"{where} comes to other points")
    return found


def other_rules(app: App, session: Session, game: Game) -> str:
    """Say by which rules a game is recorded where others are here; else ""."""
    engine = app.engine(game.engine)
    made = {turn.rules_version for turn in turn_queries.turns(session, game) if not is_same_version(engine, turn)}
    if not made or max(made) > engine.rules.version:
        return ""
    return f"as recorded by rules {', '.join(map(str, sorted(made)))}; here are {engine.rules.version}"


def resolve_again(app: App, session: Session, game: Game) -> bool:
    """Resolve the last turn once more with today's rulings, as its next version; False where no result changes.

    Raises RulesChanged where the GM has to agree to new rules first; what has ended by older rules is left as it is.

    The result goes out when no word is doubtful any more; while some are, nothing is mailed.
    """
    at = position(app, game)
    if game.status == "finished" and not is_same_version(at.engine, at.turn):
        return False  # for ever as its own rules made it
    new_rules.check(app, game)
    if at.turn.kind == "start":
        return False
    judge = word_judge.judge_again(session, game, at.turn)
    resolution = resolved_with(session, game, at, judge)
    if resolution.state == at.state:
        return False
    step = steps.NewStep(
        number=at.turn.number, kind="rule", resolution=resolution, given=at.turn.input,
        verdicts={**at.turn.verdicts, **word_judge.record(judge.asked)}, words=at.turn.words,
    )  # fmt: skip
    if is_released(at.turn):
        steps.set_clock(app, session, game, resolution.state)
    turn = steps.write(app, session, game, step)
    turn.foreword, outcome = at.turn.foreword, at.engine.outcome(resolution.state)
    if not is_released(at.turn):
        return True  # the GM has yet to release the result: it goes out as it is then
    turn.released_at = app.now()
    if outcome == at.outcome:
        return False  # another best possible score, perhaps, but nobody's points: no reason for a mail
    if outcome and not outcome.doubtful:
        bulletins.announce(app, session, game, [MadeStep(turn=turn)])
    return True


def judge_again(app: App, session: Session, game: Game) -> tuple[Turn, Turn] | None:
    """Judge the words of a game that goes on by today's rulings, as a step of its own; None where nothing changes.

    Returns the step before it and this one. A closing that waits for its release is left to the next one.
    """
    at = position(app, game)
    if not is_released(at.turn) or not new_rules.may_go_on(app, game):
        return None
    judge = word_judge.judge_again(session, game, at.turn)
    state = word_judge.judged_again(at.engine, at.state, judge)
    if state == at.state:
        return None
    verdicts = word_judge.record(judge.asked)
    step = steps.NewStep(
        number=at.turn.number + 1, kind="rule", resolution=Resolution(state=state), given={}, verdicts=verdicts
    )
    turn = steps.write(app, session, game, step)
    turn.released_at = app.now()
    return at.turn, turn


def resolved_with(session: Session, game: Game, at: Position, words: Words) -> Resolution[Any]:
    """Make the last step once more with this judge of words; nothing is written. The start has none before it."""
    before = turn_queries.turn_before(session, at.turn)
    assert before is not None, "only the start has no step before it"
    return step_ruled_again(at.engine, game, at.turn, decode(at.engine.state_type, before.state), words)
