"""A finished mail: headers, text and HTML as bytes, with a Message-ID that stays the same on every attempt."""

import base64
import hashlib
import re
from binascii import a2b_qp, b2a_qp
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.policy import compat32
from email.utils import format_datetime, formataddr
from functools import lru_cache
from typing import Final

from gm.runtime.ids import id_of


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
class Attachment:
    """A file of text, in UTF-8, that goes along with a mail."""

    name: str
    """In ASCII."""
    content: bytes
    kind: str
    """Its Content-Type."""


STORED_FILE: Final = "X-Stored-File"
"""The field that names a file which isn't in the mail yet."""


@dataclass(frozen=True, kw_only=True)
class BinaryFile:
    """A file of any bytes that goes along with a mail."""

    name: str
    """In ASCII."""
    kind: str
    """Its Content-Type."""
    content: bytes


def message_id(secret: str, cause: str, recipient: str, kind: str, domain: str) -> str:
    """Make the Message-ID of a mail: the same for the same cause, recipient and kind, and not to be guessed."""
    return f"<{id_of(secret, 'mail', cause, recipient, kind)}@{domain}>"


def write_letter(envelope: Envelope, subject: str, text: str, html: str, attachment: Attachment | None = None) -> bytes:
    """Put a mail together as multipart/alternative; with an attachment that is the first part of a multipart/mixed.

    Every line ends with CRLF and keeps the limits of RFC 5322. The library's generator writes the same bytes, but takes
    six times as long, as it checks every line.
    """
    subject = one_line(subject)
    kind, body = _multipart("alternative", envelope.message_id, _part("plain", text), _part("html", html))
    if attachment:
        words = f"Content-Type: {kind}\r\nMIME-Version: 1.0\r\n\r\n{body}"
        kind, body = _multipart("mixed", f"{envelope.message_id} and a file", words, _file_part(attachment))
    fields = {
        "Content-Type": kind,
        "MIME-Version": "1.0",
        "From": _address(envelope.sender_name, envelope.sender),
        "To": _address(envelope.to_name, envelope.to),
        "Subject": _subject(subject),
        "Date": _date(envelope.date.replace(microsecond=0)),
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
    head = "".join(_field(name, value) for name, value in fields.items() if value or name in _EVEN_EMPTY)
    return f"{head}\n".replace("\n", "\r\n").encode("ascii") + body.encode("ascii")


def text_of(raw: bytes) -> str:
    """Return the text part of a mail that `write_letter` made; a tenth of the work of reading a foreign mail."""
    found = _TEXT_PART.search(raw)
    return a2b_qp(found["text"]).decode("utf-8", "replace").replace("\r\n", "\n") if found else ""


_TEXT_PART = re.compile(
    rb"--(?P<boundary>\S+)\r\nContent-Type: text/plain[^\r]*\r\n(?:[^\r]+\r\n)*\r\n(?P<text>.*?)\r\n--(?P=boundary)",
    re.DOTALL,
)
_EVEN_EMPTY = ("Subject", "Content-Language")
_NEVER_FOLDED = ("List-Unsubscribe",)
"""A single long word: programs that don't unfold would cut the link."""


def _field(name: str, value: str) -> str:
    """Write a header field, folded where the line is too long."""
    line = f"{name}: {value}\n"
    fits = len(line) <= 79 or name in _NEVER_FOLDED
    return line if fits and value.isascii() else _folded(name, value)


@lru_cache(maxsize=1000)
def _folded(name: str, value: str) -> str:
    """Fold a field; all who get a bulletin get the same subject."""
    return compat32.fold(name, value)


def _multipart(kind: str, seed: str, *parts: str) -> tuple[str, str]:
    """Join parts; returns the type for the header, and the body."""
    boundary = _boundary(seed)
    body = "".join([f"--{boundary}\r\n{part}\r\n" for part in parts])
    return f'multipart/{kind}; boundary="{boundary}"', f"{body}--{boundary}--\r\n"


@lru_cache(maxsize=2)
def _part(kind: str, content: str) -> str:
    """Encode a part as quoted-printable: people who read sources, and some filters, can't read base64.

    Both parts of the last mail are kept: at the end of a game all get the same.
    """
    if "\r" in content:
        content = content.replace("\r\n", "\n").replace("\r", "\n")
    head = f'Content-Type: text/{kind}; charset="utf-8"\r\nMIME-Version: 1.0\r\n'
    head += "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    return head + "\r\n".join(map(_quoted, content.split("\n")))


@lru_cache(maxsize=4096)
def _quoted(line: str) -> str:
    """Encode a line. Most lines of a mail stood in the one before, so the last ones are kept."""
    return b2a_qp(line.encode(), istext=True).decode("ascii").replace("\n", "\r\n")


@lru_cache(maxsize=1000)
def _subject(subject: str) -> str:
    return subject if subject.isascii() else Header(subject, "utf-8", header_name="Subject").encode()


@lru_cache(maxsize=100)
def _date(second: datetime) -> str:
    return format_datetime(second)


def _file_part(attachment: Attachment) -> str:
    name = attachment.name
    head = f'Content-Type: {attachment.kind};\n name="{name}"\nMIME-Version: 1.0\n'
    head += f'Content-Transfer-Encoding: quoted-printable\nContent-Disposition: attachment; filename="{name}"\n\n'
    content = b2a_qp(attachment.content.replace(b"\r\n", b"\n"), istext=True).decode("ascii")
    return f"{head}{content}".replace("\n", "\r\n")


def with_file(raw: bytes, file: BinaryFile) -> bytes:
    """Put a file into a written mail, in place of the field that names it."""
    head, _, body = raw.decode("ascii").partition("\r\n\r\n")
    fields = re.split(r"\r\n(?![ \t])", head)
    kind = next(one.partition(": ")[2] for one in fields if one.startswith("Content-Type: "))
    content = base64.encodebytes(file.content).decode("ascii").replace("\n", "\r\n")
    attached = (
        f'Content-Type: {file.kind};\r\n name="{file.name}"\r\nMIME-Version: 1.0\r\n'
        f'Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="{file.name}"\r\n\r\n{content}'
    )
    mixed, whole = _multipart(
        "mixed", f"{head} and a file", f"Content-Type: {kind}\r\nMIME-Version: 1.0\r\n\r\n{body}", attached
    )
    kept = [one for one in fields if not one.startswith((f"{STORED_FILE}: ", "Content-Type: "))]
    return "\r\n".join([f"Content-Type: {mixed}", *kept, "", whole]).encode("ascii")


@lru_cache(maxsize=1000)
def _address(name: str, address: str) -> str:
    return formataddr((one_line(name), address), "utf-8")


def one_line(name: str) -> str:
    """Make a name fit for a header: a stranger's may hold line breaks and control characters."""
    plain = name if name.isprintable() else "".join(char if char.isprintable() else " " for char in name)
    return " ".join(plain.split())


def _boundary(seed: str) -> str:
    # From the Message-ID, so that the same mail is the same bytes, also in golden files.
    return f"=_{hashlib.sha256(seed.encode()).hexdigest()[:24]}"
