"""What a game master has agreed with `gm new --option` stands in the mail with which the game starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import seating

from games import engines
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions


def start_mail(zine: Any, kind: str, language: str, *options: str) -> str:
    """Start a game and return what the first player is sent, without line breaks."""
    actions.new_game(zine.app, kind, "Elba", options=options, language=language)
    for name in PLAYERS[:4]:
        seating.join(zine.app, "Elba", name, address_of(name), None)
    actions.start(zine.app, "Elba")
    zine.tick()
    return " ".join(next(mail.text for to, mail in zine.mails() if to == address_of(PLAYERS[0])).split())


@pytest.mark.parametrize(
    ("kind", "language", "option", "sentence"),
    [
        ("farbdomino", "de", "winner=counters", "Es gewinnt, wer die meisten Marken hat."),
        ("farbdomino", "en", "winner=counters", "Whoever has the most counters wins."),
        ("typ-dom", "de", "stake=2", "Alle Zahlungen zählen 2-fach."),
        ("typ-dom", "de", "words=nouns", "Von den Wörtern gelten nur Hauptwörter und Namen."),
        ("wer-behaelt-recht", "en", "stake=4", "All payments count 4-fold."),
        ("presto", "de", "one_left=true", "Ein Stein darf übrig bleiben, für 2 Punkte als Erster und 1 als Zweiter."),
    ],
)
def test_options_in_force_are_told(
    begin: Callable[..., Any], kind: str, language: str, option: str, sentence: str
) -> None:
    """Rulings 1.6, 1.9, 1.10: what one plays by is said at the start, as it is written and in words."""
    text = start_mail(begin("empty"), kind, language, option)
    assert f"{option}: {sentence}" in text


def test_what_is_as_usual_is_not_told(begin: Callable[..., Any]) -> None:
    """Without an option, or with what holds anyway, the mail says nothing of it."""
    text = start_mail(begin("empty"), "farbdomino", "de", "winner=first_out")
    assert "VEREINBART" not in text
    assert "winner" not in text


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("key", sorted(engines()))
def test_every_option_has_words(key: str) -> None:
    """No option of a game here is told by its name alone."""
    engine = engines()[key]
    assert all(
        any(code.startswith(f"OPTION_{name}".upper()) for code in engine.wording) for name in engine.rules.options
    )
