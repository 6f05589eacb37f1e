"""Two `gm serve` processes on one database and one mailbox share the work, and nobody is answered twice."""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import pytest
from processes import answers, begin_eriwan, serving
from sqlmodel import select
from waiting import until

from gm.app.context import open_app
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, write_config, write_mail
from gm.runtime.config.settings import load
from gm.store.tables import MailIn
from gm.transport.doubles.embedded_server import MailServer
from parsers.mime.message import read_mail

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


def test_two_services_share_one_mailbox(server: MailServer, config: Path) -> None:
    """Forty moves come in while both run: each is stored once, answered once, and moved away."""
    app = open_app(load(config))
    begin_eriwan(app)
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
        until("all answers", lambda: len(answers(server, *PLAYERS)) >= 42)
        until("an empty inbox", lambda: not server.mails(GM_ADDRESS))
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
    app = open_app(load(config))
    begin_eriwan(app)
    with ExitStack() as stack:
        stack.callback(app.close)
        stack.enter_context(serving(config))
        until("the mark", lambda: server.mails(GM_ADDRESS, "GM/Owner"))
        foreign = stack.enter_context(serving(other))
        assert foreign.stdout
        assert any("is served by another database" in line for line in islice(foreign.stdout, 50))
        server.append(GM_ADDRESS, write_mail(address_of(PLAYERS[0]), MOVE.format("E"), name=PLAYERS[0]))
        until("the answer", lambda: answers(server, PLAYERS[0]))
        time.sleep(2.5)
    assert len(answers(server, PLAYERS[0])) == 1
