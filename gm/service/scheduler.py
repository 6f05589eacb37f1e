"""The loop of `gm serve`. APScheduler begins a pass by the clock, IMAP IDLE when a mail comes."""

import logging
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from apscheduler.schedulers.background import BackgroundScheduler

from gm.app.context import App
from gm.runtime.errors import (
    ArchiveError,
    DeliveryError,
    Immovable,
    MailboxError,
    NoRoom,
    NotOurs,
    OperatorError,
    StoreError,
)
from gm.runtime.tracebacks import described
from gm.service.tick import Report, settle_in, tick
from gm.transport.imap.idle import Idler

log = logging.getLogger("gm")

STAND_BY_SECONDS: Final = 4.0
"""How often a process that stands by looks whether it can serve."""
ALIVE_SECONDS: Final = 20.0
"""How long a pause may go on before liveness is reported to systemd again."""
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(minutes=10)
FIRST_LOGIN_PAUSE = timedelta(minutes=5)
LONGEST_LOGIN_PAUSE = timedelta(hours=1)
"""A refused password mends itself rarely, and providers lock out who tries it often: five times in ten minutes."""


@dataclass(kw_only=True)
class Backoff:
    """A trouble that lasts is logged once, and what failed is tried again after growing pauses."""

    failures: int = 0
    until: datetime | None = None
    pause: timedelta = timedelta()
    logged: str = ""
    """The trouble, as long as it lasts."""

    def allows(self, now: datetime) -> bool:
        """Return whether to try again. So it is, too, when the clock was set back since the last try."""
        return self.until is None or now >= self.until or self.until - now > self.pause

    def note(self, trouble: OperatorError | None, now: datetime) -> None:
        """Note how a try went."""
        if trouble is None:
            if self.logged:
                log.info("works again, after: %s", self.logged)
            self.failures, self.until, self.logged = 0, None, ""
            return
        if str(trouble) != self.logged:
            log.warning("%s", trouble)
        self.logged = str(trouble)
        first, longest = (FIRST_LOGIN_PAUSE, LONGEST_LOGIN_PAUSE) if trouble.is_login else (FIRST_PAUSE, LONGEST_PAUSE)
        self.pause = min(first * 2 ** min(self.failures, 10), longest)
        self.until = now + self.pause
        self.failures += 1


@dataclass(kw_only=True)
class Loop:
    """The running service: one pass after the other, each begun by the clock or by a mail."""

    app: App
    inbox: Backoff = field(default_factory=Backoff)
    moves: Backoff = field(default_factory=Backoff)
    """Mails were handled and can't be moved out of the inbox. That keeps nobody from reading on."""
    outbox: Backoff = field(default_factory=Backoff)
    store: Backoff = field(default_factory=Backoff)
    rounds: Backoff = field(default_factory=Backoff)
    archive: Backoff = field(default_factory=Backoff)
    makes_pages: bool = True
    """Whether the archive is written pass by pass. Otherwise the caller exports it at the end."""
    leads: bool | None = None
    """Whether this process serves the zine; None while nobody knows."""

    def run(self) -> None:
        """Work until the stop signal is set. This thread alone uses the database."""
        settle_in()
        wake, systemd = self.app.stop_signal.wake, self.app.stop_signal.systemd
        idler = Idler(self.app.settings.imap, wake.set)
        scheduler = BackgroundScheduler(timezone="UTC")
        scheduler.add_job(
            wake.set, "interval", id="tick", seconds=self.app.settings.imap.poll_seconds, max_instances=1,
            misfire_grace_time=None, coalesce=True,
        )  # fmt: skip
        scheduler.start()
        systemd.ready("the first pass has begun")
        try:
            self._work(idler)
        finally:
            scheduler.shutdown(wait=False)
            idler.stop()

    def _work(self, idler: Idler) -> None:
        while not self.app.stop_signal.is_set:
            self.app.stop_signal.wake.clear()
            self._look_who_leads()
            # Only the process that serves has connections to the mailbox.
            if self.leads and self.app.settings.imap.idle:
                idler.start()
            else:
                idler.stop()
            if self.leads:
                self.one_pass()
            self._pause(STAND_BY_SECONDS if self.leads is False else self._pause_seconds())

    def _look_who_leads(self) -> None:
        """Serve the zine if no other process does."""
        now, before = self.app.now(), self.leads
        if not self.store.allows(now):
            return
        try:
            self.leads = self.app.database.lead()
        except StoreError as error:
            self.leads = None
            self.store.note(error, now)
            return
        if self.leads and before is False:
            log.info("This process serves the zine from now on.")
        elif not self.leads and before is not False:
            log.info("Another gm serve has this zine's database; this one stands by.")
            self.app.stop_signal.systemd.status("stands by")

    def _pause(self, seconds: float) -> None:
        """Wait until there is work, and report liveness to systemd meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self.app.stop_signal.wake.wait(min(ALIVE_SECONDS, left)):
                return
            self.app.stop_signal.report_alive()

    def _pause_seconds(self) -> float:
        """Return how long until the next poll, or less where a failure is to be tried again before."""
        now = self.app.now()
        pauses = [
            (backoff.until - now).total_seconds()
            for backoff in (self.inbox, self.outbox, self.store) if backoff.until
        ]  # fmt: skip
        return max(0.05, min([float(self.app.settings.imap.poll_seconds), *pauses]))

    def one_pass(self) -> Report | None:
        """Do one pass with what isn't paused after a failure; None without a database. Raises NotOurs."""
        now = self.app.now()
        if not self.store.allows(now):
            return None
        tried = _Tried(
            inbox=self.inbox.allows(now),
            outbox=self.outbox.allows(now),
            archive=self.makes_pages and self.archive.allows(now),
        )
        try:
            report = tick(self.app, **tried._asdict())
        except NotOurs:  # to try again is no use: who starts us again reads the config anew
            raise
        except StoreError as error:
            self.store.note(error, now)
            return None
        except Exception as error:
            log.error("a pass was broken off: %s", described(error), exc_info=error)
            self.store.note(OperatorError(f"A bug in gm, please report it: {described(error)}."), now)
            return None
        self._log(report)
        self.store.note(_first(report, NoRoom), now)
        if not self.app.stop_signal.is_set:  # else the troubles are of our making
            self._note_troubles(report, tried, now)
        if report.has_pages_left:
            self.app.stop_signal.wake.set()
        return report

    def _log(self, report: Report) -> None:
        """Log a pass, unless nothing happened in it, and tell systemd."""
        if not report.is_idle:
            log.info("%s", report)
        at = f"{self.app.now().astimezone(self.app.settings.service.timezone):%Y-%m-%d %H:%M}"
        self.app.stop_signal.systemd.status(f"{at}: {report.troubles[0] if report.troubles else report}")

    def _note_troubles(self, report: Report, tried: "_Tried", now: datetime) -> None:
        """Note what failed in a pass, and what works again, among the things that were tried in it."""
        mailbox = (trouble for trouble in report.troubles if isinstance(trouble, MailboxError))
        unread = next((trouble for trouble in mailbox if not isinstance(trouble, Immovable)), None)
        unsent = _first(report, DeliveryError)
        if tried.inbox:
            self.inbox.note(unread, now)
        if tried.inbox and unread is None:
            self.moves.note(_first(report, Immovable), now)
        if tried.outbox and (unsent or report.sent):  # with nothing to send nobody knows whether mails go out again
            self.outbox.note(unsent, now)
        if tried.archive:
            self.archive.note(_first(report, ArchiveError), now)
        others = [t for t in report.troubles if not isinstance(t, MailboxError | NoRoom | DeliveryError | ArchiveError)]
        self.rounds.note(others[0] if others else None, now)


class _Tried(NamedTuple):
    """Which parts of a pass were not paused after a failure."""

    inbox: bool
    outbox: bool
    archive: bool


def _first(report: Report, kind: type[OperatorError]) -> OperatorError | None:
    return next((trouble for trouble in report.troubles if isinstance(trouble, kind)), None)
