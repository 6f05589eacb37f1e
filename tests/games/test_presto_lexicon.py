"""Presto with the list that is shipped: scripted players finish, so that demo games end."""

import pytest

from games.api import MoveBlock, Seat
from games.dice import Dice
from games.presto import ENGINE
from gm.lexicon.lexicon import Lexicon


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_nearly_every_rack_is_built(seats: int) -> None:
    """Of the racks of a deal at most one is too hard (a Q without U), and what is built is accepted as it stands."""
    words = Lexicon.load()
    state = ENGINE.start({Seat(n + 1): None for n in range(seats)}, {}, Dice("lexicon", seats)).state
    given_up = 0
    for seat in state.seats:
        sheet = ENGINE.read(state, seat, MoveBlock(lines=ENGINE.suggest(state, seat, Dice("x", 1), words)), words)
        assert sheet.move is not None
        assert not sheet.doubtful
        given_up += sheet.move.passes
    assert given_up <= 1
