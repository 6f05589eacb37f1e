"""One story on every mail server: start, illegal, corrected, replaced, NMR, closing, standby, final scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mail_servers
import pytest
import seating
import zine_on_servers

from gm.app.context import App
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.replay import verify
from gm.requests.desk import actions
from gm.store.queries import game_queries
from gm.transport.doubles.embedded_server import MailServer
from parsers.mime.message import Mail

ANNA, BERND, _, DORA, *_ = PLAYERS
GERDA = "Gerda Hahn"
CAST = (*PLAYERS, GERDA)
EMPTY = "......\n"


class ZineInMemory:
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
        actions.move_zat(self.app, "Eriwan", "+1d")
        self.zine.passes_until(self.zine.zat, seconds=1)


@pytest.fixture
def memory(begin: Callable[..., Any]) -> ZineInMemory:
    """A zine in memory."""
    return ZineInMemory(begin("empty"))


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Any]:
    """The servers of the demo."""
    world = zine_on_servers.ZineOnServers(tmp_path / "zine", CAST)
    users = dict.fromkeys((world.service, *world.addresses.values()), "secret")
    with MailServer(users) as server, world.on(server):
        yield world


@pytest.fixture
def debian(tmp_path: Path) -> Iterator[Any]:
    """Postfix, which hands over to Dovecot, for players and service."""
    if reason := mail_servers.missing(postfix=True):
        pytest.skip(reason)
    with (
        mail_servers.MailServers(postfix=True) as server,
        zine_on_servers.ZineOnServers(tmp_path / "zine", CAST).on(server) as world,
    ):
        yield world


@pytest.fixture(params=["memory", "embedded", pytest.param("debian", marks=pytest.mark.server)])
def world(request: pytest.FixtureRequest) -> Any:
    """Each mail server in turn."""
    return request.getfixturevalue(request.param)


def block(*rows: str, wish: str | None = "E") -> str:
    """Write a block whose first rows are these."""
    head = "Crossword Eriwan\n" + ("" if wish is None else f"Neu: {wish}\n")
    return head + "".join(f"{row}\n" for row in rows) + EMPTY * (6 - len(rows))


def seat(world: Any, name: str) -> dict[str, Any]:
    """Return a seat as spectators see it."""
    return zine_on_servers.seat(world.app, name)


@pytest.mark.trust(except_first=1)
def test_the_core_story(world: Any) -> None:
    """From the first bulletin to the verified final scores everybody gets the right mail, on every server."""
    actions.new_game(world.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(world.app, "Eriwan", name, world.address(name), wish)
    actions.start(world.app, "Eriwan")
    for name in PLAYERS:
        start = world.gets(name, "Es geht los")
        assert "D N T I R O" in start.text

    world.writes(ANNA, block("QOT..."))
    world.gets(ANNA, "NICHT angenommen: 1 ")
    assert seat(world, ANNA)["moved"] is False
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

    actions.standby(world.app, "Eriwan", DORA, GERDA, world.address(GERDA))
    assert DORA in world.gets(GERDA, "Willkommen").subject
    assert GERDA in world.gets(DORA, GERDA).subject
    world.writes(DORA, block("Y....."))
    world.gets(DORA, f"hat inzwischen {GERDA} übernommen")
    world.writes(GERDA, block("TIER.."))
    world.gets(GERDA, "angekommen")
    for number in range(2, 6):
        actions.close(world.app, "Eriwan", world.app.now())
        world.gets(ANNA, f"Runde {number} ausgewertet")
    assert seat(world, GERDA)["grid"][0] == "tier.."
    assert seat(world, GERDA)["history"] == [DORA, GERDA]

    world.writes(ANNA, block("rot...", wish=None) + "rot 3\n")
    world.gets(ANNA, "Zug Runde 6 angekommen")
    actions.close(world.app, "Eriwan", world.app.now())
    for name in (*PLAYERS[:3], GERDA, *PLAYERS[4:]):
        assert "Anna gewinnt mit 3 Punkten" in world.gets(name, "Endstand").subject
    with world.app.database.read() as session:
        assert verify(world.app, session, game_queries.named(session, "Eriwan")) == []
