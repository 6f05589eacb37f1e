"""Blocks with a name that no game has, or without a title (issue 29: a wrong title; no nagging)."""

from __future__ import annotations

from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Sheet

ANNA, BERND = PLAYERS[:2]
NAGGING = "Den Namen der Partie habe ich"


def renamed(zine: Any, name: str, new: str = "DN") -> str:
    """Write Anna's block under another name."""
    return str(zine.block(ANNA, new)).replace("Eriwan", name)


@pytest.mark.parametrize("name", ["Erivan", "Tiflis", "Eriwan2"])
def test_the_only_game_of_that_kind_is_meant(eriwan: Any, name: str) -> None:
    """Issue 29: a wrong title finds the sender's only game of that kind, and the answer says so."""
    eriwan.writes(ANNA, renamed(eriwan, name))
    said = eriwan.reply(ANNA)
    assert f"»{name}« kenne ich nicht; ich habe den Zug für »Eriwan« genommen" in said
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_an_existing_game_is_meant_as_it_is_named(eriwan: Any) -> None:
    """Anna may have meant the game that she names, though she has no seat in it: today's refusal."""
    actions.new_game(eriwan.app, "crossword", "Tiflis")
    eriwan.writes(ANNA, renamed(eriwan, "Tiflis"))
    assert "Tiflis" in eriwan.reply(ANNA)
    assert eriwan.rows(Sheet) == []


def test_of_several_games_the_choices_are_named(eriwan: Any) -> None:
    """With two games of that kind nothing is guessed."""
    actions.new_game(eriwan.app, "crossword", "Tiflis")
    seating.join(eriwan.app, "Tiflis", ANNA, address_of(ANNA), "D")
    eriwan.writes(ANNA, renamed(eriwan, "Erivan"))
    said = eriwan.reply(ANNA)
    assert "Eriwan" in said
    assert "Tiflis" in said
    assert eriwan.rows(Sheet) == []


def test_both_names_in_one_mail_are_one_game(eriwan: Any) -> None:
    """A block under the wrong name beside another one under the right name: they clash as two of one game do."""
    eriwan.writes(ANNA, renamed(eriwan, "Erivan") + "\n" + eriwan.block(ANNA, "TI"))
    assert "zwei verschiedene Züge" in eriwan.reply(ANNA)
    assert eriwan.rows(Sheet) == []


def test_a_stranger_gets_no_hint(eriwan: Any) -> None:
    """Nobody without a seat learns of a game in this way."""
    eriwan.writes("Xaver Zorn", renamed(eriwan, "Erivan"))
    assert "Eriwan" not in eriwan.said(eriwan.answer("Xaver Zorn")).replace("Stand Eriwan", "")
    assert eriwan.rows(Sheet) == []


@pytest.mark.parametrize("how", ["thread", "subject"])
def test_no_nagging_in_the_games_own_thread(eriwan: Any, how: str) -> None:
    """Issue 29: a reply to the game's mail, or a subject with its name, says which game it is."""
    start = eriwan.outgoing(kind="start", address=address_of(ANNA))[0].message_id
    more = {"thread": {"in_reply_to": start}, "subject": {"subject": "Re: [Eriwan] Los"}}[how]
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN").split("\n", 1)[1], **more)
    assert NAGGING not in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_elsewhere_the_answer_says_how_the_game_was_found(eriwan: Any) -> None:
    """Interface: with a remark, the sender's only game."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN").split("\n", 1)[1])
    assert NAGGING in eriwan.reply(ANNA)


# -- titles of another kind, and names beside the block ----------------------------------------------------------------


def with_another_game(zine: Any, kind: str = "typ-dom") -> None:
    """Let Anna wait in another game as well."""
    actions.new_game(zine.app, kind, "Riga")
    seating.join(zine.app, "Riga", ANNA, address_of(ANNA), "D" if kind == "crossword" else None)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Crossword Riga", "»Riga« ist eine Partie Typ-Dom; ich habe den Zug für »Eriwan« genommen"),
        ("Typ-Dom Eriwan", "»Eriwan« ist eine Partie Crossword; ich habe den Zug für »Eriwan« genommen"),
    ],
)
def test_the_game_in_which_the_block_is_a_move(eriwan: Any, title: str, said: str) -> None:
    """Issue 29: a wrong title finds the sender's only game of that kind, also where another game has the name."""
    with_another_game(eriwan)
    eriwan.writes(ANNA, str(eriwan.block(ANNA, "DN")).replace("Crossword Eriwan", title))
    assert said in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_a_faulty_block_under_a_wrong_title_is_nowhere_a_move(eriwan: Any) -> None:
    """Nothing is guessed about a block with a mistake in it: the answer names the right title."""
    with_another_game(eriwan)
    eriwan.writes(ANNA, renamed(eriwan, "Riga", "DQ"))
    assert "Schreib bitte »Typ-Dom Riga«" in eriwan.reply(ANNA)
    assert eriwan.rows(Sheet) == []


def test_two_blocks_under_a_wrong_and_the_right_title_clash(eriwan: Any) -> None:
    """They are for one seat, and nobody knows which one counts."""
    with_another_game(eriwan)
    eriwan.writes(ANNA, renamed(eriwan, "Riga") + "\n" + eriwan.block(ANNA, "TI"))
    assert "zwei verschiedene Züge" in eriwan.reply(ANNA)
    assert eriwan.rows(Sheet) == []


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("kind", ["typ-dom", "crossword"])
@pytest.mark.parametrize(
    ("line", "subject", "is_found"),
    [
        ("Eriwan", "Zug", True), ("ERIWAN:", "", True), ("Scrabble Eriwan", "", True), ("", "Mein Zug Eriwan", True),
        ("", "Mein Zug", False), ("Grüße nach Eriwan und Riga", "", False), ("Eriwan", "Eriwan oder Riga", False),
    ],
)  # fmt: skip
def test_a_name_beside_the_block_is_enough(eriwan: Any, kind: str, line: str, subject: str, is_found: bool) -> None:
    """Issue 29: no nagging about a title where the sender names the game; what names two or none is asked about."""
    with_another_game(eriwan, kind)
    block = str(eriwan.block(ANNA, "DN")).replace("Crossword Eriwan\n", "")
    eriwan.writes(ANNA, f"{line}\n{block}", subject=subject)
    said = eriwan.reply(ANNA)
    assert NAGGING not in said
    assert ("Für welche Partie?" in said) is not is_found
    assert len(eriwan.rows(Sheet)) == is_found
