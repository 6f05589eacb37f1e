"""When a round closes by itself, and what keeps it open."""

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, col, select

from games import AnyEngine
from gm.app import App
from gm.play.position import Position, is_released
from gm.store import inquiries, mail_log, queries, records
from gm.store.tables import Address, Game, MailIn


def closing_instant(app: App, session: Session, game: Game, at: Position) -> datetime | None:
    """Say when the present round closes: its ZAT, or earlier when all moves are in and had time to settle."""
    if game.status != "running" or game.held or waits_for_gm(session, game, at.engine) or not is_released(at.turn):
        return None  # the clock stands still while the GM has to decide
    if is_paused(app, game):
        return None
    early = _early(app, session, game, at)
    instants = [instant for instant in (game.zat, early) if instant is not None]
    # Nothing closes with an instant at which the clock stood still: what came then is in time.
    return max(min(instants), game.paused_until or min(instants)) if instants else None


def waits_for_gm(session: Session, game: Game, engine: AnyEngine) -> bool:
    """Say whether a move of a game that plays in turns waits for the GM's word on a word."""
    return engine.rules.unit != "round" and bool(inquiries.held_moves(session, game))


def is_paused(app: App, game: Game) -> bool:
    """Say whether the GM has stopped the clock for a while and that while isn't over."""
    return game.paused_until is not None and app.now() < game.paused_until


def _early(app: App, session: Session, game: Game, at: Position) -> datetime | None:
    due = at.engine.due(at.state)
    filed = queries.sheets_on_file(session, game)
    seats = [seat for seat in queries.seats(session, game) if seat.number in due]
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
    if vacant and vacant - records.left_behind(session, [game.id]).get(game.id, {}).keys():
        return None  # a standby may come
    all_ready = bool(intents) and all(intent == "ready" for intent in intents)
    may_close = app.settings.deadlines.close_early and not game.reopened
    if "wait" in intents or not (may_close or all_ready):
        return None
    last = max(sheet.received_at for sheet in sheets)
    return last if all_ready else last + app.settings.deadlines.settle


def waiting_for(app: App, session: Session, game: Game, instant: datetime) -> str:
    """Say, for the GM, what may hold the move of a seat that has none: a mail in quarantine, a question of ours."""
    if app.now() >= instant + app.settings.deadlines.hold:
        return ""
    filed = queries.sheets_on_file(session, game)
    missing = {seat.number: seat.player_id for seat in queries.seats(session, game) if seat.number not in filed}
    if not missing:
        return ""
    opened = queries.current_turn(session, game).at
    if status := _put_aside(session, missing.values(), opened, instant):
        kind = "in quarantine" if status == "quarantined" else "that waits for its sender's word"
        return f"a mail {kind} may hold a missing move: gm mail list --status {status}"
    for question in inquiries.questions_about(session, game, inquiries.WHO, inquiries.STRANGER):
        arrived = datetime.fromisoformat(question.payload["received"])
        if opened < arrived <= instant and not missing.keys().isdisjoint(question.payload["seats"]):
            return f"{question.address} was asked whose a move is that may be a missing one"
    return ""


def _put_aside(session: Session, player_ids: Collection[int], opened: datetime, instant: datetime) -> str | None:
    """Say as what the first mail of these players was put aside that came in between, if there is any."""
    last = mail_log.last_put_aside(session)
    if last is None or last <= opened:
        return None
    addresses = select(Address.address).where(col(Address.player_id).in_(player_ids))
    rows = select(MailIn.status).where(
        col(MailIn.status).in_(mail_log.PUT_ASIDE), col(MailIn.sender).in_(addresses),
        col(MailIn.received_at) > opened, col(MailIn.received_at) <= instant,
    )  # fmt: skip
    return session.exec(rows.order_by(col(MailIn.id))).first()
