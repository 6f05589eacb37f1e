"""Combinato: two players look for each other's hidden word; the Buchstaben-Spiel of the rule text of seed 004."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    SignUp,
    View,
    Viewer,
    Wording,
    public,
    say,
)
from games.catalogue import wording_of
from games.combinato.letters import LETTERS, NOUNS, SHORT
from games.combinato.moves import read_move, suggest_lines
from games.combinato.rules import (
    SEATS,
    Move,
    State,
    Variant,
    answer_guesses,
    how_it_ended,
    resample,
    standings,
    take_secrets,
    winners,
)
from games.combinato.view import example, show
from games.dice import Dice
from games.errors import SetupError
from games.shared.phrases import last_in_play
from games.words import Profile, Words


def rules_of(
    key: str, title: str, options: Mapping[str, bool], shown: Section, profiles: tuple[Profile, ...] = ()
) -> Rules:
    """Make the fixed facts of one of the two games."""
    return Rules(
        key=key, title=title, seats=(2, 2), version=1, options=options, profiles=profiles, example=shown
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Combinato(Engine[State, Move, SignUp]):
    """Two seats, each with a secret of four signs; both guess at the same time."""

    rules: Rules
    wording: Wording
    variant: Variant
    state_type = State
    move_type = Move
    entry_type = SignUp

    def start(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Ask for the secrets. Raises SetupError while a seat is free."""
        free = tuple(seat for seat in SEATS if seat not in entries)
        if free or len(entries) != len(SEATS):
            title = self.rules.title
            raise SetupError(say("SETUP_PLAYERS", title=title, seats=tuple(say("SEAT", seat=seat) for seat in free)))
        agreed = {name: bool(options.get(name, default)) for name, default in self.rules.options.items()}
        return Resolution(state=State(nouns_only=agreed.get("nouns_only", False), repeats=agreed["repeats"]))

    def due(self, state: State) -> frozenset[Seat]:
        """Both, until the end."""
        return frozenset() if state.over else frozenset(SEATS)

    def round(self, state: State) -> int:
        """Return which round it is; 0 is the one of the secrets."""
        return state.round

    def stand(self, state: State, seat: Seat) -> int:  # noqa: ARG002 (a round is the same for both)
        """Count rounds, and in round 0 how often equal secrets were sent back."""
        return state.round + len(state.returned) + 1

    def read(
        self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None  # noqa: ARG002
    ) -> Sheet[Move]:  # fmt: skip
        """Understand a block."""
        return read_move(self.variant, state, seat, block, words)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:
        """Close the round."""
        if state.over:
            return Resolution(state=state)
        return answer_guesses(state, moves) if state.round else take_secrets(self.variant, state, moves, dice, words)

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark exactly these seats."""
        return replace(state, given_up=tuple(sorted(seats)))

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Without an opponent the other one has won."""
        if state.over or seat not in state.playing:
            return Resolution(state=state)
        ended = replace(self.give_up(state, frozenset({*state.given_up, seat})), over=True)
        return Resolution(state=ended, events=public(say("RESIGNED", seat=seat), *last_in_play(ended.playing)))

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats."""
        if not state.over:
            return None
        return Outcome(standings=standings(state), winners=winners(state), how=how_it_ended(state))

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(self.variant, state, viewer, own)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Draw other secrets."""
        return resample(self.variant, state, viewer, dice)

    def hidden_words(self, state: State) -> Mapping[str, str]:
        """The secrets, with their profile."""
        return self.variant.hidden_words(state)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Guess what agrees with the answers."""
        return suggest_lines(self.variant, state, seat, dice, words)


ENGINE = Combinato(
    rules=rules_of(
        "combinato",
        "Combinato",
        {"nouns_only": True, "repeats": False},
        example("BILD", "WADE", "HERD", "WILD"),
        (NOUNS, SHORT),
    ),
    wording=wording_of("games.combinato", "common", "rounds"),
    variant=LETTERS,
)
