"""Farbdomino: thirty square tiles of four colours, for two to five players; from the rule text of seed 002."""

from collections.abc import Iterable, Mapping
from typing import Any

from games.api import MoveBlock, Outcome, Resolution, Rules, Seat, Sheet, SignUp, Text, View, Viewer
from games.base import TurnGame
from games.catalogue import wording_of
from games.dice import Dice
from games.farbdomino.moves import misread, moves, read_move, suggest_lines
from games.farbdomino.rules import (
    WINNERS,
    Move,
    State,
    carry_out,
    deal,
    how_it_ended,
    leave,
    miss,
    resample,
    standings,
    winners,
)
from games.farbdomino.view import EXAMPLE, show
from games.words import Words


class Farbdomino(TurnGame[State, Move, SignUp]):
    """Two to five seats lay squares of four colours beside each other."""

    rules = Rules(
        key="farbdomino",
        title="Farbdomino",
        seats=(2, 5),
        version=1,
        unit="turn",
        span="4d",
        profile="duden",
        options={"winner": WINNERS[0]},
        choices={"winner": WINNERS},
        example=EXAMPLE,
    )
    wording = wording_of("games.farbdomino", "common", "turns")
    state_type = State
    move_type = Move
    entry_type = SignUp

    def begin(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Deal."""
        return deal(tuple(entries), options["winner"], dice)

    def read(
        self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None  # noqa: ARG002
    ) -> Sheet[Move]:  # fmt: skip
        """Understand a block."""
        return read_move(state, seat, block)

    def misread(self, block: MoveBlock) -> tuple[Text, ...]:
        """Name the lines that no position makes a move."""
        return misread(block)

    def write(self, state: State, seat: Seat, move: Move) -> tuple[str, ...]:  # noqa: ARG002
        """Write each tile as a line."""
        return tuple(laid.line for laid in move.tiles)

    def moves(self, state: State, seat: Seat) -> Iterable[Move]:
        """List the ways to lay one tile, then those to lay two, and so on."""
        return moves(state, seat)

    def carry_out(self, state: State, move: Move, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Lay the tiles."""
        return carry_out(state, move)

    def miss(self, state: State, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Buy one tile, and pass."""
        return miss(state)

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark seats; who is out of tiles keeps the place."""
        return super().give_up(state, frozenset(player.seat for player in state.players_in if player.seat in seats))

    def leave(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Skip the seat from now on; its tiles are out of play."""
        return leave(state, seat)

    def result(self, state: State) -> Outcome:
        """Rank the seats by their counters."""
        return Outcome(standings=standings(state), winners=winners(state), how=how_it_ended(state))

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:  # noqa: ARG002
        """Show the position."""
        return show(state, viewer)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Deal other hands."""
        return resample(state, viewer, dice)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:  # noqa: ARG002
        """Lay as many as go."""
        return suggest_lines(state, seat, dice)


ENGINE = Farbdomino()
