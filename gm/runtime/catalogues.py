"""What the program says, in one place a language: a folder below `templates/words`, a file a room, keyed by codes."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any


@cache
def catalogue(room: str, language: str) -> Mapping[str, str]:
    """Return the sentences of a room by their codes: `held.waits` of the table `[held]`. Placeholders are `{names}`."""
    folder = files("templates") / f"words/{language}"
    found = {}
    for file in folder.iterdir():
        if file.name.startswith(room):
            found |= dict(_sentences(tomllib.loads(file.read_text(encoding="utf-8"))))
    return MappingProxyType(found)


def _sentences(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, entry in table.items():
        code = f"{above}{name}"
        if isinstance(entry, dict):
            yield from _sentences(entry, f"{code}.")
        else:
            yield code, entry
