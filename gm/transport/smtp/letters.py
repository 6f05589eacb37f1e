"""Letters that go out, and what became of them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gm.runtime.clock import utcnow
from gm.runtime.network import ANSWER_TIMEOUT, printable
from parsers.addresses import is_address

Status = Literal["sent", "deferred", "refused"]


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
    """How many seconds a server may take."""

    answer: float = ANSWER_TIMEOUT
    """For one answer, and for connecting."""
    letter: float = 2 * ANSWER_TIMEOUT
    """For a letter with all its answers: some servers are slow on purpose."""
    sending: float = 60.0
    """For all letters of one `send`: none is begun later."""
    last_words: float = 2.5
    """For letters under way when the service is to end."""


def fault_of(letter: Letter) -> str | None:
    """Return why no server may see this letter; None if its addresses are in order."""
    if not is_address(letter.recipient):
        return f"{letter.recipient!r} is not an address that mail can be sent to"
    if letter.sender and not is_address(letter.sender):
        return f"{letter.sender!r} is not an address that mail can come from"
    return None


def delivery_of(letter: Letter, status: Status, code: int, message: str) -> Delivery:
    """Return what became of a letter just now, in the server's words."""
    return Delivery(id=letter.id, status=status, code=code, message=printable(message), at=utcnow())
