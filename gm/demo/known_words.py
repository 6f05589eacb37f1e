"""The words that the demo's players know: some thousand common ones, on a list that was read."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from games.words import Verdict, Words

WORDS = Path(__file__).with_name("known_words.txt")


@cache
def known_words() -> tuple[str, ...]:
    """Read the list: board letters, in alphabetical order."""
    return tuple(WORDS.read_text(encoding="ascii").split())


class KnownWords:
    """A judge of words, seen by somebody who judges as it does and thinks of common words only."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._listed: dict[str, Sequence[str]] = {}

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word, known or not."""
        return self._words.check(word, profile)

    def listed(self, profile: str) -> Sequence[str]:
        """List the known words that count; looked up once for each profile."""
        if profile not in self._listed:
            accepted = (word for word in known_words() if self.check(word, profile).status == "accepted")
            self._listed[profile] = tuple(accepted)
        return self._listed[profile]
