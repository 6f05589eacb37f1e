"""A recorded step carried out once more, and what the rules make of a position: points, result, look back."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from games import AnyEngine
from games.api import SPECTATOR, Outcome, Resolution, Section
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.optional_parts import LooksBack
from games.words import Words
from gm.app.context import App
from gm.game import given_up, word_judge
from gm.runtime.tracebacks import described
from gm.store.json_values import decode, encode
from gm.store.tables import Game, Turn

log = logging.getLogger("gm")

POINTS: Final = ("points", "balance")
"""What a seat's facts call its points, by game."""


def replay_step(engine: AnyEngine, game: Game, turn: Turn, before: Any, words: Words) -> Resolution[Any]:
    """Carry a step out once more from the position before it."""
    if turn.kind == "start":
        entries = {
            SeatNumber(int(seat)): decode(engine.entry_type, entry) for seat, entry in turn.input["entries"].items()
        }
        return engine.start(entries, turn.input["options"], Dice(game.seed, turn.number))
    if turn.kind == "rule":
        return step_ruled_again(engine, game, turn, before, words)
    return _step_from(engine, game, turn, given_up.position_before(engine, before, turn), words)


def step_ruled_again(engine: AnyEngine, game: Game, turn: Turn, before: Any, words: Words) -> Resolution[Any]:
    """Carry a step out once more after rulings: from a position in which all words are judged by today's."""
    before = word_judge.judged_again(engine, given_up.position_before(engine, before, turn), words)
    return _step_from(engine, game, turn, before, words)


def _step_from(engine: AnyEngine, game: Game, turn: Turn, before: Any, words: Words) -> Resolution[Any]:
    """Carry out a closing, a move at once, or a seat's resignation: which one, its row tells by what went in."""
    dice, given = Dice(game.seed, turn.number), turn.input
    if not given:
        return Resolution(state=before)  # within a game only the words are judged again
    if "moves" in given:
        moves = {SeatNumber(int(seat)): decode(engine.move_type, move) for seat, move in given["moves"].items()}
        return engine.resolve(before, moves, dice, words)
    if "move" not in given:
        return engine.resign(before, SeatNumber(given["seat"]), dice)
    move = decode(engine.move_type, given["move"])
    resolution = engine.act(before, SeatNumber(given["seat"]), move, dice, words)
    assert resolution is not None, "a step on record has had its effect"
    return resolution


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


_SECTIONS: TypeAdapter[tuple[Section, ...]] = TypeAdapter(tuple[Section, ...])


def look_back(app: App, game: Game, engine: AnyEngine, state: Any, number: int) -> list[Any]:
    """Return the engine's sections as JSON; nothing before the result, and while a word is doubtful."""
    outcome = engine.outcome(state) if isinstance(engine, LooksBack) else None
    if outcome is None or outcome.doubtful or not isinstance(engine, LooksBack):
        return []
    try:
        found = engine.look_back(state, word_judge.judge(app, game), Dice(game.seed, number + 1))
        stored: list[Any] = _SECTIONS.dump_python(found, mode="json")
    except Exception as error:
        log.warning("Nothing could be looked for in %s: %s", game.name, described(error), exc_info=error)
        return []
    return stored


def read_look_back(stored: list[Any]) -> tuple[Section, ...]:
    """Read what `look_back` gave."""
    return _SECTIONS.validate_python(stored)
