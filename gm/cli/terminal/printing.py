"""How commands print: Rich tables on a terminal, plain lines in a pipe, JSON where asked for."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from gm.runtime.harmful_characters import HARMFUL, visible

INSTANT: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d"

_RANK: Final = {"open": 1, "running": 2, "provisional": 2, "finished": 3, "aborted": 3}
"""The order of games in lists; 0 is one that needs the GM."""

Row = dict[str, Any]
"""A game as `gm list --json` prints it."""

Item = TypeVar("Item")


def say(*lines: str) -> None:
    """Print lines as they are."""
    for line in lines:
        print(visible(line))


def say_item(line: str) -> None:
    """Print an item of a list, indented; on a terminal it is broken at words."""
    if not sys.stdout.isatty():
        say(f"  {line}")
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    Console().print(Padding(Text(visible(line)), (0, 0, 0, 2)))


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


def say_left_out(number: int) -> None:
    """Print how many more games there are than were shown."""
    if number:
        say(f"... and {number} more: gm list")


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


def need(game: Row, now: datetime) -> str:
    """Give the reason why a game needs the GM; "" if it doesn't."""
    if game["held"]:
        return str(game["held"])
    if game["status"] == "provisional":
        return "words to rule on: gm todo"
    zat = _instant(game["zat"])
    return "the ZAT has passed" if game["status"] == "running" and zat and zat <= now else ""


def remark(game: Row, now: datetime) -> str:
    """Give the remark about a game in a list: why it needs the GM, or until when it is paused."""
    until = _instant(game["paused_until"])
    return need(game, now) or (f"paused until {until:%Y-%m-%d %H:%M}" if until else "")


def by_need(games: Iterable[Row], now: datetime) -> list[Row]:
    """Sort games: first those that need the GM, then the open ones, the running ones by ZAT, and the finished ones."""

    def key(game: Row) -> tuple[int, bool, datetime]:
        zat = _instant(game["zat"])
        return 0 if need(game, now) else _RANK.get(game["status"], 3), zat is None, zat or now

    return sorted(games, key=key)


def waiting_line(number: int) -> str:
    """Write how much waits for the GM, and where it is listed."""
    if not number:
        return "Nothing waits for you."
    return "1 thing waits for you: gm todo" if number == 1 else f"{number} things wait for you: gm todo"


def is_stale(instant: str, now: datetime, after: timedelta) -> bool:
    """Say whether an instant is too long ago, or `never`."""
    at = _instant(instant)
    return at is None or now - at > after


def ago(instant: str, now: datetime) -> str:
    """Write an instant with how long ago it was; `never` stays as it is."""
    at = _instant(instant)
    if at is None:
        return instant
    passed = largest_unit(now - at)
    return f"{at:%Y-%m-%d %H:%M} ({f'{passed} ago' if passed else 'just now'})"


def largest_unit(span: timedelta) -> str:
    """Write a span in its largest unit, `3 days`; "" for less than a minute."""
    for unit, length in (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1))):
        if (number := span // length) > 0:
            return f"{number} {unit}{'s' if number > 1 else ''}"
    return ""


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text and text != "never" else None
