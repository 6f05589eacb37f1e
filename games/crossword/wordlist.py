"""The word list of the last round: its entries as people write them, and which line each of them means."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, takewhile
from typing import Final

from games.crossword.board import LINES, NAMES, Rows, all_along, arrange, arrange_most, points
from games.shared.notation import board_letters

MOST_WORDS: Final = 3
"""Words in one line. Six cells hold no more anyway."""

_WORD: Final = r"[^\W\d_]{2,}<?"
_LABEL: Final = r"(?:Z|Zeile|R|Row|S|Spalte|C|Col|Column)\s?[1-6]|(?:D|Diagonale?)\s?[12]"
_UNIT: Final = r"(?:\s*(?:p|pt|pts|pkt|punkte?|points?)\.?)?"
_TO: Final = r"(?:\s*(?:[-=]+>|→|[=:–-])\s*|\s+(?:\.{3,}\s+)?)"
"""What stands between a word and its points."""
_POINTS: Final = rf"(?:{_TO}[0-9]{{1,3}}{_UNIT}|\s*[(\[]\s*[0-9]{{1,3}}{_UNIT}\s*[)\]])"
_ENTRY: Final = re.compile(
    rf"(?:(?P<label>{_LABEL})(?:(?P<colon>\s*:)|\b)\s*)?(?P<words>{_WORD}{_POINTS}?(?:\s*\+\s*{_WORD}{_POINTS}?)*)"
    rf"(?:\s*[/(]\s*(?P<substitute>{_WORD})(?P<spare>{_POINTS})?\s*\)?)?(?P<points>{_POINTS})?",
    re.IGNORECASE,
)
"""`ar+au 2`, `urb / ur 1`, `S2: rar 3`, and near it `rar (3)`, `urb 3 / ur 1`, `S2 rar 3`, `ar 1 + au 1`."""
_SUM: Final = re.compile(rf"(?:summe|sum|total)\b(?:{_TO}(?P<points>[0-9]{{1,4}}){_UNIT}|\s*[:=]?)", re.IGNORECASE)
_FILLER: Final = re.compile(rf"(?:(?:{_LABEL})\s*:)?\s*(?:[-–—]+|\.{{3}}|)", re.IGNORECASE)
_ENGLISH: Final = {"R": "Z", "C": "S"}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A line of the list in board letters."""

    words: tuple[str, ...] = ()
    substitute: str = ""
    line: int | None = None
    """The line that its label names."""
    points: int | None = None
    """What the player counts, for a remark only."""
    surplus: tuple[str, ...] = ()
    """Words beyond the third."""


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
    found = _ENTRY.fullmatch(text.strip())
    if found is None:
        return None
    counted = _points(found["words"]) or _points(found["points"]) or _points(found["spare"])
    if not (found["colon"] or counted):
        return None
    sent = Entry(
        words=tuple(_board(word) for word in found["words"].split("+")),
        substitute=_board(found["substitute"] or ""),
        line=_line(found["label"]),
        points=sum(counted) if counted else None,
    )
    return _joined(Entry(line=sent.line), sent)


def _points(text: str | None) -> list[int]:
    return [int(digits) for digits in re.findall("[0-9]+", text or "")]


def _board(word: str) -> str:
    """Write a word as it lies, without what may stand behind it: `<`, points."""
    return board_letters("".join(takewhile(str.isalpha, word.strip())))


def _line(label: str | None) -> int | None:
    if label is None:
        return None
    kind = label[0].upper()
    return NAMES.index(_ENGLISH.get(kind, kind) + label[-1])


def read_list(lines: Sequence[str]) -> WordList:
    """Read the lines of a list up to its sum. What is no entry is put aside as unread."""
    entries: dict[tuple[int | None, int], Entry] = {}
    kept: list[str] = []
    unread: list[str] = []
    for at, line in enumerate(lines):
        if total := _SUM.fullmatch(line.strip()):
            claimed = int(total["points"]) if total["points"] else None
            rest = (*unread, *lines[at + 1 :])
            return WordList(entries=tuple(entries.values()), total=claimed, lines=(*kept, line), unread=rest)
        if entry := read_entry(line):
            # Entries that name the same line are one: a player may write a word a line.
            key = (entry.line, at if entry.line is None else 0)
            entries[key] = _joined(entries.get(key, Entry(line=entry.line)), entry)
            kept.append(line)
        elif not is_filler(line):
            unread.append(line)
    return WordList(entries=tuple(entries.values()), lines=tuple(kept), unread=tuple(unread))


def _joined(first: Entry, second: Entry) -> Entry:
    """Make one entry of two; words beyond the third are surplus."""
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
    rising = zip(rising_lines(entries, texts), entries, strict=True)
    unlabelled = [(line, entry) for line, entry in rising if entry.line is None]
    for line, entry in unlabelled:
        if line is not None:
            lines[line] = _joined(lines.get(line, Entry()), entry)
    moved: list[tuple[int, Entry]] = []
    unplaced: list[Entry] = []
    for entry in (entry for line, entry in unlabelled if line is None):
        room = _room(entry, lines, texts)
        if room is None:
            unplaced.append(entry)
        else:
            lines[room] = _joined(lines.get(room, Entry()), entry)
            moved.append((room, entry))
    return Matching(lines=dict(sorted(lines.items())), moved=tuple(moved), unplaced=tuple(unplaced))


def rising_lines(entries: Sequence[Entry], texts: Sequence[str]) -> tuple[int | None, ...]:
    """Choose rising lines for the entries, None for those that don't fit: most entries, most worth, then earliest."""
    fixed = {entry.line: entry.words for entry in entries if entry.line is not None}
    nowhere = len(LINES)
    # The best choice so far, by the last line that was taken and the words that lie in it beside labelled ones. Of
    # two choices the greater tuple is better: how many entries fit, their worth, and their lines below nought.
    best: dict[tuple[int, tuple[str, ...]], tuple[int, int, tuple[int, ...]]] = {(-1, ()): (0, 0, ())}
    for entry in entries:
        worth = sum(map(points, entry.words))
        new = () if entry.line is not None else entry.words
        after = {key: (number, value, (*chosen, -nowhere)) for key, (number, value, chosen) in best.items()}
        for line in _options(entry, texts):
            for (last, laid), (number, value, chosen) in best.items():
                key = (line, _sorted(laid + new) if last == line else new)
                choice = (number + 1, value + worth, (*chosen, -line))
                is_better = last <= line and (key not in after or choice > after[key])
                if is_better and (not new or _goes_together(_sorted(fixed.get(line, ()) + key[1]), texts[line])):
                    after[key] = choice
        best = after
    _, _, lines = max(best.values())
    return tuple(None if line == -nowhere else -line for line in lines)


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
        return sum(len(word) for word, start in zip(entry.words, laid, strict=True) if start is not None)

    half = sum(map(len, entry.words)) / 2
    whole = (line for line in free if _goes_together(_sorted(entry.words), texts[line]))
    joined = ((line, _sorted(other.words + entry.words)) for line, other in sorted(lines.items()))
    beside = (line for line, words in joined if _goes_together(words, texts[line]))
    partly = (line for line in sorted(free, key=lambda line: -letters(line)) if letters(line) > half)
    return next(chain(whole, beside, partly), None)
