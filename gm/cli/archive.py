"""Writing the archive of pages."""

from pathlib import Path
from typing import Annotated

import typer

from gm.cli.common import Config, cli, opened
from gm.cli.dialogs.printing import say, tracked
from gm.runtime.errors import ArchiveError


@cli.command()
def archive(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pages go.")],
    full: Annotated[bool, typer.Option("--full", help="Write every page anew, not only what has changed.")] = False,
    config: Config = None,
) -> None:
    """Write the archive: all games as pages that can be read from disk or put on the web."""
    from gm.archive.export import export
    from gm.service.tick import settle_in

    settle_in()
    with opened(config) as app:
        done = export(app, folder, full=full, tracked=tracked)
    say(f"{folder}: {done.games} games looked at, {done.written} files written, {done.deleted} deleted.")
    if done.troubles:
        raise ArchiveError("\n".join(done.troubles))
