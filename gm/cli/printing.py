"""How commands print: Rich tables on a terminal, plain lines in a pipe, JSON where asked for."""

import io
import json
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any


def say(*lines: str) -> None:
    """Print lines as they are."""
    for line in lines:
        print(visible(line))


def visible(line: str) -> str:
    """Make control characters visible: a player's text must not steer the GM's terminal."""
    return "".join(c if _is_harmless(c) else "�" for c in line)


def _is_harmless(char: str) -> bool:
    return char in "\n\t" or char.isprintable() or unicodedata.category(char) == "Zs"


def forgive_terminals() -> None:
    """Let a terminal that doesn't know a letter show `?`, rather than stop the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def say_json(data: Any) -> None:
    """Print JSON; control characters are escaped, also those that JSON would allow."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    print("".join(c if _is_harmless(c) else json.dumps(c)[1:-1] for c in text))


def say_table(head: Sequence[str], rows: Sequence[Sequence[object]], nothing: str) -> None:
    """Print a table: drawn on a terminal, tab-separated lines elsewhere."""
    if not rows:
        print(nothing)
    elif sys.stdout.isatty():
        _draw(head, rows)
    else:
        for row in rows:
            print("\t".join(visible(str(item)).replace("\n", " ") for item in row))


def _draw(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*head)
    for row in rows:
        table.add_row(*(escape(visible(str(item))) for item in row))
    Console().print(table)
