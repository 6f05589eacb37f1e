"""What may come between: the process dies, the other service does a pass, a server hangs up, the disk is full.

Each counts down over the boundaries of tests/stories/crashes.py, or over what a server is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from crashes import CrashingDatabase, CrashingInbox, CrashPlan
from sqlalchemy import Engine, event

from gm.runtime.errors import DeliveryError, MailboxError
from gm.transport.doubles.in_memory import MemoryInbox, MemoryOutbox, MemoryServer
from gm.transport.imap.mails import Fetched, Head, Waiting
from gm.transport.imap.ownership import Owner
from gm.transport.smtp.letters import Delivery, Letter

ENDLESS: Final = 1_073_741_823
"""The pages of a database without a limit."""


@dataclass(kw_only=True)
class Interruptions(CrashPlan):
    """What happens when; 0 is never."""

    visit_in: int = 0
    """Boundaries until the other service does a whole pass in between."""
    visitor: Callable[[], object] = int
    hang_up_in: int = 0
    """IMAP commands until the connection is lost; it comes before or after the server has done what was asked."""
    smtp_codes: dict[int, str] = field(default_factory=dict)
    """What becomes of which of the next letters: a code, `lost` (nothing arrives) or `unheard` (its answer is lost)."""
    met: Counter[str] = field(default_factory=Counter)
    """What has happened."""
    _letters: int = 0

    def reach(self, kind: str, path: str = "") -> None:
        """Pass a boundary, or die there, or let the other service work."""
        super().reach(kind, path)
        # Within a transaction that writes nobody else can.
        if kind != "commit" and self._is_over("visit_in"):
            self.met["visit"] += 1
            self.visitor()

    def asked(self) -> None:
        """Ask the IMAP server something, or hear its answer. Raises MailboxError where the connection is lost."""
        if self._is_over("hang_up_in"):
            self.met["hang-up"] += 1
            raise MailboxError("The IMAP server broke off the connection; nothing is lost, we try again.")

    def fate(self) -> str:
        """Say what becomes of the next letter."""
        self._letters += 1
        fate = self.smtp_codes.pop(self._letters, "")
        if fate:
            self.met[f"SMTP {fate}"] += 1
        return fate

    def letters_from_now(self, fates: dict[int, str]) -> None:
        """Let the nth letter from now have a fate."""
        self.smtp_codes = {self._letters + number: fate for number, fate in fates.items()}

    def calm(self) -> None:
        """Let nothing more happen."""
        self.at, self.visit_in, self.hang_up_in = "", 0, 0
        self.smtp_codes.clear()

    def _is_over(self, name: str) -> bool:
        left = getattr(self, name)
        setattr(self, name, max(0, left - 1))
        return bool(left == 1)


class UnsteadyInbox(MemoryInbox):
    """The inbox in memory, with a connection that may be lost."""

    def __init__(self, server: MemoryServer, plan: Interruptions, owner: Callable[[], Owner], folder: str) -> None:
        super().__init__(server, folder=folder, owner=owner)
        self.plan = plan

    def other_folder(self, folder: str) -> Any:
        """Another folder, over the same line."""
        assert self._owner is not None
        other = UnsteadyInbox(self.server, self.plan, self._owner, folder)
        other._owner = None  # as the double has it: the marks are about the inbox
        return CrashingInbox(other, self.plan)

    def waiting(self) -> Waiting:
        """As the inbox."""
        return self._over_the_line(super().waiting)

    def heads(self, uids: Sequence[int], *, with_sender: bool = False) -> dict[int, Head]:
        """As the inbox."""
        return self._over_the_line(lambda: super(UnsteadyInbox, self).heads(uids, with_sender=with_sender))

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """As the inbox."""
        return self._over_the_line(lambda: super(UnsteadyInbox, self).fetch(uids))

    def _transfer(self, uid: int, target: Any) -> None:
        """As the inbox: a server may have moved some mails when the connection ends."""
        self._over_the_line(lambda: super(UnsteadyInbox, self)._transfer(uid, target))

    def _over_the_line(self, do: Callable[[], Any]) -> Any:
        self.plan.asked()
        found = do()
        self.plan.asked()
        return found


@dataclass(kw_only=True)
class UnsteadyOutbox(MemoryOutbox):
    """The outbox in memory, whose server refuses some letters, or isn't heard."""

    plan: Callable[[], Interruptions]
    """The plan of the process that sends."""

    def _try(self, letter: Letter) -> Delivery:
        fate = self.plan().fate()
        if fate == "lost":
            raise DeliveryError("The SMTP server broke off the connection.")
        if fate.isdigit():
            return self._delivery(letter, int(fate), "not now" if int(fate) < 500 else "no such user")
        delivery = super()._try(letter)
        if fate == "unheard":
            raise DeliveryError("The SMTP server broke off the connection.")
        return delivery


class TightDatabase(CrashingDatabase):
    """A database on a disk that may be full: SQLite itself says so, as it may have no more pages."""

    free: float = float("inf")

    def fill(self, free: float) -> None:
        """Leave so many bytes free on the disk."""
        self.free = free
        assert self._file is not None
        self._file.free_bytes = lambda: free  # type: ignore[method-assign]
        self.engine.dispose()

    def limit(self, engine: Engine) -> None:
        """Let each connection know how many pages there may be."""
        event.listen(engine, "connect", self._limit)

    def _limit(self, connection: Any, _record: Any) -> None:
        if self.free != float("inf"):
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count={pages + int(self.free) // 4096}")
