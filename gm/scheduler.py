"""What wakes the service: APScheduler by the clock, IMAP IDLE when mail comes. Nothing else knows either."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

from gm.app import App
from gm.errors import ArchiveError, DeliveryError, Immovable, MailboxError, Moved, OperatorError, StoreError
from gm.mailbox.idler import Idler
from gm.service import Report, settle_in, tick

log = logging.getLogger("gm")

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

    def allows(self, now: datetime) -> bool:
        """Say whether it is time to try again; so it is when the clock was set back since."""
        return self.until is None or now >= self.until or self.until - now > self.pause

    def note(self, trouble: OperatorError | None, now: datetime) -> None:
        """Take in how a try went."""
        if trouble is None:
            if self.said:
                log.info("works again, after: %s", self.said)
            self.failures, self.until, self.said = 0, None, ""
            return
        if str(trouble) != self.said:
            log.warning("%s", trouble)
        self.said = str(trouble)
        first, longest = (FIRST_LOGIN_PAUSE, LONGEST_LOGIN_PAUSE) if trouble.is_login else (FIRST_PAUSE, LONGEST_PAUSE)
        self.pause = min(first * 2 ** min(self.failures, 10), longest)
        self.until = now + self.pause
        self.failures += 1


@dataclass(kw_only=True)
class Loop:
    """The service at work: one pass after the other, each begun by the clock or by a mail."""

    app: App
    stop: threading.Event = field(default_factory=threading.Event)
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

    def run(self) -> None:
        """Work until `stop` is set. This thread alone touches the database."""
        settle_in()
        scheduler = BackgroundScheduler(timezone="UTC")
        scheduler.add_job(
            self.wake.set, "interval", id="tick", seconds=self.app.settings.imap.poll_seconds, max_instances=1,
            misfire_grace_time=None, coalesce=True,
        )  # fmt: skip
        idler = Idler(self.app.settings.imap, self.wake.set) if self.app.settings.imap.idle else None
        scheduler.start()
        if idler:
            idler.start()
        try:
            self._work()
        finally:
            scheduler.shutdown(wait=False)
            if idler:
                idler.stop()

    def end(self) -> None:
        """Finish the pass under way and return from `run`."""
        self.stop.set()
        self.wake.set()

    def _work(self) -> None:
        while not self.stop.is_set():
            self.wake.clear()
            self.one_pass()
            self.wake.wait(timeout=self._nap())

    def one_pass(self) -> Report | None:
        """Do one pass with what isn't resting after a failure; None where the database can't be used. Raises Moved."""
        now = self.app.now()
        if not self.store.allows(now):
            return None
        inbox, outbox = self.inbox.allows(now), self.outbox.allows(now)
        archive = self.makes_pages and self.archive.allows(now)
        try:
            report = tick(self.app, inbox=inbox, outbox=outbox, archive=archive)
        except Moved:  # no patience helps; who starts us again reads the config anew
            raise
        except StoreError as error:
            self.store.note(error, now)
            return None
        except Exception as error:
            log.exception("a pass was broken off")
            self.store.note(OperatorError(f"A bug in gm, please report it: {type(error).__name__}: {error}"), now)
            return None
        self.store.note(None, now)
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
        rest = [t for t in report.troubles if not isinstance(t, MailboxError | DeliveryError | ArchiveError)]
        self.rounds.note(rest[0] if rest else None, now)
        if not report.is_idle:
            log.info("%s", report)
        if report.has_pages_left:
            self.wake.set()
        if self.after:
            self.after(report)
        return report

    def _nap(self) -> float:
        """Wait for the next poll, or less where a failure is to be tried again before."""
        now = self.app.now()
        pauses = [
            (patience.until - now).total_seconds()
            for patience in (self.inbox, self.outbox, self.store) if patience.until
        ]  # fmt: skip
        return max(0.05, min([float(self.app.settings.imap.poll_seconds), *pauses]))
