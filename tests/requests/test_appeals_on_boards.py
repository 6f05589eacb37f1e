"""Appeals about words on a board: after the end only scores are corrected, and boards stay (rulings.md 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import played_games
import pytest

from games.api import SPECTATOR
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.position import position
from gm.game.replay import verify
from gm.requests.desk import actions
from gm.store.queries import game_queries

ANNA = PLAYERS[0]
GM = "cici@postspiel.example"


@pytest.fixture
def over(begin: Callable[..., Any]) -> Callable[[str], Any]:
    """Riga, a game of a kind, is played to its end; all mails have gone out."""

    def played(kind: str) -> Any:
        zine = begin("empty")
        played_games.play(zine, kind, "Riga")
        deliver(zine)
        return zine

    return played


def deliver(zine: Any) -> list[tuple[str, Any]]:
    """Let all mails go out, and return them."""
    found = []
    for _ in range(10):
        zine.tick()
        zine.passes(minutes=1)
        found += zine.mails()
    return found


def end(zine: Any) -> Any:
    """Look at the last position."""
    with zine.app.database.read() as session:
        return position(zine.app, game_queries.named(session, "Riga"))


def zat_of(zine: Any) -> Any:
    """Return the deadline."""
    with zine.app.database.read() as session:
        return game_queries.named(session, "Riga").zat


def points(zine: Any) -> dict[int, int]:
    """Return the points of the final table by seat."""
    return {standing.seat: standing.points for standing in end(zine).outcome.standings}


def boards(zine: Any) -> Any:
    """Return what lies, and what is in hand."""
    state = end(zine).state
    deals = (*state.before, state.now) if hasattr(state, "now") else ()
    racks = [deal.racks for deal in deals] or state.racks
    return getattr(state, "board", None), racks, [finish.grid for deal in deals for finish in deal.finishes]


def paying_word(zine: Any) -> tuple[str, int, int]:
    """Choose a word of the last position that brings points: the word, its seat, and what hangs on it."""
    at = end(zine)
    words = at.engine.view(at.state, SPECTATOR).words
    if at.engine.rules.key == "presto":
        deal = next(deal for deal in (*at.state.before, at.state.now) if deal.finishes)
        first = deal.finishes[0]
        once = [one.word for one in words if one.seat == first.seat]
        words_of_others = {one.word for one in words if one.seat != first.seat}
        word = next(one for one in once if once.count(one) == 1 and one not in words_of_others)
        return word, first.seat, first.points
    word = next(one for one in words if one.points and [two.word for two in words].count(one.word) == 1)
    return word.word, word.seat, word.points


@pytest.mark.trust
@pytest.mark.parametrize("kind", ["point-typ-dom", "presto"])
def test_a_word_refused_after_the_end_loses_its_points(over: Callable[[str], Any], kind: str) -> None:
    """The GM sees both results before, all get the corrected one, and the tiles lie where they lay."""
    zine = over(kind)
    before, lay, (word, seat, worth) = points(zine), boards(zine), paying_word(zine)
    assert worth
    zine.writes(ANNA, f"Einspruch Riga {word}: steht nirgends\n")
    asked = next(zine.said(mail) for to, mail in deliver(zine) if to == GM)
    assert "läuft noch" not in asked
    assert f"Betrifft: {PLAYERS[seat - 1]}" in asked
    actions.rule(zine.app, "Riga", [word], False, "kein Wort", False)
    told = deliver(zine)
    assert points(zine) == {**before, seat: before[seat] - worth}
    assert boards(zine) == lay
    finals = {to: zine.said(mail) for to, mail in told if "Endstand (2. Fassung)" in mail.subject}
    assert {address_of(name) for name in PLAYERS[: len(before)]} <= set(finals)
    for said in finals.values():
        assert f"{word} zählt nicht (kein Wort)" in said
        assert f"{before[seat] - worth} (vorher {before[seat]})" in said
    with zine.app.database.read() as session:
        assert verify(zine.app, session, game_queries.named(session, "Riga")) == []


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", ["point-typ-dom", "presto"])
def test_a_ruling_that_is_taken_back_gives_the_points_back(over: Callable[[str], Any], kind: str) -> None:
    """Ruled in again, the word brings what it brought."""
    zine = over(kind)
    before, (word, _, _) = points(zine), paying_word(zine)
    for accepted in (False, True):
        actions.rule(zine.app, "Riga", [word], accepted, "", False)
    deliver(zine)
    assert points(zine) == before


def test_a_word_refused_while_the_game_goes_on(begin: Callable[..., Any]) -> None:
    """Scores are corrected whenever the ruling comes: all are told, the turn and the ZAT stay, a replay is the same."""
    zine = begin("empty")
    played_games.begin(zine, "point-typ-dom", "Riga")
    while not any(turn.points for turn in end(zine).state.turns):
        played_games.step(zine, "Riga")
    deliver(zine)
    at, zat = end(zine), zat_of(zine)
    (laid,) = (turn for turn in at.state.turns if turn.points)
    actions.rule(zine.app, "Riga", [laid.words[0]], False, "", False)
    told = deliver(zine)
    after = end(zine).state
    assert after.points(laid.seat) == laid.points - laid.scores[0]
    assert (after.board, after.on_turn, after.racks, zat_of(zine)) == (
        at.state.board, at.state.on_turn, at.state.racks, zat,
    )  # fmt: skip
    assert {to for to, _ in told} == {address_of(name) for name in PLAYERS[:2]}
    for _, mail in told:
        assert f"{PLAYERS[laid.seat - 1]}: {after.points(laid.seat)} (vorher {laid.points})" in zine.said(mail)
    assert played_games.step(zine, "Riga")
    with zine.app.database.read() as session:
        assert verify(zine.app, session, game_queries.named(session, "Riga")) == []


def test_a_word_that_no_points_hang_on(over: Callable[[str], Any]) -> None:
    """In Typ-Dom words bring nothing: the GM is told so, and nobody gets a new result."""
    zine = over("typ-dom")
    at = end(zine)
    word = at.engine.view(at.state, SPECTATOR).words[0].word
    zine.writes(ANNA, f"Einspruch Riga {word}: steht nirgends\n")
    asked = next(zine.said(mail) for to, mail in deliver(zine) if to == GM)
    assert "läuft noch" not in asked
    assert "Am Stand ändert deine Entscheidung nichts." in asked
    actions.rule(zine.app, "Riga", [word], False, "", False)
    assert not [mail for _, mail in deliver(zine) if "Endstand" in mail.subject]
