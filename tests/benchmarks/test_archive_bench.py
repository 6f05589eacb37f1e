"""How long the archive takes: one game, a pass with nothing new, a closed round, the end of a game, all anew.

By default with a few games. `GM_BENCH_GAMES=1000 make bench` (or with `-k archive`) measures a zine of ten years: the
first export takes half a minute then. It prints the seconds of each thousand games, which must not grow.
"""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import seating
from copied_games import copy_games
from publishing import send_all, send_and_export

from games.api import Seat
from games.dice import Dice
from gm.archive.export import export
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.requests.desk import actions
from gm.store.queries import game_queries

GAMES = int(os.environ.get("GM_BENCH_GAMES", "60"))
WORDS = ("BRECHT", "TANZEN", "RASEN", "STERN", "NACHT", "TAG", "RAR", "AST")


def _begin(story: Story, name: str) -> None:
    actions.new_game(story.app, "crossword", name)
    for player, wish in zip(PLAYERS, "ENRSTA", strict=True):
        seating.join(story.app, name, player, address_of(player), wish)
    actions.start(story.app, name)


def _close(story: Story, name: str) -> None:
    with story.app.database.write() as session:
        game = game_queries.named(session, name)
        at, words = position(story.app, game), word_judge.judge(story.app, game)
        blocks = {
            player: at.engine.suggest(at.state, Seat(seat), Dice("bench", at.turn.number * 10 + seat), words)
            for seat, player in enumerate(PLAYERS, 1)
        }
    for player, lines in blocks.items():
        actions.enter_move(story.app, name, player, "\n".join(lines))
    actions.close(story.app, name, story.now)
    story.passes(hours=1)


@pytest.fixture(scope="module")
def zine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Story, Path]]:
    """Many finished games of Crossword, one that runs, and a site of them all."""
    folder = tmp_path_factory.mktemp("zine")
    story = Story(folder, words=WORDS)
    _begin(story, "Eriwan")
    for _ in range(6):
        _close(story, "Eriwan")
    copy_games(folder / "gm.db", games=GAMES, players=max(20, GAMES // 20))
    _begin(story, "Tiflis")
    story.tick()
    thousands: list[float] = []

    def tracked(items: Sequence[int], _: str) -> Iterable[int]:
        for number, item in enumerate(items):
            if number % 1000 == 0:
                thousands.append(time.process_time())
            yield item
        thousands.append(time.process_time())

    send_and_export(story.app, folder / "site", tracked=tracked)
    print([round(then - before, 1) for before, then in pairwise(thousands)])
    yield story, folder / "site"
    story.close()


def test_archive_game(benchmark: Any, tmp_path: Path) -> None:
    """A zine of one game, all made anew (target: under 100 ms, of which the game takes a quarter)."""
    story = Story(tmp_path, words=WORDS)
    _begin(story, "Eriwan")
    for _ in range(6):
        _close(story, "Eriwan")
    send_and_export(story.app, tmp_path / "site")
    done = benchmark.pedantic(lambda: send_and_export(story.app, tmp_path / "site", full=True), rounds=5)
    assert (done.games, done.written, done.troubles) == (1, 0, []), "made anew, and the same as it was"
    story.close()


def test_archive_without_news(benchmark: Any, zine: tuple[Story, Path]) -> None:
    """A pass that finds nothing new: a look into three indexes."""
    story, site = zine
    done = benchmark.pedantic(lambda: export(story.app, site), rounds=30)
    assert (done.games, done.written, done.finished) == (0, 0, True)


def test_archive_after_a_closing(benchmark: Any, zine: tuple[Story, Path]) -> None:
    """A round is closed (target: 0.2 s among 1,000 games)."""
    story, site = zine

    def close() -> None:
        _close(story, "Tiflis")
        send_all(story.app)

    done = benchmark.pedantic(lambda: export(story.app, site), setup=close, rounds=4)
    assert done.games == 1
    assert (site / "partien/tiflis/runde-4/index.html").exists()


def test_archive_after_an_end(benchmark: Any, zine: tuple[Story, Path]) -> None:
    """A game ends, with all people, tables and registers (target: 5 s among 1,000 games)."""
    story, site = zine

    def end() -> None:
        for _ in range(6 - _round(story, "Tiflis") + 1):
            _close(story, "Tiflis")
        send_all(story.app)

    done = benchmark.pedantic(lambda: export(story.app, site), setup=end, rounds=1)
    assert done.games == 1
    assert b'"endstand"' in (site / "partien/tiflis/partie.json").read_bytes()


def test_archive_all_anew(benchmark: Any, zine: tuple[Story, Path]) -> None:
    """Every page is made and none has changed: `gm archive --full` (target: 40 s for 1,000 games)."""
    story, site = zine
    done = benchmark.pedantic(lambda: export(story.app, site, full=True), rounds=1)
    assert (done.games, done.written, done.finished) == (GAMES + 2, 0, True)


def _round(story: Story, name: str) -> int:
    with story.app.database.read() as session:
        return game_queries.named(session, name).round
