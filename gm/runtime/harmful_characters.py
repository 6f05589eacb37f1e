"""Characters that control a terminal, change the direction of writing, or can't be seen."""

import re
from typing import Final

_IN_SHORT_CODES: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls (Cc), except tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # change the direction of writing
    "\u115f\u1160\u17b4\u17b5\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0"  # invisible
    "\ufff0-\ufffb"
    "\ufffe\uffff\ud800-\udfff"  # no characters, so no XML and no mail may hold them
)
HARMFUL: Final = re.compile(
    f"[{_IN_SHORT_CODES}\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Joiners, selectors of variants and the soft hyphen aren't among them: scripts and emoji are written with them."""
_SUSPECT: Final = re.compile(f"[{_IN_SHORT_CODES}\U00010000-\U0010ffff]")
"""Any of these, or an emoji: most pages have none, and it is looked for four times as fast."""


def visible(text: str) -> str:
    """Replace each of these characters by a visible mark."""
    return HARMFUL.sub("\N{REPLACEMENT CHARACTER}", text) if _SUSPECT.search(text) else text


def one_line(text: str) -> str:
    """Make a text fit for a header field or a line of a log: blanks stand for line breaks and what can't be printed."""
    plain = text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)
    return " ".join(plain.split())
