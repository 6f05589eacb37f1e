"""Characters that control a terminal, change the direction of writing, or can't be seen."""

import re
from typing import Final

HARMFUL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls (Cc), except tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # change the direction of writing
    "\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"  # invisible
    "\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Replace each of these characters by a visible mark."""
    return HARMFUL.sub("\N{REPLACEMENT CHARACTER}", text)
