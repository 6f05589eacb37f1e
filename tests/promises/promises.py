"""The service's promises as checks: after each pass of a season, and once at the end of any other story.

docs/trust.md names three promises, mail.md (policies) has the details. A check returns a sentence for each fault.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import language
import letters
import mails_in
import mails_out
import moves
import record
import seat_facts
import secrecy
import told
from ledger import Ledger, fresh_letters, marks, note, note_servers
from observation import Observation, StateBefore, before, players_by_address, written
from sqlmodel import Session, col, or_, select

from gm.app.context import App
from gm.app.pass_report import Report
from gm.game.replay import verify
from gm.runtime.errors import StoreError
from gm.store.tables import Game, MailIn, MailOut, Turn

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
    at_end: bool = False
    """It holds for all that happened since a story began. The others compare one pass with the state before it."""


CHECKS = (
    Check(promise="1: nothing is left unread", faults=mails_in.every_mail_is_handled),
    Check(promise="1: no stranger waits without need", faults=mails_in.no_stranger_waits_without_need),
    Check(promise="1: every mail is accounted for", faults=mails_in.each_is_accounted_for, at_end=True),
    Check(promise="1: no player's words are dropped", faults=mails_in.no_players_words_are_dropped, at_end=True),
    Check(promise="1: nothing leaves the inbox unstored", faults=mails_in.nothing_leaves_the_inbox_unstored),
    Check(promise="1: every confirmed move is on file", faults=record.every_confirmed_move_is_on_file),
    Check(promise="1: a closing takes what is on file", faults=record.a_closing_takes_what_is_on_file),
    Check(promise="1: a step is told to all", faults=told.a_step_is_told_to_all),
    Check(promise="1: a result is told to all once", faults=told.a_result_is_told_to_all_once),
    Check(promise="2: no NMR over a mail that lies there", faults=moves.no_nmr_over_an_unread_mail),
    Check(promise="2: after the hold an NMR is unclear", faults=moves.no_nmr_counts_after_the_hold),
    Check(promise="3: nothing is applied twice", faults=moves.nothing_is_applied_twice, at_end=True),
    Check(promise="3: nothing unproven is applied", faults=moves.nothing_unproven_is_applied, at_end=True),
    Check(promise="3: a round waits for a mail once", faults=moves.no_stranger_moves_the_clock),
    Check(promise="3: what keeps a round is shown", faults=moves.what_keeps_a_round_is_shown),
    Check(promise="3: nothing is sent twice", faults=letters.nothing_is_sent_twice),
    Check(promise="3: what was taken is noted", faults=letters.what_was_taken_is_noted),
    Check(promise="3: no step taken back is told", faults=letters.no_step_taken_back_is_told),
    Check(promise="3: the same step is not told again", faults=letters.the_same_step_is_not_told_again),
    Check(promise="4: one answer", faults=mails_out.a_mail_has_one_answer, at_end=True),
    Check(promise="4: one question to another", faults=mails_out.a_mail_asks_one_other, at_end=True),
    Check(promise="4: one notice to the GM", faults=mails_out.a_mail_brings_one_notice, at_end=True),
    Check(promise="4: answers are bounded", faults=mails_out.answers_are_bounded),
    Check(promise="4: questions are bounded", faults=mails_out.questions_are_bounded),
    Check(promise="4: notices are bounded", faults=mails_out.notices_are_bounded),
    Check(promise="4: a step is told once", faults=mails_out.a_step_is_told_once, at_end=True),
    Check(promise="4: reminders are bounded", faults=letters.reminders_are_bounded),
    Check(promise="4: digests are bounded", faults=letters.digests_are_bounded),
    Check(promise="4: all mails are bounded", faults=letters.all_mails_are_bounded),
    Check(promise="5: a letter goes where it is filed", faults=letters.each_goes_where_it_is_filed, at_end=True),
    Check(
        promise="5: a player's mail goes to the registered address",
        faults=letters.a_players_mail_goes_to_the_registered_address,
    ),
    Check(promise="5: nobody reads what another seat holds", faults=seat_facts.no_mail_shows_what_another_seat_holds),
    Check(promise="5: no address in a mail", faults=secrecy.no_address_reaches_another, at_end=True),
    Check(promise="5: no address in the log", faults=secrecy.no_log_line_names_an_address, at_end=True),
    Check(promise="5: no address or hidden move on a page", faults=secrecy.no_page_names_an_address, at_end=True),
    Check(promise="5: no hidden move in a mail", faults=secrecy.no_mail_shows_a_hidden_move),
    Check(promise="5: no hidden move in a view", faults=secrecy.no_view_shows_a_hidden_move),
    Check(promise="5: no hidden move for spectators", faults=secrecy.spectators_see_no_move),
    Check(promise="5: no hidden move in the log", faults=secrecy.no_log_line_shows_a_move),
    Check(promise="6: each step is as a replay makes it", faults=record.each_step_is_as_a_replay_makes_it),
    Check(promise="7: the GM's mails are in one language", faults=language.gm_mails_are_in_one_language, at_end=True),
)


class LogLines(logging.Handler):
    """Keeps what the service logs until `take` is called."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line with all its facts."""
        facts = {key: value for key, value in vars(record).items() if key not in _PLAIN_RECORD}
        self.lines.append(f"{record.getMessage()} {facts or ''}")

    def take(self) -> list[str]:
        """Return what was logged since the last call."""
        lines, self.lines = self.lines, []
        return lines


_PLAIN_RECORD: Final = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class PromiseChecker:
    """Checks the promises on the zines of a test: after each pass, or at the end of each story."""

    def __init__(self) -> None:
        self.log = LogLines()
        self.is_tampered = False
        """Whether the running test writes into its zine by hand, or removes rules: its end is not checked."""
        self.each_pass = True
        """Whether all checks are made after each pass, not those of `at_end` at the story's end."""
        self._ledgers: dict[str, Ledger] = {}
        self._apps: dict[str, App] = {}
        """Who has watched a zine last, by its database, as in `_ledgers`."""

    def begins(self, app: App) -> StateBefore:
        """Note the state of a zine before a pass. What a pass has left that a crash has ended is checked first."""
        ledger = self._of(app)
        self._apps[app.settings.database.url] = app
        with app.database.read() as session:
            if not self.each_pass and (begun := ledger.begun(session)):
                return begun
            found = before(app, session)
            ledger.begins_at(found)
            note_servers(app, ledger, found)
            if self.each_pass and ledger.unfinished is not None:
                self.check(self.observe(app, session, ledger.unfinished, None))
        ledger.unfinished = found
        return found

    def ends(self, app: App, before: StateBefore, report: Report | None) -> None:
        """Make all checks after the pass. Raises BrokenPromise with all that is wrong."""
        if not self.each_pass:
            return
        with app.database.read() as session:
            self.check(self.observe(app, session, before, report))
        self._of(app).unfinished = None

    def observe(self, app: App, session: Session, before: StateBefore, report: Report | None) -> Observation:
        """Gather what the checks need."""
        ledger = self._of(app)
        for address, players in (*before.players.items(), *players_by_address(session).items()):
            ledger.players.setdefault(address, set()).update(players)
        self._read_mails(app, session, ledger)
        last = ledger.last or before.newest
        return Observation(
            app=app, session=session, report=report, before=before, ledger=ledger,
            handled=self._handled(session, before),
            sent=list(session.exec(select(MailOut).where(col(MailOut.id) > last.mail_out).order_by(col(MailOut.id)))),
            turns=list(session.exec(select(Turn).where(col(Turn.id) > last.turn).order_by(col(Turn.id)))),
            letters=fresh_letters(app, ledger), last=last, most_read=MOST_READ, is_tampered=self.is_tampered,
            logged=self.log.take(),
        )  # fmt: skip

    def check(self, zine: Observation) -> None:
        """Make all checks, or those of `at_end`. Raises BrokenPromise."""
        faults = [
            f"{check.promise}: {said}"
            for check in CHECKS if check.at_end or self.each_pass
            for said in check.faults(zine)
        ]  # fmt: skip
        note(zine)
        if faults:
            raise BrokenPromise("\n".join(faults))

    def is_over(self, app: App) -> None:
        """Check a zine at the end of its story, and replay the games played in it: promise 6. Raises BrokenPromise.

        A database that was removed by then is not checked.
        """
        ledger, faults = self._of(app), list[str]()
        if self.is_tampered:
            self.forget(app)
            return
        with suppress(StoreError), app.database.read() as session:
            begun = None if self.each_pass else ledger.begun(session)
            if begun:
                self.check(self.observe(app, session, begun, None))
            since = begun.newest.turn if begun else 0
            played = select(Turn.game_id).where(col(Turn.id) > since)
            games = session.exec(select(Game).where(col(Game.id).in_(played)).limit(MOST_REPLAYED)).all()
            faults += [f"6: {game.name}: {fault}" for game in games for fault in verify(app, session, game)]
        self.forget(app)
        if faults:
            raise BrokenPromise("\n".join(faults))

    def all_are_over(self) -> None:
        """End the stories that nobody has ended, as of zines in other processes. Raises BrokenPromise."""
        for app in [*self._apps.values()]:
            try:
                self.is_over(app)
            finally:
                app.database.engine.dispose()  # its test may have closed it before

    def forget(self, app: App) -> None:
        """Know nothing of a zine: another state of it was put in place, with its servers."""
        self._ledgers.pop(app.settings.database.url, None)
        self._apps.pop(app.settings.database.url, None)

    def start(self) -> None:
        """Listen to the log."""
        log = logging.getLogger("gm")
        log.setLevel(logging.INFO)
        log.addHandler(self.log)

    def stop(self) -> None:
        """Stop listening."""
        logging.getLogger("gm").removeHandler(self.log)

    def _of(self, app: App) -> Ledger:
        return self._ledgers.setdefault(app.settings.database.url, Ledger())

    def _handled(self, session: Session, before: StateBefore) -> list[MailIn]:
        rows = select(MailIn).where(
            or_(col(MailIn.id) > before.newest.mail_in, col(MailIn.id).in_(before.unsettled)), MailIn.status != "new"
        )
        found = session.exec(rows.order_by(col(MailIn.id))).all()
        # Of a mail that was pruned, or whose sender was forgotten, nothing is known at a story's end.
        return [row for row in found if before.unsettled.get(row.id) != row.status and (row.raw or self.each_pass)]

    def _read_mails(self, app: App, session: Session, ledger: Ledger) -> None:
        rows = select(MailIn).where(col(MailIn.id) > ledger.last_in).order_by(col(MailIn.id))
        own = app.settings.service.address.lower()
        for row in session.exec(rows).all():
            ledger.mails[row.id] = written(row, lambda message_id: _is_ours(session, message_id), own)
            ledger.stored |= marks(row.raw, row.received_at, row.size)


def _is_ours(session: Session, message_id: str) -> bool:
    rows = select(MailOut.id).where(MailOut.message_id == message_id)
    return bool(message_id) and session.exec(rows).first() is not None
