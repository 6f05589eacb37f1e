"""Presto: everybody builds a grid of their own with all their tiles, and the first two are paid."""

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
    Sheet,
    SignUp,
    View,
    Viewer,
    private,
    public,
    say,
)
from games.catalogue import wording_of
from games.dice import Dice
from games.errors import SetupError
from games.presto.moves import read_move
from games.presto.rules import (
    HANDS,
    Move,
    State,
    close_deal,
    close_if_done,
    deal_to,
    finish,
    judge_again,
    opening_events,
    resample,
    standings,
    winners,
)
from games.presto.suggest import suggest_lines
from games.presto.view import EXAMPLE, show
from games.shared.profiles import NOUNS, TO_CHOOSE, TYPDOM
from games.words import Words

_MOST_DEALS = 20


class Presto(Engine[State, Move, SignUp]):
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
        example=EXAMPLE,
    )
    wording = wording_of("games.presto", "common")
    state_type = State
    move_type = Move
    entry_type = SignUp

    def start(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Deal for the first time. Raises SetupError for a wrong number of seats and for wrong options."""
        agreed = {**self.rules.options, **options}
        if len(entries) not in HANDS:
            raise SetupError(say("SETUP_PLAYERS"))
        if agreed["deals"] not in range(1, _MOST_DEALS + 1):
            raise SetupError(say("SETUP_DEALS", most=_MOST_DEALS))
        if agreed["words"] not in TO_CHOOSE:
            raise SetupError(say("SETUP_WORDS", allowed=", ".join(TO_CHOOSE)))
        seats = tuple(sorted(entries))
        racks, rest = deal_to(len(seats), dice)
        state = State(
            seats=seats,
            deals=int(agreed["deals"]),
            one_left=bool(agreed["one_left"]),
            profile=str(agreed["words"]),
            racks=racks,
            rest=rest,
        )
        return Resolution(state=state, events=opening_events(state))

    def due(self, state: State) -> frozenset[Seat]:
        """Everybody who is still building."""
        return state.due

    def round(self, state: State) -> int:
        """Return which deal it is."""
        return state.number

    def stand(self, state: State, seat: Seat) -> int:
        """The deal; one more for a seat that is asked for nothing more in it."""
        return state.number + (seat not in state.due)

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:  # noqa: ARG002
        """Understand a block."""
        return read_move(state, seat, block, words)

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State]:
        """Take the next place at once, or give the deal up."""
        if seat not in state.due or move.deal != state.number:
            return Resolution(state=state, events=private(seat, say("TOO_LATE", deal=move.deal)))
        if move.passes:
            left, event = replace(state, given_up=(*state.given_up, seat)), say("GAVE_UP", seat=seat)
        else:
            left, event = finish(state, seat, move, words)
        return close_if_done(left, public(event), dice)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Close the deal at its ZAT: seats that have finished are paid, the others get nothing."""
        if state.over:
            return Resolution(state=state)
        missed = tuple(say("SEAT", seat=seat, in_round=state.number) for seat in sorted(state.due))
        return close_deal(state, public(say("TIME_UP", deal=state.number, seats=missed)), dice)

    def judge_again(self, state: State, words: Words) -> State:
        """Take away what grids with refused words were paid."""
        return judge_again(state, words)

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark seats."""
        return replace(state, resigned=(*state.resigned, *sorted(seats - {*state.resigned})))

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:
        """Play on without this seat."""
        if state.over or seat in state.resigned or seat not in state.seats:
            return Resolution(state=state)
        return close_if_done(self.give_up(state, frozenset({seat})), public(say("RESIGNED", seat=seat)), dice)

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by their sums over all deals."""
        return Outcome(standings=standings(state), winners=winners(state)) if state.over else None

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
