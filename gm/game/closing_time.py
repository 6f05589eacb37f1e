"""When a round closes by itself, and what keeps it open."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from sqlmodel import Session, col, select

from games import AnyEngine
from gm.app.context import App
from gm.game.position import Position, is_released
from gm.store.queries import (
    mail_queries,
    player_queries,
    question_queries,
    seat_queries,
    sheet_queries,
    thread_queries,
    turn_queries,
)
from gm.store.tables import Game, MailIn

MOST_PUT_ASIDE: Final = 50
"""So many mails are looked at for what may be a missing move."""
MOST_READ: Final = 64 * 1024


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
    return engine.rules.unit != "round" and bool(question_queries.held_moves(session, game))


def is_paused(app: App, game: Game) -> bool:
    """Say whether the GM has stopped the clock for a while and that while isn't over."""
    return game.paused_until is not None and app.now() < game.paused_until


def _early(app: App, session: Session, game: Game, at: Position) -> datetime | None:
    due = at.engine.due(at.state)
    filed = sheet_queries.sheets_on_file(session, game)
    seats = [seat for seat in seat_queries.seats(session, game) if seat.number in due]
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


class Unclear(NamedTuple):
    """What may be a missing move: a mail put aside, or a question of ours whose a move is."""

    seat: int | None
    """The seat whose player it is about; None where nobody can read who sent it."""
    why: str
    """For the GM, with the line to look at it."""


def waiting_for(app: App, session: Session, game: Game, instant: datetime) -> str:
    """Say, for the GM, what may be the move of a seat that has none, while a round waits for it at its ZAT."""
    if app.now() >= instant + app.settings.deadlines.hold:
        return ""
    return next((one.why for one in unclear(app, session, game, instant)), "")


def standing_still(app: App, session: Session, game: Game, at: Position) -> str:
    """Say, for the GM, why a round whose time is over isn't closed."""
    instant = closing_instant(app, session, game, at)
    is_over = instant is not None and app.now() > instant
    return waiting_for(app, session, game, instant) if instant and is_over else ""


def unclear(app: App, session: Session, game: Game, instant: datetime) -> list[Unclear]:
    """List what may be the missing moves of a round, as far as it came inside it."""
    filed = sheet_queries.sheets_on_file(session, game)
    missing = {seat.number: seat.player_id for seat in seat_queries.seats(session, game) if seat.number not in filed}
    if not missing:
        return []
    opened = turn_queries.current_turn(session, game).at
    found = _put_aside(app, session, game, missing, (opened, instant))
    kinds = (question_queries.WHICH_PLAYER, question_queries.UNKNOWN_SENDER)
    for question in question_queries.questions_about(session, game, *kinds):
        arrived = datetime.fromisoformat(question.payload["received"])
        if opened < arrived <= instant:
            why = f"{question.address} was asked whose a move is that may be a missing one: gm todo"
            found += [Unclear(seat, why) for seat in question.payload["seats"] if seat in missing]
    return found


def _put_aside(
    app: App, session: Session, game: Game, missing: Mapping[int, int], window: tuple[datetime, datetime]
) -> list[Unclear]:
    """List the mails of these seats' players that were put aside in between, and what names the game but no sender."""
    last = mail_queries.last_put_aside_at(session)
    if last is None or last <= window[0]:
        return []
    rows = select(MailIn).where(
        col(MailIn.status).in_(mail_queries.PUT_ASIDE), col(MailIn.received_at) > window[0],
        col(MailIn.received_at) <= window[1],
    )  # fmt: skip
    found = []
    for row in session.exec(rows.order_by(col(MailIn.id)).limit(MOST_PUT_ASIDE)):
        kind = "in quarantine" if row.status == "quarantined" else "that waits for its sender's word"
        why = f"mail {row.id} {kind} may be a missing move: gm mail show {row.id}"
        writers = {player.id for player in player_queries.players_at(session, row.sender)} if row.sender else set()
        found += [Unclear(seat, why) for seat, player_id in missing.items() if player_id in writers]
        if not row.sender and _names(app, session, game, row):
            found.append(Unclear(None, why))
    return found


def _names(app: App, session: Session, game: Game, row: MailIn) -> bool:
    """Say whether a mail that nobody can read names a game, its title, or is in its thread."""
    from parsers.mime.message import read_head

    head = read_head(row.raw)
    thread = thread_queries.game_of_thread(session, (head.in_reply_to, *head.references))
    if thread is not None:
        return thread.id == game.id
    said = f"{head.subject} {row.raw[:MOST_READ].decode('utf-8', 'replace')}".casefold()
    return any(name.casefold() in said for name in (game.name, app.engine(game.engine).rules.title))
