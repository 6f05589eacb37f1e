"""A move for a seat that its player has left: the GM is asked whether the player gets it back."""

from games.api import say
from gm.messages.outgoing import gm_name
from gm.players import access
from gm.requests.request import Request
from gm.runtime.errors import PlayerError
from gm.store.queries import question_queries, seat_queries
from gm.store.tables import Game, Player


def ask_back(request: Request, game: Game, left: access.SeatLeft) -> PlayerError:
    """Ask the GM once, unless the game is over or somebody else sits there; returns what the player is told."""
    session, seat = request.session, left.seat
    if game.status != "running" or any(one.number == seat.number for one in seat_queries.seats(session, game)):
        return left
    player = session.get_one(Player, seat.player_id)
    request.writer = request.writer or player
    asked = question_queries.questions_about(session, game, question_queries.ASKED_BACK)
    if all(question.player_id != player.id for question in asked):
        offer = ("standby", game.name, player.name, player.name)
        request.tell_gm(question_queries.ASKED_BACK, "", game=game, player=player, offers=[offer])
    return PlayerError(say("SEAT_ASKED_BACK", how=left.text, gm=gm_name(request.app)))
