"""Combinato by mail: round 0, in which both hide something, is called that wherever it is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.reports.game import show
from gm.requests.desk import actions
from gm.store.queries import game_queries

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


def hidden(begin: Callable[..., Any]) -> Any:
    """Begin a game in which Anna has hidden BILD and Bernd PELZ."""
    zine = begin("empty")
    seating.start(zine.app, "combinato", "Elba", (ANNA, BERND))
    for name, word in ((ANNA, "BILD"), (BERND, "PELZ")):
        zine.writes(name, f"Combinato Elba\nGeheim: {word}\n")
    zine.tick()
    actions.close(zine.app, "Elba", zine.app.now())
    zine.tick()
    zine.mails()
    return zine


def shown(zine: Any) -> dict[str, Any]:
    """Return what `gm show Elba --json` prints."""
    with zine.app.database.read() as session:
        return show(zine.app, session, game_queries.named(session, "Elba"))


@pytest.mark.parametrize("house", [False, True])
def test_a_struck_word_can_be_guessed_where_it_is_the_secret(begin: Callable[..., Any], house: bool) -> None:
    """What the GM strikes in mid-game is refused as a guess, except the secret itself: it was valid when hidden."""
    zine = hidden(begin)
    done = actions.rule(zine.app, "Elba", ["PELZ", "MOND"], False, "", house)
    assert not house or done == [
        "Elba: PELZ is in play there; what has been scored stays, and moves to come are judged by the ruling"
    ]
    zine.writes(ANNA, "Combinato Elba\nRat: MOND\n")
    assert "MOND ist nicht erlaubt" in zine.reply(ANNA)
    zine.writes(ANNA, "Combinato Elba\nRat: PELZ\n")
    zine.writes(BERND, "Combinato Elba\nRat: BAUM\n")
    zine.tick()
    actions.close(zine.app, "Elba", zine.app.now())
    zine.tick()
    assert shown(zine)["status"] == "finished"
    assert shown(zine)["standings"][0]["player"] == ANNA
