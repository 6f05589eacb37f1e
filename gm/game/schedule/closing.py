"""What the GM does about closings: close a round now, release bulletins, take a step back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, or_, select, update

from games.api import Seat as SeatNumber
from games.api import say
from gm.app.context import App
from gm.game import moves_on_file, seats, steps
from gm.game.announcements import bulletins, digest_steps, unreleased
from gm.game.announcements.announced_step import MadeStep
from gm.game.deadlines import save_zat
from gm.game.position import is_released, position
from gm.game.upgrades import new_rules
from gm.messages import game_mails, gm_list, questions
from gm.messages.game_mails import GameMail
from gm.messages.questions import About
from gm.runtime.errors import OperatorError, Refused
from gm.store import game_file
from gm.store.json_values import decode
from gm.store.queries import question_queries, seat_queries, turn_queries
from gm.store.tables import Game, MailOut, Press, Sheet, Turn

UNDONE: Final = OperatorError(say("closing.undone"))
"""Why a game is held."""


def check_closable(game: Game) -> None:
    """Check that nothing waits for the GM's word first. Raises Refused."""
    if waiting := question_queries.held_moves(game):
        words = " ".join(waiting[0].payload["words"])
        if not words:
            raise new_rules.changed(game)
        raise Refused(say("closing.move_waits", game=game.name, words=words))
    if not is_released(turn_queries.current_turn(game)):
        raise Refused(say("closing.bulletin_waits", game=game.name))


def close(app: App, session: Session, game: Game, instant: datetime, seen: int | None) -> None:
    """Close the round that was open at `instant`, when the game stood at turn `seen`.

    Raises Refused, also if that round was closed in the meantime: the next one mustn't be closed by mistake.
    """
    if game.turn != seen or turn_queries.current_turn(game).at > instant:
        raise Refused(say("closing.just_closed", game=game.name, round=game.round))
    check_closable(game)
    new_rules.check(app, game)
    game.held = ""
    if not steps.go_on(app, session, game):  # after an undo an advance move may lie there: then it is the seat's move
        steps.close(app, session, game, instant)
    questions.close_about(app, session, game, *gm_list.OF_A_ROUND, answer="done")


def release(app: App, session: Session, game: Game, foreword: str) -> None:
    """Queue the bulletins that waited, with a foreword; the clock of the next round starts now. Raises Refused."""
    turn = turn_queries.current_turn(game) if game.turn is not None else None
    if turn is None or is_released(turn):
        raise Refused(say("closing.no_bulletin", game=game.name))
    gm_list.check_length("foreword", foreword)
    turn.foreword = foreword.strip("\n")
    game_file.touch(session, game)
    steps.set_clock(app, session, game, position(app, game).state)
    turn.zat = game.zat
    bulletins.announce(app, session, game, [MadeStep(turn=turn)])
    questions.close_about(app, session, game, unreleased.KIND, answer="released")


@dataclass(frozen=True, kw_only=True)
class _TakenBack:
    """What became of a step that was taken back."""

    before: Turn
    """The step at which the game stands again."""
    was_sent: bool
    """Whether any player knew of it."""
    given_back: Mapping[int, Sequence[Sequence[str]]]
    """The advance moves that lie there again, by seat."""
    forgotten: Collection[int]
    """The seats whose advance moves count no more."""


def undo(app: App, session: Session, game: Game) -> Turn:
    """Take the last step back and hold the game until the GM says when it goes on. Raises Refused.

    Moves of the reopened round stay on file; dice, seats and rulings stay as well. Moves for the position taken back
    are withdrawn. An advance move that was played lies there again, until the game goes on. The next closing is the
    next version of the step. The players are told, unless the step was never released: then they don't know of it.
    """
    turn = step_to_undo(session, game)
    taken = _take_back(app, session, game, turn)
    game.zat, game.paused_until, game.reopened, game.held = taken.before.zat, None, True, str(UNDONE)
    for seat in seat_queries.seats(game):
        seat.intent = ""
    game_file.touch(session, game)
    questions.close_about(app, session, game, "held", "outage", answer="undone")
    gm_list.add_unmailed(app, session, "held", UNDONE, About(game=game))
    if is_released(turn):
        context = {
            "undone": turn.kind, "closed": taken.before.round, "was_sent": taken.was_sent,
            "given_back": taken.given_back, "forgotten": taken.forgotten,
        }  # fmt: skip
        watching = seat_queries.watchers(game) if taken.was_sent else ()
        mail = GameMail(template="undone", cause=f"undo:{turn.id}", context=context)
        game_mails.send_to_all(app, session, game, mail, also=watching)
        open_for_newcomers(app, session, game, f"undo:{turn.id}")
    else:
        _welcome_newcomers(app, session, game, turn)
    return turn


def undo_resignation(app: App, session: Session, game: Game, turn: Turn) -> None:
    """Take it back that a game goes on without a seat. The clock goes on, and what others have sent since counts.

    Nobody is told. Raises Refused.
    """
    at = position(app, game)
    before = turn_queries.turn_before(session, turn)
    assert before is not None, "only a game that has begun goes on without a seat"
    asked = at.engine.due(decode(at.engine.state_type, before.state))
    others_came_on = bool(at.engine.due(at.state) - asked) or turn.round != before.round
    zat = before.zat if others_came_on else game.zat
    _take_back(app, session, game, turn)
    if zat and not game.held:
        save_zat(app, session, game, zat)


def _take_back(app: App, session: Session, game: Game, turn: Turn) -> _TakenBack:
    """Let a game stand at the step before one again. Raises Refused."""
    before = turn_queries.turn_before(session, turn)
    if before is None:
        raise Refused(say("closing.just_begun", game=game.name))
    now = app.now()
    undone = [one for one in turn_queries.turns(session, game) if one.number >= turn.number and one.undone_at is None]
    for version in undone:
        version.undone_at = now
        session.add(version)
        session.exec(update(Press).where(col(Press.turn_id) == version.id).values(turn_id=None))
    given_back = moves_on_file.give_advance_moves_back(session, game, undone, now)
    # The bulletin of an advance move tells of the steps before it as well, which stay.
    was_sent_ahead = turn.kind == "act" and turn.input["seat"] in given_back
    digest_steps.forget(session, [version.id for version in undone])
    was_sent = was_sent_ahead or _recall_mails(session, undone)
    if turn.kind != "resign" or turn.round != before.round:
        _forget_later_moves(session, game, turn, before, now)
    game.turn, game.version, game.round, game.status = before.number, before.version, before.round, "running"
    game_file.touch(session, game, Game.step, Game.sheets)
    forgotten = _forget_moves_for_later(app, session, game, given_back) if turn.kind != "resign" else ()
    _forget_later_positions(app, session, game)
    kinds = ("words", "release", question_queries.HELD_MOVE, question_queries.READING)
    questions.close_about(app, session, game, *kinds, answer="undone")
    return _TakenBack(before=before, was_sent=was_sent, given_back=given_back, forgotten=forgotten)


def step_to_undo(session: Session, game: Game) -> Turn:
    """Find the last step that isn't a mere ruling. Raises Refused where nothing can be taken back."""
    if game.turn is None or game.status not in ("running", "provisional", "finished"):
        raise Refused(say("closing.nothing_to_undo", game=game.name, status=game.status))
    turn = turn_queries.current_turn(game)
    if game.status == "finished" and is_released(turn):
        raise Refused(say("closing.finished", game=game.name))
    while turn.kind == "rule" and not turn.input:  # rulings stay: what is taken back is the step before them
        before = turn_queries.turn_before(session, turn)
        assert before is not None, "a ruling has a step before it"
        turn = before
    return turn


def _recall_mails(session: Session, undone: Sequence[Turn]) -> bool:
    """Drop the bulletins that haven't gone out yet; returns whether any has, or a digest has told of a step."""
    causes = [f"turn:{version.id}" for version in undone]
    told = select(MailOut).where(col(MailOut.cause).in_(causes), col(MailOut.player_id).is_not(None))
    mails = session.exec(told).all()
    for mail in mails:
        if mail.status == "queued" and not mail.sending:
            mail.status, mail.opens_round, mail.error = "dropped", None, "taken back before it went out"
            session.add(mail)
    return any(mail.status != "dropped" for mail in mails) or bool(digest_steps.told(session, undone))


def _forget_later_moves(session: Session, game: Game, turn: Turn, before: Turn, now: datetime) -> None:
    """Withdraw the moves that were sent for the position taken back."""
    later = or_(col(Sheet.round) == turn.round, col(Sheet.received_at) > turn.at)
    same = col(Sheet.received_at) > turn.at
    rows = update(Sheet).where(
        col(Sheet.game_id) == game.id, col(Sheet.withdrawn_at).is_(None), same if turn.round == before.round else later
    )
    session.exec(rows.values(withdrawn_at=now))
    game_file.touch(session, game, Game.sheets)


def _forget_moves_for_later(app: App, session: Session, game: Game, given_back: Collection[int]) -> set[int]:
    """Withdraw the advance moves of the seats that are on turn again: they were for a turn after this one."""
    at = position(app, game)
    due = at.engine.due(at.state) if at.engine.rules.in_turns else ()
    return {
        seat for seat in due
        if seat not in given_back and moves_on_file.end_advance_move(session, game, seat, app.now(), "withdrawn")
    }  # fmt: skip


def _forget_later_positions(app: App, session: Session, game: Game) -> None:
    """Forget who was shown the positions taken back: the next ones with these numbers may be others."""
    at = position(app, game)
    for seat in seat_queries.seats(game):
        stand = at.engine.stand(at.state, SeatNumber(seat.number))
        rows = update(MailOut).where(
            col(MailOut.game_id) == game.id, col(MailOut.player_id) == seat.player_id, col(MailOut.opens_round) > stand
        )
        session.exec(rows.values(opens_round=None))


def open_for_newcomers(app: App, session: Session, game: Game, cause: str) -> None:
    """Note that players who came after the closing are shown the reopened round by the mail about it.

    They never saw that round open before, so they have no other mail that shows it.
    """
    at = position(app, game)
    for seat in seat_queries.seats(game):
        stand = at.engine.stand(at.state, SeatNumber(seat.number))
        shown = select(MailOut.id).where(
            MailOut.game_id == game.id, MailOut.player_id == seat.player_id, MailOut.opens_round == stand
        )
        if session.exec(shown).first() is None:
            rows = update(MailOut).where(col(MailOut.cause) == cause, col(MailOut.player_id) == seat.player_id)
            session.exec(rows.values(opens_round=stand))


def _welcome_newcomers(app: App, session: Session, game: Game, turn: Turn) -> None:
    """Show the reopened position to players who took a seat while the bulletin waited.

    The bulletin would have shown them the next one.
    """
    at, history = position(app, game), seat_queries.seat_history(game)
    came = {seat.number for seat in seat_queries.seats(game) if seat.since >= turn.at and history[seat.number][1:]}
    for player, number in game_mails.seated(session, game):
        if number in came:
            seats.welcome(app, session, game, at, player, number, history[number][-2])
