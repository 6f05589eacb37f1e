"""Leaving a game: the seat is free for a standby, the move on file stays, the GM is told."""

from sqlmodel import Session

from games.api import Seat as SeatNumber
from games.api import say
from gm.app.context import App
from gm.commands.request import Incoming
from gm.game import steps
from gm.game.schedule import closing
from gm.messages import game_mails, questions
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.players import access
from gm.runtime.errors import PlayerError, Refused
from gm.store.queries import question_queries, turn_queries
from gm.store.tables import Game, Player, Seat
from parsers.commands import commands


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
        incoming.notice(say("LEFT_OPEN", game=game.name), applied=True)
    elif game.status == "running":
        leave(app, session, game, seat)
        incoming.notice(say("LEFT_GAME", game=game.name, gm=gm_name(app)), applied=True)
    else:
        raise PlayerError(say("GAME_OVER", game=game.name))
    kind = "freed" if game.status == "open" else "resigned"
    incoming.tell_gm(kind, incoming.reading.free_text, game=game, player=player)


def leave(app: App, session: Session, game: Game, seat: Seat) -> None:
    """Free a seat of a running game; the others are told, the standby list is asked with this pass."""
    seat.until = app.now()
    session.add(seat)
    session.flush()
    mail = GameMail(template="left", cause=f"left:{seat.id}", context={"leaver": seat.number})
    game_mails.send_to_all(app, session, game, mail)


def play_on_without(app: App, session: Session, game: Game, seat: Seat) -> None:
    """Nobody takes the seat: its player is out, and the game goes on by its rules. Raises Refused."""
    closing.check_closable(session, game)
    if seat.number in turn_queries.left_behind(session, [game.id]).get(game.id, ()):
        raise Refused(f"{game.name} goes on without this seat already.")
    if seat.until is None:
        seat.until = app.now()
        session.add(seat)
        session.flush()
        _tell_who_is_out(app, session, game, seat)
    steps.resign(app, session, game, SeatNumber(seat.number))
    for question in question_queries.questions_about(session, game, "vacancy", "resigned"):
        if question.player_id == seat.player_id:
            questions.close(app, session, question, "without")


def _tell_who_is_out(app: App, session: Session, game: Game, seat: Seat) -> None:
    """Who was silent hears that the others play on without."""
    engine, player = app.engine(game.engine), session.get_one(Player, seat.player_id)
    to = recipient(app, session, player, game)
    part = Part(template="removed", context=game_mails.frame_context(app, game, engine, to.language), engine=engine)
    post(app, session, Occasion(cause=f"seat:{game.id}:{player.id}", kind="removed", game=game), to, [part])
