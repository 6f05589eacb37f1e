"""Wer behält recht?: word fragments grow tile by tile, and whoever announced the word must make it true."""

from collections.abc import Mapping
from typing import Any, Final

from games.api import (
    Engine,
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
from games.wer_behaelt_recht.moves import judge_of, read_move, read_orders
from games.wer_behaelt_recht.rules import BLACK, RED, Move, News, State, standings, tiles_text
from games.wer_behaelt_recht.suggest import suggest_lines
from games.wer_behaelt_recht.turns import carry_out, give_up, miss_turn, resample, resign
from games.wer_behaelt_recht.view import show
from games.words import Words

_STAKES: Final = (1, 2, 4)


class WerBehaeltRecht(Engine[State, Move, SignUp]):
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
        options={"words": TYPDOM.name, "stake": 1},
        example=example(("X26 w SPIEL",), ("Z25 s WiN",)),
    )
    wording = wording_of("games.wer_behaelt_recht", "common")
    state_type = State
    move_type = Move
    entry_type = SignUp

    def start(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Deal; the seat with the letter nearest to Z begins. Raises SetupError for seats and options that can't be."""
        agreed = {**self.rules.options, **options}
        fewest, most = self.rules.seats
        if not fewest <= len(entries) <= most:
            raise SetupError(say("SETUP_PLAYERS"))
        if agreed["words"] not in TO_CHOOSE:
            raise SetupError(say("SETUP_WORDS", allowed=", ".join(TO_CHOOSE)))
        if agreed["stake"] not in _STAKES:
            raise SetupError(say("SETUP_STAKE"))
        seats = tuple(sorted(entries))
        racks, bag = deal(dice, len(seats), RED, BLACK)
        first = seats[begins(racks)]
        state = State(
            seats=seats,
            profile=str(agreed["words"]),
            stake=int(agreed["stake"]),
            on_turn=first,
            racks=racks,
            bag=bag,
            news=News(code="BEGINS", seat=first),
        )
        dealt = (event for one in seats for event in private(one, say("DEALT", tiles=tiles_text(state.rack(one)))))
        return Resolution(state=state, events=(*public(say("BEGINS", seat=first)), *dealt))

    def due(self, state: State) -> frozenset[Seat]:
        """The seat on turn."""
        return frozenset() if state.over else frozenset({state.on_turn})

    def round(self, state: State) -> int:
        """Return which turn it is."""
        return state.turn

    def stand(self, state: State, seat: Seat) -> int:  # noqa: ARG002 (only one seat is asked at a time)
        """Turns and private steps so far."""
        return state.step

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:  # noqa: ARG002
        """Understand a block."""
        return read_move(state, seat, block, words)

    def misread(self, block: MoveBlock) -> tuple[Text, ...]:
        """Name the lines that no position makes a move."""
        return read_orders(block).problems

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """Carry out a turn, or a part of it: after a purchase alone the turn goes on."""
        return carry_out(state, seat, move, judge_of(state, words))

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:  # noqa: ARG002
        """End the turn at the ZAT: one tile is bought, and the turn passes."""
        return Resolution(state=state) if state.over else miss_turn(state)

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark seats."""
        return give_up(state, seats)

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Play on without this seat; its rack still counts for the winner."""
        if state.over or seat in state.resigned or seat not in state.seats:
            return Resolution(state=state)
        return resign(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by what they were paid."""
        if not state.over:
            return None
        return Outcome(standings=standings(state), winners=(state.winner,) if state.winner else ())

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(state, viewer, own)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Deal other tiles."""
        return resample(state, viewer, dice)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a sensible turn."""
        return suggest_lines(state, seat, dice, words)


ENGINE = WerBehaeltRecht()
