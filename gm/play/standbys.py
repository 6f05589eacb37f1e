"""Seats whose player is gone or silent: the standby list is asked in order until somebody takes over.

Nothing is scheduled. Each pass looks which seats need somebody now and whom to ask next; so a crash, a late answer
or the return of the silent one change nothing but the next look.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from sqlmodel import Session, col, func, select

from games.api import say
from gm.app import App
from gm.errors import OperatorError, PlayerError
from gm.play import questions, seats, turns
from gm.publish import bulletins
from gm.publish.post import Occasion, Part, post, recipient
from gm.store import queries, records
from gm.store.tables import Duty, Game, Player, Question, Seat, Turn

OFFER: Final = "seat"
"""The kind of question that offers a seat; `payload`: seat, and who leaves it."""
VACANCY: Final = "vacancy"
"""The kind of question to the GM when nobody on the list takes a seat."""


def seek(app: App) -> None:
    """Ask the next standby for each seat that needs one; take offers back that are needed no more."""
    with app.database.read() as session:
        wanted = _games_to_look_at(session)
    for game_id in wanted:
        with app.database.write() as session:
            game = session.get_one(Game, game_id)
            try:
                _look_after(app, session, game)
            except OperatorError:  # its rules can't be had here: it is held when its time comes
                continue


def _games_to_look_at(session: Session) -> list[int]:
    """Find running games with an offer open, a move missed, or an empty seat: a cheap look, often none."""
    running = select(Game.id).where(Game.status == "running")
    offered = select(Question.game_id).where(Question.kind == OFFER, col(Question.answered_at).is_(None))
    missed = select(Duty.game_id).join(Turn).where(col(Duty.kept).is_(False), col(Turn.undone_at).is_(None))
    empty = select(Seat.game_id).group_by(col(Seat.game_id), col(Seat.number))
    empty = empty.having(func.count(col(Seat.until)) == func.count(col(Seat.id)))
    rows = running.where(col(Game.id).in_(offered) | col(Game.id).in_(missed) | col(Game.id).in_(empty))
    return list(session.exec(rows))


def _look_after(app: App, session: Session, game: Game) -> None:
    needing = {seat.number: seat for seat in _needing(app, session, game)}
    for offer in queries.questions_about(session, game, OFFER):
        leaving = needing.get(offer.payload["seat"])
        if leaving is None or leaving.player_id != offer.payload["out"]:
            _take_back(app, session, game, offer)
    if game.held or not turns.is_released(queries.current_turn(session, game)):
        return
    for leaving in needing.values():
        _ask_next(app, session, game, leaving)


def _needing(app: App, session: Session, game: Game) -> Iterator[Seat]:
    """Go through the seats that nobody holds, and those whose player has been silent for too long and still is."""
    most = app.settings.nmr.standby_after
    found = records.records(session, game)
    on_file = queries.sheets_on_file(session, game)
    for seat in queries.holders(session, game):
        silent = seat.number in found and found[seat.number].in_a_row >= most > 0
        if seat.until is not None or (silent and seat.number not in on_file):
            yield seat


def _ask_next(app: App, session: Session, game: Game, leaving: Seat) -> None:
    offers = [one for one in _offers(session, game) if _is_about(one, leaving)]
    now = app.now()
    if any(one.answered_at is None and one.payload["until"] > now.isoformat() for one in offers):
        return
    asked = {one.player_id for one in offers}
    candidates = [player for _, player in queries.standby_list(session, game.engine)]
    free = (one for one in candidates if one.id not in asked and not queries.sat_before(session, game, one.id))
    standby = next(free, None)
    if standby is not None:
        _offer(app, session, game, leaving, standby)
    elif not any(one.answered_at is None for one in offers):
        _tell_gm(app, session, game, leaving)


def _offers(session: Session, game: Game) -> Sequence[Question]:
    rows = select(Question).where(Question.game_id == game.id, Question.kind == OFFER)
    return session.exec(rows.order_by(col(Question.id))).all()


def _is_about(offer: Question, leaving: Seat) -> bool:
    return (offer.payload["seat"], offer.payload["out"]) == (leaving.number, leaving.player_id)


def _offer(app: App, session: Session, game: Game, leaving: Seat, standby: Player) -> None:
    """Offer a seat. After the time limit the next one is asked as well; the first `Ja` wins."""
    out = session.get_one(Player, leaving.player_id)
    until = app.now() + app.settings.nmr.standby_answer
    engine = app.engine(game.engine)
    payload = {"seat": leaving.number, "out": out.id, "until": until.isoformat(), "text": out.name}
    context = {
        "before": out.name,
        "limit": until,
        "at_least": app.settings.nmr.standby_time,
        "title": engine.rules.title,
    }
    questions.ask_player(app, session, OFFER, standby, payload, game=game, context=context)


def _tell_gm(app: App, session: Session, game: Game, leaving: Seat) -> None:
    """Nobody (more) on the list: the GM looks for somebody, or lets the others go on without."""
    out = session.get_one(Player, leaving.player_id)
    known = select(Question).where(Question.game_id == game.id, Question.kind == VACANCY, Question.player_id == out.id)
    if session.exec(known).first() is None:
        offers = [("standby", game.name, out.name, "NAME", "ADDRESS"), ("standby", game.name, out.name, "--none")]
        questions.tell_gm(app, session, VACANCY, game=game, player=out, text=out.name, offers=offers)


def take_seat(app: App, session: Session, question: Question, standby: Player) -> Game:
    """Seat who has said yes. Raises PlayerError where somebody else was first, Refused where the game is over."""
    game = session.get_one(Game, question.game_id)
    leaving = next(seat for seat in queries.holders(session, game) if seat.number == question.payload["seat"])
    if game.status != "running" or leaving.player_id != question.payload["out"]:
        raise PlayerError(say("SEAT_TAKEN", game=game.name))
    put(app, session, game, leaving, standby)
    return game


def put(app: App, session: Session, game: Game, leaving: Seat, standby: Player) -> None:
    """Let a standby take a seat; whoever else was asked is told. Raises Refused."""
    number = leaving.number
    seats.replace(app, session, game, leaving, standby)
    for offer in queries.questions_about(session, game, OFFER):
        if offer.payload["seat"] == number:
            _take_back(app, session, game, offer, but=standby)
    for question in queries.questions_about(session, game, VACANCY, "resigned"):
        if question.player_id == leaving.player_id:
            questions.settle(app, session, question, "taken over")


def _take_back(app: App, session: Session, game: Game, offer: Question, but: Player | None = None) -> None:
    """An offer holds no more: somebody else has the seat, or the silent one has moved."""
    questions.settle(app, session, offer, "idle")
    player = session.get(Player, offer.player_id) if offer.player_id else None
    if player is None or (but and but.id == player.id):
        return
    to = recipient(app, session, player, game)
    engine = app.engine(game.engine)
    context = {**bulletins.frame_context(app, game, engine, to.language), "taken": but is not None}
    part = Part(template="not_needed", context=context, engine=engine)
    post(app, session, Occasion(cause=f"question:{offer.id}", kind="not_needed", game=game), to, [part])
