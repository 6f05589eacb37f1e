"""What the checks of promises remember of a zine from pass to pass: they look at each row and letter once."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from operator import ge
from pathlib import Path
from typing import Any

from observation import MESSAGE_ID, Newest, Observation, ReceivedMail, StateBefore, newest
from sqlmodel import Session

from gm.app.context import App
from gm.transport.doubles.in_memory import MemoryInbox, MemoryOutbox, MemoryServer
from gm.transport.imap.size_limits import clipped
from gm.transport.smtp.letters import Letter


@dataclass(kw_only=True)
class Ledger:
    """What has been seen of a zine so far. Numbers are the last rows that were looked at."""

    mails: dict[int, ReceivedMail] = field(default_factory=dict)
    players: dict[str, set[int]] = field(default_factory=dict)
    last: Newest | None = None
    looked_at: datetime | None = None
    unfinished: StateBefore | None = None
    """The zine before what was not checked yet: a pass that a crash has ended, or a whole story."""
    filed: set[tuple[int, int, int]] = field(default_factory=set)
    """Which mail has filed a move for which seat of which game."""
    stored: set[Any] = field(default_factory=set)
    """What the received mails that were stored are known by."""
    moved: dict[str, int] = field(default_factory=dict)
    """The last mail that was looked at in each folder of handled ones."""
    letters: int | None = None
    """How many letters SMTP has taken."""
    taken: Counter[str] = field(default_factory=Counter)
    """How often it has taken each, by its Message-ID."""
    in_doubt: set[str] = field(default_factory=set)
    """Letters that SMTP has taken, while its answer was lost, or which came back: they may go out once more."""
    told: set[tuple[str, bytes]] = field(default_factory=set)
    """What each recipient was told of steps, by its words."""
    reminded: dict[tuple[Any, ...], list[datetime]] = field(default_factory=dict)
    """When reminders were written, by game, player and ZAT."""
    digested: set[tuple[Any, ...]] = field(default_factory=set)
    hidden: dict[int, dict[int, list[str]]] = field(default_factory=dict)
    """What the seats hold in a position, by its row: letters that nobody else may read."""
    spectated: dict[int, set[str]] = field(default_factory=dict)
    """The lines that spectators were shown of a position when it was first looked at, by its row."""
    pages: dict[Path, tuple[int, int]] = field(default_factory=dict)
    """The pages that were read, with what tells whether they were written anew."""

    @property
    def last_in(self) -> int:
        """The last received mail that was looked at."""
        return next(reversed(self.mails), 0)

    def begun(self, session: Session) -> StateBefore | None:
        """Return the state at which the zine's story began; None where an older copy was put in its place since."""
        state = self.unfinished
        return state if state and all(map(ge, newest(session)[:4], state.newest[:4])) else None

    def begins_at(self, found: StateBefore) -> None:
        """Begin with a zine's present state; or again, where an older copy of its database was put in place."""
        last, new = self.last or found.newest, found.newest
        if last.mail_out > new.mail_out or last.sent > new.sent:  # a copy may differ in nothing else
            self.in_doubt.update(self.taken)  # what that copy doesn't know to be sent goes out again
            self.reminded.clear()
        if self.last_in > new.mail_in or last.turn > new.turn or last.sheet > new.sheet:
            last, self.unfinished = new, None
            self.mails.clear()
            self.hidden.clear()
            self.spectated.clear()
            self.players.clear()  # who was registered since is a stranger
            for known in (self.stored, self.told, self.digested, self.filed):
                known.clear()
            self.moved.clear()
        self.last = Newest(*map(min, last, new))  # rows of the queue, and questions, may be deleted
        self.looked_at = self.looked_at or found.at


def marks(raw: bytes, received_at: datetime, size: int | None = None) -> frozenset[Any]:
    """Tell what a stored mail is known by: its bytes, as far as they are stored; or when it came, and its size."""
    came = (received_at.replace(microsecond=0), len(raw) if size is None else size)
    return frozenset({hashlib.blake2b(clipped(raw), digest_size=12).digest(), came})


def message_id_of(letter: Letter) -> str:
    """Read the Message-ID of a letter."""
    found = MESSAGE_ID.search(letter.raw)
    return found[1].decode("ascii", "replace") if found else ""


def outbox_of(app: App) -> MemoryOutbox | None:
    """Find the outbox in memory behind whatever stands before it; None where letters go to a server."""
    return _innermost(app.outbox, MemoryOutbox)


def server_of(app: App) -> MemoryServer | None:
    """Find the mail server in memory; None where there is another one."""
    inbox = _innermost(app.inbox, MemoryInbox)
    return inbox.server if inbox else None


def _innermost(found: Any, kind: type[Any]) -> Any:
    while found is not None and not isinstance(found, kind):
        found = getattr(found, "inner", None)
    return found


def fresh_letters(app: App, ledger: Ledger) -> list[Letter]:
    """List the letters that SMTP has taken since the last look."""
    outbox = outbox_of(app)
    if outbox is None or ledger.letters is None:
        return []
    return outbox.letters[ledger.letters :] if len(outbox.letters) >= ledger.letters else []


def note_servers(app: App, ledger: Ledger, found: StateBefore) -> None:
    """Look at the servers in memory before a pass; what went through them before the first one is only known."""
    server = server_of(app)
    if server is not None:
        if not ledger.mails and not ledger.moved:
            ledger.moved = {folder: max(mails, default=0) for folder, mails in server.folders.items()}
        inbox = server.folders.get(app.settings.imap.folder, {})
        found.inbox.update((uid, marks(kept.raw, kept.received_at)) for uid, kept in inbox.items())
    outbox = outbox_of(app)
    if outbox is not None and (ledger.letters is None or ledger.letters > len(outbox.letters)):
        ledger.letters = len(outbox.letters)
        ledger.taken = Counter(map(message_id_of, outbox.letters))


def note(zine: Observation) -> None:
    """Remember what was looked at."""
    ledger = zine.ledger
    ledger.last, ledger.looked_at = newest(zine.session), zine.app.now()
    ids = [message_id_of(letter) for letter in zine.letters]
    ledger.taken.update(ids)
    ledger.in_doubt -= set(ids)
    ledger.in_doubt |= zine.unnoted | zine.came_back
    ledger.letters = (ledger.letters or 0) + len(ids)
    server = server_of(zine.app)
    if server and zine.is_whole:
        ledger.moved = {folder: max(mails, default=0) for folder, mails in server.folders.items()}
    ledger.told.update((recipient, words) for recipient, words, _ in zine.told)
    for key, times in zine.reminded.items():
        ledger.reminded.setdefault(key, []).extend(times)
    ledger.filed.update(zine.filed)
    ledger.digested.update(zine.digested)
