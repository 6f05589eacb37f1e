"""The marks in a mailbox that say whose it is (see `ownership`): read, written and deleted over IMAP."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gm.runtime.network import Check, in_print
from gm.transport.imap.connection import FAILURES, FolderNames, create_folder, is_folder, is_refusal
from gm.transport.imap.ownership import (
    Mark,
    Owner,
    check_mark,
    check_ours,
    holder,
    is_foreign,
    is_older,
    outdated,
    owner_folder,
    read_mark,
    unmarked,
    write_mark,
)

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.runtime.config.settings import ImapSettings

log = logging.getLogger(__name__)

RECHECK_SECONDS = 300.0
"""After so long the marks are read again, though the server says that nothing has changed in their folder."""


class Claim:
    """Our hold on a mailbox over IMAP.

    The marks are read with each new connection, and again whenever something has changed in their folder, which costs
    one question (STATUS). The folder that was selected isn't any more after they were read.
    """

    def __init__(
        self, settings: ImapSettings, owner: Callable[[], Owner], now: Callable[[], datetime], recheck: float
    ) -> None:
        self._settings = settings
        self._source = owner
        self._now = now
        self._recheck = recheck
        self._looked_at = float("-inf")
        self._seen: object = None
        self._is_said = False
        self.place = owner_folder(settings.processed)

    def hold(self, client: IMAPClient, names: FolderNames, folder: str) -> None:
        """Make sure that the mailbox is ours, marking it where nobody did. Raises MailboxError, Overtaken."""
        owner = self._source()
        seen = owner, self._state(client, names)  # before the marks: what comes later changes it
        mark = holder(self._marks(client, names), folder)
        if mark is None or is_older(mark, owner):
            mark = self._write(client, names, folder, owner, mark)
        if mark is not None:
            check_ours(mark, owner, self._settings.username, self.place)
        self._seen, self._looked_at = seen, time.monotonic()

    def look(self, client: IMAPClient, names: FolderNames, folder: str) -> bool:
        """Make sure that it is still ours, and say whether the marks had to be read. Raises as `hold` does."""
        is_stale = time.monotonic() - self._looked_at >= self._recheck
        if not is_stale and self._seen == (self._source(), self._state(client, names)):
            return False
        self.hold(client, names, folder)
        return True

    def take_over(self, client: IMAPClient, names: FolderNames, folder: str) -> None:
        """Replace the marks of other databases by ours."""
        owner = self._source()
        marks = [mark for mark in self._marks(client, names) if mark.folder == quote(folder)]
        self._delete(client, names, [mark.uid for mark in marks if is_foreign(mark, owner)])
        self.hold(client, names, folder)

    def check(self, client: IMAPClient, names: FolderNames, folder: str) -> Check:
        """Look, for `gm doctor`, without writing anything."""
        mark, owner = holder(self._marks(client, names), folder), self._source()
        return check_mark(mark, owner, self._settings.username, self.place)

    def _state(self, client: IMAPClient, names: FolderNames) -> Any:
        """Ask what changes with every mark that is written, and with most that are deleted; None without a folder."""
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
        """Mark the mailbox and look again: another service may have come first. Then ours is taken away.

        A mailbox that is full or can only be read is served without a mark: the game goes on. But where there is an
        older mark of this database, its service may be at work, and could not be told to end: raises MailboxError.
        """
        place = names.on_server(self.place)
        try:
            if not is_folder(client, place):
                create_folder(client, place)
            now = self._now()
            client.append(place, write_mark(owner, folder, now), [rb"\Seen"], now)
        except FAILURES as error:
            if not is_refusal(error):
                raise
            said = in_print(str(error))
            if older is not None:
                raise unmarked(older, self.place, said) from error
            self._say(f"The mailbox can't be marked as ours in {self.place}, and is served without a mark: {said}")
            return None
        marks = [mark for mark in self._marks(client, names) if mark.folder == quote(folder)]
        found = holder(marks, folder)
        with contextlib.suppress(*FAILURES):
            self._delete(client, names, outdated(marks, found, owner))
        return found

    def _delete(self, client: IMAPClient, names: FolderNames, uids: Sequence[int]) -> None:
        """Marked as deleted is enough: without UIDPLUS they stay, and are not seen any more."""
        if uids:
            client.select_folder(names.on_server(self.place))
            client.delete_messages(uids, silent=True)
            if client.has_capability("UIDPLUS"):
                client.uid_expunge(uids)

    def _say(self, sentence: str) -> None:
        log.log(logging.DEBUG if self._is_said else logging.WARNING, "%s", sentence)
        self._is_said = True
