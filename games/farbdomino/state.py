"""The values of a game: position, move and sign-up, all of plain JSON-able parts, without names."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from games.api import Seat
from games.farbdomino.board import Laid

HANDS: Final = {2: 8, 3: 7, 4: 6, 5: 5}
"""Tiles in each hand at the start, by the number of players."""

Winner: TypeAlias = Literal["first_out", "counters"]


@dataclass(frozen=True, kw_only=True)
class SignUp:
    """What a sign-up brings: nothing but the player."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """The tiles to lay, in this order; each fits when it is laid."""

    tiles: tuple[Laid, ...]


@dataclass(frozen=True, kw_only=True)
class Player:
    """One who plays: the hand is hidden, the rest is public."""

    seat: Seat
    hand: tuple[str, ...]
    counters: int = 0
    """A balance: what was paid is below zero, and all together are zero."""
    finished: int = 0
    """1: out of tiles first; 0: not out."""
    resigned: bool = False

    @property
    def is_in(self) -> bool:
        """Ask whether it still comes to its turn."""
        return not (self.finished or self.resigned)


@dataclass(frozen=True, kw_only=True)
class Last:
    """The turn before: who it was, and how many tiles were laid (none: NMR)."""

    seat: Seat
    tiles: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class State:
    """A position."""

    turn: int = 0
    """Counts the turns that a seat was asked for."""
    on_turn: Seat
    over: bool = False
    players: tuple[Player, ...]
    """By seats, in the order of turns."""
    stock: tuple[str, ...]
    """Face down, the next one to be bought first."""
    board: tuple[Laid, ...] = ()
    """In the order in which they were laid."""
    passes: int = 0
    """Turns without a tile laid or bought, in a row."""
    last: Last | None = None
    winner: Winner = "first_out"

    @property
    def players_in(self) -> tuple[Player, ...]:
        """Those who still play."""
        return tuple(player for player in self.players if player.is_in)

    def player(self, seat: Seat) -> Player:
        """Find who sits there."""
        return next(player for player in self.players if player.seat == seat)

    def with_players(self, *changed: Player) -> "State":
        """Put in players as they are now."""
        now = {player.seat: player for player in changed}
        return replace(self, players=tuple(now.get(player.seat, player) for player in self.players))
