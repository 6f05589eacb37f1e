"""What a scripted player sends: suggested by the game, from no more than its seat may know."""

from typing import Any

from games import AnyEngine
from games.api import Seat
from games.dice import Dice
from games.words import Words


def suggested(engine: AnyEngine, state: Any, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
    """Ask the game for a sensible block. It sees a resampled position, never the true one.

    The hidden part has dice of its own, so that a player with the same dice does the same whatever is hidden.
    """
    seen = engine.resample(state, seat, Dice("resampled", engine.stand(state, seat)))
    return engine.suggest(seen, seat, dice, words)
