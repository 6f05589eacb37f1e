"""A letter handed over in two steps instead of four, to a server that announces PIPELINING (RFC 2920).

aiosmtplib connects, encrypts and logs in. Its way to send waits for each answer by itself and costs three times as
much; for the length of a letter its transport is ours.
"""

import asyncio
import contextlib
import re
from collections.abc import Sequence
from typing import Final, cast

import aiosmtplib
from aiosmtplib import SMTPStatus
from aiosmtplib.protocol import normalize_message_line_endings

from gm.transport.smtp.outbox import Letter

BUSY: Final = 421
_WELCOME: Final = (
    {SMTPStatus.completed}, {SMTPStatus.completed, SMTPStatus.will_forward}, {SMTPStatus.start_input},
    {SMTPStatus.completed},
)  # fmt: skip
"""The answers that a letter needs: to MAIL, RCPT, DATA and to its text."""
LONGEST_ANSWER: Final = 32_768
_LINE = re.compile(rb"(\d{3})(?:([ -])([^\n]*))?\r?")


async def hand_over(client: aiosmtplib.SMTP, letter: Letter, options: Sequence[str], timeout: float) -> str:
    """Send a letter; returns the server's words. Raises what `SMTP.sendmail` raises."""
    if client.protocol is None:
        raise aiosmtplib.SMTPServerDisconnected("Connection lost")
    size = [f"size={len(letter.raw)}"] if client.supports_extension("size") else []
    mail = " ".join((f"MAIL FROM:<{letter.sender}>", *size, *options))
    ear = _Ear(client.protocol, cast(asyncio.Transport, client.transport), timeout)
    try:
        await ear.ask(f"{mail}\r\nRCPT TO:<{letter.recipient}>\r\nDATA\r\n".encode("ascii"), 3)
        _raise_refusal(letter, ear.answers, 3)
        await ear.ask(_as_data(letter.raw), 1)
        _raise_refusal(letter, ear.answers, 4)
    except (aiosmtplib.SMTPResponseException, aiosmtplib.SMTPRecipientsRefused):
        ear.give_back()
        await _begin_anew(client, ear.answers)
        raise
    finally:
        ear.give_back()
    return ear.answers[-1].message


def _raise_refusal(letter: Letter, answers: Sequence[aiosmtplib.SMTPResponse], number: int) -> None:
    """Raise the first refusal, as those behind it only follow from it; or that not so many answers came."""
    for step, (answer, welcome) in enumerate(zip(answers, _WELCOME, strict=False)):
        if answer.code in welcome:
            continue
        if step == 0:
            raise aiosmtplib.SMTPSenderRefused(*answer, letter.sender)
        if step == 1:
            raise aiosmtplib.SMTPRecipientsRefused([aiosmtplib.SMTPRecipientRefused(*answer, letter.recipient)])
        raise aiosmtplib.SMTPDataError(*answer)
    if len(answers) != number:
        raise aiosmtplib.SMTPServerDisconnected("Connection lost")


def _as_data(raw: bytes) -> bytes:
    """Put a second dot before each at the begin of a line, and the one that ends it all below."""
    if not (raw.endswith(b"\r\n") and raw.count(b"\r\n") == raw.count(b"\n") == raw.count(b"\r")):
        raw = normalize_message_line_endings(raw)
    return (b"." if raw.startswith(b".") else b"") + raw.replace(b"\r\n.", b"\r\n..") + b".\r\n"


async def _begin_anew(client: aiosmtplib.SMTP, answers: Sequence[aiosmtplib.SMTPResponse]) -> None:
    """Let the server forget a letter. One that hangs up, or waits for the text of what it refused, hears no more."""
    if any(answer.code == BUSY for answer in answers) or len(answers) < 3 or answers[-1].code == SMTPStatus.start_input:
        client.close()
        return
    with contextlib.suppress(aiosmtplib.SMTPException, OSError):
        await client.rset()


class _Ear(asyncio.Protocol):
    """Hears the answers to what was said at once, until the transport is given back to its owner."""

    def __init__(self, owner: asyncio.Protocol, transport: asyncio.Transport, timeout: float) -> None:
        self.answers: list[aiosmtplib.SMTPResponse] = []
        self._owner, self._transport, self._timeout = owner, transport, timeout
        self._loop = asyncio.get_running_loop()
        self._heard = b""
        self._lines: list[str] = []
        self._wanted = 0
        self._all_heard = self._loop.create_future()
        transport.set_protocol(self)

    def give_back(self) -> None:
        """Hear no more."""
        self._transport.set_protocol(self._owner)

    async def ask(self, said: bytes, number: int) -> None:
        """Say something and wait for so many answers, or for as many as come before the server hangs up.

        Raises SMTPException.
        """
        self._wanted, self._all_heard = len(self.answers) + number, self._loop.create_future()
        alarm = self._loop.call_later(self._timeout, self._fail, aiosmtplib.SMTPReadTimeoutError("No answer in time"))
        try:
            self._transport.write(said)
            await self._all_heard
        finally:
            alarm.cancel()

    def data_received(self, data: bytes) -> None:
        """Part what comes into answers; the last line of one has no hyphen behind its code."""
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            found = _LINE.fullmatch(line)
            if not found:
                self._fail(aiosmtplib.SMTPResponseException(-1, f"Malformed: {line.decode('utf-8', 'ignore')}"))
                return
            self._lines.append((found[3] or b"").strip().decode("utf-8", "surrogateescape"))
            if found[2] != b"-":
                self.answers.append(aiosmtplib.SMTPResponse(int(found[1]), "\n".join(self._lines)))
                self._lines = []
        if len(self._heard) + sum(map(len, self._lines)) > LONGEST_ANSWER:
            self._fail(aiosmtplib.SMTPResponseException(-1, "Response too long"))
        elif len(self.answers) >= self._wanted:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the owner; what was answered until then counts."""
        self._owner.connection_lost(exc)
        self._end()

    def _end(self) -> None:
        if not self._all_heard.done():
            self._all_heard.set_result(None)

    def _fail(self, error: Exception) -> None:
        if not self._all_heard.done():
            self._all_heard.set_exception(error)
