"""The service's promises as checks, made after every pass of every story, in memory and on servers.

docs/trust.md names three promises, mail.md (policies) has the details. A check returns a sentence for each fault.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import language
import mails_in
import mails_out
import moves
import secrecy
from observation import LogLines, Observation, ReceivedMail, StateBefore, before, players_by_address, written
from sqlmodel import Session, col, or_, select

from gm.app.context import App
from gm.app.pass_report import Report
from gm.game.replay import verify
from gm.runtime.errors import StoreError
from gm.store.tables import Game, MailIn, MailOut

MOST_READ = 200
"""Mails of ours that are read word by word after one pass; those of a big zine are alike."""
MOST_REPLAYED = 20
"""Games that are replayed at the end of a story; those of a big zine are copies of one another."""


class BrokenPromise(AssertionError):  # noqa: N818  what it is called in the field
    """What a check found after a pass."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One promise, and the function that lists how it was broken."""

    promise: str
    faults: Callable[[Observation], Iterator[str]]


CHECKS = (
    Check(promise="1: nothing is left unread", faults=mails_in.every_mail_is_handled),
    Check(promise="1: no stranger waits without need", faults=mails_in.no_stranger_waits_without_need),
    Check(promise="1: every mail is accounted for", faults=mails_in.each_is_accounted_for),
    Check(promise="1: no player's words are dropped", faults=mails_in.no_players_words_are_dropped),
    Check(promise="2: no NMR over a mail that lies there", faults=moves.no_nmr_over_an_unread_mail),
    Check(promise="3: nothing is applied twice", faults=moves.nothing_is_applied_twice),
    Check(promise="3: nothing unproven is applied", faults=moves.nothing_unproven_is_applied),
    Check(promise="3: a round waits for a mail once", faults=moves.no_stranger_moves_the_clock),
    Check(promise="3: what keeps a round is shown", faults=moves.what_keeps_a_round_is_shown),
    Check(promise="4: one answer", faults=mails_out.a_mail_has_one_answer),
    Check(promise="4: one question to another", faults=mails_out.a_mail_asks_one_other),
    Check(promise="4: one notice to the GM", faults=mails_out.a_mail_brings_one_notice),
    Check(promise="4: answers are bounded", faults=mails_out.answers_are_bounded),
    Check(promise="4: questions are bounded", faults=mails_out.questions_are_bounded),
    Check(promise="4: notices are bounded", faults=mails_out.notices_are_bounded),
    Check(promise="4: a step is told once", faults=mails_out.a_step_is_told_once),
    Check(promise="5: no address in a mail", faults=secrecy.no_address_reaches_another),
    Check(promise="5: no address in the log", faults=secrecy.no_log_line_names_an_address),
    Check(promise="5: no address or hidden move on a page", faults=secrecy.no_page_names_an_address),
    Check(promise="5: no hidden move in a mail", faults=secrecy.no_mail_shows_a_hidden_move),
    Check(promise="5: no hidden move in a view", faults=secrecy.no_view_shows_a_hidden_move),
    Check(promise="5: no hidden move in the log", faults=secrecy.no_log_line_shows_a_move),
    Check(promise="7: the GM's mails are in one language", faults=language.gm_mails_are_in_one_language),
)


@dataclass
class _Seen:
    """What has been seen of a zine so far."""

    mails: dict[int, ReceivedMail] = field(default_factory=dict)
    players: dict[str, set[int]] = field(default_factory=dict)


class PromiseChecker:
    """Checks all promises on the zines of a test after each pass."""

    def __init__(self) -> None:
        self.log = LogLines()
        self.is_tampered = False
        """Whether the running test writes into the record of its games, or removes their rules: no replay then."""
        self._seen: dict[str, _Seen] = {}

    def begins(self, app: App) -> StateBefore:
        """Note the state of a zine before a pass."""
        with app.database.read() as session:
            found = before(app, session)
        if any(mail_id > found.last_in for mail_id in self._of(app).mails):
            self._seen[app.settings.database.url].mails.clear()  # the database was put back to where it had been
        return found

    def ends(self, app: App, before: StateBefore, report: Report | None) -> None:
        """Make all checks after the pass. Raises BrokenPromise with all that is wrong."""
        with app.database.read() as session:
            self.check(self.observe(app, session, before, report))

    def observe(self, app: App, session: Session, before: StateBefore, report: Report | None) -> Observation:
        """Gather what the checks need."""
        seen = self._of(app)
        for address, players in (*before.players.items(), *players_by_address(session).items()):
            seen.players.setdefault(address, set()).update(players)
        return Observation(
            app=app, session=session, report=report, before=before, players=seen.players,
            handled=self._handled(session, before), mails=self._mails(app, session, seen),
            sent=list(session.exec(select(MailOut).where(col(MailOut.id) > before.last_out).order_by(col(MailOut.id)))),
            most_read=MOST_READ, is_tampered=self.is_tampered,
            logged=self.log.take(),
        )  # fmt: skip

    def check(self, zine: Observation) -> None:
        """Make all checks. Raises BrokenPromise."""
        faults = [f"{check.promise}: {said}" for check in CHECKS for said in check.faults(zine)]
        if faults:
            raise BrokenPromise("\n".join(faults))

    def is_over(self, app: App) -> None:
        """Replay the games of a zine at the end of its story: promise 6. Raises BrokenPromise.

        A database that was removed by then is not checked.
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

    def _handled(self, session: Session, before: StateBefore) -> list[MailIn]:
        rows = select(MailIn).where(
            or_(col(MailIn.id) > before.last_in, col(MailIn.id).in_(before.unsettled)), MailIn.status != "new"
        )
        found = session.exec(rows.order_by(col(MailIn.id))).all()
        return [row for row in found if before.unsettled.get(row.id) != row.status]

    def _mails(self, app: App, session: Session, seen: _Seen) -> dict[int, ReceivedMail]:
        last = max(seen.mails, default=0)
        fresh = session.exec(select(MailIn).where(col(MailIn.id) > last)).all()
        ours = set(session.exec(select(MailOut.message_id))) if fresh else set()
        own = app.settings.service.address.lower()
        seen.mails.update((row.id, written(row, ours, own)) for row in fresh)
        return seen.mails
