"""Whose mailbox this is. A mail in a folder of its own, the mark, says which database's service reads the mails.

Two services on one database share their work. Two services on different databases would answer every mail twice, so
each looks for the other's mark first. The mark holds no secret: its id is made from the database's secret by HMAC.

A restored copy of a database has the same id, so the mark also says when the copy was restored. The copy that was
restored last serves the mailbox. It replaces the marks of the others, and these end when they see its mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP
from email.utils import format_datetime
from typing import Final
from urllib.parse import quote, unquote

from gm.runtime.errors import MailboxError, NotOurs, Overtaken
from gm.runtime.ids import id_of
from gm.runtime.network import Check, printable

NEVER: Final = datetime.min.replace(tzinfo=UTC)
"""When a database was restored that is no restored copy."""

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
    """Who a service is, for others at the same mailbox. Restored copies of a database have the same `id`."""

    id: str
    name: str
    address: str
    host: str
    restored_at: datetime = NEVER


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A mark as it was read from its mail."""

    uid: int
    id: str
    folder: str
    host: str
    since: str
    name: str = ""
    restored_at: datetime = NEVER


def public_id(secret: str) -> str:
    """Return a database's id, from which nobody learns its secret."""
    return id_of(secret, "owner")


def owner_folder(processed: str) -> str:
    """Return the folder for marks: it stands beside the folder for processed mails."""
    return "/".join([*processed.split("/")[:-1], "Owner"])


def write_mark(owner: Owner, folder: str, now: datetime) -> bytes:
    """Write the mark of a service that reads this folder (named as on the server)."""
    mail = EmailMessage()
    mail["From"] = mail["To"] = owner.address
    mail["Subject"] = f"{owner.name}: do not delete / nicht löschen"
    mail["Date"] = format_datetime(now)
    restored = "" if owner.restored_at == NEVER else f".{owner.restored_at:%Y%m%d%H%M%S%f}"
    mail["Message-ID"] = f"<owner.{owner.id}{restored}@{owner.address.rpartition('@')[2]}>"
    # If somebody moves it among the players' mails, it is recognised as our own and ignored.
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Loop"] = owner.address
    since = f"{now:%Y-%m-%d %H:%M} UTC"
    fields = {"Owner": owner.id, "Folder": quote(folder), "Host": quote(owner.host), "Since": f"{now:%Y-%m-%dT%H:%M}"}
    fields["Name"] = quote(owner.name)
    if owner.restored_at != NEVER:
        fields["Restored"] = owner.restored_at.isoformat()
    for name, value in fields.items():
        mail[f"X-GM-{name}"] = value
    mail.set_content(TEXT.format(name=owner.name, host=owner.host, folder=folder, since=since))
    return mail.as_bytes(policy=SMTP.clone(max_line_length=900))  # a long name that was folded is read as another one


def read_mark(uid: int, header: bytes) -> Mark | None:
    """Read a mark's header; None for any other mail. What it returns may be shown on a terminal."""
    fields = BytesHeaderParser().parsebytes(header)
    identity, folder, host, since, service, restored = (
        str(fields.get(f"X-GM-{name}", "")) for name in ("Owner", "Folder", "Host", "Since", "Name", "Restored")
    )
    if not _ID.fullmatch(identity):
        return None
    written = re.fullmatch(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", since)
    return Mark(
        uid=uid, id=identity, folder=folder, host=re.sub(r"[^A-Za-z0-9._-]", "", host)[:60] or "an unknown host",
        since=f"{written[1]} {written[2]} UTC" if written else "an unknown date",
        name=printable(unquote(service))[:60], restored_at=_instant(restored),
    )  # fmt: skip


def _instant(text: str) -> datetime:
    """Read when a copy was restored; NEVER where that can't be read."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return NEVER


def deciding_mark(marks: Iterable[Mark], folder: str) -> Mark | None:
    """Find the mark that counts for a folder.

    Of several databases the first one counts, of a database's copies the one that was restored last.
    """
    mine = sorted((mark for mark in marks if mark.folder == quote(folder)), key=lambda mark: mark.uid)
    copies = [mark for mark in mine if mark.id == mine[0].id]
    return max(copies, key=lambda mark: mark.restored_at, default=None)


def is_foreign(mark: Mark | None, owner: Owner) -> bool:
    """Return whether another database's service owns the mailbox."""
    return mark is not None and mark.id != owner.id


def is_older(mark: Mark, owner: Owner) -> bool:
    """Return whether the mark is that of an older copy of this database, whose service is to end."""
    return mark.id == owner.id and mark.restored_at < owner.restored_at


def check_ours(mark: Mark, owner: Owner, account: str, place: str) -> None:
    """Make sure that the mark that counts is ours.

    Raises NotOurs where it is another database's, and Overtaken where it is that of a copy of this database that was
    restored later.
    """
    if is_foreign(mark, owner):
        raise NotOurs(
            f"The mailbox {account} is served by another database (mark of {mark.since}, host {mark.host}): stop the "
            f"other service and delete the mark in the folder {place}; until then no mail is read."
        )
    if mark.restored_at > owner.restored_at:
        who = f"{mark.name} on host {mark.host}" if mark.name else f"host {mark.host}"
        raise Overtaken(
            f"The mailbox {account} is served by a restored copy of this database ({who}, since {mark.since}), so "
            "nothing is read, answered or sent from here any more; if that is a mistake, end the service there, then "
            "run `gm restore --adopt` here.", restored_at=mark.restored_at,
        )  # fmt: skip


def outdated(marks: Iterable[Mark], found: Mark | None, owner: Owner) -> list[int]:
    """List the marks to delete after ours was written: those of older copies, and ours itself if it isn't `found`.

    `found` is the mark that counts.
    """
    is_ours = found is not None and found.id == owner.id and found.restored_at == owner.restored_at
    return [
        mark.uid for mark in marks
        if is_older(mark, owner) or (not is_ours and (mark.id, mark.restored_at) == (owner.id, owner.restored_at))
    ]  # fmt: skip


def check_mark(mark: Mark | None, owner: Owner, account: str, place: str) -> Check:
    """Report for `gm doctor` whose the mailbox is."""
    if mark is None:
        return Check("IMAP owner", "ok", f"Nobody serves this mailbox yet; `gm serve` will mark it in {place}.")
    try:
        check_ours(mark, owner, account, place)
    except (MailboxError, Overtaken) as error:
        return Check("IMAP owner", "fail", str(error))
    if is_older(mark, owner):
        return Check(
            "IMAP owner", "ok", f"`gm serve` will take the mailbox over, and the service on host {mark.host} will end."
        )
    return Check("IMAP owner", "ok", f"This database has served the mailbox since {mark.since}.")
