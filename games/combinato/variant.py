"""In what the two games of Combinato differ: words of letters here, numbers of figures there."""

from collections.abc import Iterable
from typing import Protocol

from games.api import Text
from games.combinato.state import State
from games.dice import Dice
from games.words import Words


class Variant(Protocol):
    """What a secret and a guess are made of."""

    @property
    def signs(self) -> str:
        """The alphabet: 26 letters or ten figures."""

    @property
    def spells(self) -> bool:
        """Whether its guesses are words."""

    def board(self, text: str) -> str:
        """Write what was sent as it lies on the board: capitals, umlauts as AE, OE, UE."""

    def secret_problems(self, word: str, state: State, words: Words) -> tuple[Text, ...]:
        """Say why four signs can't be a secret in this game."""

    def guess_problems(self, word: str, words: Words) -> tuple[Text, ...]:
        """Say why four signs can't be guessed."""

    def draw(self, state: State, taken: Iterable[str], dice: Dice, words: Words) -> str:
        """Draw a secret for a seat that sent none."""

    def candidates(self, state: State, words: Words) -> Iterable[str]:
        """Give all secrets that this game allows."""
