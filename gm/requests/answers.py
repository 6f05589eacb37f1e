"""`Ja` and `Nein`: what the answer to each kind of question brings about."""

from collections.abc import Callable, Mapping, Sequence

from games.api import MoveBlock, say
from gm.game import moves_on_file, seats
from gm.game.people import access, lookup
from gm.game.position import is_released, position
from gm.messages import questions
from gm.requests import addresses, joining, press, status
from gm.requests.desk.players import NEW_ADDRESS
from gm.requests.moves import filing, our_reading, unknown_sender
from gm.requests.moves.blocks import SentMove
from gm.requests.prose import answers_in_words, line_questions
from gm.requests.replies import offered_lines
from gm.requests.request import Request
from gm.requests.sender_check import confirmation, similar_names
from gm.runtime.errors import PlayerError
from gm.store.queries import question_queries
from gm.store.tables import Game, Player, Question
from parsers import commands
from parsers.invisible import fold_name


def take_answer(request: Request, command: commands.Yes | commands.No) -> Request | None:
    """Act on a `Ja` or `Nein` to a question of ours; returns the mail that it confirms, which has to be carried out.

    Raises PlayerError where no question is meant.
    """
    yes = isinstance(command, commands.Yes)
    if readings := () if command.code else our_reading.in_mail_replied_to(request):
        _answer_readings(request, readings, yes=yes)
        return None
    question = questions.find(request.app, request.session, request.mail, request.players, command.code)
    if question.kind == question_queries.READING:
        if not our_reading.was_seen(request, question):
            raise PlayerError(say("NO_QUESTION"))
        _answer_readings(request, [question], yes=yes)
        return None
    if yes and not answers_in_words.is_sure(request, question):
        request.refuse(say("ONLY_YES"))
        answers_in_words.offer_buttons(request, question)
        return None
    if not question.address:
        offered_lines.answer(request, question, yes)
        return None
    request.writer = next((one for one in request.players if one.id == question.player_id), request.writer)
    if question.kind == NEW_ADDRESS:
        addresses.answer_address(request, question, yes=yes)
    elif yes and question.kind == question_queries.WHICH_PLAYER:
        if not unknown_sender.take_name_as_answer(request):
            raise PlayerError(say("WHO_NEEDS_NAME"))
    elif not (yes and question.kind == joining.NEWCOMER and similar_names.is_left_to_gm(request, question)):
        return _settle(request, question, yes=yes)
    return None


def _settle(request: Request, question: Question, *, yes: bool) -> Request | None:
    """Note an answer and do what it means; returns the mail that it confirms."""
    questions.close(request.app, request.session, question, "yes" if yes else "no")
    if question.kind == question_queries.UNKNOWN_SENDER:
        unknown_sender.settle_entry_of_gm(request.app, request.session, question)
    if yes and question.kind == confirmation.SENDER:
        return confirmation.confirm(request, question)
    if yes and question.kind == line_questions.KIND:
        return line_questions.confirmed(request, question)
    if yes:
        _ON_YES[question.kind](request, question)
    elif question.kind == confirmation.SENDER:
        confirmation.deny(request, question)
    elif question.kind == line_questions.KIND:
        line_questions.deny(request, question)
    else:
        request.confirm(say("DECLINED"))
    return None


def _welcome_newcomer(request: Request, question: Question) -> None:
    """Do all that a newcomer's mail asked for. What can't be done any more is said last."""
    refused = []
    for wish in question.payload["wishes"]:
        try:
            _WISHES[wish["kind"]](request, question, wish)
        except PlayerError as error:
            refused.append(error.text)
    for text in refused:
        request.refuse(text)
    if (beside := question.payload.get("beside")) and request.writer:
        request.tell_gm("text", beside, game=request.game, player=request.writer)


def _join(request: Request, question: Question, wish: joining.Wish) -> None:
    app, session = request.app, request.session
    game = joining.game_to_join(app, session, wish["title_key"], wish["game"])
    seats.free_numbers(app, game)  # before anybody is registered
    lately = MoveBlock(lines=_lines_beside(request))
    block = lately if joining.wants(app, game, lately) else MoveBlock(lines=tuple(wish["lines"]))
    joining.join(request, request.note_game(game), _registered(request, question), block)


def _lines_beside(request: Request) -> tuple[str, ...]:
    """Return the wish that stands beside the `Ja`: `Wunschbuchstabe R`, or `Neu: R` below it."""
    answer, said = request.reading.answer, (one.command for one in request.reading.commands)
    if answer and answer.letter:
        return (f"Neu: {answer.letter}",)
    return next((one.block.lines for one in said if isinstance(one, commands.Orders) and not one.game), ())


def _stand_by(request: Request, question: Question, wish: joining.Wish) -> None:
    seats.set_standby(request.app, request.session, _registered(request, question), wish["title_key"], True)
    request.confirm(say("STANDBY_ON"))


def _watch(request: Request, question: Question, wish: joining.Wish) -> None:
    game = press.game_to_watch(request.session, wish["game"])
    press.begin_watching(request.app, request.session, request.note_game(game), _registered(request, question))
    request.confirm(say("WATCHING", game=game.name))


_WISHES: Mapping[str, Callable[[Request, Question, joining.Wish], None]] = {
    "join": _join, "standby": _stand_by, "watch": _watch,
}  # fmt: skip


def _take_seat(request: Request, question: Question) -> None:
    standby = request.session.get_one(Player, question.player_id)
    game = seats.accept_offer(request.app, request.session, question, standby)
    request.note_game(game)
    request.confirm(say("SEAT_YOURS", game=game.name))


# -- our reading of a block --------------------------------------------------------------------------------------------


def _answer_readings(request: Request, readings: Sequence[Question], *, yes: bool) -> None:
    """File the blocks that a mail of ours has offered, or leave them. What is overtaken is answered by what holds."""
    for reading in readings:
        game = request.session.get_one(Game, reading.game_id)
        if our_reading.is_overtaken(request, game):
            continue
        request.note_game(game)
        try:
            _answer_reading(request, game, reading, yes=yes)
        except PlayerError as error:
            request.refuse(error.text)


def _answer_reading(request: Request, game: Game, reading: Question, *, yes: bool) -> None:
    """File a block that we have offered, as of the arrival of the `Ja`. Raises PlayerError."""
    app, session = request.app, request.session
    player = our_reading.player_of(session, reading)
    request.writer = request.writer or player
    seat = access.own_seat(session, game, [player])
    if game.status != "running":
        raise PlayerError(say("GAME_OVER", game=game.name))
    at = position(app, game)
    is_over = our_reading.is_over(reading, game, at, seat)
    if is_over or reading.answered_at is not None:
        own = moves_on_file.move_on_file(game, at, seat.number)
        request.refuse(say(our_reading.why_over(session, reading), game=game.name))
        if is_released(at.turn):
            status.show_position(request, "status", game, at, seat, own)
        return
    questions.close(app, session, reading, "yes" if yes else "no")
    if not yes:
        request.confirm(say("READING_DROPPED", game=game.name))
        return
    block = MoveBlock(lines=tuple(reading.payload["lines"]))
    stand = reading.payload["stand"]
    filing.file_move(request, SentMove(game=game, seat=seat, block=block, round=game.round, stand=stand))


_ON_YES: Mapping[str, Callable[[Request, Question], None]] = {
    joining.NEWCOMER: _welcome_newcomer, seats.OFFER: _take_seat,
    question_queries.UNKNOWN_SENDER: unknown_sender.file_strangers_move,
}  # fmt: skip


def _registered(request: Request, question: Question) -> Player:
    """Register who has said yes, or find the player whom an earlier yes made: two sign-ups are one person."""
    app, session, name = request.app, request.session, question.payload["name"]
    made = question_queries.player_made_by_question(session, question.address, fold_name(name))
    newcomer = made or lookup.register_newcomer(app, session, name, question.address)
    if not made:
        newcomer.language = question.payload["language"]
    question.player_id = newcomer.id
    session.add(newcomer)
    session.add(question)
    request.players, request.writer = [newcomer], newcomer
    return newcomer
