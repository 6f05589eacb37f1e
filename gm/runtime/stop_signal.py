"""Whether the work goes on: asked between two units of it (a mail, a game, a page), and told to who watches over us."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field


class Stopped(BaseException):
    """The service is to end. Raised between two units of work and caught where the pass begins (gm.service).

    No Exception: nothing went wrong, and nobody who looks after those may catch it.
    """


@dataclass(kw_only=True)
class Pulse:
    """One for each process. Each beat says that we live; when we are to stop it ends the work instead."""

    stop: threading.Event = field(default_factory=threading.Event)
    alive: Callable[[], None] | None = None
    """Told at each beat, thousands of times a second: the watchdog of systemd."""

    def beat(self) -> None:
        """Go on. Raises Stopped when the service is to end."""
        if self.stop.is_set():
            raise Stopped
        self.show()

    def show(self) -> None:
        """Say that we live, where a server is waited for: its silence is no fault of ours."""
        if self.alive is not None:
            self.alive()
