"""When a round closes by itself, and what keeps it open."""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session

from games import AnyEngine
from gm.app.context import App
from gm.game import missing_moves
from gm.game.position import Position, is_released
from gm.store.queries import question_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Game

SECOND: Final = timedelta(seconds=1)
"""INTERNALDATE knows whole seconds: only a fetch begun a second later has seen all of that second's mails."""


def closing_instant(app: App, session: Session, game: Game, at: Position) -> datetime | None:
    """Compute when the present round closes: at its ZAT, or earlier, some time after the last move has come in.

    None while the clock stands still.
    """
    if game.status != "running" or game.held or waits_for_gm(game, at.engine) or not is_released(at.turn):
        return None  # the clock stands still while the GM has to decide
    if is_paused(app, game):
        return None
    early = _early(app, session, game, at)
    instants = [instant for instant in (game.zat, early) if instant is not None]
    if not instants:
        return None
    # A round doesn't close as of an instant in a pause: moves that came in it are in time.
    return max(min(instants), game.paused_until or min(instants))


def waits_for_gm(game: Game, engine: AnyEngine) -> bool:
    """Check whether a move of a game that plays in turns waits for the GM to rule on a word."""
    return engine.rules.unit != "round" and bool(question_queries.held_moves(game))


def is_paused(app: App, game: Game) -> bool:
    """Check whether the GM has stopped the clock for a time that isn't over."""
    return game.paused_until is not None and app.now() < game.paused_until


def paused_until(app: App, game: Game) -> datetime | None:
    """Return until when a game is paused; None where it isn't."""
    return game.paused_until if is_paused(app, game) else None


def _early(app: App, session: Session, game: Game, at: Position) -> datetime | None:
    due = at.engine.due(at.state)
    filed = sheet_queries.sheets_on_file(game)
    seats = [seat for seat in seat_queries.seats(game) if seat.number in due]
    intents = [seat.intent if seat.intent_round == game.round else "" for seat in seats]
    sheets = [
        filed[seat.number] for seat, intent in zip(seats, intents, strict=True)
        if seat.number in filed and filed[seat.number].complete
        # A standby may think over what the predecessor left, until the ZAT or an own word.
        and (filed[seat.number].player_id == seat.player_id or intent == "ready")
    ]  # fmt: skip
    vacant = due - {seat.number for seat in seats}
    if len(sheets) < len(due) - len(vacant) or not sheets:
        return None
    if vacant and vacant - turn_queries.abandoned_seats(session, [game.id]).get(game.id, set()):
        return None  # a standby may come
    all_ready = bool(intents) and all(intent == "ready" for intent in intents)
    may_close = app.settings.deadlines.close_early and not game.reopened
    if "wait" in intents or not (may_close or all_ready):
        return None
    last = max(sheet.received_at for sheet in sheets)
    return last if all_ready else last + app.settings.deadlines.settle


def standing_still(app: App, session: Session, game: Game, at: Position) -> str:
    """Describe for the GM why a round whose time is over isn't closed; "" if nothing keeps it open."""
    instant = closing_instant(app, session, game, at)
    if instant is None or app.now() <= instant:
        return ""
    return missing_moves.waiting_for(app, session, game, instant)
