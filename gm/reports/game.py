"""A game for spectators or through one seat's eyes: as text, or as plain JSON (`gm show`, interface.md).

What only JSON or a seat needs is imported there: most often spectators' text is wanted, and people wait for it.
"""

from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlmodel import Session

from games.api import SPECTATOR, Outcome, View
from games.api import Seat as SeatNumber
from gm.app.context import App, local_iso
from gm.app.recorded_rules import is_same_version
from gm.game.position import Position, position
from gm.messages.rendering.plain_text import Plain
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences import SENTENCES
from gm.store.queries import duty_queries, holder_queries, seat_queries, sheet_queries
from gm.store.queries.player_queries import is_unreachable
from gm.store.tables import Game, Seat


def show(app: App, session: Session, game: Game, player_name: str | None = None) -> dict[str, Any]:
    """Describe a game. `player_name` adds to that player's seat what it alone may see. Raises Refused."""
    from gm.game import closing_time
    from gm.reports.games import state_of

    engine = app.engine(game.engine)
    own = _seat_of(session, game, player_name)
    head: dict[str, Any] = {
        "game": game.engine,
        "title": engine.rules.title,
        "name": game.name,
        "status": game.status,
        "held": state_of(app, session, game).why or None,
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


def _seat_of(session: Session, game: Game, player_name: str | None) -> Seat | None:
    if player_name is None:
        return None
    from gm.game.seats import seat_of_player

    return seat_of_player(session, game, player_name)


def _with_recorded_points(at: Position, view: View) -> View:
    """Show the points of a result as its own rules counted them, if they aren't those that are here."""
    if at.outcome is None or is_same_version(at.engine, at.turn):
        return view
    from gm.game.replayed_step import POINTS

    recorded = at.turn.result["points"]
    facts = {seat: {name: recorded.get(str(seat), value) if name in POINTS else value for name, value in own.items()}
             for seat, own in view.seat_facts.items()}  # fmt: skip
    return replace(view, seat_facts=facts)


def view_of(game: Game, at: Position, own: Seat | None) -> View:
    """Show the position to a seat, with its move on file, or to spectators."""
    if own is None:
        return at.engine.view(at.state, SPECTATOR)
    return at.engine.view(at.state, SeatNumber(own.number), _on_file(game, at, own.number))


def _on_file(game: Game, at: Position, seat: int) -> Any | None:
    from gm.game.moves_on_file import move_on_file

    return move_on_file(game, at, seat)


def _seats(session: Session, game: Game, view: View | None, due: frozenset[Any]) -> list[Any]:
    filed = sheet_queries.sheets_on_file(game)
    history, missed = seat_queries.seat_history(game), duty_queries.missed_rounds(session, game)
    return [
        {
            "seat": seat.number,
            "player": seat.player.name,
            "moved": seat.number in filed and seat.number in due,
            "waiting": seat.intent == "wait" and seat.intent_round == game.round,
            "history": [name for name, _ in groupby(history[seat.number])],
            "nmr": missed.get(seat.number, []),
            **({"vacant": True} if seat.until is not None else {}),
            **({"unreachable": True} if is_unreachable(seat.player) else {}),
            **({"wished": seat.entry is not None} if view is None else {}),
            **(view.seat_facts.get(SeatNumber(seat.number), {}) if view else {}),
        }
        for seat in seat_queries.holders(game)
    ]


def _result(session: Session, game: Game, outcome: Outcome | None) -> dict[str, Any]:
    if outcome is None:
        return {"standings": [], "doubtful": []}
    names = holder_queries.names_by_seat(session, game)
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
    seated = [seat.player.name for seat in seat_queries.seats(game)]
    if game.turn is None:
        return f"{game.name} is open for sign-up; seated: {', '.join(seated) or 'nobody yet'}\n"
    own = _seat_of(session, game, player_name)
    at = position(app, game)
    wording = {**SENTENCES, **at.engine.wording}
    names = holder_queries.names_by_seat(session, game)
    speaker = Speaker(language=app.settings.service.language, wording=wording, names=names)
    shown = "".join(Plain().section(speaker.part(section)) for section in view_of(game, at, own).sections)
    return shown + _unreachable(game)


def _unreachable(game: Game) -> str:
    """Name the players whose mails come back: they may never have been asked for a move."""
    returned = [seat.player.name for seat in seat_queries.seats(game) if is_unreachable(seat.player)]
    return "".join(f'Mails to {name} come back: gm player show "{name}"\n' for name in returned)
