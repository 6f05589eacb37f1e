"""Sends letters one after the other over a lasting SMTP connection. Its event loop runs only while it sends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import aiosmtplib

from gm.runtime.errors import DeliveryError
from gm.transport.smtp.connection import FAILURES, connect, quit_connection, trouble
from gm.transport.smtp.letters import Delivery, Letter, Status, delivery_of

if TYPE_CHECKING:
    from gm.runtime.config.settings import SmtpSettings
    from gm.runtime.stop_signal import StopSignal
    from gm.transport.smtp.letters import Limits

log = logging.getLogger(__name__)

Result = TypeVar("Result")

CHECK_SECONDS = 0.25
"""How often the stop signal is checked while the server is waited for."""
# SMTP answers that are about our account, not about one letter: log in first, login failed, encryption needed.
ACCOUNT_CODES = frozenset({530, 534, 535, 538})
BUSY = 421
TOO_LARGE = 552
MOST_DEFERRED = 10
"""After so many deferred letters in a row the server means all of them. Who insists then is blocked."""
MOST_LOSSES = 1
"""A connection that is lost is replaced so many times in a row."""


@dataclass(kw_only=True)
class _Progress:
    """How one `deliver` goes."""

    is_connected: bool = False
    """The server was reached."""
    losses: int = 0
    """Connections lost since the server last answered properly."""
    last_trouble: str = "the connection was lost"
    deferred: int = 0
    """Letters deferred by the server since it last took one."""
    held_back: set[str] = field(default_factory=set)
    """Recipients of deferred letters: nothing overtakes these."""


class Sender:
    """One SMTP connection, kept from one `deliver` to the next, and its event loop."""

    def __init__(self, settings: SmtpSettings, limits: Limits, stop_signal: StopSignal) -> None:
        self._settings = settings
        self._limits = limits
        self._stop_signal = stop_signal
        # Deliveries that the caller has not noted, as it was interrupted, for instance by a locked database.
        self._unnoted: dict[int, Delivery] = {}
        self._client: aiosmtplib.SMTP | None = None
        self._loop = asyncio.SelectorEventLoop()  # Windows' own one would take the signals (gm/service/shutdown.py)

    def deliver(self, letters: Sequence[Letter]) -> Iterator[Delivery]:
        """Send, as Outbox.send promises it."""
        for delivery in self._send_all(letters):
            yield delivery
            self._unnoted.pop(delivery.id, None)  # the caller has noted it when it asks for the next one

    def _send_all(self, letters: Sequence[Letter]) -> Iterator[Delivery]:
        """Send one letter after the other, until the time is over or the service is to end. Raises DeliveryError."""
        progress, until = _Progress(), time.monotonic() + self._limits.sending
        for letter in letters:
            if letter.recipient.lower() in progress.held_back:
                continue
            if (known := self._unnoted.get(letter.id)) is not None:
                delivery = known
            elif time.monotonic() > until or (sent := self._run(self._deliver(letter, progress))) is None:
                return
            else:
                delivery = sent
            if delivery.status != "refused":  # a refusal is asked for again: an old one says nothing about now
                self._unnoted[letter.id] = delivery
            if delivery.status == "deferred":
                progress.held_back.add(letter.recipient.lower())
            yield delivery
            if known is None:
                self._check_whether_all_are_deferred(delivery, progress)

    def _check_whether_all_are_deferred(self, delivery: Delivery, progress: _Progress) -> None:
        """Notice when the server takes nothing for now, whoever it is for. Raises DeliveryError."""
        is_deferred = delivery.status == "deferred" and delivery.code > 0
        progress.deferred = progress.deferred + 1 if is_deferred else 0
        if is_deferred and (delivery.code >= 500 or progress.deferred >= MOST_DEFERRED):
            raise trouble(self._settings, aiosmtplib.SMTPResponseException(delivery.code, delivery.message))

    def try_connection(self) -> None:
        """Try whether the server takes mail from us. Raises DeliveryError."""
        self._run(self._connection(_Progress()))

    def close(self) -> None:
        """Say goodbye to the server, and end the loop."""
        self._loop.run_until_complete(self._quit())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def _run(self, coroutine: Coroutine[Any, Any, Result]) -> Result | None:
        """Run a coroutine to its end. None if it was given up, as the service is to end. Raises DeliveryError."""
        if self._stop_signal.is_set:
            coroutine.close()
            return None
        task = self._loop.create_task(coroutine)
        self._check_stop_later(task, float("inf"))
        try:
            return self._loop.run_until_complete(task)
        except asyncio.CancelledError:
            return None
        except DeliveryError:
            raise
        except Exception as error:  # a server can say things that nobody has thought of
            log.exception("a bug in sending")
            raise trouble(self._settings, error) from error
        finally:
            self._timer.cancel()
            task.cancel()  # after Ctrl-C it is still under way, and ends in `close`

    def _check_stop_later(self, task: asyncio.Task[Any], given_up_at: float) -> None:
        self._timer = self._loop.call_later(CHECK_SECONDS, self._check_stop, task, given_up_at)

    def _check_stop(self, task: asyncio.Task[Any], given_up_at: float) -> None:
        """Cancel a task some time after the service is to end. Until then report liveness to systemd."""
        now = time.monotonic()
        if not self._stop_signal.is_set:
            self._stop_signal.report_alive()
        elif given_up_at == float("inf"):
            given_up_at = now + self._limits.last_words
        elif now > given_up_at:
            task.cancel()
        self._check_stop_later(task, given_up_at)

    # In the loop

    async def _deliver(self, letter: Letter, progress: _Progress) -> Delivery:
        """Send a letter, over a new connection where the old one is lost. Raises DeliveryError."""
        while progress.losses <= MOST_LOSSES:
            try:
                client = await self._connection(progress)
            except DeliveryError as error:
                if not progress.is_connected:
                    raise
                log.warning("%s", error)
                progress.losses, progress.last_trouble = MOST_LOSSES + 1, str(error)
                break
            progress.is_connected = True
            delivery = await self._send(client, letter)
            if delivery is not None and delivery.code:
                progress.losses = 0
            progress.losses += not client.is_connected
            if delivery is not None:
                return delivery
        return delivery_of(letter, "deferred", 0, progress.last_trouble)

    async def _connection(self, progress: _Progress) -> aiosmtplib.SMTP:
        """Return the connection. One from an earlier `deliver` must still answer. Raises DeliveryError."""
        if self._client is not None and self._client.is_connected:
            if progress.is_connected:
                return self._client
            with contextlib.suppress(*FAILURES):
                await self._client.noop(timeout=10)
                return self._client
            self._client.close()
        try:
            async with asyncio.timeout(self._limits.answer):
                self._client = await connect(self._settings, self._limits.answer)
        except FAILURES as error:
            raise trouble(self._settings, error) from error
        return self._client

    async def _send(self, client: aiosmtplib.SMTP, letter: Letter) -> Delivery | None:
        """Do one transaction. None if the server hung up before it had heard of the letter: try another connection."""
        is_8bit = not letter.raw.isascii() and client.supports_extension("8bitmime")
        options = ["BODY=8BITMIME"] if is_8bit else []
        try:
            async with asyncio.timeout(self._limits.letter):
                _, message = await client.sendmail(letter.sender, [letter.recipient], letter.raw, mail_options=options)
        except aiosmtplib.SMTPRecipientsRefused as error:
            return _answered(client, letter, error.recipients[0])
        except aiosmtplib.SMTPSenderRefused as error:
            if error.code == BUSY:
                client.close()
                return None
            if error.code in ACCOUNT_CODES:
                client.close()
                raise trouble(self._settings, error) from error
            if 500 <= error.code <= 599 and error.code != TOO_LARGE:
                # The sender is always the same, so this is about us; if it is about the letter, others go on later.
                return delivery_of(letter, "deferred", error.code, error.message)
            return _answered(client, letter, error)
        except aiosmtplib.SMTPResponseException as error:
            return _answered(client, letter, error)
        except FAILURES as error:
            client.close()
            return delivery_of(letter, "deferred", 0, f"the connection was lost: {error}")
        except asyncio.CancelledError:
            # The server's answer is still to come; it must not be taken for the answer to the next letter.
            client.close()
            raise
        return delivery_of(letter, "sent", 250, message)

    async def _quit(self) -> None:
        if self._client is not None:
            await quit_connection(self._client)
        # Closing takes the loop a round or two; without it sockets would be left open.
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def _answered(client: aiosmtplib.SMTP, letter: Letter, error: aiosmtplib.SMTPResponseException) -> Delivery:
    """5xx is for good; 4xx, and what is no proper answer at all, may pass."""
    if error.code == BUSY or not 400 <= error.code <= 599:  # the server hangs up; or who knows what it answers to next
        client.close()
    status: Status = "refused" if 500 <= error.code <= 599 else "deferred"
    return delivery_of(letter, status, error.code, error.message)
