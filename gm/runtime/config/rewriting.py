"""Changes values in the text of a config, for a backup of the whole zine, and keeps comments where that is possible."""

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from gm.runtime.config.settings import toml_value

Change: TypeAlias = tuple[str, Any]
"""The key that stands there from now on, and its value."""
Changes: TypeAlias = Mapping[tuple[str, ...], Change]
"""What is to be changed, by where it stands: `("imap", "oauth2", "tokens")`."""

_HEAD: Final = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?")


def rewritten(text: str, changes: Changes) -> str:
    """Return the text of a config with other values. Comments stay, unless it is written in an unusual way.

    The text that is returned always holds just what the given one does, but for these changes.
    """
    wanted = _changed(tomllib.loads(text), changes)
    edited = "".join(f"{line}\n" for line in _edited(text.splitlines(), changes))
    try:
        if tomllib.loads(edited) == wanted:
            return edited
    except tomllib.TOMLDecodeError:
        pass
    return "".join(_written(wanted))  # inline tables, dotted keys


def _changed(document: dict[str, Any], changes: Changes) -> dict[str, Any]:
    """Change a document. Raises KeyError where there is no such place."""
    wanted = copy.deepcopy(document)
    for (*above, key), (new, value) in changes.items():
        table = wanted
        for name in above:
            table = table[name]
        table.pop(key)
        table[new] = value
    return wanted


def _edited(lines: list[str], changes: Changes) -> Iterator[str]:
    """Change the lines of the usual form: sections, and keys with values below them."""
    section: tuple[str, ...] = ()
    at = 0
    while at < len(lines):
        if head := _HEAD.fullmatch(lines[at]):
            section = tuple(part.strip() for part in head[1].split("."))
        key = re.match(r"\s*([\w-]+)\s*=", lines[at])
        change = changes.get((*section, key[1])) if key else None
        if change is None:
            yield lines[at]
            at += 1
        else:
            length = _length(lines[at:])
            yield f"{change[0]} = {toml_value(change[1])}{_comment(lines[at]) if length == 1 else ''}"
            at += length


def _length(lines: list[str]) -> int:
    """Return how many lines a key and its value take."""
    for length in range(1, len(lines) + 1):
        try:
            tomllib.loads("\n".join(lines[:length]))
        except tomllib.TOMLDecodeError:
            continue
        return length
    return 1


def _comment(line: str) -> str:
    """Return the comment at the end of a line that holds a whole value."""
    whole = tomllib.loads(line)
    for found in re.finditer(r"#", line):
        try:
            if tomllib.loads(line[: found.start()]) == whole:
                return f"  {line[found.start() :]}"
        except tomllib.TOMLDecodeError:
            continue
    return ""


def _written(table: Mapping[str, Any], name: str = "") -> Iterator[str]:
    """Write a document anew: first the values of a table, then the tables in it."""
    values = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    if name:
        yield f"[{name}]\n"
    for key, value in values.items():
        yield f"{key} = {toml_value(value)}\n"
    for key in table.keys() - values.keys():
        yield "\n"
        yield from _written(table[key], f"{name}.{key}" if name else key)
