"""The words while the list is being built: what is known of each, and how it is spelt."""

import unicodedata
from collections.abc import Collection
from typing import Final

from gm.lexicon.spelling import board
from gm.lexicon.word_flags import NAMES, Flag

LONGEST: Final = 15


class Entries:
    """All words while the list is being built: flags and spellings by board form."""

    def __init__(self) -> None:
        self.flags: dict[str, Flag] = {}
        self.spellings: dict[str, set[str]] = {}

    def add_name(self, spelling: str, flag: Flag, plain_too: Collection[str]) -> None:
        """Add a name; one with an accent only counts if it is among those that are also spelt without."""
        word = board(spelling)
        if word:
            # How a name is spelt says nothing about the word: Mueller is no miller.
            self.mark(word, flag, "" if self.has(word) else spelling)
        elif len(plain := board(without_accents(spelling)) or "") > 2:
            # Malaga is a town, but Ernst Abbe was no abbé.
            is_plain_too = plain in plain_too and flag in (Flag.PLACE, Flag.FIRST)
            self.mark(plain, flag if is_plain_too else Flag.ACCENT, without_accents(spelling) if is_plain_too else "")

    def mark(self, word: str, flag: Flag, spelling: str = "") -> None:
        """Add flags to a word of the board."""
        if 2 <= len(word) <= LONGEST:
            self.flags[word] = self.flags.get(word, Flag(0)) | flag
            if spelling:
                self.spellings.setdefault(word, set()).add(spelling)

    def has(self, word: str, flag: Flag = Flag.WORD) -> bool:
        """Ask whether a word has one of the flags."""
        return bool(self.flags.get(word, Flag(0)) & flag)

    def is_small(self, word: str) -> bool:
        """Ask whether a word is only spelt in small letters."""
        return all(spelling.islower() for spelling in self.spellings.get(word, ()))

    def finish(self) -> None:
        """Drop what other flags make void, and see which are forms of nouns."""
        for word, flags in self.flags.items():
            spellings = self.spellings.get(word, set())
            if flags & (Flag.WORD | NAMES):
                flags &= ~(Flag.ACCENT | Flag.PHRASE | Flag.ABBREVIATION)
            if any(spelling[0].isupper() for spelling in spellings) and flags & Flag.WORD:
                flags |= Flag.CAPITAL
            self.flags[word] = flags

    def pattern(self, word: str) -> str:
        """Say how a word is spelt: `u1` a capital and an umlaut at the second letter, `l u` both ways; see `spelt`."""
        return " ".join(sorted({_pattern(spelling) for spelling in self.spellings.get(word, ())}))


def _pattern(spelling: str) -> str:
    at, marks = 0, []
    for letter in spelling:
        if not letter.isascii():
            marks.append(f"{at:x}")
        at += 1 if letter.isascii() else 2
    case = "a" if is_abbreviated(spelling) else "u" if spelling[0].isupper() else "l"
    return case + "".join(marks)


def is_abbreviated(spelling: str) -> bool:
    """Ask whether a spelling is mostly capitals: DVD, HIVs, GmbH, but neither JavaScript nor a word of two letters."""
    return sum(letter.isupper() for letter in spelling) * 2 > max(2, len(spelling))


def without_accents(spelling: str) -> str:
    kept = []
    for letter in unicodedata.normalize("NFC", spelling):
        if letter in "äöüÄÖÜß":
            kept.append(letter)
        else:
            kept += [sign for sign in unicodedata.normalize("NFD", letter) if not unicodedata.combining(sign)]
    return "".join(kept)
