"""Typ-Dom: the Kreuzwort-Spiel for two to five players, on an open board, with racks of red and black tiles."""

from collections.abc import Mapping
from typing import Any

from games.api import (
    Engine,
    Event,
    MoveBlock,
    Outcome,
    Resolution,
    Rules,
    Seat,
    Sheet,
    SignUp,
    Text,
    View,
    Viewer,
    private,
    public,
    say,
)
from games.catalogue import wording_of
from games.dice import Dice
from games.errors import SetupError
from games.shared.example import example
from games.shared.profiles import NOUNS, TO_CHOOSE, TYPDOM
from games.shared.tiles import begins, deal
from games.typ_dom.moves import misread, read_block
from games.typ_dom.rules import (
    Move,
    State,
    Variant,
    carry_out,
    colours_text,
    give_up,
    judge_again,
    nmr_move,
    rack_text,
    resample,
    resign,
)
from games.typ_dom.settlement import final_sections, payments, standings, winners
from games.typ_dom.suggest import suggest_lines
from games.typ_dom.view import show
from games.words import Words


class TypDom(Engine[State, Move, SignUp]):
    """Two to five seats lay words on one open board, turn by turn, from racks that are hidden."""

    state_type = State
    move_type = Move
    entry_type = SignUp

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.rules = variant.rules
        self.wording = variant.wording

    def start(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Mix and deal; the letter nearest to Z begins. Raises SetupError for seats or options that don't go."""
        settings = {**self.rules.options, **options}
        seats = _seats(self.rules.title, self.rules.seats, entries)
        stake = _choice("stake", str(settings.get("stake", 1)), ("1", "2", "4"))
        red, black = self.variant.rack(settings, len(seats))
        racks, bag = deal(dice, len(seats), red, black)
        starter = Seat(begins(racks) + 1)
        state = State(
            words=_choice("words", str(settings["words"]), TO_CHOOSE),
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

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:  # noqa: ARG002
        """Understand a block."""
        return read_block(self.variant, state, seat, block, words)

    def misread(self, block: MoveBlock) -> tuple[Text, ...]:
        """Name the lines that no position makes a move."""
        return misread(block)

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State] | None:  # noqa: ARG002
        """Carry out a turn at once."""
        return carry_out(self.variant, state, move, words) if seat in self.due(state) else Resolution(state=state)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """End the turn of a seat that sent nothing."""
        if state.over:
            return Resolution(state=state)
        if state.seat in moves:
            return carry_out(self.variant, state, moves[state.seat], words)
        return carry_out(self.variant, state, nmr_move(self.variant, state), words, missed=True)

    def judge_again(self, state: State, words: Words) -> State:
        """Take away what refused words have scored."""
        return judge_again(state, words)

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

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Deal other tiles."""
        return resample(state, viewer, dice)

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
        raise SetupError(
            say(
                "SETUP_PLAYERS",
                title=title,
                fewest=fewest,
                most=most,
                seats=tuple(say("SEAT", seat=seat) for seat in free),
            )
        )
    return seats


def _choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise SetupError(say("SETUP_OPTION", name=name, allowed=", ".join(allowed), value=str(value)))
    return value


def _start_events(state: State, red: int, black: int) -> tuple[Event, ...]:
    dealt = say("DEALT", tiles=colours_text(red, black))
    racks = (event for seat in state.seats for event in private(seat, say("DREW", tiles=rack_text(state.rack(seat)))))
    return (*public(dealt), *racks, *public(say("STARTS", seat=state.starter)))


ENGINE = TypDom(
    Variant(
        rules=Rules(
            key="typ-dom",
            title="Typ-Dom",
            aliases=("Kreuzwort-Spiel",),
            seats=(2, 5),
            version=1,
            unit="turn",
            span="4d",
            profile=TYPDOM.name,
            profiles=(TYPDOM, NOUNS),
            options={"words": TYPDOM.name, "stake": 1},
            example=example(("Y26 w SEITE", "Y26 s STOCK", "Y28 w OHR"), ("AA25 s TiEr", "AC26 s eIS")),
        ),
        wording=wording_of("games.typ_dom", "common"),
        rack=lambda _options, _seats: (5, 8),
        most_bought=1,
        may_pass=False,
        second_word_is_duty=True,
        finishes_round=False,
        words_score=False,
        winners=winners,
        settle=payments,
        final=final_sections,
        how_to=("HOW_WORD", "HOW_SECOND_DUTY", "HOW_JOKER", "HOW_BUY_ONE"),
        in_short=("SHORT_BUY_ONE",),
    )
)
