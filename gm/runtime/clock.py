"""The time. Whoever needs it is given a `Clock`, so that a test can hold it."""

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

log = logging.getLogger("gm")

Clock: TypeAlias = Callable[[], dt.datetime]
"""Answers an aware instant in UTC."""

TOLERANCE: Final = dt.timedelta(minutes=5)
"""So far a clock may be put right without that meaning anything, and so long a mail may lie in the inbox."""


def utcnow() -> dt.datetime:
    """Tell the instant, aware, in UTC, to the microsecond."""
    return dt.datetime.now(dt.UTC)


def uptime() -> float:
    """Tell the seconds since the machine was started, which nobody sets; with its sleep, where the system counts it."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def this_boot() -> str:
    """Name this run of the machine; empty where it has no name. Uptimes of two runs can't be compared."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


class SteadyClock:
    """The machine's clock, except that it doesn't jump ahead without a witness.

    A round closed too early is hard to mend, one closed too late is not. So, held against the uptime:
    - Ahead by more than some minutes: not believed, time goes on as before. It is believed as soon as a mail comes in
      that the mail server dates so (`witness`), whosever it is, or when it was only back to where it once was.
    - Back: believed at once. What was written while the clock was ahead holds nobody up: who compares instants takes
      none from the future for granted (leases, pauses, limits by the hour).
    - A new process learns what the last one went by from the database (`noted`), if the machine ran on meanwhile. If
      not, the clock is believed; after a gap longer than `outage` what fell due is held, as after any.
    Times of arrival are the mail server's in any case: a move is in time or late by its clock, never by ours.
    """

    def __init__(
        self, now: Clock = utcnow, passed: Callable[[], float] = uptime, *, boot: str = "", noted: str | None = None
    ) -> None:
        self._now, self._passed, self._boot = now, passed, boot
        self._lock = threading.Lock()
        self._is_said = False
        self._start = self._highest = self._machines_start()
        named, _, start = (noted or "").rpartition(" ")
        if boot and named == boot:
            self._start = self._highest = dt.datetime.fromisoformat(start)

    def __call__(self) -> dt.datetime:
        """Tell the instant that we go by."""
        with self._lock:
            start = self._machines_start()
            if start <= self._start + TOLERANCE or abs(start - self._highest) <= TOLERANCE:
                self._believe(start)
            elif not self._is_said:
                self._is_said = True
                log.warning(
                    "The clock of this machine jumped ahead by %s. Until a mail comes in that the mail server dates "
                    "so, gm goes by the time as it was.", str(start - self._start).partition(".")[0],
                )  # fmt: skip
            return self._start + dt.timedelta(seconds=self._passed())

    def witness(self, arrived: dt.datetime) -> None:
        """Take in when, by the mail server's clock, a mail arrived that is new to us."""
        steady = self()
        with self._lock:
            start = self._machines_start()
            machines = start + dt.timedelta(seconds=self._passed())
            if abs(machines - arrived) <= TOLERANCE < abs(steady - arrived):
                log.warning("A mail of %s UTC shows that the clock of this machine is right.", f"{arrived:%F %H:%M}")
                self._believe(start)

    @property
    def note(self) -> str:
        """What the next process needs to know, as `noted`."""
        return f"{self._boot} {self._start.isoformat()}"

    def _machines_start(self) -> dt.datetime:
        """Say when the machine was started, by its own clock: another instant after each jump."""
        return self._now() - dt.timedelta(seconds=self._passed())

    def _believe(self, start: dt.datetime) -> None:
        if start < self._start - TOLERANCE:
            log.warning("The clock of this machine was set back by %s.", str(self._start - start).partition(".")[0])
            self._highest = max(self._highest, self._start)
        elif start > self._highest - TOLERANCE:
            self._highest = start
        self._start, self._is_said = start, False
