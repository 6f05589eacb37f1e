"""The commands that players write: their spellings, and what is made of the rest of a line.

The table is given to the parser; each row comes from the declaration of a command and a catalogue's words.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from games.api import Language
from parsers.commands import Command

if TYPE_CHECKING:
    from parsers.lines.names import Names

Making: TypeAlias = "Callable[[str, Names, Row], Command | None]"
"""Makes a command of what stands behind its word; None where the line is prose after all."""

HowOften: TypeAlias = Literal["weekly", "monthly", "daily", "off"]
HOW_OFTEN: Final[tuple[HowOften, ...]] = get_args(HowOften)
MAX_COMMAND: Final = 120
"""Longer lines are prose."""
MAX_REASON: Final = 4000
"""An appeal's reason may be a long line: many mail programs wrap nothing."""
MAX_TEXT: Final = 20_000
"""Characters of a text for others, also in one line."""
TITLE: Final = "{title}"
"""Stands for the title of a game in an example."""
BEGINNING: Final = 3
_UMLAUTS: Final = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}


@dataclass(frozen=True, kw_only=True)
class Row:
    """One command in one language."""

    language: Language | None
    """None where both languages have the same word."""
    spellings: tuple[str, ...]
    """The first is the one that we write. One that ends with a colon may be written so."""
    make: Making
    argument: str = ""
    """An example of what must stand behind it. Without one, a line whose rest can't be read is prose."""
    is_sign_up: bool = False
    """Words may stand behind it in the same line (`parsers.lines.sign_ups`): nobody's sign-up is lost."""
    is_exact: bool = False
    """Ordinary lines lie near it (`Meine Karten`, `My name`), so no other line is taken for a slip of it."""
    longest: int = MAX_COMMAND
    """With more than MAX_COMMAND the line ends in free text, whose punctuation stays."""

    @property
    def shown(self) -> str:
        """The word as we write it."""
        return self.spellings[0]

    def example(self, names: "Names") -> str:
        """Write a line as it should be."""
        return f"{self.shown} {self.argument.replace(TITLE, names.example)}".strip()

    @cached_property
    def word(self) -> str:
        """A pattern for the command's word, in any spelling."""
        return f"(?:{'|'.join(_pattern(one) for one in sorted(self.spellings, key=len, reverse=True))})"

    @property
    def beginnings(self) -> set[str]:
        """The first letters of its spellings."""
        found = {one.lower() for one in self.spellings}
        return {one[:BEGINNING] for one in found | {_without_umlauts(one) for one in found}}


def _pattern(spelling: str) -> str:
    """Blanks may be several, umlauts may be written with E."""
    return "".join(
        r"\s+" if char == " " else f"(?:{char}|{_UMLAUTS[char]})" if char in _UMLAUTS else re.escape(char)
        for char in spelling.lower()
    )


def _without_umlauts(word: str) -> str:
    return "".join(_UMLAUTS.get(char, char) for char in word)


@dataclass(frozen=True, kw_only=True)
class ShortWords:
    """The words of a language that stand beside commands."""

    yes: Sequence[str]
    """How a question is answered; the first is the one that we write."""
    no: Sequence[str]
    called: Sequence[str]
    """What the language is called, in any."""
    how_often: Mapping[str, HowOften]
    """Small words -> how often a digest comes."""


NO_WORDS: Final[Mapping[Language, ShortWords]] = {}


class CommandTable:
    """All rows, and how to find those that may fit a line."""

    def __init__(self, rows: Sequence[Row], words: Mapping[Language, ShortWords] = NO_WORDS) -> None:
        self.rows = tuple(rows)
        self.yes = {word.lower(): language for language, own in words.items() for word in own.yes}
        self.no = {word.lower(): language for language, own in words.items() for word in own.no}
        """How a question is answered, in small letters, and in which language."""
        self.called = {word.lower(): language for language, own in words.items() for word in own.called}
        """What languages are called, in small letters."""
        self._words = words

    def how_often(self, word: str, language: Language | None) -> HowOften | None:
        """Read how often a digest comes, in the words of a language; of any where the command is the same in all."""
        known = [self._words[language]] if language else self._words.values()
        plain = _without_umlauts(word)
        return next(
            (how for own in known for one, how in own.how_often.items() if _without_umlauts(one) == plain), None
        )

    @cached_property
    def by_beginning(self) -> Mapping[str, Sequence[tuple[re.Pattern[str], Row]]]:
        """Three letters -> the rows whose word begins so. Most lines are ruled out at once."""
        found: dict[str, list[tuple[re.Pattern[str], Row]]] = {}
        for row in self.rows:
            pattern = re.compile(rf"{row.word}(?:\s+(?P<rest>.*))?", re.IGNORECASE)
            for beginning in row.beginnings:
                found.setdefault(beginning, []).append((pattern, row))
        return found

    @cached_property
    def sign_ups(self) -> Mapping[str, Sequence[tuple[re.Pattern[str], Row]]]:
        """First letter -> the rows that sign somebody up, or take that back, with the begin of their lines."""
        found: dict[str, list[tuple[re.Pattern[str], Row]]] = {}
        for row in self.rows:
            if row.is_sign_up:
                begin = re.compile(rf"{row.word}(?![\w-])(?P<rest>.*)", re.IGNORECASE)
                found.setdefault(row.shown[0].lower(), []).append((begin, row))
        return found

    def with_beginning(self, line: str) -> Sequence[tuple[re.Pattern[str], Row]]:
        """Return the rows whose word may begin a line."""
        return self.by_beginning.get(line[:BEGINNING].lower(), ())


def reserved_words(spellings: Sequence[str]) -> set[str]:
    """Return all words of spellings, small, with umlauts and without: no game may be called so."""
    words = {word.rstrip(":").lower() for one in spellings for word in one.split()}
    return words | {_without_umlauts(word) for word in words}


NO_COMMANDS: Final = CommandTable(())
