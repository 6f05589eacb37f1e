"""Seats players before a story begins: as `gm join` does, without its mail to the player."""

from collections.abc import Sequence

from games.api import MoveBlock
from gm.app.context import App
from gm.demo.in_memory_zine import address_of
from gm.game import seats, steps
from gm.game.people import lookup
from gm.requests.desk import actions
from gm.store.queries import game_queries


def join(app: App, game_name: str, player_name: str, address: str, wish: str | None) -> None:
    """Seat a player, who is registered if need be; the last one starts a game that starts by itself."""
    with app.database.write() as session:
        game = game_queries.named(session, game_name)
        player = lookup.find_or_register(app, session, player_name, address)
        block = MoveBlock(lines=(f"Neu: {wish}",)) if wish else None
        seats.sign_up(app, session, game, player, block)
        steps.start_if_complete(app, session, game)


def start(app: App, kind: str, game_name: str, players: Sequence[str]) -> None:
    """Start a game of these players, in which nobody wishes anything."""
    actions.new_game(app, kind, game_name)
    for player in players:
        join(app, game_name, player, address_of(player), None)
    actions.start(app, game_name)
