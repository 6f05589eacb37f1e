"""Two `gm serve` processes on one database and one mailbox: they share the work, and nobody is answered twice."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path

import pytest
from sqlmodel import select

from gm.app import App, open_app
from gm.config import load
from gm.mailbox.embedded import MailServer
from gm.play import desk
from gm.store.tables import MailIn
from gm.testing import GM_ADDRESS, PLAYERS, address_of, write_config, write_mail
from parsers.message import read_mail

MOVE = "Crossword Eriwan\nNeu: {}\nDNTIRO" + "\n......" * 5


@pytest.fixture
def server() -> Iterator[MailServer]:
    """A mail server with a box for everybody."""
    users = {GM_ADDRESS: "x", "cici@postspiel.example": "x", **{address_of(name): "x" for name in PLAYERS}}
    with MailServer(users) as server:
        yield server


@pytest.fixture
def config(server: MailServer, tmp_path: Path) -> Path:
    """A zine on that server, polled each second."""
    login = {"username": GM_ADDRESS, "password": "x"}
    imap = {**login, "port": server.imap_port, "poll_seconds": 1, "idle": True}
    return write_config(tmp_path / "zine", words=["ROT"], more={"imap": imap, "smtp": {"port": server.smtp_port}})


@contextmanager
def serving(config: Path, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """A `gm serve` of its own, ended as systemd does it."""
    command = [sys.executable, "-c", "from gm.cli import main; main()", "serve", "--config", str(config), *words]
    service = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield service
    finally:
        if service.poll() is None:
            service.send_signal(signal.SIGTERM)
        service.communicate(timeout=20)


def await_(what: str, condition: Callable[[], object]) -> None:
    """Wait until it is true, a minute at most."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.1)


def start_a_game(config: Path) -> App:
    """Let six players begin Eriwan."""
    app = open_app(load(config))
    desk.new_game(app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        desk.join(app, "Eriwan", name, address_of(name), wish)
    desk.start(app, "Eriwan")
    return app


def answers(server: MailServer, name: str) -> list[str]:
    """List the answers in a player's box, by the mail that they answer."""
    mails = [read_mail(raw) for raw in server.mails(address_of(name))]
    return [mail.in_reply_to for mail in mails if mail.in_reply_to]


def test_two_services_share_one_mailbox(server: MailServer, config: Path) -> None:
    """Forty moves come in while both run: each is stored once, answered once, and moved away."""
    app = start_a_game(config)
    with ExitStack() as stack:
        stack.callback(app.close)
        services = [stack.enter_context(serving(config)) for _ in range(2)]
        for service in services:  # its first line comes when it has begun
            assert service.stdout
            assert "serves" in service.stdout.readline()
        for number in range(42):
            name = PLAYERS[number % 6]
            server.append(GM_ADDRESS, write_mail(address_of(name), MOVE.format("ENARIST"[number // 6]), name=name))
            time.sleep(0.02)
        await_("all answers", lambda: sum(len(answers(server, name)) for name in PLAYERS) >= 42)
        await_("an empty inbox", lambda: not server.mails(GM_ADDRESS))
        time.sleep(2.5)  # two more polls of each
        assert all(service.poll() is None for service in services)
    for name in PLAYERS:
        found = answers(server, name)
        assert (len(found), len(set(found))) == (7, 7), [read_mail(raw) for raw in server.mails(address_of(name))]
    with app.database.read() as session:
        rows = session.exec(select(MailIn).order_by(MailIn.id)).all()
        assert len(rows) == len({row.uid for row in rows}) == 42
        # Whether a move is legal is another matter; none may be taken for a copy of itself.
        assert {row.status for row in rows} <= {"applied", "refused"}
    app.close()
    assert len(server.mails(GM_ADDRESS, "GM/Processed")) == 42
    owners = [re.search(rb"X-GM-Owner: (\S+)", raw) for raw in server.mails(GM_ADDRESS, "GM/Owner")]
    assert len({found[1] for found in owners if found}) == 1


def test_a_service_with_another_database_stands_aside(server: MailServer, config: Path, tmp_path: Path) -> None:
    """The second zine's `gm serve` says whose the mailbox is and answers nobody; the first one's works on."""
    login = {"username": GM_ADDRESS, "password": "x"}
    imap = {**login, "port": server.imap_port, "poll_seconds": 1, "idle": True}
    other = write_config(tmp_path / "other", more={"imap": imap, "smtp": {"port": server.smtp_port}})
    app = start_a_game(config)
    with ExitStack() as stack:
        stack.callback(app.close)
        stack.enter_context(serving(config))
        await_("the mark", lambda: server.mails(GM_ADDRESS, "GM/Owner"))
        foreign = stack.enter_context(serving(other))
        assert foreign.stdout
        assert any("is served by another database" in line for line in islice(foreign.stdout, 50))
        server.append(GM_ADDRESS, write_mail(address_of(PLAYERS[0]), MOVE.format("E"), name=PLAYERS[0]))
        await_("the answer", lambda: answers(server, PLAYERS[0]))
        time.sleep(2.5)
    assert len(answers(server, PLAYERS[0])) == 1
