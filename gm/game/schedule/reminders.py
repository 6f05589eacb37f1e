"""Reminders: some time before the ZAT, to those whose move is missing, once each."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from games.api import Language, MoveBlock
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import closing_time, moves_on_file, word_judge
from gm.game.position import Position, is_released, position
from gm.messages import game_mails
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import recipient
from gm.messages.rendering.own_view import own_view
from gm.players.site_directory import game_page
from gm.runtime.errors import OperatorError
from gm.store.queries import mail_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Game, MailOut, Player, Seat, Turn


def due(app: App, session: Session, games: Sequence[Game]) -> set[int]:
    """Find those of these running games in which a reminder is due and wasn't sent yet."""
    causes = {_cause(game, span): game for game in games if (span := _due_span(app, game))}
    done = select(MailOut.cause).where(col(MailOut.cause).in_(causes)).distinct()
    mailed = set(session.exec(done)) if causes else set()
    return {game.id for cause, game in causes.items() if cause not in mailed and _to_remind(app, session, game)}


def next_reminder(app: App, game: Game) -> datetime | None:
    """Return when the next reminder of the present ZAT may be due."""
    if game.zat is None or game.held:
        return None
    times = [game.zat - span for span in app.settings.deadlines.reminders]
    return min((time for time in times if time > app.now()), default=None)


def remind(app: App, game_id: int) -> None:
    """Queue a game's reminders that are due. If a downtime has made several due, only the last one is sent."""
    with app.database.write() as session:
        game = session.get_one(Game, game_id)
        span = _due_span(app, game) if game.status == "running" else None
        if span is None or mail_queries.queued_for(session, _cause(game, span)):
            return
        for at, seat in _to_remind(app, session, game):
            _remind(app, session, game, at, seat, _cause(game, span))


def _due_span(app: App, game: Game) -> timedelta | None:
    """Return the reminder that is due now, by its time before the ZAT: of several the one nearest to the ZAT."""
    if game.zat is None or game.held or closing_time.is_paused(app, game):
        return None
    return min(
        (span for span in app.settings.deadlines.reminders if game.zat - span <= app.now() < game.zat), default=None
    )


def _cause(game: Game, span: timedelta) -> str:
    assert game.zat is not None
    return f"remind:{game.id}:{game.round}:{game.zat.isoformat()}:{span.total_seconds():.0f}"


def _to_remind(app: App, session: Session, game: Game) -> list[tuple[Position, Seat]]:
    """List the seats to remind now: not those seated, or told of this ZAT, only after the reminder's time."""
    span = _due_span(app, game)
    if span is None or game.zat is None:
        return []
    time = game.zat - span
    late = [(at, seat) for at, seat in _late_seats(app, session, game) if seat.since < time]
    return late if late and _zat_told_at(session, game) < time else []


def _zat_told_at(session: Session, game: Game) -> datetime:
    """Return when players were told of the present ZAT: by the bulletin of its step, or when it was moved."""
    turn = turn_queries.current_turn(session, game)
    asked = select(func.min(Turn.released_at)).where(
        Turn.game_id == game.id, Turn.round == turn.round, col(Turn.zat) == game.zat, col(Turn.undone_at).is_(None)
    )
    moved = select(func.max(MailOut.created_at)).where(
        MailOut.game_id == game.id, col(MailOut.kind).in_(("zat", "paused", "resumed"))
    )
    return max(filter(None, (session.exec(asked).one() or turn.at, session.exec(moved).one())))


def _late_seats(app: App, session: Session, game: Game) -> list[tuple[Position, Seat]]:
    """List the seats whose move is missing, or lacks something."""
    try:
        at = position(app, session, game)
    except OperatorError:  # told where the game is to be closed
        return []
    if not is_released(at.turn) or closing_time.waits_for_gm(session, game, at.engine):
        return []
    filed, due = sheet_queries.sheets_on_file(session, game), at.engine.due(at.state)
    complete = {number for number, sheet in filed.items() if sheet.complete}
    return [(at, seat) for seat in seat_queries.seats(session, game) if seat.number in due - complete]


def _remind(app: App, session: Session, game: Game, at: Position, seat: Seat, cause: str) -> None:
    """Remind a player, with the own position and the block to copy."""
    number, player = SeatNumber(seat.number), session.get_one(Player, seat.player_id)
    language = recipient(app, session, player, game).language
    own = moves_on_file.move_on_file(session, game, at, seat.number)
    position = game_mails.position_context(app, session, game, at.state, number, language, own=own)
    refused = mail_queries.refused_mail(session, game, player.id, at.turn.released_at or at.turn.at)
    context = {
        **position, "view": own_view(position["view"], number), "incomplete": own is not None, "wanted": (),
        "refused": refused.received_at if refused else None, "page": game_page(app, game),
    }  # fmt: skip
    if own is not None:
        context |= _what_is_missing(app, session, game, at, number, own, language)
    stand = at.engine.stand(at.state, number)
    mail = GameMail(template="reminder", cause=cause, context=context, opens_round=stand)
    game_mails.send(app, session, game, mail, player, seat.number)


def _what_is_missing(
    app: App, session: Session, game: Game, at: Position, number: SeatNumber, own: Any, language: Language
) -> dict[str, Any]:
    """Return what a move lacks, with the block as it was sent: an empty one, sent back, would take the move back."""
    lines = tuple(sheet_queries.sheets_on_file(session, game)[number].lines)
    words = word_judge.judge(app, session, game)
    block = game_mails.offered_block(session, game, at.engine, at.state, number, lines, language)
    return {
        "wanted": at.engine.read(at.state, number, MoveBlock(lines=lines), words, own).wanted,
        "block": block, "mailto": game_mails.mailto(app.settings.service.address, game.name, block),
    }  # fmt: skip
