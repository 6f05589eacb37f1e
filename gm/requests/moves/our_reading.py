"""Our reading of a block that we couldn't take: a `Ja` files exactly the block that the refusal offers.

Each reading is a question to the seat's player, found by the mail that shows it; no subject has its code. A seat has at
most one open: the latest. Any later move, a withdrawal and the end of the round close it. A `Ja` passes the same check
of its sender as a block.
"""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from games.api import Seat as SeatNumber
from gm.game.position import Position
from gm.messages import questions
from gm.requests.request import Request
from gm.store.queries import question_queries
from gm.store.tables import Game, MailOut, Player, Question, Seat
from parsers import commands
from parsers.invisible import fold_name


def in_mail_replied_to(request: Request) -> Sequence[Question]:
    """List the readings that the mail replied to has shown to one of these players, open or not.

    None where that mail asks something else as well: nobody knows then what is meant.
    """
    session, players = request.session, request.players
    causes = questions.causes_of(session, questions.replied_to(request.mail), players)
    if not causes:
        return ()
    rows = select(Question).where(
        Question.kind == question_queries.READING, col(Question.player_id).in_([player.id for player in players])
    )
    shown = [one for one in session.exec(rows.order_by(col(Question.id))) if one.payload["cause"] in causes]
    others = questions.asked_by_mail_replied_to(request.app, session, request.mail, players)
    return () if any(one.kind != question_queries.READING for one in others) else shown


def was_seen(request: Request, reading: Question) -> bool:
    """Whether the mail with a reading had gone out when this mail came: what nobody has seen, nobody answers."""
    rows = select(MailOut.sent_at).where(
        MailOut.cause == reading.payload["cause"], MailOut.player_id == reading.player_id
    )
    sent = [at for at in request.session.exec(rows) if at is not None]
    return any(at.replace(microsecond=0) <= request.received for at in sent)


def game_of_answer(request: Request) -> Game | None:
    """Find the game in which a `Ja` files a move."""
    said = [one.command for one in request.reading.commands]
    if request.reading.code or not any(isinstance(one, commands.Yes) for one in said):
        return None
    session = request.session
    readings = in_mail_replied_to(request) or questions.open_readings(session, request.players)
    return session.get(Game, readings[0].game_id) if readings else None


def is_overtaken(request: Request, game: Game) -> bool:
    """Whether the mail itself brings a block for the game: that is the later move."""
    orders = (one.command for one in request.reading.commands if isinstance(one.command, commands.Orders))
    return any(fold_name(one.game) in ("", game.name_key) for one in orders)


def is_over(reading: Question, game: Game, at: Position, seat: Seat) -> bool:
    """Whether a reading belongs to another position, or another seat, than the present one."""
    shown = reading.payload
    present = (seat.number, game.round, at.engine.stand(at.state, SeatNumber(seat.number)))
    return (shown["seat"], shown["round"], shown["stand"]) != present


def why_over(session: Session, reading: Question) -> str:
    """Name the sentence that says why a reading can't be taken any more."""
    if reading.answer in ("yes", "no"):
        return "READING_ANSWERED"
    asked = question_queries.questions_to(session, reading.player_id or 0, question_queries.READING)
    is_newer = any(one.answered_at is None and one.game_id == reading.game_id and one.id > reading.id for one in asked)
    return "READING_REPLACED" if is_newer else "READING_LAPSED"


def player_of(session: Session, reading: Question) -> Player:
    """Return the player who was shown a reading."""
    return session.get_one(Player, reading.player_id)
