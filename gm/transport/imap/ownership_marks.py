"""The marks that say whose a mailbox is (see `ownership`), read and written over IMAP."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gm.runtime.network import Check, printable
from gm.transport.imap.connection import FAILURES, FolderNames, create_folder, is_folder, is_refusal
from gm.transport.imap.ownership import Mark, Marks, Owner, owner_folder, read_mark

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings

log = logging.getLogger(__name__)

RECHECK_SECONDS = 300.0
"""After so long the marks are read again even if the server reports no change in their folder."""


class Claim:
    """A service's claim to a mailbox.

    The marks are read with each new connection, and again whenever something has changed in their folder. To find that
    out costs one command (STATUS). After the marks were read, another folder is selected than before.
    """

    def __init__(self, settings: ImapSettings, owner: Callable[[], Owner]) -> None:
        self._account = settings.username
        self._owner = owner
        self._read_at = float("-inf")
        self._seen: object = None
        self._is_logged = False
        self.place = owner_folder(settings.processed)

    def establish(self, client: IMAPClient, names: FolderNames, folder: str) -> None:
        """Make sure that the mailbox is ours. Marks it if that is our turn. Raises MailboxError, NotOurs."""
        marks, owner = self._marks(client, names, folder), self._owner()
        seen = owner, marks.state()  # before the marks are read: a later mark changes it
        if unmarked := marks.establish(owner):
            level = logging.DEBUG if self._is_logged else logging.WARNING
            log.log(
                level, "The mailbox can't be marked as ours in %s, and is served without a mark: %s", self.place,
                unmarked,
            )  # fmt: skip
            self._is_logged = True
        self._seen, self._read_at = seen, time.monotonic()

    def recheck(self, client: IMAPClient, names: FolderNames, folder: str) -> bool:
        """Make sure that the mailbox is still ours. True if the marks had to be read. Raises as `establish` does."""
        is_stale = time.monotonic() - self._read_at >= RECHECK_SECONDS
        if not is_stale and self._seen == (self._owner(), self._marks(client, names, folder).state()):
            return False
        self.establish(client, names, folder)
        return True

    def check(self, client: IMAPClient, names: FolderNames, folder: str) -> Check:
        """Report for `gm doctor` whose the mailbox is. Writes nothing."""
        return self._marks(client, names, folder).check(self._owner())

    def _marks(self, client: IMAPClient, names: FolderNames, folder: str) -> _ImapMarks:
        return _ImapMarks(client, names.on_server(self.place), account=self._account, place=self.place, folder=folder)


class _ImapMarks(Marks):
    """The marks on the server, in a folder by its name there."""

    def __init__(self, client: IMAPClient, on_server: str, **names: str) -> None:
        super().__init__(**names)
        self._client, self._on_server = client, on_server

    def state(self) -> Any:
        """Return what changes with each mark that is written, and with most that are deleted; None without a folder."""
        try:
            return self._client.folder_status(self._on_server, ["MESSAGES", "UIDNEXT", "UIDVALIDITY"])
        except FAILURES as error:
            if not is_refusal(error):
                raise
            return None

    def read(self) -> Sequence[Mark]:
        if not is_folder(self._client, self._on_server):
            return ()
        self._client.select_folder(self._on_server, readonly=True)
        uids = self._client.search("UNDELETED")
        heads = self._client.fetch(uids, ["BODY.PEEK[HEADER]"]) if uids else {}
        found = (read_mark(uid, head.get(b"BODY[HEADER]") or b"") for uid, head in heads.items())
        return [mark for mark in found if mark is not None]

    def add(self, raw: bytes, now: datetime) -> str:
        try:
            if not is_folder(self._client, self._on_server):
                create_folder(self._client, self._on_server)
            self._client.append(self._on_server, raw, [rb"\Seen"], now)
        except FAILURES as error:
            if not is_refusal(error):
                raise
            return printable(str(error)) or "no"
        return ""
