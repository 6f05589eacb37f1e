"""SIGTERM: `gm serve` ends within five seconds whatever it is at, with exit code 0; nothing is lost, nothing twice."""

import json
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from processes import begin_eriwan, command, until
from sqlmodel import select

from gm.app import open_app
from gm.config import load
from gm.mailbox.embedded import MailServer
from gm.play import desk
from gm.pulse import Pulse
from gm.service import tick
from gm.store.tables import MailIn, MailOut
from gm.testing import GM_ADDRESS, PLAYERS, Story, address_of, observed, one_pass, write_config

SECONDS = 5.0
MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


class Service:
    """A `gm serve` of its own, and all that it has said, as systemd's journal gets it."""

    def __init__(self, config: Path, log: Path) -> None:
        self.log = log
        with log.open("wb") as written:
            self.process = subprocess.Popen(command(config, "serve"), stdout=written, stderr=subprocess.STDOUT)

    def events(self) -> list[str]:
        """The names of the events, each a line of JSON."""
        return [json.loads(line)["event"] for line in self.log.read_text().splitlines()]

    def ends(self, *signals: int) -> int:
        """Send the signals and wait; it must not take five seconds. Returns the exit code."""
        began = time.monotonic()
        for number in signals:
            self.process.send_signal(number)
            time.sleep(0.1)
        code = self.process.wait(20)
        assert time.monotonic() - began < SECONDS, self.log.read_text()
        return code


@contextmanager
def serving(config: Path) -> Iterator[Service]:
    """Let the service run; it is gone afterwards."""
    service = Service(config, config.with_name("log"))
    try:
        yield service
    finally:
        service.process.kill()
        service.process.wait()


@pytest.fixture
def zine(tmp_path: Path) -> Callable[..., Path]:
    """Write a config whose servers are at these ports, with Eriwan just started: seven mails wait."""

    def make(imap: int, smtp: int, **more: Any) -> Path:
        login = {"username": GM_ADDRESS, "password": "x", "port": imap, **more}
        config = write_config(tmp_path / "zine", words=["ROT"], more={"imap": login, "smtp": {"port": smtp}})
        with closing(open_app(load(config))) as app:
            begin_eriwan(app)
        return config

    return make


@pytest.fixture
def server() -> Iterator[MailServer]:
    """A mail server with a box for everybody."""
    with MailServer({GM_ADDRESS: "x", **{address_of(name): "x" for name in PLAYERS}}) as server:
        yield server


def rows(config: Path, table: Any) -> list[Any]:
    """List a table."""
    app = open_app(load(config))
    try:
        with app.database.read() as session:
            return list(session.exec(select(table).order_by(table.id)).all())
    finally:
        app.close()


def test_at_rest(zine: Callable[..., Path], server: MailServer) -> None:
    """Between two passes, in IDLE, it ends at once and says so; what it sent was sent once."""
    with serving(zine(server.imap_port, server.smtp_port, idle=True)) as service:
        until("the first pass", lambda: "pass done" in service.events())
        assert service.ends(signal.SIGTERM) == 0
    events = service.events()
    assert events[0] == "service started"
    assert events[-1] == "service stopped"
    assert Counter(events)["mail sent"] == 6
    assert [len(server.mails(address_of(name))) for name in PLAYERS] == [1] * 6


def talk_smtp(line: Any, _number: int, begun: list[int]) -> None:
    """Take a letter, and never say whether it was taken."""
    line.say(b"220 here")
    while True:
        said = line.hear().upper()
        if said == b"DATA":
            begun.append(1)
            line.say(b"354 go on")
            while line.hear() != b".":
                pass
            while True:
                line.hear()
        line.say(b"221 bye" if said == b"QUIT" else b"250 fine")


def test_a_letter_under_way(zine: Callable[..., Path], server: MailServer, scripted: Any) -> None:
    """A server that keeps its answer to itself is left; the letter and all others go out with the next start."""
    begun: list[int] = []
    with scripted.ScriptedServer(lambda line, number: talk_smtp(line, number, begun)) as silent:
        config = zine(server.imap_port, silent.port)
        with serving(config) as service:
            until("the letter", lambda: begun)
            assert service.ends(signal.SIGTERM) == 0
    assert "broken off" not in service.events()
    waiting = rows(config, MailOut)
    assert {(row.status, row.lease_until, row.attempts) for row in waiting} == {("queued", None, 0)}
    config.write_text(config.read_text().replace(f"port = {silent.port}", f"port = {server.smtp_port}"))
    app = open_app(load(config))
    one_pass(app, archive=False)
    app.close()
    assert [len(server.mails(address_of(name))) for name in PLAYERS] == [1] * 6


def test_a_mailbox_that_keeps_silent(zine: Callable[..., Path], scripted: Any) -> None:
    """A server that answers nothing more is hung up on, which is no trouble; a second signal waits for nothing."""

    def talk(line: Any, _number: int) -> None:
        line.say(b"* OK here")
        while True:
            line.hear()

    with scripted.ScriptedServer(talk) as silent:
        config = zine(silent.port, 9)
        for signals, code in (((signal.SIGTERM,), 0), ((signal.SIGTERM, signal.SIGTERM), 128 + signal.SIGTERM)):
            before = silent.connections
            with serving(config) as service:
                until("the connection", lambda before=before: silent.connections > before)
                time.sleep(0.2)
                assert service.ends(*signals) == code
            assert "trouble" not in service.events()


def test_a_database_that_is_locked(zine: Callable[..., Path], server: MailServer) -> None:
    """Who waits for a lock that another process holds ends nevertheless."""
    config = zine(server.imap_port, server.smtp_port, poll_seconds=1)
    with serving(config) as service:
        until("the first pass", lambda: "pass done" in service.events())
        holder = sqlite3.connect(config.with_name("gm.db"), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        server.append(GM_ADDRESS, b"From: anna@spieler.example\r\nSubject: Hilfe\r\n\r\nHilfe\r\n")
        time.sleep(2)
        assert service.ends(signal.SIGTERM) == 0
        holder.execute("ROLLBACK")
        holder.close()
    assert server.mails(GM_ADDRESS), "it waits where it was"


# -- between any two units of work -------------------------------------------------------------------------------------


def stop_at(story: Story, number: int) -> bool:
    """Do a pass that is told to end with its so-many-th beat; says whether it came so far."""
    beats = 0

    def count() -> None:
        nonlocal beats
        beats += 1
        if beats == number:
            pulse.stop.set()

    pulse = Pulse(alive=count)
    with observed(story.app):
        tick(replace(story.app, pulse=pulse))
    return beats >= number


def test_wherever_it_ends_it_goes_on(running: Callable[..., Story], at_full_length: bool, tmp_path: Path) -> None:
    """A pass that reads, closes, writes pages and sends is ended at each beat: the next does the rest, and all once."""
    number, step, seen = 1, 1 if at_full_length else 25, 0
    while True:
        story = running(tmp_path / f"{number}")
        story.mails()
        for name in PLAYERS:
            story.writes(name, MOVE)
        story.passes(days=1)
        was_stopped = stop_at(story, number)
        story.tick(archive=True)
        story.passes(seconds=5)
        story.tick(archive=True)
        seen += was_stopped
        with story.app.database.read() as session:
            mails = session.exec(select(MailIn)).all()
            assert [(row.status, row.attempts) for row in mails] == [("applied", 1)] * 6
            assert desk.named(session, "Eriwan").round == 2
        sent = Counter(mail.message_id for _, mail in story.mails())
        assert (len(sent), set(sent.values())) == (12, {1})
        if not was_stopped:
            break
        number += step
    assert seen > (40 if at_full_length else 2)
