"""The GM's replies to mails that went to the GM for a player without an address: no move by themselves."""

from games.api import say
from gm.messages import gm_list, questions
from gm.messages.outgoing import gm_contacts
from gm.requests.request import Request
from gm.store.queries import thread_queries
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Game, Player
from parsers.commands import Advance, Orders


def answer(request: Request) -> bool:
    """Tell the GM how to enter what came by post, where a mail answers one that was to be printed; False for others.

    A command, or a block for another game, is one of the GM's own.
    """
    app, session = request.app, request.session
    if not questions.is_gm(app, request.mail.sender):
        return False
    known = [contact.address for contact in gm_contacts(app)]
    sent = thread_queries.mails_of_thread(session, (questions.replied_to(request.mail),), known)
    if not sent or not sent[0].by_post or sent[0].game_id is None:
        return False
    player, game = session.get(Player, sent[0].player_id), session.get_one(Game, sent[0].game_id)
    said = [one.command for one in request.reading.commands]
    is_block = all(isinstance(one, Orders | Advance) and one.game in ("", game.name) for one in said)
    if player is None or player.name == NOBODY or not is_block:
        return False
    request.is_for_gm = True
    request.note_game(game)
    line = gm_list.command_line(("move", game.name, player.name))
    request.refuse(say("REPLY_FOR_POST", name=player.name, line=line))
    return True
