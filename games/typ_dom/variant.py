"""What Typ-Dom and Point-Typ-Dom do differently; everything else is one engine."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games.api import Rules, Seat, Section, Wording
from games.typ_dom.state import State


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A game with the Typ-Dom tiles on the open board, played in turn."""

    rules: Rules
    wording: Wording
    rack: Callable[[Mapping[str, Any], int], tuple[int, int]]
    """Red and black tiles of a rack by the options and the number of seats. Raises SetupError."""
    most_bought: int
    """Tiles that one turn may buy."""
    may_pass: bool
    """A turn may pass although there are tiles to buy."""
    second_word_is_duty: bool
    """Who may lay a second word and doesn't, buys a tile."""
    finishes_round: bool
    """A round goes on to its end when a rack is empty."""
    words_score: bool
    """Words bring points for their letters."""
    winners: Callable[[State], tuple[Seat, ...]]
    """Who has won."""
    settle: Callable[[State], tuple[int, ...]]
    """The points of all seats in the end."""
    final: Callable[[State, tuple[int, ...]], tuple[Section, ...]]
    """How the settlement is shown."""
    how_to: tuple[str, ...]
    """The codes of what a seat on turn is told."""
