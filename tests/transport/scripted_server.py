"""Small servers for misbehaviour: a function of the test handles each connection."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

from waiting import TIMEOUT


class Line:
    """One conversation: lines in, bytes out."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = connection.makefile("rb")

    def say(self, data: bytes) -> None:
        """Send this in one segment, with a line end."""
        self.connection.sendall(data + b"\r\n")

    def hear(self) -> bytes:
        """The next line without its end; raises ConnectionError at the end of the conversation."""
        line = self._reader.readline()
        if not line:
            raise ConnectionError("the client hung up")
        return line.rstrip(b"\r\n")

    def hang_up(self) -> None:
        """End the conversation at once."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the sockets."""
        self.hang_up()
        self._reader.close()
        self.connection.close()


class ScriptedServer:
    """Accepts connections until the `with` block ends; `connections` counts them."""

    def __init__(self, script: Callable[[Line, int], None]) -> None:
        self._script = script
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._lines: list[Line] = []
        self.port: int = self._listening.getsockname()[1]
        self.connections = 0

    def __enter__(self) -> ScriptedServer:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        for line in list(self._lines):
            line.hang_up()
        for thread in list(self._threads):
            thread.join(TIMEOUT)
        self._listening.close()

    def _start(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            line, number = Line(connection), self.connections
            self.connections += 1
            self._lines.append(line)
            self._start(lambda line=line, number=number: self._talk(line, number))

    def _talk(self, line: Line, number: int) -> None:
        try:
            with contextlib.suppress(OSError):
                self._script(line, number)
        finally:
            line.close()


def silent(line: Line, number: int) -> None:
    """A script: hang up without a word."""
    del line, number


def imap_until(
    line: Line, command: bytes, *, capability: bytes = b"IMAP4rev1 IDLE MOVE UIDPLUS", exists: int = 1
) -> bytes:
    """Behave as an IMAP server until a line holds the command, which is returned unanswered."""
    line.say(b"* OK ready")
    while command not in (heard := line.hear()).upper():
        tag, _, rest = heard.partition(b" ")
        if b"CAPABILITY" in rest.upper():
            line.say(b"* CAPABILITY " + capability)
        elif rest.upper().startswith((b"SELECT", b"EXAMINE")):
            line.say(b"* %d EXISTS\r\n* OK [UIDVALIDITY 7] valid" % exists)
        elif rest.upper().startswith(b"LIST"):
            line.say(b'* LIST (\\Noselect) "/" ""')
        line.say(tag + b" OK done")
    return heard
