"""The issue: its calendar, its pages, its readers."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from gm.cli.terminal.common import QUEUED, Config, Json, issue, local_time, opened
from gm.cli.terminal.printing import say, say_in_colour, say_json, say_table, warn
from gm.runtime.errors import Refused

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.game.schedule.issue_calendar import Row
    from gm.zine.build import Built

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
    file = wanted or app.settings.folder / "issues" / "calendar.ics"
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


Number: TypeAlias = Annotated[
    int | None, typer.Argument(metavar="NUMBER", help="Which issue (default: the one that appears next).")
]


@issue.command("build")
def issue_build(
    number: Number = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Say on the cover that it corrects one that went out.")
    ] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Build an issue of what was released in its time, into issues/NUMBER/ beside the config.

    It makes issue.pdf, issue-booklet.pdf to fold, issue.html and issue.txt. The first build writes issue.toml there:
    what stands in the issue, in which order, with which forewords and pages of your own.
    """
    from gm.zine import build as zine

    with opened(config) as app:
        built = zine.build(app, number, corrected=corrected)
    if as_json:
        say_json(
            {"number": built.number, "folder": str(built.folder), "games": built.games, "files": list(built.files),
             "pages": built.pages, "empty_pages": list(built.empty), "filler": list(built.filler),
             "troubles": list(built.troubles)}
        )  # fmt: skip
        return
    _tell(built)


def _tell(built: "Built") -> None:
    pages = f", {built.pages} pages" if built.pages else ""
    say(f"{built.folder}: issue {built.number}, games: {built.games}{pages}.", f"Written: {', '.join(built.files)}.")
    if built.filler:
        say(f"To fill the last sheet: {', '.join(built.filler)}.")
    if built.empty:
        listed = ", ".join(map(str, built.empty))
        say(f"Pages with much room left: {listed}. Another order, or something left out in issue.toml, may fill them.")
    for trouble in built.troubles:
        say_in_colour(trouble, "yellow")


@issue.command("send")
def issue_send(
    number: Number = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Send an issue again that was corrected after it went out.")
    ] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Send an issue as it was built to everybody who gets digests: once each, also if you say it twice.

    Where the archive is published (archive.base_url), the issue is put there and its readers get the link; else
    issue.pdf goes along, if it isn't larger than zine.mail_limit.
    """
    from gm.zine import send as zine

    with opened(config) as app:
        sent = zine.send(app, number, corrected=corrected)
    if as_json:
        say_json({"number": sent.number, "mails": sent.mails, "readers": sent.readers, "sent": sent.way})
        return
    if not sent.mails:
        say(f"All {sent.readers} readers have got issue {sent.number} already; nothing is sent.")
    else:
        say(f"Issue {sent.number} ({sent.way}): mails queued: {sent.mails}. {QUEUED}")
