"""Numbers of four figures; they may begin with zero."""

import string
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import permutations, product
from typing import Final

from games.api import Text, say
from games.combinato.rules import LENGTH, State
from games.dice import Dice
from games.words import Words


class Figures:
    """Secrets and guesses of four figures; no word list is asked."""

    signs = string.digits
    spells = False

    def board(self, text: str) -> str:
        """Write a number without blanks, dots and the like between its figures."""
        return "".join(sign for sign in text if sign not in " .!*_»«„“”\"'()<>")

    def secret_problems(self, word: str, state: State, words: Words) -> tuple[Text, ...]:  # noqa: ARG002
        """No figure twice, unless the game says so (B 4)."""
        return () if state.repeats or len(set(word)) == LENGTH else (say("REPEATED_SIGN", word=word),)

    def guess_problems(self, word: str, words: Words) -> tuple[Text, ...]:  # noqa: ARG002
        """Any number."""
        return ()

    def hidden_words(self, state: State) -> Mapping[str, str]:  # noqa: ARG002
        """None: numbers are no words."""
        return {}

    def draw(self, state: State, taken: Iterable[str], dice: Dice, words: Words) -> str:
        """Draw any number that may be a secret."""
        return dice.choice([word for word in self.candidates(state, words) if word not in taken])

    def candidates(self, state: State, words: Words) -> Iterable[str]:  # noqa: ARG002
        """All numbers that may be a secret."""
        return self.known(state)

    def known(self, state: State) -> tuple[str, ...]:
        """The same, as no list is needed."""
        return _numbers(repeats=state.repeats)


@cache
def _numbers(*, repeats: bool) -> tuple[str, ...]:
    figures = string.digits
    return tuple(map("".join, product(figures, repeat=LENGTH) if repeats else permutations(figures, LENGTH)))


FIGURES: Final = Figures()
