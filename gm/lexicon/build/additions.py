"""Our own file, `additions.txt`: words that the sources lack, and what they get wrong."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from gm.lexicon.build.entries import Entries
from gm.lexicon.build.sources import BuildError
from gm.lexicon.spelling import board_letters
from gm.lexicon.word_flags import NAMES, Flag

ADDITIONS: Final = Path(__file__).parent.with_name("additions.txt")

_KINDS: Final = {
    "word": Flag.WORD,
    "foreign": Flag.WORD | Flag.FOREIGN,
    "place": Flag.PLACE,
    "first": Flag.FIRST,
    "family": Flag.FAMILY,
    "proper": Flag.PROPER,
    "brand": Flag.BRAND,
    "abbreviation": Flag.ABBREVIATION,
    "spoken": Flag.SPOKEN,
    "accent": Flag.ACCENT,
    "phrase": Flag.PHRASE,
    "doubtful": Flag.UNSURE,
}
"""What a line may say about its words; besides these, `slur`."""


def read() -> list[tuple[str, str]]:
    """Read the file, whose lines are `kind: word word ...`. Raises BuildError."""
    found = []
    for number, line in enumerate(ADDITIONS.read_text(encoding="utf-8").splitlines(), start=1):
        kind, colon, words = line.partition("#")[0].strip().partition(":")
        if kind and (not colon or kind not in {*_KINDS, "slur"}):
            raise BuildError(f"{ADDITIONS.name}, line {number}: '{kind}' is no kind of ours.")
        found += [(kind, word) for word in words.split()]
    return found


def amend(entries: Entries, additions: Iterable[tuple[str, str]]) -> None:
    """Apply the file: where it contradicts the sources about a word, it replaces what they say. Raises BuildError."""
    slurs = []
    for kind, spelling in additions:
        word = board_letters(spelling.rstrip("*")) or ""
        if not word:
            raise BuildError(f"{ADDITIONS.name}: '{spelling}' can't be written in A-Z.")
        if kind == "slur":
            slurs.append(word + (".*" if spelling.endswith("*") else ""))
            continue
        if kind in ("word", "foreign"):
            entries.flags[word] = entries.flags.get(word, Flag(0)) & ~(
                Flag.FINITE | Flag.PARTICIPLE | Flag.ABBREVIATION | Flag.UNSURE | Flag.ACCENT | Flag.BRAND
            )
        elif kind in ("brand", "abbreviation", "spoken", "accent", "doubtful"):
            entries.flags[word] = Flag(0)
        entries.mark(word, _KINDS[kind], "" if _KINDS[kind] & NAMES and entries.has(word) else spelling)
    slur = re.compile("|".join(slurs))
    for word in [word for word in entries.flags if slur.fullmatch(word)]:
        entries.mark(word, Flag.SLUR)
