"""`gm` alone: today's page, on one screen, with the line to type for each thing."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from gm.cli.terminal.declared import as_its_owner
from gm.cli.terminal.printing import ago, is_stale, largest_unit, say, say_in_colour, say_item
from gm.cli.terminal.zine import opened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST: Final = 8
"""Things that are shown; the others are counted."""
BEGINNING: Final = (
    "There is no config.toml here yet.", "",
    "  gm demo       plays a whole game, and needs nothing",
    "  gm init       sets up a zine: it asks for the mailbox and writes config.toml",
    "  gm --help     lists all commands",
)  # fmt: skip


def show_today() -> None:
    """Print what waits for the GM, the rounds that are due next, and how the mail goes."""
    from gm.reports.health import late_after
    from gm.reports.today import today
    from gm.runtime.config.settings import default_path

    as_its_owner(None)
    if not default_path().exists():
        say(*BEGINNING)
        return
    with opened(None) as app, app.database.read() as session:
        found, now, late = today(app, session), app.now().astimezone(app.settings.service.timezone), late_after(app)
        name = app.settings.service.name
    say(f"{name}, {now:%Y-%m-%d %H:%M}", "", *_waiting(found["waiting"]), "")
    _tell_rounds(found["rounds"], now)
    say("")
    is_late = is_stale(found["last_fetch"], now, late)
    say_in_colour(
        f"Last fetch: {ago(found['last_fetch'], now)}{'; does `gm serve` run?' if is_late else ''}",
        "red" if is_late else "",
    )
    say(f"Mails that wait to be sent: {found['to_send']}")


def _waiting(rows: "Sequence[Mapping[str, Any]]") -> Iterator[str]:
    """Write what waits, oldest first."""
    if not rows:
        yield "Nothing waits for you."
        return
    yield "1 thing waits for you:" if len(rows) == 1 else f"{len(rows)} things wait for you:"
    for row in rows[:MOST]:
        yield f"  {row['what']}: {row['about']}".rstrip(": ")
        yield f"      {row['do']}"
    if len(rows) > MOST:
        yield f"  ... and {len(rows) - MOST} more: gm todo"


def _tell_rounds(rows: "Sequence[Mapping[str, Any]]", now: datetime) -> None:
    """Print the rounds that close next, and who is missing."""
    if not rows:
        say("No round is due; `gm new` opens a game.")
        return
    say("Rounds due next:")
    for row in rows:
        missing = ", ".join(row["missing"])
        whose = f"missing: {missing}" if missing else "all moves are in"
        when = row["held"] or _when(datetime.fromisoformat(row["zat"]), now)
        say_item(f"{row['game']}, {row['unit']} {row['round']}: {when}; {whose}")


def _when(zat: datetime, now: datetime) -> str:
    """Write a ZAT as people say it: today, tomorrow, or in so many days."""
    if zat <= now:
        return f"due since {zat:%Y-%m-%d %H:%M}"
    days = (zat.date() - now.date()).days
    if days < 2:
        return f"{'tomorrow' if days else 'today'} {zat:%H:%M}"
    return f"{zat:%Y-%m-%d %H:%M}, in {largest_unit(timedelta(days=days))}"
