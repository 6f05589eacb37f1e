"""Whose mailbox this is: a mail of ours in a folder of its own says which database's service reads the mails.

Two services on one database share their work. Two on different databases would answer every mail twice, so each looks
for the other's mark first. The mark holds no secret: its id is made from the database's secret by HMAC.
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import logging
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP
from email.utils import format_datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from gm.errors import NotOurs
from gm.mailbox.connection import Check, in_print
from gm.mailbox.imap import FAILURES, FolderNames, create_folder, is_folder, is_refusal

if TYPE_CHECKING:
    from imapclient import IMAPClient

    from gm.config import ImapSettings

log = logging.getLogger(__name__)

RECHECK_SECONDS = 300.0
"""A service whose mark was replaced goes on for so long at most."""

_ID = re.compile(r"[a-z2-7]{24}")

TEXT = """\
This mail marks whose mailbox this is: the game master service "{name}" on {host} has read the folder {folder} here \
since {since}. Please don't delete it while that service runs: it keeps a second service, with another database, from \
answering every player twice.

Diese Mail zeigt, wem dieses Postfach gehört: Der Spielleiter-Dienst „{name}“ auf {host} liest hier seit {since} den \
Ordner {folder}. Bitte nicht löschen, solange dieser Dienst läuft: Sie verhindert, dass ein zweiter Dienst mit anderer \
Datenbank jedem Spieler noch einmal antwortet.
"""


@dataclass(frozen=True, kw_only=True)
class Owner:
    """Who a service is to others at the same mailbox. `id` is the same wherever its database is restored."""

    id: str
    name: str
    address: str
    host: str


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A mark as it was found."""

    uid: int
    id: str
    folder: str
    host: str
    since: str


def public_id(secret: str) -> str:
    """Name a database without telling its secret."""
    digest = hmac.digest(secret.encode(), b"owner of a mailbox", "sha256")
    return base64.b32encode(digest[:15]).decode().lower()


def owner_folder(processed: str) -> str:
    """Where the mark is put: beside the folder for processed mails."""
    return "/".join([*processed.split("/")[:-1], "Owner"])


def write_mark(owner: Owner, folder: str, now: datetime) -> bytes:
    """Write the mark of a service that reads this folder (the name as the server has it)."""
    mail = EmailMessage()
    mail["From"] = mail["To"] = owner.address
    mail["Subject"] = f"{owner.name}: do not delete / nicht löschen"
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = f"<owner.{owner.id}@{owner.address.rpartition('@')[2]}>"
    # Should somebody put it among the players' mails, it is known as our own and ignored.
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Loop"] = owner.address
    since = f"{now:%Y-%m-%d %H:%M} UTC"
    fields = {"Owner": owner.id, "Folder": quote(folder), "Host": quote(owner.host), "Since": f"{now:%Y-%m-%dT%H:%M}"}
    for name, value in fields.items():
        mail[f"X-GM-{name}"] = value
    mail.set_content(TEXT.format(name=owner.name, host=owner.host, folder=folder, since=since))
    return mail.as_bytes(policy=SMTP)


def read_mark(uid: int, header: bytes) -> Mark | None:
    """Read a mark's header; None for any other mail. Whatever stands in it may be shown on a terminal."""
    fields = BytesHeaderParser().parsebytes(header)
    identity, folder, host, since = (
        str(fields.get(f"X-GM-{name}", "")) for name in ("Owner", "Folder", "Host", "Since")
    )
    if not _ID.fullmatch(identity):
        return None
    written = re.fullmatch(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", since)
    return Mark(
        uid=uid, id=identity, folder=folder, host=re.sub(r"[^A-Za-z0-9._-]", "", host)[:60] or "an unknown host",
        since=f"{written[1]} {written[2]} UTC" if written else "an unknown date",
    )  # fmt: skip


def holder(marks: Iterable[Mark], folder: str) -> Mark | None:
    """Find the mark that counts for a folder: of two that were written at the same moment the first."""
    mine = [mark for mark in marks if mark.folder == quote(folder)]
    return min(mine, key=lambda mark: mark.uid, default=None)


def is_foreign(mark: Mark | None, owner: Owner) -> bool:
    """Say whether another database's service owns the mailbox."""
    return mark is not None and mark.id != owner.id


def foreign(mark: Mark, account: str, place: str) -> NotOurs:
    """Say who else serves the mailbox, and the mend."""
    return NotOurs(
        f"The mailbox {account} is served by another database (mark of {mark.since}, host {mark.host}): stop the other "
        f"service, or run `gm serve --take-over`, or delete the mark in the folder {place}; until then no mail is read."
    )


class Claim:
    """Our hold on a mailbox over IMAP: looked at with each new connection, and again every few minutes.

    The folder that was selected isn't any more after a look.
    """

    def __init__(
        self, settings: ImapSettings, owner: Callable[[], Owner], now: Callable[[], datetime], recheck: float
    ) -> None:
        self._settings = settings
        self._source = owner
        self._owner: Owner | None = None
        self._now = now
        self._recheck = recheck
        self._looked_at = float("-inf")
        self._is_said = False
        self.place = owner_folder(settings.processed)

    @property
    def owner(self) -> Owner:
        """Who we are; the database is asked once."""
        if self._owner is None:
            self._owner = self._source()
        return self._owner

    @property
    def is_stale(self) -> bool:
        """The mark was last seen a while ago."""
        return time.monotonic() - self._looked_at >= self._recheck

    def hold(self, client: IMAPClient, names: FolderNames, folder: str) -> None:
        """Make sure that the mailbox is ours, marking it where nobody did. Raises MailboxError if it isn't."""
        mark = holder(self._marks(client, names), folder)
        if mark is None:
            mark = self._write(client, names, folder)
        if mark is not None and is_foreign(mark, self.owner):
            raise foreign(mark, self._settings.username, self.place)
        self._looked_at = time.monotonic()

    def take_over(self, client: IMAPClient, names: FolderNames, folder: str) -> None:
        """Replace the marks of others by ours."""
        marks = [mark for mark in self._marks(client, names) if mark.folder == quote(folder)]
        self._delete(client, names, [mark.uid for mark in marks if is_foreign(mark, self.owner)])
        self.hold(client, names, folder)

    def check(self, client: IMAPClient, names: FolderNames, folder: str) -> Check:
        """Look, for `gm doctor`, without writing anything."""
        mark = holder(self._marks(client, names), folder)
        if mark is None:
            return Check(
                "IMAP owner", "ok", f"Nobody serves this mailbox yet; `gm serve` will mark it in {self.place}."
            )
        if is_foreign(mark, self.owner):
            return Check("IMAP owner", "fail", str(foreign(mark, self._settings.username, self.place)))
        return Check("IMAP owner", "ok", f"This database has served the mailbox since {mark.since}.")

    def _marks(self, client: IMAPClient, names: FolderNames) -> Sequence[Mark]:
        place = names.on_server(self.place)
        if not is_folder(client, place):
            return ()
        client.select_folder(place, readonly=True)
        uids = client.search("UNDELETED")
        heads = client.fetch(uids, ["BODY.PEEK[HEADER]"]) if uids else {}
        found = (read_mark(uid, head.get(b"BODY[HEADER]") or b"") for uid, head in heads.items())
        return [mark for mark in found if mark is not None]

    def _write(self, client: IMAPClient, names: FolderNames, folder: str) -> Mark | None:
        """Mark the mailbox and look again: another service may have come first. Then ours is taken away.

        A mailbox that is full or can only be read is served without a mark: the game goes on.
        """
        place = names.on_server(self.place)
        try:
            if not is_folder(client, place):
                create_folder(client, place)
            now = self._now()
            client.append(place, write_mark(self.owner, folder, now), [rb"\Seen"], now)
        except FAILURES as error:
            if not is_refusal(error):
                raise
            said = in_print(str(error))
            self._say(f"The mailbox can't be marked as ours in {self.place}, and is served without a mark: {said}")
            return None
        marks = [mark for mark in self._marks(client, names) if mark.folder == quote(folder)]
        first = holder(marks, folder)
        if is_foreign(first, self.owner):
            with contextlib.suppress(*FAILURES):
                self._delete(client, names, [mark.uid for mark in marks if mark.id == self.owner.id])
        return first

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
