"""However large a mail is, and however many wait at once, the service needs less than 300 MB.

A process of its own fetches and handles the mails and reports its peak memory, which only Linux knows.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import mail_servers
import pytest
import seating
from imapclient import IMAPClient
from sqlmodel import select
from waiting import TIMEOUT

from gm.app.context import open_app
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, write_config
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.store.tables import MailIn
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.imap.size_limits import HEADER_LIMIT, TEXT_LIMIT, WHOLE_LIMIT

MOST_MB = 300
MB = 1_000_000
USER = "gm-heavy@local.test"
RECEIVE = """
import re, sys
from pathlib import Path
from gm.app.context import open_app
from gm.runtime.config.settings import load
from gm.service.inbound.receive import receive
from gm.app.pass_report import Report
receive(open_app(load(Path(sys.argv[1]))), report := Report())
assert not report.troubles, report.troubles
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="/proc is not here")


def _mail(number: int, body: bytes, *, header: bytes = b"", kind: str = "text/plain") -> bytes:
    sender = address_of(PLAYERS[number % len(PLAYERS)])
    head = (
        f"From: {sender}\r\nTo: {GM_ADDRESS}\r\nSubject: Zug\r\nMessage-ID: <{number}@spieler.example>\r\n"
        f"Content-Type: {kind}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
    )
    return head.encode() + header + b"\r\n" + body


BLOCK = b"Crossword Eriwan\r\nNeu: E\r\n" + b"......\r\n" * 6 + b"\r\n"
FILLINGS: Mapping[str, Callable[[int], bytes]] = {
    "lines": lambda size: BLOCK + "Schöne Grüße aus Köln, bis zum nächsten Mal!\r\n".encode() * (size // 48),
    "dice": lambda size: BLOCK + "🎲🎲🎲 Würfel\r\n".encode() * (size // 22),
    "short lines": lambda size: b"> x\r\n" * (size // 5),
    "commands": lambda size: b"Stand Eriwan\r\nHilfe\r\nSprache fr\r\n" * (size // 33),
}
PAGES: Mapping[str, Callable[[int], bytes]] = {
    "paragraphs": lambda size: "<p style='margin:0'>Grüße 🎲</p>".encode() * (size // 36),
    "a board": lambda size: b"<table>" + b"<tr><td>A<td>.<td>B</tr>" * (size // 24) + b"</table>",
    "indents": lambda size: b"<div style='padding-left:9999em'>x<br>" * (size // 38),
    "a wide table": lambda size: b"<table><tr><td>" + b"y" * (size // 2) + b"<tr><td>x" * (size // 18) + b"</table>",
}


def _many(_: int) -> Iterator[bytes]:
    """200 mails that are just fetched whole."""
    texts = [(fill, "text/plain") for fill in FILLINGS.values()] + [(fill, "text/html") for fill in PAGES.values()]
    for number in range(200):
        fill, kind = texts[number % len(texts)]
        yield _mail(number, fill(250 * 1024), kind=kind)[: 250 * 1024]


def _huge(share: int) -> Iterator[bytes]:
    """Mails of 50 MB, in body and in header, or of a share of that."""
    size = 50 * MB // share
    yield _mail(1, BLOCK + (b"x" * 62 + b"\r\n") * (size // 64))
    yield _mail(2, BLOCK, header=b"X-Viel: wenig\r\n" * (size // 15))
    yield _mail(3, b"<table><tr><td>" + b"Neu: E<br>\r\n" * (size // 12), kind="text/html")
    yield _mail(4, BLOCK, header=b"X-Lang: " + b"y" * size + b"\r\n")


@contextmanager
def _embedded() -> Iterator[tuple[int, Callable[[bytes], Any]]]:
    with MailServer({USER: "secret"}) as server:
        yield server.imap_port, lambda raw: server.append(USER, raw)


@contextmanager
def _dovecot() -> Iterator[tuple[int, Callable[[bytes], Any]]]:
    if reason := mail_servers.missing():
        pytest.skip(reason)
    with (
        mail_servers.MailServers() as server,
        IMAPClient("127.0.0.1", server.imap_port, ssl=False, timeout=TIMEOUT) as client,
    ):
        client.login(USER, "secret")
        yield server.imap_port, lambda raw: client.append("INBOX", raw)


@pytest.mark.parametrize(("mails", "few"), [(_many, 24), (_huge, 1)])
@pytest.mark.parametrize("server", [_embedded, pytest.param(_dovecot, marks=pytest.mark.server)])
def test_memory_stays_small(
    server: Any, mails: Callable[[int], Iterator[bytes]], few: int, tmp_path: Path, at_full_length: bool
) -> None:
    """200 mails of 250 KiB at once, or some of 50 MB, are handled without an error in less than 300 MB.

    Without --full-length there are fewer mails, and those for the demo's server have 10 MB, as it is slow.
    """
    share = 5 if server is _embedded and not at_full_length else 1
    with server() as (port, deliver):
        some = islice(mails(share), None if at_full_length else few)
        number = sum(1 for raw in some if deliver(raw) is not False)
        login = {"port": port, "username": USER, "password": "secret"}
        config = write_config(tmp_path, words=["ROT"], more={"imap": login, "nmr": {"standby_after": 0}})
        app = open_app(load(config))
        _begin_eriwan(app)
        peak = _receive(config)
        with app.database.read() as session:
            rows = session.exec(select(MailIn).order_by(MailIn.id)).all()
        app.close()
    assert len(rows) == number
    assert not [row.reason for row in rows if "took longer" in row.reason or "bug" in row.reason]
    assert {row.status for row in rows} <= {"applied", "refused", "ignored", "quarantined"}
    assert max(len(row.raw) for row in rows) <= WHOLE_LIMIT
    assert all(len(row.raw) <= HEADER_LIMIT + TEXT_LIMIT + 4 for row in rows if row.size > WHOLE_LIMIT)
    assert peak < MOST_MB, f"{peak} MB"


def _begin_eriwan(app: Any) -> None:
    actions.new_game(app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(app, "Eriwan", name, address_of(name), wish)
    actions.start(app, "Eriwan")


def _receive(config: Path) -> int:
    """Let another process fetch and handle what waits; returns how many megabytes it ever had."""
    command = [sys.executable, "-c", RECEIVE, str(config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout) * 1024 // MB
