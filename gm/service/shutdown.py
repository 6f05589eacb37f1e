"""SIGTERM and SIGINT: the service ends between two units of work, and within seconds whatever it waits for.

A thread hears of them by a socket: the main thread may sit where Python can't interrupt it, as in SQLite at a lock.
"""

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from gm.app.context import App
from gm.runtime.stop_signal import StopSignal

log = logging.getLogger("gm")

SIGNALS: Final = tuple(one for one in signal.Signals if one.name in ("SIGTERM", "SIGINT", "SIGBREAK"))
"""The last one is Ctrl-Break, on Windows only."""
NO_SIGNAL: Final = 0
"""Written like a signal's number: none is waited for any more."""
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
    ends: tuple[socket.socket, socket.socket] = field(default_factory=socket.socketpair)
    """Python writes each signal's number into the first one, whatever the main thread does; we read the second one."""

    def wait(self) -> None:
        """Wait for a signal, and end the process after it. A second signal ends it on the spot."""
        number = self._next_signal()
        if self.done.is_set():
            return
        self.signal = signal.Signals(number).name
        threading.Thread(target=self._end, daemon=True).start()
        if number := self._next_signal():
            os._exit(128 + number)

    def _next_signal(self) -> int:
        """Wait for one of our signals, or NO_SIGNAL; others are handled where they are expected."""
        while (number := self.ends[1].recv(1)[0]) not in (NO_SIGNAL, *SIGNALS):
            pass
        return number

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
    """Handle the signals until the end of the block, in the main thread; after one, until the process ends."""
    shutdown = Shutdown(stop_signal=stop_signal)
    writer, reader = shutdown.ends
    writer.setblocking(False)
    thread = threading.Thread(target=shutdown.wait, name="gm-signals", daemon=True)
    thread.start()
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    before = {number: signal.signal(number, _do_nothing) for number in SIGNALS}
    try:
        yield shutdown
    finally:
        shutdown.done.set()
        if not shutdown.signal:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(-1)
            writer.send(bytes([NO_SIGNAL]))
            thread.join()
            writer.close()
            reader.close()


def _do_nothing(_number: int, _frame: object) -> None:
    """Let Python write the signal's number to the socket, as it does only for signals that have a handler."""


def _log_the_break() -> None:
    log.warning("What was under way was broken off, as it would have taken too long; nothing is lost.")
