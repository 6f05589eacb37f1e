"""Where a press, or the foreword of a bulletin, ends in a mail.

Up to a line `Ende` nothing in it is read as a command. Without that line the text ends before the next move: losing a
move is worse than cutting a text (rulings.md 3.15).
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from parsers.commands import LongText
from parsers.lines.blocks import WISH_KEY, WISH_LINE, find_untitled, row_width
from parsers.lines.command_lines import read_command, read_gm_line
from parsers.lines.names import Names
from parsers.prose.courtesies import FAREWELL

END = re.compile(r"ende?[.!: ]*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Extent:
    """How far a text goes."""

    stop: int
    """Index of the first line behind it."""
    goes_on: int
    """Index of the line with which reading goes on."""
    is_open: bool
    """There was no `Ende`."""


class PublicTexts:
    """Finds the ends of texts for the public among the clean lines of a mail; each line is looked at once."""

    def __init__(self, lines: Sequence[str], names: Names, ends_block: Callable[[str], bool]) -> None:
        self.lines = lines
        self.names = names
        self.ends_block = ends_block

    def press(self, press: LongText, start: int) -> Extent | None:
        """Find the end of a press below whose heading `start` is; None where the heading is prose."""
        end, head, move = (_next(marks, start) for marks in (self._ends, self._heads, self._titled))
        # A text in the heading's own line is short, and a heading without a game may be prose.
        is_sure = press.game and not press.text
        if end is not None and not _is_before(head, end) and (is_sure or not _is_before(move, end)):
            return Extent(stop=end, goes_on=end + 1, is_open=False)
        if not press.game:
            return None
        stop = min(at for at in (head, move, len(self.lines)) if at is not None)
        if press.text:
            stop = next((at for at in range(start, stop) if not self.lines[at]), stop)
        stop = self._before_move(start, stop)
        return Extent(stop=stop, goes_on=stop, is_open=not press.text)

    def foreword(self, start: int) -> Extent:
        """Find the end of a foreword below the line `gm release NAME`; a farewell alone is none."""
        end, gm_line, move = (_next(marks, start) for marks in (self._ends, self._gm_lines, self._titled))
        if end is not None and not _is_before(gm_line, end):
            return Extent(stop=end, goes_on=end + 1, is_open=False)
        stop = self._before_move(start, min(at for at in (gm_line, move, len(self.lines)) if at is not None))
        first = next((line for line in self.lines[start:stop] if line), "")
        stop = start if FAREWELL.match(first) else stop
        return Extent(stop=stop, goes_on=stop, is_open=True)

    def is_head(self, line: str) -> bool:
        """Return whether a press for a game begins here."""
        said = read_command(line, self.names)
        return said is not None and isinstance(said.command, LongText) and bool(said.command.game)

    @cached_property
    def _ends(self) -> list[int]:
        return [at for at, line in enumerate(self.lines) if END.fullmatch(line)]

    @cached_property
    def _heads(self) -> list[int]:
        return [at for at, line in enumerate(self.lines) if self.is_head(line)]

    @cached_property
    def _gm_lines(self) -> list[int]:
        return [at for at, line in enumerate(self.lines) if line[:2].lower() == "gm" and read_gm_line(line)]

    @cached_property
    def _titled(self) -> list[int]:
        named = ((at, self.names.read_title_line(line)) for at, line in enumerate(self.lines))
        return [at for at, title in named if title and title.game]

    def _before_move(self, start: int, stop: int) -> int:
        """Stop earlier where a grid without title, or a wish, would be taken for a move."""
        while found := find_untitled(self.lines[start:stop], self.names.fewest_rows, self.ends_block):
            first, end = start + found[0], start + found[1].end
            wish = next((at for at in range(first, end) if _is_wish(self.lines[at])), None)
            rows = [at for at in range(first, end) if row_width(self.lines[at])]
            # `Danke.` looks like a row, and may stand above the wish.
            if wish is not None:
                return first if sum(row < wish for row in rows) >= self.names.fewest_rows else wish
            if len(rows) >= self.names.fewest_rows:
                return first
            start = end
        return stop


def _is_wish(line: str) -> bool:
    return WISH_KEY.match(line) is not None and WISH_LINE.fullmatch(line) is not None


def _next(marks: Sequence[int], start: int) -> int | None:
    at = bisect_left(marks, start)
    return marks[at] if at < len(marks) else None


def _is_before(mark: int | None, end: int) -> bool:
    return mark is not None and mark < end
