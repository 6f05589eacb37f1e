"""The stop signal: set by SIGTERM, checked between two units of work (a mail, a game, a page)."""

import threading
from dataclasses import dataclass, field

from gm.runtime.systemd import Systemd


class Stopped(BaseException):
    """The service is to end. Raised between two units of work, and caught by `gm.service.tick`.

    It is no Exception: nothing went wrong, and code that handles errors must not catch it.
    """


@dataclass(kw_only=True)
class StopSignal:
    """Tells all parts of a process that it is to end, and systemd that it lives. There is one for each process."""

    systemd: Systemd = field(default_factory=lambda: Systemd({}))
    wake: threading.Event = field(default_factory=threading.Event)
    """Ends the pause between two passes: there is work, or the service is to end."""
    _stop: threading.Event = field(default_factory=threading.Event, init=False)

    def set(self) -> None:
        """Let the work end after the unit under way."""
        self._stop.set()
        self.wake.set()
        self.systemd.stopping()

    @property
    def is_set(self) -> bool:
        """Whether the service is to end."""
        return self._stop.is_set()

    def check(self) -> None:
        """Report liveness to systemd. Raises Stopped when the service is to end.

        It is called thousands of times a second: systemd hears of a few.
        """
        if self.is_set:
            raise Stopped
        self.report_alive()

    def report_alive(self) -> None:
        """Report liveness to systemd while a server is waited for: its silence is no fault of ours."""
        self.systemd.alive()
