"""`Vergiss mich`: asked at the registered address, seats handed over, a last mail, and then forgotten for ever.

Source: the issue on conversation, "My games, my data"; interface.md, `gm player forget` and who answers a question.
"""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import select

from gm.commands.gm_commands import actions, players
from gm.commands.gm_commands.erasure import forget
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.players import lookup
from gm.reports.players import details
from gm.runtime.errors import Refused
from gm.store.tables import Address, MailIn, MailOut, Player, Question, Seat, Standby, Watcher

ANNA, BERND, CARLA = PLAYERS[:3]
GERDA = "Gerda Hahn"
GM = "cici@postspiel.example"
SHARED = "berge@spieler.example"


def asked(zine: Any, name: str = ANNA, text: str = "Vergiss mich\n", **more: Any) -> Any:
    """Let somebody want to be forgotten; returns the question."""
    zine.writes(name, text, **more)
    zine.tick()
    return [mail for _, mail in zine.mails()][-1]


def says_yes(zine: Any, question: Any, name: str = ANNA, **more: Any) -> None:
    """Answer the question, and do a pass."""
    zine.writes(name, "Ja\n", subject=f"Re: {question.subject}", **more)
    zine.tick()


def names(zine: Any) -> list[str]:
    """Name all players."""
    return [player.name for player in zine.rows(Player)]


def mails_to(zine: Any, address: str) -> list[Any]:
    """Return what has gone to an address since the last look."""
    return [mail for recipient, mail in zine.mails() if recipient == address]


def forgotten_bytes(zine: Any, *texts: str) -> list[str]:
    """List which of these texts are still in the database's file or the archive."""
    folder = zine.config.parent
    files = [path for path in folder.rglob("*") if path.is_file() and path != zine.config]
    content = b"".join(path.read_bytes() for path in files).lower()
    return [text for text in texts if text.lower().encode() in content]


# -- the question ------------------------------------------------------------------------------------------------------


def test_it_is_asked_first(eriwan: Any) -> None:
    """The question says what goes, what stays and which seats become free; nothing has happened yet."""
    question = asked(eriwan)
    said = eriwan.said(question)
    assert said.startswith("[Frage ")
    assert "Dein Platz: wird frei in Eriwan" in said
    assert "Es bleibt: was zu den Partien gehört: Züge" in said
    eriwan.tick()
    assert names(eriwan)[0] == ANNA
    assert eriwan.seat(ANNA)["player"] == ANNA


@pytest.mark.sqlite  # it searches the files
def test_yes(eriwan: Any) -> None:
    """`Ja` frees the seat and says goodbye; in the same pass name, addresses and texts are gone, from the pages too."""
    eriwan.writes(ANNA, "Presse Eriwan\nAnna Berg grüßt.\nEnde\nStandby\nGM: Ich bin Anna Berg\n")
    eriwan.tick(archive=True)
    question = asked(eriwan)
    assert set(forgotten_bytes(eriwan, ANNA, address_of(ANNA))) == {ANNA, address_of(ANNA)}
    eriwan.writes(ANNA, "Ja\n", subject=f"Re: {question.subject}")
    eriwan.tick(archive=True)
    mails = eriwan.mails()
    (last,) = [mail for recipient, mail in mails if recipient == address_of(ANNA)]
    assert last.subject == "Mach's gut, und danke fürs Mitspielen"
    assert "Dein Platz in Eriwan ist frei" in eriwan.said(last)
    assert GM in eriwan.said(last)  # whoever is forgotten can still ask
    assert "»Hilfe" not in last.text
    told = [mail.subject for recipient, mail in mails if recipient == address_of(BERND)]
    assert told == ["[Eriwan] Anna Berg hört auf"]
    assert names(eriwan)[0] == "N. N."
    assert forgotten_bytes(eriwan, ANNA, address_of(ANNA), "anna berg", "anna-berg") == []
    assert [row.answer for row in eriwan.rows(Question) if row.kind == "forget"] == ["forgotten"]


def test_the_gm_is_told_at_the_end(eriwan: Any) -> None:
    """One notice names N. N. and the empty seat, with the command that fills it; the command works."""
    says_yes(eriwan, asked(eriwan))
    notices = [mail for mail in mails_to(eriwan, GM) if "vergessen" in mail.subject]
    assert len(notices) == 1
    assert '\n     gm standby Eriwan "N. N." NAME ADRESSE   \n' in notices[0].text
    assert "Anna" not in notices[0].text
    code = notices[0].subject.partition("]")[0].split()[-1]
    eriwan.writes("Cici", f'gm standby Eriwan "N. N." "{GERDA}" {address_of(GERDA)}\n', sender=GM,
                  subject=f"Re: [Frage {code}]")  # fmt: skip
    eriwan.tick()
    assert eriwan.seat(GERDA)["history"] == ["N. N.", GERDA]
    for _ in range(3):
        eriwan.tick()
    assert [row.kind for row in eriwan.rows(Question)].count("forgotten") == 1


def test_the_standby_list_is_asked_first(eriwan: Any) -> None:
    """Whoever stands by gets the offer before, and takes the seat of somebody who is N. N. by then."""
    actions.add_standby(eriwan.app, GERDA, address_of(GERDA), None)
    says_yes(eriwan, asked(eriwan))
    eriwan.tick()
    (offer,) = mails_to(eriwan, address_of(GERDA))
    eriwan.writes(GERDA, "Ja\n", subject=f"Re: {offer.subject}")
    eriwan.tick()
    assert eriwan.seat(GERDA)["history"] == ["N. N.", GERDA]
    assert names(eriwan)[0] == "N. N."


def test_an_open_game_and_all_lists(seated: Any) -> None:
    """A seat in a game that hasn't begun is free, and nothing is left on any list."""
    seated.writes(ANNA, "Standby\n")
    seated.tick()
    seated.mails()
    says_yes(seated, asked(seated))
    assert [seat["player"] for seat in seated.show()["seats"]] == list(PLAYERS[1:])
    left = [row for table in (Address, Standby, Watcher) for row in seated.rows(table) if row.player_id == 1]
    assert left == []


@pytest.mark.parametrize("text", ["Nein\n", ""])
def test_no_or_nothing(eriwan: Any, text: str) -> None:
    """`Nein` changes nothing, nor does silence: after a week the code is worth nothing."""
    question = asked(eriwan)
    if text:
        eriwan.writes(ANNA, text, subject=f"Re: {question.subject}")
        assert "es bleibt alles, wie es ist" in eriwan.reply(ANNA)
    eriwan.passes(days=8)
    says_yes(eriwan, question)
    assert names(eriwan)[0] == ANNA


def test_asked_twice_is_one_question(eriwan: Any) -> None:
    """Asking again brings the same question, so the first mail can be answered as well."""
    first = asked(eriwan)
    assert asked(eriwan, text="Forget me please\n").subject == first.subject.replace(
        "Frage", "Question"
    ).replace("Soll ich dich vergessen?", "Shall I forget you?")  # fmt: skip
    assert [row.kind for row in eriwan.rows(Question)] == ["forget"]
    says_yes(eriwan, first)
    assert names(eriwan)[0] == "N. N."


# -- who may answer ----------------------------------------------------------------------------------------------------


def test_a_bare_yes_forgets_nobody(eriwan: Any) -> None:
    """Whoever forges the sender hasn't seen the code, and a bare `Ja` is worth nothing."""
    asked(eriwan)
    eriwan.writes(ANNA, "Ja\n")
    assert "keine offene Frage" in eriwan.reply(ANNA)
    eriwan.writes("Forger", "Ja\n", sender=address_of(ANNA), subject="Re: [Frage ABCDEFGH] Soll ich dich vergessen?")
    eriwan.tick()
    assert names(eriwan)[0] == ANNA


@pytest.mark.parametrize("proof", ["authenticated", "token"])
def test_one_question_is_enough(begin: Any, proof: str) -> None:
    """Whatever proof is asked for, the code is one: nobody is asked about the wish first, and then about the `Ja`."""
    story = begin("started", security={"sender": proof})
    question = asked(story)
    assert "Soll ich dich vergessen?" in question.subject
    says_yes(story, question)
    assert names(story)[0] == "N. N."


def test_in_the_thread_without_the_code(eriwan: Any) -> None:
    """A reply to the question proves as much as its code, where somebody has changed the subject."""
    question = asked(eriwan)
    eriwan.writes(ANNA, "Ja\n", subject="ja!", in_reply_to=question.message_id)
    eriwan.tick()
    assert names(eriwan)[0] == "N. N."


def test_somebody_elses_yes(eriwan: Any) -> None:
    """The code in another player's hands, or a stranger's, does nothing."""
    question = asked(eriwan)
    for name in (BERND, "Xaver Zorn"):
        says_yes(eriwan, question, name)
    assert names(eriwan)[:2] == [ANNA, BERND]


def test_from_an_address_that_was_taken_away(eriwan: Any) -> None:
    """Once the GM has removed an address, a code that went there is worth nothing: it may be in wrong hands."""
    question = asked(eriwan)
    players.use(eriwan.app, ANNA, "anna@neu.example")
    players.remove(eriwan.app, ANNA, address_of(ANNA))
    says_yes(eriwan, question)
    assert names(eriwan)[0] == ANNA
    says_yes(eriwan, question, sender="anna@neu.example")
    assert names(eriwan)[0] == "N. N."


def test_a_couple(zine: Any) -> None:
    """The other one at the address keeps address, seat and moves."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        actions.join(zine.app, "Eriwan", name, SHARED if name in (ANNA, BERND) else address_of(name), wish)
    actions.start(zine.app, "Eriwan")
    zine.tick()
    zine.writes(BERND, zine.block(BERND, "ROT").replace("\n", "\nName: Bernd\n", 1), sender=SHARED)
    zine.tick()
    zine.mails()
    question = asked(zine, text="Name: Anna\nVergiss mich\n", sender=SHARED)
    assert "unter deinem Namen, Anna Berg," in zine.said(question)
    says_yes(zine, question, sender=SHARED)
    assert names(zine)[:2] == ["N. N.", BERND]
    assert zine.on_file(BERND) == ("rot", "E")
    assert [row.address for row in zine.rows(Address) if row.player_id == 2] == [SHARED]


def test_the_gm_plays(eriwan: Any) -> None:
    """A GM who plays is in every mail: by mail that isn't possible, and the answer says what is."""
    players.use(eriwan.app, ANNA, GM)
    eriwan.writes(ANNA, "Vergiss mich\n", sender=GM)
    eriwan.tick()
    assert "Du leitest diese Partien" in eriwan.said(mails_to(eriwan, GM)[-1])
    assert not eriwan.rows(Question)


# -- until it is done --------------------------------------------------------------------------------------------------


def test_it_waits_until_the_farewell_is_out(eriwan: Any) -> None:
    """While no mail can be sent nobody is forgotten: the last mail needs its address."""
    question = asked(eriwan)
    eriwan.outbox.is_down = True
    says_yes(eriwan, question)
    assert names(eriwan)[0] == ANNA
    with eriwan.app.database.read() as session:
        assert details(eriwan.app, session, lookup.named(session, ANNA))["wants_to_be_forgotten"] is not None
    eriwan.writes(ANNA, "Vergiss mich\n")
    eriwan.tick()
    eriwan.outbox.is_down = False
    eriwan.passes(hours=3)
    eriwan.tick()
    said = [eriwan.said(mail) for mail in mails_to(eriwan, address_of(ANNA))]
    assert any("schon bestätigt" in text for text in said)
    assert names(eriwan)[0] == "N. N."


def test_a_mail_in_quarantine(eriwan: Any) -> None:
    """A mail of theirs that nobody has dealt with isn't lost: they are forgotten when the GM has."""
    eriwan.writes(ANNA, "GM: Das ist wichtig\n")
    eriwan.tick()
    with eriwan.writing() as session:
        row = session.get_one(MailIn, 1)
        row.status = "quarantined"
        session.add(row)
    says_yes(eriwan, asked(eriwan))
    eriwan.tick()
    assert names(eriwan)[0] == ANNA
    with eriwan.writing() as session:
        row = session.get_one(MailIn, 1)
        row.status = "refused"
        session.add(row)
    eriwan.tick()
    assert names(eriwan)[0] == "N. N."


def test_seated_again_meanwhile(eriwan: Any) -> None:
    """Whom the GM has seated before it was done leaves that game as well: the word stands."""
    question = asked(eriwan)
    eriwan.outbox.is_down = True
    says_yes(eriwan, question)
    actions.new_game(eriwan.app, "crossword", "Havanna")
    actions.join(eriwan.app, "Havanna", ANNA, address_of(ANNA), "A")
    eriwan.outbox.is_down = False
    eriwan.passes(hours=3)
    for _ in range(3):
        eriwan.tick()
    assert names(eriwan)[0] == "N. N."
    assert [row for row in eriwan.rows(Seat) if row.game_id == 2] == []


def test_renamed_meanwhile(eriwan: Any) -> None:
    """Another name or address by the GM changes nothing: it is the same person."""
    question = asked(eriwan)
    players.rename(eriwan.app, ANNA, "Anna Neu")
    players.use(eriwan.app, "Anna Neu", "anna@neu.example")
    says_yes(eriwan, question)
    eriwan.tick()
    assert names(eriwan)[0] == "N. N."
    assert forgotten_bytes(eriwan, ANNA, "Anna Neu", "anna@neu.example", address_of(ANNA)) == []


def test_by_hand_meanwhile(eriwan: Any) -> None:
    """Where the GM is quicker, the service has nothing left to do, and says nothing."""
    question = asked(eriwan)
    eriwan.outbox.is_down = True
    says_yes(eriwan, question)
    with eriwan.writing() as session:
        for row in session.exec(select(MailOut).where(MailOut.status == "queued")).all():
            row.status = "dropped"
            session.add(row)
    forget(eriwan.app, ANNA)
    eriwan.outbox.is_down = False
    eriwan.tick()
    assert [row.answer for row in eriwan.rows(Question) if row.kind == "forget"] == ["forgotten"]
    assert not [row for row in eriwan.rows(Question) if row.kind == "forgotten"]
    with pytest.raises(Refused, match="was forgotten"):
        forget(eriwan.app, "N. N.")


def test_many_mails_left_out(eriwan: Any) -> None:
    """The farewell is the one answer that no limit keeps back."""
    for _ in range(25):
        eriwan.writes(ANNA, "Stand Eriwan\n")
    eriwan.writes(ANNA, "Vergiss mich\n")
    eriwan.tick()
    eriwan.mails()
    (question,) = eriwan.rows(Question)
    eriwan.writes(ANNA, "Ja\n", subject=f"[Frage {question.code}]")
    eriwan.tick()
    assert [mail.subject for mail in mails_to(eriwan, address_of(ANNA))] == ["Mach's gut, und danke fürs Mitspielen"]
    eriwan.passes(hours=2)
    eriwan.tick()
    assert mails_to(eriwan, address_of(ANNA)) == []
    assert names(eriwan)[0] == "N. N."


def test_a_newcomer_with_the_same_address_later(eriwan: Any) -> None:
    """Who comes back is somebody new, and nothing of before is known."""
    says_yes(eriwan, asked(eriwan))
    eriwan.tick()
    eriwan.mails()
    actions.new_game(eriwan.app, "crossword", "Havanna")
    eriwan.passes(days=1)
    eriwan.writes(ANNA, "Anmeldung Havanna\n")
    question = eriwan.answer(ANNA)
    eriwan.writes(ANNA, "Ja\n", subject=f"Re: {question.subject}")
    eriwan.tick()
    found = [(player.name, player.id) for player in eriwan.rows(Player) if player.name in ("N. N.", ANNA)]
    assert found == [("N. N.", 1), (ANNA, 7)]


def test_nothing_pending_costs_nothing(eriwan: Any) -> None:
    """A pass without such a wish writes nothing for it, and what is done is never done again."""
    says_yes(eriwan, asked(eriwan))
    for _ in range(3):
        eriwan.tick()
    before = len(eriwan.rows(MailOut)), [row.answered_at for row in eriwan.rows(Question)]
    eriwan.passes(days=1)
    eriwan.tick()
    assert (len(eriwan.rows(MailOut)), [row.answered_at for row in eriwan.rows(Question)]) == before
