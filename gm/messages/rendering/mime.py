"""A finished mail: headers, text and HTML as bytes, with a Message-ID that stays the same on every attempt."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.contentmanager import raw_data_manager
from email.header import Header
from email.message import EmailMessage
from email.policy import Compat32
from email.utils import format_datetime, formataddr
from typing import Any, Final

from gm.runtime.harmful_characters import one_line
from gm.runtime.ids import id_of

STORED_FILE: Final = "X-Stored-File"
"""The field that names a file which isn't in the mail yet."""
LONGEST_WORD: Final = 900
"""A longer one is encoded, which can be folded: no line may have more than 998 characters."""


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """Everything about a mail but its words."""

    sender_name: str
    sender: str
    to_name: str
    to: str
    message_id: str
    date: datetime
    language: str
    automatic: str
    """`auto-replied` for an answer, `auto-generated` for what we send by ourselves (RFC 3834)."""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    list_id: str = ""
    unsubscribe: str = ""
    """A `mailto:` that orders nothing more of the kind (RFC 2369)."""
    stored_file: str = ""
    """The name of a file that is put in when the mail is sent (gm.messages.stored_files)."""


@dataclass(frozen=True, kw_only=True)
class BinaryFile:
    """A file of any bytes that goes along with a mail."""

    name: str
    """In ASCII."""
    kind: str
    """Its Content-Type."""
    content: bytes


class _Policy(Compat32):
    """Folds fields between words only, and takes them as they are given.

    EmailPolicy, and SMTP with it, encodes an id in References that is longer than a line, decodes what a player wrote
    as `=?utf-8?q?=0A?=` into a line break, and refuses addresses like `a..b@provider.example`.
    """

    content_manager = raw_data_manager

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Fold a field, but never a link: programs that don't unfold would cut it."""
        return f"{name}: {value}\r\n".encode() if name == "List-Unsubscribe" else super().fold_binary(name, value)


_POLICY: Final = _Policy(linesep="\r\n", max_line_length=76, mangle_from_=False)


def message_id(secret: str, cause: str, recipient: str, kind: str, domain: str) -> str:
    """Make the Message-ID of a mail: the same for the same cause, recipient and kind, and not to be guessed."""
    return f"<{id_of(secret, 'mail', cause, recipient, kind)}@{domain}>"


def write_letter(envelope: Envelope, subject: str, text: str, html: str) -> bytes:
    """Put a mail together, in ASCII. Quoted-printable: who reads sources, and some filters, can't read base64."""
    mail = EmailMessage(_POLICY)
    mail.set_content(text, cte="quoted-printable")
    mail.add_alternative(html, subtype="html", cte="quoted-printable")
    fields = {
        "From": _address("From", envelope.sender_name, envelope.sender),
        "To": _address("To", envelope.to_name, envelope.to),
        "Subject": _words("Subject", one_line(subject)),
        "Date": format_datetime(envelope.date.replace(microsecond=0)),
        "Message-ID": envelope.message_id,
        "In-Reply-To": envelope.in_reply_to,
        "References": " ".join(envelope.references),
        "Auto-Submitted": envelope.automatic,
        "X-Auto-Response-Suppress": "All",
        "X-Loop": envelope.sender,
        "Content-Language": envelope.language,
        "List-Id": envelope.list_id,
        "List-Unsubscribe": f"<{envelope.unsubscribe}>" if envelope.unsubscribe else "",
        STORED_FILE: envelope.stored_file,
    }
    for name, value in fields.items():
        if value or name == "Subject":
            mail[name] = value
    return _written(mail)


def with_file(raw: bytes, file: BinaryFile) -> bytes:
    """Put a file into a written mail, in place of the field that names it."""
    mail = _read(raw)
    del mail[STORED_FILE]
    mail.add_attachment(file.content, *file.kind.split("/"), filename=file.name, params={"name": file.name})
    mail["Content-Language"] = next(mail.iter_parts())["Content-Language"]
    return _written(mail)


def text_of(raw: bytes) -> str:
    """Return the text part of a mail that `write_letter` made; "" where there is none."""
    parts = (part for part in _read(raw).walk() if part.get_content_type() == "text/plain")
    return next((part.get_content().replace("\r\n", "\n") for part in parts), "")


def _read(raw: bytes) -> EmailMessage:
    mail = message_from_bytes(raw, EmailMessage, policy=_POLICY)
    assert isinstance(mail, EmailMessage)
    return mail


def _written(mail: EmailMessage) -> bytes:
    """Write a mail with boundaries made of its Message-ID, so that the same mail is the same bytes."""
    for part in mail.walk():
        if part.is_multipart():
            seed = f"{mail['Message-ID']} {part.get_content_subtype()}"
            part.set_boundary(f"=_{hashlib.sha256(seed.encode()).hexdigest()[:24]}")
    return mail.as_bytes()


def _address(field: str, name: str, address: str) -> str | Header:
    words = _words(field, one_line(name))
    if isinstance(words, str):
        return formataddr((words, address))
    words.append(f"<{address}>", "us-ascii")
    return words


def _words(field: str, text: str) -> str | Header:
    """Encode what isn't ASCII, would be taken for encoded, or fills more than a line."""
    is_plain = text.isascii() and "=?" not in text and all(len(word) < LONGEST_WORD for word in text.split())
    return text if is_plain else Header(text, "utf-8", header_name=field)
