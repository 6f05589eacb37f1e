"""Decides which words of which source the list has, and what is known of each."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from gm.lexicon.build import additions, packages
from gm.lexicon.build.entries import LONGEST, Entries, is_abbreviated
from gm.lexicon.build.evidence import NO_NAMES, NO_NOUNS, Evidence, nominal
from gm.lexicon.spelling import board_letters
from gm.lexicon.word_flags import Flag

TWO_LETTERS: Final = Path(__file__).parent.with_name("two_letter.csv")

_NAMES: Final = {
    "Toponym": Flag.PLACE,
    "Vorname": Flag.FIRST,
    "Nachname": Flag.FAMILY,
    "Eigenname": Flag.PROPER,
}


def collect(folder: Path) -> Entries:
    """Read all sources and set every flag."""
    entries = Entries()
    main = [(word, spellings) for word, spellings in packages.main_list(folder) if 3 <= len(word) <= LONGEST]
    nouns = packages.nouns(folder)
    evidence = Evidence(folder, (spelling for _, spellings in main for spelling in spellings))
    families = {board_letters(name) or "" for name in packages.family_names(folder)}
    _add_main_list(entries, main, evidence)
    _add_two_letters(entries, nouns)
    _add_names(entries, nouns, evidence)
    _ease_accents(entries, evidence)
    _add_agreed(entries, evidence, families)
    _add_towns_and_first_names(entries, evidence, folder)
    _mark_nouns(entries, evidence)
    _mark_verbs(entries, evidence)
    additions.amend(entries, additions.read())
    entries.finish()
    return entries


def _add_main_list(entries: Entries, main: Iterable[tuple[str, list[str]]], evidence: Evidence) -> None:
    for word, spellings in main:
        for spelling in spellings:
            if board_letters(spelling) != word:
                entries.mark(word, Flag.ACCENT)
            elif is_abbreviated(spelling):
                # DVD, HIVs: letters read one by one; ABC, which dictionaries have, is among the additions.
                entries.mark(word, Flag.ABBREVIATION, spelling)
            elif evidence.is_confirmed(word, spelling):
                entries.mark(word, Flag.WORD, spelling)


def _add_two_letters(entries: Entries, nouns: Sequence[Mapping[str, str]]) -> None:
    capital = {row["lemma"] for row in nouns if not NO_NOUNS & packages.tags(row)}
    with TWO_LETTERS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            word = row["word"]
            spelling = word.capitalize() if word.capitalize() in capital else word.lower()
            entries.mark(word, Flag.WORD if row["verdict"] == "1" else Flag.UNSURE, spelling)


def _add_names(entries: Entries, nouns: Iterable[Mapping[str, str]], evidence: Evidence) -> None:
    for row in nouns:
        tags = packages.tags(row)
        lemma = row["lemma"]
        if "Abkürzung" in tags:
            word = board_letters(lemma)
            if word and not entries.has(word, Flag.WORD | Flag.UNSURE) and word not in evidence.plain:
                entries.mark(word, Flag.ABBREVIATION)
        elif "Wortverbindung" in tags:
            for part in re.findall(r"[^\W\d_]+", lemma):
                entries.mark(board_letters(part) or "", Flag.PHRASE)
        elif not tags & NO_NAMES:
            for tag in sorted(tags & _NAMES.keys()):
                for form in sorted(packages.forms(row)):
                    if len(form) > 2 and form[0].isupper():
                        entries.add_name(form, _NAMES[tag], evidence.plain)


def _add_agreed(entries: Entries, evidence: Evidence, families: set[str]) -> None:
    """Add words that the main list lacks and other dictionaries have, but no family names."""
    before = {word for word in entries.flags if entries.has(word, Flag.WORD | Flag.ACCENT | Flag.UNSURE)}
    for word, spelling in evidence.agreed():
        is_name = spelling[0].isupper() and word in families
        if len(word) > 2 and word not in before and not is_abbreviated(spelling) and not is_name:
            entries.mark(word, Flag.WORD, spelling)


def _ease_accents(entries: Entries, evidence: Evidence) -> None:
    """Take Séance and its forms for words if two dictionaries have them without the accent; if one has, be unsure."""
    accents = {word for word, flags in entries.flags.items() if flags == Flag.ACCENT and len(word) > 2}
    for word in accents:
        found = max(evidence.count(stem) for stem in nominal(word) if stem in accents or stem == word)
        if found:
            entries.flags[word] = Flag.WORD if found > 1 else Flag.UNSURE


def _add_towns_and_first_names(entries: Entries, evidence: Evidence, folder: Path) -> None:
    names = {(Flag.FIRST, name) for name in packages.first_names(folder)}
    for town in packages.towns(folder):
        # Elsewhere the source has local or English spellings: Osaka, which is right, but also Milan and Roma.
        if town.is_german or evidence.is_spelt(town.name):
            names.add((Flag.PLACE, town.name))
    for flag, name in sorted(names):
        word = board_letters(name) or ""
        if len(word) > 2:
            entries.mark(word, flag, "" if entries.has(word) else name)


def _mark_nouns(entries: Entries, evidence: Evidence) -> None:
    for lemma in evidence.lemmas:
        word = board_letters(lemma)
        if word and entries.has(word) and lemma in entries.spellings.get(word, ()):
            entries.mark(word, Flag.NOUN)


def _mark_verbs(entries: Entries, evidence: Evidence) -> None:
    for word in entries.flags:
        if not entries.has(word):
            continue
        if word in evidence.infinitives and any(map(str.islower, entries.spellings[word])):
            entries.mark(word, Flag.INFINITIVE)
        elif entries.is_small(word) and not evidence.is_adjective(word):
            if evidence.is_participle(word):
                entries.mark(word, Flag.PARTICIPLE)
            elif evidence.is_finite(word, entries.spellings.get(word, ())):
                entries.mark(word, Flag.FINITE)
