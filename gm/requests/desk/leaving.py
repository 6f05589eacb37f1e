"""A seat that becomes free: its player leaves, a standby takes it, or the game goes on without it."""

from collections.abc import Sequence

from sqlmodel import Session

from games.api import Seat as SeatNumber
from games.api import Text, say
from gm.app.context import App
from gm.game import seats, steps
from gm.game.position import position
from gm.game.schedule import closing
from gm.messages import game_mails, questions
from gm.messages.game_mails import GameMail
from gm.runtime.errors import EndsGame, Refused
from gm.store import game_file
from gm.store.queries import question_queries, seat_queries, turn_queries
from gm.store.tables import Game, Player, Seat


def give_up(app: App, session: Session, game: Game, seat: Seat) -> str:
    """Free a seat of an open or running game; returns the kind of entry that tells the GM."""
    if game.status == "open":
        session.delete(seat)
        game_file.touch(session, game, Game.seats)
        return "freed"
    leave(app, session, game, seat)
    return "resigned"


def leave(app: App, session: Session, game: Game, seat: Seat) -> None:
    """Free a seat of a running game; the others are told, the standby list is asked with this pass."""
    seat.until = app.now()
    game_file.touch(session, game)
    questions.close_readings(session, game, seat.number, app.now(), "left")
    leaver = session.get_one(Player, seat.player_id).name
    mail = GameMail(template="left", cause=f"left:{seat.id}:{app.now().isoformat()}", context={"leaver": leaver})
    game_mails.send_to_all(app, session, game, mail)


def take_off(app: App, session: Session, game: Game, seat: Seat) -> str:
    """Take a player off an open game: the seat is free again, and the player is told. Returns the name."""
    player = session.get_one(Player, seat.player_id)
    give_up(app, session, game, seat)
    cause = f"off:{game.id}:{player.id}:{app.now().isoformat()}"
    mail = GameMail(template="removed", cause=cause, context={"is_open": True, "is_over": False, "winners": ()})
    game_mails.send(app, session, game, mail, player)
    return player.name


def put_standby(app: App, session: Session, game: Game, seat: Seat, new: str | None, address: str) -> tuple[str, str]:
    """Put a standby into a seat, the one who is named or else the first on the list; returns who left and who came.

    Raises Refused.
    """
    if new is None:
        player = seats.first_standby(session, game)
    else:
        player = seats.standby_named(app, session, game, new, address)
    seats.take_over(app, session, game, seat, player)
    return session.get_one(Player, seat.player_id).name, player.name


def play_on_without(app: App, session: Session, game: Game, seat: Seat, *, is_sure: bool = True) -> list[str]:
    """Let a game go on without a seat that nobody takes; returns who has won if that has ended it.

    A player who only was silent is told.

    Raises Refused; EndsGame where that has ended the game, and the GM isn't sure: then all is to be rolled back.
    """
    left = session.get_one(Player, seat.player_id).name
    closing.check_closable(game)
    if seat.number in turn_queries.abandoned_seats(session, [game.id]).get(game.id, ()):
        raise Refused(say("leaving.goes_on_already", game=game.name))
    was_put_out = seat.until is None
    if was_put_out:
        seat.until = app.now()
        game_file.touch(session, game)
    steps.resign(app, session, game, SeatNumber(seat.number))
    if was_put_out:  # with this step, which tells it from who had left before
        seat.until = turn_queries.current_turn(game).at
        game_file.touch(session, game)
        player = session.get_one(Player, seat.player_id)
        context = {"is_open": False, "is_over": game.status != "running", "winners": _winners(app, game)}
        mail = GameMail(
            template="removed", cause=f"seat:{game.id}:{player.id}:{seat.until.isoformat()}", context=context
        )
        game_mails.send(app, session, game, mail, player)
    for question in question_queries.questions_about(game, "vacancy", "resigned", question_queries.ASKED_BACK):
        if question.player_id == seat.player_id:
            questions.close(app, session, question, "without")
    won = _winners(app, game)
    if game.status != "running" and not is_sure:
        raise _ends(game, left, won)
    return won


def _winners(app: App, game: Game) -> list[str]:
    """Name who has won; nobody as long as the game goes on."""
    outcome, names = position(app, game).outcome, seat_queries.names(game)
    return [names[seat] for seat in outcome.winners] if outcome else []


def _ends(game: Game, left: str, won: Sequence[str]) -> EndsGame:
    """Say how a game has ended without a seat."""
    if not won:
        return EndsGame(say("leaving.would_end_unwon", left=left, game=game.name))
    winners: str | Text = won[0]
    for other in won[1:]:
        winners = say("leaving.winners", one=winners, other=other)
    return EndsGame(say("leaving.would_end", left=left, game=game.name, winners=winners))
