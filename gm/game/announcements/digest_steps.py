"""The steps that daily digests are to tell: who hears of which, as which seat, and which digest has told it."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, delete, select

from gm.app.context import App
from gm.game.announcements.announced_step import Step
from gm.game.deadlines import next_time
from gm.messages.outgoing import Draft
from gm.store.tables import DigestStep, MailOut, Turn

UNTOLD: Final = col(DigestStep.told_by) == ""


def note(app: App, step: Step, bulletins: Sequence[Draft]) -> None:
    """Leave what these bulletins tell to their readers' next digests: a row a reader and step, written once.

    Who has moved at once was answered, and hears of the other steps only.
    """
    if not bulletins:
        return
    turns = {told.turn.id: told.turn for told in step.told}
    rows = select(DigestStep.player_id, DigestStep.turn_id).where(col(DigestStep.turn_id).in_(turns))
    noted = set(step.session.exec(rows))
    for one in bulletins:
        seat = one.parts[0].own
        heard = [turn for turn in turns.values() if turn.kind != "act" or turn.input["seat"] != seat]
        step.session.add_all(
            DigestStep(
                player_id=one.to.player_id, game_id=step.game.id, turn_id=turn.id, seat=seat,
                due_at=next_time(app, one.to.daily_at),
            )
            for turn in heard if one.to.player_id is not None and (one.to.player_id, turn.id) not in noted
        )  # fmt: skip
    step.session.flush()


def untold(session: Session, player_id: int) -> Sequence[DigestStep]:
    """List what a player is still to be told, in the order in which it was noted."""
    rows = select(DigestStep).where(DigestStep.player_id == player_id, UNTOLD)
    return session.exec(rows.order_by(col(DigestStep.id))).all()


def players_due(session: Session, now: datetime) -> Sequence[int]:
    """List the players whose digest is due."""
    rows = select(DigestStep.player_id).where(UNTOLD, DigestStep.due_at <= now)
    return session.exec(rows.distinct().order_by(col(DigestStep.player_id))).all()


def told(session: Session, turns: Collection[Turn]) -> list[tuple[Turn, str, datetime]]:
    """Return which of these steps a digest has told to whom: the step, the reader as a recipient, and when."""
    by_id = {turn.id: turn for turn in turns}
    rows = (
        select(DigestStep.turn_id, DigestStep.player_id, MailOut.created_at)
        .join(MailOut, col(MailOut.message_id) == col(DigestStep.told_by))
        .where(col(DigestStep.turn_id).in_(by_id), col(MailOut.status).in_(("sent", "queued")))
    )
    found = session.exec(rows.order_by(col(DigestStep.id)))
    return [(by_id[turn_id], str(player_id), at) for turn_id, player_id, at in found]


def postpone(session: Session, steps: Sequence[DigestStep]) -> None:
    """Let a later digest tell these steps: the one of the next day."""
    for step in steps:
        step.due_at += timedelta(days=1)
        session.add(step)
    session.flush()


def forget(session: Session, turn_ids: Collection[int]) -> None:
    """Tell nobody of these steps any more: they were taken back, or made again."""
    if turn_ids:
        session.execute(delete(DigestStep).where(col(DigestStep.turn_id).in_(turn_ids), UNTOLD))


def forget_reader(session: Session, player_id: int) -> None:
    """Tell a player nothing any more, who has left or can't be reached."""
    session.execute(delete(DigestStep).where(col(DigestStep.player_id) == player_id, UNTOLD))
