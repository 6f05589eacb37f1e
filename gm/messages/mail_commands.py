"""How players write the commands by mail, and what the help says of them: a file a language, keyed by their codes."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from games.api import LANGUAGES, Language
from gm.runtime.catalogues import tables
from parsers.lines.command_table import HOW_OFTEN, ShortWords, reserved_words


@cache
def catalogue(language: Language) -> Mapping[str, Mapping[str, Any]]:
    """Return the entry of each command by its code, in the order of the help."""
    return {code: entry for code, entry in tables("commands", language).items() if isinstance(entry, dict)}


def short_words(language: Language) -> ShortWords:
    """Return the words beside commands: yes and no, the language's names, how often a digest comes."""
    table = tables("commands", language)
    how_often = {word.lower(): how for how in HOW_OFTEN for word in table[how]}
    return ShortWords(yes=table["yes"], no=table["no"], called=[language, *table["called"]], how_often=how_often)


def help_lines(language: Language, **names: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """List the lines of the help in their groups: how a command is written, and what it does.

    `names` are what the catalogue leaves open: game, title, explained, gm, how.
    """
    return [
        (group, [(line.format(**names), what.format(**names)) for line, what in _lines(language, group)])
        for group in tables("commands", language)["groups"]
    ]


def _lines(language: Language, group: str) -> Sequence[tuple[str, str]]:
    entries = [entry for entry in catalogue(language).values() if entry.get("group") == group]
    return [(line, what) for entry in entries for line, what in entry["help"]]


@cache
def command_words() -> frozenset[str]:
    """Return every word of the commands, small: no game may be called so."""
    entries = [entry for language in LANGUAGES for entry in catalogue(language).values()]
    return frozenset(reserved_words([one for entry in entries for one in entry.get("spellings", ())]))
