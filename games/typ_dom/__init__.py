"""Typ-Dom: the Kreuzwort-Spiel for two to five players, on an open board, with racks of red and black tiles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.api import (
    Event,
    MoveBlock,
    Outcome,
    Resolution,
    Rules,
    Seat,
    Section,
    Sheet,
    SignUp,
    Text,
    View,
    Viewer,
    Wording,
    private,
    public,
    say,
)
from games.base import TurnGame
from games.catalogue import wording_of
from games.dice import Dice
from games.errors import SetupError
from games.shared.profiles import NOUNS, TYPDOM
from games.shared.racks import CHOICES, counts_text, example, tiles_text
from games.shared.tiles import TILES, begins, count_colours, deal
from games.typ_dom.moves import misread, read_move, write_move
from games.typ_dom.rules import RACK, Move, State, Variant, carry_out, judge_again, leave, miss, resample
from games.typ_dom.settlement import final_sections, result
from games.typ_dom.suggest import suggest_move
from games.typ_dom.view import show
from games.words import Words


def rules_of(
    key: str, title: str, choices: Mapping[str, Sequence[str | int]], shown: Section, *aliases: str
) -> Rules:  # fmt: skip
    """Make the fixed facts of one of the two games."""
    return Rules(
        key=key, title=title, aliases=aliases, seats=(2, 5), version=1, unit="turn", span="4d", profile=TYPDOM.name,
        profiles=(TYPDOM, NOUNS), options={name: allowed[0] for name, allowed in choices.items()},
        choices=choices, example=shown,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TypDom(TurnGame[State, Move, SignUp]):
    """Two to five seats lay words on one open board, turn by turn, from racks that are hidden."""

    rules: Rules
    wording: Wording
    variant: Variant
    state_type = State
    move_type = Move
    entry_type = SignUp

    def begin(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Mix and deal; the letter nearest to Z begins. Raises SetupError where there are too few tiles."""
        seats, rack = tuple(entries), str(options.get("rack", RACK))
        red, black = map(int, rack.split("+"))
        if any(number * len(seats) > held for number, held in zip((red, black), count_colours(TILES), strict=True)):
            raise SetupError(say("SETUP_TOO_FEW", number=len(seats), value=rack))
        racks, bag = deal(dice, len(seats), red, black)
        first = seats[begins(racks)]
        state = State(
            seats=seats, profile=options["words"], stake=options.get("stake", 1), starter=first, on_turn=first,
            racks=racks, bag=bag,
        )  # fmt: skip
        return Resolution(state=state, events=_start_events(state, red, black))

    def read(
        self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None  # noqa: ARG002
    ) -> Sheet[Move]:  # fmt: skip
        """Understand a block."""
        return read_move(self.variant, state, seat, block, words)

    def misread(self, block: MoveBlock) -> tuple[Text, ...]:
        """Name the lines that no position makes a move."""
        return misread(block)

    def write(self, state: State, seat: Seat, move: Move) -> tuple[str, ...]:
        """Write each step as a line, then the purchase."""
        return write_move(state, seat, move)

    def carry_out(self, state: State, move: Move, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Carry out a turn."""
        return carry_out(self.variant, state, move, words)

    def miss(self, state: State, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Buy a tile, if there is one."""
        return miss(self.variant, state, words)

    def leave(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Skip a seat from now on."""
        return leave(self.variant, state, seat)

    def judge_again(self, state: State, words: Words) -> State:
        """Take away what refused words have scored."""
        return judge_again(state, words)

    def result(self, state: State) -> Outcome:
        """Settle. Nothing doubtful ever lies on the board."""
        return self.variant.result(state)

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(self.variant, state, viewer, own)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Deal other tiles."""
        return resample(state, viewer, dice)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a sensible turn."""
        if seat not in self.due(state):
            return ()
        return write_move(state, seat, suggest_move(self.variant, state, dice, words))


def _start_events(state: State, red: int, black: int) -> tuple[Event, ...]:
    racks = (event for seat in state.seats for event in private(seat, say("DREW", tiles=tiles_text(state.rack(seat)))))
    return (*public(say("DEALT", tiles=counts_text(red, black))), *racks, *public(say("BEGINS", seat=state.starter)))


ENGINE = TypDom(
    rules=rules_of(
        "typ-dom",
        "Typ-Dom",
        CHOICES,
        example(("Y26 w SEITE", "Y26 s STOCK", "Y28 w OHR"), ("AA25 s TiEr", "AC26 s eIS")),
        "Kreuzwort-Spiel",
    ),
    wording=wording_of("games.typ_dom", "common", "turns", "racks"),
    variant=Variant(
        most_bought=1,
        may_pass=False,
        second_word_is_duty=True,
        finishes_round=False,
        words_score=False,
        result=result,
        final=final_sections,
    ),
)
