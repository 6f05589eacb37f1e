"""The service itself: demo, set-up, serving, its health."""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from gm.cli.terminal import completion
from gm.cli.terminal.common import Config, Json, cli, opened
from gm.cli.terminal.printing import say, say_games, say_in_colour, say_json, say_left_out, say_list
from gm.runtime.errors import Refused

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.runtime.network import Check
    from gm.service.shutdown import Shutdown

Security: TypeAlias = Literal["tls", "starttls", "none"]


@cli.command()
def demo(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Which game to play, if not the one that shows most.")
    ] = "",
    keep: Annotated[Path | None, typer.Option("--keep", metavar="DIR", help="Where to leave everything.")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses: under ten seconds.")] = False,
) -> None:
    """Play a whole game over real SMTP and IMAP on loopback, with scripted players."""
    from gm.demo import play

    play(game, keep, fast=fast, show=say)


@cli.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where config.toml and the database go.")] = Path(),
    address: Annotated[str, typer.Option(help="The game address, which players write to.")] = "",
    gm: Annotated[str, typer.Option(help="You, the GM: Name <address>.")] = "",
    imap_host: Annotated[str, typer.Option(help="Where mails are fetched (default: what the address tells).")] = "",
    imap_port: Annotated[int | None, typer.Option(min=1, max=65535, help="Its port, if not the usual one.")] = None,
    imap_security: Annotated[Security | None, typer.Option(help="How it encrypts, if not as its port says.")] = None,
    smtp_host: Annotated[str, typer.Option(help="Where mails are handed in (default: as above).")] = "",
    smtp_port: Annotated[int | None, typer.Option(min=1, max=65535, help="Its port, if not the usual one.")] = None,
    smtp_security: Annotated[Security | None, typer.Option(help="How it encrypts, if not as its port says.")] = None,
    username: Annotated[str, typer.Option(help="Login for both servers (default: the game address).")] = "",
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file that holds the mailbox's password; it is copied.")
    ] = None,
    no_login: Annotated[bool, typer.Option("--no-login", help="Don't try the logins.")] = False,
    client_id: Annotated[
        str,
        typer.Option(metavar="ID", help="Gmail, Microsoft: of your app there, for `gm login`; no password then."),
    ] = "",
    name: Annotated[str, typer.Option(help="The zine's name (default: Postspiele).")] = "",
    language: Annotated[str, typer.Option(help="de or en (default: de).")] = "",
    system: Annotated[
        bool, typer.Option("--system", help="As root: config in /etc/gm, the rest in /var/lib/gm, served by a user gm.")
    ] = False,
    unit: Annotated[
        bool, typer.Option("--unit", help="Only write gm.service anew, as the config in DIR has it now.")
    ] = False,
) -> None:
    """Ask for the mailbox, try its logins, and write config.toml, the database and a systemd unit."""
    from gm.cli.init import InitOptions, ServerOptions, set_up_by_asking
    from gm.runtime.config.passwords import exposed
    from gm.service.setup.zine_setup import config_in, system_folder

    folder = system_folder() if system else folder
    if unit:
        _write_unit_anew(folder)
        return
    config_in(folder)
    given = InitOptions(
        address=address, gm=gm, imap=ServerOptions(host=imap_host, port=imap_port, security=imap_security),
        smtp=ServerOptions(host=smtp_host, port=smtp_port, security=smtp_security), username=username,
        password_file=password_file, is_tried=not no_login, name=name, language=language,
        client_id=client_id,
    )  # fmt: skip
    draft, written = set_up_by_asking(folder, given)
    needs_login = draft.oauth2 is not None
    for _, sentence in exposed(written[0]):
        say(f"Take care: {sentence}", "")
    _tell_what_comes_next(written, has_password=bool(draft.imap.password) or needs_login, needs_login=needs_login)


def _write_unit_anew(folder: Path) -> None:
    """Write the unit of a zine that is there, and print how it takes the place of the old one."""
    from gm.runtime.config.settings import default_path
    from gm.service.setup.systemd_unit import UNIT, installation, is_root, write_unit
    from gm.service.setup.zine_setup import closed_to_service

    config = default_path() if folder == Path() else folder / "config.toml"
    written = write_unit(config.with_name(UNIT), config)
    say(f"Wrote {written}. To install it:", *(f"  {line}" for line in installation(written, is_system=is_root())))
    say(f"  systemctl {'' if is_root() else '--user '}restart {UNIT}")
    if is_root() and (closed := closed_to_service(config.parent)):
        say("", f"Take care: {closed}")


def _tell_what_comes_next(written: list[Path], *, has_password: bool, needs_login: bool) -> None:
    import shlex

    from games import example
    from gm.runtime.config.system_wide import configs
    from gm.service.setup.systemd_unit import ENVIRONMENT, cron_line, installation, is_root

    config, unit = written[0], written[-1]
    here = "" if config in (Path("config.toml"), *configs()) else f" --config {shlex.quote(str(config))}"
    say(f"Wrote {', '.join(map(str, written))}.", "")
    say("To keep the service running with systemd:", *(f"  {line}" for line in installation(unit, is_system=is_root())))
    say("or with cron (crontab -e):", f"  {cron_line(config)}", "")
    if not has_password:
        say(
            "Put the mailbox's passwords into the environment as GM_IMAP_PASSWORD and GM_SMTP_PASSWORD;",
            f"systemd reads them from {config.with_name(ENVIRONMENT)}, cron from lines in the crontab.",
        )
    first = [f"  gm login{here}"] if needs_login else []
    say("Next:", *first, f"  gm doctor{here}", f"  gm new {example().rules.key} NAME{here}")


@cli.command()
def login(
    browser: Annotated[
        bool, typer.Option("--browser", help="By a browser of this computer, also where a code would do.")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where the browser comes back to (default: any).", show_default=False)
    ] = 0,
    config: Config = None,
) -> None:
    """Log in to Gmail, Microsoft 365 or another mailbox with OAuth2, as [imap.oauth2] in config.toml says.

    The app that asks for access is your own: register one at the provider (Google: a desktop app with the Gmail API;
    Microsoft: a public client with IMAP.AccessAsUser.All and SMTP.Send) and write its client_id into config.toml.
    Microsoft shows a code to type in any browser; Google sends the browser back to this computer.
    """
    import sys

    from gm.runtime.config.settings import load
    from gm.transport.oauth.accounts import log_in

    def show(line: str) -> None:
        say(line)
        sys.stdout.flush()  # what is to be done now must not wait in a pipe

    log_in(load(config), show, wants_browser=browser, port=port)


@cli.command()
def doctor(
    probe: Annotated[
        bool, typer.Option("--probe", help="Send one forged mail to the game's own address: what may be trusted?")
    ] = False,
    wait: Annotated[int, typer.Option(min=1, metavar="SECONDS", help="How long --probe waits for that mail.")] = 120,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Check everything the service needs: one line a check, with what to do about it.

    With --probe it sends a mail, as no other command does, and only to the game's own address: it claims to have been
    found genuine, in every name of `trusted_authserv`. What has become of it shows whom to trust; then it is deleted.
    """
    checks = _examined(config, wait if probe else 0)
    if as_json:
        found = [*checks]
        say_json([{"check": name, "status": status, "says": sentence} for name, status, sentence in found])
        is_well = all(check.status != "fail" for check in found)
    else:
        is_well = say_checks(checks)
    if not is_well:
        raise typer.Exit(1)


def _examined(config: Path | None, probe_seconds: int) -> "Iterator[Check]":
    """Check what the service needs, and before the last of it whether a zine with issues can make their pages."""
    from gm.runtime.config.settings import default_path, load
    from gm.service.setup.zine_setup import examine
    from gm.zine import build, pdf

    for check in examine(config, probe_seconds):
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


@cli.command()
def serve(
    once: Annotated[
        bool, typer.Option("--once", help="One full pass: fetch, close what is due, send. For cron.")
    ] = False,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Read this mailbox though another database's service has marked it.")
    ] = False,
    form: Annotated[
        Literal["auto", "text", "json"],
        typer.Option("--log", help="The log: sentences, or a JSON object a line (auto: sentences on a terminal)."),
    ] = "auto",
    config: Config = None,
) -> None:
    """Run the service. SIGTERM or Ctrl-C ends it within five seconds; a second one at once."""
    from gm.runtime.stop_signal import StopSignal
    from gm.runtime.systemd import Systemd
    from gm.service.shutdown import shutdown_on_signals

    _open_log(form, is_quiet=once and form == "auto")
    _warn_of_exposed_secrets(config)
    stop_signal = StopSignal(systemd=Systemd())
    with shutdown_on_signals(stop_signal) as shutdown, opened(config, stop_signal) as app:
        shutdown.app = app
        if take_over:
            app.inbox.take_over()
            say("The mailbox is ours now. A service that read it until now stops with its next pass.")
        if once:
            _one_pass(app)
        else:
            _loop(app, shutdown)


def _open_log(form: str, *, is_quiet: bool) -> None:
    """Log to stderr. cron writes a mail about every line: there is none unless something is wrong, if `is_quiet`."""
    import sys

    from gm.runtime.log_format import formatter
    from gm.runtime.tracebacks import log_carefully

    log_carefully(logging.WARNING if is_quiet else logging.INFO, formatter(sys.stderr, form))


def _warn_of_exposed_secrets(config: Path | None) -> None:
    """Log which files with secrets others can read. Raises Refused where that is too dangerous."""
    from gm.runtime.config.passwords import exposed
    from gm.runtime.config.settings import default_path
    from gm.runtime.log_format import event

    for status, sentence in exposed(config or default_path()):
        if status == "fail":
            raise Refused(sentence)
        logging.getLogger("gm").warning("%s", sentence, extra=event("exposed"))


def _one_pass(app: "App") -> None:
    """Do one full pass and print what it did. Raises Refused with the troubles it met."""
    from gm.app.context import in_cluster
    from gm.service.maintenance.nightly_backup import finish
    from gm.service.tick import tick

    with in_cluster(app, wake=lambda: None) as app:
        report = tick(app)
        finish(app)
    say(str(report))
    if report.troubles:
        raise Refused("\n".join(str(trouble) for trouble in report.troubles))


def _loop(app: "App", shutdown: "Shutdown") -> None:
    """Serve until a signal ends it."""
    import time
    from importlib.metadata import version

    from gm.runtime.log_format import event
    from gm.service.scheduler import Loop
    from gm.store.schema import HEAD

    log, began = logging.getLogger("gm"), time.monotonic()
    about = {"version": version("postal-gm"), "schema": HEAD, "database": app.database.engine.dialect.name}
    # Logged, not printed: under systemd both go to the journal, where each line has to be an event.
    log.info("gm serves %s; Ctrl-C ends it", app.settings.service.address, extra=event("service started", **about))
    Loop(app=app).run()
    seconds = time.monotonic() - began
    log.info("the service ends", extra=event("service stopped", signal=shutdown.signal, seconds=seconds))


@cli.command()
def status(config: Config = None, as_json: Json = False) -> None:
    """Show the service's health: what waits for you, held rounds and next deadlines, queues, last fetch."""
    from gm.cli.terminal.printing import ago, by_need, is_stale, remark, rest_line, waiting_line
    from gm.reports.health import health, late_after

    with opened(config) as app, app.database.read() as session:
        found, now = health(app, session), app.now()
        late = late_after(app)
    if as_json:
        say_json(found)
        return
    _tell_whether_all_is_well(found["reasons"])
    waiting = found["waiting_for_gm"]
    say_in_colour(waiting_line(waiting), "yellow" if waiting else "green")
    games = [(g["name"], g["round"], g["zat"] or "", g["moves"], remark(g, now)) for g in by_need(found["games"], now)]
    say_games(("game", "round", "ZAT", "moves in", "remark"), games, "No game is running.")
    say_left_out(found["games_left_out"])
    if found["rest"]:
        say(rest_line(found["rest"]))
    if found["unreachable"]:
        say_in_colour(f"Mails come back from {', '.join(found['unreachable'])}; see `gm player show NAME`.", "yellow")
    if found["forged_senders"]:
        forged = f"Forged mails in players' names, last 7 days: {found['forged_senders']}"
        say_in_colour(f"{forged}; see `gm mail list --status ignored`.", "yellow")
    fetch, is_late = found["last_fetch"], is_stale(found["last_fetch"], now, late)
    say_in_colour(
        f"Mails were last fetched: {ago(fetch, now)}{'; does `gm serve` run?' if is_late else ''}",
        "red" if is_late else "",
    )
    say(f"Mails were last sent: {ago(found['last_delivery'], now)}", *_mail_lines(found["mails"]))


def _tell_whether_all_is_well(reasons: list[str]) -> None:
    if not reasons:
        say_in_colour("All is well.", "green")
        return
    say_in_colour("Somebody should look:", "red")
    for reason in reasons:
        say_in_colour(f"  {reason}", "red")


def _mail_lines(mails: dict[str, int]) -> Iterator[str]:
    """Write how many mails came and went, and what became of them."""
    outgoing = {status.removeprefix("out_"): number for status, number in mails.items() if status.startswith("out_")}
    received = {status: number for status, number in mails.items() if not status.startswith("out_")}
    for what, counts in (("Mails received", received), ("Mails written", outgoing)):
        if counts:
            said = ", ".join(f"{number} {status.replace('_', ' ')}" for status, number in counts.items())
            yield f"{what}: {sum(counts.values())} ({said})"


@cli.command()
def todo(
    done: Annotated[
        str | None, typer.Option("--done", metavar="CODE", help="Tick one off.", autocompletion=completion.codes)
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List what waits for the GM, oldest first."""
    if done:
        from gm.commands.gm_commands.mail_actions import tick_off

        with opened(config) as app:
            say(tick_off(app, done))
        return
    from gm.reports.todo import waiting_for_gm

    with opened(config) as app, app.database.read() as session:
        found = waiting_for_gm(app, session)
    rows = [tuple(row.values()) for row in found]
    say_list(found, as_json, ("since", "what", "about", "do"), rows, "Nothing waits for you.")
