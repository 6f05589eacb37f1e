"""SIGTERM and SIGINT: the service ends between two units of work, and within seconds whatever it waits for.

A thread waits for the signals: the main thread may sit where Python can't interrupt it, as in SQLite at a lock.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from gm.app.context import App
from gm.runtime.stop_signal import StopSignal

log = logging.getLogger("gm")

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
POLITE: Final = 1.0
"""How many seconds the IMAP server may take to finish its answer. Then we hang up."""
LAST: Final = 4.2
"""After so many seconds the process ends as it stands. That is like a crash: what isn't committed hasn't happened."""


@dataclass(kw_only=True)
class Shutdown:
    """Ends this process when it gets a signal."""

    stop_signal: StopSignal
    app: App | None = None
    """Once it is open: the connection to its IMAP server is cut when the work hasn't ended soon."""
    signal: str = ""
    """Which signal it was; empty as long as none came."""
    done: threading.Event = field(default_factory=threading.Event)
    """The work has ended."""

    def wait(self) -> None:
        """Wait for a signal, and end the process after it. A second signal ends it on the spot."""
        name = _next_signal()
        if self.done.is_set():
            return
        self.signal = name
        threading.Thread(target=self._end, daemon=True).start()
        os._exit(128 + signal.Signals[_next_signal()])

    def _end(self) -> None:
        last = time.monotonic() + LAST
        self.stop_signal.set()
        if not self.done.wait(POLITE) and self.app is not None:
            with suppress(Exception):
                self.app.inbox.interrupt()
        if not self.done.wait(last - time.monotonic()):
            # In a thread of its own, as the log may be what the work waits for.
            logging_thread = threading.Thread(target=_log_the_break, daemon=True)
            logging_thread.start()
            logging_thread.join(0.2)
        time.sleep(max(0.0, last - time.monotonic()))  # by now the process has ended, unless a thread of it hangs
        os._exit(0)


@contextmanager
def shutdown_on_signals(stop_signal: StopSignal) -> Iterator[Shutdown]:
    """Handle the signals until the end of the block. Threads that are started inside don't get them."""
    shutdown = Shutdown(stop_signal=stop_signal)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    thread = threading.Thread(target=shutdown.wait, name="gm-signals", daemon=True)
    thread.start()
    try:
        yield shutdown
    finally:
        shutdown.done.set()
        if not shutdown.signal:
            with suppress(ProcessLookupError):
                signal.pthread_kill(thread.ident or 0, signal.SIGTERM)
            thread.join(1)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _next_signal() -> str:
    return signal.Signals(signal.sigwait(SIGNALS)).name


def _log_the_break() -> None:
    log.warning("What was under way was broken off, as it would have taken too long; nothing is lost.")
