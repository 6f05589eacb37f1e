"""Notifications to systemd (sd_notify(3)): ready, alive, stopping, and a line for `systemctl status`."""

import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

_OFTEN_ENOUGH: Final = 4
"""How many signs of life are sent within the time-out of the watchdog."""


class Systemd:
    """Datagrams to $NOTIFY_SOCKET. Without that socket nothing happens. Nothing here raises or waits."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._pause = _watchdog_seconds(environment) / _OFTEN_ENOUGH
        self._next = 0.0

    def ready(self, status: str) -> None:
        """Report that the service is ready: what is ordered after it may start."""
        self._say("READY=1", _status(status))

    def status(self, sentence: str) -> None:
        """Put a line into `systemctl status`."""
        self._say(_status(sentence))

    def alive(self) -> None:
        """Report that the process lives, as often as the watchdog needs it."""
        if self._pause and (now := time.monotonic()) >= self._next:
            self._next = now + self._pause
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """Report that the service ends on purpose."""
        self._say("STOPPING=1", _status("ending"))

    def _say(self, *lines: str) -> None:
        if not self._address or not hasattr(socket, "AF_UNIX"):
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto("\n".join(lines).encode(), self._address)


def _watchdog_seconds(environment: Mapping[str, str]) -> float:
    """Return the time-out of the watchdog; 0 where there is none, or it is for another process."""
    microseconds, pid = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    is_meant = not pid or pid == str(os.getpid())
    return int(microseconds) / 1e6 if microseconds.isdigit() and is_meant else 0.0


def _status(sentence: str) -> str:
    return f"STATUS={' '.join(sentence.split())}"
