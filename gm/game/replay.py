"""Replaying a game from its record: the same seed, moves and verdicts must give the same positions and scores."""

from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.app.context import App
from gm.game import given_up, word_judge
from gm.store.json_values import decode, encode_events
from gm.store.queries import turn_queries
from gm.store.tables import Game, Turn


def verify(app: App, session: Session, game: Game) -> list[str]:
    """Replay every step of a game; returns a sentence for each difference, none where all is as recorded."""
    engine = app.engine(game.engine)
    states: dict[int, Any] = {}
    faults: list[str] = []
    for turn in sorted(
        turn_queries.turns(session, game), key=lambda turn: turn.id
    ):  # as they were made: some were undone
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
        resolution = _replay(engine, game, turn, before)
        if resolution.state != states[turn.number]:  # as values: a rule may have brought a field since
            faults.append(f"turn {turn.number}, version {turn.version}: the replay leads to another position")
        if encode_events(resolution.events) != turn.events:
            faults.append(f"turn {turn.number}, version {turn.version}: the replay brings other events")
    return faults


def _replay(engine: AnyEngine, game: Game, turn: Turn, before: Any) -> Any:
    dice = Dice(game.seed, turn.number)
    if turn.kind == "start":
        entries = {
            SeatNumber(int(seat)): decode(engine.entry_type, entry) for seat, entry in turn.input["entries"].items()
        }
        return engine.start(entries, turn.input["options"], dice)
    before = given_up.before(engine, before, turn)
    if turn.kind == "act":
        move = decode(engine.move_type, turn.input["move"])
        return engine.act(before, SeatNumber(turn.input["seat"]), move, dice, word_judge.recorded(turn))
    if turn.kind == "resign":
        return engine.resign(before, SeatNumber(turn.input["seat"]), dice)
    moves = {SeatNumber(int(seat)): decode(engine.move_type, move) for seat, move in turn.input["moves"].items()}
    return engine.resolve(before, moves, dice, word_judge.recorded(turn))
