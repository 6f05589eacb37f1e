"""A long job beside the passes of the service, which go on meanwhile."""

import threading
from collections.abc import Callable

from gm.runtime.errors import GmError
from gm.runtime.stop_signal import Stopped
from gm.runtime.tracebacks import described


class Background:
    """Does one job at a time in a thread that ends with the process at the latest. A job doesn't use the database."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._outcome: str | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, job: Callable[[], object]) -> None:
        """Begin a job. The one before must have ended, and its outcome is forgotten."""
        self._outcome = None
        self._thread = threading.Thread(target=self._run, args=(job,), name="gm-background", daemon=True)
        self._thread.start()

    def take_outcome(self) -> str | None:
        """Return, once, how a job went: "" for well, else a sentence. None if none has ended."""
        if self.is_busy or self._outcome is None:
            return None
        outcome, self._outcome = self._outcome, None
        return outcome

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end of the job, but no longer than this."""
        if self._thread:
            self._thread.join(seconds)

    def _run(self, job: Callable[[], object]) -> None:
        try:
            job()
        except Stopped:  # the process ends; the next one does it again
            return
        except GmError as error:
            self._outcome = str(error)
        except Exception as error:  # noqa: BLE001  told like any other trouble
            self._outcome = f"A bug in gm, please report it: {described(error)}."
        else:
            self._outcome = ""
