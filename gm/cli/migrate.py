"""The zine moves to another database."""

import logging
import sys
from typing import Annotated

import typer

from gm.cli.common import Config, cli
from gm.cli.dialogs.printing import say


@cli.command()
def migrate(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="sqlite:///FILE, relative to the config, or postgresql+psycopg://USER@HOST/NAME."
        ),
    ],
    replace_nul: Annotated[
        bool, typer.Option("--replace-nul", help="Write � for a NUL in a text, which PostgreSQL can't hold.")
    ] = False,
    config: Config = None,
) -> None:
    """Move to another, empty database, also while `gm serve` runs: all rows are compared, all games replayed.

    The password of a PostgreSQL login is best left out of URL: it is taken from ~/.pgpass (a line
    HOST:PORT:NAME:USER:PASSWORD, chmod 600) or from $PGPASSWORD. The service stops working when all is over there; the
    database left behind stays as it is, and refuses to be served. Should anything fail, the zine stays where it is.
    """
    from gm.runtime.config.settings import load
    from gm.runtime.tracebacks import log_carefully
    from gm.service.maintenance.migrate import migrate as move

    log_carefully(logging.WARNING)
    settings = load(config)
    before, url = move(settings, url, tell=_tell, replaces_nul=replace_nul)
    say(
        f"The zine is there now. Write this into {settings.path.name}, then start `gm serve` again:",
        "",
        "[database]",
        f'url = "{url}"',
        "",
    )
    if url.startswith("postgresql"):
        say(
            "The login's password: in ~/.pgpass of whom the service runs as, or in its environment as PGPASSWORD, or "
            "in the url (USER:PASSWORD@HOST)."
        )
    say(f"{before} stays as it was and is served no more; delete it when all is well.")


def _tell(line: str) -> None:
    if sys.stdout.isatty() or not line.startswith(" "):
        say(line)
        sys.stdout.flush()
