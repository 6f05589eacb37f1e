"""Leaving a game: the seat is free for a standby, the move on file stays, the GM is told."""

from sqlmodel import Session

from games.api import Seat as SeatNumber
from games.api import say
from gm.app import App
from gm.errors import PlayerError
from gm.play import access, questions, turns
from gm.play.incoming import Incoming
from gm.publish import bulletins
from gm.store import queries
from gm.store.tables import Game, Player, Seat
from parsers import commands


def resign(incoming: Incoming, command: commands.Resign) -> None:
    """Let the writer leave a game. Raises PlayerError."""
    app, session = incoming.app, incoming.session
    game = access.game_of(session, command.game)
    seat = incoming.own_seat(game)
    incoming.about(game)
    player = session.get_one(Player, seat.player_id)
    if game.status == "open":
        session.delete(seat)
        session.flush()
    elif game.status == "running":
        leave(app, session, game, seat)
    else:
        raise PlayerError(say("GAME_OVER", game=game.name))
    incoming.notice(say("LEFT_GAME", game=game.name, gm=app.settings.service.gm.name or "GM"), applied=True)
    questions.tell_gm(app, session, "resigned", text=incoming.reading.free_text, row=incoming.row, game=game,
                      player=player)  # fmt: skip


def leave(app: App, session: Session, game: Game, seat: Seat) -> None:
    """Free a seat of a running game; the others are told, the standby list is asked with this pass."""
    seat.until = app.now()
    session.add(seat)
    session.flush()
    bulletins.tell_all(app, session, game, "left", f"left:{seat.id}", {"leaver": seat.number})


def play_on_without(app: App, session: Session, game: Game, seat: Seat) -> None:
    """Nobody takes the seat: its player is out, and the game goes on by its rules."""
    if seat.until is None:
        leave(app, session, game, seat)
    turns.leave(app, session, game, SeatNumber(seat.number))
    for question in queries.questions_about(session, game, "vacancy", "resigned"):
        if question.player_id == seat.player_id:
            questions.settle(app, session, question, "without")
