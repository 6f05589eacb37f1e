"""What signs mean in move blocks: letters and numbers."""

from string import ascii_letters, digits
from typing import Final

UMLAUTS: Final = {"Ä": "AE", "Ö": "OE", "Ü": "UE", "ẞ": "SS", "ä": "AE", "ö": "OE", "ü": "UE", "ß": "SS"}
"""How a board writes what it has no letter for."""

_CAPITALS: Final = {sign: sign.upper() for sign in ascii_letters}


def letter(sign: str) -> str:
    """Return the capital A-Z that a sign stands for, or nothing. (`str.upper` would make two letters of one `ß`.)"""
    return _CAPITALS.get(sign, "")


def board_letters(word: str) -> str:
    """Write a word as it lies on a board: capitals, umlauts as AE OE UE, ß as SS; other signs stay."""
    return "".join(UMLAUTS.get(sign) or letter(sign) or sign for sign in word)


def first_number(text: str) -> str:
    """Return the first number in a text, without noughts in front; empty where there is none."""
    numbers = "".join(sign if sign in digits else " " for sign in text).split()
    return (numbers[0].lstrip("0") or "0") if numbers else ""


def shown(text: str, most: int = 40) -> str:
    """Quote what a player sent: on one line, without control characters, not endless."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return plain if len(plain) <= most else plain[: most - 3] + "..."
