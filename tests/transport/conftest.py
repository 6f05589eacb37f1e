"""Fixtures for mail servers; each mailbox of them has the same interface: `deliver`, `inbox`, `idler`, `mails`."""

from __future__ import annotations

import itertools
import smtplib
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import mail_servers
import mailclients
import oauth_server
import pytest
import scripted_server
import zine_on_servers
from imapclient import IMAPClient
from waiting import TIMEOUT, until

from gm.runtime.config.settings import ImapSettings, Secret, SmtpSettings
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.doubles.in_memory import MemoryInbox, MemoryServer
from gm.transport.imap.idle import Idler
from gm.transport.imap.inbox import Inbox

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def scripted() -> ModuleType:
    """The module of scripted servers."""
    return scripted_server


@pytest.fixture
def eventually() -> Callable[[Callable[[], Any]], Any]:
    """Wait for a condition, and return what it gave."""
    return partial(until, "what was to happen")


def imap_settings(port: int, username: str = "gm@local.test", **others: Any) -> ImapSettings:
    """Settings for a server on this machine, or any other, also such as the config would refuse."""
    given = {"host": "127.0.0.1", "security": "none", "password": Secret("secret"), **others}
    return ImapSettings.model_construct(port=port, username=username, **given)


def smtp_settings(port: int, **others: Any) -> SmtpSettings:
    """Settings for a server on this machine, or any other, also such as the config would refuse."""
    return SmtpSettings.model_construct(**{"host": "127.0.0.1", "port": port, "security": "none", **others})


@pytest.fixture(scope="session", name="imap_settings")
def imap_settings_fixture() -> Callable[..., ImapSettings]:
    """Make settings: `imap_settings(port)`."""
    return imap_settings


@pytest.fixture(scope="session", name="smtp_settings")
def smtp_settings_fixture() -> Callable[..., SmtpSettings]:
    """Make settings: `smtp_settings(port)`."""
    return smtp_settings


@pytest.fixture(scope="session")
def embedded_server() -> Iterator[MailServer]:
    """The demo's server with some accounts, each for one test."""
    users = {f"{name}{number}@local.test": "secret" for name in ("gm", "anna") for number in range(1, 200)}
    with MailServer(users) as server:
        yield server


def _real(**options: Any) -> Iterator[Any]:
    if reason := mail_servers.missing(postfix=options.get("postfix", False), tls=options.get("tls", False)):
        pytest.skip(reason)
    with mail_servers.MailServers(**options) as server:
        yield server


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Any]:
    """Dovecot as Debian has it."""
    yield from _real()


@pytest.fixture(scope="session")
def dotted_dovecot() -> Iterator[Any]:
    """Dovecot as some providers have it: folders are INBOX.Name, and there is no MOVE."""
    yield from _real(separator=".", prefix="INBOX.", capability="IMAP4rev1 NAMESPACE UIDPLUS IDLE")


@pytest.fixture(scope="session")
def old_dovecot() -> Iterator[Any]:
    """Dovecot that offers no extension at all."""
    yield from _real(capability="IMAP4rev1")


@pytest.fixture(scope="session")
def tls_dovecot() -> Iterator[Any]:
    """Dovecot with a self-signed certificate."""
    yield from _real(tls=True)


@pytest.fixture(scope="session")
def postfix() -> Iterator[Any]:
    """Postfix that delivers to a Dovecot of its own."""
    yield from _real(postfix=True)


@pytest.fixture(scope="module")
def authorising(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The servers that give tokens."""
    with oauth_server.Authority(tmp_path_factory.mktemp("authority")) as server:
        yield server


@pytest.fixture(scope="module")
def token_mail(authorising: Any) -> Iterator[Any]:
    """Postfix and Dovecot that take their tokens."""
    yield from _real(postfix=True, introspection=f"{authorising.url}/introspect")


@pytest.fixture
def world_of(postfix: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a zine on Postfix and Dovecot for these players: `world_of(*names)`."""
    with ExitStack() as stack:
        yield lambda *players: stack.enter_context(
            zine_on_servers.ZineOnServers(tmp_path / "zine", players).on(postfix)
        )


@pytest.fixture
def mail_client(tmp_path: Path) -> Callable[[str, Any, str], Any]:
    """Set a mail program up for a player: `mail_client("mutt", world, name)`."""

    def make(program: str, world: Any, name: str) -> Any:
        if reason := mailclients.missing(program):
            pytest.skip(reason)
        ports = {"smtp_port": world.smtp_port, "imap_port": world.imap_port}
        return mailclients.CLIENTS[program](home=tmp_path / program, name=name, address=world.address(name), **ports)

    return make


@pytest.fixture(scope="session")
def seat_of() -> Callable[..., dict[str, Any]]:
    """Return a seat of Eriwan: `seat_of(app, name, viewer)`."""
    return zine_on_servers.seat


class MemoryMailbox:
    """The in-memory doubles."""

    def __init__(self) -> None:
        self.server = MemoryServer()

    def deliver(self, raw: bytes, at: datetime | None = None, folder: str = "INBOX") -> None:
        self.server.deliver(raw, at or datetime.now(UTC), folder)

    def inbox(self, **_: Any) -> MemoryInbox:
        return MemoryInbox(self.server)

    def mails(self, folder: str) -> list[bytes]:
        return [kept.raw for kept in self.server.folders.get(folder, {}).values()]


class ImapMailbox:
    """A server that speaks IMAP; every test has an account of its own there."""

    def __init__(self, port: int, separator: str = "/", prefix: str = "") -> None:
        self.settings = imap_settings(port, f"gm{next(_numbers)}@local.test")
        self._separator, self._prefix = separator, prefix
        self._open = ExitStack()

    def deliver(self, raw: bytes, at: datetime | None = None, folder: str = "INBOX") -> None:
        with self.client() as client:
            name = folder if folder == "INBOX" else self._prefix + folder
            if not client.folder_exists(name):
                client.create_folder(name)
            client.append(name, raw, msg_time=at or datetime.now(UTC))

    def inbox(self, **options: Any) -> Inbox:
        inbox = Inbox(self.settings, **options)
        self._open.callback(inbox.close)
        return inbox

    def idler(self, wake: Callable[[], None]) -> Any:
        idler = Idler(self.settings, wake, first_pause=0.02)
        self._open.callback(idler.stop)
        return idler

    def mails(self, folder: str) -> list[bytes]:
        name = folder if folder == "INBOX" else self._prefix + folder.replace("/", self._separator)
        with self.client() as client:
            if not client.folder_exists(name):
                return []
            client.select_folder(name, readonly=True)
            return [found[b"BODY[]"] for found in client.fetch(client.search("ALL"), ["BODY.PEEK[]"]).values()]

    def client(self) -> IMAPClient:
        client = IMAPClient("127.0.0.1", self.settings.port, ssl=False, timeout=TIMEOUT)
        # As in the product: without it each command waits 40 ms for an acknowledgement.
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.login(self.settings.username, "secret")
        return client

    def close(self) -> None:
        self._open.close()


REAL = pytest.mark.server
MAILBOXES = {
    "memory": None,
    "embedded": ("embedded_server", {}),
    "dovecot": ("dovecot", {}),
    "dotted": ("dotted_dovecot", {"separator": ".", "prefix": "INBOX."}),
    "old": ("old_dovecot", {}),
}


@pytest.fixture(params=[pytest.param(name, marks=REAL if name[0] in "do" else ()) for name in MAILBOXES])
def mailbox(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A mailbox on each server in turn: the same tests must pass on all of them."""
    entry = MAILBOXES[request.param]
    if entry is None:
        yield MemoryMailbox()
        return
    server = request.getfixturevalue(entry[0])
    mailbox = ImapMailbox(server.imap_port, **entry[1])
    yield mailbox
    mailbox.close()


@pytest.fixture
def dovecot_mailbox(dovecot: Any) -> Iterator[ImapMailbox]:
    """An account on Dovecot."""
    mailbox = ImapMailbox(dovecot.imap_port)
    yield mailbox
    mailbox.close()


@pytest.fixture
def send_mail() -> Callable[[int, str, bytes], None]:
    """Hand a mail in by the standard library's SMTP client."""

    def send(port: int, recipient: str, raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", port, timeout=TIMEOUT) as client:
            client.sendmail("anna@local.test", [recipient], raw)

    return send


@pytest.fixture(scope="session")
def dovecot_client() -> Callable[[int, str], IMAPClient]:
    """Log in as a player: `with dovecot_client(port, name) as client`."""

    def connect(port: int, username: str) -> IMAPClient:
        client = IMAPClient("127.0.0.1", port, ssl=False, timeout=TIMEOUT)
        client.login(username, "secret")
        return client

    return connect
