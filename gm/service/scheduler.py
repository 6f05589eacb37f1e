"""The loop of `gm serve`. APScheduler holds the times at which passes begin; IMAP IDLE begins one when a mail comes."""

import logging
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from apscheduler.schedulers.background import BackgroundScheduler

from gm.app.context import App
from gm.runtime.errors import (
    DeliveryError,
    Immovable,
    MailboxError,
    NoRoom,
    NotOurs,
    OperatorError,
    StoreError,
)
from gm.runtime.stop_signal import Stopped
from gm.runtime.tracebacks import described
from gm.service.maintenance import nightly_backup
from gm.service.outbound import digests
from gm.service.tick import Report, settle_in, tick, write_pages
from gm.store.queries import game_queries
from gm.transport.imap.idle import Idler

log = logging.getLogger("gm")

STAND_BY = timedelta(seconds=4)
"""How often a process that stands by looks whether it can serve."""
ALIVE_SECONDS: Final = 20.0
"""How long a pause may go on before liveness is reported to systemd, and the clock compared, again."""
JUMP = timedelta(seconds=1)
"""From here on a clock that goes otherwise than time passes was set, or the machine slept."""
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
    _scheduler: BackgroundScheduler | None = field(default=None, init=False)
    """Holds the time of each job while the service runs."""
    _clock_start: datetime | None = field(default=None, init=False)
    """Our clock when those times were set, less the time that had passed by then."""

    def run(self) -> None:
        """Work until the stop signal is set. This thread alone uses the database."""
        settle_in()
        systemd = self.app.stop_signal.systemd
        idler = Idler(self.app.settings.imap, self.app.stop_signal.wake.set)
        # A job that comes late, as after the machine slept, is done all the same.
        self._scheduler = BackgroundScheduler(timezone=UTC, job_defaults={"misfire_grace_time": None})
        self._scheduler.start()
        systemd.ready("the first pass has begun")
        try:
            self._work(idler)
        finally:
            self._scheduler.shutdown(wait=False)
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
            else:
                self._set_times(self.app.now())
            self._rest()

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

    def _rest(self) -> None:
        """Wait until there is work, and report liveness to systemd meanwhile.

        It ends as well when the clock was set or the machine slept: APScheduler would wait as long as before.
        """
        while not self.app.stop_signal.wake.wait(ALIVE_SECONDS):
            self.app.stop_signal.report_alive()
            if self._clock_start is None or abs(_clock_start(self.app) - self._clock_start) > JUMP:
                return

    def next_times(self, since: datetime) -> dict[str, datetime]:
        """Find by our clock when the next pass is to begin, by the job that asks for it. Raises StoreError.

        What fell due after `since`, when the last one began, wasn't there for it.
        """
        now = self.app.now()
        if self.leads is False:
            return {"poll": now + STAND_BY}
        retries = [one.until for one in (self.inbox, self.outbox, self.store) if one.until and one.until > now]
        poll = min([now + timedelta(seconds=self.app.settings.imap.poll_seconds), *retries])
        return {"poll": poll} | (_due_times(self.app, min(since, now)) if self.store.allows(now) else {})

    def _set_times(self, since: datetime) -> None:
        """Tell APScheduler when the next pass is to begin. It has the machine's clock, which may differ from ours."""
        if self._scheduler is None:
            return
        try:
            times = self.next_times(since)
        except StoreError as error:
            self.store.note(error, self.app.now())
            times = self.next_times(since)
        self._clock_start = _clock_start(self.app)
        now = self.app.now()
        machines = datetime.now(UTC)
        self._scheduler.remove_all_jobs()
        for job, instant in times.items():
            self._scheduler.add_job(self.app.stop_signal.wake.set, "date", run_date=machines + (instant - now), id=job)

    def one_pass(self) -> Report | None:
        """Do one pass with what isn't paused after a failure; None without a database. Raises NotOurs.

        Pages come last, when the time of the next pass is set: it ends them.
        """
        now = self.app.now()
        report = self._do_all_but_pages(now) if self.store.allows(now) else None
        self._set_times(now)
        if report is None:
            return None
        if self.makes_pages and self.archive.allows(now):
            self._write_pages(report, now)
        self._log(report)
        if report.has_pages_left:
            self.app.stop_signal.wake.set()
        return report

    def _write_pages(self, report: Report, now: datetime) -> None:
        before = len(report.troubles)
        with suppress(Stopped):
            self.app.stop_signal.check()
            write_pages(self.app, report)
        if not self.app.stop_signal.is_set:
            self.archive.note(next(iter(report.troubles[before:]), None), now)

    def _do_all_but_pages(self, now: datetime) -> Report | None:
        tried = _Tried(inbox=self.inbox.allows(now), outbox=self.outbox.allows(now))
        try:
            report = tick(self.app, **tried._asdict(), archive=False)
        except NotOurs:  # to try again is no use: who starts us again reads the config anew
            raise
        except StoreError as error:
            self.store.note(error, now)
            return None
        except Exception as error:
            log.error("a pass was broken off: %s", described(error), exc_info=error)
            self.store.note(OperatorError(f"A bug in gm, please report it: {described(error)}."), now)
            return None
        self.store.note(_first(report, NoRoom), now)
        if not self.app.stop_signal.is_set:  # else the troubles are of our making
            self._note_troubles(report, tried, now)
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
        others = [one for one in report.troubles if not isinstance(one, MailboxError | NoRoom | DeliveryError)]
        self.rounds.note(others[0] if others else None, now)


class _Tried(NamedTuple):
    """Which parts of a pass were not paused after a failure."""

    inbox: bool
    outbox: bool


def _first(report: Report, kind: type[OperatorError]) -> OperatorError | None:
    return next((trouble for trouble in report.troubles if isinstance(trouble, kind)), None)


def _clock_start(app: App) -> datetime:
    """Return our clock less the time that has passed: always the same, unless one of them jumps or stands."""
    return app.now() - timedelta(seconds=time.monotonic())


def _due_times(app: App, since: datetime) -> dict[str, datetime]:
    """Find the first time after `since` of each job. What is due then the pass itself asks the database.

    `due` is the next instant of a game, or of a player's daily digest. A round is looked at a second after its ZAT: a
    fetch that begins then has all mails that came in time.
    """
    zone = app.settings.service.timezone
    times = {"digest": digests.next_instant(app.settings.digest, zone, since)}
    if nightly_backup.is_wanted(app):
        times["backup"] = nightly_backup.next_instant(zone, since)
    with app.database.read() as session:
        due = game_queries.next_due(session, since)
    return times | ({"due": due} if due else {})
