"""Games of all kinds, played to their end with the moves that their rules suggest, as the GM may enter them."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import seating

from games import engines
from games.api import Seat
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, seat_queries

if TYPE_CHECKING:
    from gm.demo.in_memory_zine import Story

KINDS = tuple(sorted(engines()))
MOST = 400


def begin(story: Story, kind: str, name: str) -> None:
    """Open a game and start it with its fewest players, two at least."""
    engine = engines()[kind]
    actions.new_game(story.app, kind, name)
    with story.app.database.write() as session:  # the same tiles each time: some games end with their first step
        game_queries.named(session, name).seed = Random(f"{kind} {name}").randbytes(16).hex()
    for number, player in enumerate(PLAYERS[: max(2, engine.rules.seats[0])], start=1):
        wish = "".join(engine.suggest_entry(Seat(number))).rpartition(" ")[2]
        seating.join(story.app, name, player, address_of(player), wish)
    actions.start(story.app, name)


def step(story: Story, name: str) -> bool:
    """Enter what the rules suggest for whoever owes a move, and close; False where the game is over."""
    before = _turn(story, name)
    if before is None:
        return False
    step_without_closing(story, name)
    if _turn(story, name) == before:
        actions.close(story.app, name, story.now)
    return True


def _turn(story: Story, name: str) -> int | None:
    """Say at which step a game stands; None where it is over."""
    with story.app.database.read() as session:
        game = game_queries.named(session, name)
        return game.turn if game.status == "running" else None


def step_without_closing(story: Story, name: str) -> None:
    """Enter what the rules suggest for whoever owes a move."""
    with story.app.database.read() as session:
        game = game_queries.named(session, name)
        at, names = position(story.app, game), seat_queries.names(game)
        judge = word_judge.judge(story.app, game)
        moves = {seat: at.engine.suggest(at.state, seat, Dice(name, at.turn.number), judge)
                 for seat in sorted(at.engine.due(at.state))}  # fmt: skip
    for seat, lines in moves.items():
        if lines:
            with suppress(Refused):  # another's move was first, or a word is doubtful
                actions.enter_move(story.app, name, names[seat], "\n".join(lines))


def play(story: Story, kind: str, name: str, *, most: int = MOST) -> int:
    """Play a game, so many steps at most; returns how many they were."""
    begin(story, kind, name)
    return next((number for number in range(most) if not step(story, name)), most)
