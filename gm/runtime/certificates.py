"""Why a certificate was refused, and what to do, in plain English.

Python 3.13 and newer check certificates strictly by RFC 5280. Older versions accept more, so a private CA may have
worked for years and be refused now.
"""

from __future__ import annotations

import ssl
from typing import NamedTuple


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


def refused(error: ssl.SSLCertVerificationError) -> str:
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
