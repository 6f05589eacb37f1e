"""A process that dies where a test says: at a boundary, by an exception that nothing may catch, or by SIGKILL.

A boundary is a place between two things that outlast the process. It is known by its kind and number: `fetched 7`,
`commit 12`, `accepted 31`, `moved 4`, `file 90`. What stands there is a real part of the service, as it is otherwise.
"""

import gc
import json
import os
import signal
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine
from sqlmodel import Session

from gm.app.context import App
from gm.store.database import Database
from gm.transport.imap.mails import Fetched, Waiting
from gm.transport.smtp.letters import Delivery, Letter

KINDS: Final = {"listed", "fetched", "commit", "committed", "moved", "accepted", "file"}
"""What is asked of the mail servers, both sides of a commit, and what comes before a change of a file."""


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
    """Counts the boundaries; lets the process die at the one that is named, and again at each after it."""

    at: str | int = ""
    """The name of a boundary, or how many there are until then, whatever their kind."""
    die: Callable[[], object] = crash
    counts: Counter[str] = field(default_factory=Counter)
    """How many boundaries of each kind have been reached, also before this plan."""
    reached: dict[str, str] = field(default_factory=dict)
    """The boundaries by name, and which file was about to change."""
    is_dead: bool = False

    @property
    def names(self) -> list[str]:
        """The boundaries that were reached."""
        return list(self.reached)

    def reach(self, kind: str, path: str = "") -> None:
        """Pass a boundary, or die there."""
        self.counts[kind] += 1
        name = f"{kind} {self.counts[kind]}"
        self.is_dead |= self.at in (name, len(self.reached))
        self.reached[name] = path
        if self.is_dead:
            self.die()


def kind_of(name: str) -> str:
    """Return the kind of a boundary."""
    return name.partition(" ")[0]


# -- mail servers and database -----------------------------------------------------------------------------------------


@dataclass
class CrashingInbox:
    """An inbox with a boundary after each list and fetch that brings something, and after each mail that is moved."""

    inner: Any
    plan: CrashPlan

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def waiting(self) -> Waiting:
        """As the inbox."""
        found: Waiting = self.inner.waiting()
        if found.uids:
            self.plan.reach("listed")
        return found

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """As the inbox."""
        found: list[Fetched] = self.inner.fetch(uids)
        self.plan.reach("fetched")
        return found

    def move(self, uids: Sequence[int], target: str) -> None:
        """As the inbox, one by one: a server may have moved some when the process ends."""
        for uid in uids:
            self.inner.move([uid], target)
            self.plan.reach("moved")


@dataclass
class CrashingOutbox:
    """An outbox with a boundary between the server's acceptance of a mail and the commit that notes it."""

    inner: Any
    plan: CrashPlan

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def send(self, letters: Sequence[Letter]) -> Iterator[Delivery]:
        """As the outbox."""
        with closing(self.inner.send(letters)) as sending:
            for delivery in sending:
                self.plan.reach("accepted")
                yield delivery


class CrashingDatabase(Database):
    """A database with a boundary on both sides of each commit that brings something."""

    plan: CrashPlan

    @contextmanager
    def write(self) -> Iterator[Session]:
        """As the database."""
        with super().write() as session:
            before = _changes(session)
            yield session
            session.flush()
            is_news = _changes(session) > before
            if is_news and kind_of(next(reversed(self.plan.reached), "")) != "accepted":  # one place, and no two
                self.plan.reach("commit")
        if is_news:
            self.plan.reach("committed")


def _changes(session: Session) -> int:
    """Count the rows that were written over this connection so far; on a server, whether any was."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        return int(connection.exec_driver_sql("SELECT pg_current_xact_id_if_assigned() IS NOT NULL").scalar() or 0)
    return int(connection.connection.dbapi_connection.total_changes)


def with_boundaries(app: App, plan: CrashPlan, engine: Callable[[Engine], object] = lambda _: None) -> App:
    """Return an app whose parts die where the plan says; `engine` sets up the connection to its database."""
    database = CrashingDatabase(app.database.url)
    database.plan = plan
    engine(database.engine)
    inbox: Any = CrashingInbox(app.inbox, plan)
    outbox: Any = CrashingOutbox(app.outbox, plan)
    return replace(app, database=database, inbox=inbox, outbox=outbox)


# -- files -------------------------------------------------------------------------------------------------------------

_CHANGES: Final = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect"})
_WRITING: Final = os.O_WRONLY | os.O_RDWR
_watched: Final[dict[str, Callable[[str], None]]] = {}


@contextmanager
def files_below(folder: Path, plan: CrashPlan, *, every: int = 1) -> Iterator[None]:
    """Let there be a boundary before each change of a file or folder in there, or each so-many-th."""
    _listen()
    changes = count()
    _watched[str(folder)] = lambda path: (
        None if next(changes) % every and not plan.is_dead else plan.reach("file", path)
    )
    try:
        yield
    finally:
        del _watched[str(folder)]


@cache
def _listen() -> None:
    """Let Python tell each change before it is made; who listens can't be removed."""
    sys.addaudithook(_hear)


def _hear(event: str, given: tuple[Any, ...]) -> None:
    if _watched and (event in _CHANGES or (event == "open" and given[2] & _WRITING)):
        path = str(given[0])
        for folder, change in [*_watched.items()]:
            if folder in path or not path.startswith(("/", "file:")):  # where a folder is removed, names are relative
                change(path)


# -- processes ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a process has ended, and what its work returned."""

    is_killed: bool
    is_well: bool
    returned: Any


def forked(work: Callable[[], object]) -> Ended:
    """Do something in a process of its own, which has all that this one has loaded."""
    here, there = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from Python 3.12 on where a mail server is a thread
        child = os.fork()
    if not child:
        status = 1
        try:
            gc.freeze()  # else it would copy what it looks at for garbage
            os.write(there, json.dumps(work()).encode())
            status = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)
    os.close(there)
    with os.fdopen(here, "rb") as pipe:
        returned = json.loads(pipe.read() or "null")
    _, status = os.waitpid(child, 0)
    is_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return Ended(is_killed=is_killed, is_well=status == 0, returned=returned)


def killed_at(number: int, folder: Path, work: Callable[[], object]) -> bool:
    """Do something in a process that dies before its nth change of a file. Says whether it lived long enough to die."""

    def dying() -> None:
        with files_below(folder, CrashPlan(at=number, die=kill)):
            work()

    ended = forked(dying)
    assert ended.is_killed or ended.is_well, "it has failed"
    return ended.is_killed
