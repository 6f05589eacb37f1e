"""Letters that go out, and what became of them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from gm.runtime.network import ANSWER_TIMEOUT, in_print
from parsers.addresses import is_address

Status = Literal["sent", "deferred", "refused"]

ONE_BY_ONE = 25
"""So many letters go over a single connection, each when the one before is noted; more go over several."""


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


def fault_of(letter: Letter) -> str | None:
    """Why this letter is never shown to a server; None if its addresses are in order."""
    if not is_address(letter.recipient):
        return f"{letter.recipient!r} is not an address that mail can be sent to"
    if letter.sender and not is_address(letter.sender):
        return f"{letter.sender!r} is not an address that mail can come from"
    return None


def delivery_of(letter: Letter, status: Status, code: int, message: str) -> Delivery:
    """What has just become of a letter, in the server's words."""
    return Delivery(id=letter.id, status=status, code=code, message=in_print(message), at=datetime.now(UTC))
