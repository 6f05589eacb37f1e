"""A game as plain JSON: what `gm show --json` prints (interface.md), for spectators or through one seat's eyes."""

from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import SPECTATOR, Outcome, View
from games.api import Seat as SeatNumber
from gm.app.context import App, local_iso
from gm.app.recorded_rules import is_same_version
from gm.game import closing_time
from gm.game.moves_on_file import move_on_file
from gm.game.position import Position, position
from gm.game.replayed_step import POINTS
from gm.game.seats import seat_of_player
from gm.messages import bounces, game_mails
from gm.store.queries import duty_queries, player_queries, seat_queries, sheet_queries
from gm.store.tables import Game, Player, Seat


def show(app: App, session: Session, game: Game, player_name: str | None = None) -> dict[str, Any]:
    """Describe a game. `player_name` adds to that player's seat what it alone may see. Raises Refused."""
    engine = app.engine(game.engine)
    own = seat_of_player(session, game, player_name) if player_name else None
    head: dict[str, Any] = {
        "game": game.engine,
        "title": engine.rules.title,
        "name": game.name,
        "status": game.status,
        "held": game.held or _waits_for(app, session, game) or None,
        "paused_until": local_iso(app, closing_time.paused_until(app, game)),
        "round": game.round,
        "rounds": engine.rules.rounds,
        "zat": local_iso(app, game.zat_in_force),
    }
    if game.turn is None:
        return {**head, "seats": _seats(session, game, None, frozenset()), "standings": [], "doubtful": []}
    at = position(app, game)
    view = view_of(game, at, own)
    outcome = at.outcome
    seats = _seats(session, game, _with_recorded_points(at, view), engine.due(at.state))
    return {**head, **view.facts, "round": game.round, "seats": seats, **_result(session, game, outcome)}


def _with_recorded_points(at: Position, view: View) -> View:
    """Show the points of a result as its own rules counted them, if they aren't those that are here."""
    if at.outcome is None or is_same_version(at.engine, at.turn):
        return view
    recorded = at.turn.result["points"]
    facts = {seat: {name: recorded.get(str(seat), value) if name in POINTS else value for name, value in own.items()}
             for seat, own in view.seat_facts.items()}  # fmt: skip
    return replace(view, seat_facts=facts)


def _waits_for(app: App, session: Session, game: Game) -> str:
    """Name what a round waits for though its ZAT has passed."""
    if game.status != "running":
        return ""
    return closing_time.standing_still(app, session, game, position(app, game))


def view_of(game: Game, at: Position, own: Seat | None) -> View:
    """Show the position to a seat, with its move on file, or to spectators."""
    if own is None:
        return at.engine.view(at.state, SPECTATOR)
    return at.engine.view(at.state, SeatNumber(own.number), move_on_file(game, at, own.number))


def _seats(session: Session, game: Game, view: View | None, due: frozenset[Any]) -> list[Any]:
    filed = sheet_queries.sheets_on_file(game)
    returned = bounces.marked(session)
    history, missed = seat_queries.seat_history(game), duty_queries.missed_rounds(session, game)
    return [
        {
            "seat": seat.number,
            "player": session.get_one(Player, seat.player_id).name,
            "moved": seat.number in filed and seat.number in due,
            "waiting": seat.intent == "wait" and seat.intent_round == game.round,
            "history": [name for name, _ in groupby(history[seat.number])],
            "nmr": missed.get(seat.number, []),
            **({"vacant": True} if seat.until is not None else {}),
            **({"unreachable": True} if player_queries.address_of(session, seat.player_id) in returned else {}),
            **({"wished": seat.entry is not None} if view is None else {}),
            **(view.seat_facts.get(SeatNumber(seat.number), {}) if view else {}),
        }
        for seat in seat_queries.holders(game)
    ]


def _result(session: Session, game: Game, outcome: Outcome | None) -> dict[str, Any]:
    if outcome is None:
        return {"standings": [], "doubtful": []}
    names = game_mails.names_by_seat(session, game)
    standings = [
        {
            "rank": s.rank, "player": names[s.seat], "points": s.points, "winner": s.seat in outcome.winners,
            **({"guesses": s.guesses} if s.guesses is not None else {}),
        }
        for s in outcome.standings
    ]  # fmt: skip
    return {"standings": standings, "doubtful": [word.lower() for word in outcome.doubtful]}


def text_of(app: App, session: Session, game: Game, player_name: str | None = None) -> str:
    """Show a game as text, in the language of the zine. Raises Refused."""
    if game.turn is None:
        names = ", ".join(player.name for player, _ in game_mails.seated(session, game)) or "nobody yet"
        return f"{game.name} is open for sign-up; seated: {names}\n"
    own = seat_of_player(session, game, player_name) if player_name else None
    at = position(app, game)
    return _plain(app, session, game, at.engine, view_of(game, at, own)) + _unreachable(session, game)


def _unreachable(session: Session, game: Game) -> str:
    """Name the players whose mails come back: they may never have been asked for a move."""
    returned = bounces.marked(session)
    seated = [player.name for player, _ in game_mails.seated(session, game)
              if player_queries.address_of(session, player.id) in returned]  # fmt: skip
    return "".join(f'Mails to {name} come back: gm player show "{name}"\n' for name in seated)


def _plain(app: App, session: Session, game: Game, engine: AnyEngine, view: View) -> str:
    from gm.messages.outgoing import Part
    from gm.messages.rendering.plain_text import Plain

    part = Part(template="", engine=engine, names=game_mails.names_by_seat(session, game))
    speaker = part.speaker(app.settings.service.language)
    return "".join(Plain().section(speaker.part(section)) for section in view.sections)
