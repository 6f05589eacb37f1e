"""What the commands share: the Typer apps, common arguments, the opened zine, questions before what can't be undone."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from gm.cli.terminal import completion
from gm.cli.terminal.printing import say
from gm.runtime.errors import Refused

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.runtime.stop_signal import StopSignal
    from gm.store.tables import Game as GameRow

PANELS: Final = ("Set up", "Games", "Rounds", "Issues", "Players", "Mail", "Words", "Care")
"""The groups of commands in `gm --help`, in their order."""


class Panels(TyperGroup):
    """The commands in the order of their groups."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """List the commands."""
        return sorted(self.commands, key=lambda name: PANELS.index(getattr(self.commands[name], "rich_help_panel", "")))


def examples(first: str, second: str) -> str:
    """Write two lines that can be typed, for the end of a command's help."""
    return f"Examples:\n\n{first}\n\n{second}"


cli = typer.Typer(
    name="gm",
    cls=Panels,
    help="Game master for postal games: reads moves by mail, closes rounds, sends bulletins.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


def _group(name: str, panel: str, help: str, epilog: str, **more: Any) -> typer.Typer:  # noqa: A002 (Typer's word)
    """Add a command with commands below it."""
    group = typer.Typer(help=help, epilog=epilog, **more)
    cli.add_typer(group, name=name, rich_help_panel=panel)
    return group


standbys = _group(
    "standbys",
    "Players",
    "The standby list: who may be asked to take a seat over.",
    examples("gm standbys list", 'gm standbys add "Gerda Hahn" gerda@example.org'),
    no_args_is_help=True,
)
mail = _group("mail", "Mail", "The log of mails, received and outgoing.", examples("gm mail", "gm mail show 12"))
words = _group(
    "words",
    "Words",
    "The lexicon: what it says about words, and why.",
    examples("gm words check KANU", "gm words suggest DNTIRO"),
    no_args_is_help=True,
)
issue = _group(
    "issue", "Issues", "The printed issue.", examples("gm issue build", "gm issue send"), no_args_is_help=True
)
player = _group(
    "player",
    "Players",
    "One player: what is known of them, another name or address, their data, forgetting.",
    examples("gm player show anna", "gm player address anna anna@example.net"),
    no_args_is_help=True,
)


def as_its_owner(config: Path | None) -> Path | None:
    """Return the config that is given, after going on as its owner where we are root."""
    from gm.runtime.config.owner import become_owner
    from gm.runtime.config.settings import default_path

    become_owner(config or default_path())
    return config


Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", callback=as_its_owner,
        help="The config file (default: $GM_CONFIG, else ./config.toml).",
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
        raise Refused(f"{otherwise} It can't be taken back, so without a terminal say it with --yes.")
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
        raise Refused(otherwise)
