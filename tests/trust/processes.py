"""`gm` in processes of its own: how tests start, await and end them, and a game for them."""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import seating
from waiting import TIMEOUT

from gm.app.context import App, open_app
from gm.demo.in_memory_zine import PLAYERS, address_of, digests_from, observed
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.store.queries import zine_queries
from gm.transport.doubles.embedded_server import MailServer
from parsers.mime.message import read_mail


def command(config: Path, *words: str) -> list[str]:
    """Write `gm WORDS --config CONFIG` as it is called where nothing is installed."""
    return [sys.executable, "-c", "from gm.cli import main; main()", *words, "--config", str(config)]


_DROP, _OVERRIDE = 24, 1


def without_privilege() -> None:
    """Let rights count for root as well, in a child before its exec (PR_CAPBSET_DROP, CAP_DAC_OVERRIDE)."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(_DROP, _OVERRIDE, 0, 0, 0)


@dataclass
class Services:
    """Processes of the installed service, which are started again when they are killed."""

    configs: list[Path]
    services: list[subprocess.Popen[bytes]] = field(default_factory=list)
    killed: int = 0

    def __enter__(self) -> Services:
        self.services = [self._start(config) for config in self.configs]
        return self

    def __exit__(self, *_: object) -> None:
        for service in self.services:
            service.send_signal(signal.SIGTERM)
        for service in self.services:
            service.wait(TIMEOUT)

    def kill(self, number: int) -> None:
        """Kill one, and start it anew."""
        self.services[number].kill()
        self.services[number].wait(TIMEOUT)
        self.killed += 1
        self.services[number] = self._start(self.configs[number])

    def log_of(self, number: int) -> Path:
        """Name the file with what one has logged, over all its lives."""
        return self.configs[number].with_name("serve.log")

    def last_words(self) -> str:
        """Return the end of each log."""
        return "\n\n".join(self.log_of(number).read_text()[-1500:] for number in range(len(self.configs)))

    def _start(self, config: Path) -> subprocess.Popen[bytes]:
        with config.with_name("serve.log").open("ab") as log:
            return subprocess.Popen(command(config, "serve"), stdout=log, stderr=log)


@contextmanager
def serving(config: Path) -> Iterator[subprocess.Popen[str]]:
    """A `gm serve` of its own, ended as systemd does it; what it did is looked at then."""
    with closing(open_app(load(config))) as app, observed(app):
        service = subprocess.Popen(
            command(config, "serve"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            yield service
        finally:
            service.terminate()
            if service.stdout and not service.stdout.closed:  # nobody has waited for its end yet
                service.communicate(timeout=TIMEOUT)


def begin_eriwan(app: App) -> None:
    """Let six players begin a game of Crossword; its bulletins wait."""
    actions.new_game(app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(app, "Eriwan", name, address_of(name), wish)
    actions.start(app, "Eriwan")
    digests_from(app)  # one would come where today is a Sunday


def become_another(config: Path) -> Path:
    """Let a zine be no copy of the others that tests have: by what marks a mailbox."""
    with closing(open_app(load(config))) as app, app.database.write() as session:
        zine_queries.zine(session).incarnation = secrets.token_hex(12)
    return config


def answers(server: MailServer, *names: str) -> list[str]:
    """List the answers in the boxes of players, by the mail that they answer."""
    mails = [read_mail(raw) for name in names for raw in server.mails(address_of(name))]
    return [mail.in_reply_to for mail in mails if mail.in_reply_to]
