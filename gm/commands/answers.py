"""`Ja` and `Nein`: what the answer to each kind of question brings about."""

from collections.abc import Callable, Mapping

from games.api import MoveBlock, say
from gm.commands import joining, lookalike_names, preferences, press
from gm.commands.desk import by_mail
from gm.commands.moves import unknown_sender
from gm.commands.request import Incoming
from gm.commands.sender_check import confirmation
from gm.game import seats
from gm.messages import questions
from gm.players import lookup
from gm.runtime.errors import PlayerError
from gm.store.queries import game_queries, question_queries
from gm.store.tables import Player, Question
from parsers.commands import commands


def take_answer(incoming: Incoming, command: commands.Yes | commands.No) -> None:
    """Act on a `Ja` or `Nein` to a question of ours. Raises PlayerError where none is meant."""
    app, session, yes = incoming.app, incoming.session, isinstance(command, commands.Yes)
    question = questions.find(app, session, incoming.mail, incoming.players, command.code)
    if not question.address:
        by_mail.answer(incoming, question, yes)
        return
    incoming.writer = next((one for one in incoming.players if one.id == question.player_id), incoming.writer)
    if question.kind == preferences.MOVE:
        preferences.answer_address(incoming, question, yes=yes)
        return
    if yes and question.kind == question_queries.WHO:
        if not unknown_sender.answer_who(incoming):
            raise PlayerError(say("WHO_NEEDS_NAME"))
        return
    begins = _ANSWERS.get(question.kind) is _begins
    if yes and begins and lookalike_names.is_left_to_gm(incoming, question):
        return
    questions.close(app, session, question, "yes" if yes else "no")
    if question.kind == question_queries.STRANGER:
        unknown_sender.note_answer(app, session, question)
    if yes:
        _ANSWERS[question.kind](incoming, question)
    elif question.kind == confirmation.SENDER:
        confirmation.deny(incoming, question)
    else:
        incoming.notice(say("DECLINED"), applied=True)


def _begins(incoming: Incoming, question: Question) -> None:
    """Do all that a newcomer's mail asked for; what can't be done any more is said last."""
    refused = []
    for wish in question.payload.get("wishes") or [{**question.payload, "kind": question.kind}]:
        try:
            _WISHES[wish["kind"]](incoming, question, wish)
        except PlayerError as error:
            refused.append(error.text)
    for text in refused:
        incoming.notice(text)
    if (beside := question.payload.get("beside")) and incoming.writer:
        incoming.tell_gm("text", beside, game=incoming.game, player=incoming.writer)


def _joins(incoming: Incoming, question: Question, wish: joining.Wish) -> None:
    app, session = incoming.app, incoming.session
    game = joining.game_to_join(app, session, wish["title_key"], wish["game"])
    seats.free_numbers(app, session, game)  # before anybody is registered
    block = MoveBlock(lines=tuple(wish["lines"]))
    joining.join(incoming, incoming.about(game), _newcomer(incoming, question), block)


def _stands_by(incoming: Incoming, question: Question, wish: joining.Wish) -> None:
    seats.set_standby(incoming.app, incoming.session, _newcomer(incoming, question), wish["title_key"], True)
    incoming.notice(say("STANDBY_ON"), applied=True)


def _watches(incoming: Incoming, question: Question, wish: joining.Wish) -> None:
    game = press.game_to_watch(incoming.session, wish["game"])
    press.begin_watching(incoming.app, incoming.session, incoming.about(game), _newcomer(incoming, question))
    incoming.notice(say("WATCHING", game=game.name), applied=True)


_WISHES: Mapping[str, Callable[[Incoming, Question, joining.Wish], None]] = {
    "join": _joins, "standby": _stands_by, "watch": _watches,
}  # fmt: skip


def _takes_seat(incoming: Incoming, question: Question) -> None:
    standby = incoming.session.get_one(Player, question.player_id)
    game = seats.accept_offer(incoming.app, incoming.session, question, standby)
    incoming.about(game)
    incoming.notice(say("SEAT_YOURS", game=game.name), applied=True)


_ANSWERS: Mapping[str, Callable[[Incoming, Question], None]] = {
    joining.NEWCOMER: _begins, **dict.fromkeys(_WISHES, _begins), seats.OFFER: _takes_seat,
    question_queries.STRANGER: unknown_sender.take_stranger, confirmation.SENDER: confirmation.confirm,
}  # fmt: skip
"""Kind of question -> what a `Ja` brings about. Older questions are about one wish each."""


def _newcomer(incoming: Incoming, question: Question) -> Player:
    """Register who has said yes, or find the player whom an earlier yes made: two sign-ups are one person."""
    app, session, name = incoming.app, incoming.session, question.payload["name"]
    made = question_queries.player_made_by_question(session, question.address, game_queries.key_of(name))
    newcomer = made or lookup.register_newcomer(app, session, name, question.address)
    if not made:
        newcomer.language = question.payload["language"]
    question.player_id = newcomer.id
    session.add(newcomer)
    session.add(question)
    incoming.players, incoming.writer = [newcomer], newcomer
    return newcomer
