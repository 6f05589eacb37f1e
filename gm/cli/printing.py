"""How commands print: Rich tables on a terminal, plain lines in a pipe, JSON where asked for."""

import json
import sys
from collections.abc import Sequence
from typing import Any


def say(*lines: str) -> None:
    """Print lines as they are."""
    for line in lines:
        print(visible(line))


def visible(line: str) -> str:
    """Make control characters visible: a player's text must not steer the GM's terminal."""
    return "".join(c if c in "\n\t" or c.isprintable() else "�" for c in line)


def say_json(data: Any) -> None:
    """Print JSON."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


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
