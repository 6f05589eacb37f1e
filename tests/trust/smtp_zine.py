"""Eriwan in round 1 with an SMTP server of the test's own that misbehaves at the step that the test names."""

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import col, select
from waiting import TIMEOUT

from gm.demo.in_memory_zine import Story
from gm.requests.desk import actions
from gm.service.scheduler import Loop
from gm.store.tables import MailOut, Question

TAKEN = b"250 queued"
CUT, HANG, BUSY = b"(hangs up)", b"(says nothing more)", b"421 4.3.2 busy"
GONE = (CUT, HANG, BUSY)
"""What ends a connection."""

Behaviour = Callable[[str, str], bytes | None]
"""Asked at each step (connect, EHLO, AUTH, MAIL, RCPT, DATA, "." and, for a mail it takes, "taken"), and for whom."""


def well_behaved(step: str, address: str) -> None:
    """Answer correctly."""
    del step, address


@dataclass
class MisbehavingSmtp:
    """An SMTP server that misbehaves as told; it keeps the mails it took and the commands it was sent."""

    behaviour: Behaviour = well_behaved
    offers: bytes = b"250-scripted\r\n250-SIZE 100000\r\n250 AUTH PLAIN"
    slowness: float = 0.0
    taken: list[tuple[str, bytes]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    unheard: int = 0
    """How many letters it took whose acknowledgement nobody heard: these may come a second time."""
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def script(self, line: Any, _number: int) -> None:
        """Serve one connection."""
        usual = {"connect": b"220 ready", "EHLO": self.offers, "DATA": b"354 go on", "AUTH": b"235 welcome"}
        address = ""
        if (said := self._says(line, "connect", address, usual["connect"])) in GONE:
            return
        while (heard := self._hears(line, said)) != "QUIT":
            step = heard[:4].upper()
            address = heard.partition("<")[2].partition(">")[0] if step == "RCPT" else address
            address = "" if step == "MAIL" else address
            said = self._says(line, step, address, usual.get(step, b"250 ok"))
            if said == usual["DATA"]:
                said = self._takes(line, address)
            if said in GONE:
                return
        line.say(b"221 bye")

    def _takes(self, line: Any, address: str) -> bytes:
        raw = b""
        while (part := line.hear()) != b".":
            raw += (part[1:] if part.startswith(b"..") else part) + b"\r\n"
        reply = self._reply(".", address)
        if reply is None:
            with self.lock:
                self.taken.append((address, raw))
            reply = self._reply("taken", address)
        self.over.wait(self.slowness)
        with self._noting_who_is_gone(reply is None):
            return self._say(line, reply or TAKEN)

    def _hears(self, line: Any, said: bytes) -> str:
        with self._noting_who_is_gone(said == TAKEN):
            return str(line.hear().decode())

    @contextmanager
    def _noting_who_is_gone(self, is_taken: bool) -> Iterator[None]:
        try:
            yield
        except OSError:
            with self.lock:
                self.unheard += is_taken
            raise

    def _says(self, line: Any, step: str, address: str, usual: bytes) -> bytes:
        return self._say(line, self._reply(step, address) or usual)

    def _reply(self, step: str, address: str) -> bytes | None:
        with self.lock:
            self.asked.append((step, address))
            return self.behaviour(step, address)

    def _say(self, line: Any, reply: bytes) -> bytes:
        if reply == HANG:
            self.over.wait(TIMEOUT)
        if reply not in (CUT, HANG):
            line.say(reply)
        return reply


@dataclass
class SmtpZine:
    """Eriwan in round 1, the service loop, and the SMTP server that takes its mails."""

    story: Story
    smtp_server: MisbehavingSmtp
    loop: Loop
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def closes(self, rounds: int = 1) -> None:
        """Let the GM close rounds: each queues a bulletin for everybody."""
        for _ in range(rounds):
            self.story.passes(minutes=1)
            actions.close(self.loop.app, "Eriwan", self.story.now)

    def queues(self, addresses: Iterable[str]) -> None:
        """Queue a note for each of these addresses."""
        with self.loop.app.database.write() as session:
            for address in addresses:
                name = f"<{next(self.numbers)}@test>"
                raw = f"To: {address}\r\nSubject: Rundbrief\r\nMessage-ID: {name}\r\n\r\nHallo\r\n".encode()
                session.add(MailOut(
                    cause=name, kind="note", recipient=address, address=address, message_id=name, raw=raw,
                    subject="Rundbrief", next_try=self.story.now, created_at=self.story.now,
                ))  # fmt: skip

    def works(self, most: int = 40, **span: float) -> int:
        """Do passes, five minutes apart, until nothing is queued; says how many it took."""
        for number in range(most):
            self.loop.one_pass()
            if not self.queued():
                return number
            self.story.passes(**(span or {"minutes": 5}))
        raise AssertionError(f"still queued: {[(row.address, row.error) for row in self.queued()]}")

    def mails(self, **filters: Any) -> list[MailOut]:
        """List the mails to send, in order."""
        with self.loop.app.database.read() as session:
            rows = session.exec(select(MailOut).order_by(col(MailOut.id))).all()
        return [row for row in rows if all(getattr(row, key) == value for key, value in filters.items())]

    def queued(self) -> list[MailOut]:
        """List what still waits."""
        return self.mails(status="queued")

    def waits(self) -> list[tuple[str, Any]]:
        """List what waits for the GM: kind, and the mail it is about."""
        with self.loop.app.database.read() as session:
            rows = session.exec(select(Question).where(col(Question.answered_at).is_(None), Question.address == ""))
            return [(row.kind, row.payload.get("out")) for row in rows]

    def check(self, *, twice: int = 0) -> None:
        """Everything arrived as it was queued, in order for each address; so many mails arrived a second time."""
        mails = self.mails(status="sent")[6:]  # without the bulletins of the start
        assert mails
        counts = Counter(self.smtp_server.taken)
        assert set(counts) == {(row.address, row.raw) for row in mails}
        assert sum(counts.values()) - len(counts) <= twice + self.smtp_server.unheard
        assert max(counts.values()) <= 2 + self.smtp_server.unheard
        for kind in {(row.address, row.priority) for row in mails}:  # answers go before bulletins
            queued = [row.raw for row in mails if (row.address, row.priority) == kind]
            assert [
                raw for to, raw in dict.fromkeys(self.smtp_server.taken) if to == kind[0] and raw in queued
            ] == queued


def times(number: int, at: str, reply: bytes, address: str = "") -> Behaviour:
    """Misbehave so many times at a step (and, if told, for one address only), then behave."""
    left = [number]

    def behaviour(step: str, to: str) -> bytes | None:
        if step != at or left[0] == 0 or (address and to != address):
            return None
        left[0] -= 1
        return reply

    return behaviour
