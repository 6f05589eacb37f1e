"""What a stored mail says. Only its own row is changed here: who wrote it, about what."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.requests.reading import Known, known_for, read_received
from gm.requests.sender_check.duplicate_mails import date_of
from gm.requests.sender_check.senders import with_known_sender
from gm.runtime.config.settings import Security
from gm.service.inbound.time_limit import time_limit
from gm.store.queries import mail_queries
from gm.store.tables import MailIn
from parsers.mime.authentication_results import found_forged
from parsers.mime.message import Mail, read_head
from parsers.mime.triage import OUR_ID, OWN, Mark, Weight, mark_of
from parsers.reading import Reading

IGNORED: Final = (Weight.CERTAIN, Weight.LIST, Weight.NOBODY)
"""With such a mark nothing that stands in a mail is carried out."""
HEAD_SECONDS: Final = 2.0
"""So long it may take to read the head of a mail whose text can't be read."""


@dataclass(frozen=True, kw_only=True)
class ReadMail:
    """A stored mail and what it says."""

    row: MailIn
    mail: Mail
    known: Known
    """Who writes from its address, and the games that it may be about."""
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


def read(app: App, session: Session, row: MailIn, mail: Mail) -> ReadMail:
    """Read what a mail asks for, unless it is ours. Raises MailError."""
    mail = with_known_sender(session, mail)
    note(row, mail)
    mark = mark_of(mail, own_address=app.settings.service.address, is_ours=lambda made: _is_ours(session, made))
    is_ours = mark is not None and mark.reason.startswith(OWN)
    known = known_for(session, mail)
    return ReadMail(
        row=row, mail=mail, mark=mark, forged=_found_forged(mail, app.settings.security), known=known,
        reading=Reading() if is_ours else read_received(app, session, row, mail, known),
    )  # fmt: skip


def _is_ours(session: Session, message_id: str) -> bool:
    return bool(OUR_ID.match(message_id)) and mail_queries.is_ours(session, message_id)


def note_head(row: MailIn) -> None:
    """Note sender and subject of a mail without a look at what stands below, as far as they can be read."""
    with suppress(Exception), time_limit(HEAD_SECONDS):
        note(row, read_head(row.raw))


def note(row: MailIn, head: Mail) -> None:
    """Note sender, subject and what tells a second copy, also where the rest of the mail can't be read."""
    row.message_id, row.sender, row.subject = head.message_id[:500], head.sender[:320], head.subject[:500]
    row.content, row.written = content_of(head, row.raw), date_of(head)


def content_of(mail: Mail, raw: bytes) -> str:
    """Make the SHA-256 by which a second copy of a mail is known, whichever way it came.

    It is made of sender, subject and text; of all bytes where the mail has no Message-ID or no text.
    """
    said = "\0".join((mail.sender, mail.subject, mail.text)).encode() if mail.message_id and mail.text else raw
    return hashlib.sha256(said).hexdigest()


def _found_forged(mail: Mail, security: Security) -> str:
    authserv = found_forged(mail, security.trusted_authserv)
    return f"{mail_queries.FORGED}: {authserv} says dmarc=fail" if authserv else ""


def _reason_to_ignore(mark: Mark | None, forged: str) -> str | None:
    if forged:
        return forged
    return mark.reason if mark and mark.weight in IGNORED else None
