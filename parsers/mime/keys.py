"""Keys of a seat, which our mails carry in the block to copy: `Schlüssel: njln-pjx6-yxlr-4qwh`.

Whoever sends one has received that mail. Keys are looked for in the whole text, quotations included, and removed before
anything else is read. They are recognised in any case, with blanks for hyphens, and with 0, 1 and 8 for the letters
that look alike.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from parsers.mime.message import Mail

LENGTH: Final = 16
MOST: Final = 20
"""Keys in one mail that are looked at."""

_PART = r"[a-z0-9]{4}(?:[ \t\xa0\-‐‑–]{0,3}[a-z0-9]{4}){3}(?![a-z0-9])"
_LABEL = r"(?:Schl(?:ü|u\u0308|ue|u)ssel|Key)[ \t\xa0]*:[ \t\xa0*]*"
LABEL = re.compile(r"ssel[ \t\xa0]*:|key[ \t\xa0]*:", re.IGNORECASE)
LINE = re.compile(rf"^[>|* \t\xa0]*{_LABEL}(?P<key>{_PART})[ \t\xa0*]*(?:\r?\n|\Z)", re.IGNORECASE | re.MULTILINE)
INLINE = re.compile(rf"{_LABEL}(?P<key>{_PART})", re.IGNORECASE)
BARE = re.compile(r"(?<![\w-])(?P<key>[a-z0-9]{4}(?:-[a-z0-9]{4}){3})(?![\w-])", re.IGNORECASE)
IN_ADDRESS = re.compile(r"\+(?:[\w-]{1,20}\.){0,4}(?P<key>[a-z2-7]{16})@", re.IGNORECASE)
SEPARATORS = re.compile(r"[^a-z0-9]+")
LOOK_ALIKES: Final = str.maketrans("018", "olb")


def take_keys(text: str) -> tuple[str, tuple[str, ...]]:
    """Take the keys out of a text; gives what is left, and the keys as we would write them."""
    folded = text.casefold()  # most mails have none, and a pattern takes ten times as long to find that out
    if ("ssel" not in folded and "key" not in folded) or not LABEL.search(text):
        return text, ()
    found: list[str] = []

    def note(match: re.Match[str]) -> str:
        found.append(plain_key(match["key"]))
        return ""

    rest = INLINE.sub(note, LINE.sub(note, text))
    return rest, tuple(found[:MOST])


def take_subject_keys(mail: Mail) -> tuple[Mail, tuple[str, ...]]:
    """Take the keys out of a subject, where they may stand without `Key:`."""
    if mail.subject.count("-") < 3:
        return mail, ()
    rest, found = take_keys(mail.subject)
    found += tuple(plain_key(match["key"]) for match in BARE.finditer(rest))
    return (replace(mail, subject=" ".join(BARE.sub(" ", rest).split())), found) if found else (mail, ())


def keys_in_addresses(values: Iterable[str]) -> Iterator[str]:
    """Yield the keys in addresses that a mail went to: `gm+12345.42.7.njlnpjx6yxlr4qwh@`."""
    for value in values:
        for match in IN_ADDRESS.finditer(value):
            yield plain_key(match["key"])


def plain_key(text: str) -> str:
    """Write a key as it is compared."""
    return SEPARATORS.sub("", text.lower()).translate(LOOK_ALIKES)
