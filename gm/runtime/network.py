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
            return _refused(error)
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


# -- certificates ------------------------------------------------------------------------------------------------------
# Python 3.13 and newer check them strictly by RFC 5280. Older versions accept more, so a private CA may have worked for
# years and be refused now.


class _Fault(NamedTuple):
    what: str
    mend: str


_NEW_CA = (
    "have the CA made anew with basicConstraints = critical,CA:TRUE, keyUsage = critical,keyCertSign,cRLSign and "
    "subjectKeyIdentifier = hash, the server's certificate signed by it (authorityKeyIdentifier = keyid), and the new "
    "CA added to the trusted certificates of this machine"
)
_NEW_ONE = (
    "have the server's certificate made anew with a subject, basicConstraints = CA:FALSE, authorityKeyIdentifier = "
    "keyid and the server's name in subjectAltName, by a CA with subjectKeyIdentifier = hash"
)

# OpenSSL's error numbers (X509_V_ERR_... in x509_vfy.h) that occur with X509_V_FLAG_X509_STRICT only. 90 and 91 are
# missing, as Python never gets there: an identifier that is marked critical is "unhandled" before.
_STRICT: dict[int, _Fault] = {
    78: _Fault("it, or the CA behind it, names two different signature algorithms", "have that one made anew"),
    79: _Fault("the CA behind it lacks the extension basicConstraints", _NEW_CA),
    80: _Fault("its extension basicConstraints has a path length (pathlen), which is for CAs", _NEW_ONE),
    81: _Fault("it has a path length (pathlen) for CAs, but lacks keyCertSign in the extension keyUsage", _NEW_ONE),
    82: _Fault("its extension keyUsage has keyCertSign, which is for CAs", _NEW_ONE),
    83: _Fault("the CA behind it has no name (subject)", f"{_NEW_CA}, this time with a subject"),
    84: _Fault("it has no name (subject)", _NEW_ONE),
    85: _Fault("it, or that of a CA in between, lacks the extension authorityKeyIdentifier", _NEW_ONE),
    86: _Fault("the CA behind it lacks the extension subjectKeyIdentifier", _NEW_CA),
    87: _Fault("its extension subjectAltName is empty", _NEW_ONE),
    88: _Fault("it has no name (subject), and its extension subjectAltName is not marked critical", _NEW_ONE),
    89: _Fault("the CA behind it has the extension basicConstraints, but not marked critical", _NEW_CA),
    92: _Fault("the CA behind it lacks the extension keyUsage", _NEW_CA),
    93: _Fault(
        "it, or the CA behind it, has extensions without being of version 3", "have that one made anew as X.509v3"
    ),
}
STRICT_CODES = frozenset(_STRICT)
"""What Python 3.13 and newer refuse, and older versions mostly accept."""


def _refused(error: ssl.SSLCertVerificationError) -> str:
    """Say what is wrong with the certificate and how it is mended. It follows `the server failed: `."""
    if fault := _STRICT.get(error.verify_code):
        return (
            f"its certificate is not trusted, as {fault.what}, which Python 3.13 and newer refuse "
            f"({error.verify_message}); {fault.mend}"
        )
    return (
        f"its certificate is not trusted ({error.verify_message}); set host to the name the certificate was "
        "made for, or add the authority that signed it to the trusted certificates of this machine"
    )
