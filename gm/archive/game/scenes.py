"""A round as it is shown: its record, with boards and tables drawn once for all pages they stand on."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from markupsafe import Markup

from games.api import Language
from gm.archive import layout
from gm.archive.game import boards
from gm.archive.record import Part, Record, Snapshot


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A section with its boards and its table."""

    part: Part
    boards: Markup
    table: Markup

    @property
    def is_beside(self) -> bool:
        """Say whether the table belongs to a single board, like the words to a grid."""
        return len(self.part.boards) == 1 and self.part.table is not None

    @property
    def is_narrow(self) -> bool:
        """Say whether two of its kind stand beside each other on paper: a small board, a small table, or both."""
        return len(self.part.boards) <= 1 and self.table != "" and 'class="wide"' not in self.boards + self.table


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A round that is shown."""

    key: str
    """What its page is called: mostly its number."""
    snapshot: Snapshot
    parts: tuple[Shown, ...]

    @property
    def label(self) -> str:
        """What it is called where there is little room."""
        return self.snapshot.heading if self.key == "0" else str(self.snapshot.number)

    @property
    def path(self) -> str:
        """The folder of its page, below that of the game."""
        return f"runde-{self.key}"

    @property
    def rows(self) -> list[list[Shown]]:
        """Its sections as they stand below and beside each other."""
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
        """All that its tables say."""
        rows = (row for shown in self.parts if shown.part.table for row in shown.part.table.rows)
        return " ".join(str(item) for row in rows for item in row)


def scene(snapshot: Snapshot, language: Language, key: str) -> Scene:
    """Draw a round."""
    return Scene(key=key, snapshot=snapshot, parts=shown(snapshot.parts, snapshot.heading, language))


def scenes(record: Record) -> list[Scene]:
    """Draw all rounds of a game."""
    return [scene(one, record.language, key) for one, key in zip(record.snapshots, keys(record), strict=True)]


def keys(record: Record) -> list[str]:
    """Tell rounds apart: by number, but some games play a round 0, which is another one than the start.

    What comes later never changes the key of what is there: feeds and bookmarks keep it.
    """
    seen: Counter[int] = Counter()
    found = []
    for snapshot in record.snapshots:
        seen[snapshot.number] += 1
        times = seen[snapshot.number]
        found.append(f"{snapshot.number}-{times}" if times > 1 else str(snapshot.number))
    return found


def shown(parts: Sequence[Part], heading: str, language: Language) -> tuple[Shown, ...]:
    """Draw sections that stand below a heading."""
    labels = _Labels(heading)
    return tuple(_shown(part, labels, language) for part in parts)


def in_rows(parts: Sequence[Shown]) -> list[list[Shown]]:
    """Put narrow sections of one form that follow each other into a row; all others stand alone."""
    groups = groupby(parts, key=lambda one: (one.is_narrow, one.is_beside))
    return [row for (narrow, _), some in groups for row in ([list(some)] if narrow else [[one] for one in some])]


class _Labels:
    """Names for what can be moved to and fro, no two alike on a page."""

    def __init__(self, heading: str) -> None:
        self._heading = heading
        self._given: Counter[str] = Counter()

    def give(self, name: str) -> str:
        """Name the next one."""
        self._given[name] += 1
        numbered = f"{name} {self._given[name]}" if self._given[name] > 1 else name
        return f"{numbered}, {self._heading}"


def _heading(text: str) -> Markup:
    return Markup("<h4>{}</h4>").format(text) if text else Markup("")


def _shown(part: Part, labels: _Labels, language: Language) -> Shown:
    drawn, table = [], Markup("")
    for board in part.boards:
        name = f"{board.name} {board.note}".strip() or part.heading or layout.phrase(language, "BOARD")
        drawn.append(boards.board(board, boards.caption(board, part.heading, language), labels.give(name)))
    if part.table:
        name = part.heading or layout.phrase(language, "TABLE_ALONE")
        table = boards.chart(part.table, boards.unseen(name), labels.give(name))
    group = Markup('<div class="boards">{}</div>').format(Markup("").join(drawn)) if drawn else Markup("")
    return Shown(part=part, boards=group, table=table)
