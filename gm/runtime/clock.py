"""The clock. Code that needs the time is given a `Clock`, so that a test can set it."""

import datetime as dt
import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

log = logging.getLogger("gm")

Clock: TypeAlias = Callable[[], dt.datetime]
"""Returns the present instant, aware, in UTC."""

TOLERANCE: Final = dt.timedelta(minutes=5)
"""Smaller jumps of the clock are ignored. It is also how long a mail may lie in the inbox before it is read."""


AHEAD: Final = "GM_TEST_CLOCK_AHEAD"
"""Environment variable that only tests set: by how many seconds `gm` is ahead of the machine's clock."""


def utcnow() -> dt.datetime:
    """Return the present instant, aware, in UTC."""
    ahead = float(os.environ.get(AHEAD, 0))
    return dt.datetime.now(dt.UTC) + dt.timedelta(seconds=ahead)


def local_instant(day: dt.date, at: dt.time, zone: ZoneInfo) -> dt.datetime:
    """Translate a local clock time. One that comes twice or never (summer time) means the later reading."""
    readings = (dt.datetime.combine(day, at.replace(fold=fold), tzinfo=zone) for fold in (0, 1))
    return max(reading.astimezone(dt.UTC) for reading in readings)


def uptime() -> float:
    """Return the seconds since the machine was started, including sleep where the system counts it."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def this_boot() -> str:
    """Return an id of this run of the machine; empty where it has none. Uptimes of two runs can't be compared."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


class SteadyClock:
    """The machine's clock, except that it jumps ahead only when a mail server confirms the new time.

    A round that closed too early is hard to mend. So each reading is compared with the uptime:
    - The clock jumped ahead by more than some minutes: it is ignored, and time goes on as before. It counts as soon as
      a new mail arrives that the mail server dates so (`confirm`), or when the jump only undoes an earlier one back.
    - The clock was set back: it counts at once. What was written while it was ahead does no harm, as pauses and
      hourly limits ignore instants too far in the future.
    - A new process takes over the time of the last one from the database (`noted`), if the machine ran on meanwhile.
      Otherwise the clock counts. After a gap longer than `outage` the rounds that fell due are held anyway.

    The arrival of mails is the mail server's time: whether a move is late is never decided by our clock.
    """

    def __init__(
        self, now: Clock = utcnow, passed: Callable[[], float] = uptime, *, boot: str = "", noted: str | None = None
    ) -> None:
        self._now, self._passed, self._boot = now, passed, boot
        self._lock = threading.Lock()
        self._is_logged = False
        self._start = self._highest = self._machines_start()
        named, _, start = (noted or "").rpartition(" ")
        if boot and named == boot:
            self._start = self._highest = dt.datetime.fromisoformat(start)

    def __call__(self) -> dt.datetime:
        """Return the instant that counts."""
        with self._lock:
            start = self._machines_start()
            if start <= self._start + TOLERANCE or abs(start - self._highest) <= TOLERANCE:
                self._accept(start)
            elif not self._is_logged:
                self._is_logged = True
                log.warning(
                    "The clock of this machine jumped ahead by %s. Until a mail comes in that the mail server dates "
                    "so, gm goes by the time as it was.", str(start - self._start).partition(".")[0],
                )  # fmt: skip
            return self._start + dt.timedelta(seconds=self._passed())

    def confirm(self, arrived: dt.datetime) -> None:
        """Compare the clock with the time at which a new mail arrived by the mail server's clock."""
        steady = self()
        with self._lock:
            start = self._machines_start()
            machines = start + dt.timedelta(seconds=self._passed())
            if abs(machines - arrived) <= TOLERANCE < abs(steady - arrived):
                log.warning("A mail of %s UTC shows that the clock of this machine is right.", f"{arrived:%F %H:%M}")
                self._accept(start)

    @property
    def note(self) -> str:
        """What the next process is to be given as `noted`."""
        return f"{self._boot} {self._start.isoformat()}"

    def _machines_start(self) -> dt.datetime:
        """Return when the machine was started, by its own clock: another instant after each jump."""
        return self._now() - dt.timedelta(seconds=self._passed())

    def _accept(self, start: dt.datetime) -> None:
        if start < self._start - TOLERANCE:
            log.warning("The clock of this machine was set back by %s.", str(self._start - start).partition(".")[0])
            self._highest = max(self._highest, self._start)
        elif start > self._highest - TOLERANCE:
            self._highest = start
        self._start, self._is_logged = start, False


def largest_unit(span: dt.timedelta) -> str:
    """Write a span in its largest unit, `3 days`; "" for less than a minute."""
    units = (("day", dt.timedelta(days=1)), ("hour", dt.timedelta(hours=1)), ("minute", dt.timedelta(minutes=1)))
    for unit, length in units:
        if (number := span // length) > 0:
            return f"{number} {unit}{'s' if number > 1 else ''}"
    return ""
