"""The word list of the last round: its grammar, and which line each entry means."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.crossword.board import LINES, MOST_WORDS, Rows, all_along, arrange, arrange_most, points
from games.notation import board_letters

_WORD: Final = r"[^\W\d_]{2,}<?"
_LABEL: Final = r"(?P<label>[ZSRC][1-6]|D[12])\s*:"
_UNIT: Final = r"(?:\s*(?:p|pt|pts|pkt|punkte?|points?)\.?)?"
_ENTRY: Final = re.compile(
    rf"(?:{_LABEL}\s*)?(?P<words>{_WORD}(?:\s*\+\s*{_WORD})*)(?:\s*[/(]\s*(?P<substitute>{_WORD})\s*\)?)?"
    rf"(?:(?:\s*[=:–-]\s*|\s+)(?P<points>[0-9]{{1,3}}){_UNIT})?",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile(r"[0-9]")
"""Labels and points have one: rows of a grid are told apart at once."""
_SUM: Final = re.compile(rf"(?:summe|sum|total)\b\s*[:=]?\s*(?P<points>[0-9]{{1,4}})?{_UNIT}", re.IGNORECASE)
_FILLER: Final = re.compile(rf"(?:{_LABEL})?\s*(?:[-–—]+|\.{{3}}|)", re.IGNORECASE)
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
    """Which entry means which line."""

    lines: Mapping[int, Entry]
    moved: tuple[int, ...] = ()
    """Lines whose entry was found out of its order."""
    unplaced: tuple[Entry, ...] = ()


def is_filler(text: str) -> bool:
    """Ask whether it stands for a line without a word: `-`, `...`, `Z3: -`."""
    return _FILLER.fullmatch(text.strip()) is not None


def is_listed(text: str) -> bool:
    """Ask whether it is an entry, or the sum, of a list."""
    return _SUM.fullmatch(text.strip()) is not None or read_entry(text) is not None


def read_entry(text: str) -> Entry | None:
    """Read `Ar+au 2`, `urb / ur 1`, `Z2: ar`. Without a label the points are needed, else it may be a greeting."""
    found = _ENTRY.fullmatch(text.strip()) if _DIGIT.search(text) else None
    if found is None or not (found["label"] or found["points"]):
        return None
    words = tuple(_board(word) for word in found["words"].split("+"))
    return Entry(
        words=words[:MOST_WORDS],
        surplus=words[MOST_WORDS:],
        substitute=_board(found["substitute"] or ""),
        line=_number(found["label"]),
        points=int(found["points"]) if found["points"] else None,
    )


def _board(word: str) -> str:
    return board_letters(word.strip().rstrip("<"))


def _number(label: str | None) -> int | None:
    if label is None:
        return None
    kind = label[0].upper()
    return _NUMBERS[_ENGLISH.get(kind, kind) + label[1]]


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
    """Find the lines of the entries.

    In their order they go to rising lines so that most entries fit, then most points, then the earliest lines.
    A label fixes its entry. What then fits nowhere is tried on any free line.
    """
    texts = all_along(rows)
    rising = rising_lines([_options(entry, entries, texts) for entry in entries], [entry.worth for entry in entries])
    lines = {line: entry for line, entry in zip(rising, entries, strict=True) if line is not None}
    lines |= {entry.line: entry for entry in entries if entry.line is not None}
    moved: list[int] = []
    unplaced: list[Entry] = []
    for line, entry in zip(rising, entries, strict=True):
        if line is None and entry.line is None:
            free = _free_line(entry, [number for number in range(len(LINES)) if number not in lines], texts)
            if free is None:
                unplaced.append(entry)
            else:
                lines[free] = entry
                moved.append(free)
    return Matching(lines=dict(sorted(lines.items())), moved=tuple(moved), unplaced=tuple(unplaced))


def _options(entry: Entry, entries: Sequence[Entry], texts: Sequence[str]) -> tuple[int, ...]:
    if entry.line is not None:
        return (entry.line,)
    labelled = {other.line for other in entries}
    first, turned = entry.words[0], entry.words[0][::-1]
    near = [number for number, text in enumerate(texts) if first in text or turned in text]
    return tuple(n for n in near if n not in labelled and arrange(entry.words, texts[n]) is not None)


def rising_lines(options: Sequence[Sequence[int]], worth: Sequence[int]) -> tuple[int | None, ...]:
    """Choose a line for each entry, or None, strictly rising: most entries, then most worth, then earliest."""
    # A choice is one number, the greater the better: how many entries fit, then their worth, then a digit for each
    # entry, the first one in front: 0 where it fits nowhere, greater for an earlier line.
    shifts = [_DIGIT_BITS * at for at in reversed(range(len(options)))]
    behind_digits = _DIGIT_BITS * len(options)
    # From the last entry to the first: the best choice for it and those behind it, by the first line that is free.
    best = [0] * (_NOWHERE + 1)
    for lines, points_, shift in zip(reversed(options), reversed(worth), reversed(shifts), strict=True):
        behind = best.copy()
        for line in lines:
            found = behind[line + 1] + (_ONE_MORE + points_ << behind_digits) + (_NOWHERE - line << shift)
            for least in range(line + 1):
                best[least] = max(best[least], found)
    digits = [best[0] >> shift & (1 << _DIGIT_BITS) - 1 for shift in shifts]
    return tuple(_NOWHERE - digit if digit else None for digit in digits)


def _free_line(entry: Entry, free: Sequence[int], texts: Sequence[str]) -> int | None:
    """Find a free line that holds the entry, or else most of its letters."""

    def letters(line: int) -> int:
        laid = arrange_most(entry.words, texts[line])
        return sum(len(word) for word, place in zip(entry.words, laid, strict=True) if place)

    best = max(free, key=lambda line: (letters(line), -line), default=None)
    return best if best is not None and letters(best) else None
