"""Farbdomino: thirty square tiles of four colours, for two to five players; from the rule text of seed 002."""

from collections.abc import Mapping
from typing import Any

from games.api import Engine, MoveBlock, Outcome, Resolution, Rules, Seat, Sheet, SignUp, Text, View, Viewer, say
from games.catalogue import wording_of
from games.dice import Dice
from games.errors import SetupError
from games.farbdomino.moves import misread, read_move, suggest_lines
from games.farbdomino.rules import (
    HANDS,
    Move,
    State,
    Winner,
    carry_out,
    deal,
    give_up,
    how_it_ended,
    miss,
    resample,
    resign,
    standings,
    winners,
)
from games.farbdomino.view import EXAMPLE, show
from games.words import Words

_FIRST_OUT: Winner = "first_out"
_COUNTERS: Winner = "counters"


class Farbdomino(Engine[State, Move, SignUp]):
    """Two to five seats lay squares of four colours beside each other."""

    rules = Rules(
        key="farbdomino",
        title="Farbdomino",
        seats=(2, 5),
        version=1,
        unit="turn",
        span="4d",
        profile="duden",
        options={"winner": _FIRST_OUT},
        example=EXAMPLE,
    )
    wording = wording_of("games.farbdomino", "common")
    state_type = State
    move_type = Move
    entry_type = SignUp

    def start(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Deal. Raises SetupError for too few or too many players and for an option that there isn't."""
        if len(entries) not in HANDS:
            raise SetupError(say("SETUP_PLAYERS", number=len(entries)))
        wanted = options.get("winner", _FIRST_OUT)
        if wanted not in (_FIRST_OUT, _COUNTERS):
            raise SetupError(say("SETUP_WINNER", value=str(wanted)))
        return deal(sorted(entries), _COUNTERS if wanted == _COUNTERS else _FIRST_OUT, dice)

    def due(self, state: State) -> frozenset[Seat]:
        """The seat on turn."""
        return frozenset() if state.over else frozenset({state.on_turn})

    def round(self, state: State) -> int:
        """Return which turn it is."""
        return state.turn

    def read(
        self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None  # noqa: ARG002
    ) -> Sheet[Move]:  # fmt: skip
        """Understand a block."""
        return read_move(state, seat, block)

    def misread(self, block: MoveBlock) -> tuple[Text, ...]:
        """Name the lines that no position makes a move."""
        return misread(block)

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Lay the tiles, at once."""
        return carry_out(state, move) if seat in self.due(state) else Resolution(state=state)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:
        """Close a turn for which nothing came: one tile is bought, the turn passes."""
        if state.over:
            return Resolution(state=state)
        move = moves.get(state.on_turn)
        return self.act(state, state.on_turn, move, dice, words) if move else miss(state)

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark seats; who is out of tiles keeps the place."""
        return give_up(state, seats)

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Play on without the seat."""
        return resign(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by their counters."""
        if not state.over:
            return None
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
