"""A thread that waits in IMAP IDLE and wakes the service when there is new mail.

IMAPClient's own `idle_check` is not used. It misses news that comes in one packet with the server's "+ idling", fails
on half a line (mjs/imapclient #519), and loops without a pause when the server hangs up (#565).
"""

from __future__ import annotations

import logging
import selectors
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from gm.transport.imap.connection import FAILURES, connect, cut_off, folder_names, hang_up, trouble

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings

log = logging.getLogger(__name__)

# RFC 2177 allows 29 minutes, but some servers stop reporting, or hang up, much earlier.
LONGEST_IDLE = 300.0
LONGEST_PAUSE = 300.0


class Idler:
    """Calls `wake` from its own thread whenever the folder may have changed, sometimes without need.

    It also does so after each connection, as mail may have come before. Failures are logged and never raised: the
    service polls as well. If the server has no IDLE, the thread ends.
    """

    def __init__(self, settings: ImapSettings, wake: Callable[[], None], *, first_pause: float = 1.0) -> None:
        self._settings = settings
        self._wake = wake
        self._first_pause = first_pause
        self._pause = first_pause
        self._is_logged = False
        self._stopping = threading.Event()
        self._client: IMAPClient | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread, if it isn't running."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = threading.Thread(target=self._run, name="gm-idle", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread, within a second."""
        self._stopping.set()
        if self._client is not None:
            cut_off(self._client)
        if self._thread is not None:
            self._thread.join(timeout=1)
            self._thread = None

    def _run(self) -> None:
        self._pause = self._first_pause
        while not self._stopping.is_set():
            try:
                if not self._wait_for_news():
                    return
            except FAILURES as error:
                if not self._stopping.is_set():
                    self._log(str(trouble(self._settings, "waiting for news", error)))
                self._stopping.wait(self._pause)
                self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _log(self, sentence: str) -> None:
        """Log a trouble once, until a whole cycle has succeeded."""
        log.log(logging.DEBUG if self._is_logged else logging.WARNING, "%s", sentence)
        self._is_logged = True

    def _wait_for_news(self) -> bool:
        """Use one connection until it fails (raises) or we are to stop. False if the server has no IDLE."""
        self._client = client = connect(self._settings)
        try:
            if not client.has_capability("IDLE"):
                log.info("The IMAP server has no IDLE; the folder is read every %d s.", self._settings.poll_seconds)
                return False
            client.select_folder(folder_names(client).on_server(self._settings.folder), readonly=True)
            self._wake()
            while not self._stopping.is_set():
                self._idle_once(client)
        finally:
            self._client = None
            hang_up(client)
        return True

    def _idle_once(self, client: IMAPClient) -> None:
        news = idle_wait(client, LONGEST_IDLE)
        # Only a whole cycle proves that the server works. A mere connection doesn't.
        self._pause, self._is_logged = self._first_pause, False
        if news and not self._stopping.is_set():
            self._wake()


def idle_wait(client: IMAPClient, timeout: float) -> bool:
    """Return whether the server reported anything in time. Raises one of FAILURES if the connection is lost."""
    client.idle()
    if not _bytes_waiting(client):
        with selectors.DefaultSelector() as selector:
            selector.register(client.socket(), selectors.EVENT_READ)
            selector.select(timeout)
    # `idle_done` reads line by line and blocks, so half a line or a lost connection is noticed.
    _, news = client.idle_done()
    return bool(news)


def _bytes_waiting(client: IMAPClient) -> bool:
    """Return whether news is already in the buffer of imaplib or TLS, where a selector can't see it."""
    sock = client.socket()
    timeout = sock.gettimeout()
    sock.setblocking(False)
    try:
        # imaplib renamed the file in Python 3.14.
        file = getattr(client._imap, "_file", None) or client._imap.file
        return bool(file.peek(1))
    except OSError:
        # Nothing there: BlockingIOError, or ssl.SSLWantReadError. `idle_done` notices a lost connection.
        return False
    finally:
        sock.settimeout(timeout)
