"""Moves that wait until the GM has ruled on a word: nothing doubtful ever lies on a shared board (rulings.md 2).

So do moves of a game that waits for the GM to agree to new rules (gm/game/upgrades/new_rules.py).

Meanwhile the game's clock stands still. Moves that arrive later wait behind them, in order of arrival.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import Session

from games.api import MoveBlock, Sheet
from games.api import Seat as SeatNumber
from games.words import Verdict
from gm.app.context import App
from gm.game import deadlines, moves_on_file, steps, word_judge
from gm.game.position import Position, position
from gm.lexicon.lexicon import Judge
from gm.messages import game_mails, questions, ruling_texts
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import recipient
from gm.messages.questions import About
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences import SENTENCES
from gm.runtime.catalogues import first_known
from gm.store.queries import question_queries
from gm.store.tables import Game, Player, Question


def due(app: App, game: Game) -> list[int]:
    """List who owes a move: in a race also others than the one whose move waits."""
    at = position(app, game)
    return sorted(at.engine.due(at.state))


def drop(app: App, session: Session, game: Game, seat: int) -> None:
    """Drop the move that a seat has waiting, and what we offered to file: it sends another one."""
    questions.close_readings(session, game, seat, app.now(), "moved")
    for question in question_queries.held_moves(game):
        if question.payload["seat"] == seat:
            questions.close(app, session, question, "replaced")


def resume(app: App, session: Session, game: Game) -> bool:
    """Go on with the moves that wait, as far as the rulings reach; False where the first still has to wait."""
    waiting = question_queries.held_moves(game)
    for question in waiting:
        at, judge, sheet = _read_again(app, game, question)
        if question.payload["words"] and sheet.doubtful:  # only the rules know which words count
            return question is not waiting[0]
        if question is waiting[0] and game.zat:  # it stood still
            deadlines.save_zat(app, session, game, game.zat + (app.now() - question.created_at))
        questions.close(app, session, question, "ruled")
        _go_on(app, session, game, question, at, judge, sheet)
    return bool(waiting)


def _read_again(app: App, game: Game, question: Question) -> tuple[Position, Judge, Sheet[Any]]:
    at, judge = position(app, game), word_judge.judge(app, game)
    block = MoveBlock(lines=tuple(question.payload["lines"]))
    return at, judge, at.engine.read(at.state, SeatNumber(question.payload["seat"]), block, judge)


def _go_on(
    app: App, session: Session, game: Game, question: Question, at: Position, judge: Judge, sheet: Sheet[Any]
) -> None:
    """Let a held move take effect, or tell its sender why it can't and give time for another."""
    seat = SeatNumber(question.payload["seat"])
    profile = at.engine.rules.profile
    rulings = {word: judge.check(word, profile) for word in question.payload["words"]}
    if seat not in at.engine.due(at.state) or sheet.move is None:
        _reject(app, session, question, at, sheet, judge)
        if rulings:
            _tell_others(app, session, game, question, rulings)
        earliest = app.now() + app.settings.nmr.standby_time
        if game.zat and game.zat < earliest:
            deadlines.save_zat(app, session, game, earliest)
        return
    speaker = Speaker(language=first_known(game.language), wording=SENTENCES, names={})
    said = "\n".join(speaker.say(ruling_texts.of_ruling(verdict, word)) for word, verdict in rulings.items())
    steps.act(app, session, game, at, steps.MoveAtOnce(seat=seat, move=sheet.move, judge=judge, foreword=said))


def _tell_others(app: App, session: Session, game: Game, question: Question, rulings: Mapping[str, Verdict]) -> None:
    """Tell the other players that a move was refused, but not for which word: only its writer knows the word."""
    hidden = (replace(one, note="") if word in one.note.upper() else one for word, one in rulings.items())
    said = [ruling_texts.of_ruling(one) for one in dict.fromkeys(hidden)]
    context = {"mover": question.payload["seat"], "rulings": said, "due": due(app, game)}
    mover = session.get(Player, question.player_id)
    mail = GameMail(template="ruled", cause=f"question:{question.id}", context=context)
    game_mails.send_to_all(app, session, game, mail, but=mover)


def _reject(app: App, session: Session, question: Question, at: Position, sheet: Sheet[Any], judge: Judge) -> None:
    """Tell whoever has the seat now what is wrong with the move, with a corrected block to send back."""
    game, seat = session.get_one(Game, question.game_id), SeatNumber(question.payload["seat"])
    player = next((one for one, number in game_mails.seated(session, game) if number == seat), None)
    if player is None:
        return
    offer = game_mails.offered_block(
        session, game, at.engine, at.state, seat, sheet.offer, recipient(app, session, player, game).language
    )
    cause = f"question:{question.id}"
    about = About(game=game, player=player, cause=cause)
    context = {
        "can_be_taken": bool(offer) and moves_on_file.note_reading(app, session, about, at, seat, sheet.offer, judge),
        "sheet": sheet, "on_file": False, "remarks": (), "offer": offer,
        "received": datetime.fromisoformat(question.payload["received"]),
        "mailto": game_mails.mailto(app.settings.service.address, game.name, offer),
    }  # fmt: skip
    mail = GameMail(template="rejection", cause=cause, context=context, kind="ruled")
    game_mails.send(app, session, game, mail, player, seat)
