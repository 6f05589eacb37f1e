"""Changes of a player by the GM: they show in later mails and in `gm player show`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.commands.gm_commands import actions, players
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.players import lookup
from gm.players.personal_data import person_finder
from gm.reports.players import details

ANNA, BERND = PLAYERS[:2]


def about(zine: Any, name: str) -> dict[str, Any]:
    """Return what `gm player show --json` prints."""
    with zine.app.database.read() as session:
        return details(zine.app, session, lookup.named(session, name))


def test_a_new_name_in_the_next_bulletin(eriwan: Any) -> None:
    """The player is told, and from the next bulletin on everybody reads the new name only."""
    players.rename(eriwan.app, ANNA, "Anna Neu")
    eriwan.tick()
    note = eriwan.gets(ANNA)
    assert "\nHallo Anna!\n" in note.text
    assert "vorher war es Anna Berg" in eriwan.said(note)
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    mails = [eriwan.said(mail) for _, mail in eriwan.mails()]
    assert len(mails) == 6
    assert all("Anna Neu" in said and ANNA not in said for said in mails)


def test_moves_from_both_addresses_count(eriwan: Any) -> None:
    """Mails go to the new address, and moves from the old one count until it is removed."""
    players.use(eriwan.app, ANNA, "neu@spieler.example")
    eriwan.sends(ANNA, "ROT")
    eriwan.tick()
    assert [address for address, _ in eriwan.mails()] == ["neu@spieler.example"]
    assert eriwan.on_file(ANNA) == ("rot", "E")
    players.remove(eriwan.app, ANNA, address_of(ANNA))
    eriwan.sends(ANNA, "TOR")
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("rot", "E")


def test_the_result(begin: Any) -> None:
    """After the end a seat has its rank and points, and how many moves its player missed."""
    story = begin("provisional")
    assert about(story, ANNA)["seats"][0]["rank"] is None
    actions.rule(story.app, "Eriwan", ["DNI"], False, "", False)
    standing = next(one for one in story.show()["standings"] if one["player"] == ANNA)
    seat = about(story, ANNA)["seats"][0]
    assert {key: seat[key] for key in ("rank", "points")} == {key: standing[key] for key in ("rank", "points")}
    assert (seat["status"], seat["owed"], seat["missed"]) == ("finished", 6, 3)
    assert about(story, BERND)["in_a_row"] == 6


def test_the_last_mails(eriwan: Any) -> None:
    """The last mail from a player and the last to them are named by the ids of `gm mail`."""
    eriwan.sends(ANNA, "ROT", subject="Mein Zug")
    eriwan.tick()
    found = about(eriwan, ANNA)
    assert (found["last_received"]["id"], found["last_received"]["subject"]) == ("1", "Mein Zug")
    assert found["last_sent"]["id"] == f"o{eriwan.outgoing()[-1].id}"


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Anna Berg", True), ("ANNA  BERG", True), ("Anna Bergs Zug", True), ("> Anna\n> Berg", True),
        ("anna&#32;berg", True), ("anna%20berg", True), ("Anna\u00a0Berg", True), ("Mail an anna@x.example.", True),
        ("Johanna Berg", False), ("Anna Bergmann", False), ("Anna-Berg", False), ("anna@x.example.org", False),
        ("joanna@x.example", False), ("Anna Berg-Voß", False), ("Frau Berg", False),
    ],
)  # fmt: skip
def test_what_names_somebody(text: str, is_found: bool) -> None:
    """A name is found as a whole, however it is written and broken; others' names aren't."""
    found = person_finder([ANNA], ["anna@x.example"], ["Anna Berg-Voß"])
    assert found.in_text(text) is is_found
    assert not found.in_text(found.scrub(text))


@given(st.binary() | st.text().map(lambda text: f"Content-Type: {text}\nSubject: =?{text}?=\n\n{text}".encode()))
def test_any_bytes(raw: bytes) -> None:
    """No mail, however broken, prevents that somebody is forgotten."""
    assert person_finder(["(*) [Anna"], [], ["(*) [Anna ["]).in_mail(raw) in (True, False)
