"""How long the engines take: a move read and carried out, a closing with its mails, a word found; 1,000 games each."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import seating
from random_games import play_random_games

from games import engines
from games.api import MoveBlock, Seat
from games.dice import Dice
from games.kit.testkit import Contract, sign_ups
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.lexicon.lexicon import Judge, Lexicon
from gm.requests.desk import actions
from gm.store.queries import game_queries

SEATS = 5


@pytest.fixture(scope="module")
def words() -> Judge:
    """The word list as it is shipped."""
    return Judge(Lexicon.load(()), {})


def positions(key: str, words: Judge, number: int) -> list[tuple[Any, Seat, tuple[str, ...]]]:
    """Positions on the way through suggested games: a state, who is due, what the game suggests."""
    engine = engines()[key]
    entries = sign_ups(Contract(engine=engine))
    seats = max(engine.rules.seats[0], min(engine.rules.seats[1], SEATS))
    found: list[tuple[Any, Seat, tuple[str, ...]]] = []
    for game in range(200):
        brought = {Seat(n + 1): entries[n % len(entries)] for n in range(seats)}
        state = engine.start(brought, engine.rules.options, Dice(f"bench {game}", 0)).state
        for turn in range(1, 200):
            if len(found) >= number:
                return found
            if not (due := engine.due(state)):
                break
            moves = {}
            for seat in sorted(due):
                lines = engine.suggest(state, seat, Dice(f"bench {game}", turn), words)
                found.append((state, seat, lines))
                sheet = engine.read(state, seat, MoveBlock(lines=lines), words)
                after = engine.act(state, seat, sheet.move, Dice("x", turn), words) if sheet.move is not None else None
                if after:
                    state = after.state
                    break
                moves |= {} if sheet.move is None else {seat: sheet.move}
            else:
                state = engine.resolve(state, moves, Dice("x", turn), words).state
    return found


@pytest.mark.parametrize("key", engines())
def test_read_and_apply(benchmark: Any, key: str, words: Judge) -> None:
    """Reading a move and applying it (target: under 5 ms, with word checks 10 ms)."""
    engine, cases = engines()[key], positions(key, words, 40)
    chance = random.Random(1)

    def move() -> None:
        state, seat, lines = chance.choice(cases)
        sheet = engine.read(state, seat, MoveBlock(lines=lines), words)
        assert sheet.move is not None
        engine.act(state, seat, sheet.move, Dice("bench", 1), words)

    benchmark(move)


@pytest.mark.parametrize("key", engines())
def test_think_of_a_move(benchmark: Any, key: str, words: Judge) -> None:
    """Suggest a move; in the tile games the word finder has a rack of thirteen (target: median 20 ms)."""
    engine, cases = engines()[key], positions(key, words, 40)
    chance = random.Random(1)

    def think() -> tuple[Any, Seat, tuple[str, ...]]:
        state, seat, _ = chance.choice(cases)
        return state, seat, engine.suggest(state, seat, Dice("bench", 1), words)

    state, seat, lines = benchmark(think)
    assert not engine.read(state, seat, MoveBlock(lines=lines), words).problems


@pytest.mark.parametrize("key", engines())
def test_a_thousand_games(benchmark: Any, key: str) -> None:
    """Random games, damaged blocks and NMR among them: each ends."""
    steps = benchmark.pedantic(play_random_games, args=(key, range(1000, 2000)), rounds=1)
    assert steps > 1000


@pytest.mark.parametrize("key", engines())
def test_close_and_write(benchmark: Any, key: str, tmp_path: Path) -> None:
    """Close a round or turn of five seats with its mails queued (target: under 50 ms)."""
    told = Story(tmp_path)
    fewest, most = engines()[key].rules.seats
    entries = sign_ups(Contract(engine=engines()[key]))
    actions.new_game(told.app, key, "Eriwan")
    for name, wish in zip(PLAYERS[: max(fewest, min(most, SEATS))], "ENRSTA", strict=False):
        seating.join(told.app, "Eriwan", name, address_of(name), wish if hasattr(entries[0], "letter") else None)
    actions.start(told.app, "Eriwan")
    told.tick()

    def close() -> None:
        with told.app.database.read() as session:
            if game_queries.named(session, "Eriwan").status != "running":
                return
        actions.close(told.app, "Eriwan", told.now)

    before = len(told.outbox.letters)
    benchmark.pedantic(close, rounds=5)
    told.tick()
    assert len(told.outbox.letters) > before
    told.close()
