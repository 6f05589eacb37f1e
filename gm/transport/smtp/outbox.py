"""Sending mail over SMTP: stored bytes out, one answer for each letter, over a few lasting connections."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from gm.runtime.errors import DeliveryError
from gm.runtime.network import Check
from gm.runtime.stop_signal import Pulse
from gm.transport.smtp.letters import Delivery, Letter, Limits, delivery_of, fault_of

if TYPE_CHECKING:
    from gm.runtime.config.settings import SmtpSettings
    from gm.transport.smtp.connection_pool import ConnectionPool


class Outbox:
    """Sends letters over a few connections, which it keeps for the next time; reconnects where needed."""

    def __init__(self, settings: SmtpSettings, *, limits: Limits | None = None, pulse: Pulse | None = None) -> None:
        self._settings = settings
        self._limits = limits or Limits()
        self._pulse = pulse or Pulse()
        self._pool: ConnectionPool | None = None

    def send(self, letters: Sequence[Letter]) -> Generator[Sequence[Delivery], None, None]:
        """Send and yield what became of letters as it is known: what became known meanwhile comes together.

        So the caller notes each at once and yet many with one commit. Letters to the same recipient go in order; what
        stands behind one that is put off is left. Of so few as go one by one none is sent before the caller has taken
        note of the one before (by asking for the next), of more only a few are; if the caller stops, the rest is not
        sent. What became known and was not taken note of is told again, instead of sending once more, when the same
        letter is handed in again. A slow server has a minute; then the rest is left, as it is, seconds after, when the
        service is to end.
        Raises DeliveryError if the server can't be reached at all, refuses the login, or takes nothing for now:
        whatever was not yielded until then is unsent.
        """
        good = []
        for letter in letters:
            if reason := fault_of(letter):
                yield [delivery_of(letter, "refused", 553, reason)]
            else:
                good.append(letter)
        if good:
            yield from self._connected().deliver(good)

    def close(self) -> None:
        """Say goodbye to the server and end the thread. The next `send` begins anew."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def check(self) -> Iterator[Check]:
        """Connect and log in over a connection of its own, for `gm doctor`; nothing is sent."""
        where = f"{self._settings.host}:{self._settings.port} ({self._settings.security})"
        trial = Outbox(self._settings)
        try:
            trial._connected().connect_once()
        except DeliveryError as error:
            yield Check("SMTP login", "fail", str(error))
        else:
            yield Check("SMTP login", "ok", f"The SMTP server {where} takes mail from us.")
        finally:
            trial.close()

    def _connected(self) -> ConnectionPool:
        """The pool. Imported late: asyncio and aiosmtplib take a while, and most commands of `gm` send no mail."""
        from gm.transport.smtp.connection_pool import ConnectionPool

        if self._pool is None:
            self._pool = ConnectionPool(self._settings, self._limits, self._pulse)
        return self._pool
