"""What signs mean in move blocks: letters, blank cells, numbers, and the printed form in two columns."""

import re
from collections.abc import Callable
from string import ascii_letters, digits
from typing import Final

UMLAUTS: Final = {"Ä": "AE", "Ö": "OE", "Ü": "UE", "ẞ": "SS", "ä": "AE", "ö": "OE", "ü": "UE", "ß": "SS"}
"""How a board writes what it has no letter for."""

BLANKS: Final = "._-·•∙⋅‐‑‒–—−"
"""What players write for a blank cell; the first is ours."""

_DOTS: Final = str.maketrans({**dict.fromkeys(BLANKS, "."), "…": "..."})
_ODD_BLANKS: Final = frozenset(BLANKS[1:] + "…")
_CAPITALS: Final = {sign: sign.upper() for sign in ascii_letters}

_GAP: Final = re.compile(r"\s{3,}")


def columns(line: str, is_left: Callable[[str], bool], is_right: Callable[[str, str], bool]) -> tuple[str, str]:
    """Split a line of the printed two-column form at a gap of three or more blanks; the right part may be missing."""
    for gap in _GAP.finditer(line):
        left, right = line[: gap.start()], line[gap.end() :]
        if is_left(left) and is_right(left, right):
            return left, right
    return line, ""


def letter(sign: str) -> str:
    """Return the capital A-Z that a sign stands for, or nothing. (`str.upper` would make two letters of one `ß`.)"""
    return _CAPITALS.get(sign, "")


def board_letters(word: str) -> str:
    """Write a word as it lies on a board: capitals, umlauts as AE OE UE, ß as SS; other signs stay."""
    return "".join(UMLAUTS.get(sign) or letter(sign) or sign for sign in word)


def cells(row: str) -> str:
    """Return the cells of a row, a sign each: blanks as `.`, everything else as sent."""
    return "".join(row.split()).translate(_DOTS)


def has_odd_blanks(row: str) -> bool:
    """Return whether a row writes a blank cell in another way than we do."""
    return not _ODD_BLANKS.isdisjoint(row)


def first_number(text: str) -> str:
    """Return the first number in a text, without noughts in front; empty where there is none."""
    numbers = "".join(sign if sign in digits else " " for sign in text).split()
    return (numbers[0].lstrip("0") or "0") if numbers else ""


def shown(text: str, most: int = 40) -> str:
    """Quote what a player sent: on one line, without control characters, not endless."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return plain if len(plain) <= most else plain[: most - 3] + "..."
