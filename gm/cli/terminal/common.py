"""What the commands share: the Typer apps, common arguments, the opened zine, questions before what can't be undone."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gm.cli.terminal import completion
from gm.cli.terminal.help import HelpfulApp, HelpfulGroup
from gm.cli.terminal.printing import say
from gm.runtime.errors import Refused

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.runtime.stop_signal import StopSignal
    from gm.store.tables import Game as GameRow

cli = HelpfulApp(
    name="gm",
    cls=HelpfulGroup,
    help="Game master for postal games: reads moves by mail, closes rounds, sends bulletins.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
standbys = HelpfulApp(
    cls=HelpfulGroup, help="The standby list: who may be asked to take a seat over.", no_args_is_help=True
)
mail = HelpfulApp(cls=HelpfulGroup, help="The log of mails, received and outgoing.", no_args_is_help=False)
cli.add_typer(standbys, name="standbys")
words = HelpfulApp(cls=HelpfulGroup, help="The lexicon: what it says about words, and why.", no_args_is_help=True)
cli.add_typer(mail, name="mail")
cli.add_typer(words, name="words")
issue = HelpfulApp(cls=HelpfulGroup, help="The printed issue.", no_args_is_help=True)
cli.add_typer(issue, name="issue")
player = HelpfulApp(
    cls=HelpfulGroup,
    help="One player: what is known of them, another name or address, the name in the archive, forgetting.",
    no_args_is_help=True,
)
cli.add_typer(player, name="player")


def as_its_user(config: Path | None) -> Path | None:
    """Return the config that is given, after going on as the zine's user where it is the system's and we are root."""
    from gm.runtime.config.settings import default_path
    from gm.runtime.config.system_wide import become_user

    become_user(config or default_path())
    return config


Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", callback=as_its_user,
        help="The config file (default: $GM_CONFIG, else ./config.toml, else /etc/gm/config.toml).",
    ),
]  # fmt: skip
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The game's name.", autocompletion=completion.games)]
Player = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER", help="A player's name, in quotes if it has blanks.", autocompletion=completion.players
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask.")]
Words = Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to rule on.")]


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
    """Write the ZAT of a game, with the issue that it belongs to."""
    from gm.game.schedule import issue_calendar

    with app.database.read() as session:
        issue = issue_calendar.ends_with(app, session, game)
    return f"{local_time(app, game.zat)}{f' ({issue})' if issue else ''}"


def asks(yes: bool) -> bool:
    """Whether there is a terminal to ask at, and `--yes` wasn't given."""
    return not yes and sys.stdin.isatty() and sys.stdout.isatty()


def confirm(shown: Iterable[str], question: str, otherwise: str) -> None:
    """Show what would happen and ask. Raises Refused unless the answer is yes."""
    say(*shown)
    try:
        agreed = typer.confirm(question)
    except typer.Abort:  # the end of the input, or Ctrl-C
        agreed = False
        say("")
    if not agreed:
        raise Refused(otherwise)
