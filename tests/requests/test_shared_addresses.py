"""Players who share an address: the name line or the mail replied to says whose move it is, else we ask."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from zines import SHARED, seat_couple

from gm.demo.in_memory_zine import PLAYERS
from gm.store.tables import Player, Question, Sheet

ANNA, BERND, CARLA = PLAYERS[:3]


@pytest.fixture
def couple(begin: Any) -> Any:
    """The couple has its first bulletins."""
    return begin("empty", after=seat_couple)


def bulletin(zine: Any, name: str) -> Any:
    """Return a player's first bulletin."""
    return zine.outgoing(kind="start")[PLAYERS.index(name)]


def answered(zine: Any) -> Any:
    """Do a pass and return the one answer that went to the shared address, whatever else did."""
    zine.tick()
    sent = [mail for recipient, mail in zine.mails() if recipient == SHARED]
    (mail,) = [mail for mail in sent if mail.headers["auto-submitted"] == ("auto-replied",)]
    return mail


def asks(zine: Any, name: str = ANNA, letters: str = "DN") -> Any:
    """Let one of the two send a move without a name, and return the question."""
    zine.mails()
    zine.sends(name, letters, sender=SHARED)
    return answered(zine)


def test_the_block_to_copy_names_the_player(zine: Any) -> None:
    """Blocks to copy hold the name where an address is shared, also the ones to click; nobody else's do."""
    mails = seat_couple(zine).mails()
    theirs = [mail for recipient, mail in mails if recipient == SHARED]
    assert len(theirs) == 2
    for name, mail in zip((ANNA, BERND), theirs, strict=True):
        assert f"     Crossword Eriwan, Runde 1   \n     Name: {name}   \n     Neu:" in mail.text
        assert f"Crossword Eriwan, Runde 1\nName: {name}\nNeu:" in mail.html
        (link,) = re.findall(r'href="(mailto:[^"]*body=Crossword[^"]*)"', mail.html)
        assert f"\r\nName: {name}\r\n" in parse_qs(urlsplit(link.replace("&amp;", "&")).query)["body"][0]
    assert not any("Name:" in mail.text for recipient, mail in mails if recipient != SHARED)


@pytest.mark.parametrize("name", [ANNA, BERND])
def test_the_mail_replied_to_tells_whose_it_is(couple: Any, name: str) -> None:
    """A reply to one's own bulletin needs no name: its Message-ID went to one of the two."""
    couple.mails()
    couple.sends(name, "DN", sender=SHARED, in_reply_to=bulletin(couple, name).message_id)
    assert "angekommen" in answered(couple).subject
    assert couple.on_file(name) == ("dn", "E")
    assert couple.on_file(BERND if name == ANNA else ANNA) is None


def test_the_name_wins_over_the_thread(couple: Any) -> None:
    """In a reply to the other's bulletin the written name counts."""
    couple.mails()
    head = ("Name: Bernd Cordes",)
    couple.sends(BERND, "DN", sender=SHARED, in_reply_to=bulletin(couple, ANNA).message_id, head=head)
    answered(couple)
    assert couple.on_file(BERND) == ("dn", "E")


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", ["Name: Anna", "Hallo,\n\nName: anna berg\n\nGruß\nBernd", "Ja\n\nName: Anna", "Anna"])
@pytest.mark.parametrize("how", ["subject", "thread", "bare"])
def test_one_line_files_the_kept_move(couple: Any, text: str, how: str) -> None:
    """`Name: Anna` as an answer files the move that was kept, as of its own arrival."""
    question = asks(couple)
    assert question.subject.startswith("[Frage ")
    (kept,) = [row for row in couple.received() if row.sender == SHARED]
    couple.passes(hours=5)
    more = {"subject": {"subject": f"Re: {question.subject}"}, "bare": {"subject": ""}}.get(
        how, {"subject": "Re: Zug", "in_reply_to": question.message_id}
    )
    couple.writes("Die Berge", f"{text}\n", sender=SHARED, **more)
    mail = answered(couple)
    assert mail.subject == "[Eriwan] Zug Runde 1 angekommen"
    assert "Hallo Anna," in mail.text
    assert [(sheet.seat, sheet.received_at) for sheet in couple.rows(Sheet)] == [(1, kept.received_at)]


def test_a_bare_yes_is_no_name(couple: Any) -> None:
    """`Ja` to the question is answered with what to write, and the question stays open."""
    question = asks(couple)
    couple.writes("Die Berge", "Ja\n", sender=SHARED, subject=f"Re: {question.subject}")
    assert "eine Zeile »Name: ...«" in couple.said(answered(couple)).replace("einer Zeile", "eine Zeile")
    couple.writes("Die Berge", "Name: Bernd\n", sender=SHARED, subject=f"Re: {question.subject}")
    answered(couple)
    assert couple.on_file(BERND) == ("dn", "E")


def test_no_drops_the_move(couple: Any) -> None:
    """`Nein` to the question drops the kept move."""
    question = asks(couple)
    couple.writes("Die Berge", "Nein\n", sender=SHARED, subject=f"Re: {question.subject}")
    answered(couple)
    assert couple.rows(Sheet) == []
    assert [row.answer for row in couple.rows(Question)] == ["no"]


def test_a_wrong_name_leaves_the_question_open(couple: Any) -> None:
    """A name of nobody there is refused; the right one counts afterwards."""
    question = asks(couple)
    couple.writes("Die Berge", "Name: Carla\n", sender=SHARED, subject=f"Re: {question.subject}")
    assert "spielst du unter dieser Adresse nicht" in couple.said(answered(couple))
    couple.writes("Die Berge", "Name: Anna\n", sender=SHARED, subject=f"Re: {question.subject}")
    answered(couple)
    assert couple.on_file(ANNA) == ("dn", "E")


def test_the_round_waits_for_the_name(couple: Any) -> None:
    """At the ZAT a round waits for the answer; with it the kept move counts, and the round closes."""
    couple.passes_until(couple.zat, minutes=-10)
    question = asks(couple)
    couple.passes(minutes=30)
    couple.tick()
    assert couple.round == 1
    couple.writes("Die Berge", "Name: Anna\n", sender=SHARED, subject=f"Re: {question.subject}")
    couple.tick()
    assert couple.round == 2
    assert couple.seat(ANNA)["grid"][0].startswith("dn")
    assert couple.seat(BERND)["nmr"] == [1]


def test_the_round_waits_no_longer_than_hold(couple: Any) -> None:
    """After `hold` the round closes without the answer; a later one is told that it came too late."""
    zat = couple.zat
    couple.passes_until(zat, minutes=-10)
    question = asks(couple)
    couple.passes_until(zat, hours=23, minutes=58)
    couple.tick()
    assert couple.round == 1
    couple.passes(minutes=5)
    couple.tick()
    assert couple.round == 2
    couple.mails()
    couple.writes("Die Berge", "Name: Anna\n", sender=SHARED, subject=f"Re: {question.subject}")
    answer = answered(couple)
    assert "verspätet" in answer.subject
    assert "dein Zug kam 24 Stunden zu spät" in couple.said(answer)
    assert couple.on_file(ANNA) is None


def test_the_round_waits_for_no_move_of_after_the_zat(couple: Any) -> None:
    """A nameless move that came after the ZAT holds nothing up."""
    couple.passes_until(couple.zat, minutes=1)
    asks(couple)
    assert couple.round == 2


def test_a_question_about_seats_with_moves_holds_nothing_up(couple: Any) -> None:
    """Where both of the couple have moves on file, nobody waits for the answer."""
    for name, letters in ((ANNA, "DN"), (BERND, "TI")):
        couple.sends(name, letters, sender=SHARED, head=(f"Name: {name}",))
    couple.tick()
    asks(couple, letters="RO")
    couple.passes_until(couple.zat, seconds=1)
    couple.tick()
    assert couple.round == 2


def test_a_later_move_counts(couple: Any) -> None:
    """A kept move that is claimed after a later one came changes nothing, and says so."""
    question = asks(couple)
    couple.sends(ANNA, "TI", sender=SHARED, head=("Name: Anna",))
    couple.tick()
    couple.mails()
    couple.writes("Die Berge", "Name: Anna\n", sender=SHARED, subject=f"Re: {question.subject}")
    assert "schon ein späterer Zug" in couple.said(answered(couple))
    assert couple.on_file(ANNA) == ("ti", "E")


def test_two_different_moves_without_names(couple: Any) -> None:
    """Two nameless moves in one mail are both refused: one answer could not part them."""
    couple.mails()
    text = couple.block(ANNA, "DN") + "\n" + couple.block(BERND, "TI")
    couple.writes("Die Berge", text, sender=SHARED)
    assert "mehrere Züge für »Eriwan« ohne Namen" in couple.said(answered(couple))
    assert couple.rows(Sheet) == couple.rows(Question) == []


def test_one_named_and_one_nameless(couple: Any) -> None:
    """A name may hold for all that stands below it: a second, other move without one leaves nobody's sure."""
    couple.mails()
    text = couple.block(ANNA, "DN", head=("Name: Anna",)) + "\n" + couple.block(BERND, "TI")
    couple.writes("Die Berge", text, sender=SHARED)
    assert "zwei verschiedene Züge für »Eriwan«" in couple.said(answered(couple))
    assert couple.rows(Sheet) == []


def test_two_moves_below_one_bulletin(couple: Any) -> None:
    """Two different nameless moves in a reply to Anna's bulletin are both hers, so neither counts."""
    couple.mails()
    text = couple.block(ANNA, "DN") + "\n" + couple.block(BERND, "TI")
    couple.writes("Die Berge", text, sender=SHARED, in_reply_to=bulletin(couple, ANNA).message_id)
    assert "zwei verschiedene Züge für »Eriwan«" in couple.said(answered(couple))
    assert couple.rows(Sheet) == []


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("Stand Eriwan", "status"), ("Warten Eriwan", "notice"), ("Protokoll Eriwan", "notice, start"),
        ("Digest aus", "notice"), ("Archivname: kurz", "notice"), ("Standby", "notice"),
        ("Abmeldung Eriwan", "notice"),
    ],
)  # fmt: skip
def test_short_commands_of_couples(couple: Any, command: str, reason: str) -> None:
    """A short command needs a name like a move; with it, above or below, it is done for that one."""
    couple.mails()
    couple.writes("Die Berge", f"{command}\n", sender=SHARED)
    assert "Name: ..." in couple.said(answered(couple))
    for text in (f"Name: Bernd\n{command}\n", f"{command}\n\nName: Bernd\n"):
        couple.writes("Die Berge", text, sender=SHARED)
        mail = answered(couple)
        assert "\nHallo Bernd" in mail.text
        assert couple.last_reason() == reason
        if command.startswith("Abmeldung"):
            break


def test_what_a_couple_may_ask_for_together(couple: Any) -> None:
    """Help with the own position needs no name: what one of the two may read, both have in their mailbox anyway."""
    couple.mails()
    couple.writes("Die Berge", "Hilfe\n", sender=SHARED)
    said = couple.said(answered(couple))
    assert "Name: ..." not in said
    assert "gehört dein Wunschbuchstabe für Runde 2" in said


def test_a_command_for_each(couple: Any) -> None:
    """A name line holds for the commands below it: one mail may speak for both."""
    couple.mails()
    couple.writes("Die Berge", "Name: Anna\nDigest aus\nName: Bernd\nDigest monatlich\n", sender=SHARED)
    answered(couple)
    assert [player.digest for player in couple.rows(Player)[:2]] == ["off", "monthly"]


def test_unsubscribing_from_the_digest(begin: Any) -> None:
    """The mail that List-Unsubscribe asks for stops the digest of the one whom it went to, and of no other."""
    zine = seat_couple(begin("empty", digest={"weekday": "sunday", "time": "18:00"}))
    zine.mails()
    zine.at("2026-11-08T18:00:05+01:00")
    zine.tick()
    digests = [mail for recipient, mail in zine.mails() if recipient == SHARED]
    assert len(digests) == 2
    (value,) = digests[0].headers["list-unsubscribe"]
    link = urlsplit(str(value).strip("<>"))
    fields = {key: values[0] for key, values in parse_qs(link.query).items()}
    assert link.path == "zug@postspiel.example"
    zine.writes("Die Berge", fields["body"], sender=SHARED, subject=fields["subject"])
    assert "kommt nicht mehr" in zine.said(answered(zine))
    assert [player.digest for player in zine.rows(Player)[:2]] == ["off", "weekly"]
    zine.at("2026-11-15T18:00:05+01:00")
    zine.tick()
    digests = [mail for recipient, mail in zine.mails() if recipient == SHARED and "list-unsubscribe" in mail.headers]
    assert ["\nHallo Bernd," in mail.text for mail in digests] == [True]
