"""Whose mailbox this is. Mails in a folder of their own, the marks, say which database's service reads the mails.

Two services on different databases would answer every mail twice, so each looks for the other's mark first. A database
has an incarnation, a new one whenever it was restored or moved. Each incarnation that begins to serve adds its mark,
and the last one serves; the others end when they see it. All this is decided by ids and the order of the mails (their
UIDs), never by a clock.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP
from email.utils import format_datetime
from typing import Final
from urllib.parse import quote, unquote

from gm.runtime.clock import utcnow
from gm.runtime.errors import MailboxError, NotOurs
from gm.runtime.network import Check, printable

_ID: Final = re.compile(r"[0-9a-f]{24}")

TEXT: Final = """\
This mail marks whose mailbox this is: the game master service "{name}" on {host} has read the folder {folder} here \
since {since}. Please don't delete it while that service runs: it keeps a second service, with another database, from \
answering every player twice.

Diese Mail zeigt, wem dieses Postfach gehört: Der Spielleiter-Dienst „{name}“ auf {host} liest hier seit {since} den \
Ordner {folder}. Bitte nicht löschen, solange dieser Dienst läuft: Sie verhindert, dass ein zweiter Dienst mit anderer \
Datenbank jedem Spieler noch einmal antwortet.
"""


@dataclass(frozen=True, kw_only=True)
class Owner:
    """Who a service is, for others at the same mailbox."""

    id: str
    """The incarnation of its database."""
    former: frozenset[str] = frozenset()
    """What that was before."""
    name: str
    address: str
    host: str


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A mark as it was read from its mail."""

    uid: int
    id: str
    before: frozenset[str]
    """The incarnations that had served the mailbox when it was written."""
    folder: str
    host: str
    since: str
    name: str


def owner_folder(processed: str) -> str:
    """Return the folder for marks: it stands beside the folder for processed mails."""
    return "/".join([*processed.split("/")[:-1], "Owner"])


def write_mark(owner: Owner, folder: str, now: datetime, before: Iterable[str] = ()) -> bytes:
    """Write the mark of a service that reads this folder (named as on the server)."""
    mail = EmailMessage()
    mail["From"] = mail["To"] = owner.address
    mail["Subject"] = f"{owner.name}: do not delete / nicht löschen"
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = f"<owner.{owner.id}@{owner.address.rpartition('@')[2]}>"
    # If somebody moves it among the players' mails, it is recognised as our own and ignored.
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Loop"] = owner.address
    since = f"{now:%Y-%m-%d %H:%M} UTC"
    fields = {
        "Owner": owner.id, "Before": " ".join(sorted(before)), "Folder": quote(folder), "Host": quote(owner.host),
        "Since": f"{now:%Y-%m-%dT%H:%M}", "Name": quote(owner.name),
    }  # fmt: skip
    for name, value in fields.items():
        mail[f"X-GM-{name}"] = value
    mail.set_content(TEXT.format(name=owner.name, host=owner.host, folder=folder, since=since))
    return mail.as_bytes(policy=SMTP.clone(max_line_length=900))  # a long name that was folded is read as another one


def read_mark(uid: int, header: bytes) -> Mark | None:
    """Read a mark's header; None for any other mail. What it returns may be shown on a terminal."""
    fields = BytesHeaderParser().parsebytes(header)
    identity, before, folder, host, since, service = (
        str(fields.get(f"X-GM-{name}", "")) for name in ("Owner", "Before", "Folder", "Host", "Since", "Name")
    )
    if not _ID.fullmatch(identity):
        return None
    written = re.fullmatch(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", since)
    return Mark(
        uid=uid, id=identity, before=frozenset(_ID.findall(before)), folder=folder,
        host=re.sub(r"[^A-Za-z0-9._-]", "", host)[:60] or "an unknown host",
        since=f"{written[1]} {written[2]} UTC" if written else "an unknown date", name=printable(unquote(service))[:60],
    )  # fmt: skip


def served_by(marks: Iterable[Mark], folder: str) -> Sequence[Mark]:
    """List the marks of those who have served a folder, in order: the last one serves.

    The first mark counts, and each that follows one that counts. So of two databases that begin at once to serve a
    mailbox without a mark, all agree which one does.
    """
    found: list[Mark] = []
    for mark in sorted((mark for mark in marks if mark.folder == quote(folder)), key=lambda mark: mark.uid):
        if not found or mark.before & incarnations(found):
            found.append(mark)
    return found


def incarnations(served: Iterable[Mark]) -> set[str]:
    """Name all who have served, also those whose mark is gone."""
    return {one for mark in served for one in (mark.id, *mark.before)}


class Marks(ABC):
    """The marks in the folder `place` of a mailbox, which say who has served its folder `folder`."""

    def __init__(self, *, account: str, place: str, folder: str) -> None:
        self.account, self.place, self.folder = account, place, folder

    @abstractmethod
    def read(self) -> Sequence[Mark]:
        """Read all marks."""

    @abstractmethod
    def add(self, raw: bytes, now: datetime) -> str:
        """Add a mark; returns why the server doesn't let us, "" where it does."""

    def establish(self, owner: Owner) -> str:
        """Make sure that the mailbox is the owner's, with a new mark where it is theirs to take.

        A mailbox that is full or can only be read is served without a mark; then the return value says why. But where
        a former incarnation has a mark, its service may still run and can't be told to end: that raises MailboxError,
        and a mailbox of somebody else NotOurs.
        """
        served = served_by(self.read(), self.folder)
        if not self._comes_next(owner, served):
            return ""
        now = utcnow()
        refused = self.add(write_mark(owner, self.folder, now, incarnations(served)), now).rstrip(".")
        if refused and served:
            raise MailboxError(
                f"The service on host {served[-1].host} (mark of {served[-1].since}), whose database was restored "
                f"here, can't be told to end, as no mark can be written into the folder {self.place} ({refused}): make "
                "that possible, or end it and delete its mark; until then no mail is read."
            )
        if refused:
            return refused
        self._comes_next(owner, served_by(self.read(), self.folder))  # another one may have been first
        return ""

    def check(self, owner: Owner) -> Check:
        """Report for `gm doctor` whose the mailbox is. Writes nothing."""
        served = served_by(self.read(), self.folder)
        try:
            comes_next = self._comes_next(owner, served)
        except NotOurs as error:
            return Check("IMAP owner", "fail", str(error))
        if not served:
            says = f"Nobody serves this mailbox yet; `gm serve` will mark it in {self.place}."
        elif comes_next:
            says = f"`gm serve` will take the mailbox over, and the service on host {served[-1].host} will end."
        else:
            says = f"This database has served the mailbox since {served[-1].since}."
        return Check("IMAP owner", "ok", says)

    def _comes_next(self, owner: Owner, served: Sequence[Mark]) -> bool:
        """Return whether the mailbox is the owner's to take; else it is theirs already, or NotOurs is raised."""
        known, last = incarnations(served), served[-1] if served else None
        if last is None or last.id == owner.id:
            return last is None
        if owner.id in known:
            raise NotOurs(
                f"The mailbox {self.account} is served by a restored copy of this database ({last.name} on host "
                f"{last.host}, since {last.since}), so nothing is read, answered or sent from here any more; if that "
                "is a mistake, end the service there, then run `gm restore --adopt` here.", is_overtaken=True,
            )  # fmt: skip
        if not owner.former & known:
            raise NotOurs(
                f"The mailbox {self.account} is served by another database (mark of {last.since}, host {last.host}): "
                f"stop the other service and delete the marks in the folder {self.place}; until then no mail is read."
            )
        return True
