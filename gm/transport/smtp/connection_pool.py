"""How the outbox sends: an event loop in a thread of its own, with a few lasting SMTP connections."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import queue
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiosmtplib

from gm.runtime.errors import DeliveryError, TokenError
from gm.runtime.network import causes, explain_network, in_print, refuse_plaintext
from gm.runtime.redaction import Secret
from gm.transport.oauth.access_tokens import access_token
from gm.transport.smtp.outbox import ONE_BY_ONE, Delivery, Letter, Status, delivery_of
from gm.transport.smtp.pipelining import hand_over

if TYPE_CHECKING:
    from gm.runtime.config.settings import SmtpSettings
    from gm.runtime.stop_signal import Pulse
    from gm.transport.smtp.outbox import Limits

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
FAILURES = (aiosmtplib.SMTPException, OSError, ValueError, TokenError)


@dataclass(kw_only=True)
class _Round:
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

    def tell(self, delivery: Delivery) -> None:
        """Report what became of a letter."""
        self.losses = 0 if delivery.code else self.losses
        self.put_off = self.put_off + 1 if delivery.status == "deferred" and delivery.code else 0
        self.report(delivery)

    def stop(self) -> None:
        """Send nothing more; workers that wait for the caller wake up to see it."""
        self.is_stopped = True
        self.noted(UNNOTED)


@dataclass(kw_only=True)
class _Line:
    """A worker's connection; it is kept for later whatever ends the work."""

    client: aiosmtplib.SMTP | None = None


class Courier:
    """An event loop in a thread of its own, and the connections that live in it."""

    def __init__(self, settings: SmtpSettings, limits: Limits, pulse: Pulse) -> None:
        self._settings = settings
        self._limits = limits
        self._pulse = pulse
        # What became of letters and nobody has taken note of: the caller was stopped, by a locked database for one.
        self._untold: dict[int, Delivery] = {}
        self._resting: list[aiosmtplib.SMTP] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="gm-smtp", daemon=True)
        self._thread.start()

    # The caller's thread

    def deliver(self, letters: Sequence[Letter]) -> Generator[Sequence[Delivery], None, None]:
        """Send, as Outbox.send promises it."""
        if told := [self._untold[letter.id] for letter in letters if letter.id in self._untold]:
            yield told
            self._take_as_told(told)
        known = {one.id: one.status for one in told}
        put_off = {letter.recipient.lower() for letter in letters if known.get(letter.id) == "deferred"}
        if fresh := [one for one in letters if one.id not in known and one.recipient.lower() not in put_off]:
            yield from self._deliver_fresh(fresh)

    def _deliver_fresh(self, letters: Sequence[Letter]) -> Generator[Sequence[Delivery], None, None]:
        results: queue.SimpleQueue[Delivery | None] = queue.SimpleQueue()
        lanes = _lanes(letters)
        workers = min(CONNECTIONS, len(lanes), -(-len(letters) // ONE_BY_ONE))
        most = 1 if workers == 1 else UNNOTED
        round_ = _Round(
            lanes=lanes, workers=workers, report=lambda one: self._learn(one, results),
            permits=asyncio.Semaphore(most), until=time.monotonic() + self._limits.sending,
        )  # fmt: skip
        job = asyncio.run_coroutine_threadsafe(self._deliver(round_), self._loop)
        job.add_done_callback(lambda _: results.put(None))
        try:
            for known in _in_groups(results, most, lambda: self._may_wait(round_)):
                yield known
                self._take_as_told(known)
                self._loop.call_soon_threadsafe(round_.noted, len(known))
            if job.done():
                self._outcome(job)
        finally:
            self._finish(job, round_)

    def _learn(self, delivery: Delivery, results: queue.SimpleQueue[Delivery | None]) -> None:
        if delivery.status != "refused":  # that is asked again: an old refusal says nothing about now
            self._untold[delivery.id] = delivery
        results.put(delivery)

    def _take_as_told(self, deliveries: Sequence[Delivery]) -> None:
        for delivery in deliveries:
            self._untold.pop(delivery.id, None)

    def _outcome(self, job: concurrent.futures.Future[None]) -> None:
        """Raise what concerns the server, or our account there, as DeliveryError."""
        try:
            job.result()
        except DeliveryError:
            raise
        except Exception as error:  # a server can say things that nobody has thought of
            log.exception("a bug in sending")
            raise _trouble(self._settings, error) from error

    def _finish(self, job: concurrent.futures.Future[None], round_: _Round) -> None:
        """Let the letters under way be answered: what the server has accepted must not be cut off."""
        self._loop.call_soon_threadsafe(round_.stop)
        until = time.monotonic() + self._limits.letter
        while not job.done() and time.monotonic() < until and self._may_wait(round_):
            concurrent.futures.wait([job], timeout=LOOKS_UP)
        job.cancel()

    def _may_wait(self, round_: _Round) -> bool:
        """Say whether to wait for the server a moment longer: when the service is to end, only for its last words."""
        if not self._pulse.stop.is_set():
            self._pulse.show()
            return True
        if round_.given_up_at is None:
            self._loop.call_soon_threadsafe(round_.stop)
            round_.given_up_at = time.monotonic() + self._limits.last_words
        return time.monotonic() < round_.given_up_at

    def connect_once(self) -> None:
        """Try whether the server takes mail from us. Raises DeliveryError."""
        self._call(self._try_out())

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

    async def _try_out(self) -> None:
        self._resting.append(await self._connection())

    async def _deliver(self, round_: _Round) -> None:
        """The first connection proves that the server is there; where one fails later, others go on."""
        first = await self._connection()
        others: list[aiosmtplib.SMTP | None] = [None] * (round_.workers - 1)
        async with asyncio.TaskGroup() as group:
            workers = [group.create_task(self._work(_Line(client=client), round_)) for client in [first, *others]]
        faults = [fault for worker in workers if (fault := worker.result())]
        if faults:
            raise faults[0]
        if not round_.is_over:
            for lane in filter(None, round_.lanes):
                round_.report(delivery_of(lane[0], "deferred", 0, round_.last_trouble))

    async def _work(self, line: _Line, round_: _Round) -> DeliveryError | None:
        """Take lane after lane until none is left or no connection can be had; returns what concerns the account."""
        try:
            while round_.lanes and not round_.is_over:
                lane = round_.lanes.popleft()
                await self._deliver_lane(line, lane, round_)
                if lane:
                    round_.lanes.appendleft(lane)
                    return None
        except DeliveryError as error:
            round_.stop()
            return error
        finally:
            self._rest(line.client)
        return None

    async def _deliver_lane(self, line: _Line, lane: deque[Letter], round_: _Round) -> None:
        """Send letters from the lane until it is empty, we are to stop, or the connection can't be replaced."""
        while lane:
            await round_.permits.acquire()
            if round_.is_over:
                break
            if line.client is None or not line.client.is_connected:
                line.client = await self._replacement(line.client, round_)
            delivery = await self._send(line.client, lane[0]) if line.client else None
            if delivery is not None:
                round_.tell(delivery)
                lane.popleft()
                if delivery.status == "deferred":
                    lane.clear()  # nothing overtakes it
                self._heed(delivery, round_)
                continue
            round_.permits.release()
            if line.client is None:
                break

    def _heed(self, delivery: Delivery, round_: _Round) -> None:
        """Understand when the server takes nothing for now, whoever it is for. Raises DeliveryError."""
        if delivery.status == "deferred" and (delivery.code >= 500 or round_.put_off >= MOST_REFUSALS):
            raise _trouble(self._settings, aiosmtplib.SMTPResponseException(delivery.code, delivery.message))

    async def _replacement(self, lost: aiosmtplib.SMTP | None, round_: _Round) -> aiosmtplib.SMTP | None:
        """A new connection; None if there is none to be had, or if the server hangs up time and again."""
        round_.losses += lost is not None
        if round_.losses > round_.workers:
            return None
        try:
            return await self._connection()
        except DeliveryError as error:
            log.warning("%s", error)
            round_.last_trouble = str(error)
            return None

    async def _connection(self) -> aiosmtplib.SMTP:
        """A connection kept from before, if it still answers, or a new one. Raises DeliveryError."""
        while self._resting:
            client = self._resting.pop()
            with contextlib.suppress(*FAILURES):
                await client.noop(timeout=10)
                return client
            client.close()
        try:
            async with asyncio.timeout(self._limits.answer):
                return await _connect(self._settings, self._limits.answer)
        except FAILURES as error:
            raise _trouble(self._settings, error) from error

    async def _send(self, client: aiosmtplib.SMTP, letter: Letter) -> Delivery | None:
        """One transaction. None if the server hung up before it had heard of the letter: try another connection."""
        try:
            async with asyncio.timeout(self._limits.letter):
                message = await self._hand_over(client, letter)
        except aiosmtplib.SMTPRecipientsRefused as error:
            return _answered(client, letter, error.recipients[0])
        except aiosmtplib.SMTPSenderRefused as error:
            if error.code == BUSY:
                return None
            if error.code in ACCOUNT_CODES:
                client.close()
                raise _trouble(self._settings, error) from error
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

    async def _hand_over(self, client: aiosmtplib.SMTP, letter: Letter) -> str:
        options = _mail_options(client, letter.raw)
        if client.supports_extension("pipelining"):
            return await hand_over(client, letter, options, self._limits.answer)
        _, message = await client.sendmail(letter.sender, [letter.recipient], letter.raw, mail_options=options)
        return message

    def _rest(self, client: aiosmtplib.SMTP | None) -> None:
        if client is not None and client.is_connected:
            self._resting.append(client)

    async def _quit_all(self) -> None:
        await asyncio.gather(*map(_quit, self._resting))
        self._resting.clear()
        # Closing takes the loop a round or two; without it sockets would be left open.
        await asyncio.sleep(0)
        await asyncio.sleep(0)


async def _quit(client: aiosmtplib.SMTP) -> None:
    with contextlib.suppress(*FAILURES):
        await client.quit(timeout=1)
    client.close()


async def _connect(settings: SmtpSettings, timeout: float) -> aiosmtplib.SMTP:
    """A connection that is encrypted and logged in. A token that was revoked before its time is renewed once."""
    refuse_plaintext(settings)
    token = await _token(settings)
    try:
        return await _logged_in(settings, token, timeout)
    except aiosmtplib.SMTPAuthenticationError:
        if token is None:
            raise
        return await _logged_in(settings, await _token(settings, refused=token), timeout)


async def _token(settings: SmtpSettings, *, refused: Secret | None = None) -> Secret | None:
    """In a thread: it may have to be asked for, and other connections go on meanwhile."""
    if not settings.oauth2 or not settings.username:
        return None
    return await asyncio.to_thread(access_token, settings.oauth2, settings.username, refused=refused)


async def _logged_in(settings: SmtpSettings, token: Secret | None, timeout: float) -> aiosmtplib.SMTP:
    """Encrypted with a verified certificate as the settings say: `start_tls` is never None, which means "maybe"."""

    async def revealed() -> str:
        return token.reveal() if token else ""

    client = aiosmtplib.SMTP(
        hostname=settings.host,
        port=settings.port,
        username=settings.username or None,
        password=settings.password.reveal() if settings.username and token is None else None,
        oauth_token_generator=revealed if token else None,
        timeout=timeout,
        use_tls=settings.security == "tls",
        start_tls=settings.security == "starttls",
        tls_context=ssl.create_default_context() if settings.security != "none" else None,
    )
    await client.connect()
    try:
        if client.is_ehlo_or_helo_needed:  # without encryption and login; a refusal is about us, not about a letter
            await _greet(client)
    except FAILURES:
        client.close()
        raise
    return client


async def _greet(client: aiosmtplib.SMTP) -> None:
    try:
        await client.ehlo()
    except aiosmtplib.SMTPHeloError:
        if not client.is_connected:
            raise
        await client.helo()


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


def _trouble(settings: SmtpSettings, error: BaseException) -> DeliveryError:
    """The failure as one English sentence for the log and `gm doctor`, without the password."""
    if isinstance(error, TokenError):
        return DeliveryError(in_print(str(error)))
    sentence = f"The SMTP server {settings.host}:{settings.port} {_what_failed(settings, error)}."
    is_login = isinstance(error, aiosmtplib.SMTPAuthenticationError) and error.code >= 500
    return DeliveryError(in_print(sentence), is_login=is_login)


def _what_failed(settings: SmtpSettings, error: BaseException) -> str:
    answer = " ".join(str(getattr(error, "message", error)).split()).rstrip(".")
    match error:
        case aiosmtplib.SMTPAuthenticationError() if settings.oauth2:
            return (
                f"refused the login of {settings.username} with a token: {answer}; check username in [smtp] and the "
                "rights of the app, and run `gm login` again"
            )
        case aiosmtplib.SMTPAuthenticationError():
            return f"refused the login of {settings.username}: {answer}; check username and password in [smtp]"
        case aiosmtplib.SMTPResponseException():
            return f"does not take mail from us: {error.code} {answer}; check port, security and username in [smtp]"
    telling = [cause for cause in causes(error) if not isinstance(cause, aiosmtplib.SMTPException)]
    if telling and (reason := explain_network(telling[0])):
        return f"can't be used: {reason}"
    if isinstance(error, TimeoutError):
        return f"can't be used: {explain_network(error)}"
    return f"can't be used: {answer}; check port, security and username in [smtp]"
