"""The values of a game: position, move, sign-up, deals that are over; all of plain JSON-able parts, without names."""

from dataclasses import dataclass
from typing import Final

from games.api import Seat
from games.plane import Rows

HANDS: Final = {4: (12, 7), 5: (10, 6), 6: (8, 5)}
"""Seats -> how many black and red tiles each gets."""
PLACES: Final = 2
"""How many places are paid; with the last one taken the deal is over."""
PRIZES: Final = (4, 2)
PRIZES_ONE_LEFT: Final = (2, 1)


@dataclass(frozen=True, kw_only=True)
class SignUp:
    """What a sign-up brings: nothing but the will to play."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """A whole grid for one deal, or the word that the seat gives this deal up."""

    deal: int
    grid: Rows = ()
    """The used rectangle; a joker is the small letter that it stands for."""
    left: str = ""
    """The tile left over, where the option allows one."""
    passes: bool = False


@dataclass(frozen=True, kw_only=True)
class Finish:
    """A seat that has finished a deal, in the order of arrival."""

    seat: Seat
    grid: Rows
    left: str = ""
    points: int


@dataclass(frozen=True, kw_only=True)
class Deal:
    """A deal that is over. Racks are those of the seats in order; empty where a seat had left the game."""

    racks: tuple[str, ...]
    rest: str
    """The tiles that were not dealt."""
    finishes: tuple[Finish, ...] = ()


@dataclass(frozen=True, kw_only=True)
class State:
    """A position. Tuples run over the seats of the game, the first one first."""

    seats: tuple[Seat, ...]
    deals: int
    one_left: bool
    profile: str
    number: int = 1
    """The deal being played, or the last one."""
    racks: tuple[str, ...]
    rest: str
    finishes: tuple[Finish, ...] = ()
    given_up: tuple[Seat, ...] = ()
    """Who gives the present deal up."""
    resigned: tuple[Seat, ...] = ()
    past: tuple[Deal, ...] = ()
    """The deals that are over; after the end all of them."""
    over: bool = False

    def rack(self, seat: Seat) -> str:
        """The tiles of a seat in the present deal."""
        return self.racks[self.seats.index(seat)] if seat in self.seats else ""

    def finish(self, seat: Seat) -> Finish | None:
        """What a seat has finished in the present deal."""
        return next((finish for finish in self.finishes if finish.seat == seat), None)

    @property
    def due(self) -> frozenset[Seat]:
        """Who is still building."""
        done = {*self.given_up, *self.resigned, *(finish.seat for finish in self.finishes)}
        return frozenset() if self.over else frozenset(self.seats) - done

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that were not given up."""
        return tuple(seat for seat in self.seats if seat not in self.resigned)

    def points(self, seat: Seat) -> int:
        """What a seat has earned so far, in the deals that are over and in this one."""
        # After the end the last deal lies among those that are over.
        finishes = [*(finish for deal in self.past for finish in deal.finishes), *(() if self.over else self.finishes)]
        return sum(finish.points for finish in finishes if finish.seat == seat)
