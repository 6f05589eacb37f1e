"""The rules: dice and their values, the card with its boxes, the bonus, and the ranking."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from games.api import Seat, Standing, Viewer, say
from games.dice import Dice
from games.errors import SetupError
from games.shared import ranking
from games.shared.notation import board_letters, letter
from games.words import NAMES, NO_WORDS, Profile, Verdict, accept, refuse

ROUNDS: Final = 8
ROLLS: Final = 3
DICE: Final = 7
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
JOKER: Final = "*"
"""How mails print the diamond; behind a letter it says what the diamond stands for."""

NUMBERED: Final = tuple(f"R{number}" for number in range(1, ROUNDS + 1))
"""The boxes of the rounds, as they are printed."""
UPPER: Final = NUMBERED[:5]
LOWER: Final = NUMBERED[5:]
CONSONANTS: Final = "konsonanten"
VOWELS: Final = "vokale"
YAHTZEE: Final = "yahtzee"
CHANCE: Final = "chance"
SPECIAL: Final = (CONSONANTS, VOWELS, YAHTZEE, CHANCE)
LETTERS_OF: Final = {VOWELS: frozenset("AEIOUYÄÖÜ*"), CONSONANTS: frozenset("BCDFGHJKLMNPQRSTVWXZ*")}
"""Y is always a vowel, the diamond is either."""

LENGTHS: Final = {**dict(zip(UPPER, range(2, 7), strict=True)), YAHTZEE: DICE}
"""How long the word of a box is, where that is fixed."""
COUNTS: Final = {**dict.fromkeys(LENGTHS, 1), **dict(zip(LOWER, range(1, 4), strict=True))}
"""How many words go into a box, where that is fixed."""
SHORTEST: Final = 2

ALL_ALIKE: Final = 25
FIRST_YAHTZEE: Final = 50
MORE_YAHTZEE: Final = 100
BONUS: Final = 35
BONUS_ABOVE: Final = 35


@dataclass(frozen=True, kw_only=True)
class Word(Verdict):
    """A word on a card or on its way there, and what the judge said last."""

    laid: str
    """A capital for each die, umlauts as such, `E*` for the diamond."""
    value: int

    @property
    def spelling(self) -> str:
        """Its letters: `M*ILD` is MILD."""
        return self.laid.replace(JOKER, "")

    def counts(self, *, also_open: bool = False) -> bool:
        """Return whether it counts; with `also_open` a doubtful word does."""
        return self.status == "accepted" or (also_open and self.status == "doubtful")


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
class Entry(Move):
    """What one round brought a seat: its score, or a zero."""

    round: int
    dice: str = ""
    """As they lay in the end."""
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

    def has(self, box: str) -> bool:
        """Return whether a box is written on."""
        return any(box in (entry.box, entry.zero) for entry in self.card)

    def rolled(self, faces: Sequence[str], dice: Dice, keep: tuple[int, ...] = ()) -> "Player":
        """Roll all dice but those that are kept."""
        lies = "".join(self.dice[at] if at in keep else dice.choice(die) for at, die in enumerate(faces))
        return replace(self, rolls=(*self.rolls, lies), kept=keep)


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
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(player.seat for player in self.players)

    @property
    def is_cut_short(self) -> bool:
        """It ended in a round, as only one seat was left: no word is ruled on any more."""
        return self.over and bool(self.players[0].rolls)

    def stand(self, seat: Seat) -> int:
        """Number the positions of a seat: every roll is one."""
        closed = self.round - (not self.over)
        return closed * ROLLS + sum(len(player.rolls) for player in self.players if player.seat == seat)

    def player(self, seat: Seat) -> Player:
        """Find who sits there."""
        return next(player for player in self.players if player.seat == seat)

    def open(self, player: Player) -> tuple[str, ...]:
        """List the numbered boxes that a seat may fill now: that of the round, or any that is free."""
        if not self.any_order:
            return (NUMBERED[self.round - 1],)
        return tuple(box for box in NUMBERED if not player.has(box))

    def words(self) -> Iterator[tuple[Player, int, Word]]:
        """Yield the words of all cards, each with the place of its entry on the card."""
        for player in self.players:
            for at, entry in enumerate(player.card):
                for word in entry.words:
                    yield player, at, word


# The card


@dataclass(frozen=True, kw_only=True)
class Card:
    """A card added up."""

    boxes: Mapping[str, int]
    """Points of the boxes written on, the hundreds of further Yahtzee words included."""

    @property
    def upper(self) -> int:
        """The upper part without its bonus."""
        return sum(self.boxes.get(box, 0) for box in UPPER)

    @property
    def bonus(self) -> int:
        """What the upper part brings on top."""
        return BONUS if self.upper > BONUS_ABOVE else 0

    @property
    def lower(self) -> int:
        """The lower part, without the hundreds."""
        return sum(self.boxes.get(box, 0) for box in (*LOWER, *SPECIAL)) - self.hundreds

    @property
    def hundreds(self) -> int:
        """What further Yahtzee words bring."""
        return max(self.boxes.get(YAHTZEE, 0) - FIRST_YAHTZEE, 0)

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
            boxes[entry.box] = boxes.get(entry.box, 0) + points(entry, entries[:at], also_open=also_open)
    return Card(boxes=boxes)


def points(entry: Move, before: Sequence[Entry], *, also_open: bool = False) -> int:
    """Return what an entry is worth below others; of the Yahtzee words the first one that counts is the fifty."""
    if entry.box in LETTERS_OF:
        return ALL_ALIKE
    counting = [word for word in entry.words if word.counts(also_open=also_open)]
    if entry.box != CHANCE and len(counting) < max(len(entry.words), 1):
        return 0
    if entry.box != YAHTZEE:
        return sum(word.value for word in counting)
    earlier = (word for other in before if other.box == YAHTZEE for word in other.words)
    return MORE_YAHTZEE if any(word.counts(also_open=also_open) for word in earlier) else FIRST_YAHTZEE


def open_points(entries: Sequence[Entry]) -> int:
    """Return what the doubtful words would add."""
    return card_of(entries, also_open=True).total - card_of(entries).total


def misfits(box: str, dice: str) -> str:
    """Return the dice that keep `Nur Konsonanten` or `Nur Vokale` from counting."""
    return "".join(face for face in dice if face not in LETTERS_OF[box])


def doubtful(words: Iterable[Word]) -> tuple[str, ...]:
    """Name the doubtful words in board letters, as the GM rules on them."""
    return tuple(sorted({board_letters(word.spelling) for word in words if word.status == "doubtful"}))


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats; equal sums share a rank."""
    return ranking.standings({player.seat: card_of(player.card).total for player in state.players}, state.given_up)


# Dice and values

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
        raise SetupError(say("SETUP_DICE", value=text))
    return dice


def values_of(options: Mapping[str, Any], faces: tuple[str, ...]) -> dict[str, int]:
    """Read the option `values`. Raises SetupError."""
    text = str(options["values"]).strip()
    pairs = _VALUE.findall(text)
    values = {capital(sign): int(number) for sign, number in pairs} | {JOKER: 0}
    lacking = sorted({face for die in faces for face in die} - values.keys())
    if _VALUE.sub("", text) or "" in values or max(values.values()) > _MOST:
        raise SetupError(say("SETUP_VALUES", value=text, most=_MOST))
    if lacking:
        raise SetupError(say("SETUP_LACKS", letters=", ".join(lacking)))
    return values


def resample(state: State, viewer: Viewer, dice: Dice) -> State:
    """Roll anew for all that the viewer doesn't see: nobody knows how often another has rolled, or what was kept."""
    if state.over:
        return state
    players = (player if player.seat == viewer else _rolled_anew(player, state, dice) for player in state.players)
    return replace(state, players=tuple(players))


def _rolled_anew(player: Player, state: State, dice: Dice) -> Player:
    anew = replace(player, rolls=()).rolled(state.faces, dice)
    number = len(player.rolls) if player.seat in state.given_up else 1 + dice.below(ROLLS)
    for _ in range(number - 1):
        anew = anew.rolled(state.faces, dice, tuple(at for at in range(DICE) if dice.below(2)))
    return anew
