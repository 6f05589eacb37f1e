"""Blocks with a name that no game has, or without a title (issue 29: a wrong title; no nagging)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.store.tables import Sheet

ANNA, BERND = PLAYERS[:2]
NAGGING = "Titelzeile"


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
    actions.join(eriwan.app, "Tiflis", ANNA, address_of(ANNA), "D")
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
