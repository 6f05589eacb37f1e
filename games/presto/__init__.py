"""Presto: everybody builds a grid of their own with all their tiles, and the first two are paid."""

from collections.abc import Mapping
from typing import Any

from games.api import MoveBlock, Outcome, Resolution, Rules, Seat, Sheet, SignUp, View, Viewer, private, public, say
from games.base import RoundGame, changed
from games.catalogue import wording_of
from games.dice import Dice
from games.presto.moves import read_move
from games.presto.rules import (
    HANDS,
    MOST_DEALS,
    Move,
    State,
    close_deal,
    close_if_done,
    deal_to,
    finish,
    judge_again,
    opening_events,
    resample,
    result,
)
from games.presto.suggest import suggest_lines
from games.presto.view import EXAMPLE, PASSES, show, written
from games.shared.profiles import NOUNS, TO_CHOOSE, TYPDOM
from games.words import Words


class Presto(RoundGame[State, Move, SignUp]):
    """A race in several deals: the first whole grid gets 4 points, the second one 2."""

    rules = Rules(
        key="presto",
        title="Presto",
        seats=(min(HANDS), max(HANDS)),
        version=1,
        unit="deal",
        profile=TYPDOM.name,
        profiles=(TYPDOM, NOUNS),
        options={"deals": 3, "one_left": False, "words": TYPDOM.name},
        choices={"deals": range(1, MOST_DEALS + 1), "words": TO_CHOOSE},
        example=EXAMPLE,
    )
    wording = wording_of("games.presto", "common")
    state_type = State
    move_type = Move
    entry_type = SignUp

    def begin(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Deal for the first time."""
        state = State(
            seats=tuple(entries),
            deals=options["deals"],
            one_left=options["one_left"],
            profile=options["words"],
            now=deal_to(len(entries), dice),
        )
        return Resolution(state=state, events=opening_events(state))

    def due(self, state: State) -> frozenset[Seat]:
        """Everybody who is still building."""
        return state.building

    def stand(self, state: State, seat: Seat) -> int:
        """The deal; one more for a seat that is asked for nothing more in it."""
        return state.round + (seat not in state.building)

    def read(
        self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None  # noqa: ARG002
    ) -> Sheet[Move]:  # fmt: skip
        """Understand a block."""
        return read_move(state, seat, block, words)

    def write(self, state: State, seat: Seat, move: Move) -> tuple[str, ...]:  # noqa: ARG002
        """Write the grid, or `passe`."""
        return written(move.grid) if move.grid else PASSES

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State]:
        """Take the next place at once, or give the deal up."""
        if seat not in state.building or move.deal != state.round:
            return Resolution(state=state, events=private(seat, say("TOO_LATE", deal=move.deal)))
        if move.passes:
            left, event = changed(state, passed=(*state.passed, seat)), say("GAVE_UP", seat=seat)
        else:
            left, event = finish(state, seat, move, words)
        return close_if_done(left, public(event), dice)

    def close(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Close the deal at its ZAT: seats that have finished are paid, the others get nothing."""
        missed = tuple(say("SEAT", seat=seat, in_round=state.round) for seat in sorted(state.building))
        return close_deal(state, public(say("TIME_UP", deal=state.round, seats=missed)), dice)

    def judge_again(self, state: State, words: Words) -> State:
        """Take away what grids with refused words were paid."""
        return judge_again(state, words)

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark these seats as well: nobody takes their tiles."""
        return super().give_up(state, seats | {*state.given_up})

    def leave(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:
        """Play on without this seat."""
        return close_if_done(state, public(say("RESIGNED", seat=seat)), dice)

    def result(self, state: State) -> Outcome:
        """Rank the seats."""
        return result(state)

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(state, viewer, own)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Deal other tiles."""
        return resample(state, viewer, dice)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Build a whole grid; `passe` where none was found."""
        return suggest_lines(state, seat, dice, words)


ENGINE = Presto()
