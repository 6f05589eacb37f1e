"""The sender's own lines: clean, each with one thing in it, and how they were written."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from games.api import MoveBlock
from parsers.clean_lines import clean_line
from parsers.lines import sign_ups
from parsers.lines.blocks import BLANK_CELL, MAX_BLOCK, WISH_KEY, row_width, unfold
from parsers.lines.command_table import MAX_TEXT
from parsers.lines.names import Names

NUMBERED: Final = re.compile(r"\(?(\d{1,2})[.)]\s+")


class OwnLines:
    """Lines as they are read. One that holds several things is split."""

    def __init__(self, texts: Sequence[str], names: Names) -> None:
        self.texts = texts
        """As they came."""
        self.raw: list[str] = []
        """As they were written, but split."""
        self.clean: list[str] = []
        self.split_off: set[int] = set()
        """Lines that stood in one line with the line above."""
        for raw in texts:
            self._add(raw, names)
        self._take_numbers_off(names)

    def _add(self, raw: str, names: Names) -> None:
        clean = clean_line(raw)
        pieces = unfold(clean, names)
        if len(pieces) == 1:
            pieces = sign_ups.split(clean, self.clean[-1] if self.clean else "", names)
        if len(pieces) > 1:
            self.split_off.update(range(len(self.clean) + 1, len(self.clean) + len(pieces)))
        self.raw += [raw] if len(pieces) == 1 else pieces
        self.clean += pieces

    def _take_numbers_off(self, names: Names) -> None:
        """Read a list with numbers, whose first point begins a move, as what stands behind the numbers."""
        awaited = 0
        for at, line in enumerate(self.clean):
            found = NUMBERED.match(line)
            said = line[found.end() :] if found else ""
            if said and (names.read_title_line(said) or (not awaited and self._begins_grid(said, at))):
                awaited = int(found[1]) if found else 0
            if found and int(found[1]) == awaited:
                self.clean[at], awaited = said, awaited + 1
            elif line:
                awaited = 0

    def _begins_grid(self, said: str, at: int) -> bool:
        """Return whether the wish or the first row of a grid stands here."""
        below = NUMBERED.sub("", self.clean[at + 1]) if at + 1 < len(self.clean) else ""
        is_row = row_width(said) == row_width(below) > 0 and BLANK_CELL.search(said + below) is not None
        return is_row or WISH_KEY.match(said) is not None

    def written(self, start: int, stop: int) -> str:
        """Return lines as they were written, before any was split."""
        if stop == start:
            return ""
        first, last = (at - sum(split <= at for split in self.split_off) for at in (start, stop - 1))
        return "\n".join(self.texts[first : last + 1]).strip()[:MAX_TEXT]

    def together(self, some: Iterable[int]) -> Iterator[list[int]]:
        """Yield those of these lines that stand together, up to a blank one."""
        for is_text, lines in groupby(some, key=lambda at: bool(self.clean[at])):
            if is_text:
                yield list(lines)

    def paragraphs(self, some: Iterable[int]) -> Iterator[MoveBlock]:
        """Yield these lines as they stand together, clean."""
        for lines in self.together(some):
            yield MoveBlock(lines=tuple(self.clean[at] for at in lines[:MAX_BLOCK]))

    def prose(self, some: Iterable[int]) -> Iterator[tuple[str, ...]]:
        """Yield the same lines as they were written."""
        for lines in self.together(some):
            yield tuple(self.raw[at].strip() for at in lines)
