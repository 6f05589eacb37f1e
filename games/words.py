"""Words: how games ask for verdicts, and which words count in which game. The service has the lists and rulings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from games.catalogue import read

Status: TypeAlias = Literal["accepted", "refused", "doubtful"]


@dataclass(frozen=True)
class Verdict:
    """The judgement on one word."""

    status: Status
    reason: str = ""
    """Why it doesn't count: a code of `REASONS`."""
    entry: str = ""
    """How dictionaries spell it."""
    note: str = ""
    """The GM's own words about it."""


UNLISTED = Verdict("doubtful", "UNLISTED")
"""No list has the word. It is never simply refused: the GM rules on it."""


Fact: TypeAlias = Literal[
    "word", "place", "first", "family", "proper", "brand", "abbreviation", "spoken", "accent", "phrase", "unsure",
    "noun", "capital", "infinitive", "finite", "participle", "umlaut", "foreign", "slur",
]  # fmt: skip
"""What the word list knows about a word. `gm.lexicon.word_flags` says what each means."""

NAMES: Final[tuple[Fact, ...]] = ("place", "first", "family", "proper")


@dataclass(frozen=True, kw_only=True)
class Case:
    """A step of a profile: it decides on words with any fact in `any_of` and no fact in `none_of`."""

    any_of: tuple[Fact, ...]
    none_of: tuple[Fact, ...] = ()
    verdict: Verdict


def accept(*any_of: Fact, none_of: tuple[Fact, ...] = ()) -> Case:
    """Accept words with one of these facts."""
    return Case(any_of=any_of, none_of=none_of, verdict=Verdict("accepted"))


def refuse(reason: str, *any_of: Fact, none_of: tuple[Fact, ...] = ()) -> Case:
    """Refuse words with one of these facts, for a reason."""
    return Case(any_of=any_of, none_of=none_of, verdict=Verdict("refused", reason))


def doubt(reason: str, *any_of: Fact) -> Case:
    """Leave words with one of these facts to the GM."""
    return Case(any_of=any_of, verdict=Verdict("doubtful", reason))


@dataclass(frozen=True, kw_only=True)
class Profile:
    """Which words count in a game, as data. The first case that fits decides; a word that fits none is doubtful.

    Verdicts are recorded under the name, so that no two profiles may share one.
    """

    name: str
    cases: tuple[Case, ...]
    length: int | None = None
    """How many letters a word must have; None: two or more."""
    pairs_are_closed: bool = False
    """Words of two letters count only from the list: others are refused, not doubtful."""


NO_WORDS: Final = (
    Case(any_of=("unsure",), verdict=UNLISTED),
    doubt("ABBREVIATION", "spoken"),
    refuse("ABBREVIATION", "abbreviation"),
    doubt("BRAND", "brand"),
    refuse("ACCENT", "accent"),
    doubt("PHRASE", "phrase"),
)
"""The last cases of every profile: what is neither a plain word nor a name."""

DUDEN: Final = Profile(name="duden", cases=(accept("word", *NAMES), *NO_WORDS))
"""All headwords with all inflections, names included. Every game may use this profile."""


class Words(Protocol):
    """The judge of words. Words are in board letters: A-Z in capitals, umlauts as AE OE UE, ß as SS."""

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word by the profile of this name."""

    def listed(self, profile: str) -> Iterable[str]:
        """Return all accepted words but slurs, for suggestions and for what could have been laid."""


REASONS: Final = read("games.shared", "reasons")
"""Why a word doesn't count: wordings that games and the service share. A reason that isn't here is shown as REFUSED."""
