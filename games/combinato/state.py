"""The values of a game: position, move and sign-up, all of plain JSON-able parts, without names."""

from dataclasses import dataclass
from typing import Final

from games.api import Seat

SEATS: Final = (Seat(1), Seat(2))
LENGTH: Final = 4
"""Letters of a word, figures of a number."""
ROWS_SHOWN: Final = 12
"""Rows of a board; the thirteenth takes the place of the first (rule 13)."""
SILENT_ROUNDS: Final = 3
"""Rounds in a row without any guess that end the game in a draw."""


@dataclass(frozen=True, kw_only=True)
class SignUp:
    """What a sign-up brings: nothing but the player."""


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
    def playing(self) -> tuple[Seat, ...]:
        """The seats that were not given up."""
        return tuple(seat for seat in SEATS if seat not in self.given_up)

    def has_found(self, seat: Seat) -> bool:
        """Ask whether a seat has laid the other's secret."""
        return any(row.full == LENGTH for row in self.rows[seat - 1])


def other(seat: Seat) -> Seat:
    """Give the opponent's seat."""
    return Seat(3 - seat)
