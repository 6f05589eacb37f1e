"""Seats whose player is gone or silent: the standby list is asked in order until somebody takes over.

Nothing is scheduled. Each pass looks which seats need somebody now and whom to ask next; so a crash, a late answer
or the return of the silent one change nothing but the next look.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select
from sqlmodel import Session, case, col, func, select

from games.api import say
from gm.app import App
from gm.errors import OperatorError, PlayerError, Refused
from gm.play import questions, seats, turns
from gm.publish import bulletins
from gm.publish.post import Occasion, Part, post, recipient
from gm.store import queries, records
from gm.store.tables import Duty, Game, Player, Question, Seat, Turn

OFFER: Final = "seat"
"""The kind of question that offers a seat; `payload`: seat, who leaves it, and until when nobody else is asked."""
VACANCY: Final = "vacancy"
"""The kind of question to the GM when nobody on the list takes a seat."""


def seek(app: App) -> None:
    """Ask the next standby for each seat that needs one; take offers back that are needed no more."""
    with app.database.read() as session:
        games = _games_to_look_at(app, session)
        queries.visit(session, [game for game in games if game.turn is not None])
        wanted = [game.id for game in games if _plan(app, session, game).is_due]
    for game_id in wanted:
        with app.database.write() as session:
            game = session.get_one(Game, game_id)
            try:
                _carry_out(app, session, game, _plan(app, session, game))
            except OperatorError:  # its rules can't be had here: it is held when its time comes
                continue


def _games_to_look_at(app: App, session: Session) -> Sequence[Game]:
    """Find games with an offer open, and running ones with an empty or a silent seat: one look, often at nothing."""
    offered = select(Question.game_id).where(Question.kind == OFFER, col(Question.answered_at).is_(None))
    empty = select(Seat.game_id).group_by(col(Seat.game_id), col(Seat.number))
    empty = empty.having(func.count(col(Seat.until)) == func.count(col(Seat.id)))
    needing = col(Game.id).in_(empty) | col(Game.id).in_(_silent(app.settings.nmr.standby_after))
    rows = select(Game).where(col(Game.id).in_(offered) | ((col(Game.status) == "running") & needing))
    return session.exec(rows.order_by(col(Game.id))).all()


def _silent(most: int) -> Select[Any]:
    """Find games in which somebody missed the last move owed, and as many as that in all; look closer there."""
    missed = case((col(Duty.kept).is_(False), col(Duty.turn_id)))
    rows = select(Duty.game_id).join(Turn).join(Game, col(Duty.game_id) == Game.id)
    rows = rows.where(Game.status == "running", col(Turn.undone_at).is_(None), most > 0)
    rows = rows.group_by(col(Duty.game_id), col(Duty.seat), col(Duty.player_id))
    return rows.having(func.max(missed) == func.max(col(Duty.turn_id)), func.count(missed) >= most)


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """What is to be done now about the seats of a game."""

    back: Sequence[tuple[Question, str]] = ()
    """Offers that hold no more, and why."""
    ask: Sequence[tuple[Seat, Player]] = ()
    gm: Sequence[Seat] = ()

    @property
    def is_due(self) -> bool:
        return bool(self.back or self.ask or self.gm)


def _plan(app: App, session: Session, game: Game) -> _Plan:
    needing = _needing(app, session, game)
    back: list[tuple[Question, str]] = []
    for offer in queries.questions_about(session, game, OFFER):
        if not any(_is_about(offer, leaving) for leaving, _ in needing):
            back.append((offer, _why(session, game, offer)))
    ask: list[tuple[Seat, Player]] = []
    gm: list[Seat] = []
    waits = game.held or not turns.is_released(queries.current_turn(session, game))
    for leaving, since in () if waits else needing:
        offers = [one for one in _offers(session, game) if _is_about(one, leaving) and one.created_at >= since]
        if any(one.answered_at is None and one.payload["until"] > app.now().isoformat() for one in offers):
            continue
        busy = {one.player_id for one in offers} | {player.id for _, player in ask} | _asked_here(session, game)
        standby = _next(session, game, busy)
        if standby is not None:
            ask.append((leaving, standby))
        elif not _knows(session, game, leaving, since):
            gm.append(leaving)
    return _Plan(back=back, ask=ask, gm=gm)


def _needing(app: App, session: Session, game: Game) -> list[tuple[Seat, datetime]]:
    """List the seats that nobody holds, and those whose player has been silent for too long and still is; since when.

    Of a seat that the game goes on without nobody is asked.
    """
    if game.status != "running":
        return []
    most = app.settings.nmr.standby_after
    found, back = records.records(session, game), _heard_of(session, game)
    without = records.left_behind(session, game)
    needing: list[tuple[Seat, datetime]] = []
    for seat in queries.holders(session, game):
        record = found.get(seat.number, records.Record())
        silent = record.in_a_row >= most > 0 and seat.number not in back
        if (silent or seat.until is not None) and seat.number not in without:
            began = session.get_one(Turn, record.since).at if record.since else seat.until
            needing.append((seat, began or seat.since))
    return needing


def _heard_of(session: Session, game: Game) -> set[int]:
    """Tell which seats have moved in the present round, whatever became of the last ones."""
    return {*queries.sheets_on_file(session, game), *records.acted_in(session, game)}


def _why(session: Session, game: Game, offer: Question) -> str:
    """Say why nobody is needed for a seat: it is over, they play on without, or who was silent is back."""
    if game.status != "running":
        return "over"
    return "without" if offer.payload["seat"] in records.left_behind(session, game) else "moved"


def _next(session: Session, game: Game, busy: set[int | None]) -> Player | None:
    """Find the first on the list who can be asked; nobody sits twice in a game."""
    free = (player for _, player in queries.standby_list(session, game.engine) if player.id not in busy)
    return next((player for player in free if not queries.sat_before(session, game, player.id)), None)


def _asked_here(session: Session, game: Game) -> set[int | None]:
    """List who has been asked for a seat of this game and may still say yes: one seat is enough."""
    return {one.player_id for one in queries.questions_about(session, game, OFFER)}


def _knows(session: Session, game: Game, leaving: Seat, since: datetime) -> bool:
    """Say whether the GM was told that nobody takes this seat."""
    known = select(Question.id).where(
        Question.game_id == game.id, Question.kind == VACANCY, Question.player_id == leaving.player_id,
        col(Question.created_at) >= since,
    )  # fmt: skip
    return session.exec(known).first() is not None


def _carry_out(app: App, session: Session, game: Game, plan: _Plan) -> None:
    for offer, why in plan.back:
        _take_back(app, session, game, offer, why)
    for leaving, standby in plan.ask:
        _offer(app, session, game, leaving, standby)
    for leaving in plan.gm:
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
    offers = [("standby", game.name, out.name, "NAME", "ADDRESS"), ("standby", game.name, out.name, "--none")]
    questions.tell_gm(app, session, VACANCY, game=game, player=out, text=out.name, offers=offers)


def take_seat(app: App, session: Session, question: Question, standby: Player) -> Game:
    """Seat who has said yes. Raises PlayerError where somebody else was first, or nobody is needed any more."""
    game = session.get_one(Game, question.game_id)
    leaving = next(seat for seat in queries.holders(session, game) if seat.number == question.payload["seat"])
    if leaving.player_id != question.payload["out"]:
        raise PlayerError(say("SEAT_TAKEN", game=game.name))
    if all(seat.number != leaving.number for seat, _ in _needing(app, session, game)):
        raise PlayerError(say("NOT_NEEDED", game=game.name))
    try:
        put(app, session, game, leaving, standby)
    except Refused as error:  # he sits there already
        raise PlayerError(say("SEATED_ALREADY", game=game.name)) from error
    return game


def put(app: App, session: Session, game: Game, leaving: Seat, standby: Player) -> None:
    """Let a standby take a seat; whoever else was asked is told. Raises Refused."""
    number = leaving.number
    if records.left_behind(session, game).get(number):
        raise Refused(f"{game.name} goes on without this seat; by its rules nobody can take it any more.")
    seats.replace(app, session, game, leaving, standby)
    for offer in queries.questions_about(session, game, OFFER):
        if offer.player_id == standby.id:
            questions.settle(app, session, offer, "idle")
        elif offer.payload["seat"] == number:
            _take_back(app, session, game, offer, "taken")
    for question in queries.questions_about(session, game, VACANCY, "resigned"):
        if question.player_id == leaving.player_id:
            questions.settle(app, session, question, "taken over")


def _take_back(app: App, session: Session, game: Game, offer: Question, why: str) -> None:
    """An offer holds no more; who was asked is told why."""
    questions.settle(app, session, offer, "idle")
    player = session.get(Player, offer.player_id) if offer.player_id else None
    if player is None:
        return
    to = recipient(app, session, player, game)
    engine = app.engine(game.engine)
    context = {**bulletins.frame_context(app, game, engine, to.language), "why": why}
    part = Part(template="not_needed", context=context, engine=engine)
    post(app, session, Occasion(cause=f"question:{offer.id}", kind="not_needed", game=game), to, [part])
