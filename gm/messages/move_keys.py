"""Keys for `sender = "token"`: one a player, game and round. Only that player's mails show it."""

from typing import Final

from sqlmodel import Session

from games.api import Viewer
from gm.app.context import App
from gm.runtime.ids import id_of
from gm.store.queries import game_queries
from gm.store.tables import Game, Player

BYTES: Final = 10
"""80 bits are 16 letters and digits (mail.md 0.8)."""
_LABELS: Final = {"de": "Schlüssel", "en": "Key"}


def key_of(session: Session, player_id: int, game: Game, number: int) -> str:
    """Make the key of a player for a round of a game."""
    return id_of(game_queries.secret(session), "move key", player_id, game.id, number, size=BYTES)


def key_line(app: App, session: Session, game: Game, player: Player | None) -> str:
    """Write the line that a player's moves need in this round; "" where a mail's address is enough."""
    if app.settings.security.sender != "token" or player is None:
        return ""
    key = key_of(session, player.id, game, game.round)
    label = _LABELS["en" if (player.language or game.language) == "en" else "de"]
    return f"{label}: {'-'.join(key[at : at + 4] for at in range(0, len(key), 4))}"


def key_line_of_seat(app: App, session: Session, game: Game, viewer: Viewer) -> str:
    """Write the same line for the player in a seat; "" for spectators."""
    if app.settings.security.sender != "token":
        return ""
    held = next((seat for seat in game_queries.seats(session, game) if seat.number == viewer), None)
    return key_line(app, session, game, session.get(Player, held.player_id) if held else None)
