"""The values of a game: position, move, sign-up and result, all of plain JSON-able parts, without names."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Final

from games.api import Seat
from games.crossword.board import EMPTY, Rows
from games.words import Status

ROUNDS: Final = 6
PROFILE: Final = "duden"
SEATS: Final = tuple(Seat(n) for n in range(1, 7))


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a sign-up brings: a letter."""

    letter: str


@dataclass(frozen=True, kw_only=True)
class Move:
    """The whole grid as it shall be, a wish for the next round, and a word list if one was sent."""

    grid: Rows
    wish: str = ""
    """Empty: the last wish is repeated."""
    words: tuple[str, ...] = ()
    """The lines of the list as they were sent; empty: the last list stays."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A word that a player claims, and what became of it."""

    line: int
    """Which of the fourteen `LINES`."""
    word: str
    start: int = -1
    """Its first cell from the left; -1: it doesn't lie there."""
    backwards: bool = False
    substitute: bool = False
    status: Status
    reason: str = ""
    entry: str = ""
    note: str = ""
    points: int
    """What it is worth if accepted."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """A word of the best possible score."""

    line: int
    word: str
    backwards: bool
    points: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one seat got in the end. A doubtful word counts nothing yet."""

    claims: tuple[Claim, ...] = ()
    unplaced: tuple[str, ...] = ()
    """Entries of the list that fit no line."""
    best: tuple[Found, ...] = ()

    @cached_property
    def points(self) -> int:
        """The sum of the accepted words."""
        return sum(claim.points for claim in self.claims if claim.status == "accepted")

    @cached_property
    def by_line(self) -> Mapping[int, tuple[Claim, ...]]:
        """The claims of each line that has any."""
        numbers = {claim.line for claim in self.claims}
        return {number: tuple(claim for claim in self.claims if claim.line == number) for number in numbers}

    @property
    def open(self) -> int:
        """What the doubtful words would add."""
        return sum(claim.points for claim in self.claims if claim.status == "doubtful")


@dataclass(frozen=True, kw_only=True)
class State:
    """A position. Tuples run over the seats, 1 first."""

    round: int = 1
    over: bool = False
    wishes: tuple[str, ...]
    """The letters of this round, by the seats who wished them."""
    repeated: tuple[bool, ...] = (False,) * 6
    """Whose wish is the last one again."""
    previous: tuple[str, ...] = ()
    """The letters of the round closed last."""
    grids: tuple[Rows, ...] = (EMPTY,) * 6
    new: tuple[tuple[str, ...], ...] = ((),) * 6
    """Names of the cells filled at the last closing."""
    lists: tuple[tuple[str, ...], ...] = ((),) * 6
    """The last word list of each seat, hidden until the end."""
    nmr: tuple[tuple[int, ...], ...] = ((),) * 6
    """The rounds that each seat missed."""
    given_up: tuple[Seat, ...] = ()
    """The seats that nobody plays; a standby may still take one."""
    results: tuple[Result, ...] = ()
    """After the end, one a seat; none where it came before the last round."""

    def __hash__(self) -> int:
        """Hash it once: what a position looks like is remembered by it."""
        return self._hashed

    @cached_property
    def _hashed(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that were not given up."""
        return tuple(seat for seat in SEATS if seat not in self.given_up)

    @property
    def is_last(self) -> bool:
        """The round with the word list and without a wish."""
        return self.round == ROUNDS
