"""A seat goes back to who has left it, as long as nobody else has moved for it; and the latest takeover is undone."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from games.api import Seat as SeatNumber
from games.api import say
from gm.app.context import App
from gm.game import moves_on_file, seats
from gm.game.people import lookup
from gm.game.position import is_released, position
from gm.game.schedule import closing
from gm.messages import game_mails, gm_list, questions
from gm.messages.game_mails import GameMail
from gm.messages.questions import About
from gm.runtime.errors import Refused
from gm.store import game_file
from gm.store.queries import question_queries, seat_queries, turn_queries
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Game, Player, Seat, Sheet, Turn

RETURNED = "returned"
"""The mail about it."""


def meant(session: Session, game: Game, out: str, new: str | None) -> Seat | None:
    """Find the seat that `gm standby NAME OUT IN` gives back to IN, who has left it: OUT is IN, or sits there since.

    None where IN never sat there, or sits there now. Raises Refused where a name may mean several.
    """
    rows = session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.since), col(Seat.id))).all()
    last = {row.player_id: row for row in rows if row.player_id not in {one.player_id for one in rows if not one.until}}
    gone = [player for player in _players(session, [*last.values()]) if player.name != NOBODY]
    wanted = lookup.meant(session, new, gone) if new else None
    left = last.get(wanted.id) if wanted else None
    if left is None:
        return None
    held = [row for row in rows if row.number == left.number]
    named = lookup.meant(session, out, _players(session, held))
    return left if named else None


def _players(session: Session, rows: Sequence[Seat]) -> list[Player]:
    return [session.get_one(Player, row.player_id) for row in rows]


def give_back(app: App, session: Session, game: Game, left: Seat) -> tuple[str, str]:
    """Give a seat back to the player who has left it, and tell all; returns who had it since, else the player, and who.

    It is as if the player had never left, if no step was made since. A step with which the game went on without the
    seat is taken back. Raises Refused, also where somebody else has moved for the seat.
    """
    player = session.get_one(Player, left.player_id)
    since = [row for row in seat_queries.rows_of_seat(game, left.number) if row.since >= _end(left)]
    since = [row for row in since if row.id != left.id]
    if mover := moved_since(session, game, left, since):
        raise Refused(say("giving_back.moved_since", mover=mover, game=game.name, player=player.name))
    _take_resignation_back(app, session, game, left)
    now, others = app.now(), [row.player_id for row in since if row.player_id != player.id]
    if _steps_since(session, game, left):
        for row in [one for one in since if one.until is None]:
            row.until = now
        session.flush()  # before somebody else sits there
        seats.add_seat(session, game, player, number=left.number, entry=(since or [left])[-1].entry, since=now)
    else:
        for row in since:
            session.delete(row)
        session.flush()
        left.until, left.intent = None, ""
        if watching := seat_queries.watcher(game, player.id):
            session.delete(watching)
    game_file.touch(session, game, Game.seats, Game.watchers)
    _settle(app, session, game, left, others)
    _tell(app, session, game, left, others)
    return (session.get_one(Player, others[-1]).name if others else player.name), player.name


def _end(left: Seat) -> datetime:
    assert left.until is not None, "the seat was left"
    return left.until


def moved_since(session: Session, game: Game, left: Seat, since: Sequence[Seat]) -> str:
    """Name who has moved for a seat since its player left it; "" for nobody."""
    players = [row.player_id for row in since if row.player_id != left.player_id]
    filed = select(Sheet.player_id).where(
        Sheet.game_id == game.id, Sheet.seat == left.number, col(Sheet.player_id).in_(players),
        Sheet.received_at >= _end(left), col(Sheet.withdrawn_at).is_(None),
    )  # fmt: skip
    movers = [player_id for player_id in session.exec(filed) if player_id]
    acted = select(Turn.input).where(
        Turn.game_id == game.id, Turn.kind == "act", Turn.at >= _end(left), col(Turn.undone_at).is_(None)
    )
    if players and any(int(given["seat"]) == left.number for given in session.exec(acted)):
        movers.append(players[-1])
    return session.get_one(Player, movers[-1]).name if movers else ""


def _take_resignation_back(app: App, session: Session, game: Game, left: Seat) -> None:
    """Take the step back with which the game went on without a seat; else the seat must still be in play."""
    if resigned := _resignation(session, game, left):
        last = closing.step_to_undo(session, game)
        if last.id == resigned.id:
            closing.undo_resignation(app, session, game, resigned)
            return
    at = position(app, game)
    if resigned and SeatNumber(left.number) not in at.engine.due(at.state):
        raise Refused(say("giving_back.gone_on", game=game.name))


def _resignation(session: Session, game: Game, left: Seat) -> Turn | None:
    """Find the step with which the game went on without a seat since its player left."""
    rows = select(Turn).where(
        Turn.game_id == game.id, Turn.kind == "resign", Turn.at >= _end(left), col(Turn.undone_at).is_(None)
    )
    found = [turn for turn in session.exec(rows.order_by(col(Turn.id))) if int(turn.input["seat"]) == left.number]
    return found[-1] if found else None


def _steps_since(session: Session, game: Game, left: Seat) -> bool:
    rows = select(Turn.id).where(Turn.game_id == game.id, Turn.at >= _end(left), col(Turn.undone_at).is_(None))
    return session.exec(rows).first() is not None


def _settle(app: App, session: Session, game: Game, left: Seat, others: Sequence[int]) -> None:
    """Take back what was asked about a seat, and what others have on file for its next turn."""
    now = app.now()
    questions.close_readings(session, game, left.number, now, "given back")
    for offer in question_queries.questions_about(game, seats.OFFER):
        if offer.payload["seat"] == left.number:
            seats.take_offer_back(app, session, game, offer, "back")
    for question in question_queries.questions_about(game, seats.VACANCY, "resigned", question_queries.ASKED_BACK):
        if question.player_id in (left.player_id, *others):
            questions.close(app, session, question, "given back")
    ahead = moves_on_file.advance_move(game, left.number)
    if ahead and ahead.player_id in others:
        moves_on_file.end_advance_move(session, game, left.number, now, "withdrawn")


def _tell(app: App, session: Session, game: Game, left: Seat, others: Sequence[int]) -> None:
    """Show the player the position, and tell all others, who had the seat meanwhile among them."""
    player, at, now = session.get_one(Player, left.player_id), position(app, game), app.now()
    present = seat_queries.seat_row(game, player.id)
    assert present is not None, "the player sits there again"
    is_shown = is_released(at.turn)  # else the bulletin that waits will show the position
    if is_shown:
        seats.give_time(app, session, game, at, present, player)
        seats.welcome(app, session, game, at, player, left.number, "")
    context = {"player": player.name, "before": "", "is_free": False}
    mail = GameMail(template=RETURNED, cause=f"returned:{left.id}:{now.isoformat()}", context=context)
    also = [session.get_one(Player, one) for one in dict.fromkeys(others)]
    but = player if is_shown else None
    game_mails.send_to_all(app, session, game, mail, but=but, also=[one for one in also if one.id != player.id])


# -- the latest takeover -----------------------------------------------------------------------------------------------


def latest_takeover(session: Session, game: Game) -> Seat | None:
    """Find the latest takeover since the last step, if who came hasn't moved yet, and who sat there isn't forgotten."""
    if game.status != "running" or game.turn is None:
        return None
    last = turn_queries.current_turn(game).at
    for row in sorted(seat_queries.seats(game), key=lambda row: (row.since, row.id), reverse=True):
        before = _predecessor(session, game, row)
        if before and row.since >= last and not moved_since(session, game, before, [row]):
            return row
    return None


def _predecessor(session: Session, game: Game, row: Seat) -> Seat | None:
    rows = seat_queries.rows_of_seat(game, row.number)
    at = [one.id for one in rows].index(row.id)
    before = rows[at - 1] if at and rows[at - 1].player_id != row.player_id else None
    return before if before and session.get_one(Player, before.player_id).name != NOBODY else None


def undo_takeover(app: App, session: Session, game: Game, row: Seat) -> tuple[str, str]:
    """Take a takeover back: who sat there until then sits again, else the seat is free again.

    Returns who came and who sits again, "" for nobody. Raises Refused.
    """
    before, came = _predecessor(session, game, row), session.get_one(Player, row.player_id)
    assert before is not None, "somebody has left"
    if before.until == row.since:  # was replaced, and hadn't left
        return give_back(app, session, game, before)
    session.delete(row)
    game_file.touch(session, game, Game.seats)
    _settle(app, session, game, before, [row.player_id])
    leave_free(app, session, game, before, came)
    return came.name, ""


def leave_free(app: App, session: Session, game: Game, left: Seat, came: Player | None = None) -> None:
    """Tell all, and who came, that a seat is free again; it waits on the GM's list, unless the game goes on without."""
    player = session.get_one(Player, left.player_id)
    goes_on = left.number in turn_queries.abandoned_seats(session, [game.id]).get(game.id, ())
    if not goes_on:
        gm_list.add_unmailed(app, session, "resigned", "", About(game=game, player=player))
    context = {"player": player.name, "before": came.name if came else "", "is_free": True, "goes_on": goes_on}
    cause = f"returned:{left.id}:{app.now().isoformat()}"
    mail = GameMail(template=RETURNED, cause=cause, context=context)
    game_mails.send_to_all(app, session, game, mail, also=[came] if came else ())


def undo_resignation(app: App, session: Session, game: Game, turn: Turn) -> tuple[str, str]:
    """Take it back that a game goes on without a seat: who was put out by it sits again, else the seat is free again.

    Returns whose seat it is, and who sits again, "" for nobody. Raises Refused.
    """
    left = seat_queries.rows_of_seat(game, int(turn.input["seat"]))[-1]
    if left.until == turn.at and session.get_one(Player, left.player_id).name != NOBODY:
        return give_back(app, session, game, left)
    closing.undo_resignation(app, session, game, turn)
    leave_free(app, session, game, left)
    return session.get_one(Player, left.player_id).name, ""
