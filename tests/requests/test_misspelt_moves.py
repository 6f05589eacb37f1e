"""What is written with slips: it is read as its writer's, refused with a block to mend, or asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Sheet

ANNA, BERND = PLAYERS[:2]
ROWS = "DN....\n" + "......\n" * 5


@pytest.fixture
def elba(begin: Callable[..., Any]) -> Any:
    """Elba, a Combinato of Anna and Bernd, has begun."""
    zine = begin("empty")
    seating.start(zine.app, "combinato", "Elba", (ANNA, BERND))
    zine.tick()
    zine.mails()
    return zine


@pytest.mark.parametrize("title", ["Krosswort Eriwan", "Crosswort", "Cross Word Eriwan", "Kreuzworträtsel Eriwan"])
def test_a_move_below_a_misspelt_title_is_taken(eriwan: Any, title: str) -> None:
    """With all of its letters: a wish alone would lose them."""
    lines = "".join(f"{at}. {row}\n" for at, row in enumerate(["Neu: E", *ROWS.split()], 1))
    eriwan.writes(ANNA, f"Hallo,\n\n{title}\n{lines}\nGruß\nAnna\n")
    assert "angekommen" in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_what_is_wrong_below_a_misspelt_title_is_named(eriwan: Any) -> None:
    """The refusal has the sender's own letters."""
    eriwan.writes(ANNA, f"Krosswort Eriwan\nNeu: E\n{ROWS.replace('N.', 'N☃')}")
    mail = eriwan.answer(ANNA)
    assert "☃" in mail.text
    assert "DN...." in mail.text
    assert eriwan.on_file(ANNA) is None


def test_two_games_with_misspelt_titles(eriwan: Any) -> None:
    """Each block ends where the next title stands."""
    actions.new_game(eriwan.app, "wort-yahtzee", "Genua")
    seating.join(eriwan.app, "Genua", ANNA, address_of(ANNA), None)
    actions.start(eriwan.app, "Genua")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, f"Krosswort Eriwan\nNeu: E\n{ROWS}Wort Jazzy Genua\nstreiche\n")
    assert eriwan.reply(ANNA).count("gültig und gespeichert") == 2


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Combinatto Elba\nGeheim → HA☃S\n", "HA☃S"), ("Hallo,\n\n1. Geheim: Mault\n\nGruß\n", "MAULT"),
        ("Combinato Elba\nich nehme als Geheimwort das Wort MAULT\n", "MAULT"),
    ],
)  # fmt: skip
def test_a_refusal_shows_how_it_goes(elba: Any, text: str, wrong: str) -> None:
    """Where nothing can be corrected there is the block to fill in, also below lines without a title."""
    elba.writes(ANNA, text)
    mail = elba.answer(ANNA)
    assert "NICHT angenommen" in mail.subject
    assert wrong in mail.text
    assert "Der Zug sieht so aus" in mail.text
    assert "     Combinato Elba, Runde 0   \n     Geheim:   \n" in mail.text


def test_a_refusal_shows_what_was_sent(begin: Callable[..., Any]) -> None:
    """A grid with faults comes back, to be changed."""
    zine = begin("empty")
    seating.start(zine.app, "presto", "Lima", PLAYERS[:4])
    zine.tick()
    zine.mails()
    zine.writes(ANNA, "Presto Lima\nQQQQQ\n..A\n")
    mail = zine.answer(ANNA)
    assert "     Stand: 1   \n     QQQQQ   \n     ..A   \n" in mail.text
    assert "Das hast du geschickt" in mail.text


@pytest.mark.parametrize(
    ("subject", "text"), [("Hallo", "Anmeldung Krosswort Kiew\n\nNeu: T\n"), ("Anmeldung Krosswort Kiew", "Neu: T\n")]
)
def test_the_wish_of_a_misspelt_sign_up_is_no_move(eriwan: Any, subject: str, text: str) -> None:
    """It belongs to the line above; the line that is offered instead has it, and does it when it is sent."""
    actions.new_game(eriwan.app, "crossword", "Kiew")
    eriwan.writes(ANNA, text, subject=subject)
    said = eriwan.reply(ANNA)
    assert "»Anmeldung Crossword Kiew Neu: T«" in said
    assert eriwan.rows(Sheet) == []
    eriwan.writes(ANNA, "Anmeldung Crossword Kiew Neu: T\n")
    assert "Wunschbuchstabe: T" in eriwan.reply(ANNA)


def test_no_block_of_another_game_is_shown(eriwan: Any) -> None:
    """Who writes about a game in which no move is missing isn't shown the block of another."""
    eriwan.sends(ANNA, "DN")
    seating.start(eriwan.app, "combinato", "Elba", (ANNA, BERND))
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "In Zeile 3 muss es ..T... heißen.\n", subject="Re: [Eriwan] Zug Runde 1 angekommen")
    mail = eriwan.answer(ANNA)
    assert "Elba" in mail.text
    assert "Geheim:" not in mail.text
