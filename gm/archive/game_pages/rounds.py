"""Rounds with their boards and tables as HTML, drawn once for all pages that they are on."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from markupsafe import Markup

from games.api import Language
from gm.archive import layout
from gm.archive.game_pages import boards
from gm.archive.record.record import Part, Record, Snapshot


@dataclass(frozen=True, kw_only=True)
class DrawnPart:
    """A section with its boards and its table drawn."""

    part: Part
    boards: Markup
    table: Markup

    @property
    def is_beside(self) -> bool:
        """Whether the table belongs to a single board, like the words to a grid."""
        return len(self.part.boards) == 1 and self.part.table is not None

    @property
    def is_narrow(self) -> bool:
        """Whether two of its kind fit beside each other on paper: a small board, a small table, or both."""
        return len(self.part.boards) <= 1 and self.table != "" and 'class="wide"' not in self.boards + self.table


@dataclass(frozen=True, kw_only=True)
class DrawnRound:
    """A round with its sections drawn."""

    snapshot: Snapshot
    parts: tuple[DrawnPart, ...]

    @property
    def number(self) -> int:
        """Its number, 0 for the start. It never changes, as feeds and bookmarks keep it."""
        return self.snapshot.number

    @property
    def label(self) -> str:
        """What it is called where there is little room."""
        return str(self.number) if self.number else self.snapshot.heading

    @property
    def path(self) -> str:
        """The folder of its page, below that of the game."""
        return f"runde-{self.number}"

    @property
    def rows(self) -> list[list[DrawnPart]]:
        """Its sections in rows."""
        return in_rows(self.parts)

    @cached_property
    def position(self) -> Markup:
        """All boards, as on the round's own page; all tables, where there is no board."""
        with_boards = [shown for shown in self.parts if shown.boards]
        if not with_boards:
            return Markup("").join(shown.table for shown in self.parts)
        if len(with_boards) == 1 or not with_boards[0].part.boards[0].name:
            return Markup("").join(shown.boards for shown in with_boards)
        return Markup("").join(_heading(shown.part.heading) + shown.boards for shown in with_boards)

    @cached_property
    def text(self) -> str:
        """The text of its tables."""
        rows = (row for shown in self.parts if shown.part.table for row in shown.part.table.rows)
        return " ".join(str(item) for row in rows for item in row)


def draw_round(snapshot: Snapshot, language: Language) -> DrawnRound:
    """Draw a round."""
    return DrawnRound(snapshot=snapshot, parts=draw_parts(snapshot.parts, snapshot.heading, language))


def draw_rounds(record: Record) -> list[DrawnRound]:
    """Draw all rounds of a game."""
    return [draw_round(one, record.language) for one in record.snapshots]


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


def _heading(text: str) -> Markup:
    return Markup("<h4>{}</h4>").format(text) if text else Markup("")


def _draw_part(part: Part, labels: _Labels, language: Language) -> DrawnPart:
    drawn, table = [], Markup("")
    for board in part.boards:
        name = f"{board.name} {board.note}".strip() or part.heading or layout.phrase(language, "BOARD")
        drawn.append(boards.board(board, boards.caption(board, part.heading, language), labels.give(name)))
    if part.table:
        name = part.heading or layout.phrase(language, "TABLE_ALONE")
        table = boards.chart(part.table, boards.unseen(name), labels.give(name))
    group = Markup('<div class="boards">{}</div>').format(Markup("").join(drawn)) if drawn else Markup("")
    return DrawnPart(part=part, boards=group, table=table)
