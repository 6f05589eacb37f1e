"""Reading a block: which line is what, and the grid cell by cell against the letters of the round."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from games.api import MoveBlock, Text, say
from games.crossword.board import BLANK, COLUMNS, SIZE, Rows, cell_name, is_filler, is_listed
from games.shared.lines import field
from games.shared.notation import UMLAUTS, cells, columns, has_odd_blanks, letter, shown
from games.shared.phrases import listed

_LINES: Final = 100
_WIDTH: Final = 200
_NEARLY: Final = range(SIZE - 2, SIZE + 3)
"""How many signs a row may hold that somebody got wrong; other lines are words."""
_ROW_NAME: Final = r"(?:Zeile|Reihe|Row|Zl\.?|Z|R)"
_LABELLED: Final = re.compile(
    rf"(?:(?P<kind>{_ROW_NAME})\s?(?P<number>[1-6])|\(?(?P<before>[1-6])(?:\.?\s*(?P<behind>{_ROW_NAME})\b)?)"
    r"(?:\s*(?:[-=]*>|→|[.:)\]|=–—-])\s*|\s+)(?P<row>(?:[^\s\d|]\s?\|?\s?){5}[^\s\d|])",
    re.IGNORECASE,
)
"""A row of the grid and its number: `Z1: D.....`, `1. D.....`, `Zeile 1 → D.....`, `1. Zeile: D.....`."""
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
def sort_lines(block: MoveBlock) -> Parts:
    """Sort the lines of a block, each as it was sent. Cached: a block is read again when the next one replaces it."""
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
    """Yield the lines, each with whether it stood beside another one.

    While `rows` isn't complete, a line of the printed two-column form is split into two.
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
    """Remove what stands beside the cells: coordinates as in a confirmation, row numbers, separators, stars of bold."""
    stripped = [line[:_WIDTH].replace("*", "").strip() for line in lines]
    labels = [row for line in stripped if (row := _LABELLED.fullmatch(line))]
    numbered = bool(labels) and (not labels[0]["kind"] or _is_whole_grid(labels))
    for line in stripped:
        row = _LABELLED.fullmatch(line) if numbered else None
        if row:
            yield row["row"].replace("|", "")
        elif _PARTED.fullmatch(line):
            yield "".join(sign for sign in line if sign not in ",;/|")
        elif not (numbered and line.split() == list(COLUMNS)):
            yield line


def _is_whole_grid(labels: Sequence[re.Match[str]]) -> bool:
    """`Z1: anna` may be a word of the list; six in order with a blank cell among them are a grid."""
    numbers = [label["number"] or label["before"] for label in labels]
    return numbers == list("123456") and any(BLANK in cells(label["row"]) for label in labels)


def _is_left(left: str) -> bool:
    return field(left) is not None or _is_row(left, begun=True, listing=False)


def _is_right(left: str, right: str) -> bool:
    if is_filler(right):
        return field(left) is not None or len(cells(left)) == SIZE
    return is_listed(right)


def _is_row(line: str, *, begun: bool, listing: bool) -> bool:
    """Return whether a line is meant as a row. Below six rows or an entry only one with a blank cell can be."""
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


_MOST: Final = 9
"""More rows or cells than these are not compared in every way: the first ones are taken."""
_USUAL: Final = 200
"""Letters of rows that are worth remembering."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A grid as read."""

    sent: Rows
    """As read, in the case it was sent, brought to six by six."""
    rows: Rows
    """As it can be: capitals, old letters restored, illegal new ones left out."""
    wrong: tuple[str, ...] = ()
    """Names of the cells that can't be as they were sent."""
    problems: tuple[Text, ...] = ()
    remarks: tuple[Text, ...] = ()


def read_grid(lines: Sequence[str], old: Rows, letters: Sequence[str]) -> Reading:
    """Read the rows of a block, as many and as long as they are, above the old grid."""
    is_usual = sum(map(len, lines)) <= _USUAL
    return (_remembered if is_usual else _read)(tuple(lines), old, tuple(letters))


def _read(lines: tuple[str, ...], old: Rows, letters: tuple[str, ...]) -> Reading:
    read = [cells(line) for line in lines]
    short = _blank_rows(read, old)
    read = [BLANK * SIZE if row in short else line for row, line in enumerate(read)]
    agreement = cache(lambda sent, row: _agreement(read[sent], old[row], letters))
    order = _fit(len(read), SIZE, agreement)
    sent = tuple(
        _fitted(read[at], old[row], letters) if at is not None else old[row].lower() for row, at in enumerate(order)
    )
    whole = [at is not None and len(read[at]) == SIZE for at in order]
    new = _new(sent, old)
    faulty, surplus = _faulty_cells(sent, old, whole, letters), _surplus(sent, new, whole, letters)
    return Reading(
        sent=sent,
        rows=_legal(sent, old, letters),
        wrong=(*faulty, *(cell for cells in surplus.values() for cell in cells)),
        problems=(
            *_shape_problems(lines, read, order),
            *faulty.values(),
            *_number_problems(surplus, letters),
        ),
        remarks=(*(say("ROW_FILLED", row=row + 1) for row in short), *_remarks(lines, sent, old, new)),
    )


def _blank_rows(read: Sequence[str], old: Rows) -> tuple[int, ...]:
    """Find blank rows of a wrong length where nothing lies: it is clear what they mean."""
    return tuple(
        row
        for row, line in enumerate(read if len(read) == SIZE else ())
        if len(line) != SIZE and not line.strip(BLANK) and old[row] == BLANK * SIZE
    )


_remembered = lru_cache(maxsize=1000)(_read)
"""Cached: a move that another one replaces is read again, to see what has changed."""


def _agreement(sent: str, old: str, letters: Sequence[str]) -> int:
    """Count how well a sent row fits an old one; that of a row of another length at its best."""
    fitted = _fitted(sent, old, letters)
    return sum(_same(a, b, letters) for a, b in zip(fitted, old, strict=True)) - abs(len(sent) - SIZE)


def _same(sent: str, old: str, letters: Sequence[str]) -> int:
    """Count how well a cell fits: where one too many was sent, a dot goes before a letter that may lie there."""
    if old != BLANK:
        return 4 if letter(sent) == old else -1
    return 1 if sent == BLANK else 2 if letter(sent) in letters else 0


def _fitted(sent: str, old: str, letters: Sequence[str]) -> str:
    """Bring a row to six cells, so that as many old letters as possible keep their places."""
    if len(sent) == SIZE:
        return sent
    order = _fit(len(sent), SIZE, lambda at, column: _same(sent[at], old[column], letters))
    return "".join(old[column].lower() if at is None else sent[at] for column, at in enumerate(order))


def _fit(number: int, size: int, agreement: Callable[[int, int], int]) -> tuple[int | None, ...]:
    """Assign `number` things, in order, to `size` places so that they agree most; None for a place without one."""
    number = min(number, _MOST)
    if number == size:
        return tuple(range(size))
    less = min(number, size)
    picks = ((kept, placed) for kept in combinations(range(number), less) for placed in combinations(range(size), less))
    kept, placed = max(picks, key=lambda pick: sum(agreement(a, b) for a, b in zip(*pick, strict=True)))
    where = dict(zip(placed, kept, strict=True))
    return tuple(where.get(place) for place in range(size))


def _legal(sent: Rows, old: Rows, letters: Sequence[str]) -> Rows:
    left = Counter(letters)
    return tuple(row if row == lies else _legal_row(row, lies, left) for row, lies in zip(sent, old, strict=True))


def _legal_row(sent: str, old: str, left: Counter[str]) -> str:
    line = ""
    for lies, sign in zip(old, sent, strict=True):
        new = letter(sign) if lies == BLANK else ""
        fits = new in left and left[new] > 0
        if fits:
            left[new] -= 1
        line += new if fits else lies
    return line


def _shape_problems(lines: Sequence[str], read: Sequence[str], order: Sequence[int | None]) -> tuple[Text, ...]:
    problems = [say("ROW_COUNT", rows=len(read))] if len(read) != SIZE else []
    for number, row in enumerate(read):
        if len(row) != SIZE:
            place = order.index(number) if number in order else number
            problems.append(say("ROW_LENGTH", row=place + 1, sent=shown(lines[number]), cells=len(row)))
    return tuple(problems)


def _faulty_cells(sent: Rows, old: Rows, whole: Sequence[bool], letters: Sequence[str]) -> dict[str, Text]:
    """Find the cells that are wrong by themselves."""
    problems = {
        cell_name(row, column): _cell_problem(cell_name(row, column), old[row][column], sent[row][column], letters)
        for row in range(SIZE)
        if whole[row] and not _is_as_before(sent[row], old[row])
        for column in range(SIZE)
    }
    return {cell: problem for cell, problem in problems.items() if problem is not None}


def _is_as_before(sent: str, old: str) -> bool:
    """Return whether a whole row was sent as it lies: most are. (Of other signs some have a capital in A-Z.)"""
    return sent.isascii() and sent.upper() == old


def _cell_problem(cell: str, old: str, sent: str, letters: Sequence[str]) -> Text | None:
    new = letter(sent)
    if old != BLANK:
        if sent == BLANK:
            return say("OLD_REMOVED", cell=cell, old=old)
        return None if new == old else say("OLD_CHANGED", cell=cell, old=old, sent=_sign(sent))
    if sent == BLANK or new in letters:
        return None
    if sent in UMLAUTS:
        return say("UMLAUT", cell=cell, sent=sent, instead=UMLAUTS[sent])
    if not new:
        return say("NO_LETTER", cell=cell, sent=_sign(sent))
    return say("FOREIGN", cell=cell, sent=new, letters=listed(sorted(letters), SIZE))


def _sign(sent: str) -> str:
    return letter(sent) or shown(sent) or "?"


def _surplus(
    sent: Rows, new: Sequence[tuple[int, int]], whole: Sequence[bool], letters: Sequence[str]
) -> dict[str, list[str]]:
    """Find the letters of this round that were laid more often than they may be, with their cells."""
    wished = Counter(letters)
    where: dict[str, list[str]] = {}
    for row, column in new:
        if whole[row]:
            where.setdefault(letter(sent[row][column]), []).append(cell_name(row, column))
    return {sign: at for sign, at in sorted(where.items()) if len(at) > wished[sign] > 0}


def _number_problems(surplus: Mapping[str, Sequence[str]], letters: Sequence[str]) -> tuple[Text, ...]:
    return tuple(
        say("TOO_OFTEN", letter=sign, sent=len(at), wished=letters.count(sign), cells=listed(at, SIZE))
        for sign, at in surplus.items()
    )


def _new(sent: Rows, old: Rows) -> tuple[tuple[int, int], ...]:
    changed = [row for row in range(SIZE) if sent[row] != old[row]]
    return tuple((r, c) for r in changed for c in range(SIZE) if old[r][c] == BLANK != sent[r][c])


def _remarks(lines: Sequence[str], sent: Rows, old: Rows, new: Sequence[tuple[int, int]]) -> tuple[Text, ...]:
    """Point out cells in the wrong case, which does no harm, and blanks that aren't dots."""
    small = [cell_name(r, c) for r, c in new if letter(sent[r][c]) and sent[r][c].islower()]
    shouted = [row for row in range(SIZE) if sent[row] != sent[row].lower()]
    large = [cell_name(r, c) for r in shouted for c in range(SIZE) if sent[r][c] == old[r][c] != BLANK]
    remarks = [say("CASE_NEW", cells=listed(small, SIZE))] if small else []
    remarks += [say("CASE_OLD", cells=listed(large, SIZE))] if large else []
    remarks += [say("BLANKS")] if any(has_odd_blanks(line) for line in lines) else []
    return tuple(remarks)
