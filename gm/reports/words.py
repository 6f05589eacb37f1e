"""`gm words`: what the lexicon says about words, near misses, and racks of letters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.words import REASONS, Verdict
from gm.lexicon.lexicon import Lexicon
from gm.lexicon.spelling import board_letters

OTHER_SIGNS = "not a word of A-Z, Ä, Ö, Ü, ß"
JOKERS = "?*"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the lexicon says about a word, written as it was asked."""

    word: str
    profile: str
    status: str
    reason: str
    flags: tuple[str, ...]
    entry: str


def answers(lexicon: Lexicon, words: Sequence[str], profiles: Sequence[str]) -> Iterator[Answer]:
    """Look words up for profiles. What can't lie on any board is refused, never an error."""
    for word in words:
        written = board_letters(word)
        flags = tuple(lexicon.flags(written)) if written else ()
        for profile in profiles:
            verdict = lexicon.check(written, profile) if written else Verdict("refused")
            reason = _why(verdict) if written else OTHER_SIGNS
            yield Answer(
                word=word, profile=profile, status=verdict.status, reason=reason, flags=flags, entry=verdict.entry
            )


def near(lexicon: Lexicon, said: Sequence[Answer]) -> Iterator[str]:
    """Write a line for each word that isn't accepted, with words that may have been meant."""
    for word in dict.fromkeys(answer.word for answer in said):
        profile = next((a.profile for a in said if a.word == word and a.status != "accepted"), None)
        written = board_letters(word)
        if profile and written and (found := lexicon.near(written, profile)):
            yield f"Near {written} ({profile}): {', '.join(found)}"


def _why(verdict: Verdict) -> str:
    """Write why a word doesn't count; "" for one that counts."""
    if verdict.status == "accepted":
        return ""
    return REASONS.get(verdict.reason, REASONS["REFUSED"])["en"]


def rack(letters: str) -> str | None:
    """Write the letters of a rack as on a board, with `?` for each joker behind them; None for any other character."""
    jokers = sum(letters.count(sign) for sign in JOKERS)
    plain = "".join(letter for letter in letters if letter not in JOKERS and not letter.isspace())
    written = board_letters(plain) if plain else ""
    return written + JOKERS[0] * jokers or None if written is not None else None
