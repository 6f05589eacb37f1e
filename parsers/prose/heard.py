"""What a text says by the table of intents: which phrases its sentences have, and which of its words are in a list."""

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final

from games.api import Language
from parsers.prose.clauses import Clause, Token
from parsers.prose.intents import ELEMENTS, FORMS, LANGUAGES, Intent, Phrase, Runs, table

COUNTS: Final = ELEMENTS - {"NUMBER", "PLACE"}
"""Elements that need no phrase to be understood."""


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A phrase that a sentence has, and where its words stand in the text."""

    phrase: Phrase
    sentence: int
    places: frozenset[int]


class Heard:
    """A text as the words in it; a place is the number of a word."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.clauses = clauses
        self.tokens: list[Token] = [token for clause in clauses for token in clause.tokens]
        self.clause_of = [at for at, clause in enumerate(clauses) for _ in clause.tokens]
        self.in_clause: list[list[int]] = [[] for _ in clauses]
        self.sentences: dict[int, list[int]] = {}
        for place, at in enumerate(self.clause_of):
            self.in_clause[at].append(place)
            self.sentences.setdefault(clauses[at].sentence, []).append(place)
        _name_holidays(self.tokens)
        self._listed: dict[tuple[str, ...], frozenset[int]] = {}
        around = self.listed("padding")
        self.hits = [hit for hit in self._hits() if not hit.places <= around] or self._hints()

    def _hits(self) -> Iterator[Hit]:
        """Find the phrases of all sentences: words of one clause, and what the sentence names."""
        for sentence, places in self.sentences.items():
            named = {pattern: at for pattern, at in self._where(places).items() if pattern in ELEMENTS}
            for _, clause in groupby(places, self.clause_of.__getitem__):
                yield from _phrases({**self._where(clause), **named}, sentence)

    def _hints(self) -> list[Hit]:
        """Find phrases whose words stand apart in one sentence, else in several: they only hint."""
        found = [hit for number, places in self.sentences.items() for hit in _phrases(self._where(places), number)]
        found = found or [*_phrases(self._where(range(len(self.tokens))), max(self.sentences, default=0))]
        return [replace(hit, phrase=replace(hit.phrase, form="about")) for hit in found]

    def _where(self, places: Iterable[int]) -> dict[str, list[int]]:
        where: dict[str, list[int]] = {}
        for place in places:
            for pattern in self.tokens[place].fits:
                where.setdefault(pattern, []).append(place)
        return where

    @cached_property
    def kind(self) -> str | None:
        """The one intent that the text has; None for none, and for several."""
        kinds: set[str] = set()
        for _, hits in groupby(self.hits, lambda hit: hit.sentence):
            kinds |= _strongest(list(hits))
        kinds = {kind for kind in kinds if not any(self._is_by_the_way(kind, other) for other in kinds)}
        return kinds.pop() if len(kinds) == 1 else None

    def _is_by_the_way(self, kind: str, other: str) -> bool:
        """Return whether words of an intent are said only in the clauses of another that is over it, or only hint."""
        if kind not in table().intents[other].over:
            return False
        clauses = {self.clause_of[place] for hit in self.hits if hit.phrase.kind == other for place in hit.places}
        beside = self.places(table().intents[other].beside.values())
        beside |= {place for place, clause in enumerate(self.clause_of) if clause in clauses}
        own = (hit for hit in self.hits if hit.phrase.kind == kind)
        return all(hit.phrase.form == "about" or hit.places <= beside for hit in own)

    @cached_property
    def intent(self) -> Intent:
        """What belongs to that intent."""
        return table().intents[self.kind or ""]

    @cached_property
    def of_kind(self) -> list[Hit]:
        """The phrases of that intent."""
        return [hit for hit in self.hits if hit.phrase.kind == self.kind]

    @cached_property
    def language(self) -> Language | None:
        """The language in which the intent is said; None where it may be both."""
        said = {language: len(self.places(self._lists("known", language))) for language in LANGUAGES}
        for hit in self.of_kind:
            said[hit.phrase.language] += len(hit.places)
        return None if said["de"] == said["en"] else "de" if said["de"] > said["en"] else "en"

    def _lists(self, name: str, *languages: Language) -> list[Runs]:
        return [table().lists[name][language] for language in languages or LANGUAGES]

    def marked(self, name: str) -> frozenset[int]:
        """Find the places whose words are in a common list, of the language of the intent if that is sure."""
        return self.listed(name, *([self.language] if self.language else []))

    def listed(self, name: str, *languages: Language) -> frozenset[int]:
        """Find the places whose words are in a common list, of all languages unless some are named."""
        key = (name, *languages)
        if key not in self._listed:
            self._listed[key] = frozenset(self.places(self._lists(name, *languages)))
        return self._listed[key]

    def places(self, lists: Iterable[Runs]) -> set[int]:
        """Find the places whose words are in lists; what stands side by side is in one sentence."""
        found: set[int] = set()
        for places in self.sentences.values():
            words = [self.tokens[place].fits for place in places]
            for runs in lists:
                for at, place in enumerate(places):
                    found.update(range(place, place + runs.length(words, at)))
        return found

    @cached_property
    def covered(self) -> set[int]:
        """The places that the intent explains: its phrases, what may stand beside it, and what people put around."""
        own = set[int]().union(*(hit.places for hit in self.of_kind))
        return own | self.listed("padding") | self.places(self.intent.beside.values())

    @property
    def few(self) -> set[int]:
        """The places that the intent explains, with the fewest small words."""
        named = {place for place, token in enumerate(self.tokens) if token.fits & COUNTS_OR_KNOWN}
        return self.covered | self.marked("few") | named

    @cached_property
    def unknown(self) -> set[int]:
        """The places whose words nothing explains."""
        known = self.covered | self.listed("known", *([self.language] if self.language else []))
        return {
            place for place, token in enumerate(self.tokens) if place not in known and not token.fits & COUNTS_OR_KNOWN
        }

    def vetoes(self, *names: str) -> set[int]:
        """Find the places that cast doubt, by common lists; a word that its language knows is none of the other's."""
        found: set[int] = set()
        for language in LANGUAGES:
            of_language = set[int]().union(*(self.listed(name, language) for name in names))
            is_other = self.language not in (None, language)
            found |= of_language - (self.listed("known", self.language) if is_other and self.language else set())
        return found - self.covered

    @property
    def own_vetoes(self) -> set[int]:
        """Find the places that cast doubt on this intent alone."""
        return self.places(self.intent.vetoes.values()).difference(*(hit.places for hit in self.of_kind))


COUNTS_OR_KNOWN: Final = COUNTS | {"KNOWN", "LETTER"}


def _name_holidays(tokens: Sequence[Token]) -> None:
    """Let a holiday be days where none are named; beside a span from day to day it says the same again."""
    dated = [token for token in tokens if "DAYS" in token.fits]
    is_whole = any(token.days and token.days.last for token in dated)
    for token in tokens:
        if "HOLIDAY" in token.fits and not dated:
            token.fits |= {"DAYS"}
            dated.append(token)
        elif "HOLIDAY" in token.fits and is_whole:
            token.fits |= {"KNOWN"}


def _strongest(hits: Sequence[Hit]) -> set[str]:
    """Return the intents of a sentence whose words aren't all said by another, longer or surer phrase."""
    said: dict[str, set[int]] = {}
    sure: dict[str, int] = {}
    for hit in hits:
        kind, form = hit.phrase.kind, FORMS.index(hit.phrase.form)
        said.setdefault(kind, set()).update(hit.places)
        sure[kind] = min(sure.get(kind, form), form)
    return {
        kind for kind in said
        if not any(said[kind] < said[other] or (said[kind] == said[other] and sure[other] < sure[kind])
                   for other in said)
    }  # fmt: skip


def _phrases(where: Mapping[str, Sequence[int]], sentence: int) -> Iterator[Hit]:
    """Find the phrases of which all words are said; of each the place nearest to its longest word."""
    for pattern, found in where.items():
        for phrase in table().phrases.get(pattern, ()):
            if all(word in where for word in phrase.words):
                nearest = frozenset(_nearest(where[word], found[0]) for word in phrase.words)
                yield Hit(phrase=phrase, sentence=sentence, places=nearest)


def _nearest(places: Sequence[int], to: int) -> int:
    """Return the place in an ascending list that is nearest to another."""
    at = bisect(places, to)
    return min(places[max(at - 1, 0) : at + 1], key=lambda place: abs(place - to))
