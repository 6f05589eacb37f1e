"""What the GM does about the closing of rounds: now, on trial, released, taken back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, func, or_, select, update

from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import seats, steps
from gm.game.announcements import unreleased
from gm.game.position import is_released, position
from gm.messages import game_mails, questions
from gm.runtime.errors import Refused
from gm.store import query_cache
from gm.store.queries import question_queries, seat_queries, turn_queries
from gm.store.tables import Game, MailOut, Press, Sheet, Turn

UNDONE: Final = "the last closing is taken back; gm zat or gm close says when it goes on"


def check_closable(session: Session, game: Game) -> None:
    """Make sure that nothing the GM has to say first stands in the way. Raises Refused."""
    if waiting := question_queries.held_moves(session, game):
        words = " ".join(waiting[0].payload["words"])
        raise Refused(f"A move in {game.name} waits for your word: gm rule {game.name} accept|reject {words}")
    if not is_released(turn_queries.current_turn(session, game)):
        raise Refused(f"The last bulletin of {game.name} waits for you: gm release {game.name}.")


def close(app: App, session: Session, game: Game, instant: datetime, seen: int | None) -> None:
    """Close the round that was open at `instant`, when the game stood at turn `seen`.

    Raises Refused, also where that round was closed in the meantime: nobody wants the next one closed as well.
    """
    if game.turn != seen or turn_queries.current_turn(session, game).at > instant:
        raise Refused(
            f"{game.name} has just been closed; round {game.round} stays open. Look first: gm show {game.name}."
        )
    check_closable(session, game)
    steps.close(app, session, game, instant)
    settle_clock(app, session, game)


def settle_clock(app: App, session: Session, game: Game) -> None:
    """What the GM was asked because the game stood still, or for more time, is settled: he has said when."""
    for question in question_queries.questions_about(session, game, *questions.OF_A_ROUND):
        questions.settle(app, session, question, "done")


def rehearse(app: App, session: Session, game: Game) -> Sequence[tuple[str, str, bytes]]:
    """Close the round, and release it, to see what would go out; the caller takes it all back. Raises Refused."""
    check_closable(session, game)
    last = session.exec(select(func.max(MailOut.id))).one() or 0
    turn = steps.close(app, session, game, app.now())
    if not is_released(turn):
        release(app, session, game, "")
    rows = session.exec(
        select(MailOut).where(col(MailOut.id) > last, MailOut.status == "queued").order_by(col(MailOut.id))
    )
    return [(row.address, row.subject, row.raw or b"") for row in rows]


def release(app: App, session: Session, game: Game, foreword: str) -> None:
    """Queue the bulletins that waited, with a foreword; the clock of the next round starts now. Raises Refused."""
    turn = turn_queries.current_turn(session, game) if game.turn is not None else None
    if turn is None or is_released(turn):
        raise Refused(f"No bulletin of {game.name} waits for you.")
    questions.check_length("foreword", foreword)
    turn.foreword = foreword.strip("\n")
    at = position(app, session, game)
    steps.wind_up(app, session, game, at.engine, turn, at.state)
    steps.release(app, session, game, turn)
    for question in question_queries.questions_about(session, game, unreleased.KIND):
        questions.settle(app, session, question, "released")


def undo(app: App, session: Session, game: Game) -> Turn:
    """Take the last step back and hold the game until the GM says when it goes on. Raises Refused.

    Moves of the reopened round stay on file, dice, seats and rulings as well; what was sent for the position that is
    no more doesn't count. The next closing is the next version of the step. The players are told, unless the step was
    never released: then they know of nothing.
    """
    turn = _to_undo(session, game)
    before = turn_queries.turn_before(session, turn)
    if before is None:
        raise Refused(f"{game.name} has just begun; there is no closing to take back.")
    now = app.now()
    undone = [one for one in turn_queries.turns(session, game) if one.number == turn.number and one.undone_at is None]
    for version in undone:
        version.undone_at = now
        session.add(version)
        session.exec(update(Press).where(col(Press.turn_id) == version.id).values(turn_id=None))
    was_sent = _recall_mails(session, [f"turn:{version.id}" for version in undone])
    _forget_later_moves(session, game, turn, before, now)
    game.turn, game.version, game.round = before.number, before.version, before.round
    game.status, game.zat, game.paused_until, game.reopened = "running", before.zat, None, True
    game.held = UNDONE
    for seat in seat_queries.seats(session, game):
        seat.intent = ""
        session.add(seat)
    session.add(game)
    session.flush()
    _forget_later_positions(app, session, game)
    for question in question_queries.questions_about(session, game, "words", "release", question_queries.HELD_MOVE):
        questions.settle(app, session, question, "undone")
    if is_released(turn):
        context = {"undone": turn.kind, "closed": before.round, "was_sent": was_sent}
        watching = seat_queries.watchers(session, game) if was_sent else ()
        game_mails.tell_all(app, session, game, "undone", f"undo:{turn.id}", context, also=watching)
        _open_for_newcomers(app, session, game, f"undo:{turn.id}")
    else:
        _welcome_newcomers(app, session, game, turn)
    return turn


def _to_undo(session: Session, game: Game) -> Turn:
    if game.turn is None or game.status not in ("running", "provisional", "finished"):
        raise Refused(f"{game.name} is {game.status}; there is no closing to take back.")
    turn = turn_queries.current_turn(session, game)
    if game.status == "finished" and is_released(turn):
        raise Refused(f"{game.name} is finished and its seed published; nothing can be taken back any more.")
    return turn


def _recall_mails(session: Session, causes: Sequence[str]) -> bool:
    """Take bulletins that haven't gone out yet from the queue; says whether any has."""
    told = select(MailOut).where(col(MailOut.cause).in_(causes), col(MailOut.player_id).is_not(None))
    mails = session.exec(told).all()
    for mail in mails:
        if mail.status == "queued" and mail.lease_until is None:
            mail.status, mail.opens_round, mail.error = "dropped", None, "taken back before it went out"
            session.add(mail)
    session.flush()
    return any(mail.status != "dropped" for mail in mails)


def _forget_later_moves(session: Session, game: Game, turn: Turn, before: Turn, now: datetime) -> None:
    """Withdraw what was sent for the position that is taken back."""
    later = or_(col(Sheet.round) == turn.round, col(Sheet.received_at) > turn.at)
    same = col(Sheet.received_at) > turn.at
    rows = update(Sheet).where(
        col(Sheet.game_id) == game.id, col(Sheet.withdrawn_at).is_(None), same if turn.round == before.round else later
    )
    session.exec(rows.values(withdrawn_at=now))


def _forget_later_positions(app: App, session: Session, game: Game) -> None:
    """Nobody has seen, any more, a position that is taken back: when it comes again it may be another one."""
    at = position(app, session, game)
    for seat in seat_queries.seats(session, game):
        stand = at.engine.stand(at.state, SeatNumber(seat.number))
        rows = update(MailOut).where(
            col(MailOut.game_id) == game.id, col(MailOut.player_id) == seat.player_id, col(MailOut.opens_round) > stand
        )
        session.exec(rows.values(opens_round=None))
    session.flush()
    query_cache.forget_all(session)


def _open_for_newcomers(app: App, session: Session, game: Game, cause: str) -> None:
    """Who took a seat after the round was closed never saw it open: the mail that says that it is again will do."""
    at = position(app, session, game)
    for seat in seat_queries.seats(session, game):
        stand = at.engine.stand(at.state, SeatNumber(seat.number))
        shown = select(MailOut.id).where(
            MailOut.game_id == game.id, MailOut.player_id == seat.player_id, MailOut.opens_round == stand
        )
        if session.exec(shown).first() is None:
            rows = update(MailOut).where(col(MailOut.cause) == cause, col(MailOut.player_id) == seat.player_id)
            session.exec(rows.values(opens_round=stand))
    query_cache.forget_all(session)


def _welcome_newcomers(app: App, session: Session, game: Game, turn: Turn) -> None:
    """Who took a seat while the bulletin waited was to see the position with it: they are shown the one before now."""
    at, history = position(app, session, game), seat_queries.seat_history(session, game)
    came = {
        seat.number for seat in seat_queries.seats(session, game) if seat.since >= turn.at and history[seat.number][1:]
    }
    for player, number in game_mails.seated(session, game):
        if number in came:
            seats.welcome(app, session, game, at, player, number, history[number][-2])
