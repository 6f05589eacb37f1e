"""Second step: stored mails are read. Only a mail's own row is changed here: who wrote it, about what."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.requests.reading import read_received
from gm.requests.sender_check.senders import with_known_sender
from gm.runtime.config.settings import Security
from gm.service.inbound.duplicate_mails import date_of
from gm.service.inbound.time_limit import STEP_SECONDS, time_limit
from gm.store.queries import mail_queries
from gm.store.tables import MailIn
from parsers.mime.authentication_results import found_forged
from parsers.mime.message import Mail, read_head, read_mail
from parsers.mime.triage import OWN, Mark, Weight, mark_of
from parsers.reading import Reading

IGNORED: Final = (Weight.CERTAIN, Weight.LIST, Weight.NOBODY)
"""With such a mark nothing that stands in a mail is carried out."""


@dataclass(frozen=True, kw_only=True)
class ReadMail:
    """A stored mail and what it says."""

    row: MailIn
    mail: Mail
    mark: Mark | None
    """What speaks against a person as its writer."""
    forged: str
    """Which trusted server found its sender forged; empty where none did."""
    reading: Reading
    """What it says, also where nothing of it may be carried out; empty where it is ours."""

    @property
    def reason(self) -> str | None:
        """Why it is ignored whoever sent it, as far as its form tells; None where it is not."""
        return _reason_to_ignore(self.mark, self.forged)


@dataclass(frozen=True, kw_only=True)
class UnreadMail:
    """A stored mail that could not be read, or whose effects could not be written."""

    row: MailIn
    error: Exception


def read_all(app: App, rows: Sequence[MailIn]) -> list[ReadMail | UnreadMail]:
    """Read mails. What prevents it is kept with the mail, for when its turn comes.

    All are opened before the first one's commands are read: doing one kind of work at a time is faster.
    """
    opened = [_open(app, row) for row in rows]
    with app.database.read() as session:
        return [_read(app, session, row, mail) for row, mail in zip(rows, opened, strict=True)]


def _open(app: App, row: MailIn) -> Mail | Exception:
    app.stop_signal.check()
    try:
        with time_limit(STEP_SECONDS):
            mail = read_mail(row.raw)
    except Exception as error:  # noqa: BLE001  carry_out.put_aside sorts them
        note_head(row)
        return error
    return mail


def note_head(row: MailIn) -> None:
    """Note sender and subject of a mail without a look at what stands below, as far as they can be read."""
    with suppress(Exception), time_limit(STEP_SECONDS):
        _note_head(row, read_head(row.raw))


def _note_head(row: MailIn, head: Mail) -> None:
    """Note sender and subject of a mail, also where the rest of it can't be read."""
    row.message_id, row.sender, row.subject = head.message_id[:500], head.sender[:320], head.subject[:500]
    row.content, row.written = content_of(head, row.raw), date_of(head)


def content_of(mail: Mail, raw: bytes) -> str:
    """Make the SHA-256 by which a second copy of a mail is known, whichever way it came.

    It is made of sender, subject and text; of all bytes where the mail has no Message-ID or no text.
    """
    said = "\0".join((mail.sender, mail.subject, mail.text)).encode() if mail.message_id and mail.text else raw
    return hashlib.sha256(said).hexdigest()


def _read(app: App, session: Session, row: MailIn, mail: Mail | Exception) -> ReadMail | UnreadMail:
    """Read the commands of a mail, unless it is to be ignored."""
    if isinstance(mail, Exception):
        return UnreadMail(row=row, error=mail)
    mail = with_known_sender(session, mail)
    _note_head(row, mail)
    try:
        with time_limit(STEP_SECONDS):
            mark = mark_of(mail, own_address=app.settings.service.address, is_ours=lambda _: False)
            forged = _found_forged(mail, app.settings.security)
            is_ours = mark is not None and mark.reason.startswith(OWN)
            reading = Reading() if is_ours else read_received(app, session, row, mail)
            return ReadMail(row=row, mail=mail, mark=mark, forged=forged, reading=reading)
    except Exception as error:  # noqa: BLE001  carry_out.put_aside sorts them
        return UnreadMail(row=row, error=error)


def _found_forged(mail: Mail, security: Security) -> str:
    authserv = found_forged(mail, security.trusted_authserv)
    return f"{mail_queries.FORGED}: {authserv} says dmarc=fail" if authserv else ""


def _reason_to_ignore(mark: Mark | None, forged: str) -> str | None:
    if forged:
        return forged
    return mark.reason if mark and mark.weight in IGNORED else None
