"""A late move is late, however it comes; it never becomes the next round's (interface.md; issue 49)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from tests.stories.zines import Zine

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"


def closed(zine: Zine) -> dict[str, Any]:
    """Close round 1, with all moves but Bernd's; return the mails to him, before and after it, and a block for it."""
    for name in (ANNA, *PLAYERS[2:]):
        zine.sends(name, "D")
    zine.passes_until(zine.zat, days=-1)
    zine.tick()
    before = dict(zine.mails())[address_of(BERND)]
    block = zine.block(BERND, "ROT", "N")
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    return {"reminder": before, "bulletin": dict(zine.mails())[address_of(BERND)], "block": block}


def reply(zine: Zine, mail: Any, text: str) -> dict[str, Any]:
    """Let Bernd reply 75 minutes after the ZAT; return the new mails by address."""
    zine.passes(minutes=75)
    zine.writes(BERND, text, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    zine.tick()
    return dict(zine.mails())


def test_a_reply_to_a_mail_of_the_round_before_is_late(eriwan: Zine) -> None:
    """Bernd answers the reminder of round 1 after its closing, with a block for round 1."""
    mails = closed(eriwan)
    got = reply(eriwan, mails["reminder"], mails["block"])
    said = eriwan.said(got[address_of(BERND)])
    assert "75 Minuten zu spät" in said
    assert "Runde 1 von »Eriwan« ist ausgewertet" in said
    assert "Cici Beilken hat ihn bekommen und entscheidet" in said
    assert eriwan.on_file(BERND) is None
    assert "gm undo Eriwan" in got[GM].text


def test_a_grid_of_the_round_before_is_late(eriwan: Zine) -> None:
    """In a mail of its own: its letters were wished in round 1, and not for round 2."""
    mails = closed(eriwan)
    eriwan.passes(minutes=75)
    eriwan.writes(BERND, mails["block"])
    eriwan.tick()
    assert "zu spät" in eriwan.said(dict(eriwan.mails())[address_of(BERND)])
    assert eriwan.on_file(BERND) is None


def test_a_grid_with_the_present_cells_in_an_old_thread_is_asked_back(eriwan: Zine) -> None:
    """The cells say round 2, the mail replied to round 1: nothing is played before a `Ja`."""
    mails = closed(eriwan)
    got = reply(eriwan, mails["reminder"], eriwan.block(BERND, "EE"))
    mail = got[address_of(BERND)]
    assert "Ich lese: Runde 2." in eriwan.said(mail)
    assert eriwan.on_file(BERND) is None
    reply(eriwan, mail, "Ja")
    assert eriwan.on_file(BERND) is not None


@pytest.mark.parametrize("way", ["bulletin", "none"])
def test_a_move_for_the_present_round_counts(eriwan: Zine, way: str) -> None:
    """As a reply to the bulletin, or alone."""
    mails = closed(eriwan)
    eriwan.passes(minutes=75)
    eriwan.writes(BERND, eriwan.block(BERND, "EE"), in_reply_to=mails[way].message_id if way != "none" else "")
    eriwan.tick()
    assert eriwan.on_file(BERND) is not None


def test_a_move_that_the_gm_enters_is_confirmed(eriwan: Zine) -> None:
    """`gm move` for a postcard: Bernd gets the confirmation that a mail would have brought (handbook; issue 49)."""
    actions.enter_move(eriwan.app, "Eriwan", BERND, eriwan.block(BERND, "ROT"))
    mail = [mail for to, mail in _sent(eriwan) if to == address_of(BERND)][-1]
    assert mail.subject == "[Eriwan] Zug Runde 1 angekommen"
    assert "R O T" in mail.text


def _sent(zine: Zine) -> list[tuple[str, Any]]:
    zine.tick()
    return zine.mails()


def test_a_reply_to_an_old_mail_days_later_is_asked_back(eriwan: Zine) -> None:
    """Some answer any old mail: days after the closing nobody knows which round is meant, and a `Ja` files the move."""
    mails = closed(eriwan)
    eriwan.passes(days=3)
    got = reply(eriwan, mails["reminder"], eriwan.block(BERND, "EE"))
    assert "Ich lese: Runde 2." in eriwan.said(got[address_of(BERND)])
    assert eriwan.on_file(BERND) is None


@pytest.mark.parametrize(
    "title", ["Crossword Eriwan, Runde {}", "crossword »Eriwan« ({}. Runde)", "Crossword Eriwan – round: {}"]
)
def test_a_title_names_its_round(eriwan: Zine, title: str) -> None:
    """A block for the round just closed is late, also from a mail of its own; one for the present round counts."""
    mails = closed(eriwan)
    eriwan.passes(minutes=75)
    eriwan.writes(BERND, mails["block"].replace("Crossword Eriwan", title.format(1)))
    eriwan.tick()
    got = dict(eriwan.mails())
    assert "75 Minuten zu spät" in eriwan.said(got[address_of(BERND)])
    assert "gm undo Eriwan" in got[GM].text
    assert eriwan.on_file(BERND) is None
    eriwan.writes(BERND, eriwan.block(BERND, "E", "A").replace("Crossword Eriwan", title.format(2)))
    assert "Zug Runde 2 angekommen" in eriwan.answer(BERND).subject


def test_an_old_block_for_a_present_grid_is_asked_about(eriwan: Zine) -> None:
    """Bernd copies the block of round 1, fills in what fits round 2, and replies to its bulletin: `Ja` plays it."""
    mails = closed(eriwan)
    block = eriwan.block(BERND, "E", "A").replace("Crossword Eriwan", "Crossword Eriwan, Runde 1")
    got = reply(eriwan, mails["bulletin"], block)
    asked = got[address_of(BERND)]
    assert "Runde 2" in eriwan.said(asked)
    assert eriwan.on_file(BERND) is None
    eriwan.writes(BERND, "Ja\n", subject=f"Re: {asked.subject}", in_reply_to=asked.message_id)
    eriwan.tick()
    assert eriwan.on_file(BERND) == ("e", "A")


def test_a_block_for_a_round_to_come_is_refused(eriwan: Zine) -> None:
    """Nobody can know its letters."""
    closed(eriwan)
    eriwan.writes(BERND, eriwan.block(BERND, "E", "A").replace("Crossword Eriwan", "Crossword Eriwan, Runde 4"))
    assert "läuft aber Runde 2" in eriwan.reply(BERND)
    assert eriwan.on_file(BERND) is None
