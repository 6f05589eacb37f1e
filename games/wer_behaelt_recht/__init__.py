"""Wer behält recht?: word fragments grow tile by tile, and whoever announced the word must make it true."""

from collections.abc import Mapping
from typing import Any

from games.api import (
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
from games.base import TurnGame
from games.catalogue import wording_of
from games.dice import Dice
from games.shared.lines import read_lines
from games.shared.profiles import NOUNS, TYPDOM
from games.shared.racks import BLACK, CHOICES, RED, example, tiles_text
from games.shared.tiles import begins, deal
from games.wer_behaelt_recht.moves import judge_of, read_move, read_orders, write_move
from games.wer_behaelt_recht.rules import Move, News, State, result
from games.wer_behaelt_recht.suggest import suggest_move
from games.wer_behaelt_recht.turns import carry_out, leave, miss, resample
from games.wer_behaelt_recht.view import show
from games.words import Words


class WerBehaeltRecht(TurnGame[State, Move, SignUp]):
    """Two to five seats, hidden racks, one word that grows tile by tile."""

    rules = Rules(
        key="wer-behaelt-recht",
        title="Wer behält recht",
        aliases=("Wer behaelt recht",),
        seats=(2, 5),
        version=1,
        unit="turn",
        span="4d",
        profile=TYPDOM.name,
        profiles=(TYPDOM, NOUNS),
        options={name: allowed[0] for name, allowed in CHOICES.items()},
        choices=CHOICES,
        example=example(("X26 w SPIEL",), ("Z25 s WiN",)),
    )
    wording = wording_of("games.wer_behaelt_recht", "common", "turns", "racks")
    state_type = State
    move_type = Move
    entry_type = SignUp

    def begin(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Deal; the seat with the letter nearest to Z begins."""
        seats = tuple(entries)
        racks, bag = deal(dice, len(seats), RED, BLACK)
        first = seats[begins(racks)]
        state = State(
            seats=seats, profile=options["words"], stake=options["stake"], on_turn=first, racks=racks, bag=bag,
            news=News(code="BEGINS", seat=first),
        )  # fmt: skip
        dealt = (event for one in seats for event in private(one, say("DREW", tiles=tiles_text(state.rack(one)))))
        return Resolution(state=state, events=(*public(say("BEGINS", seat=first)), *dealt))

    def stand(self, state: State, seat: Seat) -> int:  # noqa: ARG002 (only one seat is asked at a time)
        """Turns and private steps so far."""
        return state.step

    def read(
        self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None  # noqa: ARG002
    ) -> Sheet[Move]:  # fmt: skip
        """Understand a block."""
        return read_move(state, seat, block, words)

    def misread(self, block: MoveBlock) -> tuple[Text, ...]:
        """Name the lines that no position makes a move."""
        return tuple(read_orders(read_lines(block)).problems)

    def write(self, state: State, seat: Seat, move: Move) -> tuple[str, ...]:  # noqa: ARG002
        """Write each part of a move as a line."""
        return write_move(move)

    def carry_out(self, state: State, move: Move, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Carry out a turn, or a part of it: after a purchase alone the turn goes on."""
        return carry_out(state, move, judge_of(state, words))

    def miss(self, state: State, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Buy one tile, and pass."""
        return miss(state)

    def leave(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Play on without this seat; its rack still counts for the winner."""
        return leave(state, seat)

    def result(self, state: State) -> Outcome:
        """Rank the seats by what they were paid."""
        return result(state)

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(state, viewer, own)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Deal other tiles."""
        return resample(state, viewer, dice)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a sensible turn."""
        return write_move(suggest_move(state, dice, words)) if seat in self.due(state) else ()


ENGINE = WerBehaeltRecht()
