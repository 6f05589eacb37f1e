"""The demo's players wait, on a slow machine too, as long as there is any progress."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from gm.runtime.errors import OperatorError

LIMIT_SECONDS: Final = 120.0
"""A player gives up after so long without progress. The demo's servers and its database may be silent for as long."""
TELL_AFTER_SECONDS: Final = 5.0
PAUSE_SECONDS: Final = 0.02

Show = Callable[[str], None]
Found = TypeVar("Found")


class Progress:
    """Lets players wait. `count` says how much was done so far, by anybody; `show` prints a line."""

    def __init__(
        self, count: Callable[[], int], show: Show, *, limit: float = LIMIT_SECONDS,
        tell_after: float = TELL_AFTER_SECONDS,
    ) -> None:  # fmt: skip
        self.show = show
        self._count = count
        self._limit = limit
        self._tell_after = tell_after

    def wait_for(self, who: str, what: str, look: Callable[[], Found | None]) -> Found:
        """Call `look` until it finds something; a long wait is told once. Raises OperatorError without any progress.

        Only the pauses between two looks count as time without progress: a machine that is too busy to look, or that
        was asleep, has had no chance to do anything.
        """
        began, is_told = time.monotonic(), False
        before, idle = self._count(), 0.0
        while (found := look()) is None:
            if (count := self._count()) != before:
                before, idle = count, 0.0
            elif idle >= self._limit:
                raise OperatorError(
                    f"{who} waited in vain for {what}: for {self._limit:g} s no mail came or went, and the service "
                    "did nothing."
                )
            if not is_told and time.monotonic() - began >= self._tell_after:
                self.show(f"  {who} waits for {what} ...")
                is_told = True
            time.sleep(PAUSE_SECONDS)
            idle += PAUSE_SECONDS
        return found
