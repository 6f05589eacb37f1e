"""Changes of a player by the GM: they show in later mails and in `gm player show`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.people import lookup
from gm.game.people.personal_data import person_finder
from gm.reports.players import details
from gm.requests.desk import actions, players
from gm.runtime.errors import Refused
from gm.store.tables import Vacation

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"


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


@pytest.mark.trust
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
        ("Anna Berg", True), ("ANNA  BERG", True), ("Anna Bergs Zug", True), ("Anna\nBerg", True),
        ("Anna\u00a0Berg", True), ("Mail an anna@x.example.", True),
        ("Johanna Berg", False), ("Anna Bergmann", False), ("Anna-Berg", False), ("anna@x.example.org", False),
        ("joanna@x.example", False), ("Anna Berg-Voß", False), ("Frau Berg", False),
    ],
)  # fmt: skip
def test_what_names_somebody(text: str, is_found: bool) -> None:
    """A name is found as a whole, however it is written and broken; others' names aren't."""
    found = person_finder([ANNA], ["anna@x.example"], ["Anna Berg-Voß"])
    assert (found.scrub(text) != text) is is_found


def days(zine: Any) -> list[tuple[str, str]]:
    """List the vacations, first and last day."""
    return [(f"{one.first}", f"{one.last}") for one in zine.rows(Vacation)]


def test_a_vacation_for_a_player(begin: Any) -> None:
    """What the GM enters moves the ZAT and is told to the player, as after their own mail; `off` takes it back."""
    story = begin("started", deadlines={"vacation": "extend"})
    said = players.vacation(story.app, "anna", "10.11.2026-20.11.2026")
    assert said == "Anna Berg is away from 2026-11-10 to 2026-11-20. New ZAT: Eriwan."
    story.tick()
    assert any("Schönen Urlaub vom 10.11." in story.said(mail) for to, mail in story.mails() if to == address_of(ANNA))
    assert f"{story.zat:%Y-%m-%d}" == "2026-11-21"
    assert players.vacation(story.app, ANNA, "off") == "The vacation of Anna Berg is taken back."
    assert days(story) == []
    with pytest.raises(Refused, match="No vacation is noted"):
        players.vacation(story.app, ANNA, "off")


def test_days_count_once(begin: Any) -> None:
    """However often days are entered or sent: they are one vacation, and use the year's days up once."""
    story = begin("started", deadlines={"vacation": "extend", "vacation_days": 14})
    for span in ("01.12.2026-10.12.2026", "2026-12-01..2026-12-10", "05.12.2026-12.12.2026"):
        players.vacation(story.app, ANNA, span)
    story.writes(ANNA, "Urlaub 01.12.2026-12.12.2026\n")
    story.tick()
    assert days(story) == [("2026-12-01", "2026-12-12")]
    with pytest.raises(Refused, match="2 left, you name 3"):
        players.vacation(story.app, ANNA, "13.12.2026-15.12.2026")
    with pytest.raises(Refused, match="are no days"):
        players.vacation(story.app, ANNA, "bald")


def test_a_vacation_is_taken_back_by_mail(eriwan: Any) -> None:
    """`Urlaub streichen` takes the days to come back, and the GM hears of it; a second time there are none."""
    eriwan.writes(ANNA, "Urlaub 01.12.2026-10.12.2026\n")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Urlaub streichen\n")
    assert "Urlaub ist gestrichen" in eriwan.reply(ANNA)
    assert days(eriwan) == []
    eriwan.writes(ANNA, "Vacation off\n")
    assert "No vacation is noted" in eriwan.reply(ANNA)


@pytest.mark.parametrize(
    "line",
    [
        "Urlaub löschen", "Urlaub loeschen bitte", "Urlaub: absagen", "Urlaub fällt aus!", "kein Urlaub",
        "Vacation cancel", "No vacation", "cancel vacation", "urlaub STREICHEN",
    ],
)  # fmt: skip
def test_words_for_taking_a_vacation_back(eriwan: Any, line: str) -> None:
    """It is taken back in any of the usual words, in both languages."""
    eriwan.writes(ANNA, "Urlaub 01.12.2026-10.12.2026\n")
    eriwan.tick()
    eriwan.writes(ANNA, f"{line}\n")
    eriwan.tick()
    assert days(eriwan) == []


@pytest.mark.parametrize(
    "line", ["Urlaub streichen 5.12.-7.12.", "Urlaub 05.12. bis 07.12. absagen", "No vacation 5.12.-7.12."]
)
def test_some_days_are_taken_back(eriwan: Any, line: str) -> None:
    """Where days are named, only these are taken back."""
    eriwan.writes(ANNA, "Urlaub 01.12.2026-10.12.2026\n")
    eriwan.tick()
    eriwan.writes(ANNA, f"{line}\n")
    eriwan.tick()
    assert days(eriwan) == [("2026-12-01", "2026-12-04"), ("2026-12-08", "2026-12-10")]
    (told,) = [eriwan.said(mail) for to, mail in eriwan.mails() if "gestrichen" in eriwan.said(mail) and to == GM]
    assert "05.12.2026 bis 07.12.2026 gestrichen" in told


def test_days_that_touch_are_one_vacation(begin: Any) -> None:
    """A vacation that is sent in parts is one, and each day counts for the year in which it lies."""
    story = begin("started", deadlines={"vacation": "extend", "vacation_days": 14})
    for span in ("24.12.2026-31.12.2026", "01.01.2027-14.01.2027", "18.12.2026-23.12.2026"):
        players.vacation(story.app, ANNA, span)
    assert days(story) == [("2026-12-18", "2027-01-14")]
    for span, year in (("01.12.2026-01.12.2026", "2026"), ("15.01.2027-15.01.2027", "2027")):
        with pytest.raises(Refused, match=f"14 at most in {year}; 0 left, you name 1"):
            players.vacation(story.app, ANNA, span)


def test_days_that_are_over_stay_counted(begin: Any) -> None:
    """A vacation that runs ends yesterday: what is past is used up, what was to come is free again."""
    story = begin("started", deadlines={"vacation": "extend", "vacation_days": 14})
    story.writes(ANNA, "Urlaub 10.11.2026-23.11.2026\n")
    story.tick()
    story.passes_until(datetime.fromisoformat("2026-11-15T12:00:00+01:00"))
    story.writes(ANNA, "Urlaub streichen\n")
    story.tick()
    assert days(story) == [("2026-11-10", "2026-11-14")]
    story.mails()
    story.writes(ANNA, "Urlaub 01.12.2026-10.12.2026\n")
    assert "frei sind davon noch 9, du nennst 10" in story.reply(ANNA)
    story.writes(ANNA, "Urlaub 01.12.2026-09.12.2026\n")
    assert "Schönen Urlaub" in story.reply(ANNA)


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("gm player vacation Anna off", []),
        ('gm player vacation "Anna Berg" 05.12.2026 - 12.12.2026', [("2026-12-01", "2026-12-12")]),
        ("Ja", [("2026-12-01", "2026-12-10")]),
    ],
)  # fmt: skip
def test_the_gm_answers_a_vacation(eriwan: Any, line: str, left: list[tuple[str, str]]) -> None:
    """The mail that tells of a vacation offers to strike it, and other days may be sent back. `Ja` only ticks off."""
    eriwan.writes(ANNA, "Urlaub 01.12.2026-10.12.2026\n")
    eriwan.tick()
    (asked,) = [mail for to, mail in eriwan.mails() if to == GM]
    assert 'gm player vacation "Anna Berg" off' in asked.text
    eriwan.writes("Cici Beilken", line, sender=GM, subject=asked.subject, in_reply_to=asked.message_id)
    eriwan.tick()
    assert days(eriwan) == left
    to_anna = [eriwan.said(mail) for to, mail in eriwan.mails() if to == address_of(ANNA)]
    assert len(to_anna) == (line != "Ja")
