"""A bare letter answers the question for the wish letter (issue 29), and is a move nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Question, Seat, Sheet

ANNA, BERND = PLAYERS[:2]
FORMS = [
    "R", "r", "R.", "Buchstabe R", "Wunsch: r", "ich nehme das R", "Ja, gerne! Wunschbuchstabe R",
    "Hallo Cici,\n\nR\n\nViele Grüße\nAnna", "Mein Wunschbuchstabe ist das R.", "I'd like the letter R, please",
]  # fmt: skip


@pytest.fixture
def opened(zine: Any) -> Any:
    """Eriwan, open, with Anna in it, who has named no wish."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    seating.join(zine.app, "Eriwan", ANNA, address_of(ANNA), None)
    zine.tick()
    zine.mails()
    return zine


def wishes(zine: Any) -> list[Any]:
    """List the wishes of the seats that name one."""
    return [seat.entry["letter"] for seat in zine.rows(Seat) if seat.entry]


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("text", FORMS)
def test_from_the_only_seat_that_lacks_it(opened: Any, text: str) -> None:
    """Without a thread the letter goes to the only open game of the sender in which the wish is wanted."""
    opened.writes(ANNA, f"{text}\n", subject="Hallo")
    assert "Du bist dabei" in opened.answer(ANNA).subject
    assert wishes(opened) == ["R"]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("text", FORMS)
def test_in_the_thread_of_the_mail_that_asked(opened: Any, text: str) -> None:
    """A reply to the mail that asks for the wish names it; a later one names another."""
    actions.new_game(opened.app, "crossword", "Tiflis")
    opened.writes(ANNA, "Anmeldung Crossword Tiflis\n")
    asked = opened.answer(ANNA)
    assert "fehlt noch etwas" in asked.subject
    for letter in (text, "Wunschbuchstabe X"):
        opened.writes(ANNA, f"{letter}\n", subject=f"Re: {asked.subject}", in_reply_to=asked.message_id)
        opened.tick()
    assert wishes(opened) == ["X"]
    assert [seat.entry is None for seat in opened.rows(Seat)] == [True, False]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    "text",
    [
        "Anmeldung Crossword Tiflis\nWunschbuchstabe R", "Anmeldung Crossword Tiflis, Wunschbuchstabe R",
        "Anmeldung Crossword Tiflis\nMein Wunschbuchstabe: R\n\nGruß, Bernd",
        "Anmeldung Crossword Tiflis! Ich nehme das R.",
    ],
)  # fmt: skip
def test_beside_a_sign_up(opened: Any, text: str) -> None:
    """The letter in words beside a sign-up is its wish, for a player and for a newcomer."""
    actions.new_game(opened.app, "crossword", "Tiflis")
    opened.writes(ANNA, f"{text}\n")
    assert opened.answer(ANNA).subject == "[Tiflis] Du bist dabei"
    opened.writes("Xaver Zorn", f"{text}\n")
    question = opened.answer("Xaver Zorn")
    opened.writes("Xaver Zorn", "Ja\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    assert opened.answer("Xaver Zorn").subject == "[Tiflis] Du bist dabei"
    assert wishes(opened) == ["R", "R"]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    "text", ["Ja, gerne! Wunschbuchstabe R", "Ja\nNeu: R", "Ja, R bitte", "Ja gern\nIch wünsche mir ein R"]
)
def test_beside_a_newcomers_yes(opened: Any, text: str) -> None:
    """Issue 29: `Ja, gerne! Wunschbuchstabe R` seats with that wish, also where the sign-up named another."""
    for name, sign_up in (("Xaver Zorn", "Anmeldung Eriwan"), ("Yvonne Zorn", "Anmeldung Eriwan\nNeu: D")):
        opened.writes(name, f"{sign_up}\n")
        question = opened.answer(name)
        opened.writes(name, f"{text}\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
        assert opened.answer(name).subject == "[Eriwan] Du bist dabei"
    assert wishes(opened) == ["R", "R"]


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("text", ["R oder S", "Wunschbuchstabe Ä", "R?", "nicht R", "Vielleicht R"])
def test_no_letter(opened: Any, text: str) -> None:
    """What isn't one letter goes to the GM."""
    opened.writes(ANNA, f"{text}\n", subject="Hallo")
    opened.tick()
    assert wishes(opened) == []
    assert [question.payload["text"] for question in opened.rows(Question)] == [text]


def test_two_games_lack_it(opened: Any) -> None:
    """Nobody knows which of two is meant."""
    actions.new_game(opened.app, "crossword", "Tiflis")
    seating.join(opened.app, "Tiflis", ANNA, address_of(ANNA), None)
    opened.writes(ANNA, "R\n", subject="Hallo")
    opened.tick()
    assert wishes(opened) == []


def test_only_where_a_wish_is_wanted(zine: Any) -> None:
    """A game that wants none has nothing to do with a letter."""
    actions.new_game(zine.app, "typ-dom", "Tiflis")
    seating.join(zine.app, "Tiflis", ANNA, address_of(ANNA), None)
    zine.tick()
    zine.mails()
    zine.writes(ANNA, "R\n", subject="[Tiflis] Zug")
    assert "weitergegeben" in zine.reply(ANNA)


@pytest.mark.parametrize("name", ["Xaver Zorn", BERND])
def test_nobody_else_names_it(opened: Any, name: str) -> None:
    """A letter from somebody without a seat changes nothing."""
    opened.writes(name, "R\n", subject="[Eriwan] Hallo")
    opened.tick()
    assert wishes(opened) == []


def test_never_a_move_by_accident(eriwan: Any) -> None:
    """In a running game a letter is no move, in the thread or not."""
    start = eriwan.outgoing(kind="start", address=address_of(ANNA))[0].message_id
    for more in ({"in_reply_to": start}, {"subject": "[Eriwan] Zug"}, {"subject": "Hallo"}):
        eriwan.writes(ANNA, "R\n", **more)
        eriwan.tick()
    eriwan.mails()
    eriwan.sends(ANNA, "DN", "E")
    asked = eriwan.answer(ANNA)
    eriwan.writes(ANNA, "R\n", in_reply_to=asked.message_id)
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert len(eriwan.rows(Sheet)) == 1


@pytest.mark.parametrize("text", ["R", "Wunschbuchstabe R", "Ich nehme das R", "Hallo,\n\nR\n\nViele Grüße\nAnna"])
def test_a_letter_alone_hears_what_is_missing(eriwan: Any, text: str) -> None:
    """Issue 29: where a whole move is due the answer says that the grid is missing, and nothing is filed."""
    eriwan.writes(ANNA, f"{text}\n", subject="Zug")
    said = eriwan.reply(ANNA)
    assert (
        "Gelesen habe ich nur den Buchstaben R; das ist in »Eriwan« noch kein Zug. Im Block steht kein Raster" in said
    )
    assert "»Hilfe Crossword«" in said
    assert (eriwan.rows(Sheet), eriwan.rows(Question)) == ([], [])


def test_it_completes_a_move_that_lacks_it(eriwan: Any) -> None:
    """Where the confirmation asks for the wish of the next round, a letter in its thread names it."""
    eriwan.sends(ANNA, "DN", None)
    asked = eriwan.answer(ANNA)
    assert "fehlt" in eriwan.said(asked)
    eriwan.writes(ANNA, "Buchstabe R\n", subject=f"Re: {asked.subject}", in_reply_to=asked.message_id)
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("dn", "R")
