"""Two `gm serve` processes on one database and one mailbox: one serves, the other stands by and takes over."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from processes import answers, become_another, begin_eriwan, command, serving
from sqlmodel import select
from waiting import TIMEOUT, until

from gm.app.context import open_app
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, write_config, write_mail
from gm.runtime.config.settings import load
from gm.store.tables import MailIn
from gm.transport.doubles.embedded_server import MailServer

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


def says(service: subprocess.Popen[str], what: str) -> None:
    """Wait until a service logs this."""
    assert service.stdout
    assert any(what in line for line in service.stdout)


def test_the_one_that_stands_by_takes_over(server: MailServer, config: Path) -> None:
    """Forty moves come in, and the one that serves is killed: each is stored once, answered, and moved away."""
    app = open_app(load(config))
    begin_eriwan(app)
    with ExitStack() as stack:
        stack.callback(app.close)
        leader = stack.enter_context(serving(config))
        until("the mark", lambda: server.mails(GM_ADDRESS, "GM/Owner"))
        other = stack.enter_context(serving(config))
        says(other, "this one stands by")
        for number in range(42):
            name = PLAYERS[number % 6]
            server.append(GM_ADDRESS, write_mail(address_of(name), MOVE.format("ENARIST"[number // 6]), name=name))
            if number == 20:
                until("the first answers", lambda: answers(server, *PLAYERS))
                leader.kill()
        says(other, "serves the zine from now on")
        until("all answers", lambda: len(set(answers(server, *PLAYERS))) >= 42)
        until("an empty inbox", lambda: not server.mails(GM_ADDRESS))
        assert other.poll() is None
    found = answers(server, *PLAYERS)
    assert len(set(found)) == 42
    assert len(found) <= 42 + 1, "what went out and was not noted yet when the first one died"
    with app.database.read() as session:
        rows = session.exec(select(MailIn).order_by(MailIn.id)).all()
        assert len(rows) == len({row.uid for row in rows}) == 42
        # Whether a move is legal is another matter; none may be taken for a copy of itself.
        assert {row.status for row in rows} <= {"applied", "refused"}
    app.close()
    assert len(server.mails(GM_ADDRESS, "GM/Processed")) == 42
    owners = [re.search(rb"X-GM-Owner: (\S+)", raw) for raw in server.mails(GM_ADDRESS, "GM/Owner")]
    assert len({found[1] for found in owners if found}) == 1


def test_one_that_stands_still_keeps_the_lead(server: MailServer, config: Path) -> None:
    """With the zine in a file, nobody takes over from a process that is only frozen; awake again it goes on."""
    with closing(open_app(load(config))) as app:
        begin_eriwan(app)
        with serving(config) as leader:
            until("the mark", lambda: server.mails(GM_ADDRESS, "GM/Owner"))
            with serving(config) as other:
                says(other, "this one stands by")
                leader.send_signal(signal.SIGSTOP)
                server.append(GM_ADDRESS, write_mail(address_of(PLAYERS[0]), MOVE.format("E"), name=PLAYERS[0]))
                assert not app.database.lead()
                leader.send_signal(signal.SIGCONT)
                until("the answer", lambda: answers(server, PLAYERS[0]))
                assert [leader.poll(), other.poll()] == [None, None]
    assert len(answers(server, PLAYERS[0])) == 1


def test_one_pass_beside_the_service(server: MailServer, config: Path) -> None:
    """While a service runs, `gm serve --once` has nothing to do, and says so."""
    app = open_app(load(config))
    begin_eriwan(app)
    app.close()
    with serving(config):
        until("the mark", lambda: server.mails(GM_ADDRESS, "GM/Owner"))
        once = subprocess.run(command(config, "serve", "--once"), capture_output=True, text=True, timeout=TIMEOUT)
    assert once.stdout == "Another gm serve has this zine's database; there is nothing to do here.\n"
    assert once.returncode == 0


def test_two_databases_at_one_mailbox(server: MailServer, config: Path, tmp_path: Path) -> None:
    """Two zines' `gm serve`, begun at once at a mailbox without a mark: one serves, the other says so and ends."""
    login = {"username": GM_ADDRESS, "password": "x"}
    imap = {**login, "port": server.imap_port, "poll_seconds": 1, "idle": True}
    other = write_config(tmp_path / "other", more={"imap": imap, "smtp": {"port": server.smtp_port}})
    for one in (config, become_another(other)):
        with closing(open_app(load(one))) as app:
            begin_eriwan(app)
    with ExitStack() as stack:
        services = [stack.enter_context(serving(one)) for one in (config, other)]
        until("one ends", lambda: any(service.poll() is not None for service in services))
        (ended,) = (service for service in services if service.poll() is not None)
        assert ended.stdout
        assert "is served by another database" in ended.stdout.read()
        assert ended.returncode == 1
        server.append(GM_ADDRESS, write_mail(address_of(PLAYERS[0]), MOVE.format("E"), name=PLAYERS[0]))
        until("the answer", lambda: answers(server, PLAYERS[0]))
        assert [service.poll() for service in services if service is not ended] == [None]
    assert len(answers(server, PLAYERS[0])) == 1
