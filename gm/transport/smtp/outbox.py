"""Sending mail over SMTP: stored bytes out, one answer for each letter."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from gm.runtime.errors import DeliveryError
from gm.runtime.network import Check
from gm.runtime.stop_signal import StopSignal
from gm.transport.smtp.letters import Delivery, Letter, Limits, delivery_of, fault_of

if TYPE_CHECKING:
    from gm.runtime.config.settings import SmtpSettings
    from gm.transport.smtp.sender import Sender


class Outbox:
    """Sends letters over one connection, which is kept for the next time. Reconnects where needed."""

    def __init__(
        self, settings: SmtpSettings, *, limits: Limits | None = None, stop_signal: StopSignal | None = None
    ) -> None:
        self._settings = settings
        self._limits = limits or Limits()
        self._stop_signal = stop_signal or StopSignal()
        self._sender: Sender | None = None

    def send(self, letters: Sequence[Letter]) -> Generator[Delivery, None, None]:
        """Send letters, and yield what became of each. The caller notes it and asks for the next one.

        None is sent before the caller has noted the one before. If it stops, the rest is not sent. A delivery that it
        did not note is given again when the same letter is handed in again: it is not sent twice.

        Letters to the same recipient go in order. What stands behind a deferred one is left. After a minute no more
        letters are begun; the rest is left. When the service is to end, it is left within seconds.

        Raises DeliveryError if the server can't be reached at all, refuses the login, or takes nothing for now:
        whatever was not yielded until then is unsent.
        """
        good = []
        for letter in letters:
            if reason := fault_of(letter):
                yield delivery_of(letter, "refused", 553, reason)
            else:
                good.append(letter)
        if good:
            self._sender = self._sender or self._new_sender()
            yield from self._sender.deliver(good)

    def close(self) -> None:
        """Say goodbye to the server. The next `send` connects again."""
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    def check(self) -> Iterator[Check]:
        """Connect and log in over a connection of its own, for `gm doctor`. Nothing is sent."""
        where = f"{self._settings.host}:{self._settings.port} ({self._settings.security})"
        with closing(self._new_sender()) as sender:
            try:
                sender.try_connection()
            except DeliveryError as error:
                yield Check("SMTP login", "fail", str(error))
            else:
                yield Check("SMTP login", "ok", f"The SMTP server {where} takes mail from us.")

    def _new_sender(self) -> Sender:
        """Return a sender. It is imported late: aiosmtplib takes a while, and most commands of `gm` send no mail."""
        from gm.transport.smtp.sender import Sender

        return Sender(self._settings, self._limits, self._stop_signal)
