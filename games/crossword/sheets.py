"""Reading a block: which line is what, and the grid cell by cell against the letters of the round."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, TypeAlias

from games.api import MoveBlock, Text, say
from games.crossword.board import BLANK, CELLS, COLUMNS, EMPTY, SIZE, Rows, rows_of
from games.crossword.wordlist import is_filler, is_listed
from games.shared.grids import cells, columns, has_odd_blanks, plain_rows
from games.shared.lines import COMMON, LINES, WIDTH, field, read_lines, values_of
from games.shared.notation import UMLAUTS, letter, shown
from games.shared.phrases import listed

_NEARLY: Final = range(SIZE - 2, SIZE + 3)
"""How many signs a row may hold that somebody got wrong; other lines are words."""
_CELL: Final = rf"([{COLUMNS}])\s?([1-{SIZE}])\s*(?:[:=]\s*|\s)([^\W\d_])"
_CELLS: Final = re.compile(
    rf"(?:(?:ich\s+)?setze\s*:?\s+)?{_CELL}(?:\s*(?:[,;+]|\bund\b|\band\b)\s*{_CELL})*[,;.]?", re.I
)
"""`a3 E, b3 I`: letters by their cells instead of a grid."""
_ONE_CELL: Final = re.compile(rf"\b{_CELL}(?!\w)", re.IGNORECASE)
_WISHES: Final = {label: meaning for label, meaning in COMMON.items() if meaning == "wish"}
_ASIDE: Final = (
    r"[^\W\d_](?:\s*[,;.!(–—-]+\s*|\s+(?=(?i:sonst|mehr|nichts|bitte|nothing|please)\b))"
    r"[^\W\d_]{2,}(?:[\s,;.!?)]+[^\W\d_]{2,})*[\s,;.!?)]*"
)
"""`Neu E, sonst nichts`: a wish and what somebody says beside it; `Neu: E, R` may be another wish."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """A block sorted into its parts, as sent."""

    wishes: tuple[str, ...] = ()
    """What stands behind `Neu:`."""
    rounds: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    by_cells: bool = False
    """Whether letters were sent with their cells, and the rows are those that they make."""
    words: tuple[str, ...] = ()
    """All other lines: entries of the list, and what nobody can read."""


def sort_lines(block: MoveBlock, before: Rows = EMPTY) -> Parts:
    """Sort the lines of a block, each as it was sent. Letters by their cells go into the grid of the round before."""
    plain = (line[:WIDTH].replace("*", "") for line in block.lines[:LINES])
    pairs = [columns(line, _is_left, _is_right) for line in plain_rows(plain, SIZE)]
    lines = read_lines(MoveBlock(lines=tuple(left for left, _ in pairs)), _WISHES, _ASIDE)
    rows: list[str] = []
    placed: list[str] = []
    words = [right for _, right in pairs if right and not is_filler(right)]
    listing = False
    for line in values_of(lines, ""):
        if _CELLS.fullmatch(line):
            placed.append(line)
        elif _is_row(line, begun=bool(rows), listing=listing):
            rows.append(line)
        else:
            words.append(line)
        listing = listing or is_listed(line) or len(rows) == SIZE
    # Without a blank cell and without a row of six it is no grid: somebody signed below `Neu: E`.
    is_grid = any(len(signs) == SIZE or BLANK in signs for signs in map(cells, rows))
    by_cells = () if is_grid else _by_cells(placed, before)
    return Parts(
        wishes=tuple(value[0] if re.fullmatch(_ASIDE, value) else value for value in values_of(lines, "wish")),
        rounds=values_of(lines, "round"),
        rows=tuple(rows) if is_grid else by_cells,
        by_cells=bool(by_cells),
        words=(*(() if is_grid else rows), *(() if by_cells else placed), *words),
    )


def _by_cells(lines: Iterable[str], before: Rows) -> Rows:
    """Put letters into the grid of the round before; nothing where a cell is named with two."""
    named = [cell for line in lines for cell in _ONE_CELL.findall(line)]
    pairs = {(f"{column.lower()}{row}", letter(sign) or sign) for column, row, sign in named}
    signs = dict(pairs)
    if not pairs or len(signs) < len(pairs):
        return ()
    return rows_of("".join(signs.get(name, lies.lower()) for name, lies in zip(CELLS, "".join(before), strict=True)))


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
    tokens = line.split()
    is_even = len(tokens) in (1, len("".join(tokens)))  # no words of a sentence
    if len(signs) == SIZE:
        return is_even or plain
    has_blanks = signs.count(BLANK) > 1 or (BLANK in signs and len(signs) in _NEARLY)
    return plain and len(signs) <= 2 * SIZE and (is_even or has_blanks)


_MOST: Final = 9
"""More rows or cells than these are not compared in every way: the first ones are taken."""

_Cells: TypeAlias = Sequence[tuple[str, str, str]]
"""Of each cell its name, what lies there, and what was sent."""


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
    read = [cells(line) for line in lines]
    filled = _blank_rows(read, old)
    read = [BLANK * SIZE if row in filled else signs for row, signs in enumerate(read)]
    order = _fit(read, old, lambda signs, lies: _agreement(signs, lies, letters))
    sent = tuple(
        lies.lower() if at is None else _fitted(read[at], lies, letters) for at, lies in zip(order, old, strict=True)
    )
    whole = [at is not None and len(read[at]) == SIZE for at in order]
    compared = list(zip(CELLS, "".join(old), "".join(sent), strict=True))
    checked = [cell for at, cell in enumerate(compared) if whole[at // SIZE]]
    problems = {cell: _cell_problem(cell, lies, sign, letters) for cell, lies, sign in checked}
    faulty = {cell: problem for cell, problem in problems.items() if problem}
    surplus = _surplus(checked, letters)
    return Reading(
        sent=sent,
        rows=_legal(compared, letters),
        wrong=(*faulty, *(name for names in surplus.values() for name in names)),
        problems=(
            *_shape_problems(lines, read, order),
            *faulty.values(),
            *(
                say("TOO_OFTEN", letter=sign, sent=len(names), wished=letters.count(sign), cells=listed(names, SIZE))
                for sign, names in surplus.items()
            ),
        ),
        remarks=(*(say("ROW_FILLED", row=row + 1) for row in filled), *_remarks(lines, compared)),
    )


def _blank_rows(read: Sequence[str], old: Rows) -> tuple[int, ...]:
    """Find blank rows of a wrong length where nothing lies: it is clear what they mean."""
    return tuple(
        row
        for row, line in enumerate(read if len(read) == SIZE else ())
        if len(line) != SIZE and not line.strip(BLANK) and old[row] == BLANK * SIZE
    )


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
    order = _fit(sent, old, lambda sign, lies: _same(sign, lies, letters))
    return "".join(lies.lower() if at is None else sent[at] for at, lies in zip(order, old, strict=True))


def _fit(sent: Sequence[str], old: Sequence[str], agreement: Callable[[str, str], int]) -> tuple[int | None, ...]:
    """Choose for each old row (or cell) what was sent for it, in order, so that they agree most; None for nothing."""
    sent = sent[:_MOST]
    if len(sent) == len(old):
        return tuple(range(len(old)))
    less = min(len(sent), len(old))
    agreements = [[agreement(new, lies) for lies in old] for new in sent]
    picks = product(combinations(range(len(sent)), less), combinations(range(len(old)), less))
    kept, places = max(picks, key=lambda pick: sum(agreements[a][b] for a, b in zip(*pick, strict=True)))
    where = dict(zip(places, kept, strict=True))
    return tuple(where.get(place) for place in range(len(old)))


def _legal(compared: _Cells, letters: Sequence[str]) -> Rows:
    """Keep what lies, and of what is new as much as may lie there."""
    left = Counter(letters)
    laid = ""
    for _, lies, sign in compared:
        new = letter(sign) if lies == BLANK else ""
        laid += new if left[new] > 0 else lies
        left[new] -= 1
    return rows_of(laid)


def _shape_problems(lines: Sequence[str], read: Sequence[str], order: Sequence[int | None]) -> tuple[Text, ...]:
    problems = [say("ROW_COUNT", rows=len(read))] if len(read) != SIZE else []
    for number, row in enumerate(read):
        if len(row) != SIZE:
            place = order.index(number) if number in order else number
            problems.append(say("ROW_LENGTH", row=place + 1, sent=shown(lines[number]), cells=len(row)))
    return tuple(problems)


def _cell_problem(cell: str, old: str, sent: str, letters: Sequence[str]) -> Text | None:
    new = letter(sent)
    if old != BLANK:
        if sent == BLANK:
            return say("OLD_REMOVED", cell=cell, old=old)
        return None if new == old else say("OLD_CHANGED", cell=cell, old=old, sent=sign_text(sent))
    if sent == BLANK or new in letters:
        return None
    if sent in UMLAUTS:
        return say("UMLAUT", cell=cell, sent=sent, instead=UMLAUTS[sent])
    if not new:
        return say("NO_LETTER", cell=cell, sent=sign_text(sent))
    return say("FOREIGN", cell=cell, sent=new, letters=listed(sorted(letters), SIZE))


def sign_text(sent: str) -> str:
    """Show a sign of a grid as sent: a letter as a capital."""
    return letter(sent) or shown(sent) or "?"


def _surplus(checked: _Cells, letters: Sequence[str]) -> dict[str, list[str]]:
    """Find the letters of this round that were laid more often than they may be, with their cells."""
    laid: dict[str, list[str]] = {}
    for cell, lies, sign in checked:
        if lies == BLANK != sign:
            laid.setdefault(letter(sign), []).append(cell)
    return {sign: names for sign, names in sorted(laid.items()) if len(names) > letters.count(sign) > 0}


def _remarks(lines: Sequence[str], compared: _Cells) -> tuple[Text, ...]:
    """Point out cells in the wrong case, which does no harm, and blanks that aren't dots."""
    small = [cell for cell, lies, sign in compared if lies == BLANK and letter(sign) and sign.islower()]
    large = [cell for cell, lies, sign in compared if lies == sign != BLANK]
    remarks = [say("CASE_NEW", cells=listed(small, SIZE))] if small else []
    remarks += [say("CASE_OLD", cells=listed(large, SIZE))] if large else []
    remarks += [say("BLANKS")] if any(has_odd_blanks(line) for line in lines) else []
    return tuple(remarks)
