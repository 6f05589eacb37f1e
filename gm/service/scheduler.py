"""What wakes the service: APScheduler by the clock, IMAP IDLE when mail comes. Nothing else knows either."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final

from apscheduler.schedulers.background import BackgroundScheduler

from gm.app.context import App
from gm.runtime.errors import (
    ArchiveError,
    DeliveryError,
    Immovable,
    MailboxError,
    Moved,
    NoRoom,
    OperatorError,
    StoreError,
)
from gm.runtime.log_format import event
from gm.runtime.systemd import Systemd
from gm.runtime.tracebacks import described, trace
from gm.service.cluster import taking_part
from gm.service.tick import Report, settle_in, tick
from gm.transport.imap.idle import Idler

log = logging.getLogger("gm")

BEAT_SECONDS: Final = 20.0
"""How long a rest may go on without a sign of life."""
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(minutes=10)
FIRST_LOGIN_PAUSE = timedelta(minutes=5)
LONGEST_LOGIN_PAUSE = timedelta(hours=1)
"""A refused password mends itself rarely, and providers lock out who tries it often: five times in ten minutes."""


@dataclass(kw_only=True)
class Patience:
    """How a trouble that lasts is borne: said once, tried again after growing pauses."""

    failures: int = 0
    until: datetime | None = None
    pause: timedelta = timedelta()
    said: str = ""
    kind: str = ""

    def allows(self, now: datetime) -> bool:
        """Say whether it is time to try again; so it is when the clock was set back since."""
        return self.until is None or now >= self.until or self.until - now > self.pause

    def note(self, trouble: OperatorError | None, now: datetime) -> None:
        """Take in how a try went."""
        if trouble is None:
            if self.said:
                over = event("trouble over", kind=self.kind, failures=self.failures)
                log.info("works again, after: %s", self.said, extra=over)
            self.failures, self.until, self.said = 0, None, ""
            return
        if str(trouble) != self.said:
            log.warning("%s", trouble, extra=event("trouble", kind=type(trouble).__name__, failures=self.failures + 1))
        self.said, self.kind = str(trouble), type(trouble).__name__
        first, longest = (FIRST_LOGIN_PAUSE, LONGEST_LOGIN_PAUSE) if trouble.is_login else (FIRST_PAUSE, LONGEST_PAUSE)
        self.pause = min(first * 2 ** min(self.failures, 10), longest)
        self.until = now + self.pause
        self.failures += 1


@dataclass(kw_only=True)
class Loop:
    """The service at work: one pass after the other, each begun by the clock or by a mail."""

    app: App
    wake: threading.Event = field(default_factory=threading.Event)
    inbox: Patience = field(default_factory=Patience)
    moves: Patience = field(default_factory=Patience)
    """What was read and handled can't be put away: that is said once, and keeps nobody from reading on."""
    outbox: Patience = field(default_factory=Patience)
    store: Patience = field(default_factory=Patience)
    rounds: Patience = field(default_factory=Patience)
    archive: Patience = field(default_factory=Patience)
    makes_pages: bool = True
    """Whether the archive grows pass by pass; who doesn't want that exports it at the end."""
    after: Callable[[Report], None] | None = None
    """Called after each pass, for who watches the loop at work."""
    systemd: Systemd = field(default_factory=lambda: Systemd({}))

    @property
    def stop(self) -> threading.Event:
        """Set when the loop, and the pass under way, is to end."""
        return self.app.pulse.stop

    def run(self) -> None:
        """Work until `stop` is set. This thread alone touches the database."""
        settle_in()
        scheduler = BackgroundScheduler(timezone="UTC")
        scheduler.add_job(
            self.wake.set, "interval", id="tick", seconds=self.app.settings.imap.poll_seconds, max_instances=1,
            misfire_grace_time=None, coalesce=True,
        )  # fmt: skip
        scheduler.start()
        self.systemd.ready("the first pass has begun")
        try:
            with taking_part(self.app, self.wake.set) as self.app:
                self._work()
        finally:
            scheduler.shutdown(wait=False)
            self._idler.stop()

    def end(self) -> None:
        """End the pass under way with its unit of work, and return from `run`."""
        self.stop.set()
        self.wake.set()
        self.systemd.stopping()

    def _work(self) -> None:
        while not self.stop.is_set():
            self.wake.clear()
            self._wait_for_mail(self.app.settings.imap.idle and self.app.fetches())
            self.one_pass()
            self._rest(self._nap())

    def _rest(self, seconds: float) -> None:
        """Wait to be woken, not so long at a time that a watchdog takes it for hanging."""
        until = time.monotonic() + seconds
        while not self.wake.wait(timeout=max(0.0, min(BEAT_SECONDS, until - time.monotonic()))):
            self.app.pulse.show()
            if time.monotonic() >= until:
                return

    def _wait_for_mail(self, idle: bool) -> None:
        """Let the server tell of new mail while it is ours to fetch; of the others none has a connection to it."""
        if idle:
            self._idler.start()
        else:
            self._idler.stop()

    @cached_property
    def _idler(self) -> Idler:
        return Idler(self.app.settings.imap, self.wake.set)

    def one_pass(self) -> Report | None:
        """Do one pass with what isn't resting after a failure; None where the database can't be used. Raises Moved."""
        now = self.app.now()
        if not self.store.allows(now):
            return None
        inbox, outbox = self.inbox.allows(now) and self.app.fetches(), self.outbox.allows(now)
        archive = self.makes_pages and self.archive.allows(now)
        try:
            report = tick(self.app, inbox=inbox, outbox=outbox, archive=archive)
        except Moved:  # no patience helps; who starts us again reads the config anew
            raise
        except StoreError as error:
            self.store.note(error, now)
            return None
        except Exception as error:  # noqa: BLE001  the next pass may do better
            log.error("a pass was broken off: %s", described(error), extra=event("pass failed", trace=trace(error)))
            self.store.note(OperatorError(f"A bug in gm, please report it: {described(error)}."), now)
            return None
        self.store.note(next((t for t in report.troubles if isinstance(t, NoRoom)), None), now)
        self._tell(report)
        if not self.stop.is_set():  # else the troubles are of our making
            self._bear(report, now, inbox=inbox, outbox=outbox, archive=archive)
        if report.has_pages_left:
            self.wake.set()
        if self.after:
            self.after(report)
        return report

    def _tell(self, report: Report) -> None:
        """Put a pass into the log, unless nothing happened in it."""
        if not report.is_idle:
            log.info("%s", report, extra=event(
                "pass done", received=report.received, closed=len(report.closed), sent=report.sent,
                pages=report.pages, seconds=report.seconds))  # fmt: skip
        at = f"{self.app.now().astimezone(self.app.settings.service.timezone):%Y-%m-%d %H:%M}"
        self.systemd.status(f"{at}: {report.troubles[0] if report.troubles else report}")

    def _bear(self, report: Report, now: datetime, *, inbox: bool, outbox: bool, archive: bool) -> None:
        """Take in what went wrong in a pass, and what works again, of the things that were tried in it."""
        stuck = next((t for t in report.troubles if isinstance(t, Immovable)), None)
        unread = next((t for t in report.troubles if isinstance(t, MailboxError) and t is not stuck), None)
        for tried, patience, trouble in (
            (inbox, self.inbox, unread), (inbox and unread is None, self.moves, stuck),
            (outbox, self.outbox, next((t for t in report.troubles if isinstance(t, DeliveryError)), None)),
            (archive, self.archive, next((t for t in report.troubles if isinstance(t, ArchiveError)), None)),
        ):  # fmt: skip
            # With nothing to send nobody knows whether mails go out again.
            if tried and (trouble or patience is not self.outbox or report.sent):
                patience.note(trouble, now)
        rest = [t for t in report.troubles if not isinstance(t, MailboxError | NoRoom | DeliveryError | ArchiveError)]
        self.rounds.note(rest[0] if rest else None, now)

    def _nap(self) -> float:
        """Wait for the next poll, or less where a failure is to be tried again before."""
        now = self.app.now()
        pauses = [
            (patience.until - now).total_seconds()
            for patience in (self.inbox, self.outbox, self.store) if patience.until
        ]  # fmt: skip
        return max(0.05, min([float(self.app.settings.imap.poll_seconds), *pauses]))
