"""What each profile makes of the flags of a word: verdicts, but for the entry."""

from collections.abc import Callable, Mapping
from typing import Final

from games.words import UNLISTED, Verdict
from gm.lexicon.word_flags import NAMES, Flag

ACCEPTED: Final = Verdict("accepted")

_TOGETHER: Final = Flag.PLACE | Flag.FIRST | Flag.PROPER
"""The names that Typ-Dom allows: all but those of families, firms and brands."""


def duden(flags: Flag) -> Verdict:
    """Accept all headwords with all inflections, names as well."""
    return ACCEPTED if flags & (Flag.WORD | NAMES) else _otherwise(flags)


def typdom(flags: Flag) -> Verdict:
    """Accept all but finite forms of verbs, family names and brands that are nothing else."""
    if flags & _TOGETHER or (flags & Flag.WORD and not flags & (Flag.FINITE | Flag.PARTICIPLE)):
        return ACCEPTED
    if flags & Flag.FINITE:
        return Verdict("refused", "FINITE_VERB")
    if flags & Flag.WORD:
        return Verdict("doubtful", "PARTICIPLE")
    if flags & Flag.FAMILY:
        return Verdict("refused", "FAMILY_NAME")
    return Verdict("refused", "BRAND") if flags & Flag.BRAND else _otherwise(flags)


def nouns(flags: Flag) -> Verdict:
    """Accept what `typdom` accepts if it is a form of a noun or a name (an agreement that its rules allow)."""
    judged = typdom(flags)
    if judged == ACCEPTED and not flags & (Flag.CAPITAL | _TOGETHER):
        return Verdict("refused", "NO_NOUN")
    return judged


def yahtzee(flags: Flag) -> Verdict:
    """Accept words that are no names and, where that is known, neither foreign nor dialect."""
    if flags & Flag.WORD:
        return Verdict("refused", "FOREIGN_WORD") if flags & Flag.FOREIGN else ACCEPTED
    return Verdict("refused", "NAME") if flags & NAMES else _otherwise(flags)


def combinato(flags: Flag) -> Verdict:
    """Accept what `typdom` accepts, and all forms of verbs."""
    return ACCEPTED if flags & (Flag.WORD | _TOGETHER) else typdom(flags)


def combinato_nouns(flags: Flag) -> Verdict:
    """Accept nouns in their base form."""
    if flags & Flag.NOUN:
        return ACCEPTED
    judged = combinato(flags)
    return Verdict("refused", "NO_NOUN") if judged == ACCEPTED else judged


def _otherwise(flags: Flag) -> Verdict:
    """Judge what is neither a word nor a name."""
    if flags & Flag.UNSURE:
        return UNLISTED
    if flags & (Flag.ABBREVIATION | Flag.SPOKEN):
        return Verdict("doubtful" if flags & Flag.SPOKEN else "refused", "ABBREVIATION")
    if flags & Flag.BRAND:
        return Verdict("doubtful", "BRAND")
    if flags & Flag.ACCENT:
        return Verdict("refused", "ACCENT")
    return Verdict("doubtful", "PHRASE") if flags & Flag.PHRASE else UNLISTED


PROFILES: Final[Mapping[str, Callable[[Flag], Verdict]]] = {
    "duden": duden,
    "typdom": typdom,
    "nouns": nouns,
    "yahtzee": yahtzee,
    "combinato": combinato,
    "combinato-nouns": combinato_nouns,
}
"""`nouns` and `combinato-nouns` are options of the games of `typdom` and `combinato`."""

LISTED_PAIRS: Final = frozenset({"typdom", "nouns"})
"""Where a run of two letters counts only from our own list: nothing else is held for the GM (rulings.md 1.9)."""

LENGTHS: Final[Mapping[str, range]] = {"combinato": range(4, 5), "combinato-nouns": range(4, 5)}
"""How long a word may be, where not two letters and more."""
