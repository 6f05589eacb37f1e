"""Rounds that are due at the same time are closed one after the other: a faulty one stops no other."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import seating
from sqlalchemy import event

from gm.app.pass_report import Report
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.schedule import due_rounds
from gm.requests.desk import actions
from gm.store.queries import game_queries, turn_queries
from gm.store.tables import Game, Question

GAMES = ("Eriwan", "Fulda", "Gera")


@pytest.fixture
def due(begin: Callable[..., Any]) -> Callable[[], Any]:
    """Begin a zine with three games whose first round is due: one complete, in others most are silent."""

    def make() -> Any:
        zine = begin("started")
        for name in GAMES[1:]:
            actions.new_game(zine.app, "crossword", name)
            for player, wish in zip(PLAYERS, "DNTIRO", strict=True):
                seating.join(zine.app, name, player, address_of(player), wish)
            actions.start(zine.app, name)
        zine.tick()
        zine.passes(minutes=1)
        block = zine.block(PLAYERS[0], "DNTIRO", "E")
        for at, game in enumerate(GAMES):
            for player in PLAYERS[: 5 if at == 1 else at]:
                zine.writes(player, block.replace("Eriwan", game))
        zine.writes(PLAYERS[2], "Presse Gera\nWer zieht hier eigentlich?\nEnde\n")
        zine.tick()
        zine.at("2026-12-01T12:00:00+01:00")
        return zine

    return make


def close(zine: Any, game_ids: list[int]) -> list[str]:
    """Close the rounds of games that are due; give the names of those that were."""
    report = Report()
    assert len(due_rounds.close(zine.app, game_ids, zine.now, report)) == len(report.closed)
    return report.closed


def ids(zine: Any) -> list[int]:
    """List the games by age."""
    return [game.id for game in zine.rows(Game)]


@pytest.mark.tampers
def test_a_faulty_game_stops_no_other(due: Callable[[], Any]) -> None:
    """Where a game's rules fail on its state, that one is held, nothing of it stays, and all others are closed."""
    zine = due()
    with zine.writing() as session:
        turn_queries.current_turn(game_queries.named(session, "Fulda")).state = {}
    assert close(zine, ids(zine)) == ["Eriwan", "Gera"]
    held = {game.name: (bool(game.held), game.round) for game in zine.rows(Game)}
    assert held == {"Eriwan": (False, 2), "Fulda": (True, 1), "Gera": (False, 2)}
    assert len(zine.outgoing(kind="bulletin")) == 12


def test_what_is_not_due_stays_open(due: Callable[[], Any]) -> None:
    """A game that was given more time since it seemed due, or is held, isn't closed with the others."""
    zine = due()
    actions.move_zat(zine.app, "Fulda", "+9d")
    with zine.writing() as session:
        game_queries.named(session, "Gera").held = "held"
    assert close(zine, ids(zine)) == ["Eriwan"]
    assert [game.round for game in zine.rows(Game)] == [2, 1, 1]


@contextmanager
def statements(zine: Any) -> Iterator[list[str]]:
    """Note what the database is asked."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        found.append(statement)

    event.listen(zine.app.database.engine, "before_cursor_execute", note)
    yield found
    event.remove(zine.app.database.engine, "before_cursor_execute", note)


def test_few_statements_a_closing(due: Callable[[], Any]) -> None:
    """A round of six seats, with NMRs, costs some dozens of statements, however many games are due."""
    zine = due()
    for game_id in ids(zine):
        with statements(zine) as asked:
            assert len(close(zine, [game_id])) == 1
        assert len(asked) <= 45


def test_when_the_next_round_falls_due(begin: Any) -> None:
    """What a restored zine catches up with: the first ZAT before an instant; none in a pause, and none behind it."""
    zine = begin("started")
    assert due_rounds.next_due(zine.app, zine.zat) is None
    assert due_rounds.next_due(zine.app, zine.zat + timedelta(minutes=1)) == zine.zat
    actions.pause(zine.app, "Eriwan", "3d")
    assert due_rounds.next_due(zine.app, zine.zat + timedelta(minutes=1)) is None


@pytest.mark.tampers
def test_a_game_without_rules_is_not_asked_about(begin: Any) -> None:
    """Where its rules can't be had, nobody can say what would come out: it is held when it is due."""
    zine = begin("started")
    with zine.writing() as session:
        game_queries.named(session, "Eriwan").engine = "gone"
    due_rounds.ask_about_changed(zine.app)
    assert zine.rows(Question) == []
