"""Sections of a position with their boards and tables as HTML."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from markupsafe import Markup

from games.api import Language
from gm.archive import layout
from gm.archive.game_pages import boards
from gm.archive.game_pages.tables import table
from gm.drawing.parts import Board, Part


@dataclass(frozen=True, kw_only=True)
class DrawnPart:
    """A section with its boards and its table drawn."""

    part: Part
    boards: Markup
    table: Markup

    @property
    def is_beside(self) -> bool:
        """Whether the table belongs to a single board, like the words to a grid."""
        return bool(self.boards) and len(self.part.boards) == 1 and self.part.table is not None

    @property
    def is_narrow(self) -> bool:
        """Whether two of its kind fit beside each other on paper: a small board, a small table, or both."""
        return len(self.part.boards) <= 1 and self.table != "" and 'class="wide' not in self.boards + self.table


def draw_parts(parts: Sequence[Part], heading: str, language: Language) -> tuple[DrawnPart, ...]:
    """Draw sections below a heading."""
    labels = _Labels(heading)
    return tuple(_draw_part(part, labels, language) for part in parts)


def in_rows(parts: Sequence[DrawnPart]) -> list[list[DrawnPart]]:
    """Put successive narrow sections of the same form into a row; each of the others has its own."""
    groups = groupby(parts, key=lambda one: (one.is_narrow, one.is_beside))
    return [row for (narrow, _), some in groups for row in ([list(some)] if narrow else [[one] for one in some])]


class _Labels:
    """Names of frames to scroll in, no two alike below a heading."""

    def __init__(self, heading: str) -> None:
        self._heading = heading
        self._given: Counter[str] = Counter()

    def give(self, name: str) -> str:
        """Give the name of the next frame."""
        self._given[name] += 1
        numbered = f"{name} {self._given[name]}" if self._given[name] > 1 else name
        return f"{numbered}, {self._heading}"


def _draw_part(part: Part, labels: _Labels, language: Language) -> DrawnPart:
    drawn = [_draw_board(board, part, labels, language) for board in part.boards]
    shown = Markup("")
    if part.table:
        name = part.heading or layout.phrase(language, "TABLE_ALONE")
        shown = table(part.table, layout.piece("unseen", name), labels.give(name))
    group = layout.piece("boards", drawn) if drawn else Markup("")
    return DrawnPart(part=part, boards=group, table=shown)


def _draw_board(board: Board, part: Part, labels: _Labels, language: Language) -> Markup:
    name = f"{board.name} {board.note}".strip() or part.heading or layout.phrase(language, "BOARD")
    titled = replace(board, name=board.name or part.heading or name)
    return boards.position(titled, board.name, labels.give(name), is_own=bool(board.seat))
