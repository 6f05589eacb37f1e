"""What the program says, in one place a language: a folder below `templates/words`, a file a room, keyed by codes."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from games.api import LANGUAGES, Language, Wording

DEFAULT: Final = "de"


def first_known(*wanted: str) -> Language:
    """Return the first of these that is a language here; German where none is."""
    return next((language for language in wanted if language in LANGUAGES), DEFAULT)


@cache
def catalogue(room: str, language: str) -> Mapping[str, str]:
    """Return the sentences of a room by their codes: `held.waits` of the table `[held]`. Placeholders are `{names}`."""
    return dict(_sentences(tables(room, language)))


@cache
def tables(room: str, language: str) -> Mapping[str, Any]:
    """Return the file of a room as it is."""
    return tomllib.loads((files("templates") / f"words/{language}/{room}.toml").read_text(encoding="utf-8"))


@cache
def wording(room: str) -> Wording:
    """Return the sentences of a room in all languages, by their codes."""
    found = {language: catalogue(room, language) for language in LANGUAGES}
    return {code: {language: found[language][code] for language in LANGUAGES} for code in found[LANGUAGES[0]]}


def _sentences(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, entry in table.items():
        code = f"{above}{name}"
        if isinstance(entry, dict):
            yield from _sentences(entry, f"{code}.")
        else:
            yield code, entry
