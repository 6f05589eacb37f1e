"""Mails as players write them, and a whole zine in memory with a clock that can be set."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path
from typing import Any, Final, Protocol

from sqlalchemy import Dialect, Engine, event

from gm.app.context import App
from gm.demo.client import GM_ADDRESS as GM_ADDRESS
from gm.demo.people import PLAYERS as PLAYERS
from gm.demo.people import address_of as address_of
from gm.lexicon.lexicon import Lexicon
from gm.runtime.config.settings import Settings, load
from gm.service.tick import Report, tick
from gm.store.database import Database
from gm.store.queries import zine_queries
from gm.store.queries.sheet_queries import END_OF_TIME
from gm.transport.doubles.in_memory import MemoryInbox, MemoryOutbox, MemoryServer
from parsers.mime.message import Mail, read_mail

NESTED: Final = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (at, at) for at in range(60))
"""Lines below a mail's head that hold more parts than any mail program writes: such a mail is put aside."""


def write_mail(
    sender: str, text: str, *, subject: str = "Zug", name: str = "", in_reply_to: str = "", message_id: str = "",
    headers: Mapping[str, str] | None = None,
) -> bytes:  # fmt: skip
    """Write a mail to the game address, or to the one in `headers`, as an ordinary mail program does."""
    more = {"To": GM_ADDRESS, **(headers or {})}
    mail = EmailMessage()
    mail["From"] = f"{name} <{sender}>" if name else sender
    mail["To"] = more.pop("To")
    mail["Subject"] = subject
    mail["Message-ID"] = message_id or make_msgid(domain=sender.rpartition("@")[2])
    if in_reply_to:
        mail["In-Reply-To"] = in_reply_to
        mail["References"] = in_reply_to
    for key, value in more.items():
        mail[key] = value
    mail.set_content(text)
    return mail.as_bytes(policy=SMTP)


def database_url(_folder: Path) -> str:
    """Name the database of the zine in a folder; tests that run on a server put their own function in this place."""
    return "sqlite:///gm.db"


def write_config(
    folder: Path, *, words: Iterable[str] = (), more: Mapping[str, Mapping[str, Any]] | None = None
) -> Path:
    """Write a config for a zine on loopback, with its own word list; `more` overrides keys by section."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "words.txt").write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    sections: dict[str, dict[str, Any]] = {
        "service": {
            "name": "Dottendorfer Soccer",
            "address": GM_ADDRESS,
            "gm": "Cici Beilken <cici@postspiel.example>",
        },
        "imap": {"host": "127.0.0.1", "security": "none", "idle": False},
        "smtp": {"host": "127.0.0.1", "security": "none", "per_minute": 100_000},
        "database": {"url": database_url(folder)},
        "backup": {"keep": 0},
        # A story lets weeks pass between two looks into the mailbox; those about outages say so.
        "deadlines": {"outage": "9999d"},
        "lexicon": {"extra": ["words.txt"]},
    }
    for section, keys in (more or {}).items():
        sections.setdefault(section, {}).update(keys)
    path = folder / "config.toml"
    path.touch(mode=0o600)  # or each start warns
    path.write_text("".join(_section(name, keys) for name, keys in sections.items()), encoding="utf-8")
    return path


def _section(name: str, keys: Mapping[str, Any]) -> str:
    return f"[{name}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in keys.items()) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value) if isinstance(value, int) else f'"{value}"'


_STATEMENTS: Final[dict[Any, Any]] = {}
_DIALECTS: Final[dict[str, Dialect]] = {}
"""SQL is compiled once for all stories of a process: a third of the time otherwise."""


def quicken(engine: Engine) -> None:
    """Let an engine use what others have compiled, and not wait for the disk: nobody pulls the plug.

    Rows of SQLite come backwards where no order is asked for, as other databases have no order of their own.
    """
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_for_tests)
    engine.update_execution_options(compiled_cache=_STATEMENTS)
    engine.dialect = _DIALECTS.setdefault(engine.url.drivername, engine.dialect)  # what is compiled is kept by it


def _set_up_for_tests(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA reverse_unordered_selects=ON")


def digests_from(app: App, instant: datetime = END_OF_TIME) -> None:
    """Let digests tell what has happened since an instant; without one none is ever due."""
    with app.database.write() as session:
        zine_queries.zine(session).last_digest = instant


class Observer(Protocol):
    """Somebody who looks at a zine before and after each pass of its story."""

    def begins(self, app: App) -> Any:
        """Look before a pass; what is returned is given back to `ends`."""

    def ends(self, app: App, before: Any, report: Report | None) -> None:
        """Look after it; without a report other processes may have worked as well."""

    def is_over(self, app: App) -> None:
        """Look at the end of the story."""


observers: Final[list[Observer]] = []
"""Tests put in here what shall hold after every pass of every story."""


@contextmanager
def observed(app: App) -> Iterator[list[Report]]:
    """Let all observers look at what is done here; a report put into the list says that it was one pass, and all."""
    found, reports = [observer.begins(app) for observer in observers], list[Report]()
    yield reports
    for observer, before in zip(observers, found, strict=True):
        observer.ends(app, before, reports[0] if reports else None)


def one_pass(app: App, **parts: bool) -> Report:
    """Do one pass, under the eyes of all observers; `parts` as in `tick`."""
    with observed(app) as reports:
        report = tick(app, **parts)
        if parts.get("inbox", True):
            reports.append(report)
    return report


class Story:
    """A zine in memory, to be told step by step: somebody writes, time passes, somebody gets mail.

    Mails arrive at `now`; the clock moves on by a minute with every mail, so that nothing happens in one second.
    """

    def __init__(
        self, folder: Path, *, words: Iterable[str] = (), now: str = "2026-11-02T12:00:00+01:00",
        more: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:  # fmt: skip
        self.now = datetime.fromisoformat(now).astimezone(UTC)
        self.config = write_config(folder, words=words, more=more)
        self.server = MemoryServer()
        self.outbox = self.make_outbox()
        self._opened: list[App] = []
        self.app = self.open(load(self.config))
        # Most stories tell of days and mails, not of Sundays.
        digests_from(self.app, self.now if "digest" in (more or {}) else END_OF_TIME)
        self._read = 0
        self._ids = itertools.count(1)

    def make_outbox(self) -> MemoryOutbox:
        """Make the mail server that takes all mails of the story."""
        return MemoryOutbox(clock=lambda: self.now)

    def open(self, settings: Settings) -> App:
        """Open the zine; a second App on the same files is another process. No commit waits for the disk."""
        database = Database(settings.database.url)
        quicken(database.engine)
        database.prepare(create=True)
        self._opened.append(App(
            settings=settings, database=database, inbox=MemoryInbox(self.server), outbox=self.outbox,
            lexicon=Lexicon.load(settings.lexicon.extra), now=lambda: self.now,
        ))  # fmt: skip
        return self._opened[-1]

    def passes(self, **span: float) -> None:
        """Let time pass: `passes(days=3)`."""
        self.now += timedelta(**span)

    def at(self, when: str) -> None:
        """Set the clock to an instant with its offset: `2026-11-16T20:00:00+01:00`."""
        self.now = datetime.fromisoformat(when).astimezone(UTC)

    def writes(self, name: str, text: str, **more: Any) -> bytes:
        """Let a player write; the mail lies in the inbox until the next `tick`."""
        sender = more.pop("sender", address_of(name))
        more.setdefault("message_id", f"<{next(self._ids)}.{name.split()[0].lower()}@spieler.example>")
        raw = write_mail(sender, text, name=name, **more)
        self.arrives(raw)
        return raw

    def arrives(self, raw: bytes) -> int:
        """Put a mail into the inbox as it is; a minute later something else may happen."""
        uid = self.server.deliver(raw, self.now)
        self.passes(minutes=1)
        return uid

    def tick(self, *, archive: bool = False) -> Report:
        """Let the service do one pass; those that aren't about the archive do without it."""
        report = one_pass(self.app, archive=archive)
        self.passes(seconds=2)
        return report

    def mails(self) -> list[tuple[str, Mail]]:
        """Give what has gone out since the last look, as (recipient, mail)."""
        new = self.outbox.letters[self._read :]
        self._read = len(self.outbox.letters)
        return [(letter.recipient, read_mail(letter.raw)) for letter in new]

    def gets(self, name: str) -> Mail:
        """Give the one new mail to a player; whatever else has gone out is read as well. Raises AssertionError."""
        found = [mail for recipient, mail in self.mails() if recipient == address_of(name)]
        assert len(found) == 1, f"{name} got {len(found)} mails: {[mail.subject for mail in found]}"
        return found[0]

    def close(self) -> None:
        """End the story, and every process in it."""
        for observer in observers:
            observer.is_over(self.app)
        for app in (self.app, *self._opened):
            app.close()
