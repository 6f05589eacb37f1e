"""Reminders: some time before the ZAT, to those whose move is missing, once each."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from games.api import Seat as SeatNumber
from gm.app import App
from gm.errors import OperatorError
from gm.play import judging, sheets, turns
from gm.publish import bulletins
from gm.publish.post import Occasion, Part, post, recipient
from gm.store import queries
from gm.store.tables import Game, Player, Seat


def remind(app: App) -> None:
    """Queue the reminders that are due. Of several that a downtime has made due, the last one is enough."""
    now = app.now()
    earliest = max(app.settings.deadlines.reminders, default=timedelta())
    with app.database.read() as session:
        near = select(Game.id).where(
            Game.status == "running", Game.held == "", col(Game.zat) > now, col(Game.zat) <= now + earliest
        )
        games = [session.get_one(Game, game_id) for game_id in session.exec(near).all()]
        found = [game.id for game in games if _is_due(app, session, game) and _late_seats(app, session, game)]
    for game_id in found:
        with app.database.write() as session:
            game = session.get_one(Game, game_id)
            if span := _is_due(app, session, game):
                for at, seat in _late_seats(app, session, game):
                    _remind(app, session, game, at, seat, _cause(game, span))


def _is_due(app: App, session: Session, game: Game) -> timedelta | None:
    """Say which reminder of the present round is due and was not sent; none where the round began later than that."""
    now = app.now()
    if game.zat is None or game.held or (game.paused_until and now < game.paused_until):
        return None
    opened = _opened(session, game)
    spans = [span for span in app.settings.deadlines.reminders if opened < game.zat - span <= now < game.zat]
    span = min(spans, default=None)
    return span if span and not queries.was_mailed(session, _cause(game, span)) else None


def _opened(session: Session, game: Game) -> datetime:
    """Say when players were asked for the present move: whoever has just been asked needs no reminder."""
    turn = queries.current_turn(session, game)
    return turn.released_at or turn.at


def _cause(game: Game, span: timedelta) -> str:
    assert game.zat is not None
    return f"remind:{game.id}:{game.turn}:{game.version}:{game.zat.isoformat()}:{span.total_seconds():.0f}"


def _late_seats(app: App, session: Session, game: Game) -> list[tuple[turns.Position, Seat]]:
    """List the seats whose move is missing, or lacks something."""
    try:
        at = turns.position(app, session, game)
    except OperatorError:  # told where the game is to be closed
        return []
    if not turns.is_released(at.turn) or turns.waits_for_gm(session, game, at.engine):
        return []
    filed, due = queries.sheets_on_file(session, game), at.engine.due(at.state)
    complete = {number for number, sheet in filed.items() if sheet.complete}
    return [(at, seat) for seat in queries.seats(session, game) if seat.number in due - complete]


def _remind(app: App, session: Session, game: Game, at: turns.Position, seat: Seat, cause: str) -> None:
    """Remind a player, with the position and the block to copy."""
    number, player = SeatNumber(seat.number), session.get_one(Player, seat.player_id)
    to = recipient(app, session, player, game)
    own = sheets.move_on_file(session, game, at, seat.number)
    words = judging.judge(app, session, game)
    context = {
        **bulletins.frame_context(app, game, at.engine, to.language),
        **bulletins.position_context(app, game, at.engine, at.state, number, words, own=own),
        "incomplete": own is not None,
    }  # fmt: skip
    part = Part(
        template="reminder", context=context, engine=at.engine, names=bulletins.names_by_seat(session, game), own=number
    )
    stand = at.engine.stand(at.state, number)
    post(app, session, Occasion(cause=cause, kind="reminder", game=game, opens_round=stand), to, [part])
