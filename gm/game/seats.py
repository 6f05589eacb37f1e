"""Seats of a game: who holds them, sign-up, taking one over, and the offers to the standby list.

A seat needs somebody when nobody holds it, or when its player has been silent for too long. Then the players on the
standby list are asked one after another. No offer is scheduled: each pass looks which seats need somebody and whom to
ask next. So a crash, a late answer or the return of a silent player needs no repair.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session, col, func, select

from games.api import MoveBlock, Sheet, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import deadlines, moves_on_file
from gm.game.people import lookup
from gm.game.position import Position, is_released, position
from gm.messages import game_mails, gm_list, questions
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import has_printer, recipient
from gm.messages.questions import About
from gm.messages.sentences import SENTENCES
from gm.runtime.errors import GameFull, OperatorError, PlayerError, Refused, UnknownGame, in_each
from gm.store import game_file
from gm.store.json_values import encode
from gm.store.queries import duty_queries, player_queries, question_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Duty, Game, Player, Question, Seat, Standby
from parsers.invisible import fold_name

OFFER: Final = question_queries.OFFER
VACANCY: Final = question_queries.VACANCY


def seat_of_player(session: Session, game: Game, name: str, *, left_too: bool = False, in_full: bool = False) -> Seat:
    """Find the seat of a player by name, as the GM writes it; `left_too`: also a seat that its player has left.

    What is unique in this game is enough, a first name, a beginning or an address, but not if the name must be
    `in_full`. Raises Refused with who sits there.
    """
    found = seat_queries.holders(game) if left_too else seat_queries.seats(game)
    players = [(seat, session.get_one(Player, seat.player_id)) for seat in found]
    wanted = None if in_full else lookup.meant(session, name, [player for _, player in players])
    key = wanted.name_key if wanted else fold_name(name)
    for seat, player in players:
        if player.name_key == key:
            return seat
    sitting = ", ".join(player.name for _, player in players) or say("seats.nobody")
    raise Refused(say("seats.not_here", name=name, game=game.name, sitting=sitting))


def empty_seats(game: Game) -> set[int]:
    """List the seats that somebody held and nobody holds now."""
    return set(seat_queries.seat_history(game)) - {seat.number for seat in seat_queries.seats(game)}


# -- sign-up -----------------------------------------------------------------------------------------------------------


def sign_up(app: App, session: Session, game: Game, player: Player, block: MoveBlock | None) -> Sheet[Any]:
    """Give a player a seat in an open game; returns how the sign-up was read, and what is still wanted of it.

    Raises PlayerError: no seat is free, the player sits or sat there already, or what was sent can't be taken.
    """
    engine = app.engine(game.engine)
    before = seat_queries.seat_row(game, player.id)
    if before:
        raise PlayerError(say("SEATED_ALREADY" if before.until is None else "SAT_BEFORE", game=game.name))
    free = free_numbers(app, game)
    sheet = engine.enrol(block or MoveBlock(lines=()), game.options)
    if sheet.problems:
        raise PlayerError(say("NO_SEAT_YET", why=sheet.problems[0], game=game.name))
    if not has_printer(app, session, game, player):
        raise PlayerError(say("GM_PRINTS", game=game.name))
    entry = encode(engine.entry_type, sheet.move) if sheet.move is not None else None
    add_seat(session, game, player, number=free[0], entry=entry, since=app.now())
    return sheet


def add_seat(session: Session, game: Game, player: Player, *, number: int, entry: Any, since: datetime) -> None:
    """Write down that a player holds a seat; a player doesn't watch the game as well."""
    if watching := seat_queries.watcher(game, player.id):
        session.delete(watching)
    session.add(Seat(game_id=game.id, number=number, player_id=player.id, entry=entry, since=since))
    game_file.touch(session, game, Game.seats, Game.watchers)


def free_numbers(app: App, game: Game) -> list[int]:
    """List the seats that can be had. Raises GameFull: none is left or it runs; UnknownGame: it is over.

    The errors tell no more of a game than the list of games tells everybody.
    """
    if game.status == "running":
        raise GameFull(say("GAME_RUNS", game=game.name))
    if game.status != "open":
        raise UnknownGame(say("NO_GAME_TO_JOIN", game=game.name))
    taken = {seat.number for seat in seat_queries.seats(game)}
    free = [number for number in range(1, app.engine(game.engine).rules.seats[1] + 1) if number not in taken]
    if not free:
        raise GameFull(say("GAME_FULL", game=game.name))
    return free


def change_entry(app: App, session: Session, game: Game, seat: Seat, block: MoveBlock) -> Sheet[Any]:
    """Replace a seat's sign-up data (another wish letter); returns as `sign_up` does. Raises PlayerError."""
    engine = app.engine(game.engine)
    sheet = engine.enrol(block, game.options)
    if sheet.problems:
        raise PlayerError(sheet.problems[0])
    if sheet.move is not None:
        seat.entry = encode(engine.entry_type, sheet.move)
        game_file.touch(session, game)
    return sheet if seat.entry is None else replace(sheet, wanted=())


# -- taking a seat over ------------------------------------------------------------------------------------------------


def take_over(app: App, session: Session, game: Game, leaving: Seat, player: Player) -> None:
    """Let a standby take a seat over. The predecessor and whoever else was asked are told.

    The move on file stays with the seat. The ZAT moves only if the standby would have less than `nmr.standby_time`.
    Raises Refused.
    """
    at = position(app, game)
    if leaving.number in _left_behind(session, game) and leaving.number not in at.engine.due(at.state):
        raise Refused(say("seats.nobody_can_take_it", game=game.name))
    if seat_queries.seat_row(game, player.id):
        raise Refused(say("seats.sits_already", player=player.name, game=game.name))
    if not has_printer(app, session, game, player):
        raise Refused(in_each(lambda language: SENTENCES["GM_PRINTS"][language].format(game=game.name)))
    predecessor, now = session.get_one(Player, leaving.player_id), app.now()
    questions.close_about(app, session, game, question_queries.ASKED_BACK, answer="taken over")
    questions.close_readings(session, game, leaving.number, now, "taken over")
    leaving.until = leaving.until or now
    session.flush()  # before somebody else sits there
    add_seat(session, game, player, number=leaving.number, entry=leaving.entry, since=now)
    give_time(app, session, game, at, leaving, player)
    if is_released(at.turn):  # else the bulletin that waits will show the position
        welcome(app, session, game, at, player, leaving.number, predecessor.name)
    mail = GameMail(
        template="replaced", cause=f"seat:{game.id}:{predecessor.id}:{now.isoformat()}", context={"name": player.name}
    )
    game_mails.send(app, session, game, mail, predecessor)
    _close_offers(app, session, game, leaving, player)


def give_time(app: App, session: Session, game: Game, at: Position, leaving: Seat, player: Player) -> None:
    """Move the ZAT on if a standby would have too little time, and tell the others."""
    days_off = deadlines.days_without_zat(app, session, game)
    least = deadlines.first_free(app.now() + app.settings.nmr.standby_time, days_off, app.settings.service.timezone)
    if game.zat and game.zat < least and not game.held and leaving.number in at.engine.due(at.state):
        deadlines.save_zat(app, session, game, least)
        before = session.get_one(Player, leaving.player_id).name
        context = {"reason": say("TOOK_OVER", name=player.name, before=before)}
        cause = f"standby:{game.id}:{leaving.number}:{player.id}"
        game_mails.send_to_all(app, session, game, GameMail(template="zat", cause=cause, context=context), but=player)


def welcome(app: App, session: Session, game: Game, at: Position, player: Player, seat: int, before: str) -> None:
    """Queue the mail with which a standby can play: the whole position, the deadline, the move on file.

    `before` is the predecessor's name; "" for a player who gets the seat back.
    """
    own, ahead = moves_on_file.move_on_file(game, at, seat), moves_on_file.advance_move(game, seat)
    language = recipient(app, session, player, game).language
    context = {
        **game_mails.position_context(app, session, game, at.state, SeatNumber(seat), language, own=own),
        "before": before, "on_file": own is not None, "blocks": ahead.blocks if ahead else (),
        "gm_plays": seat_queries.has_seat(session, game, app.settings.service.gm.address),
    }  # fmt: skip
    stand = at.engine.stand(at.state, SeatNumber(seat))
    cause = f"seat:{game.id}:{seat}:{player.id}:{app.now().isoformat()}"
    mail = GameMail(template="welcome", cause=cause, context=context, opens_round=stand, greet=False)
    game_mails.send(app, session, game, mail, player, seat)


def _close_offers(app: App, session: Session, game: Game, leaving: Seat, standby: Player) -> None:
    """Close what was asked about a seat that a standby has taken."""
    for offer in question_queries.questions_about(game, OFFER):
        if offer.player_id == standby.id:
            questions.close(app, session, offer, "idle")
        elif offer.payload["seat"] == leaving.number:
            take_offer_back(app, session, game, offer, "taken")
    for question in question_queries.questions_about(game, VACANCY, "resigned"):
        if question.player_id == leaving.player_id:
            questions.close(app, session, question, "taken over")


# -- the standby list --------------------------------------------------------------------------------------------------


def set_standby(app: App, session: Session, player: Player, engine: str, on: bool) -> None:
    """Put a player on the standby list, for every game or one kind, or take them off it."""
    entries = [entry for entry, held in player_queries.standby_list(session) if held.id == player.id]
    if not on:
        for entry in entries:
            if engine in ("", entry.engine):
                session.delete(entry)
    elif not any(entry.engine == engine for entry in entries):
        session.add(Standby(player_id=player.id, engine=engine, at=app.now()))
        game_file.touch_all(session, question_queries.games_with_vacancy(session))
    session.flush()


def first_standby(session: Session, game: Game) -> Player:
    """Find the first on the list who never sat in this game. Raises Refused."""
    for _, player in player_queries.standby_list(session, game.engine):
        if not seat_queries.seat_row(game, player.id):
            return player
    raise Refused(say("seats.no_standby", game=game.name))


def standby_named(app: App, session: Session, game: Game, name: str, address: str) -> Player:
    """Find or register the standby whom the GM names. Raises Refused."""
    if address:
        return lookup.find_or_register(app, session, name, address)
    known = lookup.meant(session, name, lookup.known(session))
    if known is None:
        raise Refused(say("seats.needs_address", name=name, game=game.name))
    return known


# -- offers to the standby list ----------------------------------------------------------------------------------------


def next_offers(app: App, session: Session, games: Sequence[Game]) -> dict[int, datetime]:
    """Say when offers of these games are to be made or taken back: now or later, by game.

    A game is missing where nothing is to be done before something changes. The games must have been looked up.
    """
    needing = _in_need(app, session, games)
    if not needing:
        return {}
    now = app.now()
    found: dict[int, datetime] = {}
    for game in needing:
        ends = [datetime.fromisoformat(one.payload["until"]) for one in question_queries.questions_about(game, OFFER)]
        if _plan(app, session, game).is_due:
            found[game.id] = now
        elif later := [end for end in ends if end > now]:
            found[game.id] = min(later)
    return found


def update_offers(app: App, game_id: int) -> None:
    """Offer each seat of a game that needs somebody to the next standby; take offers back that are needed no more."""
    with app.database.write() as session:
        game = session.get_one(Game, game_id)
        with suppress(OperatorError):  # its rules can't be had here: it is held when its time comes
            plan = _plan(app, session, game)
            for offer, why in plan.take_back:
                take_offer_back(app, session, game, offer, why)
            for leaving, standby in plan.offer:
                _offer(app, session, game, leaving, session.get_one(Player, standby))
            for leaving in plan.tell_gm:
                _tell_gm(app, session, game, leaving)


def _in_need(app: App, session: Session, games: Sequence[Game]) -> Sequence[Game]:
    """Find games with an open offer, and running ones with an empty or perhaps silent seat: often none."""
    ids, most = [game.id for game in games], app.settings.nmr.standby_after
    offered = select(Question.game_id).where(
        col(Question.game_id).in_(ids), Question.kind == OFFER, col(Question.answered_at).is_(None)
    )
    missed = (  # in all, not in a row; who is silent now is among them
        select(Duty.game_id).where(col(Duty.game_id).in_(ids), col(Duty.kept).is_(False))
        .group_by(col(Duty.game_id), col(Duty.seat), col(Duty.player_id)).having(func.count(col(Duty.id)) >= most)
    )  # fmt: skip
    found = {*session.exec(offered), *(session.exec(missed) if most else ())}
    return [game for game in games if game.id in found or (game.status == "running" and empty_seats(game))]


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """What is to be done now about the seats of a game."""

    take_back: Sequence[tuple[Question, str]]
    """Offers that hold no more, and why."""
    offer: Sequence[tuple[Seat, int]]
    """Seats, each with the player to ask."""
    tell_gm: Sequence[Seat]
    """Seats for which nobody on the list is left."""

    @property
    def is_due(self) -> bool:
        return bool(self.take_back or self.offer or self.tell_gm)


def _plan(app: App, session: Session, game: Game) -> _Plan:
    needing = _needing(app, session, game)
    rows = select(Question).where(Question.game_id == game.id, col(Question.kind).in_((OFFER, VACANCY)))
    asked = session.exec(rows.order_by(col(Question.id))).all()
    offers = [one for one in asked if one.kind == OFFER]
    take_back = [
        (one, _why(session, game, one)) for one in offers
        if one.answered_at is None and not any(_is_about(one, leaving) for leaving, _ in needing)
    ]  # fmt: skip
    ask: list[tuple[Seat, int]] = []
    tell_gm: list[Seat] = []
    if game.held or (needing and not is_released(turn_queries.current_turn(game))):
        needing = []  # until its release nobody knows who was silent
    for leaving, since in needing:
        about = [one for one in offers if _is_about(one, leaving) and one.created_at >= since]
        if any(one.answered_at is None and one.payload["until"] > app.now().isoformat() for one in about):
            continue
        # Nobody sits twice in a game; and one seat to think about is enough.
        busy = {one.player_id for one in offers if one.answered_at is None or one in about}
        busy |= {seat.player_id for seat in game.seats} | {player_id for _, player_id in ask}
        free = (one.id for _, one in player_queries.standby_list(session, game.engine) if one.id not in busy)
        if (standby := next(free, None)) is not None:
            ask.append((leaving, standby))
        elif not _is_told(asked, leaving, since):
            tell_gm.append(leaving)
    return _Plan(take_back=take_back, offer=ask, tell_gm=tell_gm)


def _needing(app: App, session: Session, game: Game) -> list[tuple[Seat, datetime]]:
    """List the seats that need somebody, and since when. A seat that the game goes on without needs nobody."""
    if game.status != "running":
        return []
    most, silences = app.settings.nmr.standby_after, duty_queries.missed_in_a_row(session, [game.id])
    moved = sheet_queries.sheets_on_file(game).keys() | turn_queries.seats_that_acted(session, game)
    needing: list[tuple[Seat, datetime]] = []
    for seat in seat_queries.holders(game):
        silence = silences.get((game.id, seat.number, seat.player_id))
        silent = silence and silence.times >= most > 0 and seat.number not in moved
        if (silent or seat.until) and seat.number not in _left_behind(session, game):
            needing.append((seat, silence.since if silence else seat.until or seat.since))
    return needing


def _left_behind(session: Session, game: Game) -> Collection[int]:
    """List the seats that a game goes on without."""
    return turn_queries.abandoned_seats(session, [game.id]).get(game.id, ())


def _why(session: Session, game: Game, offer: Question) -> str:
    """Say why nobody is needed for a seat: the game is over or goes on without it, or its silent player is back."""
    if game.status != "running":
        return "over"
    return "without" if offer.payload["seat"] in _left_behind(session, game) else "moved"


def _is_told(asked: Sequence[Question], leaving: Seat, since: datetime) -> bool:
    """Say whether the GM was told that nobody takes this seat."""
    told = [one for one in asked if one.kind == VACANCY and one.player_id == leaving.player_id]
    return any(one.created_at >= since for one in told)


def _is_about(offer: Question, leaving: Seat) -> bool:
    return (offer.payload["seat"], offer.payload["leaving"]) == (leaving.number, leaving.player_id)


def _offer(app: App, session: Session, game: Game, leaving: Seat, standby: Player) -> None:
    """Offer a seat. After the time limit the next one is asked as well; the first `Ja` wins."""
    out = session.get_one(Player, leaving.player_id)
    until = app.now() + app.settings.nmr.standby_answer
    payload = {"seat": leaving.number, "leaving": out.id, "until": until.isoformat(), "text": out.name}
    address = player_queries.address_of(session, standby.id)
    about = About(game=game, player=standby)
    question = questions.add(app, session, OFFER, payload, about, address=address)
    title, at_least = app.engine(game.engine).rules.title, app.settings.nmr.standby_time
    context = {"before": out.name, "limit": until, "at_least": at_least, "title": title}
    questions.send(app, session, question, context)


def _tell_gm(app: App, session: Session, game: Game, leaving: Seat) -> None:
    """Tell the GM that nobody is left on the list: to look for somebody, or to let the others go on without."""
    out = session.get_one(Player, leaving.player_id)
    offers = [("standby", game.name, out.name, "NAME", "ADDRESS"), ("standby", game.name, out.name, "--none")]
    gm_list.tell(app, session, VACANCY, out.name, About(game=game, player=out), offers)


def take_offer_back(app: App, session: Session, game: Game, offer: Question, why: str) -> None:
    """Take an offer back, and tell the player who was asked why."""
    questions.close(app, session, offer, "idle")
    player = session.get(Player, offer.player_id) if offer.player_id else None
    if player is not None:
        mail = GameMail(template="not_needed", cause=f"question:{offer.id}", context={"why": why})
        game_mails.send(app, session, game, mail, player)


def accept_offer(app: App, session: Session, question: Question, standby: Player) -> Game:
    """Seat the standby who has said yes. Raises PlayerError if the seat is taken or needs nobody any more."""
    game = session.get_one(Game, question.game_id)
    leaving = next(seat for seat in seat_queries.holders(game) if seat.number == question.payload["seat"])
    if leaving.player_id != question.payload["leaving"]:
        raise PlayerError(say("SEAT_TAKEN", game=game.name))
    if all(seat.number != leaving.number for seat, _ in _needing(app, session, game)):
        raise PlayerError(say("NOT_NEEDED", game=game.name))
    if not has_printer(app, session, game, standby):
        raise PlayerError(say("GM_PRINTS", game=game.name))
    try:
        take_over(app, session, game, leaving, standby)
    except Refused as error:  # the standby sits there already
        raise PlayerError(say("SEATED_ALREADY", game=game.name)) from error
    return game
