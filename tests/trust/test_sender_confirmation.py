"""Mails without authentication: the registered address is asked, and the mail waits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import zines

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, write_mail
from gm.messages import bounces
from gm.reports.health import health
from gm.reports.state import State
from gm.requests.desk import actions
from gm.requests.sender_check import confirmation
from gm.service.outbound import digests
from gm.store.tables import Address, Question, Sheet
from parsers.mime.message import Mail

prepared_zines, opener, begin = zines.prepared_zines, zines.opener, zines.begin
ANNA, BERND = PLAYERS[:2]
EVIL = "x@evil.example"


@pytest.fixture
def strict(begin: Callable[..., Any]) -> Any:
    """Eriwan in round 1, with `authenticated` and a provider that says nothing."""
    return begin("started", security={"sender": "authenticated", "trusted_authserv": ["mx.example.org"]})


def code(mail: Mail) -> str:
    """Return the code in a question's subject."""
    found = re.search(r"\[Frage ([A-Z0-9]+)\]", mail.subject)
    assert found, mail.subject
    return found[1]


def answers(zine: Any, question: Mail, text: str = "Ja\n", name: str = ANNA, **more: Any) -> None:
    """Answer a question as mail programs do."""
    zine.writes(name, text, subject=f"AW: {question.subject}", in_reply_to=question.message_id, **more)


def test_the_question_shows_the_mail_and_changes_nothing(strict: Any) -> None:
    """Anna alone is asked, sees what the mail says, and nothing is on file; the log says that it waits."""
    strict.sends(ANNA, "DN")
    strict.tick()
    ((recipient, question),) = strict.mails()
    assert recipient == address_of(ANNA)
    assert "Crossword Eriwan" in question.text
    assert "DN...." in question.text
    assert question.in_reply_to == strict.received()[-1].message_id
    assert strict.on_file(ANNA) is None
    assert (strict.received()[-1].status, strict.last_reason()) == ("waiting", "ask_sender")


def test_yes_takes_the_mail_as_of_its_arrival(strict: Any) -> None:
    """After Anna's `Ja` the move is on file with the time at which it came."""
    strict.sends(ANNA, "DN")
    question = strict.answer(ANNA)
    strict.passes(days=2)
    answers(strict, question)
    strict.tick()
    assert strict.on_file(ANNA) == ("dn", "E")
    move, word = strict.received()[-2:]
    assert strict.rows(Sheet)[-1].received_at == move.received_at
    assert (move.status, word.status) == ("applied", "applied")


@pytest.mark.parametrize("way", ["code only", "thread only"])
def test_yes_needs_what_our_mail_brought(strict: Any, way: str) -> None:
    """The code or the Message-ID of our mail is the proof; either will do."""
    strict.sends(ANNA, "DN")
    question = strict.answer(ANNA)
    if way == "code only":
        strict.writes(ANNA, "Ja\n", subject=f"[Frage {code(question).lower()}]")
    else:
        strict.writes(ANNA, "Ja\n", subject="Zug", in_reply_to=question.message_id)
    strict.tick()
    assert strict.on_file(ANNA) == ("dn", "E")


def test_a_bare_yes_is_nobodys(strict: Any) -> None:
    """A `Ja` without code and thread, which a forger can write as well, is told so and takes nothing."""
    strict.sends(ANNA, "DN")
    strict.answer(ANNA)
    strict.writes(ANNA, "Ja\n")
    assert "keine offene Frage" in strict.reply(ANNA)
    assert strict.on_file(ANNA) is None


def test_yes_sent_again_is_no_second_yes(strict: Any) -> None:
    """A copied `Ja`, under another Message-ID, finds its question answered, and vouches for no later mail."""
    strict.sends(ANNA, "DN")
    first = strict.answer(ANNA)
    answers(strict, first)
    strict.answer(ANNA)
    answers(strict, first)
    assert "schon beantwortet" in strict.reply(ANNA) or strict.last_reason() == "notice"
    strict.sends(ANNA, "RO", subject=f"AW: {first.subject}", in_reply_to=first.message_id)
    assert strict.answer(ANNA).subject.startswith("[Frage ")
    assert strict.on_file(ANNA) == ("dn", "E")


def test_somebody_elses_yes_vouches_for_nothing(strict: Any) -> None:
    """Bernd, who has learnt the code, can't say `Ja` for Anna from his own address."""
    strict.sends(ANNA, "DN")
    question = strict.answer(ANNA)
    answers(strict, question, name=BERND)
    strict.tick()
    assert strict.on_file(ANNA) is None


def test_no_drops_the_mail_and_tells_the_gm_once(strict: Any) -> None:
    """After `Nein` nothing happens ever, and of two disowned mails the GM hears but once."""
    told = []
    for _ in range(2):
        strict.sends(ANNA, "DN")
        question = strict.answer(ANNA)
        answers(strict, question, "Nein\n")
        strict.tick()
        assert strict.received()[-2].status == "refused"
        told += [mail.subject for to, mail in strict.mails() if to == "cici@postspiel.example"]
    assert len(told) == 1
    assert "nicht von Anna Berg" in told[0]
    answers(strict, question)
    strict.tick()
    assert strict.on_file(ANNA) is None


def test_without_an_answer_it_lapses(strict: Any) -> None:
    """After a week the mail is refused with the reason in the log, the question expires, and a `Ja` is too late."""
    actions.move_zat(strict.app, "Eriwan", "+60d")
    strict.sends(ANNA, "DN")
    question = next(mail for to, mail in (strict.tick(), strict.mails())[1] if mail.subject.startswith("[Frage"))
    strict.passes(days=7, minutes=1)
    strict.tick()
    assert (strict.received()[-1].status, strict.last_reason()) == ("refused", "nobody vouched for it in time")
    answers(strict, question)
    strict.tick()
    assert strict.on_file(ANNA) is None


def test_the_round_waits_for_the_answer(strict: Any) -> None:
    """A mail that came in time and waits for Anna's word holds the round for `deadlines.hold`, and then counts."""
    strict.passes_until(strict.zat, hours=-1)
    strict.sends(ANNA, "DN")
    strict.tick()
    question = next(mail for to, mail in strict.mails() if mail.subject.startswith("[Frage"))
    strict.passes_until(strict.zat, hours=3)
    strict.tick()
    assert strict.round == 1
    answers(strict, question)
    strict.tick()
    strict.tick()
    assert strict.round == 2
    assert "dn...." in strict.show()["seats"][0]["grid"]


def test_after_the_hold_it_is_too_late(strict: Any) -> None:
    """A round waits a day at most: then it closes, and a move that is confirmed later is too late."""
    strict.passes_until(strict.zat, hours=-1)
    strict.sends(ANNA, "DN")
    strict.tick()
    question = next(mail for to, mail in strict.mails() if mail.subject.startswith("[Frage"))
    strict.passes_until(strict.zat, hours=25)
    strict.tick()
    assert strict.round == 2
    strict.mails()
    answers(strict, question)
    assert "verspätet" in strict.reply(ANNA)
    assert strict.on_file(ANNA) is None


def test_a_later_move_counts(strict: Any) -> None:
    """A forged old mail that Anna vouches for by mistake doesn't undo the move that she has sent since."""
    strict.sends(ANNA, "RO")
    first = strict.answer(ANNA)
    strict.sends(ANNA, "DN")
    answers(strict, strict.answer(ANNA))
    strict.answer(ANNA)
    answers(strict, first)
    assert "ein späterer Zug" in strict.reply(ANNA)
    assert strict.on_file(ANNA) == ("dn", "E")


def test_a_flood_of_forged_mails_is_none_to_the_player(strict: Any) -> None:
    """Of twenty mails in Anna's name she is asked about five; the others wait for the GM in one entry."""
    for _ in range(20):
        strict.sends(ANNA, "DN")
    strict.tick()
    to = [recipient for recipient, _ in strict.mails()]
    assert to.count(address_of(ANNA)) == 5
    assert to.count("cici@postspiel.example") == 1
    assert [row.status for row in strict.received()[-20:]] == ["waiting"] * 20
    (entry,) = [one for one in strict.rows(Question) if one.kind == "unproven"]
    ids = [row.id for row in strict.received()[-15:]]
    assert all(re.search(rf"\b{number}\b", entry.payload["text"]) for number in ids)


def test_the_gm_can_let_a_mail_be_asked_about_again(strict: Any) -> None:
    """What waited for the GM is tried again with `gm mail retry`, and may be dropped with `gm mail drop`."""
    from gm.requests.desk.mail_actions import drop, retry

    for _ in range(6):
        strict.sends(ANNA, "DN")
    strict.tick()
    last = strict.received()[-1].id
    strict.passes(days=2)
    with strict.writing() as session:
        retry(strict.app, session, str(last))
    strict.mails()
    assert strict.answer(ANNA).subject.startswith("[Frage ")
    with strict.writing() as session:
        drop(strict.app, session, str(last))
    assert strict.received()[-1].status == "ignored"


def test_a_bare_yes_of_a_newcomer_is_nobodys(strict: Any) -> None:
    """Who isn't a player yet has been asked as well: there, too, only code or thread is an answer."""
    new = "xaver@neu.example"
    strict.writes("Xaver Huber", "Standby Crossword\n", sender=new)
    strict.tick()
    question = dict(strict.mails())[new]
    strict.writes("Xaver Huber", "Ja\n", sender=new, subject="")
    wrong = code(question)[::-1] + "7"
    strict.writes("Xaver Huber", "Ja\n", sender=new, subject=f"[Frage {wrong}]")
    strict.tick()
    assert any(wrong in strict.said(mail) for to, mail in strict.mails() if to == new), "the wrong code is named"
    assert new not in {row.address for row in strict.rows(Address)}
    answers(strict, question, sender=new)
    strict.tick()
    assert new in {row.address for row in strict.rows(Address)}


def test_what_changes_nothing_is_answered_at_once(strict: Any) -> None:
    """Help, lists and positions go to the registered address without a question, whoever asked for them."""
    for text in ("Hilfe\n", "Spiele\n", "Stand Eriwan\n", "Stnad Eriwan\n"):
        strict.writes(ANNA, text, headers={"Reply-To": EVIL})
    strict.tick()
    mails = strict.mails()
    assert {to for to, _ in mails} == {address_of(ANNA)}
    assert len(mails) == 4
    assert not any(mail.subject.startswith("[Frage ") for _, mail in mails)


def test_what_changes_something_waits(strict: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that is done or said in Anna's name waits for her word."""
    monkeypatch.setattr(confirmation, "MOST_A_DAY", 100)
    texts = ("Abmeldung Eriwan", "Warten Eriwan", "Zurückziehen Eriwan", "Standby", "Digest aus", f"Adresse {EVIL}",
             "GM: Ich gebe auf.", "Ich gebe auf.", "Presse Eriwan\nHallo\nEnde", "Stand Eriwan\nAbmeldung Eriwan",
             "......\n" * 6, "Einspruch Eriwan ROT: doch", "Archivname kurz", "Name: Bernd")  # fmt: skip
    for text in texts:
        strict.writes(ANNA, f"{text}\n")
    strict.tick()
    assert [row.status for row in strict.received()[-len(texts) :]] == ["waiting"] * len(texts)
    assert {to for to, _ in strict.mails()} == {address_of(ANNA)}
    assert [one.kind for one in strict.rows(Question)] == ["sender"] * len(texts)


def test_the_gm_needs_the_code_and_no_other_proof(strict: Any) -> None:
    """The GM's lines are proven by the code of the mail that offers them, and by nothing else."""
    for _ in range(6):
        strict.sends(ANNA, "DN")
    strict.tick()
    offer = next(mail for to, mail in strict.mails() if to == "cici@postspiel.example")
    line = f"gm mail drop {strict.received()[-1].id}\n"
    strict.writes("Cici", line, sender="cici@postspiel.example")
    strict.tick()
    assert strict.received()[-2].status == "waiting"
    strict.writes("Cici", line, sender="cici@postspiel.example", subject=f"AW: {offer.subject}")
    strict.tick()
    assert strict.received()[-3].status == "ignored"


def test_resigning_again_by_an_old_mail(strict: Any) -> None:
    """An old `Abmeldung`, sent once more after Anna has vouched for it, is asked about as a new mail."""
    strict.writes(ANNA, "Digest aus\n")
    answers(strict, strict.answer(ANNA))
    strict.answer(ANNA)
    strict.writes(ANNA, "Digest aus\n")
    assert strict.answer(ANNA).subject.startswith("[Frage ")


def test_wrong_codes_lock_nobody_out(strict: Any) -> None:
    """Wrong codes sent in a player's name don't invalidate the right code."""
    strict.sends(ANNA, "DN")
    question = strict.answer(ANNA)
    for number in range(5):
        strict.sends(ANNA, "RO", subject=f"[Frage AAAAAAA{'ABCDE'[number]}]")
    strict.tick()
    strict.sends(ANNA, "RO", subject=question.subject)
    strict.tick()
    assert strict.received()[-1].status == "applied"
    assert strict.on_file(ANNA) == ("ro", "E")


# -- replays -----------------------------------------------------------------------------------------------------------


def test_the_same_mail_again_is_one_mail(begin: Callable[..., Any]) -> None:
    """A copy with the same Message-ID and text is only logged, in address mode as well."""
    zine = begin("started")
    raw = zine.sends(ANNA, "DN")
    zine.tick()
    zine.mails()
    zine.arrives(raw)
    zine.tick()
    assert zine.received()[-1].status == "ignored"
    assert not zine.mails()


def test_an_old_move_with_a_new_id_is_a_move_and_seen(begin: Callable[..., Any]) -> None:
    """In address mode whoever copies a mail under a new Message-ID moves for Anna, and she hears of it at once."""
    zine = begin("started")
    raw = zine.sends(ANNA, "DN")
    zine.sends(ANNA, "RO")
    zine.tick()
    zine.mails()
    zine.arrives(re.sub(rb"Message-ID: <[^>]*>", b"Message-ID: <copied@evil.example>", raw))
    assert "gespeichert" in zine.reply(ANNA)
    assert zine.on_file(ANNA) == ("dn", "E")


def test_an_old_move_in_a_later_round(begin: Callable[..., Any]) -> None:
    """In address mode last round's mail under a new Message-ID is read for this round, and Anna is told its result."""
    zine = begin("started")
    raw = zine.sends(ANNA, "DN")
    zine.tick()
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    zine.passes(hours=1)
    zine.mails()
    zine.arrives(re.sub(rb"Message-ID: <[^>]*>", b"Message-ID: <copied@evil.example>", raw))
    assert "Gesetzt: nichts" in zine.reply(ANNA)  # what it lays, lies there already; she sees it and can take it back
    assert zine.last_reason() == "confirmation"


# -- what a trusted server found forged --------------------------------------------------------------------------------

FOUND = b"Authentication-Results: mx.example.org; dmarc=fail\r\nReceived: from x by mx.example.org; now\r\n"


def forges(zine: Any, text: str, head: bytes = b"", sender: str = address_of(ANNA)) -> None:
    """Let a mail in Anna's name arrive that the provider found forged."""
    ident = f"<{len(zine.received())}.{zine.now.timestamp()}@evil.example>"
    zine.arrives(FOUND + head + write_mail(sender, text, name=ANNA, message_id=ident))


@pytest.mark.parametrize("mode", ["address", "authenticated"])
def test_a_forged_mail_is_told_once_a_day(begin: Callable[..., Any], mode: str) -> None:
    """In every mode nothing in it is done and nobody answers it; her address hears of it, next time a day later."""
    zine = begin("started", security={"sender": mode, "trusted_authserv": ["mx.example.org"]})
    forges(zine, zine.block(ANNA, "DN"))
    forges(zine, "Abmeldung Eriwan\n")
    zine.tick()
    ((recipient, told),) = zine.mails()
    assert (recipient, told.subject) == (address_of(ANNA), "Eine gefälschte Mail unter deiner Adresse")
    assert (told.in_reply_to, "Abmeldung" in told.text, "DN" in told.text) == ("", False, False)
    assert zine.on_file(ANNA) is None
    zine.passes(hours=20)
    forges(zine, "Stand Eriwan\n")
    zine.tick()
    assert zine.nothing_new()
    zine.passes(hours=5)
    forges(zine, "Stand Eriwan\n")
    zine.tick()
    assert [recipient for recipient, _ in zine.mails()] == [address_of(ANNA)]
    assert [row.status for row in zine.received()][-4:] == ["ignored"] * 4


def test_the_gm_sees_how_many_were_forged(strict: Any) -> None:
    """`gm status` and the GM's copy of the digest count those of a week, under players' addresses alone."""
    for sender in (address_of(ANNA), address_of(BERND), EVIL):
        forges(strict, "Stand Eriwan\n", sender=sender)
    strict.tick()
    assert (_counted(strict), len(strict.mails())) == (2, 2)
    with strict.app.database.read() as session:
        issue = digests.make(strict.app, session, digests.out_of_turn(strict.app))
        _, text = digests.written(strict.app, session, issue)
    assert "in den letzten 7 Tagen: 2" in text
    strict.passes(days=8)
    assert _counted(strict) == 0


def _counted(zine: Any) -> int:
    with zine.app.database.read() as session:
        return int(health(State(zine.app, session))["forged_senders"])


@pytest.mark.parametrize(
    "head", [b"Auto-Submitted: auto-replied\r\n", f"X-Loop: {GM_ADDRESS}\r\n".encode()], ids=["a program's", "our own"]
)
def test_a_forged_mail_by_a_program_is_told_to_nobody(strict: Any, head: bytes) -> None:
    """What a program wrote might be an answer to what we say: it is only counted."""
    forges(strict, "Stand Eriwan\n", head)
    strict.tick()
    assert (strict.nothing_new(), _counted(strict)) == (True, 1)


def test_a_forged_report_marks_nobody(strict: Any) -> None:
    """A delivery report that was found forged doesn't say that mails to a player come back."""
    (report,) = [one for one in strict.outgoing() if one.address == address_of(BERND)][:1]
    strict.arrives(FOUND + _report(report))
    strict.tick()
    assert strict.received()[-1].reason.startswith("forged sender")
    assert _returned(strict) == []
    strict.arrives(_report(report).replace(b"r@evil", b"s@evil"))
    strict.tick()
    assert _returned(strict) == [address_of(BERND)]


def _returned(zine: Any) -> list[str]:
    with zine.app.database.read() as session:
        return [address.address for _, address in bounces.unreachable(session)]


def _report(letter: Any) -> bytes:
    head = f"From: {address_of(ANNA)}\r\nSubject: Undelivered\r\nMessage-ID: <r@evil.example>\r\nContent-Type: "
    kind = "multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nno\r\n--b\r\n"
    status = f"Final-Recipient: rfc822; {letter.address}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\n"
    parts = f"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n{status}"
    return f"{head}{kind}{parts}Content-Type: message/rfc822\r\n\r\n".encode() + letter.raw + b"\r\n--b--\r\n"
