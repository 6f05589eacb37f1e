"""A recorded step carried out once more, and what the rules make of a position."""

from collections.abc import Mapping
from typing import Any, Final

from games import AnyEngine
from games.api import SPECTATOR, Outcome, Resolution
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.words import Words
from gm.game import given_up
from gm.store.json_values import decode, encode
from gm.store.tables import Game, Turn

POINTS: Final = ("points", "balance")
"""What a seat's facts call its points, by game."""


def replay_step(engine: AnyEngine, game: Game, turn: Turn, before: Any, words: Words) -> Resolution[Any]:
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


def points(engine: AnyEngine, state: Any, outcome: Outcome | None) -> dict[int, int | None]:
    """Return the points of each seat as everybody sees them; None in a game that counts none before its end."""
    facts = engine.view(state, SPECTATOR).seat_facts
    found: dict[int, int | None] = {int(seat): _first(one) for seat, one in facts.items()}
    if outcome:
        found |= {int(line.seat): line.points for line in outcome.standings}
    return found


def _first(facts: Mapping[str, Any]) -> int | None:
    return next((facts[name] for name in POINTS if isinstance(facts.get(name), int)), None)


def result(engine: AnyEngine, state: Any) -> dict[str, Any]:
    """Say what the rules make of a position, as it is stored with its step."""
    outcome = engine.outcome(state)
    found: dict[str, Any] = {"points": {str(seat): one for seat, one in points(engine, state, outcome).items()}}
    return found | ({"outcome": encode(Outcome, outcome)} if outcome else {})
