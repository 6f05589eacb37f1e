"""SIGTERM and SIGINT: the service ends between two units of work, and within seconds whatever it waits for.

A thread waits for the signals: the main thread may sit where Python can't interrupt it, as in SQLite at a lock.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from gm.runtime.log_format import event
from gm.runtime.stop_signal import Pulse

log = logging.getLogger("gm")

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
POLITE: Final = 1.0
"""So long a mail server may take to finish its sentence; then we hang up."""
LAST: Final = 4.2
"""So long all else may take, letters under way among it; then the process ends as it stands. That is like a crash, for
which everything is made: what isn't committed hasn't happened."""


@dataclass(kw_only=True)
class Ending:
    """How this process ends when it is told to."""

    pulse: Pulse
    begin: list[Callable[[], None]] = field(default_factory=list)
    """Called at once, in another thread."""
    hang_up: list[Callable[[], None]] = field(default_factory=list)
    """Called when the work hasn't ended soon, in another thread."""
    signal: str = ""
    """Which signal it was; empty as long as none came."""
    done: threading.Event = field(default_factory=threading.Event)

    def wait(self) -> None:
        """Wait for a signal and see to it that the process ends; a second one ends it on the spot."""
        name = _next()
        if self.done.is_set():
            return
        self.signal = name
        self.pulse.stop.set()
        threading.Thread(target=self._see_to_it, daemon=True).start()
        os._exit(128 + signal.Signals[_next()])

    def _see_to_it(self) -> None:
        last = time.monotonic() + LAST
        _call(self.begin)
        if not self.done.wait(POLITE):
            _call(self.hang_up)
        if not self.done.wait(last - time.monotonic()):
            # In a thread of its own, as the log may be what the work waits for.
            said = threading.Thread(target=_say_that_we_broke_off, daemon=True)
            said.start()
            said.join(0.2)
        time.sleep(max(0.0, last - time.monotonic()))  # by now the process has ended, unless a thread of it hangs
        os._exit(0)


@contextmanager
def heeding_signals(pulse: Pulse) -> Iterator[Ending]:
    """Heed the signals until the end of the block; threads begun inside leave them alone."""
    ending = Ending(pulse=pulse)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    thread = threading.Thread(target=ending.wait, name="gm-signals", daemon=True)
    thread.start()
    try:
        yield ending
    finally:
        ending.done.set()
        if not ending.signal:
            with suppress(ProcessLookupError):
                signal.pthread_kill(thread.ident or 0, signal.SIGTERM)
            thread.join(1)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _next() -> str:
    return signal.Signals(signal.sigwait(SIGNALS)).name


def _call(steps: list[Callable[[], None]]) -> None:
    for step in steps:
        with suppress(Exception):
            step()


def _say_that_we_broke_off() -> None:
    log.warning("What was under way was broken off, as it would have taken too long; nothing is lost.",
                extra=event("broken off"))  # fmt: skip
