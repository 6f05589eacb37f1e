"""The zine for a command: opened, its instants in words, and questions before what can't be undone."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gm.cli.terminal.printing import refuse, say

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.runtime.stop_signal import StopSignal
    from gm.store.tables import Game as GameRow


@contextmanager
def opened(config: Path | None, stop_signal: "StopSignal | None" = None, *, create: bool = False) -> Iterator["App"]:
    """Open the zine that the config file describes; only `create` begins one where there is none."""
    import logging

    from gm.app.context import open_app
    from gm.runtime.config.settings import load
    from gm.runtime.tracebacks import log_carefully

    log_carefully(logging.WARNING)
    app = open_app(load(config), stop_signal, create=create)
    try:
        yield app
    finally:
        app.close()


QUEUED = "`gm serve` delivers."


def local_time(app: "App", instant: Any) -> str:
    """Write an instant for the GM's terminal: local time, to the minute."""
    return f"{instant.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M}" if instant else "none"


def local_zat(app: "App", game: "GameRow") -> str:
    """Write the ZAT of a game, with the issue that its round ends with, and the one that came too soon for it.

    Of a held game, why it has none.
    """
    from gm.game.deadlines import issue_of_round
    from gm.store.queries import turn_queries
    from gm.store.tables import Game

    if game.held:
        return f"none ({game.held})"
    found = None
    if game.zat and game.by_issue:
        with app.database.read() as session:
            here = session.get_one(Game, game.id)
            found = issue_of_round(app, session, here, turn_queries.current_turn(here))
    if found is None:
        return local_time(app, game.zat)
    issue, skipped = found
    too_soon = f"; issue {skipped} leaves less than {game.span}" if skipped else ""
    return f"{local_time(app, game.zat)} (issue {issue.number}{too_soon})"


def asks(yes: bool) -> bool:
    """Whether there is a terminal to ask at, and `--yes` wasn't given."""
    return not yes and sys.stdin.isatty() and sys.stdout.isatty()


def confirm_for_good(shown: Iterable[str], question: str, otherwise: str) -> None:
    """Ask before what can't be taken back. Raises Refused unless the answer is yes, or where nobody can be asked."""
    if not asks(yes=False):
        refuse(f"{otherwise} It can't be taken back, so without a terminal say it with --yes.")
    confirm(shown, question, otherwise)


def confirm(shown: Iterable[str], question: str, otherwise: str) -> None:
    """Show what would happen and ask. Raises Refused unless the answer is yes."""
    say(*shown)
    try:
        agreed = typer.confirm(question)
    except typer.Abort:  # the end of the input, or Ctrl-C
        agreed = False
        say("")
    if not agreed:
        refuse(otherwise)
