"""Inbox and outbox in memory, for tests. They behave as the real ones do: the same tests are run with both."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email import message_from_bytes
from typing import Literal

from gm.runtime.clock import utcnow
from gm.runtime.errors import DeliveryError, MailboxError
from gm.runtime.network import Check
from gm.transport.imap.inbox import Target
from gm.transport.imap.mails import Fetched, Head, Waiting
from gm.transport.imap.ownership import Mark, Marks, Owner, owner_folder, read_mark
from gm.transport.imap.size_limits import batches, clipped
from gm.transport.smtp.letters import Delivery, Letter, fault_of


@dataclass(frozen=True, kw_only=True)
class StoredMail:
    """A mail in a folder of the MemoryServer."""

    received_at: datetime
    raw: bytes


@dataclass(kw_only=True)
class MemoryServer:
    """Folders of one account. `is_down = True` makes everybody who talks to it fail."""

    uidvalidity: int = 1
    is_down: bool = False
    broken: set[int] = field(default_factory=set)
    """The UIDs of mails that it lists and doesn't hand out."""
    folders: dict[str, dict[int, StoredMail]] = field(default_factory=lambda: {"INBOX": {}})
    _last_uid: int = 0

    def deliver(self, raw: bytes, received_at: datetime, folder: str = "INBOX") -> int:
        """Put a mail into a folder, which is created if missing. Returns its UID."""
        return self._put(StoredMail(received_at=received_at, raw=raw), folder)

    def renumber(self) -> None:
        """Begin a new UIDVALIDITY in which every mail has another UID, as after a restore from a backup."""
        self.uidvalidity += 1
        for name, mails in list(self.folders.items()):
            self.folders[name] = {}
            for kept in mails.values():
                self._put(kept, name)

    def transfer(self, uid: int, source: str, target: str) -> None:
        """Move a mail if it is still there; the folder is created if missing."""
        kept = self.folders.setdefault(source, {}).pop(uid, None)
        self.folders.setdefault(target, {})
        if kept is not None:
            self._put(kept, target)

    def _put(self, kept: StoredMail, folder: str) -> int:
        self._last_uid += 1
        self.folders.setdefault(folder, {})[self._last_uid] = kept
        return self._last_uid


class _MemoryMarks(Marks):
    """The marks on a MemoryServer."""

    def __init__(self, server: MemoryServer, **names: str) -> None:
        super().__init__(**names)
        self._server = server

    def read(self) -> Sequence[Mark]:
        found = (read_mark(uid, kept.raw) for uid, kept in self._server.folders.get(self.place, {}).items())
        return [mark for mark in found if mark is not None]

    def add(self, raw: bytes, now: datetime) -> str:
        self._server.deliver(raw, now, self.place)
        return ""


class MemoryInbox:
    """Stands in for gm.transport.imap.inbox.Inbox."""

    def __init__(
        self,
        server: MemoryServer,
        *,
        folder: str = "INBOX",
        processed: str = "GM/Processed",
        quarantine: str = "GM/Quarantine",
        owner: Callable[[], Owner] | None = None,
    ) -> None:
        self.server = server
        self._owner = owner
        self._place = owner_folder(processed)
        self._folder = folder
        self._targets: dict[Target, str] = {"processed": processed, "quarantine": quarantine}

    def other_folder(self, folder: str) -> MemoryInbox:
        """Return another folder of the same server."""
        processed, quarantine = self._targets["processed"], self._targets["quarantine"]
        return MemoryInbox(self.server, folder=folder, processed=processed, quarantine=quarantine)

    def exists(self) -> bool:
        """Return whether there is such a folder."""
        self._check_it_is_on()
        return self._folder in self.server.folders

    def heads(self, uids: Sequence[int], *, with_sender: bool = False) -> dict[int, Head]:
        """Return arrival and size of mails, and who sent them if asked for. Those that are gone are left out."""
        mails = self._found()
        return {uid: _head(mails[uid], with_sender=with_sender) for uid in uids if uid in mails}

    def arrival(self, uid: int) -> datetime | None:
        """Return when a mail arrived; None where it is gone."""
        mails = self._found()
        return _arrival(mails[uid]) if uid in mails else None

    def check_owner(self) -> None:
        """Make sure that the mailbox is still ours."""
        self._mails()

    def waiting(self) -> Waiting:
        """List every mail in the folder."""
        return Waiting(uidvalidity=self.server.uidvalidity, uids=tuple(sorted(self._mails())))

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """Return the mails in the order asked for, as many as fit. Those that are gone are left out."""
        mails = self._found()
        if broken := self.server.broken & {*uids} & mails.keys():
            raise MailboxError(f"The IMAP server in memory can't read mail {min(broken)}; mend it.")
        wanted = next(batches(((uid, len(mails[uid].raw)) for uid in uids if uid in mails), len(uids)), [])
        return [self._fetched(uid, mails[uid]) for uid in wanted]

    def move(self, uids: Sequence[int], target: Target) -> None:
        """Put exactly these mails into the folder for processed or quarantined mail."""
        self._mails()
        for uid in uids:
            self._transfer(uid, target)

    def _transfer(self, uid: int, target: Target) -> None:
        self.server.transfer(uid, self._folder, self._targets[target])

    def interrupt(self) -> None:
        """Do nothing: nobody ever waits here."""

    def check(self) -> Iterator[Check]:
        """Report one line, as there is nothing to try, and whose the mailbox is."""
        yield Check("IMAP connection", "fail" if self.server.is_down else "ok", "The mails are kept in memory.")
        if self._owner:
            yield self._marks(self._owner()).check(self._owner())

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _check_it_is_on(self) -> None:
        if self.server.is_down:
            raise MailboxError("The IMAP server in memory is switched off; switch it on again.")

    def _mails(self) -> dict[int, StoredMail]:
        """Return the mails of a mailbox that is ours."""
        if self._owner is not None:
            self._check_it_is_on()
            self._marks(self._owner()).establish(self._owner())
        return self._found()

    def _marks(self, owner: Owner) -> Marks:
        return _MemoryMarks(self.server, account=owner.address, place=self._place, folder=self._folder)

    def _found(self) -> dict[int, StoredMail]:
        """Return the mails, without another look whose they are: like the real inbox once it is connected."""
        self._check_it_is_on()
        return self.server.folders.setdefault(self._folder, {})

    def _fetched(self, uid: int, kept: StoredMail) -> Fetched:
        return Fetched(
            uid=uid,
            uidvalidity=self.server.uidvalidity,
            received_at=_arrival(kept),
            raw=clipped(kept.raw),
            size=len(kept.raw),
        )


def _arrival(kept: StoredMail) -> datetime:
    """IMAP knows no fractions of a second."""
    return kept.received_at.astimezone(UTC).replace(microsecond=0)


def _head(kept: StoredMail, *, with_sender: bool) -> Head:
    sender = message_from_bytes(kept.raw).get_all("From", []) if with_sender else []
    lines = "".join(f"From: {value}\r\n" for value in sender)
    return Head(received_at=_arrival(kept), size=len(kept.raw), sender=lines.encode("utf-8", "surrogateescape"))


@dataclass(kw_only=True)
class MemoryOutbox:
    """Stands in for gm.transport.smtp.outbox.Outbox. What it accepted is in `letters`, in order."""

    letters: list[Letter] = field(default_factory=list)
    is_down: bool = False
    remembers: bool = False
    """Like the real one: what the caller could not note is reported again, not sent again."""
    clock: Callable[[], datetime] = utcnow
    _codes: dict[str, int] = field(default_factory=dict)
    _unnoted: dict[int, Delivery] = field(default_factory=dict)

    def refuse(self, recipient: str, code: int = 550) -> None:
        """Refuse letters to this address for good."""
        self._codes[recipient] = code

    def defer(self, recipient: str, code: int = 451) -> None:
        """Ask to try letters to this address again later."""
        self._codes[recipient] = code

    def accept(self, recipient: str) -> None:
        """Take letters to this address again."""
        self._codes.pop(recipient, None)

    def send(self, letters: Sequence[Letter]) -> Generator[Delivery, None, None]:
        """Take letters one by one, as the caller asks. Raises DeliveryError while switched off."""
        put_off = set()
        for letter in letters:
            if letter.recipient in put_off:
                continue
            if letter.id not in self._unnoted or not self.remembers:
                self._unnoted[letter.id] = self._try(letter)
            if self._unnoted[letter.id].status == "deferred":
                put_off.add(letter.recipient)
            yield self._unnoted[letter.id]
            self._unnoted.pop(letter.id, None)

    def _try(self, letter: Letter) -> Delivery:
        if reason := fault_of(letter):
            return self._delivery(letter, 553, reason)
        if self.is_down:
            raise DeliveryError("The SMTP server in memory is switched off; switch it on again.")
        code = self._codes.get(letter.recipient, 250)
        if code == 250:
            self.letters.append(replace(letter))
        return self._delivery(letter, code, "ok" if code == 250 else "not taken")

    def check(self) -> Iterator[Check]:
        """Report one line, as there is nothing to try."""
        yield Check("SMTP login", "fail" if self.is_down else "ok", "Letters are kept in memory.")

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _delivery(self, letter: Letter, code: int, message: str) -> Delivery:
        status: Literal["sent", "deferred", "refused"]
        status = "sent" if code < 400 else "deferred" if code < 500 else "refused"
        return Delivery(id=letter.id, status=status, code=code, message=message, at=self.clock())
