"""The service itself: demo, set-up, serving, its health."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gm.cli.common import Config, Json, cli, opened
from gm.cli.printing import say, say_json, say_table
from gm.errors import Refused

if TYPE_CHECKING:
    from gm.app import App


@cli.command()
def demo(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Which game to play.")] = "crossword",
    keep: Annotated[Path | None, typer.Option("--keep", metavar="DIR", help="Where to leave everything.")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses: under ten seconds.")] = False,
) -> None:
    """Play a whole game over real SMTP and IMAP on loopback, with scripted players."""
    from gm.demo import play

    play(game, keep, fast=fast, tell=say)


@cli.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where config.toml and the database go.")] = Path(),
    address: Annotated[str, typer.Option(prompt="Address that players write to", help="The game address.")] = ...,  # type: ignore[assignment]
    gm: Annotated[str, typer.Option(prompt="You, the GM (Name <address>)", help="Your own address.")] = ...,  # type: ignore[assignment]
    imap_host: Annotated[str, typer.Option(prompt="IMAP server", help="Where mails are fetched.")] = ...,  # type: ignore[assignment]
    smtp_host: Annotated[str, typer.Option(prompt="SMTP server", help="Where mails are handed in.")] = ...,  # type: ignore[assignment]
    username: Annotated[str, typer.Option(help="Login for both servers (default: the game address).")] = "",
    name: Annotated[str, typer.Option(help="The zine's name.")] = "Postspiele",
    language: Annotated[str, typer.Option(help="de or en.")] = "de",
) -> None:
    """Write a commented config.toml and create the database."""
    from gm.play.setup import set_up

    path = set_up(
        folder, address=address, gm=gm, imap_host=imap_host, smtp_host=smtp_host, username=username or address,
        name=name, language=language,
    )  # fmt: skip
    say(
        f"Wrote {path} and created the database.",
        "Put the mailbox's passwords into the environment as GM_IMAP_PASSWORD and GM_SMTP_PASSWORD,",
        f"then: gm doctor --config {path}",
    )


@cli.command()
def doctor(config: Config = None, as_json: Json = False) -> None:
    """Check everything the service needs: one line a check, with the mend."""
    from gm.play.setup import examine

    checks = list(examine(config))
    if as_json:
        say_json([{"check": name, "status": status, "says": sentence} for name, status, sentence in checks])
    else:
        say(*(f"{status:4}  {name}: {sentence}" for name, status, sentence in checks))
    if any(status == "fail" for _, status, _ in checks):
        raise typer.Exit(1)


@cli.command()
def serve(
    once: Annotated[
        bool, typer.Option("--once", help="One full pass: fetch, close what is due, send. For cron.")
    ] = False,
    config: Config = None,
) -> None:
    """Run the service."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    for library in ("apscheduler", "imapclient"):
        logging.getLogger(library).setLevel(logging.WARNING)
    with opened(config) as app:
        if once:
            _one_pass(app)
        else:
            _loop(app)


def _one_pass(app: "App") -> None:
    from gm.service import tick

    report = tick(app)
    say(str(report))
    if report.troubles:
        raise Refused("\n".join(str(trouble) for trouble in report.troubles))


def _loop(app: "App") -> None:
    import signal

    from gm.scheduler import Loop

    loop = Loop(app=app)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: loop.end())
    say(f"gm serves {app.settings.service.address}; Ctrl-C ends it.")
    loop.run()


@cli.command()
def status(config: Config = None, as_json: Json = False) -> None:
    """Show the service's health: last fetch and delivery, queues, next deadlines, held rounds."""
    from gm.publish.overview import health

    with opened(config) as app, app.database.read() as session:
        found = health(app, session)
    if as_json:
        say_json(found)
        return
    say(*(f"{label}: {value}" for label, value in found.items() if not isinstance(value, dict | list)))
    say(*(f"{label}: {number}" for label, number in found["mails"].items()))
    say(*(f"{row['name']}, round {row['round']}: {row['held'] or row['zat']}" for row in found["games"]))


@cli.command()
def todo(
    done: Annotated[str | None, typer.Option("--done", metavar="CODE", help="Tick one off.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List what waits for the GM, oldest first."""
    from gm.play.post_room import settle
    from gm.publish.overview import waiting_for_gm

    if done:
        with opened(config) as app:
            say(settle(app, done))
        return
    with opened(config) as app, app.database.read() as session:
        found = waiting_for_gm(app, session)
    if as_json:
        say_json(found)
    else:
        say_table(("since", "what", "about", "do"), [tuple(row.values()) for row in found], "Nothing waits for you.")
