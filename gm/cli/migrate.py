"""The zine moves to another database."""

import logging
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
    config: Config = None,
) -> None:
    """Move to another, empty database, while `gm serve` is stopped: all rows are copied and compared.

    The password of a PostgreSQL login is best left out of URL: it is taken from ~/.pgpass (a line
    HOST:PORT:NAME:USER:PASSWORD, chmod 600) or from $PGPASSWORD. The database left behind stays as it is, and refuses
    to be served. Should anything fail, the zine stays where it is; say the same command again.
    """
    from gm.runtime.config.settings import load
    from gm.runtime.tracebacks import log_carefully
    from gm.service.maintenance.migrate import migrate as move

    log_carefully(logging.WARNING)
    settings = load(config)
    before, url = move(settings, url, tell=say)
    say(
        f"The zine is there now. Write this into {settings.path.name}, then say `gm verify` and start `gm serve`:",
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
