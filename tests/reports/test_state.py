"""The state of the zine: what the GM is told at the line, by a monitor and by mail is the same."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.reports.games import as_json
from gm.reports.gm_mails import Counts, for_gm, today_by_mail
from gm.reports.health import health, monitored
from gm.reports.news import AHEAD, read_news
from gm.reports.state import State
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions
from gm.store import game_file
from gm.store.queries import game_queries, question_queries, turn_queries
from gm.store.tables import Question


def heartbeat(story: Story) -> dict[str, Any]:
    """Return what the GM's copy of the digest says."""
    with story.app.database.read() as session:
        news = read_news(story.app, session, story.now - timedelta(days=7), story.now)
        return dict(for_gm(story.app, session, news, Counts(sent=0, skipped=0, off=0, later=0)).context)


def test_a_question_that_has_lapsed_waits_nowhere(running: Callable[..., Story]) -> None:
    """What is no longer asked is neither listed nor counted, at the line, for a monitor and by mail."""
    story = running()
    until = story.now + timedelta(hours=1)
    with story.app.database.write() as session:
        asked = {"kind": "text", "payload": {"text": "Wann?"}, "created_at": story.now}
        session.add(Question(code="K7", expires_at=until, **asked))

    def told() -> list[int]:
        with story.app.database.read() as session:
            listed, counted = waiting_for_gm(story.app, session), monitored(State(story.app, session))
            mailed = today_by_mail(story.app, session, "de").context["todo"]
        return [len(listed), counted["waiting_for_gm"], len(mailed), len(heartbeat(story)["todo"])]

    assert told() == [1, 1, 1, 1]
    story.passes(hours=2)
    assert told() == [0, 0, 0, 0]


def test_a_move_that_waits_for_a_word_holds_the_round_wherever_it_is_told(running: Callable[..., Story]) -> None:
    """Such a game is held: in the lists, in the digest and for a monitor, and after its ZAT it isn't overdue."""
    story = running()
    story.tick()
    actions.new_game(story.app, "presto", "Riga")
    for name in PLAYERS[:4]:
        actions.join(story.app, "Riga", name, address_of(name), None)
    zat = actions.start(story.app, "Riga").zat
    with story.app.database.write() as session:
        game = game_queries.named(session, "Riga")
        about = {"game_id": game.id, "payload": {"words": ["ORE"], "text": "ORE?"}, "created_at": story.now}
        session.add(Question(code="K7", kind=question_queries.HELD_MOVE, **about))
        game_file.touch(session, game)
    actions.move_zat(story.app, "Eriwan", "+60d")
    assert zat
    story.at((zat + timedelta(days=1)).isoformat())
    with story.app.database.read() as session:
        state = State(story.app, session)
        riga = next(one for one in state.first if one.game.name == "Riga")
        told = health(state)
    assert (riga.stop, riga.zat_until(story.now + AHEAD)) == ("word", None)
    assert as_json(story.app, riga)["held"] == riga.need(story.now) == "a move waits for you to rule on a word: gm todo"
    assert ([game.name for game in state.held], told["overdue"]) == (["Riga"], 0)
    assert next(one["held"] for one in told["games"] if one["name"] == "Riga") == riga.why
    said = heartbeat(story)
    assert (said["troubles"]["held"], said["troubles"]["overdue"]) == ([("Riga", "")], [])


@pytest.mark.tampers
def test_a_game_with_faulty_rules_is_told_of_beside_the_others(running: Callable[..., Story]) -> None:
    """A position that can't be read doesn't keep the other games from the lists; the GM reads what is wrong."""
    story = running()
    actions.new_game(story.app, "crossword", "Riga")
    with story.app.database.write() as session:
        game = game_queries.named(session, "Eriwan")
        turn_queries.current_turn(game).state = {}
        game_file.touch(session, game)
    with story.app.database.read() as session:
        first = {one.game.name: one for one in State(story.app, session).first}
    assert (first["Eriwan"].stop, first["Riga"].stop) == ("rules", "")
    assert "a bug in its rules" in first["Eriwan"].why
