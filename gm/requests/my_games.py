"""`Meine Partien`: all seats of a player, how each game stands, until when a move is due, and where it can be read."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy.orm import aliased
from sqlmodel import col, or_, select

from games import AnyEngine
from games.api import SPECTATOR, Outcome
from games.api import Seat as SeatNumber
from gm.game import closing_time, moves_on_file
from gm.game.deadlines import local_day
from gm.game.people.site_directory import game_page
from gm.game.position import Position, is_released, position
from gm.messages import game_mails
from gm.messages.outgoing import Part, gm_name
from gm.messages.rendering.dates import write_date, write_day
from gm.requests.declared import by_mail
from gm.requests.request import Request
from gm.runtime.errors import OperatorError
from gm.store.queries import game_queries, player_queries, question_queries, seat_queries, sheet_queries
from gm.store.tables import Game, Player, Seat
from parsers import commands
from parsers.lines import arguments

MOST_PAST: Final = 10
"""So many of the games that are over are listed, the newest."""
SCORES: Final = ("points", "balance")
"""The names of what a seat has so far (`View.seat_facts`)."""
_LATER: Final = datetime.max.replace(tzinfo=UTC)


@by_mail(commands.MyGames, "MY_GAMES", takes=arguments.alone(commands.MyGames), changes=False)
def show_my_games(request: Request, _command: commands.MyGames) -> None:
    """List the writer's games, first those in which a move is missing. Raises PlayerError where it isn't clear who."""
    session, player = request.session, request.find_writer()
    present = [_row(request, game, player) for game in game_queries.games_of_players(session, [player.id], _PRESENT)]
    present.sort(key=lambda row: (not row["is_missing"], row["ends"]))
    past, has_more = _past(request, player)
    context = {
        "name": player.name, "gm": gm_name(request.app), "service": request.app.settings.service.name, "game": "",
        "present": present, "past": past, "has_more": has_more,
        "missing": [row for row in present if row["is_missing"]],
        **_besides(request, player),
    }  # fmt: skip
    request.parts.append(Part(template="my_games", context=context))
    request.applied = True


_PRESENT: Final = ("open", "running", "provisional")


def _row(request: Request, game: Game, player: Player) -> dict[str, Any]:
    """Say how a game stands for a player who sits in it."""
    frame = _frame(request, game)
    seat = next(one for one in seat_queries.seats(game) if one.player_id == player.id)
    try:
        engine = request.app.engine(game.engine)
        if game.status == "open":
            return {**frame, "state": "open", "free": _free(game, engine)}
        at = position(request.app, game)
    except OperatorError:
        return {**frame, "state": "unreadable"}
    score = _score(at, seat)
    if game.status == "provisional":
        return {**frame, "state": "provisional", **score}
    if not is_released(at.turn):
        return {**frame, "state": "unreleased"}
    return {**frame, **score, **_clock(request, game, at.engine), **_move(request, game, at, seat)}


def _frame(request: Request, game: Game) -> dict[str, Any]:
    """Give what every row has, as it is where nothing else is known."""
    try:
        engine = request.app.engine(game.engine)
    except OperatorError:
        gm = gm_name(request.app)
        known: dict[str, Any] = {"game": game.name, "title": game.engine, "gm": gm, "round": 0, "zat": ""}
    else:
        known = game_mails.frame_context(request.app, game, engine, request.language)
    return {
        **known, "page": game_page(request.app, game), "is_missing": False, "ends": game.zat_in_force or _LATER,
        "state": "", "write": "", "stop": "", "score": None, "rank": 0, "of": 0,
    }  # fmt: skip


def _free(game: Game, engine: AnyEngine) -> int:
    return int(engine.rules.seats[1]) - len(seat_queries.seats(game))


def _move(request: Request, game: Game, at: Position, seat: Seat) -> dict[str, Any]:
    """Say whether a move is due, and whether it is there; or one that was sent in advance."""
    if SeatNumber(seat.number) not in at.engine.due(at.state):
        ahead = moves_on_file.advance_move(game, SeatNumber(seat.number))
        return {"state": "idle" if ahead is None else "ahead"}
    if any(held.player_id == seat.player_id for held in question_queries.held_moves(game)):
        return {"state": "with gm"}
    filed = sheet_queries.sheets_on_file(game).get(seat.number)
    if filed is None:
        return {"state": "missing", "is_missing": True, "write": _link(request, game, at, seat)}
    zone = request.app.settings.service.timezone
    since = write_date(filed.received_at, zone, request.language, "date")
    if filed.complete:
        return {"state": "filed", "since": since}
    return {"state": "incomplete", "since": since, "is_missing": True, "write": _link(request, game, at, seat)}


def _link(request: Request, game: Game, at: Position, seat: Seat) -> str:
    """Make the link to a mail with the block in it."""
    number = SeatNumber(seat.number)
    context = game_mails.position_context(request.app, request.session, game, at.state, number, request.language)
    return str(context["mailto"]) if context["block"] else ""


def _clock(request: Request, game: Game, engine: AnyEngine) -> dict[str, Any]:
    """Say whether the clock stands still."""
    app = request.app
    if game.held or closing_time.waits_for_gm(game, engine):
        return {"stop": "held"}
    if game.paused_until and closing_time.is_paused(app, game):
        paused = write_date(game.paused_until, app.settings.service.timezone, request.language, "short")
        return {"stop": "paused", "paused": paused}
    return {"stop": "" if game.zat else "none"}


def _score(at: Position, seat: Seat) -> dict[str, Any]:
    """Give rank and points as everybody may see them; nothing in a game that shows none before its end."""
    outcome = at.outcome
    if outcome is not None:
        return _result(outcome, seat)
    facts = at.engine.view(at.state, SPECTATOR).seat_facts
    scores = {number: of_seat[name] for number, of_seat in facts.items() for name in SCORES if name in of_seat}
    own = scores.get(SeatNumber(seat.number))
    if own is None:
        return {}
    return {"score": own, "rank": 1 + sum(other > own for other in scores.values()), "of": len(scores)}


def _result(outcome: Outcome, seat: Seat) -> dict[str, Any]:
    own = next((one for one in outcome.standings if one.seat == seat.number), None)
    if own is None:
        return {}
    return {"score": own.points, "rank": own.rank, "of": len(outcome.standings)}


def _past(request: Request, player: Player) -> tuple[list[dict[str, Any]], bool]:
    """List the newest games that are over, or that the player has left; says whether there are more."""
    later = aliased(Seat)
    came_back = select(later.id).where(
        col(later.game_id) == Seat.game_id, col(later.player_id) == Seat.player_id, col(later.id) > Seat.id
    )
    rows = select(Game, Seat).join(Seat).where(
        Seat.player_id == player.id, or_(col(Seat.until).is_not(None), col(Game.status).not_in(_PRESENT)),
        ~came_back.exists(),
    )  # fmt: skip
    found: Sequence[tuple[Game, Seat]] = request.session.exec(
        rows.order_by(col(Game.id).desc()).limit(MOST_PAST + 1)
    ).all()
    return [_past_row(request, game, seat) for game, seat in found[:MOST_PAST]], len(found) > MOST_PAST


def _past_row(request: Request, game: Game, seat: Seat) -> dict[str, Any]:
    frame = _frame(request, game)
    if seat.until is not None:
        until = write_date(seat.until, request.app.settings.service.timezone, request.language, "date")
        return {**frame, "state": "left", "until": until}
    if game.status == "aborted":
        return {**frame, "state": "aborted"}
    try:
        outcome = position(request.app, game).outcome
    except OperatorError:
        return {**frame, "state": "over"}
    return {**frame, "state": "over", **(_result(outcome, seat) if outcome else {})}


def _besides(request: Request, player: Player) -> dict[str, Any]:
    """Give what holds beside seats: games watched, standby list, vacations ahead."""
    app, session = request.app, request.session
    standby = [entry.engine for entry, held in player_queries.standby_list(session) if held.id == player.id]
    vacations = player_queries.vacations(session, [player.id], local_day(app))
    return {
        "watched": [game.name for game in seat_queries.watched_games(session, player.id)],
        "for_all": "" in standby,
        "standby": [_title(request, key) for key in standby if key],
        "vacations": [(write_day(one.first, request.language), write_day(one.last, request.language))
                      for one in vacations],
    }  # fmt: skip


def _title(request: Request, key: str) -> str:
    try:
        return request.app.engine(key).rules.title
    except OperatorError:
        return key
