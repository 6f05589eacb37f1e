"""How the outbox sends: an event loop in a thread of its own, with a few lasting SMTP connections."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiosmtplib

from gm.runtime.errors import DeliveryError
from gm.transport.smtp.connection import FAILURES, connect, quit_connection, trouble
from gm.transport.smtp.letters import ONE_BY_ONE, Delivery, Letter, Status, delivery_of

if TYPE_CHECKING:
    from gm.runtime.config.settings import SmtpSettings
    from gm.runtime.stop_signal import Pulse
    from gm.transport.smtp.letters import Limits

log = logging.getLogger(__name__)

CONNECTIONS = 8
UNNOTED = 32
"""Letters sent and not yet noted, at most: so many might go out twice if the process dies in that moment. Over a single
connection it is one; over several, to wait for each note would take longer than to send."""
LOOKS_UP = 0.25
"""How many seconds a wait for the server lasts until we ask whether the service is to end."""
LINGER = 0.005
"""How many seconds a result waits for others to be noted with it: a commit costs more than a mail."""
# SMTP answers that are about our account, not about one letter: log in first, login failed, encryption needed.
ACCOUNT_CODES = frozenset({530, 534, 535, 538})
BUSY = 421
TOO_LARGE = 552
MOST_REFUSALS = 10
"""So many letters in a row that a server asks to bring later: then it means all of them, and who insists is blocked."""


@dataclass(kw_only=True)
class _Sending:
    """What the workers of one `send` share. A lane is the letters to one recipient, in order."""

    lanes: deque[deque[Letter]]
    workers: int
    report: Callable[[Delivery], None]
    permits: asyncio.Semaphore
    until: float
    """When, by the monotonic clock, no more letters are begun."""
    is_stopped: bool = False
    # When, by the monotonic clock, letters under way are given up, as the service is to end.
    given_up_at: float | None = None
    # Connections lost since the server last answered properly.
    losses: int = 0
    last_trouble: str = "the connection was lost"
    # Letters put off since the server last took one.
    put_off: int = 0

    def noted(self, number: int) -> None:
        """Let so many more letters go out."""
        for _ in range(number):
            self.permits.release()

    @property
    def is_over(self) -> bool:
        """No more letters are begun."""
        return self.is_stopped or time.monotonic() > self.until

    def note(self, delivery: Delivery) -> None:
        """Report what became of a letter."""
        self.losses = 0 if delivery.code else self.losses
        self.put_off = self.put_off + 1 if delivery.status == "deferred" and delivery.code else 0
        self.report(delivery)

    def stop(self) -> None:
        """Send nothing more; workers that wait for the caller wake up to see it."""
        self.is_stopped = True
        self.noted(UNNOTED)


@dataclass(kw_only=True)
class _Worker:
    """A worker's connection; it is kept for later whatever ends the work."""

    client: aiosmtplib.SMTP | None = None


class ConnectionPool:
    """An event loop in a thread of its own, and the connections that live in it."""

    def __init__(self, settings: SmtpSettings, limits: Limits, pulse: Pulse) -> None:
        self._settings = settings
        self._limits = limits
        self._pulse = pulse
        # What became of letters and nobody has taken note of: the caller was stopped, by a locked database for one.
        self._unnoted: dict[int, Delivery] = {}
        self._idle: list[aiosmtplib.SMTP] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="gm-smtp", daemon=True)
        self._thread.start()

    # The caller's thread

    def deliver(self, letters: Sequence[Letter]) -> Generator[Sequence[Delivery], None, None]:
        """Send, as Outbox.send promises it."""
        if known_before := [self._unnoted[letter.id] for letter in letters if letter.id in self._unnoted]:
            yield known_before
            self._forget_noted(known_before)
        known = {one.id: one.status for one in known_before}
        put_off = {letter.recipient.lower() for letter in letters if known.get(letter.id) == "deferred"}
        if fresh := [one for one in letters if one.id not in known and one.recipient.lower() not in put_off]:
            yield from self._deliver_fresh(fresh)

    def _deliver_fresh(self, letters: Sequence[Letter]) -> Generator[Sequence[Delivery], None, None]:
        results: queue.SimpleQueue[Delivery | None] = queue.SimpleQueue()
        lanes = _lanes(letters)
        workers = min(CONNECTIONS, len(lanes), -(-len(letters) // ONE_BY_ONE))
        most = 1 if workers == 1 else UNNOTED
        sending = _Sending(
            lanes=lanes, workers=workers, report=lambda one: self._note(one, results),
            permits=asyncio.Semaphore(most), until=time.monotonic() + self._limits.sending,
        )  # fmt: skip
        job = asyncio.run_coroutine_threadsafe(self._deliver(sending), self._loop)
        job.add_done_callback(lambda _: results.put(None))
        try:
            for known in _in_groups(results, most, lambda: self._may_wait(sending)):
                yield known
                self._forget_noted(known)
                self._loop.call_soon_threadsafe(sending.noted, len(known))
            if job.done():
                self._outcome(job)
        finally:
            self._end(job, sending)

    def _note(self, delivery: Delivery, results: queue.SimpleQueue[Delivery | None]) -> None:
        if delivery.status != "refused":  # that is asked again: an old refusal says nothing about now
            self._unnoted[delivery.id] = delivery
        results.put(delivery)

    def _forget_noted(self, deliveries: Sequence[Delivery]) -> None:
        for delivery in deliveries:
            self._unnoted.pop(delivery.id, None)

    def _outcome(self, job: concurrent.futures.Future[None]) -> None:
        """Raise what concerns the server, or our account there, as DeliveryError."""
        try:
            job.result()
        except DeliveryError:
            raise
        except Exception as error:  # a server can say things that nobody has thought of
            log.exception("a bug in sending")
            raise trouble(self._settings, error) from error

    def _end(self, job: concurrent.futures.Future[None], sending: _Sending) -> None:
        """Let the letters under way be answered: what the server has accepted must not be cut off."""
        self._loop.call_soon_threadsafe(sending.stop)
        until = time.monotonic() + self._limits.letter
        while not job.done() and time.monotonic() < until and self._may_wait(sending):
            concurrent.futures.wait([job], timeout=LOOKS_UP)
        job.cancel()

    def _may_wait(self, sending: _Sending) -> bool:
        """Say whether to wait for the server a moment longer: when the service is to end, only for its last words."""
        if not self._pulse.stop.is_set():
            self._pulse.show()
            return True
        if sending.given_up_at is None:
            self._loop.call_soon_threadsafe(sending.stop)
            sending.given_up_at = time.monotonic() + self._limits.last_words
        return time.monotonic() < sending.given_up_at

    def connect_once(self) -> None:
        """Try whether the server takes mail from us. Raises DeliveryError."""
        self._call(self._try_once())

    def close(self) -> None:
        """Say goodbye, end the thread."""
        self._call(self._quit_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _call(self, coroutine: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    # The loop's thread

    def _run(self) -> None:
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        finally:
            self._loop.close()

    async def _try_once(self) -> None:
        self._idle.append(await self._connection())

    async def _deliver(self, sending: _Sending) -> None:
        """The first connection proves that the server is there; where one fails later, others go on."""
        first = await self._connection()
        others: list[aiosmtplib.SMTP | None] = [None] * (sending.workers - 1)
        async with asyncio.TaskGroup() as group:
            workers = [group.create_task(self._work(_Worker(client=client), sending)) for client in [first, *others]]
        faults = [fault for worker in workers if (fault := worker.result())]
        if faults:
            raise faults[0]
        if not sending.is_over:
            for lane in filter(None, sending.lanes):
                sending.report(delivery_of(lane[0], "deferred", 0, sending.last_trouble))

    async def _work(self, worker: _Worker, sending: _Sending) -> DeliveryError | None:
        """Take lane after lane until none is left or no connection can be had; returns what concerns the account."""
        try:
            while sending.lanes and not sending.is_over:
                lane = sending.lanes.popleft()
                await self._deliver_lane(worker, lane, sending)
                if lane:
                    sending.lanes.appendleft(lane)
                    return None
        except DeliveryError as error:
            sending.stop()
            return error
        finally:
            self._keep(worker.client)
        return None

    async def _deliver_lane(self, worker: _Worker, lane: deque[Letter], sending: _Sending) -> None:
        """Send letters from the lane until it is empty, we are to stop, or the connection can't be replaced."""
        while lane:
            await sending.permits.acquire()
            if sending.is_over:
                break
            if worker.client is None or not worker.client.is_connected:
                worker.client = await self._replacement(worker.client, sending)
            delivery = await self._send(worker.client, lane[0]) if worker.client else None
            if delivery is not None:
                sending.note(delivery)
                lane.popleft()
                if delivery.status == "deferred":
                    lane.clear()  # nothing overtakes it
                self._stop_if_all_are_refused(delivery, sending)
                continue
            sending.permits.release()
            if worker.client is None:
                break

    def _stop_if_all_are_refused(self, delivery: Delivery, sending: _Sending) -> None:
        """Understand when the server takes nothing for now, whoever it is for. Raises DeliveryError."""
        if delivery.status == "deferred" and (delivery.code >= 500 or sending.put_off >= MOST_REFUSALS):
            raise trouble(self._settings, aiosmtplib.SMTPResponseException(delivery.code, delivery.message))

    async def _replacement(self, lost: aiosmtplib.SMTP | None, sending: _Sending) -> aiosmtplib.SMTP | None:
        """A new connection; None if there is none to be had, or if the server hangs up time and again."""
        sending.losses += lost is not None
        if sending.losses > sending.workers:
            return None
        try:
            return await self._connection()
        except DeliveryError as error:
            log.warning("%s", error)
            sending.last_trouble = str(error)
            return None

    async def _connection(self) -> aiosmtplib.SMTP:
        """A connection kept from before, if it still answers, or a new one. Raises DeliveryError."""
        while self._idle:
            client = self._idle.pop()
            with contextlib.suppress(*FAILURES):
                await client.noop(timeout=10)
                return client
            client.close()
        try:
            async with asyncio.timeout(self._limits.answer):
                return await connect(self._settings, self._limits.answer)
        except FAILURES as error:
            raise trouble(self._settings, error) from error

    async def _send(self, client: aiosmtplib.SMTP, letter: Letter) -> Delivery | None:
        """One transaction. None if the server hung up before it had heard of the letter: try another connection."""
        try:
            async with asyncio.timeout(self._limits.letter):
                options = _mail_options(client, letter.raw)
                _, message = await client.sendmail(letter.sender, [letter.recipient], letter.raw, mail_options=options)
        except aiosmtplib.SMTPRecipientsRefused as error:
            return _answered(client, letter, error.recipients[0])
        except aiosmtplib.SMTPSenderRefused as error:
            if error.code == BUSY:
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

    def _keep(self, client: aiosmtplib.SMTP | None) -> None:
        if client is not None and client.is_connected:
            self._idle.append(client)

    async def _quit_all(self) -> None:
        await asyncio.gather(*map(quit_connection, self._idle))
        self._idle.clear()
        # Closing takes the loop a round or two; without it sockets would be left open.
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def _in_groups(
    results: queue.SimpleQueue[Delivery | None], most: int, may_wait: Callable[[], bool]
) -> Iterator[Sequence[Delivery]]:
    """Wait for a result, and for others a moment longer, unless all that may be under way are there. None ends them."""
    is_over = False
    while not is_over:
        group = [_next(results, may_wait)]
        until = time.monotonic() + LINGER
        with contextlib.suppress(queue.Empty):
            while len(group) < most and group[-1] is not None:
                group.append(results.get(timeout=max(0, until - time.monotonic())))
        is_over = group[-1] is None
        if known := [delivery for delivery in group if delivery is not None]:
            yield known


def _next(results: queue.SimpleQueue[Delivery | None], may_wait: Callable[[], bool]) -> Delivery | None:
    while may_wait():
        with contextlib.suppress(queue.Empty):
            return results.get(timeout=LOOKS_UP)
    return None


def _lanes(letters: Sequence[Letter]) -> deque[deque[Letter]]:
    lanes: dict[str, deque[Letter]] = {}
    for letter in letters:
        lanes.setdefault(letter.recipient.lower(), deque()).append(letter)
    return deque(lanes.values())


def _mail_options(client: aiosmtplib.SMTP, raw: bytes) -> list[str]:
    return ["BODY=8BITMIME"] if not raw.isascii() and client.supports_extension("8bitmime") else []


def _answered(client: aiosmtplib.SMTP, letter: Letter, error: aiosmtplib.SMTPResponseException) -> Delivery:
    """5xx is for good; 4xx, and what is no proper answer at all, may pass."""
    if error.code == BUSY or not 400 <= error.code <= 599:  # the server hangs up; or who knows what it answers to next
        client.close()
    status: Status = "refused" if 500 <= error.code <= 599 else "deferred"
    return delivery_of(letter, status, error.code, error.message)
