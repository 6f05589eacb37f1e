"""The words while the list is being built."""

import unicodedata
from collections.abc import Collection
from typing import Final

from gm.lexicon.spelling import board_letters
from gm.lexicon.word_flags import NAMES, Flag

LONGEST: Final = 15


class Entries:
    """All words by their board letters: what is known of each (flags), and how it is spelt."""

    def __init__(self) -> None:
        self.flags: dict[str, Flag] = {}
        self.spellings: dict[str, set[str]] = {}

    def add_name(self, spelling: str, flag: Flag, plain_too: Collection[str]) -> None:
        """Add a name. One with an accent counts only if it is also spelt without, as words of `plain_too` are."""
        word = board_letters(spelling)
        if word:
            # How a name is spelt says nothing about the word: Mueller is no miller.
            self.mark(word, flag, "" if self.has(word) else spelling)
        elif len(plain := board_letters(without_accents(spelling)) or "") > 2:
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
        """Return whether a word has one of the flags."""
        return bool(self.flags.get(word, Flag(0)) & flag)

    def is_small(self, word: str) -> bool:
        """Return whether a word is only spelt in small letters."""
        return all(spelling.islower() for spelling in self.spellings.get(word, ()))

    def finish(self) -> None:
        """Take away flags that others make void, and flag the words that are also spelt with a capital."""
        for word, flags in self.flags.items():
            spellings = self.spellings.get(word, set())
            if flags & (Flag.WORD | NAMES):
                flags &= ~(Flag.ACCENT | Flag.PHRASE | Flag.ABBREVIATION)
            if any(spelling[0].isupper() for spelling in spellings) and flags & Flag.WORD:
                flags |= Flag.CAPITAL
            self.flags[word] = flags

    def pattern(self, word: str) -> str:
        """Describe how a word is spelt, by patterns of `dictionary_spelling`: `l u` is with and without a capital."""
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
    """Return whether a spelling is mostly capitals: DVD, HIVs, GmbH, but not JavaScript, nor if it has two letters."""
    return sum(letter.isupper() for letter in spelling) * 2 > max(2, len(spelling))


def without_accents(spelling: str) -> str:
    """Take all accents off but those of ä, ö and ü."""
    kept = []
    for letter in unicodedata.normalize("NFC", spelling):
        if letter in "äöüÄÖÜß":
            kept.append(letter)
        else:
            kept += [sign for sign in unicodedata.normalize("NFD", letter) if not unicodedata.combining(sign)]
    return "".join(kept)
