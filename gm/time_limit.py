"""An end to what takes too long, so that one mail can't stop the service (main thread only)."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from parsers.errors import MailError

RINGS_AGAIN: Final = 1.0
"""An exception that is raised while Python clears away garbage is lost: then this many seconds later."""
MOST: Final = 5
"""On a busy machine the wait is longer, but not by more than this factor."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer. Raises MailError there.

    Where a machine is busy with other things, half of the time must have been spent here: no mail is blamed for others.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    spent, last = time.thread_time(), time.monotonic() + MOST * seconds

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if time.thread_time() - spent > seconds / 2 or time.monotonic() > last:
            raise MailError(f"reading it took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, RINGS_AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
