"""The service itself: demo, set-up, serving, its health."""

import logging
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gm.cli.terminal.declared import Config, Json, command
from gm.cli.terminal.printing import refuse, say, say_in_colour, say_json
from gm.cli.terminal.zine import opened

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.runtime.network import Check
    from gm.service.shutdown import Shutdown


@command("demo", "Set up", "gm demo", "gm demo --keep look")
def demo(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Which game to play, if not the one that shows most.")
    ] = "",
    keep: Annotated[Path | None, typer.Option("--keep", metavar="DIR", help="Where to leave everything.")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="The archive's pages are made once, at the end.")] = False,
) -> None:
    """Play a whole game over real SMTP and IMAP on loopback, with scripted players and a clock of its own.

    Months pass in seconds. The story ends some days before today.
    """
    from gm.demo import play

    play(game, keep, fast=fast, show=say)


@command("init", "Set up", "gm init", "gm init ~/zine --address zug@example.org")
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where config.toml and the database go.")] = Path(),
    address: Annotated[str, typer.Option(help="The game address, which players write to.")] = "",
    gm: Annotated[str, typer.Option(help="You, the GM: `Name <address>`.")] = "",
    provider: Annotated[
        str, typer.Option(help='The mail provider, or both servers: "imap.example.org smtp.example.org".')
    ] = "",
    username: Annotated[str, typer.Option(help="Login for both servers (default: the game address).")] = "",
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file that holds the mailbox's password; it is copied.")
    ] = None,
    client_id: Annotated[
        str, typer.Option(metavar="ID", help="Microsoft: of your app there, instead of a password.")
    ] = "",
    name: Annotated[str, typer.Option(help="The zine's name (default: Postspiele).")] = "",
) -> None:
    """Ask for the mailbox, and write config.toml and the database.

    There are five questions: address, GM, mail provider, login and the zine's name. What is given as an option isn't
    asked.
    """
    from gm.cli.init import complete
    from gm.runtime.config.owner import become_owner
    from gm.service.setup.zine_setup import config_in, set_up

    become_owner(folder)
    config_in(folder)
    zine = complete(
        address=address, gm=gm, provider=provider, username=username, password_file=password_file,
        client_id=client_id, name=name,
    )  # fmt: skip
    written = set_up(folder, zine)
    say(f"Wrote {', '.join(map(str, written))}.")
    if not zine.password and not zine.client_id:
        say("Put the mailbox's password into the environment, as GM_IMAP_PASSWORD and GM_SMTP_PASSWORD.")
    here = "" if folder == Path() else f" --config {shlex.quote(str(written[0]))}"
    say(f"Next: gm {'login' if zine.client_id else 'doctor'}{here}")


@command("login", "Set up", "gm login", "gm login --config zine/config.toml")
def login(config: Config = None) -> None:
    """Log in to a mailbox at Microsoft or Google that takes no password, as [oauth] in config.toml says.

    The app that asks for access is your own; docs/install.md says step by step how it is registered. Microsoft shows a
    code to type in any browser. Google opens a browser; where this computer has none, the address at which another
    one's ends is pasted here.
    """
    import sys

    from gm.runtime.config.settings import load
    from gm.transport.oauth.tokens import log_in

    def show(line: str) -> None:
        say(line)
        sys.stdout.flush()  # what is to be done now must not wait in a pipe

    log_in(load(config), show, typer.prompt)


@command("doctor", "Set up", "gm doctor", "gm doctor --json")
def doctor(
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Check everything the service needs: one line a check, with what to do about it."""
    checks = _examined(config)
    if as_json:
        found = [*checks]
        say_json([{"check": name, "status": status, "says": sentence} for name, status, sentence in found])
        is_well = all(check.status != "fail" for check in found)
    else:
        is_well = say_checks(checks)
    if not is_well:
        raise typer.Exit(1)


def _examined(config: Path | None) -> "Iterator[Check]":
    """Check what the service needs, and before the last of it whether a zine with issues can make their pages."""
    from gm.archive.issue import build, pdf
    from gm.runtime.config.settings import default_path, load
    from gm.service.setup.zine_setup import examine

    for check in examine(config):
        if check.name == "archive" and build.has_issues(load(config or default_path())):
            yield pdf.check()
        yield check


def say_checks(checks: "Iterable[Check]") -> bool:
    """Print each result as it comes: a server that doesn't answer takes its time. Says whether all is well."""
    is_well = True
    for name, status, sentence in checks:
        say_in_colour(f"{status:4}  {name}: {sentence}", {"fail": "red", "warn": "yellow"}.get(status, ""))
        is_well = is_well and status != "fail"
    return is_well


@command("serve", "Set up", "gm serve", "gm serve --once")
def serve(
    once: Annotated[
        bool, typer.Option("--once", help="One full pass: fetch, close what is due, send. For cron.")
    ] = False,
    config: Config = None,
) -> None:
    """Run the service. SIGTERM or Ctrl-C ends it within five seconds; a second one at once."""
    from gm.runtime.stop_signal import StopSignal
    from gm.runtime.systemd import Systemd
    from gm.service.shutdown import shutdown_on_signals
    from gm.store.queries import zine_queries

    _open_log(is_quiet=once)
    _warn_of_exposed_secrets(config)
    stop_signal = StopSignal(systemd=Systemd())
    with shutdown_on_signals(stop_signal) as shutdown, opened(config, stop_signal) as app:
        shutdown.app = app
        with app.database.write() as session:
            zine_queries.note_home(session, app.database.home)
        if once:
            _one_pass(app)
        else:
            _loop(app, shutdown)


def _open_log(*, is_quiet: bool) -> None:
    """Log to stderr. cron writes a mail about every line: there is none unless something is wrong, if `is_quiet`."""
    import sys

    from gm.runtime.tracebacks import formatter, log_carefully

    log_carefully(logging.WARNING if is_quiet else logging.INFO, formatter(sys.stderr))


def _warn_of_exposed_secrets(config: Path | None) -> None:
    """Log which files with secrets others can read. Raises Refused where that is too dangerous."""
    from gm.runtime.config.passwords import exposed
    from gm.runtime.config.settings import default_path

    for status, sentence in exposed(config or default_path()):
        if status == "fail":
            refuse(sentence)
        logging.getLogger("gm").warning("%s", sentence)


def _one_pass(app: "App") -> None:
    """Do one full pass and print what it did. Raises Refused with the troubles it met."""
    from gm.service.tick import tick

    if not app.database.lead():
        say("Another gm serve has this zine's database; there is nothing to do here.")
        return
    report = tick(app)
    say(str(report))
    if report.troubles:
        refuse("\n".join(str(trouble) for trouble in report.troubles))


def _loop(app: "App", shutdown: "Shutdown") -> None:
    """Serve until a signal ends it."""
    from importlib.metadata import version

    from gm.service.scheduler import Loop

    log = logging.getLogger("gm")
    log.info("gm %s serves %s; Ctrl-C ends it", version("postal-gm"), app.settings.service.address)
    Loop(app=app).run()
    log.info("the service ends (%s)", shutdown.signal)
