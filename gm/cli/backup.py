"""A copy of the database, and the way back."""

from pathlib import Path
from typing import Annotated

import typer

from gm.cli.common import Config, cli
from gm.cli.dialogs.printing import say

File = Annotated[Path, typer.Argument(metavar="FILE", help="The copy.")]


@cli.command()
def backup(
    file: File,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it is there.")] = False,
    config: Config = None,
) -> None:
    """Copy the database to a file, complete as of this moment, while the service runs."""
    from gm.runtime.clock import utcnow
    from gm.runtime.config.settings import load
    from gm.store.backup import back_up

    settings = load(config)
    size = back_up(settings.database.url, file, now=utcnow(), force=force)
    say(
        f"{file} holds the whole database ({size / 1e6:.1f} MB): mails, addresses, and the secret that signs; "
        "keep it where only you can read it.",
        f"Not in it: {settings.path.name}, passwords, word lists of your own, and the archive (gm archive writes it).",
        f"To go back to it: end `gm serve`, then: gm restore {file}",
    )


@cli.command()
def restore(file: File, config: Config = None) -> None:
    """Put a copy of the database in its place, while the service rests; the one before is kept.

    This machine is the one that serves the mailbox from its next pass on: a service that still runs elsewhere with this
    database, or another copy of it, ends then.
    """
    from gm.runtime.clock import utcnow
    from gm.runtime.config.settings import load
    from gm.store.backup import put_back

    settings = load(config)
    before = put_back(settings.database.url, file, now=utcnow())
    say(f"{file} is in place." + (f" The database before lies at {before}; delete it when all is well." * bool(before)))
    say(
        f"The next pass of `gm serve` reads {settings.imap.processed} and {settings.imap.quarantine} once: mails that "
        "were handled after the copy was made are handled again, in order of arrival. Players may get some answers "
        "and bulletins twice. A service that still runs on another machine ends then.",
        "What you did by command since then is in no mail, so do it again: gm list, gm show, gm todo show what is "
        "missing.",
    )
