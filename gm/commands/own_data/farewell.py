"""`Vergiss mich`: the question, the farewell, and forgetting as soon as nothing of the player is on its way any more.

The `Ja` frees the seats and queues the last mail. The question keeps the wish: each pass tries to carry it out
(`erase_departed`), so that neither a crash nor a mail that still waits needs any code here.
"""

import logging
from datetime import timedelta
from typing import Final

from sqlmodel import Session, select

from games.api import say
from gm.app.context import App
from gm.commands import leaving
from gm.commands.gm_commands.erasure import forget
from gm.commands.request import Request
from gm.game import seats
from gm.messages import gm_list, held_mails, questions
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.messages.rendering.dates import write_date
from gm.runtime.errors import PlayerError, Refused, StoreError
from gm.runtime.log_format import event
from gm.runtime.tracebacks import described, trace
from gm.store.queries import game_queries, player_queries, question_queries, seat_queries
from gm.store.tables import Game, Player, Question, Watcher
from parsers.commands import commands

log = logging.getLogger("gm")

DAYS: Final = 7
_HELD: Final = ("open", "running")
"""Games in which a seat is given up; in the others it is history."""


def ask_to_forget(request: Request, _command: commands.ForgetMe) -> None:
    """Ask the registered address whether the writer is really to be forgotten. Raises PlayerError for the GM."""
    app, session, player = request.app, request.session, request.find_writer()
    _refuse_gm(app, session, player)
    asked = question_queries.questions_to(session, player.id, question_queries.FORGET)
    if any(one.answer == question_queries.WANTED for one in asked):
        request.confirm(say("FORGET_UNDER_WAY"))
        return
    until = app.now() + timedelta(days=DAYS)
    question = next((one for one in asked if one.answered_at is None), None) or questions.add(
        app, session, question_queries.FORGET, {}, About(mail=request.row, player=player),
        address=player_queries.address_of(session, player.id),
    )  # fmt: skip
    question.mail_id, question.expires_at = request.row.id, until
    session.add(question)
    games = game_queries.games_of_players(session, [player.id], _HELD)
    service = app.settings.service
    context = {
        "code": question.code, "name": player.name, "gm": gm_name(app), "service": service.name,
        "games": [game.name for game in games], "beside": (),
        "until": write_date(until, service.timezone, request.language, "date"),
    }  # fmt: skip
    request.parts.append(Part(template="ask_forget", context=context))
    request.applied = True


def _refuse_gm(app: App, session: Session, player: Player) -> None:
    """Refuse for the GM: that name stands in every mail and on every page."""
    if any(questions.is_gm(app, address) for address in player_queries.addresses(session, player.id)):
        raise PlayerError(say("FORGET_GM"))


def answer_farewell(request: Request, question: Question, *, yes: bool) -> None:
    """Act on the answer: free the seats, and say goodbye with the last mail. Raises PlayerError.

    An address that was taken from the player meanwhile answers nothing.
    """
    app, session = request.app, request.session
    player = next((one for one in request.players if one.id == question.player_id), None)
    if player is None:
        raise PlayerError(say("NO_QUESTION"))
    if not yes:
        questions.close(app, session, question, "no")
        request.confirm(say("FORGET_NOT"))
        return
    _refuse_gm(app, session, player)
    questions.close(app, session, question, question_queries.WANTED)
    request.writer = player
    left = _leave_all(app, session, player)
    for game, kind in left:
        request.tell_gm(kind, "", game=game, player=player)
    context = {
        "games": [game.name for game, _ in left], "gm": gm_name(app), "service": app.settings.service.name, "game": "",
        "gm_address": app.settings.service.gm.address,
    }  # fmt: skip
    request.parts.append(Part(template="farewell", context=context))
    request.applied = True


def _leave_all(app: App, session: Session, player: Player) -> list[tuple[Game, str]]:
    """Hand over all seats, and end what would bring more mails; returns each game with the kind of entry for the GM."""
    left = []
    for game in game_queries.games_of_players(session, [player.id], _HELD):
        seat = next(one for one in seat_queries.seats(session, game) if one.player_id == player.id)
        left.append((game, leaving.give_up(app, session, game, seat)))
    for watching in session.exec(select(Watcher).where(Watcher.player_id == player.id)).all():
        session.delete(watching)
    seats.set_standby(app, session, player, "", False)
    held_mails.drop(session, player.id, "the player has left")
    player.digest, player.bundle = "off", ""
    session.add(player)
    session.flush()
    return left


# -- done by the service -----------------------------------------------------------------------------------------------


def erase_departed(app: App) -> bool:
    """Forget those who have said so, if nothing of theirs is on its way any more; says whether anything was done.

    Raises StoreError.

    Afterwards the file is rewritten without what was deleted; after a crash in between, the next pass does that.
    """
    with app.database.read() as session:
        waiting = [(one.id, one.player_id, one.answer) for one in question_queries.to_be_forgotten(session)]
    is_done = False
    for question_id, player_id, answer in waiting:
        app.stop_signal.check()
        if answer == question_queries.ERASED or (player_id is not None and _erase(app, player_id)):
            _clean_up(app, question_id)
            is_done = True
    return is_done


def _erase(app: App, player_id: int) -> bool:
    """Forget a player, out of a seat that the GM has given them meanwhile as well. False while it can't be done."""
    try:
        with app.database.read() as session:
            name = session.get_one(Player, player_id).name
            is_seated = bool(game_queries.games_of_players(session, [player_id], _HELD))
        if is_seated:
            _leave_again(app, player_id)
        forget(app, name, compacts=False, tells_gm=True)
    except Refused:  # a mail waits, or the GM was quicker: its sentence has the name, which no log shows
        return False
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001  the rest of the pass is more urgent
        log.error("A player couldn't be forgotten: %s", described(error),
                  extra=event("forget failed", player=player_id, trace=trace(error)))  # fmt: skip
        return False
    return True


def _leave_again(app: App, player_id: int) -> None:
    with app.database.write() as session:
        player = session.get_one(Player, player_id)
        entries = [
            gm_list.add_trouble(app, session, kind, "", About(game=game, player=player))
            for game, kind in _leave_all(app, session, player)
        ]
        gm_list.send(app, session, entries)


def _clean_up(app: App, question_id: int) -> None:
    """Take the deleted bytes off the disk, and note that all is done."""
    if not app.database.compact():
        log.warning(
            "Somebody was forgotten, but the database is in use or the disk is full: deleted bytes are still on it.",
            extra=event("forgotten, not compacted"),
        )
    with app.database.write() as session:
        question = session.get_one(Question, question_id)
        question.answer = question_queries.FORGOTTEN
        session.add(question)
