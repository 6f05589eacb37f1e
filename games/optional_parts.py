"""What an engine may answer beside the contract (`games.api`). Whoever asks looks first whether it does."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from games.api import MoveBlock, Section, Text
from games.dice import Dice
from games.words import Words


@runtime_checkable
class ReadsAhead(Protocol):
    """What can be said of a block before its turn has come.

    Without it, a block sent in advance with a slip of the pen is only found out when it is to be played.
    """

    def misread(self, block: MoveBlock) -> tuple[Text, ...]:
        """Name the lines that are a move in no position. Nobody's tiles, and nothing on the board, may count."""


@runtime_checkable
class JudgesAgain(Protocol):
    """Scores that hang on words of earlier steps.

    With it, a ruling corrects them whenever it comes. The words of a closing that ends the game need no such part: the
    service makes that closing again.
    """

    def judge_again(self, state: Any, words: Words) -> Any:
        """Ask about all words that scores hang on, and correct the scores; boards stay as they are.

        Judging twice changes nothing more. A doubtful word keeps what it has.
        """


@runtime_checkable
class HidesWords(Protocol):
    """Words that lie hidden in a position, and were judged when they were sent.

    With it, the GM is told which games a ruling for all of them, or another word list, touches.
    """

    def hidden_words(self, state: Any) -> Mapping[str, str]:
        """Return the hidden words, each with the profile by which it was judged; every one of them was accepted."""


@runtime_checkable
class LooksBack(Protocol):
    """What could have been scored in a finished game, which the archive shows.

    The service asks with the step that brings the result, and keeps the answer with it.
    """

    def look_back(self, state: Any, words: Words, dice: Dice) -> tuple[Section, ...]:
        """Say what could have been scored; nothing before the end.

        All chance comes from the dice, and the number of steps is fixed, so that the same seed gives the same answer.
        They take about a second at most: nobody else can write meanwhile.
        """
