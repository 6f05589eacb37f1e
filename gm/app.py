"""The only wiring: settings in, everything the service works with out."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from games import AnyEngine, engines
from gm.clock import Clock, SteadyClock, this_boot, utcnow
from gm.config import Settings
from gm.errors import ConfigError, OperatorError
from gm.mailbox.inbox import Fetched, Waiting
from gm.mailbox.outbox import Delivery, Letter
from gm.store.database import Database
from gm.words.lexicon import Lexicon


class Inbox(Protocol):
    """Where mails come in: IMAP, or its twin in memory."""

    def waiting(self) -> Waiting:
        """List every mail in the folder. Raises MailboxError."""

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """Read mails. Raises MailboxError."""

    def move(self, uids: Sequence[int], target: Literal["processed", "quarantine"]) -> None:
        """Take mails out of the folder. Raises MailboxError."""

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
    prepared: set[str] = field(default_factory=set)
    """Kinds of games that have looked through the word list in this process."""

    excused: set[int] = field(default_factory=set)
    """Mails whose last attempt failed by no fault of theirs, which the database could not take down either."""

    def engine(self, key: str) -> AnyEngine:
        """Find a game by its key. Raises OperatorError where its plugin is missing."""
        try:
            return engines()[key]
        except KeyError:
            raise OperatorError(
                f"The game '{key}' is not installed here; install the package that brings it."
            ) from None

    def close(self) -> None:
        """Let go of servers and database."""
        self.inbox.close()
        self.outbox.close()
        self.database.close()


def _refuse_what_is_to_come(settings: Settings) -> None:
    """Refuse settings that this version can't keep yet: to take them for done would be worse. Raises ConfigError."""
    for key, value, kept in (("security.sender", settings.security.sender, "address"),):
        if value != kept:
            raise ConfigError(f'{settings.path}: {key} = "{value}" is not built yet; for now write "{kept}".')


def open_app(settings: Settings) -> App:
    """Open the database (its schema brought up to date) and stand ready for the mail servers.

    No connection is made before the first use. Raises StoreError, ConfigError.
    """
    from gm.mailbox.inbox import Inbox as ImapInbox
    from gm.mailbox.outbox import Outbox as SmtpOutbox
    from gm.store import queries

    _refuse_what_is_to_come(settings)
    database = Database(settings.database.url)
    database.prepare()
    with database.read() as session:
        noted = queries.meta(session, "clock")
    return App(
        settings=settings,
        database=database,
        inbox=ImapInbox(settings.imap),
        outbox=SmtpOutbox(settings.smtp),
        lexicon=Lexicon.load(settings.lexicon.extra),
        now=SteadyClock(boot=this_boot(), noted=noted),
    )
