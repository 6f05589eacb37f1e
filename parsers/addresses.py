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


def addresses_in(text: str) -> Iterator[str]:
    """Yield the addresses that stand in a text, in lower case."""
    return (found[0].lower() for found in _ADDRESS.finditer(text) if is_address(found[0]))
