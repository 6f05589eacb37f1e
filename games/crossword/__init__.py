"""Crossword: six seats, each with a grid of 6x6 of its own; postal rules of the Dottendorfer Soccer."""

from collections.abc import Mapping
from typing import Any

from games.api import MoveBlock, Outcome, Resolution, Rules, Seat, Section, Sheet, View, Viewer, say
from games.base import RoundGame
from games.catalogue import wording_of
from games.crossword.moves import read_move, read_sign_up
from games.crossword.rules import (
    PROFILE,
    ROUNDS,
    Move,
    State,
    Wish,
    close_round,
    resample,
    result,
)
from games.crossword.suggest import FIRST_WISHES, look_back, suggest_lines
from games.crossword.view import EXAMPLE, block_lines, show
from games.dice import Dice
from games.errors import SetupError
from games.words import Words


class Crossword(RoundGame[State, Move, Wish]):
    """Six seats, six rounds, six letters a round, and a grid of 6x6 for each seat."""

    rules = Rules(
        key="crossword", title="Crossword", seats=(6, 6), version=1, rounds=ROUNDS, profile=PROFILE, grid_rows=6,
        aliases=("Kreuzwort",), example=EXAMPLE, is_example=True,
    )  # fmt: skip
    wording = wording_of("games.crossword", "common", "rounds")
    state_type = State
    move_type = Move
    entry_type = Wish

    def enrol(self, block: MoveBlock, options: Mapping[str, Any]) -> Sheet[Wish]:  # noqa: ARG002
        """Read the wish letter for round 1."""
        return read_sign_up(block)

    def begin(self, entries: Mapping[Seat, Wish | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Open round 1 with the letters of the sign-ups. Raises SetupError while one of them is missing."""
        silent = tuple(say("SEAT", seat=seat) for seat, wish in entries.items() if wish is None)
        if silent:
            raise SetupError(say("SETUP_WISHES", seats=silent))
        return Resolution(state=State(wishes=tuple(wish.letter for wish in entries.values() if wish)))

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:
        """Understand a block."""
        return read_move(state, seat, block, words, own)

    def write(self, state: State, seat: Seat, move: Move) -> tuple[str, ...]:
        """Write wish, grid and list."""
        return block_lines(state, seat, move)

    def close(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Take the grids and the wishes; after the last round, judge the lists."""
        return close_round(state, moves, words)

    def result(self, state: State) -> Outcome:
        """Rank the seats."""
        return result(state)

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(state, viewer, own)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Draw other word lists."""
        return resample(state, viewer, dice)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a block."""
        return suggest_lines(state, seat, dice, words)

    def suggest_entry(self, seat: Seat) -> tuple[str, ...]:
        """Wish a common letter, each seat another one."""
        return (f"Neu: {FIRST_WISHES[seat - 1]}",)

    def look_back(self, state: State, words: Words, dice: Dice) -> tuple[Section, ...]:
        """Show what was there unclaimed, and what the letters would have allowed."""
        return look_back(state, words, dice)


ENGINE = Crossword()
