"""The values of a game: position, move and card entries, all of plain JSON-able parts, without names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.api import Seat
from games.words import Status

ROUNDS: Final = 8
ROLLS: Final = 3
DICE: Final = 7
SEATS: Final = (1, 12)
PROFILE: Final = "yahtzee"
JOKER: Final = "*"
"""How mails print the diamond; behind a letter it says what the diamond stands for."""

NUMBERED: Final = tuple(f"R{number}" for number in range(1, ROUNDS + 1))
"""The boxes of the rounds, as they are printed."""
CONSONANTS: Final = "konsonanten"
VOWELS: Final = "vokale"
YAHTZEE: Final = "yahtzee"
CHANCE: Final = "chance"
SPECIAL: Final = (CONSONANTS, VOWELS, YAHTZEE, CHANCE)


@dataclass(frozen=True, kw_only=True)
class SignUp:
    """What a sign-up brings: nothing."""


@dataclass(frozen=True, kw_only=True)
class Word:
    """A word on a card or on its way there, and what the judge said last."""

    laid: str
    """A capital for each die, umlauts as such, `E*` for the diamond."""
    value: int
    status: Status
    reason: str = ""
    entry: str = ""
    """How dictionaries spell it."""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Move:
    """A roll (`keep` is set), words for a box, or a box struck out (no `box`)."""

    roll: int
    """Made after this roll; it means nothing after another one."""
    keep: tuple[int, ...] | None = None
    """Which dice stay, counted from 0; None: nothing is rolled."""
    box: str = ""
    words: tuple[Word, ...] = ()
    """As they were judged when they came; the closing judges them again."""
    zero: str = ""
    """The numbered box that takes a zero."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What one round brought a seat."""

    round: int
    dice: str = ""
    """As they lay in the end."""
    rolls: int
    box: str = ""
    words: tuple[Word, ...] = ()
    zero: str = ""
    nmr: bool = False


@dataclass(frozen=True, kw_only=True)
class Player:
    """One seat: its card, entry by entry, and the dice of the open round, which nobody else may see."""

    seat: Seat
    card: tuple[Entry, ...] = ()
    rolls: tuple[str, ...] = ()
    """What lay after each roll of this round, die 1 first."""
    kept: tuple[int, ...] = ()
    """Which dice stayed at the last roll."""

    @property
    def dice(self) -> str:
        """What lies now."""
        return self.rolls[-1] if self.rolls else ""

    @property
    def open(self) -> tuple[str, ...]:
        """The numbered boxes that are still free."""
        used = {name for entry in self.card for name in (entry.box, entry.zero)}
        return tuple(box for box in NUMBERED if box not in used)

    def has(self, box: str) -> bool:
        """Ask whether a box is written on."""
        return any(box in (entry.box, entry.zero) for entry in self.card)


@dataclass(frozen=True, kw_only=True)
class State:
    """A position."""

    round: int = 1
    over: bool = False
    any_order: bool = False
    """The alternative rules."""
    faces: tuple[str, ...]
    """The faces of each die."""
    values: Mapping[str, int]
    players: tuple[Player, ...]
    given_up: tuple[Seat, ...] = ()
    """The seats that nobody plays; a standby may still take one."""

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that were not given up."""
        return tuple(player.seat for player in self.players if player.seat not in self.given_up)

    @property
    def is_cut_short(self) -> bool:
        """It ended in a round, as only one seat was left: no word is ruled on any more."""
        return self.over and bool(self.players[0].rolls)

    @property
    def box(self) -> str:
        """The box of this round under the standard rules."""
        return NUMBERED[self.round - 1]

    def stand(self, seat: Seat) -> int:
        """Number the positions of a seat: every roll is one."""
        player = self.player(seat)
        closed = self.round - (not self.over)
        return closed * ROLLS + (len(player.rolls) if player else 0)

    def player(self, seat: object) -> Player | None:
        """Find who sits there."""
        return next((player for player in self.players if player.seat == seat), None)
