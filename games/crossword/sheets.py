"""Sorting the lines of a block: fields, rows of the grid, the word list."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.api import MoveBlock
from games.crossword.board import BLANK, COLUMNS, SIZE
from games.crossword.wordlist import is_filler, is_listed
from games.notation import cells, columns, field, letter

_LINES: Final = 100
_WIDTH: Final = 200
_NEARLY: Final = range(SIZE - 2, SIZE + 3)
"""How many signs a row may hold that somebody got wrong; other lines are words."""
_LABELLED: Final = re.compile(
    r"(?P<kind>Z\s?|Zeile |R\s?|Row |)(?P<number>[1-6])(?:\s*[.:)\]]\s*|\s+)(?P<row>(?:[^\s\d]\s?){5}[^\s\d])",
    re.IGNORECASE,
)
_CELL: Final = rf"([{COLUMNS}])\s?([1-{SIZE}])\s*(?:[:=]\s*|\s)([^\W\d_])"
_CELLS: Final = re.compile(
    rf"(?:(?:ich\s+)?setze\s*:?\s+)?{_CELL}(?:\s*(?:[,;+]|\bund\b|\band\b)\s*{_CELL})*[,;.]?", re.I
)
"""`a3 E, b3 I`: letters by their cells instead of a grid."""
_ONE_CELL: Final = re.compile(rf"\b{_CELL}(?!\w)", re.IGNORECASE)
_ASIDE: Final = re.compile(
    r"(?:neu|new|wunsch(?:buchstabe)?|wish)\b[\s:]*(?P<wish>[^\W\d_])"
    r"(?:\s*[,;.!(–—-]+\s*|\s+(?=(?:sonst|mehr|nichts|bitte|nothing|please)\b))(?P<aside>(?:[^\W\d_]{2,}[\s,;.!?)]*)+)",
    re.IGNORECASE,
)
"""`Neu E, sonst nichts`: a wish and what somebody says beside it; `Neu: E, R` may be another wish."""
_PARTED: Final = re.compile(r"(?:[^\s,;/|][,;/|]){5}[^\s,;/|][,;/|]?|[^\s,;]{6}[,;]")


@dataclass(frozen=True, kw_only=True)
class Parts:
    """A block sorted into its parts, as sent."""

    wishes: tuple[str, ...] = ()
    """The values of all `Neu:` lines, the empty ones included."""
    rounds: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    placed: tuple[tuple[str, str], ...] = ()
    """Cells and their letters, where they were sent instead of rows."""
    words: tuple[str, ...] = ()
    """All other lines: entries of the list, and what nobody can read."""


@lru_cache(maxsize=1000)
def sort(block: MoveBlock) -> Parts:
    """Sort the lines of a block; each stays as it was sent. A block is read again when the next one replaces it."""
    rows: list[str] = []
    words: list[str] = []
    fields: list[tuple[str, str]] = []
    listing = False
    placed: list[str] = []
    for line, beside in _lines(block, rows):
        listing = listing or len(rows) >= SIZE
        found = field(line)
        if aside := _ASIDE.fullmatch(line):
            fields.append(("wish", aside["wish"]))
        elif found:
            fields.append(found)
        elif _CELLS.fullmatch(line):
            placed.append(line)
        elif _is_row(line, begun=bool(rows), listing=listing):
            rows.append(line)
        else:
            words.append(line)
            # The right column of the printed form is a list beside the grid, not the end of the grid.
            listing = listing or (is_listed(line) and not beside)
    return _parts(fields, rows, placed, words)


def _parts(fields: Iterable[tuple[str, str]], rows: list[str], placed: list[str], words: list[str]) -> Parts:
    # Without a blank cell and without a row of six it is no grid: somebody signed below `Neu: E`.
    is_grid = any(len(signs) == SIZE or BLANK in signs for signs in map(cells, rows))
    by_cell = () if is_grid else _placed(placed)
    fields = tuple(fields)
    return Parts(
        wishes=tuple(value for key, value in fields if key == "wish"),
        rounds=tuple(value for key, value in fields if key == "round"),
        rows=tuple(rows) if is_grid else (),
        placed=by_cell,
        words=(*(() if is_grid else rows), *(() if by_cell else placed), *words),
    )


def _placed(lines: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Read cells and their letters; nothing where a cell is named with two."""
    pairs = {(f"{column.lower()}{row}", letter(sign) or sign) for line in lines for column, row, sign in _found(line)}
    return tuple(sorted(pairs)) if len({cell for cell, _ in pairs}) == len(pairs) else ()


def _found(line: str) -> list[tuple[str, str, str]]:
    return _ONE_CELL.findall(line)


def _lines(block: MoveBlock, rows: list[str]) -> Iterator[tuple[str, bool]]:
    """Give the lines one by one, those of the printed two-column form as two while `rows` lacks some.

    With each: whether it stood beside another one.
    """
    for line in _unlabelled(block.lines[:_LINES]):
        left, right = line, ""
        if len(rows) < SIZE:
            left, right = columns(left, _is_left, _is_right)
        if left:
            yield left, False
        if right and not is_filler(right):
            yield right, True


def _unlabelled(lines: Iterable[str]) -> Iterator[str]:
    """Take off what stands beside the cells: coordinates, as in a confirmation, row numbers, separators, bold stars."""
    stripped = [line[:_WIDTH].replace("*", "").strip() for line in lines]
    labels = [row for line in stripped if (row := _LABELLED.fullmatch(line))]
    numbered = bool(labels) and (not labels[0]["kind"] or _is_whole_grid(labels))
    for line in stripped:
        row = _LABELLED.fullmatch(line) if numbered else None
        if row:
            yield row["row"]
        elif _PARTED.fullmatch(line):
            yield "".join(sign for sign in line if sign not in ",;/|")
        elif not (numbered and line.split() == list(COLUMNS)):
            yield line


def _is_whole_grid(labels: Sequence[re.Match[str]]) -> bool:
    """`Z1: anna` may be a word of the list; six in order with a blank cell among them are a grid."""
    numbers = [label["number"] for label in labels]
    return numbers == list("123456") and any(BLANK in cells(label["row"]) for label in labels)


def _is_left(left: str) -> bool:
    return field(left) is not None or _is_row(left, begun=True, listing=False)


def _is_right(left: str, right: str) -> bool:
    if is_filler(right):
        return field(left) is not None or len(cells(left)) == SIZE
    return is_listed(right)


def _is_row(line: str, *, begun: bool, listing: bool) -> bool:
    """Ask whether a line is meant as a row. Below six rows or an entry only one with a blank cell can be."""
    signs = cells(line)
    plain = all(sign == BLANK or sign.isalpha() for sign in signs)
    if is_listed(line) or (is_filler(line) and (listing or len(signs) not in (SIZE, 3 * begun))):
        return False
    if listing:
        return plain and BLANK in signs and len(signs) in _NEARLY
    return _looks_like_row(line.split(), signs, plain)


def _looks_like_row(tokens: list[str], signs: str, plain: bool) -> bool:
    spaced = len(tokens) > 1 and all(len(token) == 1 for token in tokens)
    if len(signs) == SIZE and (spaced or len(tokens) == 1):
        return True
    if not plain or len(signs) > 2 * SIZE:
        return False
    if len(tokens) == 1 or spaced or len(signs) == SIZE:
        return True
    return signs.count(BLANK) > 1 or (BLANK in signs and len(signs) in _NEARLY)
