"""The grid with its fourteen lines, and the word list that says which word lies in which of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, takewhile
from typing import Final, Literal, NamedTuple, TypeAlias

from games.shared.notation import board_letters

SIZE: Final = 6
COLUMNS: Final = "abcdef"
BLANK: Final = "."
POINTS: Final = {2: 1, 3: 3, 4: 5, 5: 7, 6: 10}
MOST_WORDS: Final = 3
"""Words in one line. Six cells hold no more anyway."""

Rows: TypeAlias = tuple[str, ...]
"""A grid: six strings of six capitals, `.` for a blank cell."""

EMPTY: Final[Rows] = (BLANK * SIZE,) * SIZE


@dataclass(frozen=True, kw_only=True)
class Line:
    """A row (Z), a column (S) or a long diagonal (D): its cells as (row, column), from 0."""

    kind: Literal["Z", "S", "D"]
    number: int
    cells: tuple[tuple[int, int], ...]


def _lines() -> Iterator[Line]:
    along = range(SIZE)
    for n in along:
        yield Line(kind="Z", number=n + 1, cells=tuple((n, i) for i in along))
    for n in along:
        yield Line(kind="S", number=n + 1, cells=tuple((i, n) for i in along))
    yield Line(kind="D", number=1, cells=tuple((i, i) for i in along))
    yield Line(kind="D", number=2, cells=tuple((SIZE - 1 - i, i) for i in along))


LINES: Final[tuple[Line, ...]] = tuple(_lines())
"""Rows 1-6, columns 1-6, the diagonal down-right, the diagonal up-right: the order of a word list."""


class Place(NamedTuple):
    """Where a word lies in a line: cells from `start` up to `end`, perhaps read backwards."""

    start: int
    end: int
    backwards: bool

    def overlaps(self, other: "Place") -> bool:
        """Return whether the two share a cell."""
        return self.start < other.end and other.start < self.end


_NAMES: Final = tuple(tuple(f"{column}{row}" for column in COLUMNS) for row in range(1, SIZE + 1))


def cell_name(row: int, column: int) -> str:
    """Name a cell by column letter and row: `c1`."""
    return _NAMES[row][column]


@lru_cache(maxsize=100)
def all_along(rows: Rows) -> tuple[str, ...]:
    """Return what lies along each of the fourteen lines."""
    return tuple("".join(rows[row][column] for row, column in line.cells) for line in LINES)


def points(word: str) -> int:
    """Return what a word of this length is worth."""
    return POINTS.get(len(word), 0)


def new_cells(old: Rows, rows: Rows) -> tuple[str, ...]:
    """Name the cells that hold something now and were blank before, row by row."""
    changed = [row for row in range(SIZE) if old[row] != rows[row]]
    return tuple(cell_name(r, c) for r in changed for c in range(SIZE) if old[r][c] == BLANK != rows[r][c])


def letter_at(rows: Rows, name: str) -> str:
    """Return what lies in a cell: `letter_at(rows, "c1")`."""
    return rows[int(name[1]) - 1][COLUMNS.index(name[0])]


def places(word: str, text: str) -> Iterator[Place]:
    """Find a word in a line, from the left, in both directions; where both read alike it is one place."""
    turned = word[::-1]
    if word not in text and turned not in text:
        return  # so it is with most words and lines
    for start in range(len(text) - len(word) + 1):
        piece = text[start : start + len(word)]
        if piece in (word, turned):
            yield Place(start=start, end=start + len(word), backwards=piece != word)


def arrange(words: Sequence[str], text: str, taken: tuple[Place, ...] = ()) -> tuple[Place, ...] | None:
    """Lay all words into a line without overlap, each as far left as possible; None if they don't fit together."""
    if not words:
        return ()
    for place in places(words[0], text):
        if not any(place.overlaps(other) for other in taken):
            rest = arrange(words[1:], text, (*taken, place))
            if rest is not None:
                return (place, *rest)
    return None


def arrange_most(words: Sequence[str], text: str) -> tuple[Place | None, ...]:
    """Lay as many words into a line as fit together, earlier words first; None for those that don't."""
    together = arrange(words, text)
    if together is not None:
        return together
    for number in range(len(words) - 1, 0, -1):
        for chosen in combinations(range(len(words)), number):
            found = arrange([words[i] for i in chosen], text)
            if found is not None:
                return tuple(dict(zip(chosen, found, strict=True)).get(i) for i in range(len(words)))
    return (None,) * len(words)


_WORD: Final = r"[^\W\d_]{2,}<?"
_LABEL: Final = r"(?:Z|Zeile|R|Row|S|Spalte|C|Col|Column)\s?[1-6]|(?:D|Diagonale?)\s?[12]"
_UNIT: Final = r"(?:\s*(?:p|pt|pts|pkt|punkte?|points?)\.?)?"
_POINTS: Final = rf"(?:(?:\s*[=:–-]\s*|\s+)[0-9]{{1,3}}{_UNIT}|\s*[(\[]\s*[0-9]{{1,3}}{_UNIT}\s*[)\]])"
_ENTRY: Final = re.compile(
    rf"(?:(?P<label>{_LABEL})(?:(?P<colon>\s*:)|\b)\s*)?(?P<words>{_WORD}{_POINTS}?(?:\s*\+\s*{_WORD}{_POINTS}?)*)"
    rf"(?:\s*[/(]\s*(?P<substitute>{_WORD})(?P<spare>{_POINTS})?\s*\)?)?(?P<points>{_POINTS})?",
    re.IGNORECASE,
)
"""`ar+au 2`, `urb / ur 1`, `S2: rar 3`, and near it `rar (3)`, `urb 3 / ur 1`, `S2 rar 3`, `ar 1 + au 1`."""
_DIGIT: Final = re.compile(r"[0-9]")
"""Labels and points have one: rows of a grid are told apart at once."""
_SUM: Final = re.compile(rf"(?:summe|sum|total)\b\s*[:=]?\s*(?P<points>[0-9]{{1,4}})?{_UNIT}", re.IGNORECASE)
_FILLER: Final = re.compile(rf"(?:(?:{_LABEL})\s*:)?\s*(?:[-–—]+|\.{{3}}|)", re.IGNORECASE)
_ENGLISH: Final = {"R": "Z", "C": "S"}
_NUMBERS: Final = {f"{line.kind}{line.number}": number for number, line in enumerate(LINES)}
_NOWHERE: Final = len(LINES)
_DIGIT_BITS: Final = 4
"""A digit tells fourteen lines and none apart."""
_ONE_MORE: Final = 1 << 12
"""An entry more that fits is worth more than all points."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A line of the list in board letters."""

    words: tuple[str, ...]
    substitute: str = ""
    line: int | None = None
    """The line that its label names."""
    points: int | None = None
    """What the player counts, for a remark only."""
    surplus: tuple[str, ...] = ()
    """Words beyond the third."""

    @property
    def worth(self) -> int:
        """What its words would count together."""
        return sum(points(word) for word in self.words)


@dataclass(frozen=True, kw_only=True)
class WordList:
    """A list as read."""

    entries: tuple[Entry, ...] = ()
    total: int | None = None
    lines: tuple[str, ...] = ()
    """The lines that were understood, as sent: entries and the sum."""
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Matching:
    """Which entries mean which line."""

    lines: Mapping[int, Entry]
    """Entries for the same line are joined."""
    moved: tuple[tuple[int, Entry], ...] = ()
    """Entries that were found out of their order, and their lines."""
    unplaced: tuple[Entry, ...] = ()


def is_filler(text: str) -> bool:
    """Return whether it stands for a line without a word: `-`, `...`, `Z3: -`."""
    return _FILLER.fullmatch(text.strip()) is not None


def is_listed(text: str) -> bool:
    """Return whether it is an entry, or the sum, of a list."""
    return _SUM.fullmatch(text.strip()) is not None or read_entry(text) is not None


def read_entry(text: str) -> Entry | None:
    """Read `Ar+au 2`, `urb / ur 1`, `Z2: ar`. Without a label with a colon it needs points: it may be a greeting."""
    found = _ENTRY.fullmatch(text.strip()) if _DIGIT.search(text) else None
    if found is None:
        return None
    counted = _points(found["words"]) or _points(found["points"]) or _points(found["spare"])
    if not (found["colon"] or counted):
        return None
    words = tuple(_board(word) for word in found["words"].split("+"))
    return Entry(
        words=words[:MOST_WORDS],
        surplus=words[MOST_WORDS:],
        substitute=_board(found["substitute"] or ""),
        line=_number(found["label"]),
        points=sum(counted) if counted else None,
    )


def _points(text: str | None) -> list[int]:
    return [int(digits) for digits in re.findall("[0-9]+", text or "")]


def _board(word: str) -> str:
    """Write a word as it lies, without what may stand behind it: `<`, points."""
    return board_letters("".join(takewhile(str.isalpha, word.strip())))


def _number(label: str | None) -> int | None:
    if label is None:
        return None
    kind = label[0].upper()
    return _NUMBERS[_ENGLISH.get(kind, kind) + label[-1]]


def read_list(lines: Sequence[str]) -> WordList:
    """Read the lines of a list up to its sum. What is no entry is put aside as unread."""
    entries: list[Entry] = []
    kept: list[str] = []
    unread: list[str] = []
    for number, line in enumerate(lines):
        if total := _SUM.fullmatch(line.strip()):
            rest = (*unread, *lines[number + 1 :])
            claimed = int(total["points"]) if total["points"] else None
            return WordList(entries=_merged(entries), total=claimed, lines=(*kept, line), unread=rest)
        if entry := read_entry(line):
            entries.append(entry)
            kept.append(line)
        elif not is_filler(line):
            unread.append(line)
    return WordList(entries=_merged(entries), lines=tuple(kept), unread=tuple(unread))


def _merged(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Join entries that name the same line: a player may write a word a line."""
    merged: list[Entry] = []
    for entry in entries:
        same = next((i for i, other in enumerate(merged) if entry.line is not None and other.line == entry.line), None)
        if same is None:
            merged.append(entry)
        else:
            merged[same] = _joined(merged[same], entry)
    return tuple(merged)


def _joined(first: Entry, second: Entry) -> Entry:
    words = first.words + second.words
    counted = [entry.points for entry in (first, second) if entry.points is not None]
    return replace(
        first,
        words=words[:MOST_WORDS],
        surplus=(*first.surplus, *words[MOST_WORDS:], *second.surplus),
        substitute=first.substitute or second.substitute,
        points=sum(counted) if counted else None,
    )


def match(entries: Sequence[Entry], rows: Rows) -> Matching:
    """Find the line of each entry.

    A label fixes the line of its entry. The others go to lines in rising order, so that most entries fit, then most
    points, then the earliest lines. An entry that fits nowhere in this order goes to any line with room. Entries for
    the same line are joined.
    """
    texts = all_along(rows)
    lines = {entry.line: entry for entry in entries if entry.line is not None}
    rising = rising_lines(entries, texts)
    for line, entry in zip(rising, entries, strict=True):
        if line is not None and entry.line is None:
            lines[line] = _joined(lines[line], entry) if line in lines else entry
    moved: list[tuple[int, Entry]] = []
    unplaced: list[Entry] = []
    for line, entry in zip(rising, entries, strict=True):
        if line is None and entry.line is None:
            room = _room(entry, lines, texts)
            if room is None:
                unplaced.append(entry)
            else:
                lines[room] = _joined(lines[room], entry) if room in lines else entry
                moved.append((room, entry))
    return Matching(lines=dict(sorted(lines.items())), moved=tuple(moved), unplaced=tuple(unplaced))


def rising_lines(entries: Sequence[Entry], texts: Sequence[str]) -> tuple[int | None, ...]:
    """Choose rising lines for the entries, None for those that don't fit: most entries, most worth, then earliest."""
    # A choice is one number, the greater the better: how many entries fit, then their worth, then a digit for each
    # entry, the first one in front: 0 where it fits nowhere, greater for an earlier line.
    fixed = {entry.line: entry.words for entry in entries if entry.line is not None}
    behind_digits = _DIGIT_BITS * len(entries)
    # The best choice so far, by the last line that was taken and the words that lie in it beside labelled ones.
    best: dict[tuple[int, tuple[str, ...]], int] = {(-1, ()): 0}
    for at, entry in enumerate(entries):
        shift = behind_digits - _DIGIT_BITS * (at + 1)
        after = best.copy()
        for line in _options(entry, texts):
            gain = (_ONE_MORE + entry.worth << behind_digits) + (_NOWHERE - line << shift)
            new = () if entry.line is not None else entry.words
            for (last, laid), value in best.items():
                key = (line, _sorted(laid + new) if last == line else new)
                is_better = last <= line and value + gain > after.get(key, -1)
                if is_better and (not new or _goes_together(_sorted(fixed.get(line, ()) + key[1]), texts[line])):
                    after[key] = value + gain
        best = after
    chosen = max(best.values())
    digits = [chosen >> _DIGIT_BITS * at & (1 << _DIGIT_BITS) - 1 for at in reversed(range(len(entries)))]
    return tuple(_NOWHERE - digit if digit else None for digit in digits)


def _options(entry: Entry, texts: Sequence[str]) -> tuple[int, ...]:
    if entry.line is not None:
        return (entry.line,)
    return tuple(line for line, text in enumerate(texts) if _goes_together(_sorted(entry.words), text))


def _sorted(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(words))


@lru_cache(maxsize=5000)
def _goes_together(words: tuple[str, ...], text: str) -> bool:
    """Return whether words fit into one line without overlapping."""
    return len(words) <= MOST_WORDS and arrange(words, text) is not None


def _room(entry: Entry, lines: Mapping[int, Entry], texts: Sequence[str]) -> int | None:
    """Find a line for an entry out of order: a free line, one with room beside its words, or that of its greater part.

    Where only a lesser part lies, the entry means another line: the part counts nothing there.
    """
    free = [line for line in range(len(LINES)) if line not in lines]

    def letters(line: int) -> int:
        laid = arrange_most(entry.words, texts[line])
        return sum(len(word) for word, place in zip(entry.words, laid, strict=True) if place)

    half = sum(map(len, entry.words)) / 2
    whole = (line for line in free if _goes_together(_sorted(entry.words), texts[line]))
    joined = ((line, _sorted(other.words + entry.words)) for line, other in sorted(lines.items()))
    beside = (line for line, words in joined if _goes_together(words, texts[line]))
    partly = (line for line in sorted(free, key=lambda line: -letters(line)) if letters(line) > half)
    return next(chain(whole, beside, partly), None)
