"""The engine: dealing, the race, the end of a deal and of the game."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.api import EVERYONE, Event, MoveBlock, Outcome, Resolution, Rules, Seat, Sheet, Text, View, Viewer, say
from games.dice import Dice
from games.errors import SetupError
from games.presto.final import standings, winners
from games.presto.picture import counted, tiles_text
from games.presto.reading import read_move
from games.presto.state import (
    HANDS,
    PLACES,
    PRIZES,
    PRIZES_ONE_LEFT,
    Deal,
    Finish,
    Move,
    SignUp,
    State,
)
from games.presto.suggestion import suggest_lines
from games.presto.texts import WORDING
from games.presto.view import show
from games.tiles import deal
from games.words import Words

_MOST_DEALS = 20
_PROFILES = ("typdom", "duden", "nouns")


class Presto:
    """A race in several deals: the first whole grid gets 4 points, the second one 2."""

    rules = Rules(
        key="presto",
        title="Presto",
        seats=(min(HANDS), max(HANDS)),
        version=1,
        unit="deal",
        profile="typdom",
        options={"deals": 3, "one_left": False, "words": "typdom"},
    )
    wording = WORDING
    state_type = State
    move_type = Move
    entry_type = SignUp

    def enrol(self, block: MoveBlock, options: Mapping[str, Any]) -> Sheet[SignUp]:  # noqa: ARG002
        """Nothing is needed but the will to play."""
        return Sheet(move=SignUp())

    def start(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Deal for the first time. Raises SetupError for too few or too many seats and for options that can't be."""
        agreed = {**self.rules.options, **options}
        if len(entries) not in HANDS:
            raise SetupError("Presto needs four to six players.")
        if agreed["deals"] not in range(1, _MOST_DEALS + 1):
            raise SetupError(f"Presto is played in 1 to {_MOST_DEALS} deals.")
        if agreed["words"] not in _PROFILES:
            raise SetupError(f"The option words is one of {', '.join(_PROFILES)}.")
        seats = tuple(sorted(entries))
        racks, rest = _dealt(len(seats), dice)
        state = State(
            seats=seats,
            deals=int(agreed["deals"]),
            one_left=bool(agreed["one_left"]),
            profile=str(agreed["words"]),
            racks=racks,
            rest=rest,
        )
        return Resolution(state=state, events=_opening(state))

    def due(self, state: State) -> frozenset[Seat]:
        """Everybody who is still building."""
        return state.due

    def round(self, state: State) -> int:
        """Say which deal it is."""
        return state.number

    def stand(self, state: State, seat: Seat) -> int:
        """The deal; one more for a seat that is asked for nothing more in it."""
        return state.number + (seat not in state.due)

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:  # noqa: ARG002
        """Understand a block."""
        return read_move(state, seat, block, words)

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Take the next place at once, or give the deal up."""
        if seat not in state.due or move.deal != state.number:
            return Resolution(state=state, events=(_private(seat, say("TOO_LATE", deal=move.deal)),))
        if move.passes:
            left, event = replace(state, given_up=(*state.given_up, seat)), say("GAVE_UP", seat=seat)
        else:
            left, event = _finished(state, seat, move)
        return _closed_if_done(left, _public(event), dice)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """The ZAT of the deal has come: who has finished is paid, the others get nothing."""
        if state.over:
            return Resolution(state=state)
        missed = tuple(say("SEAT", seat=seat) for seat in sorted(state.due))
        return _closed(state, _public(say("TIME_UP", deal=state.number, seats=missed)), dice)

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark seats."""
        return replace(state, resigned=(*state.resigned, *sorted(seats - {*state.resigned})))

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:
        """Play on without this seat."""
        if state.over or seat in state.resigned or seat not in state.seats:
            return Resolution(state=state)
        return _closed_if_done(self.give_up(state, frozenset({seat})), _public(say("RESIGNED", seat=seat)), dice)

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by their sums over all deals."""
        return Outcome(standings=standings(state), winners=winners(state)) if state.over else None

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:  # noqa: ARG002
        """Show the position."""
        return show(state, viewer)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Build a whole grid; `passe` where none was found."""
        return suggest_lines(state, seat, dice, words)


def _public(*texts: Text) -> tuple[Event, ...]:
    return tuple(Event(text=text, readers=EVERYONE) for text in texts)


def _private(seat: Seat, text: Text) -> Event:
    return Event(text=text, readers=frozenset({seat}))


def _dealt(seats: int, dice: Dice) -> tuple[tuple[str, ...], str]:
    black, red = HANDS[seats]
    return deal(dice, seats, red, black)


def _opening(state: State) -> tuple[Event, ...]:
    tiles = (
        _private(seat, say("DEALT", deal=state.number, tiles=tiles_text(state.rack(seat))))
        for seat in sorted(state.due)
    )
    return (*_public(say("OPENS", deal=state.number, deals=state.deals)), *tiles)


def _finished(state: State, seat: Seat, move: Move) -> tuple[State, Text]:
    place = len(state.finishes)
    points = (PRIZES_ONE_LEFT if move.left else PRIZES)[place]
    finish = Finish(seat=seat, grid=move.grid, left=move.left, points=points)
    event = say("FINISHED_LEFT" if move.left else "FINISHED", seat=seat, place=place + 1, points=counted(points))
    return replace(state, finishes=(*state.finishes, finish)), event


def _closed_if_done(state: State, events: tuple[Event, ...], dice: Dice) -> Resolution[State]:
    """Close the deal when both places are taken, or when nobody is left who could take one, or play for them."""
    if state.due and len(state.finishes) < PLACES and len(state.playing) > 1:
        return Resolution(state=state, events=events)
    return _closed(state, events, dice)


def _closed(state: State, events: tuple[Event, ...], dice: Dice) -> Resolution[State]:
    """End the deal and deal anew; after the last deal, or with one seat left, the game is over."""
    past = (*state.past, Deal(racks=state.racks, rest=state.rest, finishes=state.finishes))
    paid = tuple(say("PAID", seat=finish.seat, points=finish.points) for finish in state.finishes)
    said = say("DEAL_OVER", deal=state.number, paid=paid) if paid else say("DEAL_OVER_NOBODY", deal=state.number)
    if state.number == state.deals or len(state.playing) < 2:
        ended = replace(state, past=past, over=True)
        return Resolution(state=ended, events=(*events, *_public(said, *_winners(ended))))
    racks, rest = _dealt(len(state.seats), dice)
    after = replace(state, past=past, number=state.number + 1, racks=racks, rest=rest, finishes=(), given_up=())
    return Resolution(state=after, events=(*events, *_public(said), *_opening(after)))


def _winners(state: State) -> tuple[Text, ...]:
    alone = tuple(say("LAST_ONE", seat=seat) for seat in state.playing if len(state.playing) == 1)
    first = tuple(say("FIRST", seat=seat, points=counted(state.points(seat))) for seat in winners(state))
    return (*alone, *first)
