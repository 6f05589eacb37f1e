"""Several `gm serve` on one PostgreSQL: which of them reads the mailbox, and waking the others when there is work.

Each process has a connection of its own for that, beside the one that it works with. On this connection it holds two
locks for as long as it lives: one says that it is there, the other that it reads the mailbox, which only one process
can hold. Both end with the process, and 15 s after it was cut off or stopped. With SQLite there is one service, which
always reads the mailbox.
"""

import hashlib
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from gm.runtime.config.settings import ImapSettings
from gm.runtime.log_format import event
from gm.runtime.tracebacks import described
from gm.store.database import FETCHING, SERVING, Database

log = logging.getLogger("gm")

CHECK_SECONDS: Final = 4.0
"""How often a process shows that it lives, and checks whether the mailbox has become free."""
SILENT_SECONDS: Final = 15
"""After so long without that PostgreSQL ends the connection. The process stops fetching before."""
RECONNECT_SECONDS: Final = 2.0


class Membership:
    """This process' part in the cluster. Calls `wake` when another process has stored, closed or queued something."""

    def __init__(self, database: Database, imap: ImapSettings, wake: Callable[[], None]) -> None:
        self._database = database
        self._mailbox = key_of_mailbox(imap)
        self._wake = wake
        self._holds_mailbox = False
        self._checked_at = float("-inf")
        self._is_known = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gm-cluster", daemon=True)

    @property
    def fetches(self) -> bool:
        """Whether this process reads the mailbox."""
        if not self._database.is_shared:
            return True
        return self._holds_mailbox and time.monotonic() - self._checked_at < SILENT_SECONDS

    def start(self) -> None:
        """Begin, and wait until it is known which process reads the mailbox."""
        if self._database.is_shared:
            self._thread.start()
            self._is_known.wait(CHECK_SECONDS)
        else:
            self._database.become_visible()

    def stop(self) -> None:
        """Let go of the mailbox: another process takes it at once."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(CHECK_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._stay_connected()
            except Exception as error:  # noqa: BLE001  whatever it is, another process has the mailbox by then
                self._log_loss(described(error))
            self._holds_mailbox = False
            self._is_known.set()
            self._stopping.wait(RECONNECT_SECONDS)

    def _log_loss(self, why: str) -> None:
        level = logging.WARNING if self._holds_mailbox else logging.DEBUG
        said = "The connection by which others see that we live was lost (%s); another process may fetch now."
        log.log(level, said, why, extra=event("fetching ended" if self._holds_mailbox else "watch ended"))

    def _stay_connected(self) -> None:
        """Hold the locks until the connection is lost or we are to stop."""
        with self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            driver: Any = connection.connection.driver_connection
            try:
                connection.execute(select(func.set_config("idle_session_timeout", f"{SILENT_SECONDS}s", False)))
                connection.execute(select(func.pg_advisory_lock(SERVING, self._database.worker)))
                connection.execute(text("LISTEN gm"))
                self._database.is_serving = True
                while not self._stopping.is_set():
                    self._check(connection)
                    self._listen(driver)
            finally:
                self._database.is_serving = False
                with suppress(SQLAlchemyError):
                    connection.invalidate()  # it ends, and its locks with it

    def _check(self, connection: Any) -> None:
        """Show that this process lives. Take the mailbox if it is free."""
        began = time.monotonic()
        if self._holds_mailbox:
            connection.execute(select(1))
        elif connection.scalar(select(func.pg_try_advisory_lock(FETCHING, self._mailbox))):
            self._holds_mailbox = True
            log.info("This process fetches the mailbox from now on.", extra=event("fetching began"))
            self._wake()
        self._checked_at = began
        self._is_known.set()

    def _listen(self, driver: Any) -> None:
        """Wait for other processes' calls until the next check is due."""
        until = time.monotonic() + CHECK_SECONDS
        while not self._stopping.is_set() and time.monotonic() < until:
            for call in driver.notifies(timeout=0.5, stop_after=1):
                if call.payload != str(self._database.worker):
                    self._wake()


def key_of_mailbox(imap: ImapSettings) -> int:
    """Return the number of a mailbox, which PostgreSQL takes for a lock."""
    named = f"{imap.username}@{imap.host}:{imap.port}/{imap.folder}".encode()
    return int.from_bytes(hashlib.sha256(named).digest()[:4], "big", signed=True)
