"""The rules: secrets, hits and full hits, closing a round, and who has won."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Protocol

from games.api import Event, Resolution, Seat, Standing, Text, Viewer, private, public, say
from games.base import playing
from games.dice import Dice
from games.shared import ranking
from games.words import Words

SEATS: Final = (Seat(1), Seat(2))
LENGTH: Final = 4
"""Letters of a word, figures of a number."""
ROWS_SHOWN: Final = 12
"""Rows of a board; the thirteenth takes the place of the first (rule 13)."""
SILENT_ROUNDS: Final = 3
"""Rounds in a row without any guess that end the game in a draw."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """In round 0 the secret, then the guess of the round."""

    word: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """A guess and its answer."""

    round: int
    word: str
    full: int
    """Volltreffer: the right sign at the right place."""
    part: int
    """Treffer: a sign of the secret at another place."""


@dataclass(frozen=True, kw_only=True)
class State:
    """A position. Pairs run over the seats, 1 first."""

    round: int = 0
    """0: the secrets are hidden; from 1 on there is a guess a round."""
    over: bool = False
    nouns_only: bool = False
    repeats: bool = False
    secrets: tuple[str, str] = ("", "")
    rows: tuple[tuple[Row, ...], tuple[Row, ...]] = ((), ())
    """The guesses of each seat."""
    missed: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """The rounds in which each seat sent nothing."""
    returned: tuple[str, ...] = ()
    """Secrets that both had chosen: sent back, and never taken again."""

    given_up: tuple[Seat, ...] = ()
    """Who has resigned without a standby."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Both."""
        return SEATS

    def has_found(self, seat: Seat) -> bool:
        """Return whether a seat has laid the other's secret."""
        return any(row.full == LENGTH for row in self.rows[seat - 1])


class Variant(Protocol):
    """What secrets and guesses are made of: letters or figures."""

    @property
    def signs(self) -> str:
        """The alphabet: 26 letters or ten figures."""

    @property
    def spells(self) -> bool:
        """Whether its guesses are words."""

    def board(self, text: str) -> str:
        """Write what was sent as it lies on the board: capitals, umlauts as AE, OE, UE."""

    def secret_problems(self, word: str, state: State, words: Words) -> tuple[Text, ...]:
        """Return why four signs can't be a secret in this game."""

    def hidden_words(self, state: State) -> Mapping[str, str]:
        """Return the secrets that are words, with the profile by which they are judged."""

    def guess_problems(self, word: str, words: Words) -> tuple[Text, ...]:
        """Return why four signs can't be guessed."""

    def draw(self, state: State, taken: Iterable[str], dice: Dice, words: Words) -> str:
        """Draw a secret for a seat that sent none."""

    def candidates(self, state: State, words: Words) -> Iterable[str]:
        """Return all secrets that this game allows."""

    def known(self, state: State) -> tuple[str, ...]:
        """Return secrets that this game allows, as far as they are known without a word list."""


def take_secrets(
    variant: Variant, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words
) -> Resolution[State]:
    """Close round 0: take the secrets, draw those that are missing, send equal ones back."""
    sent = {seat: moves[seat].word for seat in SEATS if seat in moves}
    secrets, events = dict(sent), list[Event]()
    if len(sent) == len(SEATS) and len(set(sent.values())) == 1:
        # Nobody may lay the own secret, so with equal ones nobody could ever win. No reason is given, only to them.
        told = Event(text=say("ANOTHER_SECRET"), readers=frozenset(SEATS))
        return Resolution(state=replace(state, returned=(*state.returned, sent[SEATS[0]])), events=(told,))
    for seat in SEATS:
        if seat not in sent:
            drawn = variant.draw(state, (*state.returned, *secrets.values()), dice, words)
            secrets[seat] = drawn
            events += public(say("NMR_SECRET", seat=seat, in_round=0))
            events += private(seat, say("DRAWN", word=drawn))
    first, second = (secrets[seat] for seat in SEATS)
    return Resolution(state=replace(state, round=1, secrets=(first, second)), events=tuple(events))


def answer_guesses(state: State, moves: Mapping[Seat, Move]) -> Resolution[State]:
    """Close a round of guesses. Who finds the secret alone wins. Both at once, or no guesses for long, are a draw."""
    first, second = (_with_guess(state, seat, moves.get(seat)) for seat in SEATS)
    missed = tuple(old if seat in moves else (*old, state.round) for seat, old in zip(SEATS, state.missed, strict=True))
    state = replace(state, rows=(first, second), missed=(missed[0], missed[1]))
    texts = [_answer_text(state, seat, moves.get(seat)) for seat in SEATS]
    ending = _ending(state)
    if ending:
        return Resolution(state=replace(state, over=True), events=public(*texts, *ending))
    return Resolution(state=replace(state, round=state.round + 1), events=public(*texts))


def _with_guess(state: State, seat: Seat, move: Move | None) -> tuple[Row, ...]:
    rows = state.rows[seat - 1]
    if move is None:
        return rows
    full, part = count(state.secrets[other(seat) - 1], move.word)
    return (*rows, Row(round=state.round, word=move.word, full=full, part=part))


def _answer_text(state: State, seat: Seat, move: Move | None) -> Text:
    if move is None:
        return say("NMR", seat=seat, in_round=state.round)
    row = state.rows[seat - 1][-1]
    full = say("FULL_HITS", number=row.full) if row.full > 1 else say("FULL_HIT" if row.full else "NO_FULL_HIT")
    part = say("HITS", number=row.part) if row.part > 1 else say("HIT" if row.part else "NO_HIT")
    return say("ANSWER", seat=seat, word=row.word, full=full, part=part)


def _ending(state: State) -> tuple[Text, ...]:
    found = [seat for seat in SEATS if state.has_found(seat)]
    if len(found) == len(playing(state)) == len(SEATS):
        return (say("BOTH_FOUND"),)
    if found:
        told = (say("FOUND", seat=seat, word=state.secrets[other(seat) - 1]) for seat in found)
        return (*told, *(say("LAST_ONE", seat=seat) for seat in winners(state) if state.given_up))
    last = range(state.round, max(state.round - SILENT_ROUNDS, 0), -1)
    silent = all(number in missed for number in last for missed in state.missed)
    return (say("SILENT", rounds=SILENT_ROUNDS),) if silent and len(last) == SILENT_ROUNDS else ()


def count(secret: str, guess: str) -> tuple[int, int]:
    """Count full hits (Volltreffer) and hits (Treffer) by rule 6: each place of the guess by itself.

    The right sign at the right place is a full hit. A sign that stands elsewhere in the secret is a hit, also if it was
    counted before (6 E: PELZ and TEER give one each). Mastermind counts differently.
    """
    full = sum(ours == theirs for ours, theirs in zip(guess, secret, strict=True))
    return full, sum(sign in secret for sign in guess) - full


def resample(variant: Variant, state: State, viewer: Viewer, dice: Dice) -> State:
    """Draw other secrets that agree with all answers; who only watches doesn't know those that were sent back."""
    if viewer not in SEATS and state.returned:
        drawn = dice.shuffled([word for word in variant.known(state) if word not in state.secrets])
        state = replace(state, returned=drawn[: len(state.returned)])
    if state.over or not state.round:
        return state
    for seat in SEATS:
        if seat != viewer:
            state = _with_other_secret(variant, state, seat, dice)
    return state


def _with_other_secret(variant: Variant, state: State, seat: Seat, dice: Dice) -> State:
    """Draw a secret that could have been answered for as this one was: its own seat has never laid it."""
    closed = {*state.returned, state.secrets[other(seat) - 1], *(row.word for row in state.rows[seat - 1])}
    alike = _answered_alike(state.rows[other(seat) - 1], variant.known(state))
    possible = sorted(alike - closed | {state.secrets[seat - 1]})
    first, second = (dice.choice(possible) if one == seat else state.secrets[one - 1] for one in SEATS)
    return replace(state, secrets=(first, second))


@lru_cache(maxsize=16)
def _answered_alike(rows: tuple[Row, ...], words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(agreeing(rows, words))


def agreeing(rows: Sequence[Row], words: Iterable[str]) -> Iterator[str]:
    """Yield the words that would have been answered as all guesses were."""
    return (word for word in words if all(count(word, row.word) == (row.full, row.part) for row in rows))


def other(seat: Seat) -> Seat:
    """Return the opponent's seat."""
    return Seat(3 - seat)


def ruled_out(rows: Iterable[Row]) -> frozenset[str]:
    """Return the signs of all guesses without any hit (rule 6 D)."""
    return frozenset(sign for row in rows if row.full == row.part == 0 for sign in row.word)


def still_open(word: str, out: frozenset[str]) -> str:
    """Replace the signs that are ruled out by dots (rule 9): `RIED`, after `QUER` without a hit, is `.I.D`."""
    return "".join("." if sign in out else sign for sign in word)


def winners(state: State) -> tuple[Seat, ...]:
    """Return who has found the secret alone, or is the only one left in play."""
    left = playing(state)
    found = tuple(seat for seat in left if state.has_found(seat))
    return found if len(found) == 1 else left if len(left) == 1 else ()


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats, with how often each has guessed."""
    first = {seat: (seat not in winners(state),) for seat in SEATS}
    return tuple(
        Standing(rank=line.rank, seat=line.seat, guesses=len(state.rows[line.seat - 1]))
        for line in ranking.standings(dict.fromkeys(SEATS), state.given_up, first)
    )


def how_it_ended(state: State) -> Text:
    """Say in a few words how the game ended."""
    if not playing(state):
        return say("HOW_NOBODY")
    won = winners(state)
    if not won:
        return say("HOW_DRAW")
    return say("HOW_FOUND", round=state.round) if state.has_found(won[0]) else say("HOW_ALONE")
