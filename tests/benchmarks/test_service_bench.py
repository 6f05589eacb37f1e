"""How long people wait: for the command line, an idle pass, a move's confirmation, a round's closing."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import seating

from games.api import Seat
from games.dice import Dice
from gm.app.context import open_app
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_config
from gm.game import word_judge
from gm.game.position import position
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.store.queries import game_queries, mail_queries
from gm.transport.doubles.embedded_server import MailServer

GM = str(Path(sys.executable).with_name("gm"))
WORDS = ("BRECHT", "TANZEN", "RASEN", "STERN", "NACHT", "TAG", "RAR", "AST")


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    """A running game whose bulletins have gone out."""
    told = Story(tmp_path, words=WORDS)
    actions.new_game(told.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "ENRSTA", strict=True):
        seating.join(told.app, "Eriwan", name, address_of(name), wish)
    actions.start(told.app, "Eriwan")
    told.tick()
    yield told
    told.close()


def test_help(benchmark: Any) -> None:
    """`gm --help` (target: under 0.4 s)."""
    benchmark.pedantic(lambda: subprocess.run([GM, "--help"], check=True, capture_output=True), rounds=5)


def test_idle_pass(benchmark: Any, tmp_path: Path) -> None:
    """`gm serve --once` with nothing to do, over real IMAP and SMTP, process start included (target: under 1 s)."""
    with MailServer({GM_ADDRESS: "x"}) as server:
        login = {"username": GM_ADDRESS, "password": "x", "port": server.imap_port}
        config = write_config(tmp_path, words=WORDS, more={"imap": login, "smtp": {"port": server.smtp_port}})
        open_app(load(config), create=True).close()
        command = [GM, "serve", "--once", "--config", str(config)]
        subprocess.run(command, check=True, capture_output=True)  # writes the archive
        benchmark.pedantic(lambda: subprocess.run(command, check=True, capture_output=True), rounds=5)


def test_close_round(benchmark: Any, story: Story) -> None:
    """Close a round of six seats with its six bulletins queued, without delivery (target: under 50 ms)."""

    def all_move() -> tuple[tuple[()], dict[str, Any]]:
        with story.app.database.write() as session:
            game = game_queries.named(session, "Eriwan")
            if game.status != "running" or game.round == 6:
                return (), {}
            at = position(story.app, game)
            words = word_judge.judge(story.app, game)
            blocks = {
                name: at.engine.suggest(at.state, Seat(seat), Dice("bench", at.turn.number * 10 + seat), words)
                for seat, name in enumerate(PLAYERS, 1)
            }
        for name, lines in blocks.items():
            actions.enter_move(story.app, "Eriwan", name, "\n".join(lines))
        return (), {}

    benchmark.pedantic(lambda: actions.close(story.app, "Eriwan", story.now), setup=all_move, rounds=5)
    with story.app.database.read() as session:
        assert game_queries.named(session, "Eriwan").round == 6
        assert mail_queries.count_mails(session)["out queued"] == 5 * len(PLAYERS)


def test_confirm_move(benchmark: Any, story: Story) -> None:
    """From a stored mail to its queued confirmation and back to an idle pass, in memory."""
    text = "Crossword Eriwan\nNeu: E\n" + "\n".join(["ENRSTA", *("......",) * 5]) + "\n"

    def writes() -> tuple[tuple[()], dict[str, Any]]:
        story.writes(PLAYERS[0], text)
        return (), {}

    benchmark.pedantic(story.tick, setup=writes, rounds=15)
    assert sum("angekommen" in mail.subject for _, mail in story.mails()) == 15


def test_demo_fast(benchmark: Any) -> None:
    """`gm demo --fast`: six players, six rounds, from sign-up to verified scores."""
    benchmark.pedantic(lambda: subprocess.run([GM, "demo", "--fast"], check=True, capture_output=True), rounds=1)
