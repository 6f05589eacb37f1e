"""Characters that nobody sees: they make no other word and no other name."""

import re
import unicodedata
from typing import Final

_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2800\U0001d159]"
)
"""Default_Ignorable_Code_Point of Unicode 15, as DerivedCoreProperties.txt lists it: `unicodedata` doesn't have it.

And two signs that are drawn empty: the blank of Braille and the null notehead.
"""
_CONTROLS: Final = frozenset({"Cc", "Cf", "Cs"})
"""Categories: control and format characters, halves of characters."""


def is_invisible(char: str) -> bool:
    """Whether a character can't be seen. Spaces aren't meant; tabs and line feeds are, as control characters."""
    return unicodedata.category(char) in _CONTROLS or _IGNORABLE.match(char) is not None


def in_one_line(text: str) -> str:
    """Write a text in one line, as its reader sees it: single spaces, nothing invisible."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(char for char in text if char.isspace() or not is_invisible(char))
    return " ".join(text.split())


def fold_name(name: str) -> str:
    """Fold a name for comparison: case (`ẞ`, `ß`, `SS` are one), how an umlaut is stored, and blanks don't matter."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", in_one_line(name)).casefold())
