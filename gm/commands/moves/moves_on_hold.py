"""Moves that wait for the GM's word on a word: nothing doubtful ever lies on a shared board (rulings.md 2).

The clock of the game stands still meanwhile, and what arrives later waits behind them, in order of arrival.
"""

from collections.abc import Mapping
from dataclasses import replace as changed
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session

from games.api import MoveBlock, Sheet, say
from games.api import Seat as SeatNumber
from games.words import Verdict
from gm.app.context import App
from gm.commands.request import Incoming
from gm.game import deadlines, steps, word_judge
from gm.game.position import Position, position
from gm.lexicon.lexicon import Judge
from gm.messages import game_mails, gm_list, questions, view_changes
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import gm_name
from gm.messages.questions import About
from gm.messages.rendering.sentences import SENTENCES
from gm.messages.rendering.wording import Speaker
from gm.store.queries import game_queries, question_queries
from gm.store.tables import Game, Player, Question, Seat

REPLACED: Final = "replaced"


def hold(incoming: Incoming, game: Game, seat: Seat, block: MoveBlock, sheet: Sheet[Any]) -> None:
    """Put a move before the GM, or behind one that lies there; its sender and all others are told."""
    app, session = incoming.app, incoming.session
    words = ", ".join(sheet.doubtful)
    payload = {
        "text": words, "words": list(sheet.doubtful), "seat": seat.number,
        "lines": list(block.lines), "received": incoming.received.isoformat(),
        "offers": gm_list.rule_offers(game, sheet.doubtful) if sheet.doubtful else [],
    }  # fmt: skip
    about = About(mail=incoming.row, game=game, player=incoming.writer)
    question = questions.add(app, session, question_queries.HELD_MOVE, payload, about)
    incoming.applied = True
    if not sheet.doubtful:
        incoming.notice(say("HELD_BEHIND", gm=gm_name(app), game=game.name), applied=True)
        return
    incoming.notice(say("HELD", gm=gm_name(app), game=game.name, words=words), applied=True)
    part = gm_list.words_part(app, session, game, sheet.doubtful, held=True)
    incoming.for_gm.append(gm_list.Entry(question=question, part=part, game=game))
    context = {"mover": seat.number, "due": _due(app, session, game)}
    mail = GameMail(template="held", cause=f"question:{question.id}", context=context)
    game_mails.send_to_all(app, session, game, mail, but=incoming.writer)


def _due(app: App, session: Session, game: Game) -> list[int]:
    """List who owes a move: in a race also others than the one whose move waits."""
    at = position(app, session, game)
    return sorted(at.engine.due(at.state))


def replace(app: App, session: Session, game: Game, seat: int) -> None:
    """Forget what a seat has waiting: it sends something else."""
    for question in question_queries.held_moves(session, game):
        if question.payload["seat"] == seat:
            questions.close(app, session, question, REPLACED)


def resume(app: App, session: Session, game: Game) -> bool:
    """Go on with the moves that wait, as far as the rulings reach; False where the first still has to wait."""
    waiting = question_queries.held_moves(session, game)
    if not waiting or _still_doubtful(app, session, game, waiting[0]):
        return False
    if game.zat:  # it stood still
        deadlines.save_zat(session, game, game.zat + (app.now() - waiting[0].created_at))
    for question in waiting:
        if _still_doubtful(app, session, game, question):
            break
        questions.close(app, session, question, "ruled")
        _go_on(app, session, game, question)
    return True


def _still_doubtful(app: App, session: Session, game: Game, question: Question) -> bool:
    """Ask the rules once more: only they know which words count in this game."""
    return bool(question.payload["words"]) and bool(_read_again(app, session, game, question)[2].doubtful)


def _read_again(app: App, session: Session, game: Game, question: Question) -> tuple[Position, Judge, Sheet[Any]]:
    at, judge = position(app, session, game), word_judge.judge(app, session, game)
    block = MoveBlock(lines=tuple(question.payload["lines"]))
    return at, judge, at.engine.read(at.state, SeatNumber(question.payload["seat"]), block, judge)


def _go_on(app: App, session: Session, game: Game, question: Question) -> None:
    """Read a held move once more: it takes effect, or its sender is told and has time for another."""
    at, judge, sheet = _read_again(app, session, game, question)
    seat = SeatNumber(question.payload["seat"])
    rulings = _rulings(app, game, question, judge)
    if seat not in at.engine.due(at.state) or sheet.move is None:
        _tell_mover(app, session, game, question, _rejected(app, session, game, at, sheet, question))
        if rulings:
            _tell_others(app, session, game, question, rulings)
        earliest = app.now() + app.settings.nmr.standby_time
        if game.zat and game.zat < earliest:
            deadlines.save_zat(session, game, earliest)
        return
    speaker = Speaker(language="en" if game.language == "en" else "de", wording=SENTENCES, names={})
    said = "\n".join(speaker.say(view_changes.of_ruling(verdict, word)) for word, verdict in rulings.items())
    steps.act(app, session, game, at, steps.MoveAtOnce(seat=seat, move=sheet.move, judge=judge, foreword=said))


def _rulings(app: App, game: Game, question: Question, judge: Judge) -> dict[str, Verdict]:
    """Give the GM's word on the words of a held move; none where it only waited behind another."""
    profile = app.engine(game.engine).rules.profile
    return {word: judge.check(word, profile) for word in question.payload["words"]}


def _tell_others(app: App, session: Session, game: Game, question: Question, rulings: Mapping[str, Verdict]) -> None:
    """Tell all who wait that a move was refused, but not for which word: that was a secret of its writer."""
    hidden = (changed(one, note="") if word in one.note.upper() else one for word, one in rulings.items())
    said = view_changes.shortened([view_changes.of_ruling(one) for one in hidden])
    context = {"mover": question.payload["seat"], "rulings": said, "due": _due(app, session, game)}
    mover = session.get(Player, question.player_id)
    mail = GameMail(template="ruled", cause=f"question:{question.id}", context=context)
    game_mails.send_to_all(app, session, game, mail, but=mover)


def _rejected(
    app: App, session: Session, game: Game, at: Position, sheet: Sheet[Any], question: Question
) -> dict[str, Any]:  # fmt: skip
    seat = SeatNumber(question.payload["seat"])
    offer = game_mails.offered_block(app, session, game, at.engine, at.state, seat, sheet.offer)
    return {
        "sheet": sheet, "on_file": False, "remarks": (), "offer": offer,
        "received": datetime.fromisoformat(question.payload["received"]),
        "mailto": game_mails.mailto(app.settings.service.address, game.name, offer),
    }  # fmt: skip


def _tell_mover(app: App, session: Session, game: Game, question: Question, context: dict[str, Any]) -> None:
    """Tell the one who holds the seat now that the move was refused."""
    seat = question.payload["seat"]
    row = next((row for row in game_queries.seats(session, game) if row.number == seat), None)
    player = session.get(Player, row.player_id) if row else None
    if player is not None:
        mail = GameMail(template="rejection", cause=f"question:{question.id}", context=context, kind="ruled")
        game_mails.send(app, session, game, mail, player, seat)
