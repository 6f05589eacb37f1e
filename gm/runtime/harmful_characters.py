"""What somebody writes is shown, and steers nothing: neither a terminal nor the order in which letters are read."""

import re
from typing import Final

HARMFUL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls (Cc), but for the tab and the end of a line
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the direction of writing
    "\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"  # not to be seen
    "\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Put a mark for each character that steers a terminal, turns the direction of writing, or can't be seen."""
    return HARMFUL.sub("\N{REPLACEMENT CHARACTER}", text)
