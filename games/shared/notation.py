"""What move blocks of several games have in common: fields, the printed two-column form, the cells of a row."""

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

_KEYS: Final = {
    "neu": "wish",
    "new": "wish",
    "wunsch": "wish",
    "wunschbuchstabe": "wish",
    "wish": "wish",
    "runde": "round",
    "round": "round",
    "durchgang": "round",
    "deal": "round",
    "partie": "game",
    "game": "game",
}
SEPARATOR: Final = r"(?:\s*[-=]+>|\s*→|\s*[:=]|\s+(?:\.{3,}|[–—-])(?=\s+\S))"
"""What people write between a label and its value: `Rat: MOND`, `Rat = MOND`, `Rat -> MOND`, `Rat ..... MOND`,
`Rat – MOND`."""
_LABELLED: Final = re.compile(rf"\s*(?:\d{{1,2}}[.)]\s+)?([^\W\d_]+){SEPARATOR}(.*)", re.DOTALL)
_ENTRY: Final = re.compile(r"[^:=–—-]*(?:=|\s[–—-])\s*[0-9]")
"""`neu = 3` and `neu - 3` are words of a list with their points, and no fields."""
# Without a colon only `Neu` is a field, and only before one sign: `neu 3` is a word of a list, `wunsch` a row.
_NAKED: Final = re.compile(r"\s*(neu|new)(?:\s+([^\s\d]))?\s*", re.IGNORECASE)
_GAP: Final = re.compile(r"\s{3,}")


def field(line: str) -> tuple[str, str] | None:
    """Read `Neu: D`, `Neu -> D`, `Neu D`, `Runde: 3` as what it is about (`wish`, `round`, `game`) and its value."""
    found = (not _ENTRY.match(line) and _LABELLED.fullmatch(line)) or _NAKED.fullmatch(line)
    key = _KEYS.get(found[1].lower()) if found else None
    return (key, (found[2] or "").strip()) if found and key else None


def unlabelled(line: str, *labels: str) -> str:
    """Return what stands behind one of these labels (in small letters), else the whole line: `Rat: MOND`, `MOND`."""
    found = _LABELLED.fullmatch(line)
    return found[2].strip() if found and found[1].lower() in labels else line


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
