"""Named places at which the service can die: `fetched 7`, `commit mails 12`, `accepted by SMTP 31`, `moved 4`.

Each wraps a real part of the service and changes nothing about what it does. The plan says at which boundary the
process dies and how: by an exception that nothing may catch, or by SIGKILL.
"""

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Engine
from sqlmodel import Session

from gm.app.context import App, Inbox, Outbox
from gm.store.database import Database
from gm.transport.imap.mails import Fetched, Waiting
from gm.transport.smtp.letters import ONE_BY_ONE, Delivery, Letter


class Crash(BaseException):
    """The process is gone: nothing may catch it, nothing more is done."""


def crash() -> None:
    """Die as far as one can without taking the tests along."""
    raise Crash


def kill() -> None:
    """Die."""
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(kw_only=True)
class CrashPlan:
    """Counts the boundaries by kind; dies at the named one, and again at every boundary after it."""

    at: str = ""
    die: Callable[[], None] = crash
    counts: Counter[str] = field(default_factory=Counter)
    names: list[str] = field(default_factory=list)
    is_dead: bool = False

    def reach(self, kind: str) -> None:
        """Pass a boundary, or die there."""
        self.counts[kind] += 1
        self.names.append(f"{kind} {self.counts[kind]}")
        self.is_dead |= self.names[-1] == self.at
        if self.is_dead:
            self.die()


@dataclass
class CrashingInbox:
    """An inbox with a boundary after whatever the server is asked, and on both sides of each mail that is moved."""

    inner: Inbox
    plan: CrashPlan

    def waiting(self) -> Waiting:
        """As the inbox."""
        if (found := self.inner.waiting()).uids:
            self.plan.reach("listed")
        return found

    def check_owner(self) -> None:
        """As the inbox."""
        self.inner.check_owner()

    def other_folder(self, folder: str) -> Inbox:
        """Another folder, where nothing is written."""
        return self.inner.other_folder(folder)

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """As the inbox."""
        found = self.inner.fetch(uids)
        self.plan.reach("fetched")
        return found

    def move(self, uids: Sequence[int], target: Literal["processed", "quarantine"]) -> None:
        """As the inbox, one by one: a server may have moved some when the process ends."""
        for uid in uids:
            self.inner.move([uid], target)
            self.plan.reach("moved")

    def close(self) -> None:
        """As the inbox."""
        self.inner.close()


@dataclass
class CrashingOutbox:
    """An outbox with a boundary between the server's acceptance of a mail and the commit that notes it.

    So few letters are each noted before the next one is sent, so the order of boundaries is always the same and at most
    one letter is in flight.
    """

    inner: Outbox
    plan: CrashPlan

    def send(self, letters: Sequence[Letter]) -> Iterator[Sequence[Delivery]]:
        """As the outbox."""
        assert len(letters) <= ONE_BY_ONE
        for deliveries in self.inner.send(letters):
            assert len(deliveries) == 1, "more letters than one were in flight"
            self.plan.reach("accepted by SMTP")
            yield deliveries

    def close(self) -> None:
        """As the outbox."""
        self.inner.close()


WORK = {
    "store": "store", "_begin": "begin", "handle": "mails", "_note_fetch": "last fetch",
    "close_if_due": "round", "update_offers": "standbys", "remind": "reminders", "take_from_queue": "claim",
    "note_deliveries": "sent", "_put_back": "put back", "_keep": "archive's facts",
    "note_shown": "archive's notes", "new_game": "new game", "_changing": "ruling",
    "_note_next_look": "next looks", "_revisit_after_new_settings": "settings heeded", "publish": "published",
}  # fmt: skip
"""What a transaction is for, by the function that opens it."""


class CrashingDatabase(Database):
    """A database with a boundary on both sides of each commit that brings something."""

    plan: CrashPlan

    @contextmanager
    def write(self) -> Iterator[Session]:
        """As the database."""
        opener = sys._getframe(2).f_code.co_name
        work = WORK.get(opener, opener)
        with super().write() as session:
            before = _changes(session)
            yield session
            session.flush()
            is_news = _changes(session) > before
            if is_news and work != "sent":  # that place is called "accepted by SMTP"
                self.plan.reach(f"commit {work}")
        if is_news:
            self.plan.reach("marked sent" if work == "sent" else "stored" if work == "store" else f"{work} committed")


def _changes(session: Session) -> int:
    """Count the rows that were written over this connection so far; on a server, whether any was."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        return int(connection.exec_driver_sql("SELECT pg_current_xact_id_if_assigned() IS NOT NULL").scalar() or 0)
    return int(connection.connection.dbapi_connection.total_changes)


class SiteWatcher:
    """Boundaries in the writing of a site: between staging, ordering, moving and clearing.

    Python calls audit hooks before each file operation. A hook can't be removed, so there is one for the process; it
    watches one site at a time.
    """

    EVERY = 5
    """Of the files that are moved into place, each fifth has a boundary before it."""

    _present: "SiteWatcher | None" = None
    _is_hooked: bool = False

    def __init__(self, site: Path, plan: CrashPlan) -> None:
        self.has_seen = False
        """Whether anything was written."""
        self._site, self._fuse, self._moved = str(site), plan, 0

    @classmethod
    @contextmanager
    def over(cls, site: Path, plan: CrashPlan) -> Iterator["SiteWatcher"]:
        """Look at a site."""
        if not cls._is_hooked:
            cls._is_hooked = True
            sys.addaudithook(cls._hook)
        cls._present = watch = cls(site, plan)
        try:
            yield watch
        finally:
            cls._present = None

    @classmethod
    def _hook(cls, name: str, given: tuple[Any, ...]) -> None:
        if cls._present is not None and name in ("open", "os.rename", "shutil.rmtree"):
            cls._present._see(name, given)

    def _see(self, name: str, given: tuple[Any, ...]) -> None:
        path, plan = str(given[0]), self._fuse
        if not path.startswith(self._site) or (name == "open" and not given[2] & os.O_WRONLY):
            return
        self.has_seen = True
        below = path.removeprefix(f"{self._site}/.new")
        if plan.is_dead:
            plan.die()
        elif name == "open" and below == "/games.jsonl":
            plan.reach("archive staged")
        elif name == "os.rename" and str(given[1]) == f"{self._site}/.new/orders.json":
            plan.reach("archive ordered")
        elif name == "os.rename" and below != path:
            self._moved += 1
            if self._moved % self.EVERY == 1:
                plan.reach("archive in place")
        elif name == "shutil.rmtree" and not below:
            plan.reach("archive cleared")


def with_boundaries(app: App, plan: CrashPlan, engine: Callable[[Engine], object] = lambda _: None) -> App:
    """Return an app whose parts die where the plan says; `engine` sets up the connection to its database."""
    database = CrashingDatabase(app.database.url)
    database.plan = plan
    engine(database.engine)
    inbox, outbox = CrashingInbox(app.inbox, plan), CrashingOutbox(app.outbox, plan)
    return replace(app, database=database, inbox=inbox, outbox=outbox)
