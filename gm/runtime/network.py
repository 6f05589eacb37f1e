"""What IMAP and SMTP share: when plain text is allowed; network errors and refused certificates in plain English."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from gm.runtime.config.hosts import is_loopback
from gm.runtime.harmful_characters import one_line
from gm.runtime.redaction import masked

if TYPE_CHECKING:
    from gm.runtime.config.settings import ImapSettings, SmtpSettings

CONNECT_TIMEOUT = 30.0
ANSWER_TIMEOUT = 60.0


class Check(NamedTuple):
    """One line of `gm doctor`."""

    name: str
    status: Literal["ok", "warn", "fail"]
    sentence: str


def refuse_plaintext(settings: ImapSettings | SmtpSettings) -> None:
    """Raise PermissionError where a password and mails would cross a network unencrypted."""
    if settings.security == "none" and not is_loopback(settings.host):
        raise PermissionError('security = "none" is for this machine only')


def printable(text: str) -> str:
    """Return a server's words as one printable line without passwords, for log and database."""
    return masked(one_line(text))


def explain_network(error: BaseException) -> str | None:
    """Say what went wrong below the mail protocol, and what to do; None if it was something else."""
    found = [reason for cause in causes(error) if (reason := _reason(cause))]
    return found[-1] if found else None


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and its causes, the deepest last. Libraries wrap the one that says most."""
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__


def _reason(error: BaseException) -> str | None:
    match error:
        case PermissionError(errno=None):
            return f'{error}: use "tls" or "starttls"'
        case ssl.SSLCertVerificationError():
            return (
                f"its certificate is not trusted ({error.verify_message}); set host to the name the certificate was "
                "made for, or add the authority that signed it to the trusted certificates of this machine"
            )
        case ssl.SSLError():
            return f"no encryption could be agreed on ({error.reason}); check that port and security belong together"
        case socket.gaierror():
            return "this name has no address; check host and the connection to the internet"
        case ConnectionRefusedError():
            return "nothing listens there; check host and port and whether the server is running"
        case TimeoutError():
            return "it did not answer in time; nothing is lost, we try again"
        case OSError():
            return f"the connection failed ({error.strerror or error}); nothing is lost, we try again"
        case _:
            return None
