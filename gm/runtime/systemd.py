"""What systemd is told of the service (sd_notify(3)): ready, alive, ending, and a line for `systemctl status`."""

import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

_OFTEN_ENOUGH: Final = 4
"""So many signs of life within the time after which the watchdog bites; more would only cost."""


class Systemd:
    """Datagrams to $NOTIFY_SOCKET. Where nobody listens nothing happens, and nothing here ever raises or waits."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._pause = _watchdog_seconds(environment) / _OFTEN_ENOUGH
        self._next = 0.0

    def ready(self, status: str) -> None:
        """Say that the service stands: what is ordered after it may start."""
        self._say("READY=1", _status(status))

    def status(self, sentence: str) -> None:
        """Put a line into `systemctl status`."""
        self._say(_status(sentence))

    def alive(self) -> None:
        """Keep the watchdog from biting, as often as it takes."""
        if self._pause and (now := time.monotonic()) >= self._next:
            self._next = now + self._pause
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the service ends on purpose."""
        self._say("STOPPING=1", _status("ending"))

    def _say(self, *lines: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto("\n".join(lines).encode(), self._address)


def _watchdog_seconds(environment: Mapping[str, str]) -> float:
    """Give the time after which we count as hanging; 0 where nobody watches, or somebody else is meant."""
    microseconds, pid = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    is_meant = not pid or pid == str(os.getpid())
    return int(microseconds) / 1e6 if microseconds.isdigit() and is_meant else 0.0


def _status(sentence: str) -> str:
    return f"STATUS={' '.join(sentence.split())}"
