"""Seats whose player is gone or silent: the standby list is asked in order until somebody takes over.

Nothing is scheduled. Each pass looks which seats need somebody now and whom to ask next; so a crash, a late answer
or the return of the silent one change nothing but the next look.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, func, select

from games.api import say
from gm.app.context import App
from gm.game import seats
from gm.game.position import position
from gm.messages import game_mails, questions
from gm.messages.outgoing import Occasion, Part, post, recipient
from gm.runtime.errors import OperatorError, PlayerError, Refused
from gm.store.queries import duty_queries, player_queries, question_queries, seat_queries, turn_queries
from gm.store.tables import Duty, Game, Player, Question, Seat

OFFER: Final = question_queries.OFFER
VACANCY: Final = question_queries.VACANCY


def instants(app: App, session: Session, games: Sequence[Game]) -> dict[int, datetime]:
    """Say when to ask somebody next, or take an offer back, in those of these games that were looked up: now or later.

    A game is missing where only a change can bring it about.
    """
    needing = _in_need(app, session, games)
    if not needing:
        return {}
    scene, now = _look(session, needing), app.now()
    found: dict[int, datetime] = {}
    for game in needing:
        ends = [datetime.fromisoformat(one.payload["until"]) for one in scene.asked[game.id] if _is_open_offer(one)]
        if _plan(app, scene, game).is_due:
            found[game.id] = now
        elif later := [end for end in ends if end > now]:
            found[game.id] = min(later)
    return found


def seek(app: App, game_id: int) -> None:
    """Ask the next standby for each seat of a game that needs one; take offers back that are needed no more."""
    with app.database.write() as session:
        game = session.get_one(Game, game_id)
        with suppress(OperatorError):  # its rules can't be had here: it is held when its time comes
            _carry_out(app, session, game, _plan(app, _look(session, [game]), game))


def _in_need(app: App, session: Session, games: Sequence[Game]) -> Sequence[Game]:
    """Find games with an offer open, and running ones with an empty seat or one that may be silent: often none."""
    ids, most = [game.id for game in games], app.settings.nmr.standby_after
    offered = select(Question.game_id).where(
        col(Question.game_id).in_(ids), Question.kind == OFFER, col(Question.answered_at).is_(None)
    )
    missed = (  # in all, not in a row; who is silent now is among them
        select(Duty.game_id).where(col(Duty.game_id).in_(ids), col(Duty.kept).is_(False))
        .group_by(col(Duty.game_id), col(Duty.seat), col(Duty.player_id)).having(func.count(col(Duty.id)) >= most)
    )  # fmt: skip
    found = {*session.exec(offered), *(session.exec(missed) if most else ())}
    return [game for game in games if game.id in found or (game.status == "running" and _is_vacant(session, game))]


def _is_vacant(session: Session, game: Game) -> bool:
    return not seat_queries.seat_history(session, game).keys() <= {
        seat.number for seat in seat_queries.seats(session, game)
    }


@dataclass(frozen=True, kw_only=True)
class _Scene:
    """What a decision about seats rests on, looked up for many games at once."""

    seats: Mapping[int, Sequence[Seat]]
    """Who sits and sat where, by game."""
    silences: Mapping[tuple[int, int, int], duty_queries.MissedInARow]
    heard_of: Mapping[int, Collection[int]]
    """The seats that have moved in the present round, whatever became of the last ones."""
    without: Mapping[int, Collection[int]]
    asked: Mapping[int, Sequence[Question]]
    """All offers, and what the GM was told about them."""
    line: Sequence[tuple[str, int]]
    """The standby list: kind of game, player."""
    unreleased: Collection[int]
    """Games whose last bulletin waits for the GM: until then nobody knows who was silent."""


def _look(session: Session, games: Sequence[Game]) -> _Scene:
    ids = [game.id for game in games]
    seats: dict[int, list[Seat]] = {game_id: [] for game_id in ids}
    for seat in session.exec(select(Seat).where(col(Seat.game_id).in_(ids)).order_by(col(Seat.since), col(Seat.id))):
        seats[seat.game_id].append(seat)
    asked: dict[int, list[Question]] = {game_id: [] for game_id in ids}
    rows = select(Question).where(col(Question.game_id).in_(ids), col(Question.kind).in_((OFFER, VACANCY)))
    for question in session.exec(rows.order_by(col(Question.id))):
        asked[question.game_id or 0].append(question)
    return _Scene(
        seats=seats, asked=asked, silences=duty_queries.missed_in_a_row(session, ids),
        heard_of=turn_queries.seats_with_moves(session, games), without=turn_queries.abandoned_seats(session, ids),
        line=[(entry.engine, player.id) for entry, player in player_queries.standby_list(session)],
        unreleased=turn_queries.unreleased(session, ids),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """What is to be done now about the seats of a game."""

    back: Sequence[tuple[Question, str]] = ()
    """Offers that hold no more, and why."""
    ask: Sequence[tuple[Seat, int]] = ()
    gm: Sequence[Seat] = ()

    @property
    def is_due(self) -> bool:
        return bool(self.back or self.ask or self.gm)


def _plan(app: App, scene: _Scene, game: Game) -> _Plan:
    needing = _needing(app, scene, game)
    offers = [one for one in scene.asked[game.id] if one.kind == OFFER]
    back = [
        (one, _why(scene, game, one)) for one in offers
        if one.answered_at is None and not any(_is_about(one, leaving) for leaving, _ in needing)
    ]  # fmt: skip
    ask: list[tuple[Seat, int]] = []
    gm: list[Seat] = []
    for leaving, since in () if game.held or game.id in scene.unreleased else needing:
        about = [one for one in offers if _is_about(one, leaving) and one.created_at >= since]
        if any(one.answered_at is None and one.payload["until"] > app.now().isoformat() for one in about):
            continue
        # Nobody sits twice in a game; and one seat to think about is enough.
        busy = {one.player_id for one in offers if one.answered_at is None or one in about}
        busy |= {seat.player_id for seat in scene.seats[game.id]} | {player_id for _, player_id in ask}
        free = (one for kind, one in scene.line if kind in ("", game.engine) and one not in busy)
        if (standby := next(free, None)) is not None:
            ask.append((leaving, standby))
        elif not _is_told(scene, game, leaving, since):
            gm.append(leaving)
    return _Plan(back=back, ask=ask, gm=gm)


def _needing(app: App, scene: _Scene, game: Game) -> list[tuple[Seat, datetime]]:
    """List the seats that nobody holds, and those whose player has been silent for too long and still is; since when.

    Of a seat that the game goes on without nobody is asked.
    """
    if game.status != "running":
        return []
    most = app.settings.nmr.standby_after
    needing: list[tuple[Seat, datetime]] = []
    for seat in {seat.number: seat for seat in scene.seats[game.id]}.values():
        silence = scene.silences.get((game.id, seat.number, seat.player_id))
        silent = silence and silence.times >= most > 0 and seat.number not in scene.heard_of.get(game.id, ())
        if (silent or seat.until) and seat.number not in scene.without.get(game.id, ()):
            needing.append((seat, silence.since if silence else seat.until or seat.since))
    return sorted(needing, key=lambda found: found[0].number)


def _why(scene: _Scene, game: Game, offer: Question) -> str:
    """Say why nobody is needed for a seat: it is over, they play on without, or who was silent is back."""
    if game.status != "running":
        return "over"
    return "without" if offer.payload["seat"] in scene.without.get(game.id, ()) else "moved"


def _is_told(scene: _Scene, game: Game, leaving: Seat, since: datetime) -> bool:
    """Say whether the GM was told that nobody takes this seat."""
    told = [one for one in scene.asked[game.id] if one.kind == VACANCY and one.player_id == leaving.player_id]
    return any(one.created_at >= since for one in told)


def _carry_out(app: App, session: Session, game: Game, plan: _Plan) -> None:
    for offer, why in plan.back:
        _take_back(app, session, game, offer, why)
    for leaving, standby in plan.ask:
        _offer(app, session, game, leaving, session.get_one(Player, standby))
    for leaving in plan.gm:
        _tell_gm(app, session, game, leaving)


def _is_open_offer(question: Question) -> bool:
    return question.kind == OFFER and question.answered_at is None


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
    leaving = next(seat for seat in seat_queries.holders(session, game) if seat.number == question.payload["seat"])
    if leaving.player_id != question.payload["out"]:
        raise PlayerError(say("SEAT_TAKEN", game=game.name))
    if all(seat.number != leaving.number for seat, _ in _needing(app, _look(session, [game]), game)):
        raise PlayerError(say("NOT_NEEDED", game=game.name))
    try:
        put(app, session, game, leaving, standby)
    except Refused as error:  # he sits there already
        raise PlayerError(say("SEATED_ALREADY", game=game.name)) from error
    return game


def put(app: App, session: Session, game: Game, leaving: Seat, standby: Player) -> None:
    """Let a standby take a seat; whoever else was asked is told. Raises Refused."""
    number = leaving.number
    at = position(app, session, game)
    if number in turn_queries.abandoned_seats(session, [game.id]).get(game.id, ()) and number not in at.engine.due(
        at.state
    ):
        raise Refused(f"{game.name} goes on without this seat; by its rules nobody can take it any more.")
    seats.replace(app, session, game, leaving, standby)
    for offer in question_queries.questions_about(session, game, OFFER):
        if offer.player_id == standby.id:
            questions.settle(app, session, offer, "idle")
        elif offer.payload["seat"] == number:
            _take_back(app, session, game, offer, "taken")
    for question in question_queries.questions_about(session, game, VACANCY, "resigned"):
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
    context = {**game_mails.frame_context(app, game, engine, to.language), "why": why}
    part = Part(template="not_needed", context=context, engine=engine)
    post(app, session, Occasion(cause=f"question:{offer.id}", kind="not_needed", game=game), to, [part])
