"""The demo's own clock: months pass in seconds, and end before today."""

import threading
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gm.runtime.clock import local_instant, utcnow

_EVENING: Final = time(18, 0)


class DemoClock:
    """Tells the time of the story. Between two jumps it runs as any clock does; it never goes back."""

    def __init__(self, start: datetime) -> None:
        self._behind = utcnow() - start
        self._lock = threading.Lock()

    def __call__(self) -> datetime:
        """Return the present instant of the story, aware, in UTC."""
        with self._lock:
            return utcnow() - self._behind

    def jump(self, to: datetime) -> None:
        """Go on at a later instant; an earlier one changes nothing."""
        with self._lock:
            self._behind = min(self._behind, utcnow() - to)


def sunday_evening(weeks_ago: int, zone: ZoneInfo) -> datetime:
    """Return the evening of the Sunday so many weeks before the last one that is over."""
    today = utcnow().astimezone(zone).date()
    return local_instant(today - timedelta(days=today.weekday() + 1, weeks=weeks_ago), _EVENING, zone)
