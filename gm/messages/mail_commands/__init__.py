"""How players write the commands by mail, and what the help says of them: a file a language, keyed by their codes."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, get_args

from games.api import Language
from parsers.lines.command_table import reserved_words

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


@cache
def catalogue(language: Language) -> Mapping[str, Mapping[str, Any]]:
    """Return the entry of each command by its code, in the order of the help."""
    return {code: entry for code, entry in _file(language).items() if isinstance(entry, dict)}


def help_lines(language: Language, **names: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """List the lines of the help in their groups: how a command is written, and what it does.

    `names` are what the catalogue leaves open: game, title, explained, gm, how.
    """
    return [
        (group, [(line.format(**names), what.format(**names)) for line, what in _lines(language, group)])
        for group in _file(language)["groups"]
    ]


def _lines(language: Language, group: str) -> Sequence[tuple[str, str]]:
    entries = [entry for entry in catalogue(language).values() if entry.get("group") == group]
    return [(line, what) for entry in entries for line, what in entry["help"]]


@cache
def command_words() -> frozenset[str]:
    """Return every word of the commands, small: no game may be called so."""
    entries = [entry for language in LANGUAGES for entry in catalogue(language).values()]
    return frozenset(reserved_words([one for entry in entries for one in entry.get("spellings", ())]))


@cache
def _file(language: Language) -> Mapping[str, Any]:
    return tomllib.loads((files(__name__) / f"{language}.toml").read_text(encoding="utf-8"))
