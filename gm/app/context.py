"""The only wiring: settings in, everything the service works with out."""

import socket
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from games import AnyEngine, engine
from gm.lexicon.lexicon import Lexicon
from gm.runtime.clock import Clock, SteadyClock, this_boot, utcnow
from gm.runtime.config.settings import Settings
from gm.runtime.errors import OperatorError
from gm.runtime.stop_signal import Pulse
from gm.store.database import Database
from gm.store.queries import meta_queries
from gm.transport.imap.inbox import Fetched, Head, Waiting
from gm.transport.imap.ownership import NEVER, Owner, public_id
from gm.transport.smtp.letters import Delivery, Letter


class Inbox(Protocol):
    """Where mails come in: IMAP, or its twin in memory.

    Whatever raises MailboxError raises Overtaken where a copy of our database that was restored later serves it.
    """

    def hold(self) -> None:
        """Make sure that the mailbox is still ours. Raises MailboxError."""

    def waiting(self) -> Waiting:
        """List every mail in the folder of a mailbox that is ours. Raises MailboxError."""

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """Read mails. Raises MailboxError."""

    def move(self, uids: Sequence[int], target: Literal["processed", "quarantine"]) -> None:
        """Take mails out of the folder of a mailbox that is still ours. Raises MailboxError."""

    def elsewhere(self, folder: str) -> "Inbox":
        """Give another folder of the same mailbox, the same one each time; `close` here hangs up there too."""

    def exists(self) -> bool:
        """Say whether there is such a folder. Raises MailboxError."""

    def heads(self, uids: Sequence[int]) -> Mapping[int, Head]:
        """Tell arrival, size and sender's line without reading the mails. Raises MailboxError."""

    def take_over(self) -> None:
        """Make the mailbox ours where another database's service has marked it. Raises MailboxError."""

    def interrupt(self) -> None:
        """End whatever another thread waits for here: that raises MailboxError there."""

    def close(self) -> None:
        """Hang up."""


class Outbox(Protocol):
    """Where mails go out: SMTP, or its twin in memory."""

    def send(self, letters: Sequence[Letter]) -> Generator[Sequence[Delivery], None, None]:
        """Send letters and say, as it happens, what became of them. Raises DeliveryError."""

    def close(self) -> None:
        """Hang up."""


@dataclass(frozen=True, kw_only=True)
class App:
    """What every use case may work with."""

    settings: Settings
    database: Database
    inbox: Inbox
    outbox: Outbox
    lexicon: Lexicon
    now: Clock = utcnow
    fetches: Callable[[], bool] = lambda: True
    """Whether the mailbox is this process's to read; of several on one database one does, and what is done but once."""
    pulse: Pulse = field(default_factory=Pulse)
    ours: set[str] = field(default_factory=set)
    """The mailbox, once this process has found it to be ours: only then does it write pages."""

    excused: set[int] = field(default_factory=set)
    """Mails whose last attempt failed by no fault of theirs, which the database could not take down either."""

    def engine(self, key: str) -> AnyEngine:
        """Find a game by its key. Raises OperatorError where its plugin is missing."""
        try:
            return engine(key)
        except KeyError:
            raise OperatorError(
                f"The game '{key}' is not installed here; install the package that brings it."
            ) from None

    def close(self) -> None:
        """Let go of servers and database."""
        self.inbox.close()
        self.outbox.close()
        self.database.close()


def owner_of(settings: Settings, database: Database) -> Owner:
    """Say who we are to other services at our mailbox. Raises StoreError."""
    with database.read() as session:
        is_named = meta_queries.get_meta(session, "secret") is not None
    with database.read() if is_named else database.write() as session:
        identity, restored_at = public_id(meta_queries.secret(session)), meta_queries.restored_at(session)
    service = settings.service
    return Owner(
        id=identity, name=service.name, address=service.address, host=socket.gethostname(),
        restored_at=restored_at or NEVER,
    )  # fmt: skip


def open_app(settings: Settings, pulse: Pulse | None = None, *, create: bool = False) -> App:
    """Open the database (its schema brought up to date) and stand ready for the mail servers.

    No connection is made before the first use. Where there is no database, only `create` makes one. Raises StoreError.
    """
    from gm.store.queries import meta_queries
    from gm.transport.imap.inbox import Inbox as ImapInbox
    from gm.transport.smtp.outbox import Outbox as SmtpOutbox

    pulse = pulse or Pulse()
    database = Database(settings.database.url)
    with ExitStack() as if_refused:
        if_refused.callback(database.close)
        database.prepare(create=create)
        with database.read() as session:
            noted = meta_queries.get_meta(session, "clock")
        app = App(
            settings=settings,
            database=database,
            inbox=ImapInbox(settings.imap, owner=lambda: owner_of(settings, database)),
            outbox=SmtpOutbox(settings.smtp, pulse=pulse),
            lexicon=Lexicon.load(settings.lexicon.extra),
            pulse=pulse,
            now=SteadyClock(boot=this_boot(), noted=noted),
        )
        if_refused.pop_all()
    return app


def local_iso(app: App, instant: datetime | None) -> str | None:
    """Write an instant for JSON: in the zine's time, to the second."""
    return instant.astimezone(app.settings.service.timezone).isoformat(timespec="seconds") if instant else None
