"""The table of intents, `intents.toml`: read once, and made so that a word costs a few look-ups however long it is."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from games.api import Language
from parsers.calendar_words import plain_words

LANGUAGES: Final[tuple[Language, ...]] = ("de", "en")
FORMS: Final = ("bare", "says", "begs", "asks", "about")
"""How sure a phrase is, the surest first."""
SHORTEST_STEM, LONGEST_STEM = 2, 16
ELEMENTS: Final = frozenset(["GAME", "TITLE", "DAYS", "SPAN", "MAIL", "NUMBER", "PLACE"])
"""What stands in a phrase for something that a text names."""

Run = tuple[str, ...]
"""Words that stand side by side."""


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """Words of one sentence, in any order, that are about an intent."""

    kind: str
    language: Language
    form: str
    words: Run


@dataclass(frozen=True, kw_only=True)
class Runs:
    """A list of words, some of several that stand side by side, by the first of them."""

    by_first: Mapping[str, tuple[Run, ...]]

    def length(self, words: "list[frozenset[str]]", at: int) -> int:
        """Say how many words of a text, from the one at a place on, are in the list; 0 for none."""
        found = 0
        for pattern in words[at]:
            for run in self.by_first.get(pattern, ()):
                behind = words[at : at + len(run)]
                if len(behind) == len(run) > found and all(map(frozenset.__contains__, behind, run)):
                    found = len(run)
        return found


@dataclass(frozen=True, kw_only=True)
class Intent:
    """What belongs to one intent beside its phrases."""

    over: frozenset[str]
    """Other intents whose words are said by the way."""
    may_be_denied: bool
    """Who says that they haven't got it wants it."""
    beside: Mapping[Language, Runs]
    """Words that cast doubt on other intents, not on this."""
    vetoes: Mapping[Language, Runs]
    """Words that cast doubt on this one alone."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """All that `intents.toml` says."""

    patterns: frozenset[str]
    phrases: Mapping[str, tuple[Phrase, ...]]
    """By their longest word."""
    intents: Mapping[str, Intent]
    lists: Mapping[str, Mapping[Language, Runs]]
    """Lists that are common to all intents: `known`, `vetoes`, `speaker` ..."""

    def fits(self, word: str) -> frozenset[str]:
        """Return the patterns of the table that a plain word fits."""
        found = {word}
        for length in range(SHORTEST_STEM, min(len(word), LONGEST_STEM) + 1):
            found.add(f"{word[:length]}*")
            found.add(f"*{word[-length:]}")
        return self.patterns & found


@cache
def table() -> Table:
    """Read the table. Raises what is wrong with it."""
    read = tomllib.loads(files(__package__).joinpath("intents.toml").read_text(encoding="utf-8"))
    phrases = [
        Phrase(kind=kind, language=language, form=form, words=words)
        for kind, intent in read["intents"].items() for language in LANGUAGES for form in FORMS
        for words in _entries(intent.get(language, {}).get(form, ""))
    ]  # fmt: skip
    by_longest: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        by_longest.setdefault(max(phrase.words, key=_weight), []).append(phrase)
    lists = {name: _by_language(said) for name, said in read["common"].items()}
    intents = {kind: _intent(said) for kind, said in read["intents"].items()}
    runs = [by[language] for by in (*lists.values(), *(one.beside for one in intents.values()),
                                    *(one.vetoes for one in intents.values())) for language in LANGUAGES]  # fmt: skip
    words = {word for phrase in phrases for word in phrase.words}
    words |= {word for one in runs for of_first in one.by_first.values() for run in of_first for word in run}
    return Table(
        patterns=frozenset(words - ELEMENTS), intents=intents, lists=lists,
        phrases={word: tuple(of_word) for word, of_word in by_longest.items()},
    )  # fmt: skip


def _weight(word: str) -> tuple[bool, int]:
    return word not in ELEMENTS, len(word)


def _intent(said: Mapping[str, Any]) -> Intent:
    return Intent(
        over=frozenset(word for entry in _entries(said.get("over", "")) for word in entry),
        may_be_denied=bool(said.get("denied")),
        beside=_by_language({language: said.get(language, {}).get("beside", "") for language in LANGUAGES}),
        vetoes=_by_language({language: said.get(language, {}).get("vetoes", "") for language in LANGUAGES}),
    )


def _by_language(said: Mapping[str, str]) -> Mapping[Language, Runs]:
    return {language: _runs(_entries(said.get(language, ""))) for language in LANGUAGES}


def _runs(entries: Iterable[Run]) -> Runs:
    by_first: dict[str, list[Run]] = {}
    for run in entries:
        by_first.setdefault(run[0], []).append(run)
    return Runs(by_first={first: tuple(of_first) for first, of_first in by_first.items()})


def _entries(text: str) -> Iterator[Run]:
    """Split a list at its commas; words are small and without umlauts then, elements stay in capitals."""
    for entry in text.split(","):
        words = tuple(word if word in ELEMENTS else plain_words(word) for word in entry.split())
        if any("*" in word[1:-1] or (len(word) > 1 and word[0] == word[-1] == "*") for word in words):
            raise ValueError(f"a star stands at one end of a word: {entry.strip()}")
        if words:
            yield words
