"""Machines aren't people: what mail programs and ticket systems write is neither passed on nor answered."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.reports.todo import waiting_for_gm
from gm.store.tables import MailIn, Question

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"
ABSENT = [
    "Ich bin bis zum 05.12. nicht im Büro. Ihre Mail wird nicht weitergeleitet.",
    "Guten Tag,\n\nich bin derzeit außer Haus. In dringenden Fällen wenden Sie sich an Frau Sommer.",
    "Hello,\nI am out of the office until Monday with limited access to e-mail.",
    "Vielen Dank für Ihre Nachricht. Wir haben Ihre Anfrage erhalten und melden uns.",
    "Your request has been received and is being reviewed by our support staff.",
    "Das Postfach des Empfängers ist voll.",
]
TICKETS = ["[Ticket#4711] Re: Frage", "Re: Frage [#12345]", "[Case 00123] Your request"]


def on_list(zine: Any) -> list[str]:
    """List what waits for the GM, by kind."""
    with zine.app.database.read() as session:
        return [row["what"] for row in waiting_for_gm(zine.app, session)]


def asks(zine: Any) -> Any:
    """Let Anna ask the GM something; returns the mail that brings it."""
    zine.writes(ANNA, "Passt dir das Wochenende noch?", subject="Frage")
    zine.tick()
    told = dict(zine.mails())[GM]
    zine.passes(minutes=5)
    return told


def reaction(sender: str, to: Any) -> bytes:
    """Write what Gmail sends for a click on 👍."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, "zug@postspiel.example", f"Re: {to.subject}"
    mail["In-Reply-To"] = to.message_id
    mail.set_content("👍\n\nCici hat über Gmail reagiert\n")
    mail.add_alternative("<p>👍</p>", subtype="html")
    mail.add_alternative(b'{"emoji": "x", "version": 1}', "text", "vnd.google.email-reaction+json")
    return mail.as_bytes(policy=SMTP)


def calendar_reply(sender: str, to: Any) -> bytes:
    """Write what a calendar sends when its owner accepts."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, "zug@postspiel.example", f"Zugesagt: {to.subject}"
    mail["In-Reply-To"] = to.message_id
    mail.set_content("Cici hat zugesagt.\n")
    mail.add_alternative("BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR\r\n", subtype="calendar")
    return mail.as_bytes(policy=SMTP)


def replies(zine: Any, sender: str, mail: Any, text: str, **more: Any) -> dict[str, Any]:
    """Let a mail come in reply to one of ours; returns what goes out."""
    more = {"subject": f"Re: {mail.subject}", "in_reply_to": mail.message_id, **more}
    zine.arrives(write_mail(sender, text, **more))
    zine.tick()
    return dict(zine.mails())


# -- the GM's ----------------------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", ABSENT)
def test_the_gms_machine_is_asked_about_once(eriwan: Any, text: str) -> None:
    """Anna's question isn't ticked off, she hears nothing; the GM is asked once, however often the machine answers."""
    told = asks(eriwan)
    sent = replies(eriwan, GM, told, text)
    assert set(sent) == {GM}
    assert "Soll" in sent[GM].text
    assert "text" in on_list(eriwan)
    for _ in range(3):
        eriwan.passes(minutes=1)
        assert replies(eriwan, GM, sent[GM], text) == {}
        assert replies(eriwan, GM, told, text) == {}


@pytest.mark.parametrize("headers", [{"Precedence": "bulk"}, {"Precedence": "junk"}])
def test_what_says_that_it_is_bulk(eriwan: Any, headers: dict[str, str]) -> None:
    """Whatever it says, it doesn't go on unasked."""
    sent = replies(eriwan, GM, asks(eriwan), "Bin wieder da ab Montag.", headers=headers)
    assert set(sent) == {GM}
    assert "text" in on_list(eriwan)


def test_what_comes_within_a_minute(eriwan: Any) -> None:
    """A reply with words alone, seconds after our mail: the GM is asked, and with `Ja` it goes to Anna."""
    eriwan.writes(ANNA, "Passt dir das Wochenende noch?", subject="Frage")
    eriwan.tick()
    told = dict(eriwan.mails())[GM]
    sent = replies(eriwan, GM, told, "Ja doch, bis Sonntag.\nMelde dich einfach, wenn es nicht klappt.")
    assert set(sent) == {GM}
    eriwan.passes(minutes=3)
    sent = replies(eriwan, GM, sent[GM], "Ja")
    assert "bis Sonntag" in sent[address_of(ANNA)].text


@pytest.mark.parametrize("write", [reaction, calendar_reply])
def test_reactions_of_the_gm(eriwan: Any, write: Any) -> None:
    """A thumb or an accepted invitation reaches nobody and ticks nothing off."""
    told = asks(eriwan)
    eriwan.arrives(write(GM, told))
    eriwan.tick()
    assert eriwan.mails() == []
    assert on_list(eriwan) == ["text"]
    assert replies(eriwan, GM, told, "👍") == {}
    assert on_list(eriwan) == ["text"]


def test_the_gms_own_words_go_on(eriwan: Any) -> None:
    """A person's answer reaches Anna at once, and settles the entry."""
    sent = replies(eriwan, GM, asks(eriwan), "Klar, Sonntag reicht.")
    assert "Sonntag reicht" in sent[address_of(ANNA)].text
    assert on_list(eriwan) == []


# -- a player's --------------------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", ABSENT)
def test_a_players_machine(eriwan: Any, text: str) -> None:
    """No answer, and on the list once a thread, however many mails of ours it answers."""
    eriwan.writes(ANNA, "Spiele\n")
    mail = eriwan.answer(ANNA)
    for number in range(4):
        eriwan.passes(hours=2)
        sent = replies(eriwan, address_of(ANNA), mail, f"{text}\n({number})")
        assert sent == {}
    assert on_list(eriwan) == ["text"]


@pytest.mark.parametrize("subject", TICKETS)
def test_receipts_of_a_ticket_system(eriwan: Any, subject: str) -> None:
    """A ticket system is not answered, for ever."""
    eriwan.writes(ANNA, "Spiele\n")
    mail = eriwan.answer(ANNA)
    for _ in range(3):
        assert replies(eriwan, address_of(ANNA), mail, "Wir kümmern uns darum.", subject=subject) == {}
    assert len(on_list(eriwan)) == 1


@pytest.mark.parametrize("write", [reaction, calendar_reply])
def test_reactions_of_a_player(eriwan: Any, write: Any) -> None:
    """They are no words: nobody answers, and nobody has to look at them."""
    eriwan.writes(ANNA, "Spiele\n")
    mail = eriwan.answer(ANNA)
    eriwan.arrives(write(address_of(ANNA), mail))
    eriwan.tick()
    assert replies(eriwan, address_of(ANNA), mail, "👍\n") == {}
    assert on_list(eriwan) == []
    assert [row.status for row in eriwan.rows(MailIn)][1:] == ["ignored"] * 2


def test_a_command_in_a_persons_absence(eriwan: Any) -> None:
    """What carries a command is a person's, also with words of absence beside it."""
    sent = replies(eriwan, address_of(ANNA), asks(eriwan), "Stand Eriwan\n\nIch bin bis Freitag nicht im Büro.\n")
    assert "Stand" in sent[address_of(ANNA)].subject


def test_at_most_two_answers_to_talk(eriwan: Any) -> None:
    """A robot whose words nobody knows gets two answers; all it says lies on the list; a command is answered again."""
    eriwan.writes(ANNA, "Spiele\n")
    mail, answered = eriwan.answer(ANNA), 0
    for number in range(5):
        eriwan.passes(hours=1)
        sent = replies(eriwan, address_of(ANNA), mail, f"Der Vorgang läuft, Schritt {'abcde'[number]} folgt sogleich.")
        mail = sent.get(address_of(ANNA), mail)
        answered += address_of(ANNA) in sent
    assert answered == 2
    assert len([one for one in eriwan.rows(Question) if one.kind == "text"]) == 5
    sent = replies(eriwan, address_of(ANNA), mail, "Stand Eriwan\n")
    assert "Stand" in sent[address_of(ANNA)].subject
    sent = replies(eriwan, address_of(ANNA), sent[address_of(ANNA)], "Und wie geht es euch so?")
    assert address_of(ANNA) in sent
