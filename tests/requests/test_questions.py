"""Questions and answers by code, reply or a bare yes; expiry, guessed codes. Shown with sign-ups and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions, players
from gm.store.queries import player_queries
from gm.store.tables import Address, Player, Question, Watcher

ANNA, BERND = PLAYERS[:2]
XAVER = "Xaver Zorn"
NEW = "anna@neu.example"


def code_of(mail: Any) -> str:
    """Find the code in a question's subject."""
    found = re.search(r"\[(?:Frage|Question) ([A-Z0-9]{8})\]", mail.subject)
    assert found, mail.subject
    return found[1]


def asked(zine: Any, text: str = "Beobachten Eriwan\n", name: str = XAVER, **more: Any) -> Any:
    """Let somebody unknown ask for something and return the question that comes back."""
    zine.writes(name, text, **more)
    return zine.answer(name)


def says(zine: Any, name: str, text: str, **more: Any) -> str:
    """Let somebody answer, and return what comes back."""
    zine.writes(name, f"{text}\n", **more)
    return str(zine.reply(name))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(
    "subject",
    ["Re: [Frage {code}] Möchtest du?", "[Frage {code}]", "AW: Re: [Frage {code}] x", "WG: [Question {code}]"],
)
def test_the_code_in_the_subject(eriwan: Any, subject: str) -> None:
    """The code finds the question, whatever else became of the subject."""
    question = asked(eriwan)
    said = says(eriwan, XAVER, "Ja", subject=subject.format(code=code_of(question)))
    assert "die Bulletins von »Eriwan«" in said
    assert len(eriwan.rows(Watcher)) == 1


def test_a_code_in_small_letters(eriwan: Any) -> None:
    """Some programs write subjects small; the code is read all the same."""
    question, _ = asked(eriwan), asked(eriwan, "Standby\n")
    says(eriwan, XAVER, "ja", subject=f"re: [frage {code_of(question).lower()}] möchtest du?")
    assert len(eriwan.rows(Watcher)) == 1


def test_the_thread_finds_the_question(eriwan: Any) -> None:
    """A reply with another subject still answers its question, also with two questions open."""
    first, second = asked(eriwan), asked(eriwan, "Standby\n")
    said = says(eriwan, XAVER, "Ja", subject="Ja gern", in_reply_to=first.message_id)
    assert "die Bulletins von »Eriwan«" in said
    says(eriwan, XAVER, "Nein", subject="Nein danke", in_reply_to=second.message_id)
    assert [question.answer for question in eriwan.rows(Question)] == ["yes", "no"]


def test_a_bare_yes_with_two_questions_open(eriwan: Any) -> None:
    """Nobody knows which of two is meant: both stay open."""
    asked(eriwan)
    asked(eriwan, "Standby\n")
    assert "oder es sind mehrere" in says(eriwan, XAVER, "Ja", subject="")
    assert [question.answered_at for question in eriwan.rows(Question)] == [None, None]


def test_no_ends_it(eriwan: Any) -> None:
    """`Nein` settles the question and brings nothing about; a later `Ja` is too late."""
    question = asked(eriwan)
    assert "dann nicht" in says(eriwan, XAVER, "Nein", subject=f"Re: {question.subject}")
    assert "schon erledigt" in says(eriwan, XAVER, "Ja", subject=f"Re: {question.subject}")
    assert eriwan.rows(Watcher) == []
    assert len(eriwan.rows(Player)) == 6


def test_answered_twice(eriwan: Any) -> None:
    """A second `Ja` changes nothing and is told so."""
    question = asked(eriwan)
    says(eriwan, XAVER, "Ja", subject=f"Re: {question.subject}")
    assert "schon erledigt" in says(eriwan, XAVER, "Ja", subject=f"Re: {question.subject}")
    assert len(eriwan.rows(Watcher)) == 1


@pytest.mark.parametrize(("days", "counts"), [(6.9, True), (7.1, False)])
def test_a_question_expires(eriwan: Any, days: float, counts: bool) -> None:
    """After a week a `Ja` comes too late, with its code or without."""
    question = asked(eriwan)
    eriwan.passes(days=days)
    if not counts:
        assert "keine offene Frage" in says(eriwan, XAVER, "Ja", subject="")
    said = says(eriwan, XAVER, "Ja", subject=f"Re: {question.subject}")
    assert ("Die Zeit für diese Frage ist um" in said) != counts
    assert len(eriwan.rows(Watcher)) == counts


def test_somebody_elses_code(eriwan: Any) -> None:
    """A code answers for nobody but the one who was asked, and says nothing about the question."""
    question = asked(eriwan)
    assert f"Code {code_of(question)}" in says(eriwan, ANNA, "Ja", subject=f"Re: {question.subject}")
    assert eriwan.rows(Watcher) == []


def test_wrong_codes_lock_nobody_out(eriwan: Any) -> None:
    """Wrong codes from a forged address don't invalidate the right code."""
    question = asked(eriwan)
    for number in range(7):
        assert "habe ich dir nicht gestellt" in says(eriwan, XAVER, "Ja", subject=f"[Frage ABCDEFG{number + 2}]")
    assert eriwan.rows(Watcher) == []
    says(eriwan, XAVER, "Ja", subject=f"Re: {question.subject}")
    assert len(eriwan.rows(Watcher)) == 1


def test_a_stranger_who_was_never_asked_guesses_nothing(eriwan: Any) -> None:
    """From an address that we asked nothing, `Ja` with a code gets the short help."""
    eriwan.writes(XAVER, "Ja\n", subject="[Frage ABCDEFGH]")
    assert eriwan.answer(XAVER).subject.startswith("Postspiele per Mail")


# -- another address ---------------------------------------------------------------------------------------------------


def asks_for(zine: Any, new: str = NEW, **more: Any) -> dict[str, Any]:
    """Let Anna ask for another address; returns both questions by recipient, the answer under ""."""
    zine.writes(ANNA, f"Adresse {new}\n", **more)
    zine.tick()
    found: dict[str, Any] = {}
    for recipient, mail in zine.mails():
        found[recipient if "[Frage" in mail.subject else ""] = mail
    return found


def mailed_to(zine: Any, name: str = ANNA) -> str:
    """Return where a player's mails go."""
    with zine.app.database.read() as session:
        player = player_queries.player_named(session, name)
        return player_queries.address_of(session, player.id)


def answers(zine: Any, sender: str, text: str, question: Any) -> list[tuple[str, str]]:
    """Let Anna answer a question from an address; returns what goes out, and to whom."""
    zine.writes(ANNA, f"{text}\n", sender=sender, subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    zine.tick()
    return [(recipient, zine.said(mail)) for recipient, mail in zine.mails()]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_both_addresses_say_yes(eriwan: Any, order: list[int]) -> None:
    """With the second `Ja` mails go to the new address; moves still count from the old one, and from the new."""
    asked_at = asks_for(eriwan)
    assert set(asked_at) == {address_of(ANNA), NEW}
    sides = [(address_of(ANNA), asked_at[address_of(ANNA)]), (NEW, asked_at[NEW])]
    first, second = (sides[at] for at in order)
    ((recipient, said),) = answers(eriwan, first[0], "Ja", first[1])
    assert recipient == first[0]
    assert "fehlt noch das »Ja« von der anderen" in said
    assert mailed_to(eriwan) == address_of(ANNA)
    ((recipient, said),) = answers(eriwan, second[0], "Ja", second[1])
    assert recipient == NEW
    assert "gehen ab jetzt an" in said
    assert mailed_to(eriwan) == NEW
    for number, sender in enumerate((address_of(ANNA), NEW)):
        eriwan.sends(ANNA, "DNT"[: number + 1], sender=sender)
        eriwan.tick()
        assert [recipient for recipient, _ in eriwan.mails()] == [NEW]
        assert eriwan.on_file(ANNA) == ("dnt"[: number + 1], "E")


@pytest.mark.parametrize("side", [0, 1])
def test_a_no_from_either_side_stops_both(eriwan: Any, side: int) -> None:
    """After one `Nein` the other's `Ja` comes too late: the address stays."""
    asked_at = asks_for(eriwan)
    sides = [(address_of(ANNA), asked_at[address_of(ANNA)]), (NEW, asked_at[NEW])]
    ((recipient, said),) = answers(eriwan, sides[side][0], "Nein", sides[side][1])
    assert recipient == sides[side][0]
    assert "bleibt, wie sie war" in said
    ((_, said),) = answers(eriwan, sides[1 - side][0], "Ja", sides[1 - side][1])
    assert "schon erledigt" in said
    assert mailed_to(eriwan) == address_of(ANNA)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("subject", ["", "Re: [Frage {evil}]", "[Frage ABCDEFGH]"])
def test_an_impostor_cannot_finish_it(eriwan: Any, subject: str) -> None:
    """With Anna's sender forged the new address may confirm, but nobody can answer for the old one."""
    evil = "evil@evil.example"
    asked_at = asks_for(eriwan, evil)
    answers(eriwan, evil, "Ja", asked_at[evil])
    code = code_of(asked_at[evil])
    for _ in range(3):
        eriwan.writes(ANNA, "Ja\n", subject=subject.format(evil=code), in_reply_to=asked_at[evil].message_id)
        eriwan.writes(ANNA, "Ja\n", subject=subject.format(evil=code))
        eriwan.tick()
    assert mailed_to(eriwan) == address_of(ANNA)
    assert [question.answer for question in eriwan.rows(Question) if question.address == address_of(ANNA)] == [""]


def test_yes_without_the_code_in_the_subject(eriwan: Any) -> None:
    """The question at the old address stands in the answer: a reply to that is enough."""
    asked_at = asks_for(eriwan)
    eriwan.writes(ANNA, "Ja\n", subject="Re: Zu deiner Mail", in_reply_to=asked_at[address_of(ANNA)].message_id)
    assert "fehlt noch" in eriwan.reply(ANNA)


@pytest.mark.trust
def test_a_mail_names_one_new_address(eriwan: Any) -> None:
    """Twenty mails with a hundred lines each reach three others a day, once each."""
    for number in range(20):
        lines = [f"Adresse opfer{number}.{line}@fremd.example" for line in range(100)]
        eriwan.writes(ANNA, "\n".join((*lines, "Adresse opfer0.0@fremd.example", "")))
    eriwan.tick()
    others = [(recipient, mail) for recipient, mail in eriwan.mails() if recipient.endswith("@fremd.example")]
    assert sorted(recipient for recipient, _ in others) == [f"opfer{number}.0@fremd.example" for number in range(3)]
    assert not any("Anna" in mail.text or "Anna" in mail.html for _, mail in others)


def test_one_side_answers_too_late(eriwan: Any) -> None:
    """After a week the second `Ja` counts no more, and everything stays as it was."""
    asked_at = asks_for(eriwan)
    answers(eriwan, address_of(ANNA), "Ja", asked_at[address_of(ANNA)])
    eriwan.passes(days=7, minutes=1)
    ((_, said),) = answers(eriwan, NEW, "Ja", asked_at[NEW])
    assert "ist um" in said
    assert mailed_to(eriwan) == address_of(ANNA)


def test_a_newer_wish_replaces_the_older(eriwan: Any) -> None:
    """Of two wishes the last one counts; the questions of the first are settled."""
    first = asks_for(eriwan)
    second = asks_for(eriwan, "anna@drei.example")
    ((_, said),) = answers(eriwan, NEW, "Ja", first[NEW])
    assert "schon erledigt" in said
    answers(eriwan, "anna@drei.example", "Ja", second["anna@drei.example"])
    answers(eriwan, address_of(ANNA), "Ja", second[address_of(ANNA)])
    assert mailed_to(eriwan) == "anna@drei.example"


def test_a_couple_comes_together(eriwan: Any) -> None:
    """Anna may move to Bernd's address: then both write from there, and each by name."""
    asked_at = asks_for(eriwan, address_of(BERND))
    ((recipient, _),) = answers(eriwan, address_of(BERND), "Ja", asked_at[address_of(BERND)])
    assert recipient == address_of(BERND)
    answers(eriwan, address_of(ANNA), "Ja", asked_at[address_of(ANNA)])
    assert mailed_to(eriwan) == mailed_to(eriwan, BERND) == address_of(BERND)
    eriwan.sends(ANNA, "DN", sender=address_of(BERND), head=("Name: Anna",))
    eriwan.sends(BERND, "TI", head=("Name: Bernd",))
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert eriwan.on_file(BERND) == ("ti", "E")


def test_back_to_a_known_address(eriwan: Any) -> None:
    """An address that is known already can become the one for mails again, and is kept once."""
    for new, old in ((NEW, address_of(ANNA)), (address_of(ANNA), NEW)):
        asked_at = asks_for(eriwan, new)
        for side in (old, new):
            answers(eriwan, side, "Ja", asked_at[side])
        assert mailed_to(eriwan) == new
    held = [row.address for row in eriwan.rows(Address) if row.player_id == 1]
    assert sorted(held) == sorted([NEW, address_of(ANNA)])


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (address_of(ANNA).upper(), "gehen deine Mails schon"), ("zug@postspiel.example", "kann nicht deine Adresse"),
        ("anna", "Adresse anna@example.org"),
    ],
)  # fmt: skip
def test_addresses_that_cannot_be(eriwan: Any, new: str, said: str) -> None:
    """The present address, ours, and what is none are refused at once: nobody is asked."""
    eriwan.writes(ANNA, f"Adresse {new}\n")
    assert said in eriwan.reply(ANNA)
    assert eriwan.rows(Question) == []


def test_questions_do_not_give_players_away(eriwan: Any) -> None:
    """The new address is told neither who asks nor in which game."""
    asked_at = asks_for(eriwan)
    assert "Anna" not in asked_at[NEW].text.replace(NEW, "")
    assert "Eriwan" not in asked_at[NEW].text
    assert eriwan.now - eriwan.rows(Question)[0].created_at < timedelta(hours=1)


# -- the address is the player's no more -------------------------------------------------------------------------------

OTHER = "anna@arbeit.example"
HANS = "hans@spieler.example"
ASKED = {
    "a stranger's move": (f"Crossword Eriwan\nName: {ANNA}\nNeu: E\nDN....\n......\n......\n......\n......\n......\n",
                          {"sender": "unbekannt@fremd.example"}),
    "a wish": ("Hallo,\n\nich höre bei Eriwan auf. Viel Spaß noch!\n\nAnna\n", {}),
    "another address": (f"Adresse {NEW}\n", {}),
}  # fmt: skip
WAYS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "code": lambda asked: {"subject": f"Re: {asked.subject}"},
    "thread": lambda asked: {"subject": "Re: Frage", "in_reply_to": asked.message_id},
    "both": lambda asked: {"subject": f"Re: {asked.subject}", "in_reply_to": asked.message_id},
    "bare": lambda _: {"subject": ""},
}


def left_address(zine: Any, text: str, more: dict[str, Any], *, is_taken: bool) -> Any:
    """Ask Anna something, then take the address away from her at which she was asked; returns the question's mail."""
    players.use(zine.app, ANNA, OTHER)
    players.use(zine.app, ANNA, address_of(ANNA))
    zine.writes(ANNA, text, **more)
    zine.tick()
    asked = next(mail for to, mail in zine.mails() if to == address_of(ANNA) and "[Frage" in mail.subject)
    players.remove(zine.app, ANNA, address_of(ANNA))
    if is_taken:
        actions.add_standby(zine.app, "Hans Igel", address_of(ANNA), None)
    return asked


def held(zine: Any) -> tuple[Any, ...]:
    """Say where Anna sits and is written to, and what is on file."""
    with zine.app.database.read() as session:
        anna = player_queries.player_named(session, ANNA)
        addresses = player_queries.addresses(session, anna.id)
    return addresses, [seat["player"] for seat in zine.show()["seats"]], zine.on_file(ANNA)


@pytest.mark.trust(except_first=8)
@pytest.mark.parametrize("is_taken", [False, True])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", ASKED)
def test_an_address_that_is_theirs_no_more(eriwan: Any, what: str, way: str, is_taken: bool) -> None:
    """A `Ja` from there answers nothing for the player, also when somebody else has the address now."""
    asked = left_address(eriwan, *ASKED[what], is_taken=is_taken)
    before = held(eriwan)
    answered = {question.id: question.answer for question in eriwan.rows(Question)}
    for answer in ("Ja\n", "Ja, gern!\n", "Nein\n"):
        eriwan.writes(ANNA, answer, sender=address_of(ANNA), **WAYS[way](asked))
        eriwan.tick()
    assert held(eriwan) == before
    assert {question.id: question.answer for question in eriwan.rows(Question) if question.id in answered} == answered
    eriwan.writes(ANNA, "Ja\n", sender=OTHER, **WAYS["both"](asked))
    eriwan.tick()
    assert held(eriwan) == before, "and what was asked there is answered from nowhere else"


def test_an_offer_at_an_address_that_is_theirs_no_more(begin: Any) -> None:
    """Nobody takes a seat for a standby from an address that is the standby's no more."""
    zine = begin("started")
    actions.add_standby(zine.app, "Hans Igel", HANS, None)
    players.use(zine.app, "Hans Igel", OTHER)
    players.use(zine.app, "Hans Igel", HANS)
    zine.writes(ANNA, "Abmeldung Eriwan\n")
    zine.tick()
    offer = next(mail for to, mail in zine.mails() if to == HANS)
    players.remove(zine.app, "Hans Igel", HANS)
    zine.writes("Hans Igel", "Ja\n", sender=HANS, **WAYS["both"](offer))
    zine.tick()
    assert "Hans Igel" not in [seat["player"] for seat in zine.show()["seats"]]
