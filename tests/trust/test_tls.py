"""Encryption is verified or there is no connection: whoever sits in between gets no password, no token and no mail."""

import base64
import contextlib
import gc
import socket
import ssl
import subprocess
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import HANGS, NEVER, until

from gm.config import ImapSettings, Secret, SmtpSettings
from gm.errors import DeliveryError, MailboxError
from gm.mailbox.idler import Idler
from gm.mailbox.inbox import Inbox
from gm.mailbox.outbox import Letter, Outbox
from gm.oauth.requests import NotReached, post
from gm.oauth.settings import OAuth2, finished

PASSWORD = "canary-password-1"
USER = "gm@local.test"
CERTIFICATES = {
    "right": "IP:127.0.0.1",
    "wrong name": "DNS:other.example.org",
    "expired": "IP:127.0.0.1",
    "self-signed": "IP:127.0.0.1",
}
BAD = [name for name in CERTIFICATES if name != "right"]


# -- certificates ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority and the certificates that a server may show; made with the command openssl."""
    folder = tmp_path_factory.mktemp("certificates")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
    (folder / "ca.conf").write_text(
        "[ca]\ndefault_ca = a\n[a]\ndatabase = index\nnew_certs_dir = .\nserial = serial\ndefault_md = sha256\n"
        "policy = p\ncopy_extensions = copy\nunique_subject = no\n[p]\ncommonName = supplied\n"
    )
    (folder / "index").write_text("")
    (folder / "serial").write_text("01\n")
    for name, alternative in CERTIFICATES.items():
        subject = ["-subj", f"/CN={name}", "-addext", f"subjectAltName={alternative}", "-keyout", f"{name}.key"]
        if name == "self-signed":
            openssl("req", "-x509", *key, "-days", "2", *subject, "-out", f"{name}.crt")
            continue
        openssl("req", *key, *subject, "-out", f"{name}.csr")
        past = ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"]
        dates = past if name == "expired" else ["-days", "2"]
        openssl("ca", "-batch", "-config", "ca.conf", "-cert", "ca.pem", "-keyfile", "ca.key", *dates,
                "-in", f"{name}.csr", "-out", f"{name}.crt")  # fmt: skip
    return folder


@pytest.fixture(autouse=True)
def trusted(certificates: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine trusts the authority: a certificate is refused for its own fault only."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates / "ca.pem"))
    yield
    # These servers never answer the goodbye of TLS, so sockets are left that would complain in somebody else's test.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


# -- a server that writes down what it hears ---------------------------------------------------------------------------


class Listener:
    """Speaks IMAP, SMTP or HTTP as one may in between, and keeps every byte that a client sends, decrypted or not."""

    def __init__(self, protocol: str, *, certificate: Path | None, how: str = "tls") -> None:
        self.protocol, self.certificate, self.how = protocol, certificate, how
        self.heard = b""
        self.logins = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._open: list[socket.socket] = []

    def __enter__(self) -> "Listener":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self._listening, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._thread.join(HANGS)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(connection)
            with contextlib.suppress(OSError, ValueError):
                connection.settimeout(HANGS)
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

    def _say(self, sentence: str) -> None:
        self.said = sentence


def ask_for_token(port: int, security: str) -> None:
    """Ask for a token; it must always be encrypted from the start."""
    one = OAuth2(provider="other", client_id="x", token_url=f"https://127.0.0.1:{port}/token", scope="mail",
                 device_url="https://127.0.0.1/device")  # fmt: skip
    post(finished(one), one.token_url, f"client_secret={PASSWORD}")


TRIES: dict[str, tuple[str, Try]] = {
    "imap": ("imap", read_mail), "idle": ("imap", wait_for_mail), "smtp": ("smtp", send_mail),
    "token": ("http", ask_for_token),
}  # fmt: skip
FAILURES = (MailboxError, DeliveryError, NotReached)
WAYS = [(name, security) for name in TRIES for security in ("tls", "starttls") if name != "token" or security == "tls"]


@contextlib.contextmanager
def refused(listener: Listener) -> Iterator[Any]:
    """What is tried inside must fail in one sentence, and the listener must have heard neither password nor mail."""
    with pytest.raises(FAILURES) as raised:
        yield raised
    assert not listener.has_heard(PASSWORD)
    assert b"canary" not in listener.heard
    assert listener.logins == 0
    assert PASSWORD not in str(raised.value)


# -- the promises ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "security"), WAYS)
@pytest.mark.parametrize("fault", BAD)
def test_a_bad_certificate(fault: str, name: str, security: str, certificates: Path) -> None:
    """A certificate by nobody we trust, for another server or out of date ends it, before anything is told."""
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=certificates / f"{fault}.crt", how=security) as listener:
        with refused(listener) as raised:
            attempt(listener.port, security)
        assert "its certificate is not trusted" in str(raised.value)


@pytest.mark.parametrize(("name", "security"), [way for way in WAYS if way[0] != "idle"])
def test_a_good_certificate(name: str, security: str, certificates: Path) -> None:
    """The same server with a right certificate gets the login: the refusals above are the certificate's doing."""
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=certificates / "right.crt", how=security) as listener:
        with contextlib.suppress(*FAILURES):  # it is no whole server
            attempt(listener.port, security)
        assert listener.logins == 1 or (name == "token" and listener.heard.startswith(b"POST /token"))
        assert name == "token" or listener.has_heard(PASSWORD)


@pytest.mark.parametrize("name", ["imap", "idle", "smtp"])
def test_starttls_taken_away(name: str) -> None:
    """Where somebody has taken the offer of STARTTLS out, there is no login without it."""
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=None, how="none") as listener, refused(listener):
        attempt(listener.port, "starttls")


@pytest.mark.parametrize("name", TRIES)
def test_plain_text_on_an_encrypted_port(name: str) -> None:
    """Where TLS is wanted and plain text comes, nothing is said at all."""
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=None, how="none") as listener, refused(listener) as raised:
        attempt(listener.port, "tls")
    said = str(raised.value)  # by whose words came first, its own or the server's
    assert "no encryption could be agreed on" in said or "the connection failed" in said or "broke off" in said


@pytest.mark.parametrize("name", ["imap", "idle", "smtp"])
def test_words_put_in_before_the_encryption(name: str, certificates: Path) -> None:
    """What was sent in plain text behind the answer to STARTTLS isn't taken for the server's own words.

    Those would forbid the login. It is made: with what the server has said behind the encryption.
    """
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=certificates / "right.crt", how="injected") as listener:
        with contextlib.suppress(*FAILURES):
            attempt(listener.port, "starttls")
        assert listener.logins == 1


def test_a_token_is_asked_from_nobody_else(certificates: Path) -> None:
    """A redirection isn't followed: what is sent holds secrets."""

    class Detour(Listener):
        def _http(self, _line: bytes) -> bytes:
            return b"HTTP/1.1 307 there\r\nLocation: https://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n" % other.port

    right = certificates / "right.crt"
    with Listener("http", certificate=right) as other, Detour("http", certificate=right) as listener:
        with pytest.raises(NotReached, match="it answered 307"):
            ask_for_token(listener.port, "tls")
        assert other.heard == b""


@pytest.mark.parametrize("name", ["imap", "smtp"])
def test_no_plain_text_to_other_machines(name: str) -> None:
    """Without encryption nothing but this machine is spoken to, whatever the settings say."""
    kind, use = (SmtpSettings, Outbox) if name == "smtp" else (ImapSettings, Inbox)
    one: Any = use(kind(host="192.0.2.1", port=9, security="none", username=USER, password=Secret(PASSWORD)))
    assert [check.status for check in one.check()] == ["fail"]
