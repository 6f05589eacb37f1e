"""Corrections: what a bulletin says has changed since an earlier one that it replaces.

A step may be announced twice: the GM took it back and it was made again, or the GM ruled on the words of a result.
Readers of the first mail are told what has changed in what they may see. Those who never got it aren't.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session, col, select

from games.api import SPECTATOR, Outcome, Text, Viewer, say
from games.api import Seat as SeatNumber
from gm.game.announcements.announced_step import Step
from gm.messages import held_mails, view_changes
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences.table import SENTENCES
from gm.store.json_values import decode
from gm.store.queries import duty_queries, seat_queries, turn_queries
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
    is_known: bool
    """Whether `changes` says what is different. It can't if the rules of the game have changed since."""
    zat: datetime | None
    """The deadline in the earlier one, if it has changed."""
    changes: tuple[Text, ...]


@dataclass(frozen=True)
class Earlier:
    """The mails that a step's bulletins replace: the newest by recipient, with its step and when it was written."""

    step: Step
    mails: Mapping[str, tuple[Turn, datetime]]
    missed: Sequence[str]
    """The players who are noted NMR now."""

    def correction(self, player: Player, viewer: Viewer) -> Correction | None:
        """Return the correction for a player who sees the game as `viewer` now; None if nothing was sent before."""
        found = self.mails.get(str(player.id))
        return self._against(*found, self._viewer_then(player, viewer, found[1])) if found else None

    def for_spectators(self) -> Correction | None:
        """Return the correction for spectators; None if nothing was sent before."""
        found = max(self.mails.values(), key=lambda mail: mail[0].id, default=None)
        return self._against(*found, SPECTATOR) if found else None

    def _viewer_then(self, player: Player, viewer: Viewer, sent: datetime) -> Viewer:
        """Return as whom a player saw the earlier mail: as a spectator, if not in this seat yet."""
        seats = seat_queries.seats(self.step.session, self.step.game)
        sat = any(seat.number == viewer and seat.player_id == player.id and seat.since <= sent for seat in seats)
        return viewer if sat else SPECTATOR

    def _against(self, before: Turn, sent: datetime, viewer: Viewer) -> Correction:
        step, engine = self.step, self.step.engine
        if before.rules_version != engine.rules.version:
            return Correction(sent=sent, was_announced=False, is_known=False, zat=None, changes=())
        state = decode(engine.state_type, before.state)
        outcome = engine.outcome(state)
        was_announced = before.undone_at is None and bool(outcome and outcome.doubtful)
        standings = view_changes.of_standings(outcome, step.outcome)
        texts = view_changes.of_rulings(before.verdicts, step.turn.verdicts) if step.outcome else []
        if was_announced:  # all that hung on a word has changed: who wants to know looks into the result
            texts += standings.values()
        else:
            texts += self._changes(before, state, outcome, viewer, standings)
        return Correction(
            sent=sent, was_announced=was_announced, is_known=True,
            zat=before.zat if before.zat != step.turn.zat else None, changes=view_changes.shortened(texts),
        )  # fmt: skip

    def _changes(
        self, before: Turn, state: Any, outcome: Outcome | None, viewer: Viewer, standings: Mapping[SeatNumber, Text]
    ) -> Iterator[Text]:
        step, engine = self.step, self.step.engine
        if bool(outcome) != bool(step.outcome):
            yield say("CHANGED_OVER") if step.outcome else say("CHANGED_NOT_OVER")
        if before.undone_at:  # a ruling leaves everybody's NMR as it is
            yield from view_changes.of_missed(duty_queries.missed_in_undone(step.session, before), self.missed)
        yield from standings.values()
        speaker = Speaker(language="de", wording={**SENTENCES, **engine.wording}, names=step.names)
        old, new = engine.view(state, viewer), engine.view(step.state, viewer)
        yield from view_changes.of_views(old, new, speaker, standings)


def earlier(step: Step, missed: Sequence[str]) -> Earlier:
    """Look up what was sent before about a step, or about one that was taken back for it."""
    turns = {f"turn:{turn.id}": turn for turn in _replaced(step)}
    rows = select(MailOut.recipient, MailOut.kind, MailOut.cause, MailOut.created_at).where(
        col(MailOut.cause).in_(turns), col(MailOut.kind).in_(TELL_OF_A_STEP), held_mails.arrives(ARRIVES)
    )  # fmt: skip
    found: dict[str, tuple[Turn, datetime]] = {}
    for recipient, kind, cause, created_at in step.session.exec(rows.order_by(col(MailOut.id))) if turns else ():
        if (kind == "without") == (step.kind == "without"):
            found[recipient] = turns[cause], created_at
    return Earlier(step, found, missed)


def drop_replaced(step: Step, recipients: Collection[str]) -> None:
    """Drop what is held for these recipients and what they are told now as it is."""
    if causes := [f"turn:{turn.id}" for turn in _replaced(step)]:
        is_without = step.kind == "without"
        kinds = [kind for kind in TELL_OF_A_STEP if (kind == "without") == is_without]
        held_mails.replace(step.session, causes, kinds, recipients)


def _replaced(step: Step) -> list[Turn]:
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
    is_within = turn.kind in OF_A_ROUND and before is not None and before.kind in ("act", "resign")
    return is_within and turn_queries.was_ever_undone(session, turn.game_id)


def _was_same(session: Session, one: Turn, turn: Turn, closed: int | None) -> bool:
    is_closing = one.kind in OF_A_ROUND and turn.kind in OF_A_ROUND
    return is_closing and one.undone_at is not None and turn_queries.round_before(session, one) == closed
