"""Being told of new mail at once: a thread that waits in IMAP IDLE and wakes the service.

IMAPClient's own `idle_check` is not used: it sleeps through news that came in one packet with the server's
"+ idling", gives up over half a line (mjs/imapclient #519) and spins when the server hangs up (#565).
"""

from __future__ import annotations

import logging
import select
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from gm.transport.imap.connection import FAILURES, connect, cut_off, folder_names, hang_up, trouble

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings

log = logging.getLogger(__name__)

# RFC 2177 allows 29 minutes, but some servers go deaf or hang up earlier without a word.
LONGEST_IDLE = 300.0
LONGEST_PAUSE = 300.0


class Idler:
    """Calls `wake` from its own thread whenever the folder may have changed; once too often is harmless.

    It also wakes after each connecting, as mail may have come in between. Failures are logged, never raised: the
    service polls as well. Without IDLE on the server the thread ends quietly.
    """

    def __init__(self, settings: ImapSettings, wake: Callable[[], None], *, first_pause: float = 1.0) -> None:
        self._settings = settings
        self._wake = wake
        self._first_pause = first_pause
        self._pause = first_pause
        self._is_said = False
        self._stopping = threading.Event()
        self._client: IMAPClient | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin waiting. Starting twice is the same as once."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = threading.Thread(target=self._run, name="gm-idle", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread, within a second. Shutting the socket is the only way to end a wait for the server."""
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
                if not self._watch():
                    return
            except FAILURES as error:
                if not self._stopping.is_set():
                    self._say(str(trouble(self._settings, "waiting for news", error)))
                self._stopping.wait(self._pause)
                self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _say(self, sentence: str) -> None:
        """Say a trouble once, however often it is met again before the next whole cycle."""
        log.log(logging.DEBUG if self._is_said else logging.WARNING, "%s", sentence)
        self._is_said = True

    def _watch(self) -> bool:
        """Stay on one connection until it fails (raises) or we are to stop. False: trying again is pointless."""
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
        # Only a whole cycle proves that the server is well; a mere connection doesn't.
        self._pause, self._is_said = self._first_pause, False
        if news and not self._stopping.is_set():
            self._wake()


def idle_wait(client: IMAPClient, timeout: float) -> bool:
    """Whether the server said anything within the time. IDLE is over afterwards; raises if the connection is lost."""
    client.idle()
    if not _bytes_waiting(client):
        poller = select.poll()
        poller.register(client.socket().fileno(), select.POLLIN)
        poller.poll(timeout * 1000)
    # DONE reads line by line and blocking, so that half a line or the end of the connection can't be mistaken.
    _, news = client.idle_done()
    return bool(news)


def _bytes_waiting(client: IMAPClient) -> bool:
    """Whether news lies in imaplib's buffer or TLS already, where poll can't see it."""
    sock = client.socket()
    timeout = sock.gettimeout()
    sock.setblocking(False)
    try:
        # imaplib renamed the file in Python 3.14.
        file = getattr(client._imap, "_file", None) or client._imap.file
        return bool(file.peek(1))
    except OSError:
        # Nothing there: BlockingIOError, or ssl.SSLWantReadError. A lost connection shows in DONE.
        return False
    finally:
        sock.settimeout(timeout)
