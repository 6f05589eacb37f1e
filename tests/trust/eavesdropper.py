"""A server in the middle that keeps every byte it receives, and the clients that might tell it a secret."""

from __future__ import annotations

import base64
import contextlib
import gc
import socket
import ssl
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from waiting import NEVER, TIMEOUT, until

from gm.runtime.config.settings import ImapSettings, Secret, SmtpSettings
from gm.runtime.errors import DeliveryError, MailboxError
from gm.transport.imap.idle import Idler
from gm.transport.imap.inbox import Inbox
from gm.transport.smtp.letters import Letter
from gm.transport.smtp.outbox import Outbox

PASSWORD = "canary-password-1"
USER = "gm@local.test"


class Listener:
    """Speaks IMAP, SMTP or HTTP and keeps every byte that a client sends, as received and decrypted."""

    def __init__(self, protocol: str, *, certificate: Path | None, how: str = "tls") -> None:
        self.protocol, self.certificate, self.how = protocol, certificate, how
        self.heard = b""
        self.logins = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._open: list[socket.socket] = []

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self._listening, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._thread.join(TIMEOUT)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(connection)
            with contextlib.suppress(OSError, ValueError):
                connection.settimeout(TIMEOUT)
                self._talk(self._wrapped(connection) if self.how == "tls" else connection)

    def _wrapped(self, connection: socket.socket) -> socket.socket:
        assert self.certificate
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.certificate.with_suffix(".key"))
        wrapped = context.wrap_socket(connection, server_side=True)
        self._open.append(wrapped)
        return wrapped

    def _talk(self, connection: socket.socket) -> None:
        speak = {"imap": self._imap, "smtp": self._smtp, "http": self._http}[self.protocol]
        if self.protocol != "http":
            connection.sendall(b"* OK ready\r\n" if self.protocol == "imap" else b"220 ready\r\n")
        while line := self._line(connection):
            answer = speak(line)
            if answer == b"STARTTLS":
                go_on = b"250 go on\r\n" if self.protocol == "smtp" else line.split()[0] + b" OK go on\r\n"
                connection.sendall(go_on.replace(b"250", b"220") + self._injected(line))
                connection = self._wrapped(connection)
            else:
                connection.sendall(answer)
            if self.protocol == "http":  # who hangs up on unread words takes the answer away again
                with contextlib.suppress(OSError):
                    while connection.recv(4096):
                        pass
            if self.protocol == "http" or line.strip().upper().endswith((b"QUIT", b"LOGOUT")):
                connection.close()
                return

    def _injected(self, line: bytes) -> bytes:
        """Put in words that seem to come from behind the encryption."""
        if self.how != "injected":
            return b""
        tag = b"%s%d" % (line[:4], int(line.split()[0][4:] or b"0") + 1) if self.protocol == "imap" else b""
        return {
            "imap": b"* CAPABILITY IMAP4rev1 LOGINDISABLED\r\n" + tag + b" NO injected\r\n",
            "smtp": b"250-injected\r\n250 AUTH INJECTED\r\n",
        }[self.protocol]

    def _line(self, connection: socket.socket) -> bytes:
        line = b""
        while not line.endswith(b"\n") and (byte := connection.recv(1)):
            line += byte
        self.heard += line
        return line

    def _imap(self, line: bytes) -> bytes:
        tag, _, rest = line.strip().partition(b" ")
        offers = b" STARTTLS" if self.how in ("starttls", "injected") else b""
        match rest.split()[0].upper() if rest else b"":
            case b"CAPABILITY":
                return b"* CAPABILITY IMAP4rev1 AUTH=PLAIN IDLE" + offers + b"\r\n" + tag + b" OK done\r\n"
            case b"STARTTLS" if offers:
                return b"STARTTLS"
            case b"STARTTLS":
                return tag + b" BAD what?\r\n"
            case b"LOGIN":
                self.logins += 1
            case b"SELECT" | b"EXAMINE":
                return b"* 0 EXISTS\r\n" + tag + b" OK done\r\n"
        return tag + b" OK done\r\n"

    def _smtp(self, line: bytes) -> bytes:
        offers = b"250-STARTTLS\r\n" if self.how in ("starttls", "injected") else b""
        match line.split()[0].upper() if line.strip() else b"":
            case b"EHLO":
                return b"250-ready\r\n" + offers + b"250 AUTH PLAIN LOGIN\r\n"
            case b"STARTTLS" if offers:
                return b"STARTTLS"
            case b"STARTTLS":
                return b"502 what?\r\n"
            case b"AUTH":
                self.logins += 1
                return b"235 welcome\r\n"
        return b"250 ok\r\n"

    def _http(self, _line: bytes) -> bytes:
        return b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    def has_heard(self, secret: str) -> bool:
        """Whether the secret went over the wire, in any of the ways in which a login writes it."""
        blob = base64.b64encode(f"\0{USER}\0{secret}".encode())
        return any(form in self.heard for form in (secret.encode(), blob, base64.b64encode(secret.encode())))


Try = Callable[[int, str], None]


def settings(kind: Any, port: int, security: str) -> Any:
    """Settings with a password that must not be told to anybody."""
    return kind(host="127.0.0.1", port=port, security=security, username=USER, password=Secret(PASSWORD))


def read_mail(port: int, security: str) -> None:
    """Look for mail."""
    inbox = Inbox(settings(ImapSettings, port, security))
    try:
        inbox.waiting()
    finally:
        inbox.close()


def send_mail(port: int, security: str) -> None:
    """Send a mail."""
    outbox = Outbox(settings(SmtpSettings, port, security))
    try:
        list(outbox.send([Letter(id=1, sender=USER, recipient="anna@local.test", raw=b"canary-mail\r\n")]))
    finally:
        outbox.close()


def wait_for_mail(port: int, security: str) -> None:
    """Wait in IDLE; raises what it has logged, as a MailboxError."""
    woken = threading.Event()
    idler = _Telling(settings(ImapSettings, port, security), woken.set, first_pause=NEVER)
    idler.start()
    try:
        until("the idler's login, or why there is none", lambda: idler.said or woken.is_set())
    finally:
        idler.stop()
    if idler.said:
        raise MailboxError(idler.said)


class _Telling(Idler):
    """The thread that waits, which never raises."""

    said = ""

    def _log(self, sentence: str) -> None:
        self.said = sentence


TRIES: dict[str, tuple[str, Try]] = {
    "imap": ("imap", read_mail), "idle": ("imap", wait_for_mail), "smtp": ("smtp", send_mail),
}  # fmt: skip
FAILURES = (MailboxError, DeliveryError)
WAYS = [(name, security) for name in TRIES for security in ("tls", "starttls")]


@contextlib.contextmanager
def refused(listener: Listener) -> Iterator[Any]:
    """What is tried inside must fail in one sentence, and the listener must have heard neither password nor mail."""
    with pytest.raises(FAILURES) as raised:
        yield raised
    assert not listener.has_heard(PASSWORD)
    assert b"canary" not in listener.heard
    assert listener.logins == 0
    assert PASSWORD not in str(raised.value)


@contextlib.contextmanager
def trusting(authority: Path) -> Iterator[None]:
    """Let this machine trust an authority, and nobody else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(authority))
        yield
    # These servers never answer the goodbye of TLS, so sockets are left that would complain in somebody else's test.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
