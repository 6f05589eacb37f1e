"""The card: what each box is worth, the bonus, the sum, the ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games import ranking
from games.api import Seat, Standing
from games.wort_yahtzee.state import CHANCE, CONSONANTS, DICE, NUMBERED, SPECIAL, VOWELS, YAHTZEE, Entry, State, Word

UPPER: Final = NUMBERED[:5]
LOWER: Final = NUMBERED[5:]
LENGTHS: Final = dict(zip(UPPER, range(2, 7), strict=True))
"""How long the word of a box in the upper part is."""
COUNTS: Final = dict(zip(LOWER, range(1, 4), strict=True))
"""How many words go into a box of the lower part."""
SHORTEST: Final = 2

ALL_ALIKE: Final = 25
FIRST_YAHTZEE: Final = 50
MORE_YAHTZEE: Final = 100
BONUS: Final = 35
BONUS_ABOVE: Final = 35

LETTERS_OF: Final = {VOWELS: frozenset("AEIOUYÄÖÜ*"), CONSONANTS: frozenset("BCDFGHJKLMNPQRSTVWXZ*")}
"""Y is always a vowel, the diamond is either."""
BEFORE_THIRD: Final = (CONSONANTS, VOWELS, CHANCE)
"""Boxes that are closed for a round once the dice are rolled a third time."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """A card added up."""

    boxes: Mapping[str, int]
    """Points of the boxes written on, the hundreds of further Yahtzee words included."""
    bonus: int
    hundreds: int

    @property
    def upper(self) -> int:
        """The upper part without its bonus."""
        return sum(self.boxes.get(box, 0) for box in UPPER)

    @property
    def lower(self) -> int:
        """The lower part, without the hundreds."""
        return sum(self.boxes.get(box, 0) for box in (*LOWER, *SPECIAL)) - self.hundreds

    @property
    def total(self) -> int:
        """The sum that counts."""
        return self.upper + self.bonus + self.lower + self.hundreds


def card_of(entries: Sequence[Entry], *, also_open: bool = False) -> Card:
    """Add up a card; doubtful words count nothing, or, with `also_open`, as if they were accepted."""
    boxes: dict[str, int] = {}
    for at, entry in enumerate(entries):
        if entry.zero:
            boxes[entry.zero] = 0
        if entry.box:
            boxes[entry.box] = boxes.get(entry.box, 0) + points(entries, at, also_open=also_open)
    upper = sum(boxes.get(box, 0) for box in UPPER)
    return Card(
        boxes=boxes,
        bonus=BONUS if upper > BONUS_ABOVE else 0,
        hundreds=max(boxes.get(YAHTZEE, 0) - FIRST_YAHTZEE, 0),
    )


def points(entries: Sequence[Entry], at: int, *, also_open: bool = False) -> int:
    """Say what one entry of a card is worth; of the Yahtzee words the first one that counts is the fifty."""
    entry = entries[at]
    if entry.box in LETTERS_OF:
        return ALL_ALIKE
    counting = [word for word in entry.words if counts(word, also_open)]
    if entry.box == CHANCE:
        return sum(word.value for word in counting)
    if len(counting) < max(len(entry.words), 1):
        return 0
    if entry.box == YAHTZEE:
        earlier = (word for other in entries[:at] if other.box == YAHTZEE for word in other.words)
        return MORE_YAHTZEE if any(counts(word, also_open) for word in earlier) else FIRST_YAHTZEE
    return sum(word.value for word in counting)


def counts(word: Word, also_open: bool = False) -> bool:
    """Ask whether a word counts."""
    return word.status == "accepted" or (also_open and word.status == "doubtful")


def open_points(entries: Sequence[Entry]) -> int:
    """Say what the doubtful words would add."""
    return card_of(entries, also_open=True).total - card_of(entries).total


def has_doubt(entries: Sequence[Entry], box: str) -> bool:
    """Ask whether a box waits for a ruling."""
    return any(word.status == "doubtful" for entry in entries if entry.box == box for word in entry.words)


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats; equal sums share a rank."""
    return ranking.standings({player.seat: card_of(player.card).total for player in state.players}, state.given_up)


def winners(state: State) -> tuple[Seat, ...]:
    """The highest sum wins."""
    return ranking.leaders(standings(state), state.given_up)


def misfits(box: str, dice: str) -> str:
    """Give the dice that keep `Nur Konsonanten` or `Nur Vokale` from counting."""
    return "".join(face for face in dice if face not in LETTERS_OF[box])


def fits(box: str, words: Sequence[int]) -> bool:
    """Ask whether words of these lengths, in dice, may go into a box."""
    if box in LENGTHS:
        return list(words) == [LENGTHS[box]]
    if box == YAHTZEE:
        return list(words) == [DICE]
    number = COUNTS.get(box, max(len(words), 1))
    return len(words) == number and all(length >= SHORTEST for length in words)
