"""The values of a game: position, move and what a turn was, all of plain JSON-able parts, without names."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from games.api import Seat
from games.plane import EMPTY, Direction, Rows
from games.tiles import Colour

NOBODY: Final = Seat(0)
PROFILES: Final = ("typdom", "duden", "nouns")
"""Which words may be agreed on (the text's "Vereinbarungen über die zu verwendenden Worte")."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A sign-up brings nothing but the player."""


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A joker taken from the board for the letter that it stands for."""

    cell: str
    letter: str


@dataclass(frozen=True, kw_only=True)
class Laying:
    """A word laid: all its cells as they lie then, jokers as small letters."""

    start: str
    direction: Direction
    signs: str


Step: TypeAlias = Exchange | Laying


@dataclass(frozen=True, kw_only=True)
class Move:
    """A turn: exchanges and words in the order of their lines, then what is bought. Nothing at all: a pass."""

    steps: tuple[Step, ...] = ()
    wishes: tuple[Colour | None, ...] = ()
    """The colours of the tiles to buy, None for any."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What everybody saw of a turn."""

    seat: Seat
    round: int
    words: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    """Where new tiles lie."""
    points: int = 0
    red: int = 0
    black: int = 0
    """How many tiles were bought."""
    missed: bool = False
    resigned: bool = False


@dataclass(frozen=True, kw_only=True)
class State:
    """A position. Tuples run over the seats, 1 first."""

    turn: int = 1
    round: int = 1
    """How often it has been the starter's turn, or would have been."""
    over: bool = False
    words: str = PROFILES[0]
    stake: int = 1
    starter: Seat
    seat: Seat
    """Whose turn it is, or was last."""
    racks: tuple[str, ...]
    bag: str
    """The tiles left, in their drawn order."""
    rows: Rows = EMPTY
    gone: tuple[Seat, ...] = ()
    """Who has resigned; their racks are out of play."""
    first_out: Seat = NOBODY
    """Who was the first to lay the last tile."""
    passes: int = 0
    """How many turns in a row brought neither a word nor a tile."""
    turns: tuple[Turn, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, also those that have resigned."""
        return tuple(Seat(number) for number in range(1, len(self.racks) + 1))

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that are still in play."""
        return tuple(seat for seat in self.seats if seat not in self.gone)

    def rack(self, seat: Seat) -> str:
        """Give the tiles of a seat."""
        return self.racks[seat - 1]

    def points(self, seat: Seat) -> int:
        """Add up what the words of a seat have scored."""
        return sum(turn.points for turn in self.turns if turn.seat == seat)
