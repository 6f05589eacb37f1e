"""The marks that say whose a mailbox is (see `ownership`), read, written and deleted over IMAP."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gm.runtime.clock import utcnow
from gm.runtime.errors import MailboxError
from gm.runtime.network import Check, printable
from gm.transport.imap.connection import FAILURES, FolderNames, create_folder, is_folder, is_refusal
from gm.transport.imap.ownership import (
    Mark,
    Owner,
    check_mark,
    check_ours,
    deciding_mark,
    is_older,
    outdated,
    owner_folder,
    read_mark,
    write_mark,
)

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
        self._settings = settings
        self._owner = owner
        self._read_at = float("-inf")
        self._seen: object = None
        self._is_logged = False
        self.place = owner_folder(settings.processed)

    def establish(self, client: IMAPClient, names: FolderNames, folder: str) -> None:
        """Make sure that the mailbox is ours. Marks it if nobody has. Raises MailboxError, Overtaken."""
        owner = self._owner()
        seen = owner, self._state(client, names)  # before the marks are read: a later mark changes it
        mark = deciding_mark(self._marks(client, names), folder)
        if mark is None or is_older(mark, owner):
            mark = self._write(client, names, folder, owner, mark)
        if mark is not None:
            check_ours(mark, owner, self._settings.username, self.place)
        self._seen, self._read_at = seen, time.monotonic()

    def recheck(self, client: IMAPClient, names: FolderNames, folder: str) -> bool:
        """Make sure that the mailbox is still ours. True if the marks had to be read. Raises as `establish` does."""
        is_stale = time.monotonic() - self._read_at >= RECHECK_SECONDS
        if not is_stale and self._seen == (self._owner(), self._state(client, names)):
            return False
        self.establish(client, names, folder)
        return True

    def check(self, client: IMAPClient, names: FolderNames, folder: str) -> Check:
        """Report for `gm doctor` whose the mailbox is. Writes nothing."""
        mark, owner = deciding_mark(self._marks(client, names), folder), self._owner()
        return check_mark(mark, owner, self._settings.username, self.place)

    def _state(self, client: IMAPClient, names: FolderNames) -> Any:
        """Return what changes with each mark that is written, and with most that are deleted; None without a folder."""
        try:
            return client.folder_status(names.on_server(self.place), ["MESSAGES", "UIDNEXT", "UIDVALIDITY"])
        except FAILURES as error:
            if not is_refusal(error):
                raise
            return None

    def _marks(self, client: IMAPClient, names: FolderNames) -> Sequence[Mark]:
        place = names.on_server(self.place)
        if not is_folder(client, place):
            return ()
        client.select_folder(place, readonly=True)
        uids = client.search("UNDELETED")
        heads = client.fetch(uids, ["BODY.PEEK[HEADER]"]) if uids else {}
        found = (read_mark(uid, head.get(b"BODY[HEADER]") or b"") for uid, head in heads.items())
        return [mark for mark in found if mark is not None]

    def _write(
        self, client: IMAPClient, names: FolderNames, folder: str, owner: Owner, older: Mark | None
    ) -> Mark | None:
        """Write our mark, and return the one that counts then. If another service was first, ours is deleted again.

        A mailbox that is full or can only be read is served without a mark. But where an older copy of this database
        has a mark, its service may still run and can't be told to end: that raises MailboxError.
        """
        place = names.on_server(self.place)
        try:
            if not is_folder(client, place):
                create_folder(client, place)
            now = utcnow()
            client.append(place, write_mark(owner, folder, now), [rb"\Seen"], now)
        except FAILURES as error:
            if not is_refusal(error):
                raise
            self._serve_without_mark(printable(str(error)), older)
            return None
        marks = [mark for mark in self._marks(client, names) if mark.folder == quote(folder)]
        found = deciding_mark(marks, folder)
        with contextlib.suppress(*FAILURES):
            self._delete(client, names, outdated(marks, found, owner))
        return found

    def _serve_without_mark(self, reason: str, older: Mark | None) -> None:
        if older is not None:
            raise MailboxError(
                f"The service on host {older.host} (mark of {older.since}), whose database was restored here, can't be "
                f"told to end, as no mark can be written into the folder {self.place} ({reason.rstrip('.')}): make "
                "that possible, or end it and delete its mark; until then no mail is read."
            )
        level = logging.DEBUG if self._is_logged else logging.WARNING
        log.log(
            level, "The mailbox can't be marked as ours in %s, and is served without a mark: %s", self.place, reason
        )
        self._is_logged = True

    def _delete(self, client: IMAPClient, names: FolderNames, uids: Sequence[int]) -> None:
        """Delete marks. Without UIDPLUS they stay, flagged as deleted: `_marks` doesn't see these."""
        if uids:
            client.select_folder(names.on_server(self.place))
            client.delete_messages(uids, silent=True)
            if client.has_capability("UIDPLUS"):
                client.uid_expunge(uids)
