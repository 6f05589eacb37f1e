"""The run of `gm demo`: a mail server, the service and the players' mail programs, until the story has ended."""

import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from games import example
from games.api import Language
from gm.app.context import open_app
from gm.app.pass_report import Report
from gm.archive.export import export
from gm.demo.any_game import AnyGame
from gm.demo.client import GM_ADDRESS, MailProgram
from gm.demo.clock import DemoClock, sunday_evening
from gm.demo.people import GM_MAILBOX, PASSWORD, PLAYERS, STANDBY, address_of
from gm.demo.plot import GAME, Plot
from gm.demo.progress import LIMIT_SECONDS, Progress, Show
from gm.demo.scripted_game import ScriptedGame, is_scripted
from gm.game.people.name_rules import find_engine
from gm.runtime.config.settings import load
from gm.runtime.errors import Refused
from gm.service.scheduler import Loop
from gm.service.tick import tick
from gm.transport.doubles.embedded_server import MailServer

ZONE: Final = ZoneInfo("Europe/Berlin")
"""The zone that the demo's config leaves as it is."""
MOST_WEEKS: Final = 26
"""How long before today a game begins that isn't written down; none takes longer."""


@dataclass(kw_only=True)
class CountingLoop(Loop):
    """The service's loop, which counts what its passes have done."""

    done: int = 0

    def one_pass(self) -> Report | None:
        """Do one pass. One that only polls adds nothing: it could go on for ever."""
        report = super().one_pass()
        if report is not None:
            self.done += report.received + len(report.closed) + report.sent + report.pages
        return report


def done_so_far(server: MailServer, loop: CountingLoop) -> int:
    """Count the mails in all mailboxes and what passes have done. Raises Stopped when the service has ended."""
    loop.app.stop_signal.check()
    return server.delivered + loop.done


def play(kind: str, keep: Path | None, *, fast: bool, show: Show, language: Language = "de") -> None:
    """Play a game from sign-up to final scores and leave everything in a folder. Raises OperatorError.

    The zine's language is that of all mails and pages; what players make up stays German.
    """
    engine = find_engine(kind or example().rules.key)
    folder = _folder(keep)
    fewest, most = engine.rules.seats
    # A full table shows all that can happen to a move; for other games three players are enough.
    plot_of, number = (ScriptedGame, most) if is_scripted(engine.rules.key) else (AnyGame, min(most, max(fewest, 3)))
    cast = PLAYERS[:number]
    people = {name: address_of(name) for name in (*cast, STANDBY)}
    show(f"{engine.rules.title} »{GAME}« by mail: {len(cast)} players, one standby, a mail server on loopback.")
    weeks = 2 * (engine.rules.rounds or 0) + 1 if plot_of is ScriptedGame else MOST_WEEKS
    clock = DemoClock(sunday_evening(weeks, ZONE))
    with MailServer(dict.fromkeys((GM_ADDRESS, GM_MAILBOX, *people.values()), PASSWORD), clock) as server:
        config = _configure(folder, server, language)
        with ExitStack() as stack:
            service = open_app(load(config), create=True, lock_seconds=LIMIT_SECONDS, now=clock)
            stack.callback(service.close)
            gm = open_app(load(config), lock_seconds=LIMIT_SECONDS, now=clock)
            stack.callback(gm.close)
            loop = CountingLoop(app=service, makes_pages=not fast)
            progress = Progress(partial(done_so_far, server, loop), show)
            programs = {
                name: stack.enter_context(
                    MailProgram(name, address, PASSWORD, server.imap_port, server.smtp_port, progress)
                )
                for name, address in {**people, "GM": GM_MAILBOX}.items()
            }
            plot = plot_of(
                app=gm, engine=engine, cast=cast, programs=programs, progress=progress, clock=clock,
                wake=service.stop_signal.wake.set,
            )  # fmt: skip
            _run(loop, plot)
            # The story ends with the players' final mails; the archive calls the scores final when all have gone out.
            tick(gm, inbox=False, archive=False)
            export(gm, gm.settings.archive.path)
        server.dump(folder)
    show(f"Mailboxes: {folder / 'mail'}\nDatabase:  {folder / 'gm.db'}\nConfig:    {config}")
    show(f"Archive:   {folder / 'archive/index.html'}")
    show(f"Look around: gm show {GAME} --config {config}")


def _folder(keep: Path | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="gm-demo-"))
    if keep.exists() and any(keep.iterdir()):
        raise Refused(f"{keep} isn't empty; name a new folder.")
    keep.mkdir(parents=True, exist_ok=True)
    return keep.absolute()


def _configure(folder: Path, server: MailServer, language: Language) -> Path:
    """Write the config of the demo's zine."""
    path = folder / "config.toml"
    path.touch(mode=0o600)  # or each start warns
    path.write_text(f"""\
[service]
name = "Dottendorfer Soccer"
address = "{GM_ADDRESS}"
gm = "Cici Beilken <{GM_MAILBOX}>"
language = "{language}"

[imap]
host = "127.0.0.1"
port = {server.imap_port}
security = "none"
username = "{GM_ADDRESS}"
password = "{PASSWORD}"
poll_seconds = 1

[smtp]
host = "127.0.0.1"
port = {server.smtp_port}
security = "none"
per_minute = 100000

[database]
url = "sqlite:///gm.db"

[backup]
keep = 0

[archive]
address = true

[deadlines]
release = "gm"  # the GM reads each bulletin first, and writes forewords
outage = "9999d"  # the demo's clock jumps over days

[security]
answers_per_hour = 1000  # nobody but scripted players writes so many mails in an hour
""", encoding="utf-8")  # fmt: skip
    return path


def _run(loop: Loop, plot: Plot) -> None:
    """Let the service work in this thread, as in `gm serve`, while the plot unfolds in another."""
    failures: list[BaseException] = []

    def play_script() -> None:
        try:
            plot.play()
        except BaseException as error:  # noqa: BLE001  raised again in the main thread
            failures.append(error)
        finally:
            loop.app.stop_signal.set()

    thread = threading.Thread(target=play_script, name="gm-demo-players")
    thread.start()
    try:
        loop.run()
    finally:
        loop.app.stop_signal.set()  # after Ctrl-C and where the service failed, nobody waits for it
        thread.join()
    if failures:
        raise failures[0]
