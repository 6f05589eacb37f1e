"""The rules: dice and their values, the card with its boxes, the bonus, and the ranking."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from games.api import Seat, Standing, Viewer, say
from games.dice import Dice
from games.errors import SetupError
from games.shared import ranking
from games.shared.notation import letter
from games.words import NAMES, NO_WORDS, Profile, Status, accept, refuse

ROUNDS: Final = 8
ROLLS: Final = 3
DICE: Final = 7
SEATS: Final = (1, 12)
WORDS: Final = Profile(
    name="yahtzee",
    cases=(
        accept("word", none_of=("foreign",)),
        refuse("FOREIGN_WORD", "word"),
        refuse("NAME", *NAMES),
        *NO_WORDS,
    ),
)
"""Words that are no names and, where that is known, neither foreign nor dialect."""
PROFILE: Final = WORDS.name
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
        """Return whether a box is written on."""
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
    """Return what one entry of a card is worth; of the Yahtzee words the first one that counts is the fifty."""
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
    """Return whether a word counts."""
    return word.status == "accepted" or (also_open and word.status == "doubtful")


def open_points(entries: Sequence[Entry]) -> int:
    """Return what the doubtful words would add."""
    return card_of(entries, also_open=True).total - card_of(entries).total


def has_doubt(entries: Sequence[Entry], box: str) -> bool:
    """Return whether a box waits for a ruling."""
    return any(word.status == "doubtful" for entry in entries if entry.box == box for word in entry.words)


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats; equal sums share a rank."""
    return ranking.standings({player.seat: card_of(player.card).total for player in state.players}, state.given_up)


def winners(state: State) -> tuple[Seat, ...]:
    """The highest sum wins."""
    return ranking.leaders(standings(state), state.given_up)


def misfits(box: str, dice: str) -> str:
    """Return the dice that keep `Nur Konsonanten` or `Nur Vokale` from counting."""
    return "".join(face for face in dice if face not in LETTERS_OF[box])


def fits(box: str, words: Sequence[int]) -> bool:
    """Return whether words of these lengths, in dice, may go into a box."""
    if box in LENGTHS:
        return list(words) == [LENGTHS[box]]
    if box == YAHTZEE:
        return list(words) == [DICE]
    number = COUNTS.get(box, max(len(words), 1))
    return len(words) == number and all(length >= SHORTEST for length in words)


DIAMONDS: Final = "◆◇♦♢⬥⯁"
_UMLAUTS: Final = dict(zip("äöüÄÖÜ", "ÄÖÜÄÖÜ", strict=True))

# The American dice with one A, one O and one U made umlauts, and the letter values of Point-Typ-Dom.
FACES: Final = "OWÜMPY BEXSAY RQJNÄD ACEFIZ PIMEG* TESLAH VUNCÖK"
VALUES: Final = (
    "A1 B4 C4 D3 E1 F3 G4 H3 I1 J6 K4 L2 M3 N2 O1 P4 Q9 R2 S2 T3 U1 V6 W6 X9 Y9 Z6 Ä6 Ö8 Ü6"  # the diamond: nothing
)
OPTIONS: Final[Mapping[str, str | int | bool]] = {"any_order": False, "dice": FACES, "values": VALUES}

_MOST: Final = 14
"""The highest value of a letter: seven of them still have two digits on the card."""
_VALUE: Final = re.compile(r"(\D)\s*[=:]?\s*([0-9]{1,3})[\s,;]*")


def capital(sign: str) -> str:
    """Return the face that a sign stands for: A-Z, Ä, Ö, Ü, the diamond as `*`; nothing for any other."""
    if sign == JOKER or sign in DIAMONDS:
        return JOKER
    return _UMLAUTS.get(sign) or letter(sign)


def faces_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the option `dice`. Raises SetupError."""
    text = str(options["dice"])
    dice = tuple("".join(capital(sign) or "?" for sign in die) for die in re.split(r"[\s,;/|]+", text.strip()))
    if len(dice) != DICE or any("?" in die for die in dice):
        raise SetupError(say("SETUP_DICE", value=str(text)))
    return dice


def values_of(options: Mapping[str, Any], faces: tuple[str, ...]) -> dict[str, int]:
    """Read the option `values`. Raises SetupError."""
    text = str(options["values"]).strip()
    pairs = _VALUE.findall(text)
    values = {capital(sign): int(number) for sign, number in pairs} | {JOKER: 0}
    lacking = sorted({face for die in faces for face in die} - values.keys())
    if _VALUE.sub("", text) or "" in values or max(values.values()) > _MOST:
        raise SetupError(say("SETUP_VALUES", value=str(text), most=_MOST))
    if lacking:
        raise SetupError(say("SETUP_LACKS", letters=", ".join(lacking)))
    return values


def roll(faces: tuple[str, ...], before: str, keep: tuple[int, ...], dice: Dice) -> str:
    """Roll all dice but those that are kept."""
    return "".join(before[at] if at in keep else dice.choice(die) for at, die in enumerate(faces))


def resample(state: State, viewer: Viewer, dice: Dice) -> State:
    """Roll anew for all that the viewer doesn't see: nobody knows how often another has rolled, or what was kept."""
    if state.over:
        return state
    return replace(
        state,
        players=tuple(
            player if player.seat == viewer else _rolled_anew(player, state, dice) for player in state.players
        ),
    )


def _rolled_anew(player: Player, state: State, dice: Dice) -> Player:
    rolls, kept = [roll(state.faces, "", (), dice)], tuple[int, ...]()
    number = len(player.rolls) if player.seat in state.given_up else 1 + dice.below(ROLLS)
    for _ in range(number - 1):
        kept = tuple(at for at in range(DICE) if dice.below(2))
        rolls.append(roll(state.faces, rolls[-1], kept, dice))
    return replace(player, rolls=tuple(rolls), kept=kept)
