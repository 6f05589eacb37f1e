"""Questions before a command does what can't be undone: on a terminal only, and `--yes` answers them."""

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from gm.cli.dialogs.printing import say
from gm.runtime.errors import Refused

Yes = Annotated[bool, typer.Option("--yes", help="Don't ask.")]


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
