"""The values of a game: position, move, sign-up; all of plain JSON-able parts, without names."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.api import Seat
from games.plane import EMPTY, Direction, Rows, Run, Spot, run_at

RED: Final = 5
BLACK: Final = 8
"""Tiles of each colour that a seat is dealt, as in Typ-Dom."""

Side: TypeAlias = Literal["", "front", "back"]
"""front: before the first letter in reading direction (left, above). back: behind the last one (right, below)."""
Purchase: TypeAlias = Literal["", "any", "red", "black"]
Ending: TypeAlias = Literal["", "rack", "passed", "last"]
"""Why the game is over: a rack is empty, everybody passed in a row, only one seat is left."""


@dataclass(frozen=True, kw_only=True)
class SignUp:
    """What a sign-up brings: nothing but the will to play."""


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A letter given for a joker on the board."""

    spot: Spot
    letter: str


@dataclass(frozen=True, kw_only=True)
class Laying:
    """A tile laid, and the word announced with it."""

    letter: str
    joker: bool = False
    side: Side = ""
    """Empty for the first tile of a game, and for a new word whose letters leave only one side."""
    word: str = ""
    """Empty: in the sense of the word announced last."""
    cell: Spot | None = None
    """The crossing cell of a new word."""
    direction: Direction | None = None
    """Where a new word runs."""

    @property
    def begins(self) -> bool:
        """Ask whether this starts a new word."""
        return self.direction is not None


@dataclass(frozen=True, kw_only=True)
class Move:
    """What a seat does on its turn, in this order. Without a tile and without `passes` the turn stays the seat's."""

    exchanges: tuple[Exchange, ...] = ()
    buys: Purchase = ""
    laying: Laying | None = None
    premium: Laying | None = None
    passes: bool = False


@dataclass(frozen=True, kw_only=True)
class Fragment:
    """The word that is open: what was announced, by whom, and what lies of it."""

    word: str
    owner: Seat
    spot: Spot
    """A cell of the fragment."""
    direction: Direction
    starts: tuple[Spot, ...]
    """Where the announced word may begin so that everything fits (an E may be the second or last letter of REISE)."""
    laid: tuple[Spot, ...]
    """The cells whose tiles were laid for it; what lay there before stays if its owner drops out."""

    def run(self, board: Rows) -> Run:
        """What lies of the word."""
        return run_at(board, self.spot, self.direction)


@dataclass(frozen=True, kw_only=True)
class Finished:
    """A finished word on the board."""

    word: str
    start: Spot
    direction: Direction
    owner: Seat

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Its cells."""
        return tuple(self.start.moved(self.direction, step) for step in range(len(self.word)))


@dataclass(frozen=True, kw_only=True)
class News:
    """What has happened last, for the headline."""

    code: str
    seat: Seat
    letter: str = ""
    word: str = ""


@dataclass(frozen=True, kw_only=True)
class Payment:
    """Points that one seat pays another."""

    payer: Seat
    receiver: Seat
    points: int


@dataclass(frozen=True, kw_only=True)
class State:
    """A position. Racks run over the seats of the game, the first one first."""

    seats: tuple[Seat, ...]
    profile: str
    stake: int
    turn: int = 1
    step: int = 1
    """Counts turns and purchases: every position that somebody is asked about has its own number."""
    on_turn: Seat
    bought: bool = False
    """The seat on turn has bought its tile already."""
    racks: tuple[str, ...]
    bag: str
    gone: str = ""
    """Tiles that left the board with an owner who dropped out."""
    board: Rows = EMPTY
    new: tuple[Spot, ...] = ()
    """What was laid in the last turn."""
    open: Fragment | None = None
    finished: tuple[Finished, ...] = ()
    passed: int = 0
    """How many turns in a row brought neither a tile nor a purchase."""
    barren: int = 0
    """How many turns in a row brought no tile, purchases or not."""
    out: tuple[Seat, ...] = ()
    """Who could not make a word true, and has paid for it."""
    resigned: tuple[Seat, ...] = ()
    payments: tuple[Payment, ...] = ()
    news: News
    ending: Ending = ""
    winner: Seat | None = None

    @property
    def over(self) -> bool:
        """Ask whether the game is over."""
        return bool(self.ending)

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """The seats that take their turns."""
        return tuple(seat for seat in self.seats if seat not in self.out and seat not in self.resigned)

    def rack(self, seat: Seat) -> str:
        """The tiles of a seat."""
        return self.racks[self.seats.index(seat)] if seat in self.seats else ""

    def balance(self, seat: Seat) -> int:
        """What a seat was paid, less what it paid."""
        return sum(p.points * ((p.receiver == seat) - (p.payer == seat)) for p in self.payments)

    def after(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in order, the one after this first and this one last."""
        at = self.seats.index(seat) + 1
        return (*self.seats[at:], *self.seats[:at])
