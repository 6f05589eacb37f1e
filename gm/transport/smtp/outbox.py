"""Sending mail over SMTP: stored bytes out, one answer for each letter, over a few lasting connections."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from gm.runtime.errors import DeliveryError
from gm.runtime.network import ANSWER_TIMEOUT, Check, in_print
from gm.runtime.stop_signal import Pulse

if TYPE_CHECKING:
    from gm.runtime.config.settings import SmtpSettings
    from gm.transport.smtp.connection_pool import Courier

Status = Literal["sent", "deferred", "refused"]

LONGEST_ADDRESS = 254
ONE_BY_ONE = 25
"""So many letters go over a single connection, each when the one before is noted; more go over several."""

# aiosmtplib reads addresses leniently: "a\r\nRCPT TO:<z@z>" went to z@z. So: ASCII, no quotes, no white space.
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A mail to one recipient, as stored. An empty sender is the null sender, which no bounce goes to."""

    id: int
    sender: str
    recipient: str
    raw: bytes


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What became of a letter: accepted by the server, to be tried again, or refused for good."""

    id: int
    status: Status
    code: int
    message: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How many seconds a server may take. All together is well below the lease that the letters are sent under."""

    answer: float = ANSWER_TIMEOUT
    """For one answer, and for letting us in."""
    letter: float = 2 * ANSWER_TIMEOUT
    """For a letter, with all the answers it needs: some servers make a point of being slow."""
    sending: float = 60.0
    """For all that is sent at once; no letter is begun later."""
    last_words: float = 2.5
    """For letters under way when the service is to end."""


class Outbox:
    """Sends letters over a few connections, which it keeps for the next time; reconnects where needed."""

    def __init__(self, settings: SmtpSettings, *, limits: Limits | None = None, pulse: Pulse | None = None) -> None:
        self._settings = settings
        self._limits = limits or Limits()
        self._pulse = pulse or Pulse()
        self._courier: Courier | None = None

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
            yield from self._hired().deliver(good)

    def close(self) -> None:
        """Say goodbye to the server and end the thread. The next `send` begins anew."""
        if self._courier is not None:
            self._courier.close()
            self._courier = None

    def check(self) -> Iterator[Check]:
        """Connect and log in over a connection of its own, for `gm doctor`; nothing is sent."""
        where = f"{self._settings.host}:{self._settings.port} ({self._settings.security})"
        trial = Outbox(self._settings)
        try:
            trial._hired().connect_once()
        except DeliveryError as error:
            yield Check("SMTP login", "fail", str(error))
        else:
            yield Check("SMTP login", "ok", f"The SMTP server {where} takes mail from us.")
        finally:
            trial.close()

    def _hired(self) -> Courier:
        """The courier. Imported late: asyncio and aiosmtplib take a while, and most commands of `gm` send no mail."""
        from gm.transport.smtp.connection_pool import Courier

        if self._courier is None:
            self._courier = Courier(self._settings, self._limits, self._pulse)
        return self._courier


def fault_of(letter: Letter) -> str | None:
    """Why this letter is never shown to a server; None if its addresses are in order."""
    if not is_address(letter.recipient):
        return f"{letter.recipient!r} is not an address that mail can be sent to"
    if letter.sender and not is_address(letter.sender):
        return f"{letter.sender!r} is not an address that mail can come from"
    return None


def is_address(address: str) -> bool:
    """Whether it is one plain ASCII address and nothing else."""
    return len(address) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(address) is not None


def delivery_of(letter: Letter, status: Status, code: int, message: str) -> Delivery:
    """What has just become of a letter, in the server's words."""
    return Delivery(id=letter.id, status=status, code=code, message=in_print(message), at=datetime.now(UTC))
