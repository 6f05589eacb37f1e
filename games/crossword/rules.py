"""The engine: sign-up, rounds, NMR and the end."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from games.api import (
    EVERYONE,
    Event,
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
    say,
)
from games.crossword.board import new_cells
from games.crossword.hindsight import look_back
from games.crossword.moves import read_move, read_sign_up
from games.crossword.picture import counted
from games.crossword.scoring import result, standings, winners
from games.crossword.state import PROFILE, ROUNDS, SEATS, Move, Result, State, Wish
from games.crossword.suggestion import suggest_lines
from games.crossword.texts import WORDING
from games.crossword.view import show
from games.crossword.wordlist import read_list
from games.dice import Dice
from games.errors import SetupError
from games.words import Words


class Crossword:
    """Six seats, six rounds, six letters a round, and a grid of 6x6 for each seat."""

    rules = Rules(
        key="crossword", title="Crossword", seats=(6, 6), version=1, rounds=ROUNDS, profile=PROFILE, grid_rows=6
    )
    wording = WORDING
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
            raise SetupError("Crossword needs six players; free: {seats}.", free)
        wishes = [(seat, entries[seat]) for seat in SEATS]
        silent = tuple(seat for seat, wish in wishes if wish is None)
        if silent:
            raise SetupError("Crossword needs a wish letter from everybody; missing: {seats}.", silent)
        letters = tuple(wish.letter for _, wish in wishes if wish)
        return Resolution(state=State(wishes=letters))

    def due(self, state: State) -> frozenset[Seat]:
        """All six, until the end."""
        return frozenset() if state.over else frozenset(SEATS)

    def round(self, state: State) -> int:
        """Say which round it is."""
        return state.round

    def stand(self, state: State, seat: Seat) -> int:  # noqa: ARG002 (a round is the same for all)
        """A round is a position."""
        return state.round

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:
        """Understand a block."""
        return read_move(state, seat, block, words, own)

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> None:  # noqa: ARG002
        """Nothing: moves wait for the closing."""
        return

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Close the round. Without a move the letters are lost and the last wish is repeated."""
        if state.over:
            return Resolution(state=state)
        closed = _closed(state, moves)
        missed = tuple(text for seat in SEATS if (text := _missing(state, seat, moves.get(seat))))
        if not closed.over:
            return Resolution(state=closed, events=_public(*missed))
        ended = replace(closed, results=_results(closed, words))
        return Resolution(state=ended, events=_public(*missed, *_ending(ended)))

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark exactly these seats."""
        return replace(state, given_up=tuple(sorted(seats)))

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Leave the seat on the table; until a standby comes it is NMR. The last one in play has won."""
        if state.over or seat not in state.playing:
            return Resolution(state=state)
        left = self.give_up(state, frozenset({*state.given_up, seat}))
        if len(left.playing) > 1:
            return Resolution(state=left, events=_public(say("RESIGNED", seat=seat)))
        ending = tuple(say("LAST_ONE", seat=last) for last in left.playing) or (say("ALL_LEFT"),)
        return Resolution(state=replace(left, over=True), events=_public(say("RESIGNED_LAST", seat=seat), *ending))

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats; doubtful words count nothing until the GM has ruled."""
        if not state.over:
            return None
        return Outcome(standings=standings(state), winners=winners(state), doubtful=_doubtful(state))

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(state, viewer, own)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a block."""
        return suggest_lines(state, seat, dice, words)

    def look_back(self, state: State, words: Words, dice: Dice) -> Iterator[tuple[Section, ...]]:
        """Say what was there unclaimed, and what the letters would have allowed."""
        return look_back(state, words, dice)


def _public(*texts: Text) -> tuple[Event, ...]:
    return tuple(Event(text=text, readers=EVERYONE) for text in texts)


def _closed(state: State, moves: Mapping[Seat, Move]) -> State:
    """Carry out all moves at once."""
    made = [moves.get(seat) for seat in SEATS]
    grids = tuple(move.grid if move else old for move, old in zip(made, state.grids, strict=True))
    wishes = tuple((move.wish if move else "") or last for move, last in zip(made, state.wishes, strict=True))
    return replace(
        state,
        round=min(state.round + 1, ROUNDS),
        over=state.is_last,
        wishes=state.wishes if state.is_last else wishes,
        repeated=state.repeated if state.is_last else tuple(not (move and move.wish) for move in made),
        previous=state.wishes,
        grids=grids,
        new=tuple(new_cells(old, grid) for old, grid in zip(state.grids, grids, strict=True)),
        lists=tuple((move.words if move else ()) or old for move, old in zip(made, state.lists, strict=True)),
        nmr=tuple(old if move else (*old, state.round) for move, old in zip(made, state.nmr, strict=True)),
    )


def _missing(state: State, seat: Seat, move: Move | None) -> Text | None:
    letter = state.wishes[seat - 1]
    if move is None:
        return say("NMR_LAST", seat=seat) if state.is_last else say("NMR", seat=seat, letter=letter)
    return None if move.wish or state.is_last else say("WISH_AGAIN", seat=seat, letter=letter)


def _results(state: State, words: Words) -> tuple[Result, ...]:
    @cache
    def accepts(word: str) -> bool:
        return words.check(word, PROFILE).status == "accepted"

    return tuple(
        result(grid, read_list(lines).entries, words, accepts)
        for grid, lines in zip(state.grids, state.lists, strict=True)
    )


def _doubtful(state: State) -> tuple[str, ...]:
    claims = (claim for result in state.results for claim in result.claims)
    return tuple(sorted({claim.word for claim in claims if claim.status == "doubtful"}))


def _ending(state: State) -> tuple[Text, ...]:
    return tuple(say("FIRST", seat=seat, points=counted(state.results[seat - 1].points)) for seat in winners(state))
