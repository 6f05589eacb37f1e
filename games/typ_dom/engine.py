"""The engine of Typ-Dom and its variants: start, turns, NMR and the end."""

from collections.abc import Mapping
from typing import Any

from games.api import EVERYONE, Event, MoveBlock, Outcome, Resolution, Seat, Sheet, View, Viewer, say
from games.dice import Dice
from games.errors import SetupError
from games.tiles import begins, deal
from games.typ_dom.pictures import colours_text, rack_text
from games.typ_dom.play import carry_out, give_up, nmr_move, resign
from games.typ_dom.reading import read_block
from games.typ_dom.settlement import standings
from games.typ_dom.state import PROFILES, Entry, Move, State
from games.typ_dom.suggestion import suggest_lines
from games.typ_dom.variant import Variant
from games.typ_dom.view import show
from games.words import Words


class TypDom:
    """Two to five seats lay words on one open board, turn by turn, from racks that are hidden."""

    state_type = State
    move_type = Move
    entry_type = Entry

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.rules = variant.rules
        self.wording = variant.wording

    def enrol(self, block: MoveBlock, options: Mapping[str, Any]) -> Sheet[Entry]:  # noqa: ARG002
        """Nothing is needed but the player."""
        return Sheet(move=Entry())

    def start(self, entries: Mapping[Seat, Entry | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Mix and deal; the letter nearest to Z begins. Raises SetupError for seats or options that don't go."""
        settings = {**self.rules.options, **options}
        seats = _seats(self.rules.title, self.rules.seats, entries)
        stake = _choice("stake", str(settings.get("stake", 1)), ("1", "2", "4"))
        red, black = self.variant.rack(settings, len(seats))
        racks, bag = deal(dice, len(seats), red, black)
        starter = Seat(begins(racks) + 1)
        state = State(
            words=_choice("words", str(settings["words"]), PROFILES),
            stake=int(stake),
            starter=starter,
            seat=starter,
            racks=racks,
            bag=bag,
        )
        return Resolution(state=state, events=_start_events(state, red, black))

    def due(self, state: State) -> frozenset[Seat]:
        """The seat on turn."""
        return frozenset() if state.over else frozenset({state.seat})

    def round(self, state: State) -> int:
        """Number the turns."""
        return state.turn

    def stand(self, state: State, seat: Seat) -> int:  # noqa: ARG002 (there are no private steps)
        """Every turn is a new position for everybody."""
        return state.turn

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:  # noqa: ARG002
        """Understand a block."""
        return read_block(self.variant, state, seat, block, words)

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State] | None:  # noqa: ARG002
        """Carry out a turn at once."""
        return carry_out(self.variant, state, move) if seat in self.due(state) else Resolution(state=state)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """End the turn of a seat that sent nothing."""
        if state.over:
            return Resolution(state=state)
        if state.seat in moves:
            return carry_out(self.variant, state, moves[state.seat])
        return carry_out(self.variant, state, nmr_move(self.variant, state), missed=True)

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark seats."""
        return give_up(state, seats)

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Skip a seat from now on."""
        return resign(self.variant, state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Settle. Nothing doubtful ever lies on the board."""
        if not state.over:
            return None
        points = self.variant.settle(state)
        return Outcome(standings=standings(state, points), winners=self.variant.winners(state))

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(self.variant, state, viewer, own)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a sensible turn."""
        return suggest_lines(self.variant, state, dice, words) if seat in self.due(state) else ()


def _seats(title: str, number: tuple[int, int], entries: Mapping[Seat, Any]) -> tuple[Seat, ...]:
    fewest, most = number
    seats = tuple(sorted(entries))
    free = (
        tuple(n for n in range(1, max(*seats, fewest) + 1) if n not in seats) if seats else tuple(range(1, fewest + 1))
    )
    if free or len(seats) > most:
        raise SetupError(f"{title} needs {fewest} to {most} players; free: {{seats}}.", free)
    return seats


def _choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise SetupError(f"The option {name} is one of {', '.join(allowed)}, not {value}.")
    return value


def _start_events(state: State, red: int, black: int) -> tuple[Event, ...]:
    dealt = say("DEALT", tiles=colours_text(red, black))
    racks = (Event(text=say("DREW", tiles=rack_text(state.rack(s))), readers=frozenset({s})) for s in state.seats)
    starts = say("STARTS", seat=state.starter)
    return (Event(text=dealt, readers=EVERYONE), *racks, Event(text=starts, readers=EVERYONE))
