"""Writes words in board letters, and spells them as dictionaries do."""

import unicodedata
from collections.abc import Callable
from typing import Final

_UMLAUTS: Final = {"Ä": "AE", "Ö": "OE", "Ü": "UE", "ß": "SS", "ẞ": "SS"}
_SIGNS: Final = {"AE": "ä", "OE": "ö", "UE": "ü", "SS": "ß"}


def board_letters(word: str) -> str | None:
    """Write a word in board letters: A-Z, umlauts as AE OE UE, ß as SS. None if it has any other character."""
    letters = [_board_letter(letter) for letter in unicodedata.normalize("NFC", word)]
    return "".join(letters) if letters and all(letters) else None


def _board_letter(letter: str) -> str:
    # Python turns more characters into A-Z (ı, ſ, ﬁ), which are not among our letters.
    if letter.isascii():
        return letter.upper() if letter.isalpha() else ""
    return _UMLAUTS.get(letter) or _UMLAUTS.get(letter.upper(), "")


def speller(patterns: str) -> Callable[[str], str]:
    """Return a function that spells words by these patterns, the quickest one."""
    simple: dict[str, Callable[[str], str]] = {"l": str.lower, "u": str.capitalize, "a": str.upper}
    return simple.get(patterns) or (lambda word: dictionary_spelling(word, patterns))


def dictionary_spelling(word: str, patterns: str) -> str:
    """Spell a word in board letters in all ways: `dictionary_spelling("MASSE", "u u2")` is `Masse / Maße`.

    A pattern is `l`, `u` or `a` (small, with a capital, all capitals) and the places of umlauts and ß, from 0, in hex.
    """
    return " / ".join(_spelt_once(word, pattern) for pattern in patterns.split())


def _spelt_once(word: str, pattern: str) -> str:
    text = word.lower()
    for mark in reversed(pattern[1:]):
        at = int(mark, 16)
        text = f"{text[:at]}{_SIGNS[word[at : at + 2]]}{text[at + 2 :]}"
    if pattern[0] == "a":
        return text.upper()
    return text if pattern[0] == "l" else text.capitalize()
