"""What `gm words` prints: the lexicon's answers, in English."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from games.words import REASONS, Verdict

if TYPE_CHECKING:
    from gm.lexicon.lexicon import Lexicon

OTHER_SIGNS = "not a word of A-Z, Ä, Ö, Ü, ß"
JOKERS = "?*"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What is said about a word, as it was asked."""

    word: str
    profile: str
    status: str
    reason: str
    flags: tuple[str, ...]
    entry: str


def open_lexicon(config: Path | None) -> "Lexicon":
    """Open the lexicon; the house's own lists are in it where there is a config. Raises ConfigError."""
    from gm.lexicon.lexicon import Lexicon
    from gm.runtime.config.settings import default_path, load

    has_config = config is not None or default_path().exists()
    return Lexicon.load(load(config).lexicon.extra if has_config else ())


def ask(lexicon: "Lexicon", words: Sequence[str], profiles: Sequence[str]) -> Iterator[Answer]:
    """Ask about words for profiles. What can't lie on any board is refused, never an error."""
    from gm.lexicon.lexicon import board

    for word in words:
        written = board(word)
        flags = tuple(lexicon.flags(written)) if written else ()
        for profile in profiles:
            verdict = lexicon.check(written, profile) if written else Verdict("refused")
            reason = _why(verdict) if written else OTHER_SIGNS
            yield Answer(
                word=word, profile=profile, status=verdict.status, reason=reason, flags=flags, entry=verdict.entry
            )


def near(lexicon: "Lexicon", answers: Sequence[Answer]) -> Iterator[str]:
    """Word what may have been meant by each word that isn't accepted, one line for each."""
    from gm.lexicon.lexicon import board

    for word in dict.fromkeys(answer.word for answer in answers):
        profile = next((a.profile for a in answers if a.word == word and a.status != "accepted"), None)
        written = board(word)
        if profile and written and (found := lexicon.near(written, profile)):
            yield f"Near {written} ({profile}): {', '.join(found)}"


def _why(verdict: Verdict) -> str:
    """Word why a word doesn't count; one that counts needs no reason."""
    if verdict.status == "accepted":
        return ""
    return REASONS.get(verdict.reason, REASONS["REFUSED"])["en"]


def rack(letters: str) -> str | None:
    """Write the letters of a rack as on a board, `?` for each joker behind them; None if it has any other character."""
    from gm.lexicon.lexicon import board

    jokers = sum(letters.count(sign) for sign in JOKERS)
    plain = "".join(letter for letter in letters if letter not in JOKERS and not letter.isspace())
    written = board(plain) if plain else ""
    return written + JOKERS[0] * jokers or None if written is not None else None
