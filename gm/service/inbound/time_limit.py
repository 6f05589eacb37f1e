"""A time limit for each step of handling a mail, so that one mail can't stop the service (main thread only)."""

import signal
import threading
import time
from types import FrameType
from typing import ClassVar, Final

from parsers.errors import MailError

RINGS_AGAIN: Final = 1.0
"""The alarm repeats after so many seconds: an exception raised while Python clears away garbage is lost."""
MOST: Final = 5
"""On a busy machine the limit is longer, but by no more than this factor."""
_HAS_ALARMS: Final = hasattr(signal, "setitimer")


class time_limit:  # noqa: N801  reads like the function that it once was
    """Interrupt what takes longer than so many seconds (`with time_limit(2):`). Raises MailError there.

    On a machine that is busy with other things, half of the time must have been spent in this thread: no mail is blamed
    for other work. Each mail has two such limits, so setting one takes microseconds: the handler of the alarm stays
    installed. A loop must stand in a function that is called in the block: Python 3.13 doesn't leave the block from
    within a loop of its own. Windows has no alarms: nothing is interrupted there.
    """

    _present: ClassVar["time_limit | None"] = None
    _is_heard: ClassVar = False

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        if not _HAS_ALARMS or threading.current_thread() is not threading.main_thread():
            return
        if not time_limit._is_heard:
            signal.signal(signal.SIGALRM, time_limit._ring)
            time_limit._is_heard = True
        self._spent, self._last = time.thread_time(), time.monotonic() + MOST * self._seconds
        time_limit._present = self
        signal.setitimer(signal.ITIMER_REAL, self._seconds, RINGS_AGAIN)

    def __exit__(self, *_error: object) -> None:
        if time_limit._present is self:
            time_limit._present = None
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _is_over(self) -> bool:
        return time.thread_time() - self._spent > self._seconds / 2 or time.monotonic() > self._last

    @staticmethod
    def _ring(_signal: int, frame: FrameType | None) -> None:
        limit = time_limit._present
        if limit is not None and limit._is_over() and not _is_outside(frame):
            raise MailError(f"reading it took longer than {limit._seconds:g} s")


_EDGES: Final = (time_limit.__enter__.__code__, time_limit.__exit__.__code__)


def _is_outside(frame: FrameType | None) -> bool:
    """Say whether the alarm rings as the block begins or ends. Raised there, it would stay set and hit other work."""
    while frame is not None:
        if any(frame.f_code is edge for edge in _EDGES):
            return True
        frame = frame.f_back
    return False
