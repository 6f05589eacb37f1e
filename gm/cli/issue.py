"""The issue: its calendar."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gm.cli.terminal.common import QUEUED, Config, Json, issue, local_time, opened
from gm.cli.terminal.printing import say, say_json, say_table, warn
from gm.runtime.errors import Refused

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.game.schedule.issue_calendar import Row

Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the players.")]


@issue.command("calendar")
def issue_calendar(
    ics: Annotated[
        Path | None,
        typer.Option("--ics", metavar="FILE", help="Where the calendar file goes; else issues/calendar.ics."),
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Show the issues of the year ahead, what clashes, and write them as a calendar file (.ics)."""
    from gm.game.schedule import issue_calendar as calendar

    with opened(config) as app:
        with app.database.read() as session:
            rows, end = calendar.year(app, session), calendar.end(app, session)
        file = _write(ics, app, calendar.as_file(app, [row.issue for row in rows]))
        if as_json:
            say_json([_as_json(app, row) for row in rows])
            return
        head = ("issue", "ZAT", "copy deadline", "appears", "games")
        say_table(head, [_cells(app, row) for row in rows], "All issues have appeared.")
        say(*(f"Issue {row.issue.number}: {sentence}" for row in rows for sentence in row.clashes))
        say(*(line for line in (end, f"For calendars: {file}" if file else "") if line))


def _write(wanted: Path | None, app: "App", content: bytes) -> Path | None:
    """Write the calendar file; where nobody has named it, a folder that can't be written to is only told."""
    file = wanted or app.settings.path.parent / "issues" / "calendar.ics"
    try:
        if wanted is None:
            file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        sentence = f"{file} can't be written: {error.strerror}."
        if wanted:
            raise Refused(sentence) from error
        warn(sentence)
        return None
    return file


def _cells(app: "App", row: "Row") -> tuple[str, ...]:
    one = row.issue
    games = ", ".join(row.games)
    appears = f"{one.date:%a} {one.date}{f' (not {row.planned})' if row.planned else ''}"
    return str(one.number), _day(app, one.zat), _day(app, one.copy_until), appears, games


def _day(app: "App", instant: Any) -> str:
    return f"{instant.astimezone(app.settings.service.timezone):%a} {local_time(app, instant)}"


def _as_json(app: "App", row: "Row") -> dict[str, Any]:
    from gm.app.context import local_iso

    one = row.issue
    return {
        "number": one.number, "zat": local_iso(app, one.zat), "copy_until": local_iso(app, one.copy_until),
        "date": one.date.isoformat(), "moved_from": row.planned.isoformat() if row.planned else None,
        "games": list(row.games), "clashes": list(row.clashes),
    }  # fmt: skip


@issue.command("move")
def issue_move(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The issue.")],
    day: Annotated[
        list[str], typer.Argument(metavar="DAY", help="When it appears: +7d, 16.12., 2026-12-16, Wednesday.")
    ],
    why: Why = "",
    config: Config = None,
) -> None:
    """Move an issue to another day, with its ZAT and copy deadline, and tell the players of its games once."""
    from gm.game.schedule import issue_calendar as calendar
    from gm.game.schedule import moved_issues

    with opened(config) as app:
        moved = moved_issues.move(app, number, " ".join(day), why)
        with app.database.read() as session:
            wrong = [(row.issue, one) for row in calendar.year(app, session) for one in row.clashes]
        around = (number - 1, number)
        say(*_moved(app, moved), *(f"Issue {one.number}: {said}" for one, said in wrong if one.number in around))


def _moved(app: "App", moved: Any) -> Iterator[str]:
    after = moved.after
    if after == moved.before:
        yield f"Issue {after.number} appears on {after.date} already; nothing changes, and nobody is told."
        return
    yield (
        f"Issue {after.number} appears on {after.date:%a} {after.date}, no longer on {moved.before.date}. ZAT: "
        f"{_day(app, after.zat)}, copy deadline: {_day(app, after.copy_until)}."
    )
    yield from (f"  {game.name}: ZAT {local_time(app, game.zat)}" for game in moved.games)
    yield f"The players' mails are queued; {QUEUED}" if moved.games else "No game's ZAT had to move."
