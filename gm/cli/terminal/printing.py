"""How commands print: Rich tables on a terminal, plain lines in a pipe, JSON where asked for."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from gm.runtime.harmful_characters import HARMFUL, visible

BELOW: Final = 6
"""So far is indented what stands below an item."""
INSTANT: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d"

Item = TypeVar("Item")


def say(*lines: str) -> None:
    """Print lines as they are."""
    for line in lines:
        print(visible(line))


def say_below(line: str) -> None:
    """Print what stands below an item of a list, indented; on a terminal it is broken at words."""
    if not sys.stdout.isatty():
        say(f"{' ' * BELOW}{line}")
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    Console().print(Padding(Text(visible(line)), (0, 0, 0, BELOW)))


def refuse(sentence: str, cause: Exception | None = None) -> NoReturn:
    """Raise Refused: the command ends with this sentence, and exit code 1."""
    from gm.runtime.errors import Refused  # the help needs none, and it loads the games

    raise Refused(sentence) from cause


def warn(*lines: str) -> None:
    """Print lines to stderr, so that scripts that read the output don't see them."""
    for line in lines:
        print(f"gm: warning: {visible(line)}", file=sys.stderr)


def tolerate_terminals() -> None:
    """Show `?` on a terminal that can't show a letter, rather than stop the command. Without stdout, print nowhere."""
    nowhere = Path(os.devnull)
    sys.stdout, sys.stderr = (one or nowhere.open("w") for one in (sys.stdout, sys.stderr))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextmanager
def flushed_output() -> Iterator[None]:
    """Flush what a command prints. Raises Refused where it can't be written, as on a full disk.

    A reader that has closed the pipe (`| head`) is no error.
    """
    try:
        yield
    except SystemExit:
        _flush(sys.stdout.flush)
        raise
    except OSError:
        _flush(partial(print, flush=True))  # whether another line goes out shows what has failed
        raise


def _flush(by: Callable[[], None]) -> None:
    try:
        by()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python tries again and complains
        if not isinstance(error, BrokenPipeError):
            why = f"The output can't be written ({error.strerror}); make room, or send it elsewhere."
            refuse(why, error)


def say_json(data: Any) -> None:
    """Print JSON; control characters are escaped, also those that JSON would allow."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    print(HARMFUL.sub(lambda found: json.dumps(found[0])[1:-1], text))


def say_in_colour(line: str, style: str) -> None:
    """Print a line, in colour on a terminal (and not with NO_COLOR)."""
    if not style or not sys.stdout.isatty():
        say(line)
        return
    from rich.console import Console
    from rich.text import Text

    Console().print(Text(visible(line)), style=style, soft_wrap=True)


def say_table(head: Sequence[str], rows: Sequence[Sequence[object]], nothing: str, highlighted: int = 0) -> None:
    """Print a table: drawn on a terminal, the first `highlighted` rows in colour; tab-separated lines elsewhere."""
    if not rows:
        print(nothing)
    elif sys.stdout.isatty():
        _draw(head, rows, highlighted)
    else:
        for row in rows:
            print("\t".join(visible(str(item)).replace("\n", " ") for item in row))


def say_list(data: Any, as_json: bool, head: Sequence[str], rows: Sequence[Sequence[object]], nothing: str) -> None:
    """Print what a command lists: its data as JSON, or else a table."""
    if as_json:
        say_json(data)
    else:
        say_table(head, rows, nothing)


def say_games(head: Sequence[str], rows: Sequence[Sequence[object]], nothing: str) -> None:
    """Print a table of games. On a terminal, what needs the GM (the last cell) stands in lines of its own above it."""
    if not sys.stdout.isatty():
        say_table(head, rows, nothing)
        return
    highlighted = [row for row in rows if row[-1]]
    for row in highlighted:
        say_in_colour(f"{row[0]}: {row[-1]}", "yellow")
    say_table(head[:-1], [row[:-1] for row in rows], nothing, len(highlighted))


def _draw(head: Sequence[str], rows: Sequence[Sequence[object]], highlighted: int) -> None:
    """Draw a table as wide as the terminal, without the columns that are empty."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)
    shown = [at for at in range(len(head)) if any(str(row[at]) for row in rows)]
    for at in shown:
        table.add_column(head[at], overflow="fold")
    for number, row in enumerate(rows):
        table.add_row(*(Text(_cell(row[at])) for at in shown), style="yellow" if number < highlighted else None)
    Console().print(table)


def _cell(item: object) -> str:
    """Write what stands in a drawn table: on one line; an instant to the minute, in the zine's own zone."""
    text = visible(str(item)).replace("\n", " ").replace("\t", " ")
    return text[:16].replace("T", " ") if re.fullmatch(INSTANT, text) else text


def tracked(items: Sequence[Item], doing: str) -> Iterable[Item]:
    """Go through the items, with a progress bar on a terminal that disappears at the end."""
    if not sys.stdout.isatty() or len(items) < 2:
        return items
    from rich.progress import track

    return track(items, description=visible(doing), transient=True)
