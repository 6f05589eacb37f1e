"""A finished mail: headers, text and HTML as bytes, with a Message-ID that stays the same on every attempt."""

import base64
import hashlib
import hmac
from binascii import b2a_qp
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.utils import format_datetime, formataddr


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


def message_id(secret: str, cause: str, recipient: str, kind: str, domain: str) -> str:
    """Make the Message-ID of a mail: the same for the same cause, recipient and kind, and not to be guessed."""
    digest = hmac.new(secret.encode(), f"{cause}\n{recipient}\n{kind}".encode(), hashlib.sha256).digest()
    return f"<{base64.b32encode(digest[:15]).decode().lower()}@{domain}>"


def write_letter(envelope: Envelope, subject: str, text: str, html: str) -> bytes:
    """Put a mail together as multipart/alternative, every line within RFC 5322's limits, CRLF at their ends."""
    mail = MIMEMultipart("alternative", boundary=_boundary(envelope.message_id))
    mail["From"] = _address(envelope.sender_name, envelope.sender)
    mail["To"] = _address(envelope.to_name, envelope.to)
    subject = one_line(subject)
    mail["Subject"] = Header(subject, "us-ascii" if subject.isascii() else "utf-8", header_name="Subject").encode()
    mail["Date"] = format_datetime(envelope.date)
    mail["Message-ID"] = envelope.message_id
    if envelope.in_reply_to:
        mail["In-Reply-To"] = envelope.in_reply_to
    if envelope.references:
        mail["References"] = " ".join(envelope.references)
    mail["Auto-Submitted"] = envelope.automatic
    mail["X-Auto-Response-Suppress"] = "All"
    mail["X-Loop"] = envelope.sender
    mail["Content-Language"] = envelope.language
    if envelope.list_id:
        mail["List-Id"] = envelope.list_id
    mail.attach(_part("plain", text))
    mail.attach(_part("html", html))
    return mail.as_bytes(policy=mail.policy.clone(linesep="\r\n"))


def _part(kind: str, content: str) -> MIMENonMultipart:
    """Encode a part as quoted-printable: base64 is opaque to people who read sources, and to some filters."""
    part = MIMENonMultipart("text", kind, charset="utf-8")
    part["Content-Transfer-Encoding"] = "quoted-printable"
    part.set_payload(b2a_qp(content.encode(), istext=True).decode("ascii"))
    return part


def _address(name: str, address: str) -> str:
    return formataddr((one_line(name), address), "utf-8")


def one_line(name: str) -> str:
    """Make a name fit for a header: a stranger's may hold line breaks and control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in name).split())


def _boundary(message_id: str) -> str:
    # From the Message-ID, so that the same mail is the same bytes, also in golden files.
    return f"=_{hashlib.sha256(message_id.encode()).hexdigest()[:24]}"
