"""`Meine Partien`: how a player's games stand, and what is missing until when.

Source: the issue on conversation, "My games, my data"; interface.md for who may see what.
"""

from __future__ import annotations

from typing import Any

import pytest
import seating
from zines import SHARED, seat_couple

from games import engines
from games.api import SPECTATOR
from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.requests.desk import actions
from gm.store.queries import game_queries
from gm.store.tables import Question

pytestmark = pytest.mark.trust

ANNA, BERND = PLAYERS[:2]


def test_my_games_tells_what_is_missing_until_when(eriwan: Any) -> None:
    """A missing move comes first, with its ZAT in local time and the line that brings the position."""
    actions.new_game(eriwan.app, "crossword", "Havanna")
    seating.join(eriwan.app, "Havanna", ANNA, address_of(ANNA), "A")
    eriwan.writes(ANNA, "Meine Partien\n")
    mail = eriwan.answer(ANNA)
    said = eriwan.said(mail)
    assert mail.subject == "Deine Partien: 1 Zug fehlt noch"
    assert "Crossword, Runde 1 von 6: dein Zug fehlt noch; ZAT Mo, 16.11.2026, 20:00 Uhr" in said
    assert "Havanna: Crossword: noch 5 Plätze frei" in said
    assert said.index("Eriwan: Crossword") < said.index("Havanna: Crossword")
    assert "Stand Eriwan" in said


STATES = {
    "filed": (lambda zine: zine.sends(ANNA, "DN"), "dein Zug vom 02.11.2026 liegt vor; ZAT"),
    "without a wish": (lambda zine: zine.sends(ANNA, "DN", ""), "dein Zug vom 02.11.2026 ist noch nicht vollständig"),
    "paused": (lambda zine: actions.pause(zine.app, "Eriwan", "2d"), "dein Zug fehlt noch; Pause bis"),
    "watching": (lambda zine: zine.writes(ANNA, "Standby Crossword\n"), "Ersatzspieler: in Crossword"),
    "on vacation": (lambda zine: zine.writes(ANNA, "Urlaub 24.12.2026-06.01.2027\n"), "24.12.2026 bis 06.01.2027"),
    "left": (lambda zine: zine.writes(ANNA, "Abmeldung Eriwan\n"), "Eriwan: Crossword, verlassen am 02.11.2026"),
    "aborted": (lambda zine: actions.abort(zine.app, "Eriwan", "so"), "Eriwan: Crossword, abgebrochen"),
}


@pytest.mark.parametrize("state", STATES)
def test_my_games_in_each_state(eriwan: Any, state: str) -> None:
    """Each state of a game has its words."""
    act, said = STATES[state]
    act(eriwan)
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Meine Partien\n")
    assert said in eriwan.reply(ANNA)


def test_my_games_after_the_end(begin: Any) -> None:
    """While words are open the result is provisional, then rank and points are told, in the command's language."""
    story = begin("provisional")
    story.writes(ANNA, "Meine Spiele\n")
    assert "zu Ende, das Ergebnis ist vorläufig; Platz 1 von 6" in story.reply(ANNA)
    actions.rule(story.app, "Eriwan", ["DNI"], False, "", False)
    story.tick()
    story.mails()
    story.writes(ANNA, "My games\n")
    said = story.reply(ANNA)
    assert said.startswith("Your games: none at present")
    standing = next(one for one in story.show()["standings"] if one["player"] == ANNA)
    assert f"Eriwan: Crossword, rank 1 of 6 with {standing['points']} points" in said


def test_my_games_has_links_where_the_archive_is_published(begin: Any) -> None:
    """With base_url each game's page is named."""
    story = begin("started", archive={"base_url": "https://example.org/ds/"})
    story.writes(ANNA, "Meine Partien\n")
    assert "https://example.org/ds/partien/eriwan/" in story.reply(ANNA)


def test_my_games_where_rules_are_missing(eriwan: Any) -> None:
    """A game whose rules can't be had here doesn't hide the others."""
    actions.new_game(eriwan.app, "crossword", "Havanna")
    seating.join(eriwan.app, "Havanna", ANNA, address_of(ANNA), "A")
    with eriwan.writing() as session:
        game = game_queries.named(session, "Havanna")
        game.engine = "gone"
        session.add(game)
    eriwan.writes(ANNA, "Meine Partien\n")
    said = eriwan.reply(ANNA)
    assert "Havanna: gone: dazu kann ich gerade nichts sagen" in said
    assert "dein Zug fehlt noch" in said


@pytest.mark.parametrize("key", sorted(engines()))
def test_my_games_shows_the_points_that_all_see(zine: Any, key: str) -> None:
    """In a running game of any kind rank and points are told where spectators see them, and nowhere else."""
    start(zine, key, "Riga")
    for name, seat in ((ANNA, 1), (BERND, 2)):
        zine.writes(name, suggestion(zine, "Riga", seat, "a secret"))
        zine.tick()
    zine.mails()
    zine.writes(ANNA, "Meine Partien\n")
    said = zine.reply(ANNA)
    with zine.app.database.read() as session:
        at = position(zine.app, game_queries.named(session, "Riga"))
        facts = at.engine.view(at.state, SPECTATOR).seat_facts.get(SeatNumber(1), {})
    score = facts.get("points", facts.get("balance"))
    assert f"Riga: {engines()[key].rules.title}" in said
    assert (f"mit {score} Punkt" in said) == (score is not None)


def test_closed_to_strangers(eriwan: Any) -> None:
    """Whoever isn't registered gets the short help, and nothing is asked or stored."""
    eriwan.writes("Xaver Zorn", "Meine Partien\n")
    assert "nichts, was ich ausführen kann" in eriwan.reply("Xaver Zorn")
    assert not eriwan.rows(Question)


def test_a_couple_says_who(begin: Any) -> None:
    """Of two at one address one has to be named; nothing is guessed."""
    story = begin("empty", after=seat_couple)
    story.writes(ANNA, "Meine Partien\n", sender=SHARED)
    story.tick()
    assert "Diese Adresse teilen sich mehrere" in story.said(story.mails()[-1][1])
    story.writes(BERND, "Name: Bernd\nMeine Partien\n", sender=SHARED)
    story.tick()
    assert "Hallo Bernd," in story.mails()[-1][1].text


def start(zine: Any, key: str, name: str) -> None:
    """Start a game of any kind with two players, or as many as it takes."""
    app, rules = zine.app, engines()[key].rules
    actions.new_game(app, key, name)
    for player, wish in zip(PLAYERS[: max(2, rules.seats[0])], "DNTIRO", strict=False):
        entry = engines()[key].suggest_entry(SeatNumber(1))
        seating.join(app, name, player, address_of(player), wish if entry else None)
    actions.start(app, name)
    zine.tick()
    zine.mails()


def suggestion(zine: Any, name: str, seat: int, seed: str) -> str:
    """Think of a move."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        at = position(zine.app, game)
        words = word_judge.judge(zine.app, game)
        lines = at.engine.suggest(at.state, SeatNumber(seat), Dice(seed, 1), words)
        block = at.engine.view(at.state, SeatNumber(seat)).block
        stand = [line for line in block if line.startswith("Stand:")]
    return "\n".join([f"{at.engine.rules.title} {name}", *stand, *lines, ""])
