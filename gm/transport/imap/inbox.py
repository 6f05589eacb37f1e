"""Reading a folder over IMAP: which mails wait, fetch them, move them. One client per thread."""

from __future__ import annotations

import contextlib
import imaplib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from gm.runtime.errors import Immovable, MailboxError
from gm.runtime.network import ANSWER_TIMEOUT, Check
from gm.transport.imap.connection import (
    FAILURES,
    FolderNames,
    connect,
    create_folder,
    cut_off,
    folder_names,
    hang_up,
    is_folder,
    is_refusal,
    log_in,
    open_connection,
    trouble,
)
from gm.transport.imap.ownership import Owner
from gm.transport.imap.ownership_marks import RECHECK_SECONDS, Claim
from gm.transport.imap.size_limits import HEADER_LIMIT, TEXT_LIMIT, WHOLE_LIMIT, batches, joined

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings

log = logging.getLogger(__name__)

Target = Literal["processed", "quarantine"]

BATCH = 200
_FROM = "HEADER.FIELDS (FROM)"
# imaplib refuses answers of over 1,000,000 characters; a UID takes eleven at most.
SEARCH_WINDOW = 50_000


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Every mail in the folder. UIDs mean something only together with the UIDVALIDITY."""

    uidvalidity: int
    uids: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """One mail as the server has it. Over 256 KiB `raw` is the first 64 KiB of the header and of the text."""

    uid: int
    uidvalidity: int
    received_at: datetime
    raw: bytes
    size: int


@dataclass(frozen=True, kw_only=True)
class Head:
    """What the server says of a mail without handing it out."""

    received_at: datetime
    size: int
    sender: bytes
    """The From field as it stands, with its name."""


class Inbox:
    """The folder that the service reads. Connects when needed and again after any failure.

    Every method raises MailboxError, with a finished sentence and the cause kept, and nothing else. With an `owner`
    nothing is looked for or moved that another database's service owns; where a copy of ours that was restored later
    serves the mailbox, that raises Overtaken.
    """

    def __init__(
        self, settings: ImapSettings, *, folder: str = "", search_window: int = SEARCH_WINDOW,
        owner: Callable[[], Owner] | None = None, recheck: float = RECHECK_SECONDS,
        answer_timeout: float = ANSWER_TIMEOUT,
    ) -> None:  # fmt: skip
        self._settings = settings
        self._answer_timeout = answer_timeout
        self._claim = Claim(settings, owner, lambda: datetime.now(UTC), recheck) if owner else None
        self._folder = folder or settings.folder
        self._search_window = search_window
        self._client: IMAPClient | None = None
        self._uidvalidity: int | None = None
        self._names: FolderNames | None = None
        self._ensured: dict[Target, str] = {}
        self._is_read_only = False
        self._others: dict[str, Inbox] = {}

    def elsewhere(self, folder: str) -> Inbox:
        """Another folder of the same mailbox, over a connection of its own; the same one each time."""
        return self._others.setdefault(folder, Inbox(self._settings, folder=folder))

    def exists(self) -> bool:
        """Whether there is such a folder."""
        with self._speaking("looking for a folder"):
            client = self._awake()
            return is_folder(client, self._name_on_server(client, self._folder))

    def heads(self, uids: Sequence[int]) -> dict[int, Head]:
        """Arrival, size and sender of mails; those that are gone are left out."""
        with self._speaking("looking at mails"):
            client = self._selected()
            return {uid: head for batch in _batches(uids) for uid, head in _heads(client, batch)}

    def hold(self) -> None:
        """Make sure that the mailbox is still ours, between a look at it and what follows from that."""
        with self._speaking("looking whose the mailbox is"):
            self._still_ours()

    def waiting(self) -> Waiting:
        """Every UID in the folder, also of mails read elsewhere. A connection gone stale is replaced at once."""
        with self._speaking("looking for mail"):
            client = self._awake()
            self._uidvalidity, exists = self._select(client)
            searches = [[*window, _criterion(client)] for window in _windows(exists, self._search_window)]
            uids = {uid for search in searches for uid in client.search(search)}
        return Waiting(uidvalidity=self._uidvalidity, uids=tuple(sorted(uids)))

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """The mails in the order asked for, without marking them as read. Those that are gone are left out.

        As many as fit into the memory: behind the last one given there may be more.
        """
        with self._speaking("fetching mail"):
            client = self._selected()
            heads = _sizes(client, uids)
            sizes = ((uid, int(heads[uid][b"RFC822.SIZE"])) for uid in uids if uid in heads)
            wanted = next(batches(sizes, len(uids)), [])
            return [mail for batch in _batches(wanted) for mail in self._fetch_batch(client, batch, heads)]

    def move(self, uids: Sequence[int], target: Target) -> None:
        """Put exactly these mails into the folder for processed or quarantined mail, which is created if missing.

        Raises Immovable where the server lets us read but not move.
        """
        if not uids:
            return
        with self._speaking("moving mail"):
            client = self._still_ours()
            if self._is_read_only:
                raise Immovable(
                    f"The folder {self._folder} can only be read: its mails are stored and handled, but stay there; "
                    f"give {self._settings.username or 'the account'} the right to move them."
                )
            for batch in _batches(uids):
                self._move(client, batch, target)

    def take_over(self) -> None:
        """Make the mailbox ours, whichever database's it was. The other service notices in its next pass."""
        if self._claim is not None:
            self._drop()
            with self._speaking("marking the mailbox"):
                client = self._client = connect(self._settings, self._answer_timeout)
                self._claim.take_over(client, self._names_on(client), self._name_on_server(client, self._folder))
            self.close()

    def interrupt(self) -> None:
        """End what another thread waits for here, as the service is to end; it raises MailboxError there."""
        for inbox in (self, *list(self._others.values())):
            if inbox._client is not None:
                cut_off(inbox._client)

    def close(self) -> None:
        """Log out. The next call connects again."""
        if self._client is not None:
            hang_up(self._client, politely=True)
        self._forget()
        for other in self._others.values():
            other.close()

    def check(self) -> Iterator[Check]:
        """Try everything that the service needs, over a connection of its own, for `gm doctor`."""
        where = f"{self._settings.host}:{self._settings.port} ({self._settings.security})"
        try:
            client = open_connection(self._settings)
        except FAILURES as error:
            yield Check("IMAP connection", "fail", str(trouble(self._settings, "connecting", error)))
            return
        yield Check("IMAP connection", "ok", f"The IMAP server {where} answers.")
        with contextlib.ExitStack() as stack:
            stack.callback(hang_up, client, politely=True)
            yield from self._check_account(client)

    def _check_account(self, client: IMAPClient) -> Iterator[Check]:
        try:
            log_in(client, self._settings)
        except FAILURES as error:
            yield Check("IMAP login", "fail", str(trouble(self._settings, "logging in", error)))
            return
        yield Check("IMAP login", "ok", f"{self._settings.username or 'The service'} is logged in.")
        try:
            yield self._check_folders(client)
            if self._claim is not None:
                yield self._claim.check(client, self._names_on(client), self._name_on_server(client, self._folder))
            yield _check_idle(client, self._settings)
            yield _check_move(client, self._folder, self._settings.processed)
        except FAILURES as error:
            yield Check("IMAP folders", "fail", str(trouble(self._settings, "opening the folder", error)))

    def _check_folders(self, client: IMAPClient) -> Check:
        names = folder_names(client)
        mine, *others = (
            names.on_server(name)
            for name in (self._folder, self._settings.processed, self._settings.quarantine, self._settings.junk)
            if name
        )
        exists = client.select_folder(mine, readonly=True)[b"EXISTS"]
        missing = [name for name in others if not is_folder(client, name)]
        if self._settings.junk and names.on_server(self._settings.junk) in missing:
            return Check("IMAP folders", "warn", f"There is no folder {self._settings.junk}; check junk in [imap].")
        later = f"; {' and '.join(missing)} will be created when needed" if missing else ""
        return Check("IMAP folders", "ok", f"{mine} holds {exists} mails{later}.")

    @contextlib.contextmanager
    def _speaking(self, doing: str) -> Iterator[None]:
        """Wrap whatever fails into one MailboxError and drop the connection, whose state nobody knows then."""
        try:
            yield
        except Immovable:
            raise
        except FAILURES as error:
            self._drop()
            raise trouble(self._settings, doing, error) from error
        except BaseException:
            self._drop()
            raise

    def _awake(self) -> IMAPClient:
        """A live connection. NOOP finds out, and lets servers take notice of new mail before we search."""
        if self._client is not None:
            try:
                self._client.noop()
            except FAILURES as error:
                log.info("%s", trouble(self._settings, "keeping the connection", error))
                self._drop()
        if self._client is not None:
            self._look(self._client)
        return self._connected()

    def _connected(self) -> IMAPClient:
        if self._client is None:
            self._client = connect(self._settings, self._answer_timeout)
            self._hold(self._client)
        return self._client

    def _hold(self, client: IMAPClient) -> None:
        if self._claim is not None:
            self._claim.hold(client, self._names_on(client), self._name_on_server(client, self._folder))

    def _look(self, client: IMAPClient) -> bool:
        """Make sure that the mailbox is still ours; True if the folder has to be opened again."""
        return self._claim is not None and self._claim.look(
            client, self._names_on(client), self._name_on_server(client, self._folder)
        )

    def _still_ours(self) -> IMAPClient:
        """A connection as `_selected` gives it, to a mailbox that is still ours."""
        if self._client is None:
            return self._selected()
        if self._look(self._client):
            self._open_again(self._client)
        return self._client

    def _selected(self) -> IMAPClient:
        """A connection in which the UIDs of the last `waiting` still mean the same mails."""
        if self._client is None:
            self._open_again(self._connected())
        return self._connected()

    def _open_again(self, client: IMAPClient) -> None:
        uidvalidity, _ = self._select(client)
        if self._uidvalidity not in (None, uidvalidity):
            raise MailboxError(
                f"The IMAP server {self._settings.host}:{self._settings.port} has numbered the mails of "
                f"{self._folder} anew; nothing was fetched or moved, the next look begins afresh."
            )
        self._uidvalidity = uidvalidity

    def _select(self, client: IMAPClient) -> tuple[int, int]:
        """Open the folder: its UIDVALIDITY and how many mails it holds. One that can only be read is read."""
        folder = self._name_on_server(client, self._folder)
        try:
            answer, self._is_read_only = client.select_folder(folder), False
        except FAILURES as error:
            # imaplib takes a folder that is opened [READ-ONLY] for the end of the connection.
            if not (is_refusal(error) or isinstance(error, imaplib.IMAP4.readonly)):
                raise
            answer, self._is_read_only = _examine(client, folder, error), True
        return int(answer.get(b"UIDVALIDITY", 0)), int(answer[b"EXISTS"])

    def _name_on_server(self, client: IMAPClient, folder: str) -> str:
        return self._names_on(client).on_server(folder)

    def _names_on(self, client: IMAPClient) -> FolderNames:
        if self._names is None:
            self._names = folder_names(client)
        return self._names

    def _fetch_batch(
        self, client: IMAPClient, uids: Sequence[int], heads: Mapping[int, Mapping[bytes, Any]]
    ) -> Iterator[Fetched]:
        sizes = {uid: int(heads[uid][b"RFC822.SIZE"]) for uid in uids}
        whole, huge = ([uid for uid in uids if (sizes[uid] > WHOLE_LIMIT) is big] for big in (False, True))
        raws = {uid: raw for uid, (raw,) in _fetch_parts(client, whole, {"BODY[]": 0}).items()}
        begun = _fetch_parts(client, huge, {"BODY[HEADER]": HEADER_LIMIT, "BODY[TEXT]": TEXT_LIMIT})
        raws |= {uid: joined(head, text) for uid, (head, text) in begun.items()}
        for uid in uids:
            if uid in raws:
                yield self._fetched(uid, heads[uid], raws[uid], sizes[uid])

    def _fetched(self, uid: int, head: Mapping[bytes, Any], raw: bytes, size: int) -> Fetched:
        received_at = _utc(head.get(b"INTERNALDATE"))
        return Fetched(uid=uid, uidvalidity=self._uidvalidity or 0, received_at=received_at, raw=raw, size=size)

    def _move(self, client: IMAPClient, uids: Sequence[int], target: Target) -> None:
        """Move a batch, into a new folder if somebody has removed ours meanwhile. Raises Immovable if refused.

        Some servers refuse all where somebody has taken one away meanwhile: then the others are moved.
        """
        try:
            folder = self._ensure(client, target)
            try:
                _move_batch(client, uids, folder)
            except FAILURES as error:
                left = _still_there(client, uids) if is_refusal(error) else uids
                is_there = not is_refusal(error) or is_folder(client, folder)
                if is_there and len(left) == len(uids):
                    raise
                if not is_there:
                    del self._ensured[target]
                if left:
                    _move_batch(client, left, self._ensure(client, target))
        except FAILURES as error:
            if not is_refusal(error):
                raise
            raise Immovable(str(trouble(self._settings, "moving mail", error))) from error

    def _ensure(self, client: IMAPClient, target: Target) -> str:
        """The target's name on the server, where it exists afterwards. Asked once per connection."""
        if target not in self._ensured:
            name = self._settings.processed if target == "processed" else self._settings.quarantine
            folder = self._name_on_server(client, name)
            if not is_folder(client, folder):
                create_folder(client, folder)
            self._ensured[target] = folder
        return self._ensured[target]

    def _drop(self) -> None:
        if self._client is not None:
            hang_up(self._client)
        self._forget()

    def _forget(self) -> None:
        self._client = None
        self._names = None
        self._ensured = {}


def _criterion(client: IMAPClient) -> str:
    """Without MOVE and UIDPLUS a moved mail stays, marked as deleted: then those are not waiting."""
    return "ALL" if client.has_capability("MOVE") or client.has_capability("UIDPLUS") else "UNDELETED"


def _windows(exists: int, size: int) -> Iterator[list[str]]:
    """Ranges of sequence numbers that cover the folder, each small enough for one line of answer.

    A small folder is searched without a range: pymap takes none in a UID SEARCH.
    """
    if exists <= size:
        yield []
        return
    for first in range(1, exists + 1, size):
        yield [f"{first}:{min(first + size - 1, exists)}"]


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (uids[start : start + BATCH] for start in range(0, len(uids), BATCH))


def _heads(client: IMAPClient, uids: Sequence[int]) -> Iterator[tuple[int, Head]]:
    for uid, found in client.fetch(uids, ["RFC822.SIZE", "INTERNALDATE", f"BODY.PEEK[{_FROM}]"]).items():
        # Servers write the list of fields their own way.
        sender = next((value for key, value in found.items() if key.startswith(b"BODY[HEADER.FIELDS")), None)
        if b"RFC822.SIZE" in found:
            received_at = _utc(found.get(b"INTERNALDATE"))
            yield uid, Head(received_at=received_at, size=int(found[b"RFC822.SIZE"]), sender=sender or b"")


def _sizes(client: IMAPClient, uids: Sequence[int]) -> dict[int, Mapping[bytes, Any]]:
    """Size and arrival time of those mails that are there."""
    answers = (client.fetch(batch, ["RFC822.SIZE", "INTERNALDATE"]) for batch in _batches(uids))
    return {uid: head for answer in answers for uid, head in answer.items() if b"RFC822.SIZE" in head}


def _fetch_parts(client: IMAPClient, uids: Sequence[int], parts: Mapping[str, int]) -> dict[int, list[bytes]]:
    """The parts, or so many bytes of them, for each mail that has them: servers may mix in answers nobody asked for."""
    asked = [part.replace("BODY", "BODY.PEEK") + (f"<0.{most}>" if most else "") for part, most in parts.items()]
    keys = [f"{part}<0>".encode() if most else part.encode() for part, most in parts.items()]
    answers = client.fetch(uids, asked) if uids else {}
    return {uid: [answer[key] or b"" for key in keys] for uid, answer in answers.items() if {*keys} <= answer.keys()}


def _still_there(client: IMAPClient, uids: Sequence[int]) -> list[int]:
    client.noop()  # lets the server take notice
    listed = set(client.search(["UID", ",".join(map(str, uids))]))
    return [uid for uid in uids if uid in listed]


def _move_batch(client: IMAPClient, uids: Sequence[int], folder: str) -> None:
    """MOVE, or copy and delete. Never a plain EXPUNGE: it would remove what others have marked as deleted."""
    if client.has_capability("MOVE"):
        client.move(uids, folder)
        return
    # Changes nothing: where no flag may be set it is refused, before there is a copy, which each pass would repeat.
    client.remove_flags(uids, [rb"\Deleted"], silent=True)
    client.copy(uids, folder)
    if client.has_capability("UIDPLUS"):
        client.add_flags(uids, [rb"\Deleted"], silent=True)
        client.uid_expunge(uids)
    else:  # they stay there, so a person should see that nothing is to be done about them
        client.add_flags(uids, [rb"\Deleted", rb"\Seen"], silent=True)


def _examine(client: IMAPClient, folder: str, refused: BaseException) -> Mapping[bytes, Any]:
    """Open a folder for reading only; where that is refused as well, the first refusal says why."""
    try:
        answer: Mapping[bytes, Any] = client.select_folder(folder, readonly=True)
    except FAILURES as error:
        raise refused if is_refusal(error) else error from error
    return answer


def _utc(internal_date: datetime | None) -> datetime:
    """The server's arrival time, whatever its zone. Should it be unreadable, the mail has arrived by now."""
    if internal_date is None:
        return datetime.now(UTC)
    aware = internal_date if internal_date.tzinfo else internal_date.replace(tzinfo=UTC)
    return aware.astimezone(UTC)


def _check_idle(client: IMAPClient, settings: ImapSettings) -> Check:
    if not settings.idle:
        return Check("IMAP IDLE", "ok", f"Not wanted; the folder is read every {settings.poll_seconds} s.")
    if client.has_capability("IDLE"):
        return Check("IMAP IDLE", "ok", "The server tells us when mail arrives.")
    return Check("IMAP IDLE", "warn", f"The server has no IDLE; the folder is read every {settings.poll_seconds} s.")


def _check_move(client: IMAPClient, folder: str, processed: str) -> Check:
    if client.has_capability("MOVE"):
        return Check("IMAP MOVE", "ok", "The server moves mails.")
    if client.has_capability("UIDPLUS"):
        return Check("IMAP MOVE", "ok", "The server has no MOVE; mails are copied and then deleted.")
    sentence = (
        f"The server has neither MOVE nor UIDPLUS: handled mails are copied to {processed} and stay in {folder}, "
        "marked as read and deleted, until a mail program compacts (expunges) it; gm takes no notice of them."
    )
    return Check("IMAP MOVE", "warn", sentence)
