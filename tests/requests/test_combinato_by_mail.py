"""Combinato by mail: round 0, in which both hide something, is called that wherever it is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.desk import actions

ANNA, BERND = PLAYERS[:2]


@pytest.mark.parametrize(
    ("kind", "language", "named", "first"),
    [
        ("combinato", "de", "Runde 0 (Geheimwort)", "Runde 1"),
        ("combinato", "en", "round 0 (secret word)", "round 1"),
        ("combinato-zahlen", "de", "Runde 0 (Geheimzahl)", "Runde 1"),
    ],
)
def test_mails_agree_on_round_0(begin: Callable[..., Any], kind: str, language: str, named: str, first: str) -> None:
    """Rulings 2: subject, body and what is accepted say `Geheimwort` (round 0) until it closes; then comes round 1."""
    zine = begin("empty")
    actions.new_game(zine.app, kind, "Elba", language=language)
    for name in (ANNA, BERND):
        seating.join(zine.app, "Elba", name, address_of(name), None)
    actions.start(zine.app, "Elba")
    zine.tick()
    title, (word, other) = kind.replace("-", " "), ("BILD", "PELZ") if kind == "combinato" else ("0427", "3917")
    zine.writes(ANNA, f"{title} Elba\nRunde: 0\nGeheim: {word}\n")
    zine.tick()
    mails = [mail for to, mail in zine.mails() if to == address_of(ANNA)]
    assert len(mails) == 2
    for mail in mails:
        assert named in mail.subject
        assert first not in mail.subject
        assert f"{named}:".casefold() in mail.text.casefold() or f"{named}\n".casefold() in mail.text.casefold()
    zine.writes(BERND, f"{title} Elba\nRunde: 1\nGeheim: {other}\n")
    assert ("Runde: 0" if language == "de" else "round: 0") in zine.reply(BERND)
    zine.writes(BERND, f"{title} Elba\nGeheim: {other}\n")
    zine.tick()
    zine.mails()
    actions.close(zine.app, "Elba", zine.app.now())
    zine.tick()
    (bulletin,) = [mail for to, mail in zine.mails() if to == address_of(ANNA)]
    assert first.casefold() in bulletin.subject.casefold()
    zine.writes(ANNA, "Protokoll Elba 0\n" if language == "de" else "History Elba 0\n")
    assert f"{named}:".casefold() in zine.answer(ANNA).text.casefold()
    assert named not in bulletin.text
