"""Corrections: what a bulletin says of an earlier one that it replaces.

A step may be announced twice: the GM took it back and it was made again, or the GM ruled on the words of a result.
Readers of the first mail are told which one it replaces, what was ruled, and whose sum has changed. Those who never got
it aren't.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, select

from games.api import Outcome, Text, say
from games.api import Seat as SeatNumber
from gm.game import word_judge
from gm.game.announcements import digest_steps
from gm.game.announcements.announced_step import Step
from gm.messages import ruling_texts
from gm.store.json_values import decode
from gm.store.queries import turn_queries
from gm.store.tables import MailOut, Player, Turn

ARRIVES: Final = ("sent", "queued")
"""The statuses of a mail that reaches its reader before the one that is written now."""
TELL_OF_A_STEP: Final = ("bulletin", "turn", "final", "without")
OF_A_ROUND: Final = ("resolve", "rule")


@dataclass(frozen=True, kw_only=True)
class Correction:
    """What a bulletin says about the one that was sent before."""

    sent: datetime
    """When the earlier one was written."""
    was_announced: bool
    """The earlier one was provisional and said that another would follow, so nothing was wrong."""
    changes: tuple[Text, ...]
    """The words ruled on, and the sums that have changed."""


@dataclass(frozen=True)
class Earlier:
    """The mails that a step's bulletins replace: the newest by recipient, with its step and when it was written."""

    step: Step
    mails: Mapping[str, tuple[Turn, datetime]]

    def correction(self, player: Player) -> Correction | None:
        """Return the correction for a player; None if nothing was sent before."""
        found = self.mails.get(str(player.id))
        return self._against(*found) if found else None

    def for_all(self) -> Correction | None:
        """Return the correction of the newest mail; None if nothing was sent before."""
        found = max(self.mails.values(), key=lambda mail: mail[0].id, default=None)
        return self._against(*found) if found else None

    def _against(self, before: Turn, sent: datetime) -> Correction:
        turn, after = self.step.turn, self.step.outcome
        outcome = self._outcome(before) if after else None
        known = word_judge.verdicts_until(self.step.session, before) if after else {}
        texts = ruling_texts.of_rulings(known, turn.verdicts) if after else []
        return Correction(
            sent=sent, was_announced=before.undone_at is None and bool(outcome and outcome.doubtful),
            changes=(*texts, *changed_sums(before, turn, after)),
        )  # fmt: skip

    def _outcome(self, before: Turn) -> Outcome | None:
        """Return the earlier result; None where other rules made it."""
        engine = self.step.engine
        if before.rules_version != engine.rules.version:
            return None
        return engine.outcome(decode(engine.state_type, before.state))


def changed_sums(before: Turn, turn: Turn, outcome: Outcome | None = None) -> list[Text]:
    """List the seats whose points have changed, as they were noted with both steps; a result in its new ranking."""
    old, new = (one.result.get("points", {}) for one in (before, turn))
    ranked = [int(standing.seat) for standing in outcome.standings] if outcome else sorted(map(int, new))
    sums = ((seat, new.get(str(seat)), old.get(str(seat))) for seat in ranked)
    return [
        say("CHANGED_SUM", seat=SeatNumber(seat), points=points, before=was)
        for seat, points, was in sums if points is not None and was is not None and points != was
    ]  # fmt: skip


def earlier(step: Step) -> Earlier:
    """Look up what was sent before about a step, or about one that was taken back for it."""
    found: dict[str, tuple[Turn, datetime]] = {}
    if turns := {f"turn:{turn.id}": turn for turn in replaced(step)}:
        found = {recipient: (turn, at) for turn, recipient, at in digest_steps.told(step.session, [*turns.values()])}
        rows = select(MailOut.recipient, MailOut.kind, MailOut.cause, MailOut.created_at).where(
            col(MailOut.cause).in_(turns), col(MailOut.kind).in_(TELL_OF_A_STEP), col(MailOut.status).in_(ARRIVES)
        )  # fmt: skip
        for recipient, kind, cause, created_at in step.session.exec(rows.order_by(col(MailOut.id))):
            if (kind == "without") == (step.kind == "without"):
                found[recipient] = turns[cause], created_at
    return Earlier(step, found)


def replaced(step: Step) -> list[Turn]:
    """List the earlier versions of a step, and the closings of the same round that were taken back.

    Those may have other numbers, if there were steps within the round: a roll, or a seat that was given up.
    """
    session, turn = step.session, step.turn
    if turn.version == 1 and not _may_have_moved(session, turn):
        return []  # as nearly always
    closed = turn_queries.round_before(session, turn)
    return [
        one for one in turn_queries.turns(session, step.game)
        if one.id < turn.id and (one.number == turn.number or _was_same(session, one, turn, closed))
    ]  # fmt: skip


def _may_have_moved(session: Session, turn: Turn) -> bool:
    """Check whether the round that a step closes may have been closed before under another number."""
    before = max(
        turn_queries.step_versions(session, turn.game_id, turn.number - 1), key=lambda one: one.id, default=None
    )
    is_within = turn.kind in OF_A_ROUND and before is not None and before.kind in ("act", "resign", "rule")
    return is_within and turn_queries.was_ever_undone(session, turn.game_id)


def _was_same(session: Session, one: Turn, turn: Turn, closed: int | None) -> bool:
    is_closing = one.kind in OF_A_ROUND and turn.kind in OF_A_ROUND
    return is_closing and one.undone_at is not None and turn_queries.round_before(session, one) == closed
