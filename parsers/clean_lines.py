"""A line of a mail in plain characters, as its reader saw it."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from parsers.invisible import is_invisible

PIECE: Final = 1000
"""Composing sorts runs of accents slowly, so long lines are composed piece by piece."""
STARRED = re.compile(r"(?<!\S)(\*{1,2})(?=[^\s*])(\S+)\1(?!\S)")
# A dash may be a blank cell, a star a joker: as bullets they stand before something longer.
BULLET = re.compile(r"^(?:[•◦▪‣]\s+(?=\S)|[*–—-]\s+(?=[^\s*–—-]{2}))")
# Fences of Markdown and the frames that somebody draws around a grid.
FENCE = re.compile(r"(?:`{3,}|~{3,})\w{0,20}|\+[-=+]{3,}\+|[┌┐└┘├┤┬┴┼─━═╔╗╚╝ ]{3,}")
IN_QUOTES = re.compile(r"[»„“\"'«`]([^»„“”\"'«`]{2,})[«“”\"'»`]")
IN_BARS = re.compile(r"[|│┃║](.+)[|│┃║]")
BARS = re.compile(r"[|│┃║]")


def clean_line(line: str) -> str:
    """Write a line in plain characters: NFC, every blank a space, nothing invisible, `…` as three dots, no wide signs.

    Stars around bold words, bullets, bars and quotation marks around a whole line, and Markdown's fences are removed.
    """
    if not line.isascii() or not line.isprintable():
        line = _plain(line)
    line = line.strip()
    line = _without_stars(line) if "*" in line else line
    if not line or line[0].isalnum() or line[0] == ".":
        return line  # most lines: nothing below begins like that
    line = BULLET.sub("", line)
    if FENCE.fullmatch(line):
        return ""
    if found := IN_BARS.fullmatch(line):
        return BARS.sub(" ", found[1]).strip()
    return found[1] if (found := IN_QUOTES.fullmatch(line)) else line


def _plain(line: str) -> str:
    pieces = (line[at : at + PIECE] for at in range(0, len(line), PIECE))
    composed = "".join(unicodedata.normalize("NFC", piece) for piece in pieces)
    return "".join(map(_plain_char, composed))


@lru_cache(maxsize=1000)
def _plain_char(char: str) -> str:
    if char == "\t":
        return "    "
    if char == "…":
        return "..."
    if "！" <= char <= "～":  # of full width, as keyboards for Chinese and Japanese have them
        return chr(ord(char) - ord("！") + ord("!"))
    if is_invisible(char):
        return ""
    return " " if unicodedata.category(char).startswith("Z") else char


def _without_stars(line: str) -> str:
    """Remove the stars that mail programs put around bold words and lines. A single star may be a joker: it stays."""
    for _ in range(2):
        line = STARRED.sub(r"\2", line)
        if len(line) > 2 and line[0] == line[-1] == "*" and line[1] not in " *" and line[-2] != " ":
            line = line[1:-1]
    return line
