"""The rows of a grid as people write them: with names, under a header, with bars between the cells or a list beside."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from string import ascii_lowercase
from typing import Final

BLANKS: Final = "._-·•∙⋅‐‑‒–—−"
"""What players write for a blank cell; the first is ours."""

_DOTS: Final = str.maketrans({**dict.fromkeys(BLANKS, "."), "…": "..."})
_ODD_BLANKS: Final = frozenset(BLANKS[1:] + "…")

_BARS: Final = ",;/|"
_CELL: Final = rf"[^\s\d{_BARS}]\*?\s*(?:[{_BARS}]\s*)?"
"""A sign, perhaps with a star, and what stands before the next one."""
_PARTED: Final = re.compile(rf"(?:[^\s{_BARS}]\*?\s*[{_BARS}]\s*){{2,}}(?:[^\s{_BARS}]\*?)?")
"""`D,.,.,.,.,.`, `D | . | . | . | . | .`."""
_LABEL: Final = (
    r"(?:(?:Zeile|Reihe|Row|Zl\.?|Z|R)\s?(?P<number>\d\d?)|[(|]?\s*\d\d?(?:\.?\s*(?:Zeile|Reihe|Row)\b)?"
    r"|[^\W\d_]+\s+(?:Zeile|Reihe|Row)\b)"
    r"(?:\s*(?:[-=]*>|→|[:)\]|=])\s*|\.\s*|\s+[–—-]\s+(?=\S{2})|\s+|\s*[–—-]\s*)"
)
"""`Z1: D.....`, `Zeile 1 → D.....`, `1. D.....`, `1 | D | . |`, `1. Zeile: D.....`, `erste Zeile: D.....`."""
_NO_BARS: Final = str.maketrans("", "", _BARS)
_GAP: Final = re.compile(r"\s{3,}")


def cells(row: str) -> str:
    """Return the cells of a row, a sign each: blanks as `.`, everything else as sent."""
    return "".join(row.split()).translate(_DOTS)


def has_odd_blanks(row: str) -> bool:
    """Return whether a row writes a blank cell in another way than we do."""
    return not _ODD_BLANKS.isdisjoint(row)


def columns(line: str, is_left: Callable[[str], bool], is_right: Callable[[str, str], bool]) -> tuple[str, str]:
    """Split a line of the printed two-column form at a gap of three or more blanks; the right part may be missing."""
    for gap in _GAP.finditer(line):
        left, right = line[: gap.start()], line[gap.end() :]
        if is_left(left) and is_right(left, right):
            return left, right
    return line, ""


def plain_rows(lines: Iterable[str], size: int = 0) -> tuple[str, ...]:
    """Take off what stands beside and between the cells: names of rows, a header of columns, bars. Other lines stay.

    `size` is how many rows the grid has, and cells in each, where the game fixes it. Then lines that begin with a name
    (`Z1:`) are rows only if all of them are there, with a blank cell: else they are entries of a list.
    """
    sent = [line.strip() for line in lines]
    matches = [_labelled(size).fullmatch(line) for line in sent]
    labels = [match for match in matches if match]
    if not labels or (size and labels[0]["number"] and not _is_whole(labels, size)):
        return tuple(_without_bars(line, size) for line in sent)
    return tuple(
        match["row"].translate(_NO_BARS) if match else _without_bars(line, size)
        for line, match in zip(sent, matches, strict=True)
        if match or not _is_header(line)
    )


@cache
def _labelled(size: int) -> re.Pattern[str]:
    number = f"{{{size}}}" if size else "+"
    return re.compile(f"{_LABEL}(?P<row>(?:{_CELL}){number})", re.IGNORECASE)


def _is_whole(labels: Sequence[re.Match[str]], size: int) -> bool:
    numbers = [label["number"] for label in labels]
    has_blank = any(BLANKS[0] in cells(label["row"]) for label in labels)
    return has_blank and numbers == [str(number) for number in range(1, size + 1)]


def _without_bars(line: str, size: int) -> str:
    is_ended = line.endswith((",", ";")) and len(line.split()) == 1 and (not size or len(line) == size + 1)
    return line.translate(_NO_BARS) if is_ended or _PARTED.fullmatch(line) else line


def _is_header(line: str) -> bool:
    letters = "".join(line.translate(_NO_BARS).split()).lower()
    return len(letters) > 1 and ascii_lowercase.startswith(letters)
