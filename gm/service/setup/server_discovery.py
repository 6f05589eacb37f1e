"""Mail servers for `gm init`: read as the GM writes them, or found by the usual names in a domain."""

import contextlib
import re
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from gm.runtime.config.hosts import is_loopback
from gm.runtime.config.settings import Encryption
from gm.runtime.errors import Refused

Kind: TypeAlias = Literal["imap", "smtp"]

ANSWER_SECONDS: Final = 3.0
"""How many seconds the servers of a domain have to answer. All are tried at once."""

_PORTS: Final[dict[tuple[Kind, Encryption], int]] = {
    ("imap", "tls"): 993, ("imap", "starttls"): 143, ("imap", "none"): 143,
    ("smtp", "tls"): 465, ("smtp", "starttls"): 587, ("smtp", "none"): 25,
}  # fmt: skip
_SECURITY: Final[dict[int, Encryption]] = {993: "tls", 465: "tls", 143: "starttls", 587: "starttls", 25: "starttls"}
_USUAL: Final[dict[Kind, Encryption]] = {"imap": "tls", "smtp": "starttls"}


@dataclass(frozen=True, kw_only=True)
class Server:
    """A mail server, as config.toml names it."""

    host: str
    port: int
    security: Encryption

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_server(kind: Kind, text: str, port: int | None = None, security: Encryption | None = None) -> Server:
    """Read `mail.example.org` or `mail.example.org:993`. Port and encryption follow from each other. Raises Refused."""
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+|[0-9A-Fa-f:]+)(?::([0-9]{1,5}))?", text.strip())
    if not match or int(match[2] or 1) not in range(1, 65536):
        raise Refused(f"'{text}' is no server; write it like mail.example.org or mail.example.org:993.")
    host = match[1].strip("[]")
    port = port or (int(match[2]) if match[2] else None)
    security = security or _security(kind, host, port)
    return Server(host=host, port=port or _PORTS[kind, security], security=security)


def _security(kind: Kind, host: str, port: int | None) -> Encryption:
    if port is None:
        return _USUAL[kind]
    return _SECURITY.get(port, "none" if is_loopback(host) else "tls")


def candidates(kind: Kind, domain: str) -> list[Server]:
    """List the servers where the mailbox of a domain usually is, the likeliest first."""
    hosts = (f"{kind}.{domain}", f"mail.{domain}", domain)
    securities: tuple[Encryption, ...] = ("tls", "starttls")
    return [
        Server(host=host, port=_PORTS[kind, security], security=security) for host in hosts for security in securities
    ]


def first_that_answers(servers: Sequence[Server], seconds: float = ANSWER_SECONDS) -> Server | None:
    """Return the first of these that takes a connection; None if none does in time.

    The threads are daemons: a name server that doesn't answer must not keep the command from ending.
    """
    answered: set[Server] = set()
    threads = [threading.Thread(target=_connect, args=(one, answered, seconds), daemon=True) for one in servers]
    for thread in threads:
        thread.start()
    until = time.monotonic() + seconds
    for server, thread in zip(servers, threads, strict=True):
        thread.join(max(0.0, until - time.monotonic()))
        if server in answered:
            return server
    return None


def _connect(server: Server, answered: set[Server], seconds: float) -> None:
    # A name may be too long or hold an empty label: that is a UnicodeError, and no server either.
    with (
        contextlib.suppress(OSError, UnicodeError),
        socket.create_connection((server.host, server.port), timeout=seconds),
    ):
        answered.add(server)


def find_servers(domain: str, seconds: float = ANSWER_SECONDS) -> tuple[Server | None, Server | None]:
    """Look for the IMAP and the SMTP server of a domain; None where nothing answers."""
    return (
        first_that_answers(candidates("imap", domain), seconds),
        first_that_answers(candidates("smtp", domain), seconds),
    )
