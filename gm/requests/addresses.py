"""Another address for a player: both the old and the new one have to say yes."""

from datetime import timedelta
from typing import Final

from games.api import say
from gm.messages import questions
from gm.messages.outgoing import Part
from gm.messages.questions import About
from gm.requests.declared import by_mail
from gm.requests.desk.players import NEW_ADDRESS, open_address_questions, settle_open_questions, use_address
from gm.requests.request import Request
from gm.runtime.errors import PlayerError
from gm.store.queries import player_queries, question_queries
from gm.store.tables import Player, Question
from parsers import commands
from parsers.lines import arguments

ADDRESS_DAYS: Final = 7
MOST_NEW_ADDRESSES: Final = 3
"""New addresses that a player may name within a day (mail.md, what one mail may cause)."""


@by_mail(commands.NewAddress, "ADDRESS", takes=arguments.address)
def ask_about_address(request: Request, command: commands.NewAddress) -> None:
    """Ask at both addresses: an impostor has only one of them. Raises PlayerError."""
    app, session, player, new = request.app, request.session, request.find_writer(), command.address
    service = app.settings.service
    if new == service.address.lower():
        raise PlayerError(say("NO_ADDRESS", address=command.address))
    old = player_queries.address_of(session, player.id)
    if new == old:
        raise PlayerError(say("ADDRESS_KNOWN", address=new))
    _check_wish(request, player, new)
    settle_open_questions(app, session, player, "replaced")
    payload, until = {"new": new, "old": old, "text": new}, app.now() + timedelta(days=ADDRESS_DAYS)
    context = {"new": new, "days": ADDRESS_DAYS, "service": service.name}
    about = About(mail=request.row, player=player)
    here = questions.add(app, session, NEW_ADDRESS, payload, about, address=old, until=until)
    request.parts.append(Part(template="ask_address", context={**context, "at_new": False, "code": here.code}))
    there = questions.add(app, session, NEW_ADDRESS, payload, about, address=new, until=until)
    questions.send(app, session, there, {**context, "at_new": True})
    request.applied = True


def _check_wish(request: Request, player: Player, new: str) -> None:
    """Limit the questions to strange addresses: one new address a mail, a few a day, each once. Raises PlayerError."""
    since = request.app.now() - timedelta(days=1)
    asked = question_queries.questions_to(request.session, player.id, NEW_ADDRESS)
    wishes = [question for question in asked if question.created_at > since]
    if any(one.mail_id == request.row.id for one in wishes):
        raise PlayerError(say("ADDRESS_ONE", address=new))
    if any(one.payload["new"] == new and one.answered_at is None for one in wishes):
        raise PlayerError(say("ADDRESS_PENDING", address=new))
    is_one_too_many = len({one.payload["new"] for one in wishes} | {new}) > MOST_NEW_ADDRESSES
    if is_one_too_many or not questions.may_ask(request.app, request.session, new):
        raise PlayerError(say("ADDRESS_ENOUGH", number=MOST_NEW_ADDRESSES))


def answer_address(request: Request, question: Question, *, yes: bool) -> None:
    """Act on the answer from one of the two addresses: both must say yes, one no is enough. Raises PlayerError."""
    app, session = request.app, request.session
    player = session.get_one(Player, question.player_id)
    if not yes:
        settle_open_questions(app, session, player, "no")
        request.confirm(say("ADDRESS_STAYS"))
        return
    if request.mail.sender != question.address:
        raise PlayerError(say("ADDRESS_FROM_THERE", address=question.address))
    questions.close(app, session, question, "yes")
    if open_address_questions(session, player):
        request.confirm(say("ADDRESS_HALF"))
        return
    use_address(session, player, question.payload["new"])
    request.players, request.writer = [player], player
    request.confirm(say("ADDRESS_SET", address=question.payload["new"]))
