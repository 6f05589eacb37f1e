"""Several `gm serve` on one PostgreSQL: who of them fetches mails, and waking the others when there is work.

Each has a connection of its own for that, besides the one that it works with. On it PostgreSQL keeps two locks of a
process for as long as it lives: that it is there, and, for one of them, that it fetches the mailbox. So both end with
the process, and 15 s after it was cut off or stopped. With SQLite there is one service, and nothing to watch.
"""

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from gm.app.context import App
from gm.runtime.config.settings import ImapSettings
from gm.runtime.log_format import event
from gm.runtime.tracebacks import described
from gm.store.database import FETCHING, SERVING, Database

log = logging.getLogger("gm")

BEAT_SECONDS: Final = 4.0
"""How often a process shows that it lives and looks whether the mailbox has become free."""
SILENT_SECONDS: Final = 15
"""After so long without that PostgreSQL ends the connection; the process itself doesn't fetch any more by then."""
PAUSE_SECONDS: Final = 2.0


class Watch:
    """Knows whether this process fetches, and calls `wake` when another one has stored, closed or queued something."""

    def __init__(self, database: Database, imap: ImapSettings, wake: Callable[[], None]) -> None:
        self._database = database
        self._mailbox = key_of_mailbox(imap)
        self._wake = wake
        self._holds = False
        self._seen_at = float("-inf")
        self._looked = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gm-watch", daemon=True)

    @property
    def fetches(self) -> bool:
        """Say whether the mailbox is this process's to read."""
        return not self._database.is_shared or (self._holds and time.monotonic() - self._seen_at < SILENT_SECONDS)

    def start(self) -> None:
        """Begin, be seen by the others, and wait until it is known who fetches."""
        if self._database.is_shared:
            self._thread.start()
            self._looked.wait(BEAT_SECONDS)
        else:
            self._database.become_visible()

    def stop(self) -> None:
        """Let go of the mailbox: another process takes it at once."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(BEAT_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._attend()
            except Exception as error:  # noqa: BLE001  whatever it is, the mailbox is another's by then
                self._tell_the_end(described(error))
            self._holds = False
            self._looked.set()
            self._stopping.wait(PAUSE_SECONDS)

    def _tell_the_end(self, why: str) -> None:
        level = logging.WARNING if self._holds else logging.DEBUG
        said = "The connection by which others see that we live was lost (%s); another process may fetch now."
        log.log(level, said, why, extra=event("fetching ended" if self._holds else "watch ended"))

    def _attend(self) -> None:
        """Hold the connection until it ends or we do."""
        with self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            driver: Any = connection.connection.driver_connection
            try:
                connection.execute(select(func.set_config("idle_session_timeout", f"{SILENT_SECONDS}s", False)))
                connection.execute(select(func.pg_advisory_lock(SERVING, self._database.worker)))
                connection.execute(text("LISTEN gm"))
                self._database.is_serving = True
                while not self._stopping.is_set():
                    self._beat(connection)
                    self._listen(driver)
            finally:
                self._database.is_serving = False
                with suppress(SQLAlchemyError):
                    connection.invalidate()  # it ends, and its locks with it

    def _beat(self, connection: Any) -> None:
        began = time.monotonic()
        if self._holds:
            connection.execute(select(1))
        elif connection.scalar(select(func.pg_try_advisory_lock(FETCHING, self._mailbox))):
            self._holds = True
            log.info("This process fetches the mailbox from now on.", extra=event("fetching began"))
            self._wake()
        self._seen_at = began
        self._looked.set()

    def _listen(self, driver: Any) -> None:
        """Wait for a call, or for the next beat."""
        until = time.monotonic() + BEAT_SECONDS
        while not self._stopping.is_set() and time.monotonic() < until:
            for call in driver.notifies(timeout=0.5, stop_after=1):
                if call.payload != str(self._database.worker):
                    self._wake()


@contextmanager
def taking_part(app: App, wake: Callable[[], None]) -> Iterator[App]:
    """Take part in the work on a zine, together with whoever else does."""
    watch = Watch(app.database, app.settings.imap, wake)
    watch.start()
    try:
        yield replace(app, fetches=lambda: watch.fetches)
    finally:
        watch.stop()


def key_of_mailbox(imap: ImapSettings) -> int:
    """Name a mailbox by a number that PostgreSQL takes for a lock."""
    named = f"{imap.username}@{imap.host}:{imap.port}/{imap.folder}".encode()
    return int.from_bytes(hashlib.sha256(named).digest()[:4], "big", signed=True)
