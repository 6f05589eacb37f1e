"""The digest, the archive of pages, and the database: copied, put back, moved."""

import logging
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gm.cli.terminal.declared import All, Config, Json, NameUnlessAll, command
from gm.cli.terminal.printing import say, say_json, tracked
from gm.cli.terminal.zine import QUEUED, opened

if TYPE_CHECKING:
    from sqlmodel import Session

    from gm.app.context import App
    from gm.service.outbound.digests import Made


@command("archive", "Care", "gm archive site", "gm archive site --full")
def archive(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Where the pages go (default: archive.path in the config).")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Write every page anew, not only what has changed.")] = False,
    config: Config = None,
) -> None:
    """Write the archive: all games as pages that can be read from disk or put on the web."""
    from gm.archive.export import export
    from gm.runtime.errors import ArchiveError
    from gm.service.tick import settle_in

    settle_in()
    with opened(config) as app:
        folder = folder or app.settings.archive.path
        done = export(app, folder, full=full, tracked=tracked)
    say(f"{folder}: games looked at: {done.games}, files written: {done.written}, deleted: {done.deleted}.")
    if done.troubles:
        raise ArchiveError("\n".join(done.troubles))


@command("digest", "Mail", "gm digest", "gm digest --send", by_mail=True)
def digest(
    send: Annotated[bool, typer.Option("--send", help="Queue it now, beside the one of the week.")] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Print what the digest would say now: the GM's copy, and who would get one."""
    with opened(config) as app:
        found = _queued(app) if send else _shown(app)
    if as_json:
        say_json(found)
        return
    if not send:
        say(f"{found['gm']['subject']}\n\n{found['gm']['text']}")
    say(*(f"{mail['name']}: {mail['subject']}" for mail in found["players"]))
    if not found["players"]:
        say("No player gets one now: there is nothing to say, or they don't want it.")
    if send:
        say(f"Mails queued: {len(found['players']) + 1}. {QUEUED}")


def _shown(app: "App") -> dict[str, Any]:
    from gm.service.outbound import digests

    with app.database.read() as session:
        return _described(app, session, digests.make(app, session, digests.out_of_turn(app)))


def _queued(app: "App") -> dict[str, Any]:
    from gm.service.outbound import digests

    with app.database.write() as session:
        return _described(app, session, digests.queue(app, session, digests.out_of_turn(app)))


def _described(app: "App", session: "Session", made: "Made") -> dict[str, Any]:
    from gm.service.outbound import digests

    letters = [(copy, *digests.written(app, session, made, copy)) for copy in made.copies if copy.part]
    subject, text = digests.written(app, session, made)
    players = [{"name": copy.player.name, "subject": title, "text": body} for copy, title, body in letters]
    return {"gm": {"subject": subject, "text": text}, "players": players}


@command("backup", "Care", "gm backup zine.tar.gz", "gm backup /mnt/usb/zine.tar.gz")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new copy, a tar.gz.")], config: Config = None
) -> None:
    """Copy the zine to a file, complete as of this moment, while the service runs.

    In it are the database, the config, word lists and what was written for the issues.
    """
    from gm.runtime.clock import utcnow
    from gm.runtime.config.settings import load
    from gm.service.maintenance.backup import write_backup

    names = write_backup(load(config), file, now=utcnow())
    say(
        f"{file} holds the zine ({_megabytes(file.stat().st_size)}): {', '.join(names)}. With them mails, addresses, "
        "and the secret that signs; keep it where only you can read it.",
        "Not in it: passwords and tokens in files of their own, and the archive (gm archive writes it).",
        f"To go back to it, or to move house: gm restore {file.name} DIR, also on another machine.",
    )


def _megabytes(size: int) -> str:
    """Say how large a copy is; a small one isn't empty."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else "under 0.1 MB"


@command("restore", "Care", "gm restore zine.tar.gz ~/zine", "gm restore --adopt")
def restore(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="What gm backup wrote.")] = None,
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="An empty folder.")] = None,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="The config's database was copied or restored by other means: let it serve.")
    ] = False,
    config: Config = None,
) -> None:
    """Unpack a copy into an empty folder. Nobody notices, until it is served.

    The first `gm serve` there makes this machine the one that serves the mailbox, and handles what the copy doesn't
    know. A service that still runs elsewhere, with this zine, ends then.
    """
    from gm.runtime.clock import utcnow
    from gm.runtime.config.settings import load
    from gm.service.maintenance import backup as copies

    if adopt:
        if file:
            raise typer.BadParameter("--adopt goes with no FILE; the config names the database.")
        settings = load(config)
        copies.adopt(settings.database.url, now=utcnow())
        say(f"The zine of {settings.path} serves the mailbox from its next gm serve on.", *_AFTER_A_RESTORE)
        return
    if file is None or folder is None:
        raise typer.BadParameter("name the file and an empty folder, or say --adopt.")
    names = copies.restore(file, folder, now=utcnow())
    place = folder / copies.CONFIG
    say(f"{folder} holds the zine now: {', '.join(names)}.")
    missing = copies.missing_secrets(place)
    say(*(["Still to be done, as secrets are in no copy:"] if missing else []), *(f"  {line}" for line in missing))
    here = f" --config {shlex.quote(str(place))}"
    say(*_AFTER_A_RESTORE, "Next:", f"  gm doctor{here}", f"  gm serve{here}")


_AFTER_A_RESTORE = (
    "With its first pass gm serve reads the folders of handled mails once: mails that were handled after the copy was "
    "made are handled again, in order of arrival. Players may get some answers and bulletins twice. A service that "
    "still runs on another machine ends then.",
    "What you did by command since then is in no mail, so do it again: gm list, gm show, gm todo show what is missing.",
)


@command("migrate", "Care", "gm migrate sqlite:///other.db", "gm migrate postgresql+psycopg://gm@localhost/zine")
def migrate(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="sqlite:///FILE, relative to the config, or postgresql+psycopg://USER@HOST/NAME."
        ),
    ],
    config: Config = None,
) -> None:
    """Move to another, empty database, while `gm serve` is stopped: all rows are copied and counted.

    The password of a PostgreSQL login is best left out of URL: it is taken from ~/.pgpass (a line
    HOST:PORT:NAME:USER:PASSWORD, chmod 600) or from $PGPASSWORD. The file that is left behind is renamed (on a server
    its tables are), so that nobody serves it by mistake. Should anything fail, the zine stays where it is.
    """
    from gm.runtime.config.settings import load
    from gm.runtime.tracebacks import log_carefully
    from gm.service.maintenance.migrate import migrate as move

    log_carefully(logging.WARNING)
    settings = load(config)
    left, url = move(settings, url, tell=say)
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
    say(f"{left} holds what was; delete it when all is well.")


@command("upgrade", "Care", "gm upgrade Eriwan", "gm upgrade --all", by_mail=True)
def upgrade(name: NameUnlessAll = None, every: All = False, config: Config = None) -> None:
    """Let a game go on by a new version of its rules.

    What is recorded stays as it is; the new rules hold from the next closing on.
    """
    if (name is None) is not every:
        raise typer.BadParameter("name the game that may go on, or say --all.")
    from gm.requests.desk import upgrade as gm_upgrade

    with opened(config) as app:
        names = gm_upgrade.agree_to_all(app) if name is None else [gm_upgrade.agree_by_name(app, name)]
    say(*(f"{one} goes on. What is recorded stands, and the new rules hold from its next step on." for one in names))
    if not names:
        say("No game waits for it.")
