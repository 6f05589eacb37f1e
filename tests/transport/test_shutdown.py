"""SIGTERM: `gm serve` ends within five seconds with exit code 0, whatever it is doing; nothing is lost or doubled.

After 4.2 seconds it is cut off, which is soon on a busy machine. So tests of the orderly end switch the cut-off away,
and tests of the cut-off block everything else that could end the process.
"""

import re
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import proxy
import pytest
from crashes import CrashPlan, files_below, with_boundaries
from processes import begin_eriwan, command
from sqlmodel import select
from waiting import NEVER, TIMEOUT, until

from gm.app.context import open_app
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, observed, one_pass, quicken, write_config
from gm.runtime.config.settings import load
from gm.runtime.stop_signal import StopSignal
from gm.service import shutdown
from gm.service.tick import tick
from gm.store.queries import game_queries
from gm.store.tables import MailIn, MailOut
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.smtp.letters import Limits

PATIENT = f"import gm.service.shutdown; gm.service.shutdown.LAST = {NEVER}"
WAITS_FOR_NOBODY = f"{PATIENT}; gm.service.shutdown.POLITE = {NEVER}"
WAITS_FOR_A_LOCK = f"from gm.app.context import open_app; open_app.__kwdefaults__['lock_seconds'] = {NEVER}"
WAITS_FOR_A_LOGIN = f"import gm.transport.imap.connection; gm.transport.imap.connection.CONNECT_TIMEOUT = {NEVER}"
"""How a process is prepared."""
MOVE = "Crossword Eriwan\nNeu: E\nDNTIRO" + "\n......" * 5


class Service:
    """A `gm serve` of its own, and all that it has logged."""

    def __init__(self, config: Path, log: Path, prepared: str) -> None:
        self.log = log
        python, option, code, *words = command(config, "serve")
        with log.open("wb") as written:
            self.process = subprocess.Popen(
                [python, option, f"{prepared}\n{code}", *words], stdout=written, stderr=subprocess.STDOUT
            )

    def said(self) -> list[str]:
        """The sentences that were logged, each a line behind its time and level."""
        return [line.split(" ", 3)[3] for line in self.log.read_text().splitlines()]

    def is_past_its_first_pass(self) -> bool:
        """Return whether a pass was logged."""
        return any("mails handled, " in line for line in self.said())

    def ends(self, *signals: int) -> int:
        """Send the signals, each when the one before has been heard, and wait for the end. Returns the exit code."""
        for number in signals:
            until("the end of the signal before", lambda: not self._pending())
            self.process.send_signal(number)
        return self.process.wait(TIMEOUT)

    def _pending(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"^ShdPnd:\s*(\w+)", status, re.MULTILINE)[0], 16)


@contextmanager
def serving(config: Path, prepared: str = PATIENT) -> Iterator[Service]:
    """Let the service run; it is gone afterwards."""
    service = Service(config, config.with_name("log"), prepared)
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


def test_all_limits_together_are_below_five_seconds() -> None:
    """Servers are hung up on first, then letters under way are given up, and then it ends as it stands: in time."""
    assert shutdown.POLITE < Limits().last_words < shutdown.LAST < 5


@pytest.mark.trust
def test_at_rest(zine: Callable[..., Path], server: MailServer) -> None:
    """Between two passes, in IDLE, it ends at once and says so; what it sent was sent once."""
    with serving(zine(server.imap_port, server.smtp_port, idle=True)) as service:
        until("the first pass", service.is_past_its_first_pass)
        assert service.ends(signal.SIGTERM) == 0
    first, *others, last = service.said()
    assert re.fullmatch(r"gm \S+ serves \S+; Ctrl-C ends it", first)
    assert last == "the service ends (SIGTERM)"
    assert len([line for line in others if re.fullmatch(r"mail o\d+ sent", line)]) == 6
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


@pytest.mark.trust
def test_a_letter_under_way(zine: Callable[..., Path], server: MailServer, scripted: Any) -> None:
    """A server that keeps its answer to itself is left; the letter and all others go out with the next start."""
    begun: list[int] = []
    with scripted.ScriptedServer(lambda line, number: talk_smtp(line, number, begun)) as silent:
        config = zine(server.imap_port, silent.port)
        with serving(config) as service:
            until("the letter", lambda: begun)
            assert service.ends(signal.SIGTERM) == 0
    assert "broken off" not in service.log.read_text()
    waiting = rows(config, MailOut)
    assert {(row.status, row.sending, row.attempts) for row in waiting} == {("queued", False, 0)}
    config.write_text(config.read_text().replace(f"port = {silent.port}", f"port = {server.smtp_port}"))
    app = open_app(load(config))
    one_pass(app, archive=False)
    app.close()
    assert [len(server.mails(address_of(name))) for name in PLAYERS] == [1] * 6


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("until_it_says", "signals", "code", "prepared"),
    [
        (b"STATUS", 1, 0, PATIENT), (b"CAPABILITY", 1, 0, WAITS_FOR_A_LOGIN),
        (b"CAPABILITY", 2, 128 + signal.SIGTERM, WAITS_FOR_NOBODY),
    ],
    ids=["hung up on", "as it stands", "a second signal"],
)  # fmt: skip
def test_a_mailbox_that_keeps_silent(
    zine: Callable[..., Path], scripted: Any, until_it_says: bytes, signals: int, code: int, prepared: str
) -> None:
    """A server that answers nothing more is hung up on, which is no trouble; a second signal waits for nothing."""
    heard: list[bytes] = []

    def talk(line: Any, _number: int) -> None:
        heard.append(scripted.imap_until(line, until_it_says))
        line.hear()

    with scripted.ScriptedServer(talk) as silent, serving(zine(silent.port, 9), prepared) as service:
        until("the command", lambda: heard)
        assert service.ends(*[signal.SIGTERM] * signals) == code
    assert not [line for line in service.said() if "IMAP" in line]


@pytest.mark.trust
def test_a_database_that_is_locked(zine: Callable[..., Path], server: MailServer) -> None:
    """A process that waits for another one's lock ends nevertheless."""
    locked: list[sqlite3.Cursor] = []
    with ExitStack() as stack:
        way = stack.enter_context(proxy.Proxy(server.imap_port))
        config = zine(way.port, server.smtp_port, poll_seconds=1)
        service = stack.enter_context(serving(config, WAITS_FOR_A_LOCK))
        until("the first pass", service.is_past_its_first_pass)
        holder = sqlite3.connect(config.with_name("gm.db"), TIMEOUT, isolation_level=None, check_same_thread=False)
        # It is locked while the mail is read, and no earlier: a pass writes before that, too, and would wait there.
        way.at(b"BODY.PEEK[]", proxy.first(lambda: locked.append(holder.execute("BEGIN IMMEDIATE"))))
        server.append(GM_ADDRESS, b"From: anna@spieler.example\r\nSubject: Hilfe\r\n\r\nHilfe\r\n")
        until("the mail", lambda: locked)
        time.sleep(0.5)  # what was read is about to be stored
        assert service.ends(signal.SIGTERM) == 0
        holder.execute("ROLLBACK")
        holder.close()
    assert server.mails(GM_ADDRESS), "it waits where it was"


# -- between any two units of work -------------------------------------------------------------------------------------


def stop_at(story: Story, number: int) -> bool:
    """Do a pass that is told to end at its so-many-th boundary; says whether it came so far."""
    stop_signal = StopSignal()
    plan = CrashPlan(at=number, die=stop_signal.set)
    site = story.app.settings.archive.path
    with observed(story.app), closing(with_boundaries(story.app, plan, quicken)) as app, files_below(site, plan):
        tick(replace(app, stop_signal=stop_signal))
    return plan.is_dead


@pytest.mark.trust
def test_wherever_it_ends_it_goes_on(running: Callable[..., Story], at_full_length: bool, tmp_path: Path) -> None:
    """A pass that reads, closes, writes pages and sends is stopped after each unit of work; the next does the rest."""
    number, step, seen = 0, 1 if at_full_length else 25, 0
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
            assert [(row.status, row.attempts) for row in mails] == [("applied", 0)] * 6
            assert game_queries.named(session, "Eriwan").round == 2
        sent = Counter(mail.message_id for _, mail in story.mails())
        assert (len(sent), set(sent.values())) == (12, {1})
        if not was_stopped:
            break
        number += step
    assert seen > (40 if at_full_length else 2)
