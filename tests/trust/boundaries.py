"""Named places at which the service can die: `fetched 7`, `commit mails 12`, `accepted by SMTP 31`, `moved 4`.

Each wraps a real part of the service, or looks over its shoulder; none changes what it does. What happens at the chosen
place is up to the fuse: an exception that nothing may catch, or SIGKILL.
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
from gm.store.queries.query_cache import insert_now
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
class Fuse:
    """Counts the boundaries by kind; blows at the one that is named, and again at whatever is touched after that."""

    at: str = ""
    blow: Callable[[], None] = crash
    counts: Counter[str] = field(default_factory=Counter)
    names: list[str] = field(default_factory=list)
    has_blown: bool = False

    def reach(self, kind: str) -> None:
        """Pass a boundary, or die there."""
        self.counts[kind] += 1
        self.names.append(f"{kind} {self.counts[kind]}")
        self.has_blown |= self.names[-1] == self.at
        if self.has_blown:
            self.blow()


@dataclass
class FusedInbox:
    """An inbox with a boundary after whatever the server is asked, and on both sides of each mail that is moved."""

    inner: Inbox
    fuse: Fuse

    def waiting(self) -> Waiting:
        """As the inbox."""
        if (found := self.inner.waiting()).uids:
            self.fuse.reach("listed")
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
        self.fuse.reach("fetched")
        return found

    def move(self, uids: Sequence[int], target: Literal["processed", "quarantine"]) -> None:
        """As the inbox, one by one: a server may have moved some when the process ends."""
        for uid in uids:
            self.inner.move([uid], target)
            self.fuse.reach("moved")

    def close(self) -> None:
        """As the inbox."""
        self.inner.close()


@dataclass
class FusedOutbox:
    """An outbox with a boundary when the server has taken a mail and that isn't noted yet.

    So few letters are each noted before the next one is sent: so the order of boundaries is always the same, and never
    more than one letter is in flight.
    """

    inner: Outbox
    fuse: Fuse

    def send(self, letters: Sequence[Letter]) -> Iterator[Sequence[Delivery]]:
        """As the outbox."""
        assert len(letters) <= ONE_BY_ONE
        for deliveries in self.inner.send(letters):
            assert len(deliveries) == 1, "more letters than one were in flight"
            self.fuse.reach("accepted by SMTP")
            yield deliveries

    def close(self) -> None:
        """As the outbox."""
        self.inner.close()


WORK = {
    "store": "store", "_count_attempts": "attempts", "_try_run": "mails", "_note_fetch": "last fetch",
    "close_if_due": "round", "seek": "standbys", "remind": "reminders", "claim": "claim", "note_deliveries": "sent",
    "_release": "given back", "export": "archive's secret", "_keep": "archive's facts",
    "keep_in_mind": "archive's notes", "new_game": "new game", "rule": "ruling", "write_retrospect": "hindsight",
    "_note_next_look": "next looks", "_revisit_after_new_settings": "settings heeded", "publish": "published",
}  # fmt: skip
"""What a transaction is for, by the function that opens it."""


class FusedDatabase(Database):
    """A database with a boundary on both sides of each commit that brings something."""

    fuse: Fuse

    @contextmanager
    def write(self, *, together: bool = False) -> Iterator[Session]:
        """As the database."""
        opener = sys._getframe(2).f_code.co_name
        work = WORK.get(opener, opener)
        with super().write(together=together) as session:
            before = _changes(session)
            yield session
            session.flush()
            insert_now(session)  # else it is done below, as part of the commit
            is_news = _changes(session) > before
            if is_news and work != "sent":  # that place is called "accepted by SMTP"
                self.fuse.reach(f"commit {work}")
        if is_news:
            self.fuse.reach("marked sent" if work == "sent" else "stored" if work == "store" else f"{work} committed")


def _changes(session: Session) -> int:
    """Count the rows that were written over this connection so far; on a server, whether any was."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        return int(connection.exec_driver_sql("SELECT pg_current_xact_id_if_assigned() IS NOT NULL").scalar() or 0)
    return int(connection.connection.dbapi_connection.total_changes)


class Watch:
    """Looks over the shoulder of whoever writes a site: boundaries between staging, ordering, moving and clearing.

    Python tells audit hooks of each file before it is touched; a hook stays as long as its process, so there is one,
    and it looks at one site at a time.
    """

    EVERY = 5
    """Of the files that are moved into place, each fifth has a boundary before it."""

    _present: "Watch | None" = None
    _is_hooked: bool = False

    def __init__(self, site: Path, fuse: Fuse) -> None:
        self.has_seen = False
        """Whether anything was written."""
        self._site, self._fuse, self._moved = str(site), fuse, 0

    @classmethod
    @contextmanager
    def over(cls, site: Path, fuse: Fuse) -> Iterator["Watch"]:
        """Look at a site."""
        if not cls._is_hooked:
            cls._is_hooked = True
            sys.addaudithook(cls._hook)
        cls._present = watch = cls(site, fuse)
        try:
            yield watch
        finally:
            cls._present = None

    @classmethod
    def _hook(cls, name: str, given: tuple[Any, ...]) -> None:
        if cls._present is not None and name in ("open", "os.rename", "shutil.rmtree"):
            cls._present._see(name, given)

    def _see(self, name: str, given: tuple[Any, ...]) -> None:
        path, fuse = str(given[0]), self._fuse
        if not path.startswith(self._site) or (name == "open" and not given[2] & os.O_WRONLY):
            return
        self.has_seen = True
        below = path.removeprefix(f"{self._site}/.new")
        if fuse.has_blown:
            fuse.blow()
        elif name == "open" and below == "/games.jsonl":
            fuse.reach("archive staged")
        elif name == "os.rename" and below == "/orders.tmp":
            fuse.reach("archive ordered")
        elif name == "os.rename" and below != path:
            self._moved += 1
            if self._moved % self.EVERY == 1:
                fuse.reach("archive in place")
        elif name == "shutil.rmtree" and not below:
            fuse.reach("archive cleared")


def fused(app: App, fuse: Fuse, engine: Callable[[Engine], object] = lambda _: None) -> App:
    """Give an app whose parts die where the fuse says; `engine` sets up the connection to its database."""
    database = FusedDatabase(app.database.url)
    database.fuse = fuse
    engine(database.engine)
    inbox, outbox = FusedInbox(app.inbox, fuse), FusedOutbox(app.outbox, fuse)
    return replace(app, database=database, inbox=inbox, outbox=outbox)
