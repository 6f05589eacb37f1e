"""The App: settings, database, mail servers, word list and clock, which every use case is given."""

import socket
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from games import AnyEngine, engine
from games.api import say
from gm.lexicon.lexicon import Lexicon
from gm.runtime.clock import Clock, SteadyClock, this_boot, utcnow
from gm.runtime.config.settings import Settings
from gm.runtime.errors import OperatorError
from gm.runtime.stop_signal import StopSignal
from gm.store.database import LOCK_SECONDS, Database
from gm.store.queries import zine_queries
from gm.transport.imap.ownership import Owner

if TYPE_CHECKING:
    from gm.transport.doubles.in_memory import MemoryInbox, MemoryOutbox
    from gm.transport.imap.inbox import Inbox as ImapInbox
    from gm.transport.smtp.letters import Delivery
    from gm.transport.smtp.outbox import Outbox as SmtpOutbox


Inbox: TypeAlias = "ImapInbox | MemoryInbox"
"""Where mails come in: over IMAP, or in memory for tests."""
Outbox: TypeAlias = "SmtpOutbox | MemoryOutbox"
"""Where mails go out: over SMTP, or in memory for tests."""


@dataclass(frozen=True, kw_only=True)
class App:
    """What every use case may work with."""

    settings: Settings
    database: Database
    inbox: Inbox
    outbox: Outbox
    lexicon: Lexicon
    now: Clock = utcnow
    stop_signal: StopSignal = field(default_factory=StopSignal)
    ours: set[str] = field(default_factory=set)
    """The mailbox, once this process has found that it is ours. Only then mails are sent and pages written."""
    looked_by: set[tuple[str, str | None]] = field(default_factory=set)
    """The settings, and what was noted of them, that were found to be the same (gm/service/due_games.py)."""
    unnoted: list["Delivery"] = field(default_factory=list)
    """What became of mails just now, while the database could not note it."""

    def engine(self, key: str) -> AnyEngine:
        """Find a game by its key. Raises OperatorError where its plugin is missing."""
        try:
            return engine(key)
        except KeyError:
            raise OperatorError(say("context.game_not_installed", game=key)) from None

    def close(self) -> None:
        """Let go of servers and database."""
        self.inbox.close()
        self.outbox.close()
        self.database.close()


def owner_of(settings: Settings, database: Database) -> Owner:
    """Return who we are to other services at our mailbox. Raises StoreError."""
    with database.read() as session:
        here = zine_queries.zine(session)
    service = settings.service
    return Owner(
        id=here.incarnation, former=frozenset(here.former), name=service.name, address=service.address,
        host=socket.gethostname(),
    )  # fmt: skip


def open_app(
    settings: Settings, stop_signal: StopSignal | None = None, *, create: bool = False,
    lock_seconds: float = LOCK_SECONDS, now: Clock | None = None,
) -> App:  # fmt: skip
    """Open the database and bring its schema up to date. Where there is none, only `create` makes one.

    Time is told by the machine's clock, steadied, or by `now`.

    No mail server is connected to before its first use. Raises StoreError.
    """
    from gm.transport.imap.inbox import Inbox as ImapInbox
    from gm.transport.smtp.outbox import Outbox as SmtpOutbox

    stop_signal = stop_signal or StopSignal()
    database = Database(settings.database.url, lock_seconds=lock_seconds)
    with ExitStack() as if_refused:
        if_refused.callback(database.close)
        database.prepare(create=create)
        with database.read() as session:
            noted = zine_queries.zine(session).clock
        app = App(
            settings=settings,
            database=database,
            inbox=ImapInbox(settings.imap, owner=lambda: owner_of(settings, database)),
            outbox=SmtpOutbox(settings.smtp, stop_signal=stop_signal),
            lexicon=Lexicon.load(settings.lexicon.extra),
            stop_signal=stop_signal,
            now=now or SteadyClock(boot=this_boot(), noted=noted),
        )
        if_refused.pop_all()
    return app


def local_iso(app: App, instant: datetime | None) -> str | None:
    """Write an instant for JSON, in the zine's time zone and to the second."""
    return instant.astimezone(app.settings.service.timezone).isoformat(timespec="seconds") if instant else None
