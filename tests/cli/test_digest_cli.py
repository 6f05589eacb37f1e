"""`gm digest`: what it prints, what it queues, and that it never sends."""

import json
import re
from typing import Any

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.store.tables import MailOut, Player, Turn

ANNA, BERND = PLAYERS[:2]


@pytest.fixture
def told(running: Any) -> Any:
    """Eriwan in its first round, and everybody knows."""
    with running.app() as app, app.database.write() as session:
        for turn in session.exec(select(Turn)):
            turn.released_at = turn.at
        session.exec(select(Player).where(Player.name == BERND)).one().digest = "off"
    return running


def queued(gm: Any) -> list[tuple[str, int]]:
    """The digests in the queue: address and priority."""
    with gm.app() as app, app.database.read() as session:
        rows = session.exec(select(MailOut).where(MailOut.kind == "digest", MailOut.status == "queued"))
        return [(row.address, row.priority) for row in rows]


def test_it_shows_and_changes_nothing(told: Any) -> None:
    """Without options: the GM's copy, then who would get one and with which subject."""
    before = told.dump()
    out = told("digest").out
    assert out.startswith("Wochenübersicht: nichts wartet auf dich\n")
    assert "ging an 5 Mitspieler; 1 abbestellt" in " ".join(out.split())
    lines = re.findall(r"^(\w+ \w+): Deine Woche: 1 Zug offen \(Eriwan, ZAT .*\)$", out, re.MULTILINE)
    assert lines == [name for name in PLAYERS if name != BERND]
    assert told.dump() == before


def test_json(told: Any) -> None:
    """--json has the same for programs."""
    found = json.loads(told("digest", "--json").out)
    assert [player["name"] for player in found["players"]] == [name for name in PLAYERS if name != BERND]
    assert found["gm"]["subject"].startswith("Wochenübersicht")


def test_send(told: Any) -> None:
    """--send queues everybody's and the GM's copy, behind all other mail, and says who delivers."""
    out = told("digest", "--send").out
    assert out.endswith("Mails queued: 6. `gm serve` delivers.\n")
    assert "Wochenübersicht" not in out
    others = [(address_of(name), 2) for name in PLAYERS if name != BERND]
    assert sorted(queued(told)) == sorted([*others, ("cici@postspiel.example", 2)])


def test_an_empty_zine(gm: Any) -> None:
    """A zine without players has the GM's copy to show."""
    out = gm("digest").out
    assert "Post wurde noch nie abgeholt" in out
    assert out.endswith("No player gets one now: there is nothing to say, or they don't want it.\n")
