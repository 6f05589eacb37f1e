"""One story on every mail server: start, illegal, corrected, replaced, NMR, closing, standby, final scores."""

from __future__ import annotations

import importlib.util
import smtplib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient

from gm.app import App, open_app
from gm.config import load
from gm.mailbox.embedded import MailServer
from gm.play import desk
from gm.play.verify import verify
from gm.publish.show import show
from gm.service import tick
from gm.testing import PLAYERS, address_of, write_config, write_mail
from parsers.message import Mail, read_mail

ANNA, BERND, _, DORA, *_ = PLAYERS
GERDA = "Gerda Hahn"
ADDRESSES = {name: f"anna{number}@local.test" for number, name in enumerate((*PLAYERS, GERDA))}
SERVICE, GM = "gm-zine@local.test", "gm-cici@local.test"
WORDS = ("ROT", "TIN")
PATIENCE_SECONDS = 10
EMPTY = "......\n"


class MemoryWorld:
    """The story in memory: a pass of the service is all there is to wait for."""

    def __init__(self, zine: Any) -> None:
        self.zine = zine
        self.app: App = zine.app
        self._unread: list[tuple[str, Mail]] = []

    def address(self, name: str) -> str:
        return address_of(name)

    def writes(self, name: str, text: str) -> None:
        self.zine.writes(name, text)

    def gets(self, name: str, words: str) -> Mail:
        self.zine.tick()
        self._unread += self.zine.mails()
        found = next((mail for mail in self._unread if mail[0] == address_of(name) and words in mail[1].subject), None)
        assert found, f"{name} got no mail with {words!r}"
        self._unread.remove(found)
        return found[1]

    def waits_for_the_zat(self) -> None:
        desk.move_zat(self.app, "Eriwan", "+1d")
        self.zine.passes_until(self.zine.zat, seconds=1)


class RealWorld:
    """The story over SMTP and IMAP: the service is asked for a pass until the mail has come."""

    def __init__(self, folder: Path, server: Any, *, stack: ExitStack) -> None:
        login = {"security": "none", "username": SERVICE, "password": "secret"}
        more: dict[str, dict[str, object]] = {
            "service": {"address": SERVICE, "gm": f"Cici Beilken <{GM}>"},
            "imap": {**login, "port": server.imap_port},
            "smtp": {"security": "none", "port": server.smtp_port},
        }
        self.app = open_app(load(write_config(folder, words=WORDS, more=more)))
        stack.callback(self.app.close)
        self._smtp_port = server.smtp_port
        self._imap_port = server.imap_port
        self._stack = stack
        self._clients: dict[str, IMAPClient] = {}
        self._seen: set[tuple[str, int]] = set()
        self._unread: list[tuple[str, Mail]] = []

    def address(self, name: str) -> str:
        return ADDRESSES[name]

    def writes(self, name: str, text: str) -> None:
        raw = write_mail(ADDRESSES[name], text, to=SERVICE, name=name)
        with smtplib.SMTP("127.0.0.1", self._smtp_port, timeout=PATIENCE_SECONDS) as smtp:
            smtp.sendmail(ADDRESSES[name], [SERVICE], raw)

    def gets(self, name: str, words: str) -> Mail:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            report = tick(self.app)
            assert report.troubles == []
            self._look(name)
            for at, (recipient, mail) in enumerate(self._unread):
                if recipient == name and words in mail.subject:
                    del self._unread[at]
                    return mail
            time.sleep(0.02)
        pytest.fail(f"{name} waited in vain for {words!r}; there: {[mail.subject for _, mail in self._unread]}")

    def waits_for_the_zat(self) -> None:
        soon = self.app.now().replace(microsecond=0) + timedelta(seconds=1)
        if soon - self.app.now() < timedelta(seconds=0.2):
            soon += timedelta(seconds=1)
        desk.move_zat(self.app, "Eriwan", f"{soon.astimezone(self.app.settings.service.timezone):%Y-%m-%d %H:%M:%S}")

    def _look(self, name: str) -> None:
        client = self._clients.get(name) or self._log_in(name)
        client.noop()
        fresh = [uid for uid in client.search() if (name, uid) not in self._seen]
        for uid, found in client.fetch(fresh, ["BODY.PEEK[]"]).items() if fresh else ():
            self._seen.add((name, uid))
            self._unread.append((name, read_mail(found[b"BODY[]"])))

    def _log_in(self, name: str) -> IMAPClient:
        client = IMAPClient("127.0.0.1", port=self._imap_port, ssl=False, timeout=PATIENCE_SECONDS)
        self._stack.callback(client.logout)
        client.login(ADDRESSES[name], "secret")
        client.select_folder("INBOX")
        self._clients[name] = client
        return client


@pytest.fixture
def memory(begin: Callable[..., Any]) -> MemoryWorld:
    """A zine in memory."""
    return MemoryWorld(begin("empty"))


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[RealWorld]:
    """The servers of the demo."""
    users = dict.fromkeys((SERVICE, GM, *ADDRESSES.values()), "secret")
    with MailServer(users) as server, ExitStack() as stack:
        yield RealWorld(tmp_path / "zine", server, stack=stack)


@pytest.fixture
def debian(tmp_path: Path) -> Iterator[RealWorld]:
    """Postfix, which hands over to Dovecot."""
    realmail = _realmail()
    if reason := realmail.missing(postfix=True):
        pytest.skip(reason)
    with realmail.RealMail(postfix=True) as server, ExitStack() as stack:
        yield RealWorld(tmp_path / "zine", server, stack=stack)


def _realmail() -> Any:
    """The module that starts the servers, a neighbour that can't be imported by name (importmode importlib)."""
    path = Path(__file__).parents[1] / "servers" / "realmail.py"
    spec = importlib.util.spec_from_file_location("flows_realmail", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["memory", "embedded", pytest.param("debian", marks=pytest.mark.server)])
def world(request: pytest.FixtureRequest) -> Any:
    """Each mail server in turn."""
    return request.getfixturevalue(request.param)


def block(*rows: str, wish: str | None = "E") -> str:
    """Write a block whose first rows are these."""
    head = "Crossword Eriwan\n" + ("" if wish is None else f"Neu: {wish}\n")
    return head + "".join(f"{row}\n" for row in rows) + EMPTY * (6 - len(rows))


def seat(world: Any, name: str) -> dict[str, Any]:
    """Give a seat as spectators see it."""
    with world.app.database.read() as session:
        seats = show(world.app, session, desk.named(session, "Eriwan"))["seats"]
    return next(seat for seat in seats if name in seat["history"])


def test_the_core_story(world: Any) -> None:
    """From the first bulletin to the verified final scores everybody gets the right mail, on every server."""
    desk.new_game(world.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        desk.join(world.app, "Eriwan", name, world.address(name), wish)
    desk.start(world.app, "Eriwan")
    for name in PLAYERS:
        start = world.gets(name, "Es geht los")
        assert "D N T I R O" in start.text

    world.writes(ANNA, block("QOT..."))
    assert "NICHT angenommen: 1 Fehler" in world.gets(ANNA, "NICHT angenommen").subject
    world.writes(ANNA, block("ROT..."))
    world.gets(ANNA, "angekommen")
    world.writes(BERND, block("DN....", wish="X"))
    world.gets(BERND, "angekommen")
    world.writes(BERND, block("TIN...", wish="Y"))
    assert "ersetzt" in world.gets(BERND, "angekommen").text

    world.waits_for_the_zat()
    closed = world.gets(ANNA, "Runde 1 ausgewertet")
    assert DORA in closed.text
    assert [seat(world, name)["grid"][0] for name in (ANNA, BERND, DORA)] == ["rot...", "tin...", "......"]
    assert [seat(world, name)["nmr"] for name in (ANNA, BERND, DORA)] == [[], [], [1]]
    assert [seat(world, name)["wish"] for name in (ANNA, BERND, DORA)] == ["E", "Y", "I"]

    desk.standby(world.app, "Eriwan", DORA, GERDA, world.address(GERDA))
    assert DORA in world.gets(GERDA, "Willkommen").subject
    assert GERDA in world.gets(DORA, GERDA).subject
    world.writes(DORA, block("Y....."))
    world.gets(DORA, "Zu deiner Mail")
    world.writes(GERDA, block("TIER.."))
    world.gets(GERDA, "angekommen")
    for number in range(2, 6):
        desk.close(world.app, "Eriwan", world.app.now())
        world.gets(ANNA, f"Runde {number} ausgewertet")
    assert seat(world, GERDA)["grid"][0] == "tier.."
    assert seat(world, GERDA)["history"] == [DORA, GERDA]

    world.writes(ANNA, block("rot...", wish=None) + "rot 3\n")
    world.gets(ANNA, "Zug Runde 6 angekommen")
    desk.close(world.app, "Eriwan", world.app.now())
    for name in (*PLAYERS[:3], GERDA, *PLAYERS[4:]):
        assert f"{ANNA} gewinnt mit 3 Punkten" in world.gets(name, "Endstand").subject
    with world.app.database.read() as session:
        assert verify(world.app, session, desk.named(session, "Eriwan")) == []
