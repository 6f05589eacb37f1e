"""Mail addresses: one pattern for senders, recipients, the config and addresses in a text."""

import re
from collections.abc import Iterator
from typing import Final

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
# aiosmtplib reads addresses leniently: "a\r\nRCPT TO:<z@z>" went to z@z. So: ASCII, no quotes, no white space.
# In a text an address begins where a word begins: then a long word without an @ is looked at only once.
_ADDRESS: Final = re.compile(rf"(?<![\w.!#$%&'*+/=?^`{{|}}~-])(?P<local>{_ATOM}(?:\.{_ATOM})*)@{_LABEL}(?:\.{_LABEL})*")

LONGEST: Final = 254
LONGEST_LOCAL: Final = 64


def is_address(text: str) -> bool:
    """Return whether this is one well-formed address and nothing else."""
    match = _ADDRESS.fullmatch(text)
    return match is not None and len(match["local"]) <= LONGEST_LOCAL and len(text) <= LONGEST and "=?" not in text


def canonical(text: str) -> str:
    """Return an address as it is kept and written to: in lower case, its domain in ASCII; "" where it is none.

    A domain in other letters (`anna@bücher.example`) and its form in ASCII (`xn--bcher-kva.example`) are one.
    """
    local, at, domain = text.strip().rpartition("@")
    if at and not domain.isascii():
        import idna  # rarely needed, and its tables take 20 ms to load

        try:
            domain = idna.encode(domain[:LONGEST], uts46=True).decode()
        except (idna.IDNAError, UnicodeError):
            return ""
        if "xn--" not in domain:  # full-width letters and the like: nobody's mail program writes so
            return ""
    address = f"{local}{at}{domain}".lower()
    return address if is_address(address) else ""


_GMAIL: Final = ("gmail.com", "googlemail.com")


def mailbox_of(address: str) -> str:
    """Return what is the same for all spellings of one mailbox: at Gmail dots, `+` and the domain's form don't matter.

    Takes and returns an address in canonical form; mails go to the one that a player wrote.
    """
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{_GMAIL[0]}" if domain in _GMAIL else address


def addresses_in(text: str) -> Iterator[str]:
    """Yield the addresses that stand in a text, in lower case."""
    return (found[0].lower() for found in _ADDRESS.finditer(text) if is_address(found[0]))
