"""The service's promises as checks that are made after every pass of every story, in memory and on servers.

README names three, mail.md (policies) spells them out. A check says what is wrong in a sentence each.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import fates
import mails_out
import moves
import readers
from evidence import Before, LogLines, Look, Written, before, players_by_address, written
from sqlmodel import Session, col, or_, select

from gm.app.context import App
from gm.app.pass_report import Report
from gm.game.replay import verify
from gm.runtime.errors import StoreError
from gm.store.tables import Game, MailIn, MailOut

MOST_READ = 200
"""Mails of ours that are read word by word in one look; those of a big zine are alike."""
MOST_REPLAYED = 20
"""Games that are replayed at the end of a story; those of a big zine are copies of one another."""


class BrokenPromise(AssertionError):  # noqa: N818  what it is called in the field
    """What a check found after a pass."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One promise, and how it is seen that it is kept."""

    promise: str
    look: Callable[[Look], Iterator[str]]


CHECKS = (
    Check(promise="1: nothing is left unread", look=fates.each_has_a_fate),
    Check(promise="1: no stranger waits without need", look=fates.no_stranger_waits_without_need),
    Check(promise="1: every mail is accounted for", look=fates.each_is_accounted_for),
    Check(promise="1: no player's words are dropped", look=fates.no_players_words_are_dropped),
    Check(promise="2: no NMR over a mail that lies there", look=moves.no_nmr_over_an_unread_mail),
    Check(promise="3: nothing is applied twice", look=moves.nothing_is_applied_twice),
    Check(promise="3: nothing unproven is applied", look=moves.nothing_unproven_is_applied),
    Check(promise="3: a round waits for a mail once", look=moves.no_stranger_moves_the_clock),
    Check(promise="3: what keeps a round is shown", look=moves.what_keeps_a_round_is_shown),
    Check(promise="4: one answer", look=mails_out.a_mail_has_one_answer),
    Check(promise="4: one question to another", look=mails_out.a_mail_asks_one_other),
    Check(promise="4: one notice to the GM", look=mails_out.a_mail_brings_one_notice),
    Check(promise="4: answers are bounded", look=mails_out.answers_are_bounded),
    Check(promise="4: questions are bounded", look=mails_out.questions_are_bounded),
    Check(promise="4: notices are bounded", look=mails_out.notices_are_bounded),
    Check(promise="4: a step is told once", look=mails_out.a_step_is_told_once),
    Check(promise="5: no address in a mail", look=readers.no_address_reaches_another),
    Check(promise="5: no address in the log", look=readers.no_log_line_names_an_address),
    Check(promise="5: no address or hidden move on a page", look=readers.no_page_names_an_address),
    Check(promise="5: no hidden move in a mail", look=readers.no_mail_shows_a_hidden_move),
    Check(promise="5: no hidden move in a view", look=readers.no_view_shows_a_hidden_move),
    Check(promise="5: no hidden move in the log", look=readers.no_log_line_shows_a_move),
)


@dataclass
class _Seen:
    """What the looks at a zine so far have found."""

    mails: dict[int, Written] = field(default_factory=dict)
    players: dict[str, set[int]] = field(default_factory=dict)


class Watch:
    """Looks at the zines of a test before and after each pass."""

    def __init__(self) -> None:
        self.log = LogLines()
        self.is_tampered = False
        """Whether the story at hand writes into the record of its games, or takes their rules away."""
        self._seen: dict[str, _Seen] = {}

    def begins(self, app: App) -> Before:
        """Look at a zine before a pass."""
        with app.database.read() as session:
            found = before(app, session)
        if any(mail_id > found.last_in for mail_id in self._of(app).mails):
            self._seen[app.settings.database.url].mails.clear()  # the database was put back to where it had been
        return found

    def ends(self, app: App, before: Before, report: Report | None) -> None:
        """Look at it after the pass. Raises BrokenPromise with all that is wrong."""
        with app.database.read() as session:
            self.check(self.look(app, session, before, report))

    def look(self, app: App, session: Session, before: Before, report: Report | None) -> Look:
        """Gather what the checks ask for."""
        seen = self._of(app)
        for address, players in (*before.players.items(), *players_by_address(session).items()):
            seen.players.setdefault(address, set()).update(players)
        return Look(
            app=app, session=session, report=report, before=before, players=seen.players,
            handled=self._handled(session, before), mails=self._mails(app, session, seen),
            sent=list(session.exec(select(MailOut).where(col(MailOut.id) > before.last_out).order_by(col(MailOut.id)))),
            most_read=MOST_READ, is_tampered=self.is_tampered,
            logged=self.log.take(),
        )  # fmt: skip

    def check(self, look: Look) -> None:
        """Make all checks. Raises BrokenPromise."""
        faults = [f"{check.promise}: {said}" for check in CHECKS for said in check.look(look)]
        if faults:
            raise BrokenPromise("\n".join(faults))

    def is_over(self, app: App) -> None:
        """Replay the games of a zine at the end of its story: promise 6. Raises BrokenPromise.

        A database that is gone by then has no end.
        """
        if self.is_tampered:
            return
        faults: list[str] = []
        with suppress(StoreError), app.database.read() as session:
            games = session.exec(select(Game).where(col(Game.turn).is_not(None)).limit(MOST_REPLAYED)).all()
            faults += [f"6: {game.name}: {fault}" for game in games for fault in verify(app, session, game)]
        if faults:
            raise BrokenPromise("\n".join(faults))

    def start(self) -> None:
        """Listen to the log."""
        log = logging.getLogger("gm")
        log.setLevel(logging.INFO)
        log.addHandler(self.log)

    def stop(self) -> None:
        """Stop listening."""
        logging.getLogger("gm").removeHandler(self.log)

    def _of(self, app: App) -> _Seen:
        return self._seen.setdefault(app.settings.database.url, _Seen())

    def _handled(self, session: Session, before: Before) -> list[MailIn]:
        rows = select(MailIn).where(
            or_(col(MailIn.id) > before.last_in, col(MailIn.id).in_(before.unsettled)), MailIn.status != "new"
        )
        found = session.exec(rows.order_by(col(MailIn.id))).all()
        return [row for row in found if before.unsettled.get(row.id) != row.status]

    def _mails(self, app: App, session: Session, seen: _Seen) -> dict[int, Written]:
        last = max(seen.mails, default=0)
        fresh = session.exec(select(MailIn).where(col(MailIn.id) > last)).all()
        ours = set(session.exec(select(MailOut.message_id))) if fresh else set()
        own = app.settings.service.address.lower()
        seen.mails.update((row.id, written(row, ours, own)) for row in fresh)
        return seen.mails
