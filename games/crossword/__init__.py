"""Crossword: six seats, each with a grid of 6x6 of its own; postal rules of the Dottendorfer Soccer."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.api import (
    Engine,
    MoveBlock,
    Outcome,
    Resolution,
    Rules,
    Seat,
    Section,
    Sheet,
    Text,
    View,
    Viewer,
    public,
    say,
)
from games.catalogue import wording_of
from games.crossword.moves import read_move, read_sign_up
from games.crossword.rules import (
    PROFILE,
    ROUNDS,
    SEATS,
    Move,
    State,
    Wish,
    close_round,
    doubtful,
    missing_text,
    resample,
    results_of,
    standings,
    winners,
)
from games.crossword.suggest import FIRST_WISHES, look_back, suggest_lines
from games.crossword.view import EXAMPLE, show
from games.dice import Dice
from games.errors import SetupError
from games.shared.phrases import counted, last_in_play
from games.words import Words


class Crossword(Engine[State, Move, Wish]):
    """Six seats, six rounds, six letters a round, and a grid of 6x6 for each seat."""

    rules = Rules(
        key="crossword", title="Crossword", seats=(6, 6), version=1, rounds=ROUNDS, profile=PROFILE, grid_rows=6,
        example=EXAMPLE, is_example=True,
    )  # fmt: skip
    wording = wording_of("games.crossword", "common", "rounds")
    state_type = State
    move_type = Move
    entry_type = Wish

    def enrol(self, block: MoveBlock, options: Mapping[str, Any]) -> Sheet[Wish]:  # noqa: ARG002
        """Read the wish letter for round 1."""
        return read_sign_up(block)

    def start(self, entries: Mapping[Seat, Wish | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Open round 1 with the letters of the sign-ups. Raises SetupError while one of the six is missing."""
        free = tuple(seat for seat in SEATS if seat not in entries)
        if free or len(entries) != len(SEATS):
            raise SetupError(say("SETUP_PLAYERS", seats=tuple(say("SEAT", seat=seat) for seat in free)))
        wishes = [(seat, entries[seat]) for seat in SEATS]
        silent = tuple(seat for seat, wish in wishes if wish is None)
        if silent:
            raise SetupError(say("SETUP_WISHES", seats=tuple(say("SEAT", seat=seat) for seat in silent)))
        letters = tuple(wish.letter for _, wish in wishes if wish)
        return Resolution(state=State(wishes=letters))

    def due(self, state: State) -> frozenset[Seat]:
        """All six, until the end."""
        return frozenset() if state.over else frozenset(SEATS)

    def round(self, state: State) -> int:
        """Return which round it is."""
        return state.round

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:
        """Understand a block."""
        return read_move(state, seat, block, words, own)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Close the round. Without a move the letters are lost and the last wish is repeated."""
        if state.over:
            return Resolution(state=state)
        after = close_round(state, moves)
        missed = tuple(text for seat in SEATS if (text := missing_text(state, seat, moves.get(seat))))
        if not after.over:
            return Resolution(state=after, events=public(*missed))
        ended = replace(after, results=results_of(after, words))
        return Resolution(state=ended, events=public(*missed, *_ending(ended)))

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark exactly these seats."""
        return replace(state, given_up=tuple(sorted(seats)))

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Leave the seat on the table; until a standby comes it is NMR. The last one in play has won."""
        if state.over or seat not in state.playing:
            return Resolution(state=state)
        left = self.give_up(state, frozenset({*state.given_up, seat}))
        if len(left.playing) > 1:
            return Resolution(state=left, events=public(say("RESIGNED", seat=seat)))
        events = public(say("RESIGNED_LAST", seat=seat), *last_in_play(left.playing))
        return Resolution(state=replace(left, over=True), events=events)

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats; doubtful words count nothing until the GM has ruled."""
        if not state.over:
            return None
        return Outcome(standings=standings(state), winners=winners(state), doubtful=doubtful(state))

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


def _ending(state: State) -> tuple[Text, ...]:
    return tuple(say("FIRST", seat=seat, points=counted(state.results[seat - 1].points)) for seat in winners(state))


ENGINE = Crossword()
