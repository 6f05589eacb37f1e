"""A folder over IMAP: which mails wait there, reading them, moving them away. An Inbox is for one thread."""

from __future__ import annotations

import contextlib
import imaplib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
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
    trouble,
)
from gm.transport.imap.inbox_check import check_inbox
from gm.transport.imap.mails import Fetched, Head, Waiting, fetch_arrival, fetch_heads, fetch_raw, in_batches
from gm.transport.imap.ownership import Owner
from gm.transport.imap.ownership_marks import Claim
from gm.transport.imap.size_limits import batches

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings

log = logging.getLogger(__name__)

Target = Literal["processed", "quarantine"]

# imaplib refuses answers of over 1,000,000 characters; a UID takes eleven at most.
SEARCH_WINDOW = 50_000


@dataclass(frozen=True, kw_only=True)
class _Connection:
    """A connection that is logged in."""

    client: IMAPClient
    names: FolderNames
    targets: dict[Target, str] = field(default_factory=dict)
    """The folders to move mails to that exist, by their names on the server."""


class Inbox:
    """The folder that the service reads. Connects when needed and again after any failure.

    Methods raise MailboxError, with a finished sentence, and nothing else. With an `owner` they refuse a mailbox that
    another database, or a later incarnation of ours, serves: then they raise NotOurs.
    """

    def __init__(
        self, settings: ImapSettings, *, folder: str = "", search_window: int = SEARCH_WINDOW,
        owner: Callable[[], Owner] | None = None, answer_timeout: float = ANSWER_TIMEOUT,
    ) -> None:  # fmt: skip
        self._settings = settings
        self._answer_timeout = answer_timeout
        self._claim = Claim(settings, owner) if owner else None
        self._folder = folder or settings.folder
        self._search_window = search_window
        self._connection: _Connection | None = None
        self._uidvalidity: int | None = None
        self._is_read_only = False
        self._others: dict[str, Inbox] = {}

    def other_folder(self, folder: str) -> Inbox:
        """Return another folder of the same mailbox, the same object each time. It has a connection of its own."""
        return self._others.setdefault(folder, Inbox(self._settings, folder=folder))

    def exists(self) -> bool:
        """Return whether there is such a folder."""
        with self._raising_sentences("looking for a folder"):
            connection = self._live_connection()
            return is_folder(connection.client, connection.names.on_server(self._folder))

    def heads(self, uids: Sequence[int], *, with_sender: bool = False) -> dict[int, Head]:
        """Return arrival and size of mails, and who sent them if asked for. Those that are gone are left out."""
        with self._raising_sentences("looking at mails"):
            return fetch_heads(self._selected().client, uids, with_sender=with_sender)

    def arrival(self, uid: int) -> datetime | None:
        """Return when a mail arrived, also where the server can't even say its size; None where it is gone."""
        with self._raising_sentences("looking at a mail"):
            return fetch_arrival(self._selected().client, uid)

    def check_owner(self) -> None:
        """Make sure that the mailbox is still ours."""
        with self._raising_sentences("looking whose the mailbox is"):
            self._selected_and_ours()

    def waiting(self) -> Waiting:
        """List every mail in the folder, also those marked as read. A connection gone stale is replaced at once."""
        with self._raising_sentences("looking for mail"):
            connection = self._live_connection()
            client = connection.client
            self._uidvalidity, exists = self._select(connection)
            searches = [[*window, _criterion(client)] for window in _windows(exists, self._search_window)]
            uids = {uid for search in searches for uid in client.search(search)}
        return Waiting(uidvalidity=self._uidvalidity, uids=tuple(sorted(uids)))

    def fetch(self, uids: Sequence[int]) -> list[Fetched]:
        """Read mails in the order asked for, without marking them as read. Those that are gone are left out.

        Not more of them are fetched than fit into memory: behind the last one returned there may be others.
        """
        with self._raising_sentences("fetching mail"):
            client = self._selected().client
            heads = fetch_heads(client, uids, with_sender=False)
            fitting = next(batches(((uid, heads[uid].size) for uid in uids if uid in heads), len(uids)), [])
            raws = fetch_raw(client, {uid: heads[uid].size for uid in fitting})
        return [self._fetched(uid, heads[uid], raws[uid]) for uid in fitting if uid in raws]

    def _fetched(self, uid: int, head: Head, raw: bytes) -> Fetched:
        validity = self._uidvalidity or 0
        return Fetched(uid=uid, uidvalidity=validity, received_at=head.received_at, raw=raw, size=head.size)

    def move(self, uids: Sequence[int], target: Target) -> None:
        """Put exactly these mails into the folder for processed or quarantined mail, which is created if missing.

        Raises Immovable where the server lets us read but not move.
        """
        if not uids:
            return
        with self._raising_sentences("moving mail"):
            connection = self._selected_and_ours()
            if self._is_read_only:
                raise Immovable(
                    f"The folder {self._folder} can only be read: its mails are stored and handled, but stay there; "
                    f"give {self._settings.username or 'the account'} the right to move them."
                )
            for batch in in_batches(uids):
                self._move(connection, batch, target)

    def interrupt(self) -> None:
        """Cut the connections, as the service is to end. Another thread that waits for them gets MailboxError."""
        for inbox in (self, *list(self._others.values())):
            if inbox._connection is not None:
                cut_off(inbox._connection.client)

    def close(self) -> None:
        """Log out. The next call connects again."""
        self._hang_up(politely=True)
        for other in self._others.values():
            other.close()

    def check(self) -> Iterator[Check]:
        """Try everything that the service needs, over a connection of its own, for `gm doctor`."""
        return check_inbox(self._settings, self._folder, self._claim)

    @contextlib.contextmanager
    def _raising_sentences(self, doing: str) -> Iterator[None]:
        """Turn whatever fails into a MailboxError, and drop the connection, whose state nobody knows then."""
        try:
            yield
        except Immovable:
            raise
        except FAILURES as error:
            self._hang_up()
            raise trouble(self._settings, doing, error) from error
        except BaseException:
            self._hang_up()
            raise

    def _live_connection(self) -> _Connection:
        """Return a connection that answers. The NOOP also lets servers take notice of new mail before we search."""
        if self._connection is not None:
            try:
                self._connection.client.noop()
            except FAILURES as error:
                log.info("%s", trouble(self._settings, "keeping the connection", error))
                self._hang_up()
        if self._connection is not None:
            self._recheck_owner(self._connection)
        return self._connected()

    def _connected(self) -> _Connection:
        """Return the connection, or a new one to a mailbox that is ours."""
        if self._connection is None:
            connection = self._connection = self._connect()
            if self._claim is not None:
                self._claim.establish(connection.client, connection.names, connection.names.on_server(self._folder))
        return self._connection

    def _connect(self) -> _Connection:
        client = connect(self._settings, self._answer_timeout)
        try:
            return _Connection(client=client, names=folder_names(client))
        except BaseException:
            hang_up(client)
            raise

    def _recheck_owner(self, connection: _Connection) -> bool:
        """Make sure that the mailbox is still ours. True if the folder has to be selected again."""
        return self._claim is not None and self._claim.recheck(
            connection.client, connection.names, connection.names.on_server(self._folder)
        )

    def _selected(self) -> _Connection:
        """Return a connection in which the UIDs of the last `waiting` still mean the same mails."""
        if self._connection is None:
            self._select_again(self._connected())
        return self._connected()

    def _selected_and_ours(self) -> _Connection:
        """Return a connection as `_selected` does, to a mailbox that is still ours."""
        if self._connection is not None and self._recheck_owner(self._connection):
            self._select_again(self._connection)
        return self._selected()

    def _select_again(self, connection: _Connection) -> None:
        """Select the folder. Raises MailboxError where its UIDs mean other mails now."""
        uidvalidity, _ = self._select(connection)
        if self._uidvalidity not in (None, uidvalidity):
            raise MailboxError(
                f"The IMAP server {self._settings.host}:{self._settings.port} has numbered the mails of "
                f"{self._folder} anew; nothing was fetched or moved, the next look begins afresh."
            )
        self._uidvalidity = uidvalidity

    def _select(self, connection: _Connection) -> tuple[int, int]:
        """Select the folder, if need be for reading only. Returns its UIDVALIDITY and the number of mails."""
        client, folder = connection.client, connection.names.on_server(self._folder)
        try:
            answer, self._is_read_only = client.select_folder(folder), False
        except FAILURES as error:
            # imaplib takes a folder that is opened [READ-ONLY] for the end of the connection.
            if not (is_refusal(error) or isinstance(error, imaplib.IMAP4.readonly)):
                raise
            answer, self._is_read_only = _examine(client, folder, error), True
        return int(answer.get(b"UIDVALIDITY", 0)), int(answer[b"EXISTS"])

    def _move(self, connection: _Connection, uids: Sequence[int], target: Target) -> None:
        """Move a batch. Raises Immovable if that is refused.

        If somebody has removed the folder to move to, it is created again. Some servers refuse the whole batch because
        somebody has moved one of the mails: then the others are moved.
        """
        client = connection.client
        try:
            folder = self._ensure(connection, target)
            try:
                _move_batch(client, uids, folder)
            except FAILURES as error:
                left = _still_there(client, uids) if is_refusal(error) else uids
                is_there = not is_refusal(error) or is_folder(client, folder)
                if is_there and len(left) == len(uids):
                    raise
                if not is_there:
                    del connection.targets[target]
                if left:
                    _move_batch(client, left, self._ensure(connection, target))
        except FAILURES as error:
            if not is_refusal(error):
                raise
            raise Immovable(str(trouble(self._settings, "moving mail", error))) from error

    def _ensure(self, connection: _Connection, target: Target) -> str:
        """Make sure that there is the folder to move to, once per connection. Returns its name on the server."""
        if target not in connection.targets:
            name = self._settings.processed if target == "processed" else self._settings.quarantine
            folder = connection.names.on_server(name)
            if not is_folder(connection.client, folder):
                create_folder(connection.client, folder)
            connection.targets[target] = folder
        return connection.targets[target]

    def _hang_up(self, *, politely: bool = False) -> None:
        if self._connection is not None:
            hang_up(self._connection.client, politely=politely)
        self._connection = None


def _criterion(client: IMAPClient) -> str:
    """Return what to search for. Without MOVE and UIDPLUS a moved mail stays, marked as deleted: it doesn't wait."""
    return "ALL" if client.has_capability("MOVE") or client.has_capability("UIDPLUS") else "UNDELETED"


def _windows(exists: int, size: int) -> Iterator[list[str]]:
    """Split the folder into ranges of sequence numbers, each small enough for one line of answer.

    A small folder is searched without a range: pymap takes none in a UID SEARCH.
    """
    if exists <= size:
        yield []
        return
    for first in range(1, exists + 1, size):
        yield [f"{first}:{min(first + size - 1, exists)}"]


def _still_there(client: IMAPClient, uids: Sequence[int]) -> list[int]:
    client.noop()  # lets the server take notice
    listed = set(client.search(["UID", ",".join(map(str, uids))]))
    return [uid for uid in uids if uid in listed]


def _move_batch(client: IMAPClient, uids: Sequence[int], folder: str) -> None:
    """Move, or copy and delete. Never a plain EXPUNGE: it would remove what others have marked as deleted."""
    if client.has_capability("MOVE"):
        client.move(uids, folder)
        return
    # This changes nothing. Where no flag may be set it is refused, before there is a copy that each pass would repeat.
    client.remove_flags(uids, [rb"\Deleted"], silent=True)
    client.copy(uids, folder)
    if client.has_capability("UIDPLUS"):
        client.add_flags(uids, [rb"\Deleted"], silent=True)
        client.uid_expunge(uids)
    else:  # they stay there, so a person should see that nothing is to be done about them
        client.add_flags(uids, [rb"\Deleted", rb"\Seen"], silent=True)


def _examine(client: IMAPClient, folder: str, refused: BaseException) -> Mapping[bytes, Any]:
    """Select a folder for reading only. Where that is refused as well, the first refusal says why."""
    try:
        answer: Mapping[bytes, Any] = client.select_folder(folder, readonly=True)
    except FAILURES as error:
        raise refused if is_refusal(error) else error from error
    return answer
