"""Combinato: two players look for each other's hidden word; the Buchstaben-Spiel of the rule text of seed 004."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.api import MoveBlock, Outcome, Resolution, Rules, Seat, Section, Sheet, SignUp, View, Viewer, Wording
from games.base import RoundGame
from games.catalogue import wording_of
from games.combinato.letters import LETTERS, NOUNS, SHORT
from games.combinato.moves import line_of, moves, read_move, suggest_lines
from games.combinato.rules import (
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
from games.words import Profile, Words


def rules_of(
    key: str, title: str, options: Mapping[str, bool], shown: Section, profiles: tuple[Profile, ...] = ()
) -> Rules:
    """Make the fixed facts of one of the two games."""
    return Rules(
        key=key, title=title, seats=(2, 2), version=1, options=options, profiles=profiles, example=shown
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Combinato(RoundGame[State, Move, SignUp]):
    """Two seats, each with a secret of four signs; both guess at the same time."""

    rules: Rules
    wording: Wording
    variant: Variant
    state_type = State
    move_type = Move
    entry_type = SignUp

    def begin(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Ask for the secrets."""
        return Resolution(state=State(nouns_only=bool(options.get("nouns_only")), repeats=bool(options["repeats"])))

    def stand(self, state: State, seat: Seat) -> int:  # noqa: ARG002 (a round is the same for both)
        """Count rounds, and in round 0 how often equal secrets were sent back."""
        return state.round + len(state.returned) + 1

    def read(
        self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None  # noqa: ARG002
    ) -> Sheet[Move]:  # fmt: skip
        """Understand a block."""
        return read_move(self.variant, state, seat, block, words)

    def write(self, state: State, seat: Seat, move: Move) -> tuple[str, ...]:  # noqa: ARG002
        """Write the secret or the guess."""
        return (line_of(state, move.word),)

    def moves(self, state: State, seat: Seat) -> Iterator[Move]:
        """List the numbers that may be hidden or guessed; words are too many."""
        return moves(self.variant, state, seat)

    def close(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:
        """Take the secrets, or answer the guesses."""
        return answer_guesses(state, moves) if state.round else take_secrets(self.variant, state, moves, dice, words)

    def result(self, state: State) -> Outcome:
        """Rank the seats."""
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
