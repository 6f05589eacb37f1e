"""Finds which dictionaries know a word: one of the main list counts only if another source confirms it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from gm.lexicon.build import packages
from gm.lexicon.build.entries import is_abbreviated
from gm.lexicon.build.verbs import Verbs
from gm.lexicon.spelling import board_letters

NO_NAMES: Final = frozenset({"Straßenname", "Wortverbindung", "Abkürzung", "Redewendung"})
NO_NOUNS: Final = frozenset(
    {"Toponym", "Vorname", "Nachname", "Eigenname", "Buchstabe", "Symbol", "Affix", "Suffix", "Gebundenes Lexem"}
    | NO_NAMES
)
_COMMON: Final = 700
"""A word counts if one dictionary has it and it is that frequent in running text: once in ten million words."""
_BY_CHANCE: Final = 6
"""Running text proves nothing about words of so few letters: names, English and abbreviations look the same."""
_LINKING: Final = re.compile("(?:UNG|ION|HEIT|KEIT|SCHAFT|TAET)S$")
"""Ends of words that stand before a hyphen: `Umgebungs-`."""
_ELIDED: Final = re.compile("[^AEIOU][LNR]$")


class Evidence:
    """What the dictionaries beside the main list say. All sets but `spelt` hold board letters."""

    def __init__(self, folder: Path, main: Iterable[str]) -> None:
        ding, wikidata, igerman = packages.ding(folder), packages.wikidata(folder), packages.igerman(folder)
        tables = packages.adjectives(folder)
        rows = [row for row in packages.nouns(folder) if not NO_NOUNS & packages.tags(row)]
        declined = packages.declined(folder)
        self.lemmas = {*(row["lemma"] for row in rows), *_nominatives(declined), *wikidata.nouns}
        self._read_verbs(packages.verbs(folder), {*main, *igerman, *ding.verbs}, ding)
        self._adjectives = _boards(filter(str.islower, tables)) - self._participles - self.finite
        self._adjectives |= _boards({*ding.adjectives, *ding.others})
        self._nouns = _boards(noun for noun in {*self.lemmas, *ding.nouns} if not is_abbreviated(noun))
        self.spelt = (
            {*packages.strings(declined), *packages.strings(tables), *self._tabled, *tables, *declined},
            {form for row in rows for form in packages.forms(row)},
            ding.words,
            set(igerman),
        )
        self.plain = _boards(spelling for words in self.spelt for spelling in words if not is_abbreviated(spelling))
        self._dictionaries = [*(_boards(words) for words in self.spelt), _boards(wikidata.forms)]
        levels = [(board_letters(spelling) or "", spelling, level) for spelling, level in packages.frequent(folder)]
        self._frequent = {word: spelling for word, spelling, _ in levels}
        self._common = {word for word, _, level in levels if level <= _COMMON}
        self._known = set[str]().union(*self._dictionaries, self._frequent)
        self._named = _boards({*self.spelt[0], *self.spelt[1], *ding.nouns, *ding.plurals})

    def _read_verbs(self, tables: Mapping[str, Any], listed: set[str], ding: packages.Ding) -> None:
        self._verbs = verbs = Verbs(tables)
        self._small = set(filter(str.islower, listed)) | ding.verbs
        self._tabled = verbs.tabled
        verbs.find(self._small | listed)
        self.infinitives, self.finite = _boards(verbs.infinitives), _boards(verbs.finite)
        self._regular = _boards(verbs.regular)
        self._undeclined = _boards(self._small)
        self._present = _boards(f"{word}d" for word in self._small if f"{word.capitalize()}s" in listed)
        self._participles, self._with_zu = _boards(verbs.participles), _boards(verbs.with_zu)

    def count(self, word: str) -> int:
        """Count the dictionaries that have a word."""
        return sum(word in words for words in self._dictionaries)

    def is_spelt(self, name: str) -> bool:
        """Return whether the spell checker or the dictionary of translations has a name."""
        return name in self.spelt[2] or name in self.spelt[3]

    def agreed(self) -> Iterator[tuple[str, str]]:
        """Yield words that two dictionaries have, or one and running text, each with one spelling in either case."""
        spelt = dict[str, str]()
        # The spell checker's comes first, as it has no old spellings: Fuß, but Fluss.
        for spelling in dict.fromkeys(chain(*map(sorted, (*reversed(self.spelt), self.lemmas)))):
            word = board_letters(spelling) or ""
            found = self.count(word)
            if found + self._is_common(word) < 2 or spelling.lower() != spelt.setdefault(word, spelling.lower()):
                continue
            if self.is_noun(word) if spelling[0].isupper() else found > 2 or self._is_regular(word):
                yield word, spelling
        yield from self._only_in_wikidata()

    def _only_in_wikidata(self) -> Iterator[tuple[str, str]]:
        """Yield the forms that only Wikidata has, if running text has them too. Wikidata writes all of them small."""
        for word in sorted(self._dictionaries[-1] & self._frequent.keys()):
            if self.count(word) == 1 and len(word) > _BY_CHANCE and not _LINKING.search(word):
                spelling = self._frequent[word]
                if any(stem in self._nouns and stem in self._common for stem in nominal(word)):
                    yield word, spelling.capitalize()
                if word in self._common and self._is_regular(word):
                    yield word, spelling

    def _is_common(self, word: str) -> bool:
        return len(word) > _BY_CHANCE and word in self._common

    def is_confirmed(self, word: str, spelling: str) -> bool:
        """Return whether another source has a word of the main list, or a word of which it is a regular form."""
        if self.count(word) or (word in self._frequent and (word not in self.finite or word in self._regular)):
            return True
        if spelling[0].isupper():
            return self.is_noun(word)
        # EDLE is of EDEL, but HEBRE not of HEBER: it's a noun.
        stems = {stem for stem in _positives(word) if word.startswith(stem) or stem in self._undeclined} - {word}
        return self._is_regular(word) or not self._known.isdisjoint((*stems, *_comparatives(word)))

    def _is_regular(self, word: str) -> bool:
        """Return whether a word in small letters is a form of a known verb or adjective, without comparatives."""
        return (
            word in self.infinitives
            or word in self._regular
            or word in self._with_zu
            or any(stem in self._participles or stem in self._adjectives for stem in _positives(word))
        )

    def is_noun(self, word: str) -> bool:
        """Return whether a word is a noun that a dictionary names as one, or a regular form of one."""
        return word in self._named or any(stem in self._nouns or stem in self.infinitives for stem in nominal(word))

    def is_adjective(self, word: str) -> bool:
        """Return whether a dictionary lists a word, or its stem, as an adjective."""
        return any(stem in self._adjectives for stem in _stems(word))

    def is_participle(self, word: str) -> bool:
        """Return whether a word is a participle of a verb, declined or not."""
        return any(stem in self._participles or stem in self._present for stem in _stems(word))

    def is_finite(self, word: str, spellings: Iterable[str]) -> bool:
        """Return whether a word that is neither an adjective nor a participle is a finite form of a verb."""
        if word in self._with_zu or (word.endswith("HN") and f"{word[:-1]}EN" in self.infinitives):
            return False  # `sehn` is `sehen`
        return word in self.finite or any(self._verbs.is_finite(spelling, self._small) for spelling in spellings)


def _boards(words: Iterable[str]) -> set[str]:
    """Write words in board letters, without those that can't be."""
    return {word for spelling in words if (word := board_letters(spelling))}


def _nominatives(declined: Mapping[str, Any]) -> Iterator[str]:
    for cases in declined.values():
        form = cases.get("NOM", {}).get("SIN")
        if isinstance(form, str) and form.istitle():
            yield form


def nominal(word: str) -> Iterator[str]:
    """Yield what a noun could be a regular form of."""
    yield word
    for end in ("S", "ES", "N", "EN", "NS", "ENS"):
        if word.endswith(end):
            yield word.removesuffix(end)


def _stems(word: str) -> Iterator[str]:
    """Yield what a form may be declined or compared from: itself, TIEF of TIEFERES, LEISE of LEISEM, EDEL of EDLEN."""
    yield word
    for end in ("", "E", "EM", "EN", "ER", "ES"):
        if end and word.endswith(end):
            yield from _bases(word[: -len(end)])
            for step in ("ER", "ST", "EST"):
                if word.endswith(step + end):
                    yield from _bases(word[: -len(step + end)])


def _bases(stem: str) -> Iterator[str]:
    yield stem
    yield f"{stem}E"
    if _ELIDED.search(stem):
        yield f"{stem[:-1]}E{stem[-1]}"


def _positives(word: str) -> Iterator[str]:
    """Yield the stems of a form that is not compared."""
    yield word
    for end in ("E", "EM", "EN", "ER", "ES"):
        if word.endswith(end):
            yield from _bases(word.removesuffix(end))


def _comparatives(word: str) -> Iterator[str]:
    """Yield other forms of the same comparative or superlative: TIEFERE of TIEFEREN."""
    if found := re.fullmatch("(.*(?:ER|ST))E[MNRS]?", word):
        yield from (found[1] + end for end in ("E", "EN", "ER", "ES", "EM"))
