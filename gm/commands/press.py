"""Press and watching: what players have to say to all, and who reads without playing."""

import re
from typing import Final

from sqlmodel import Session

from games.api import say
from gm.app.context import App
from gm.commands import joining
from gm.commands.request import Incoming, game_meant
from gm.runtime.errors import PlayerError, UnknownGame
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Game, Player, Press, Watcher
from parsers.commands import commands

LONGEST_PRESS: Final = 4000
UNPRINTABLE: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but the line break, and what overrides the direction of writing."""


def take_press(incoming: Incoming, command: commands.Press) -> None:
    """Keep a text for the next bulletin, from who plays or watches. Raises PlayerError."""
    session = incoming.session
    game = incoming.about(game_meant(incoming, command.game)[0])
    player = _reader(incoming, game)
    if game.status not in ("open", "running"):
        raise PlayerError(say("PRESS_TOO_LATE", game=game.name))
    if command.anonymous and not game.anonymous_press:
        raise PlayerError(say("PRESS_SIGNED_ONLY", game=game.name))
    text = printable(command.text)
    if not text.strip():
        raise PlayerError(say("PRESS_EMPTY", game=game.name))
    if len(text) > LONGEST_PRESS:
        raise PlayerError(say("PRESS_TOO_LONG", length=len(text), most=LONGEST_PRESS))
    session.add(
        Press(game_id=game.id, player_id=player.id, mail_id=incoming.row.id, anonymous=command.anonymous,
              text=text, received_at=incoming.received)
    )  # fmt: skip
    session.flush()
    code = "PRESS_TAKEN_ANONYMOUS" if command.anonymous else "PRESS_TAKEN"
    incoming.notice(say(code, game=game.name, name=player.name), applied=True)
    if command.is_open:
        incoming.notice(say("PRESS_OPEN"), applied=True)


def printable(text: str) -> str:
    """Leave out what does something to a terminal or turns the text around it, and blank lines at the ends."""
    return UNPRINTABLE.sub("", text.expandtabs(4)).strip("\n")


def _reader(incoming: Incoming, game: Game) -> Player:
    """Find the writer among those who play or watch."""
    watching = [player for player in incoming.players if seat_queries.watcher(incoming.session, game, player.id)]
    if watching and not any(seat.player_id in {p.id for p in incoming.players}
                            for seat in seat_queries.seats(incoming.session, game)):  # fmt: skip
        incoming.writer = incoming.writer or watching[0]
        return watching[0]
    return incoming.session.get_one(Player, incoming.own_seat(game).player_id)


def watch(incoming: Incoming, command: commands.Watch) -> None:
    """Send somebody a game's bulletins as spectators see it, or no more. Raises PlayerError."""
    if not incoming.players:
        joining.wish(incoming, "watch", game_to_watch(incoming.session, command.game))
        return
    player = incoming.person()
    if not command.on:
        _stop_watching(incoming, command.game, player)
        return
    game = incoming.about(game_to_watch(incoming.session, command.game))
    begin_watching(incoming.app, incoming.session, game, player)
    incoming.notice(say("WATCHING", game=game.name), applied=True)


def _stop_watching(incoming: Incoming, name: str, player: Player) -> None:
    """Take a player from among the spectators, whatever has become of the game meanwhile. Raises UnknownGame."""
    game = game_queries.game_named(incoming.session, name)
    held = seat_queries.watcher(incoming.session, game, player.id) if game else None
    if game is None:
        raise UnknownGame(say("NOTHING_TO_WATCH", game=name))
    if held is not None:
        incoming.session.delete(held)
        incoming.session.flush()
    incoming.about(game)
    incoming.notice(say("NOT_WATCHING", game=game.name), applied=True)


def game_to_watch(session: Session, name: str) -> Game:
    """Find a game that may be watched: which there are is no secret. Raises PlayerError."""
    game = game_queries.game_named(session, name)
    if game is None or game.status not in ("open", "running"):
        raise UnknownGame(say("NOTHING_TO_WATCH", game=name))
    return game


def begin_watching(app: App, session: Session, game: Game, player: Player) -> None:
    """Put a player among the spectators. Raises PlayerError where they play."""
    if any(seat.player_id == player.id for seat in seat_queries.seats(session, game)):
        raise PlayerError(say("YOU_PLAY", game=game.name))
    if seat_queries.watcher(session, game, player.id) is None:
        session.add(Watcher(game_id=game.id, player_id=player.id, at=app.now()))
        session.flush()
