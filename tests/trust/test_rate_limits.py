"""Limits per hour: answers to an address, answers to strangers, notices to the GM; a summary of what was left out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import NESTED, PLAYERS, Story, address_of, write_mail
from gm.game.people import lookup
from gm.reports.game import show
from gm.requests.desk import mail_actions, players
from gm.store.queries import game_queries
from gm.store.tables import MailIn, MailOut, Question

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"
WRONG = "Stand Kuba\n"


def move(letter: str) -> str:
    """A block that is new with each wish."""
    return f"Crossword Eriwan\nNeu: {letter}\n" + "......\n" * 6


def sent(zine: Story, address: str) -> list[Any]:
    """Do a pass; give the mails to an address."""
    zine.tick()
    return [mail for recipient, mail in zine.mails() if recipient == address]


def capped(running: Any, most: int = 3) -> Story:
    """Eriwan in round 1, with so many answers an hour."""
    zine: Story = running(more={"security": {"answers_per_hour": most}})
    return zine


def rows(zine: Story, table: Any) -> list[Any]:
    """List a table."""
    with zine.app.database.read() as session:
        return list(session.exec(select(table).order_by(table.id)))


def test_one_summary_after_the_hour(running: Any) -> None:
    """Beyond the cap a mail is handled without an answer; an hour later one mail says what became of each."""
    zine = capped(running)
    for letter in "ENISR":
        zine.writes(ANNA, move(letter))
    zine.writes(ANNA, WRONG, subject="Kuba <b>")
    assert len(sent(zine, address_of(ANNA))) == 3
    zine.passes(minutes=50)
    assert sent(zine, address_of(ANNA)) == []
    zine.passes(minutes=15)
    (summary,) = sent(zine, address_of(ANNA))
    text = " ".join(summary.text.split())
    assert "höchstens 3 in der Stunde" in text
    assert text.count(": erledigt.") == 2
    assert "»Kuba <b>«: nicht angenommen." in text
    assert "<b>" not in summary.html
    assert "Kuba &lt;b&gt;" in summary.html
    assert summary.headers["auto-submitted"] == ("auto-generated",)
    zine.passes(days=1)
    assert sent(zine, address_of(ANNA)) == []
    assert "left out" not in {row.status for row in rows(zine, MailOut)}


def test_moves_beyond_the_cap_count(running: Any) -> None:
    """The last move is on file, answered or not; of an answer that doesn't go out nothing is written but that."""
    zine = capped(running, 1)
    for letter in "EN":
        zine.writes(ANNA, move(letter))
    zine.tick()
    with zine.app.database.read() as session:
        shown = show(zine.app, session, game_queries.named(session, "Eriwan"), ANNA)
    assert next(seat for seat in shown["seats"] if seat["player"] == ANNA)["move"]["wish"] == "N"
    assert [row.status for row in rows(zine, MailIn)] == ["applied", "applied"]
    answers = {row.status: row for row in rows(zine, MailOut) if row.kind == "answer"}
    assert sorted(answers) == ["left out", "sent"]
    assert (answers["left out"].raw, answers["left out"].subject) == (None, "")


def test_a_summary_is_no_answer(running: Any) -> None:
    """It takes none of the answers of its hour away, and at most one goes out in an hour."""
    zine = capped(running, 1)
    summaries = 0
    for minute in range(0, 240, 15):
        zine.passes(minutes=14)
        zine.writes(ANNA, "Spiele\n", subject=f"{minute}")
        mails = sent(zine, address_of(ANNA))
        summaries += sum("geworden" in mail.subject for mail in mails)
    assert 3 <= summaries <= 4
    answers = [row for row in rows(zine, MailOut) if row.kind == "answer" and row.status == "sent"]
    assert len(answers) == 4


def test_the_cap_is_the_addressees(running: Any) -> None:
    """A player who writes from a second address is answered at the first: there the answers are counted."""
    zine = capped(running)
    players.use(zine.app, ANNA, "anna@anderswo.example")
    for letter in "ENISR":
        zine.writes(ANNA, move(letter))
    assert len(sent(zine, "anna@anderswo.example")) == 3
    zine.writes(ANNA, move("T"))
    assert sent(zine, "anna@anderswo.example") == []


def test_a_summary_is_for_who_wrote(running: Any) -> None:
    """Where two share an address, the mail is for the one whose mails were left out, in that one's language."""
    zine = capped(running)
    players.use(zine.app, BERND, address_of(ANNA))
    for line in ("Sprache en\n", *map(move, "ENISR")):
        zine.writes(BERND, f"Name: {BERND}\n{line}", sender=address_of(ANNA))
    sent(zine, address_of(ANNA))
    zine.passes(hours=2)
    (summary,) = sent(zine, address_of(ANNA))
    assert "Hello Bernd," in summary.text
    assert [row.player_id for row in rows(zine, MailOut) if row.kind == "summary"] == [2]


def test_a_summary_goes_where_mails_go_now(running: Any) -> None:
    """Whoever has moved gets it at the new address; whoever shared the old one reads nothing of it."""
    zine = capped(running, 1)
    players.use(zine.app, BERND, address_of(ANNA))
    for name in (ANNA, BERND, ANNA, BERND):
        zine.writes(name, f"Name: {name}\n{move(name[0])}", sender=address_of(ANNA), subject=f"Von {name}")
    sent(zine, address_of(ANNA))
    players.use(zine.app, BERND, "bernd@anderswo.example")
    zine.passes(hours=2)
    zine.tick()
    said = {to: mail.text for to, mail in zine.mails()}
    assert f"Von {BERND}" in said["bernd@anderswo.example"]
    assert f"Von {ANNA}" not in said["bernd@anderswo.example"]
    assert f"Von {ANNA}" in said[address_of(ANNA)]
    assert f"Von {BERND}" not in said[address_of(ANNA)]


def test_a_summary_names_thirty_and_counts_the_rest(running: Any) -> None:
    """However much came, the summary can be read."""
    zine = capped(running, 1)
    for number in range(40):
        zine.arrives(write_mail(address_of(ANNA), "Spiele\n", subject=f"Nr. {number}"))
    zine.tick()
    zine.mails()
    zine.passes(hours=2)
    (summary,) = sent(zine, address_of(ANNA))
    assert summary.text.count("erledigt.") == 30
    assert "Und noch 9 mehr." in summary.text


def strangers_answered(zine: Story) -> list[str]:
    """Do a pass; name the strangers who got a mail."""
    zine.tick()
    return [to for to, _ in zine.mails() if to.endswith("fremd.example")]


def floods(zine: Story, number: int, text: str = "Spiele\n") -> list[str]:
    """Let as many strangers write; returns their addresses."""
    senders = [f"nr{at:03}@fremd.example" for at in range(number)]
    for sender in senders:
        zine.arrives(write_mail(sender, text))
    return senders


def test_a_flood_with_forged_senders_makes_us_no_spammer(running: Any) -> None:
    """Strangers in all get three times what one address gets in an hour; who comes later waits, players don't."""
    zine = capped(running)
    senders = floods(zine, 30)
    zine.writes(BERND, "Spiele\n")
    assert strangers_answered(zine) == senders[:9]
    assert [row.status for row in rows(zine, MailIn)] == ["applied"] * 9 + ["put off"] * 21 + ["applied"]
    assert zine.tick().is_idle
    for at in (9, 18, 27):
        zine.passes(hours=1)
        assert strangers_answered(zine) == senders[at : at + 9]
    assert {row.status for row in rows(zine, MailIn)} == {"applied"}
    assert rows(zine, Question) == []


def test_a_newcomer_in_a_flood_is_asked_within_six_hours(running: Any) -> None:
    """With the usual cap sixty forged mails fill an hour; the newcomer behind them waits for the next and plays."""
    zine = capped(running, 20)
    floods(zine, 60, "Hallo!\n")
    zine.arrives(write_mail("neu@fremd.example", "Standby\n", name="Nora Neu"))
    assert len(strangers_answered(zine)) == 60
    zine.passes(minutes=61)
    (question,) = sent(zine, "neu@fremd.example")
    reply = {"subject": f"Re: {question.subject}", "in_reply_to": question.message_id}
    zine.arrives(write_mail("neu@fremd.example", "Ja\n", **reply))
    assert len(sent(zine, "neu@fremd.example")) == 1
    with zine.app.database.read() as session:
        assert lookup.named(session, "Nora Neu")


def test_who_was_put_off_comes_before_who_writes_later(running: Any) -> None:
    """Mails that keep coming don't push back those that wait, also over a restart, and each is answered once."""
    zine = capped(running, 1)
    first = floods(zine, 6)
    answered = strangers_answered(zine)
    zine.app.close()
    zine.app = zine.open(zine.app.settings)
    for hour in range(3):
        zine.passes(hours=1)
        zine.arrives(write_mail(f"spaeter{hour}@fremd.example", "Spiele\n"))
        answered += strangers_answered(zine)
    assert answered == [*first, *(f"spaeter{hour}@fremd.example" for hour in range(3))]


def test_what_says_nothing_takes_no_room(running: Any) -> None:
    """A mail that needs no answer when its turn comes makes room for the next one at once."""
    zine = capped(running, 1)
    floods(zine, 3)
    for _ in range(3):
        zine.arrives(write_mail("nr003@fremd.example", "Hallo!\n"))
    zine.arrives(write_mail("nr004@fremd.example", "Spiele\n"))
    assert len(strangers_answered(zine)) == 3
    zine.passes(hours=1)
    assert strangers_answered(zine) == ["nr003@fremd.example", "nr004@fremd.example"]


def test_more_than_six_hours_of_strangers_are_put_before_the_gm(running: Any) -> None:
    """The oldest are answered within six hours; the GM is told once about those that wait longer; none is lost."""
    zine = capped(running, 1)
    senders, answered = floods(zine, 30), []
    notices = []
    began = zine.now
    for _ in range(10):
        zine.tick()
        mails = zine.mails()
        answered += [to for to, _ in mails if to.endswith("fremd.example")]
        notices += [mail for to, mail in mails if to == GM]
        if zine.now - began < timedelta(hours=6):
            in_time = len(answered)
        zine.passes(hours=1)
    assert answered == senders
    assert in_time == 18
    assert [row.kind for row in rows(zine, Question)] == ["strangers"]
    (notice,) = notices
    assert "gm mail list --status" in notice.text


def test_a_dropped_mail_gets_no_answer(running: Any) -> None:
    """The GM may take out of the line what shall have no answer."""
    zine = capped(running, 1)
    floods(zine, 4)
    zine.tick()
    zine.mails()
    with zine.app.database.write() as session:
        assert "put aside" in mail_actions.drop(zine.app, session, "4")
    zine.passes(hours=1)
    assert strangers_answered(zine) == []


def test_a_newcomers_yes_passes_a_flood(running: Any) -> None:
    """An answer with the question's code is accepted and confirmed, whatever else strangers send."""
    zine = capped(running, 1)
    zine.arrives(write_mail("neu@fremd.example", "Standby\n", name="Nora Neu"))
    (question,) = sent(zine, "neu@fremd.example")
    for number in range(10):
        zine.arrives(write_mail(f"nr{number}@fremd.example", "Hallo!\n"))
    zine.tick()
    zine.passes(hours=1)
    for number in range(10):
        zine.arrives(write_mail(f"nr{number}@fremd.example", "Spiele\n"))
    zine.arrives(
        write_mail("neu@fremd.example", "Ja\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    )
    assert len(sent(zine, "neu@fremd.example")) == 1
    with zine.app.database.read() as session:
        assert lookup.named(session, "Nora Neu")


@pytest.mark.parametrize("number", [3, 60])
def test_the_gm_gets_no_flood(running: Any, number: int) -> None:
    """Each mail in quarantine is on the GM's list; beyond so many notices an hour, one mail says how many more."""
    zine = capped(running, 20)
    for at in range(number):
        head = f"From: Anna Berg <anna@spieler.example>\r\nSubject: {at}\r\n"
        zine.arrives(head.encode() + NESTED)
    assert len(sent(zine, GM)) == min(number, 20)
    assert len([row for row in rows(zine, Question) if row.kind == "quarantine"]) == number
    zine.passes(minutes=61)
    mails = sent(zine, GM)
    assert [mail.subject for mail in mails] == (["Noch 40 Meldungen: siehe »gm todo«"] if number > 20 else [])
    zine.passes(days=1)
    assert sent(zine, GM) == []


def test_an_idle_pass_does_nothing(running: Any) -> None:
    """Where nothing was left out, looking for summaries writes nothing and queues nothing."""
    zine = capped(running)
    zine.tick()
    zine.mails()
    before = len(rows(zine, MailOut))
    zine.passes(hours=5)
    assert zine.tick().is_idle
    assert len(rows(zine, MailOut)) == before
