"""The latest position of a game without what its page shows elsewhere: the result, and the boards of the replay."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile

from gm.archive.game_pages.replay import shows_table
from gm.archive.game_pages.standings import part_of_result
from gm.archive.record.record import Record
from gm.drawing.parts import Part


@dataclass(frozen=True, kw_only=True)
class Latest:
    """Sections by where they stand."""

    lead: tuple[Part, ...] = ()
    """Above the boards of a game that goes on: the letters of the round, whose turn it is."""
    legend: tuple[str, ...] = ()
    """Below the boards."""
    details: tuple[Part, ...] = ()
    """Folded."""


def latest(record: Record) -> Latest:
    """Sort the sections of the latest position."""
    last = record.last
    if last is None:
        return Latest()
    result = part_of_result(record)
    parts = [part for part in last.parts if part is not result]
    lead = () if record.is_over else tuple(takewhile(lambda part: not (part.boards or part.table), parts))
    others = parts[len(lead) :]
    rest = [(part, _without_boards(record, part)) for part in others]
    return Latest(
        lead=lead,
        legend=tuple(line for part, left in rest if _is_legend(part, left) for line in (*left.lines, *left.notes)),
        details=tuple(_filled(left for part, left in rest if not _is_legend(part, left))),
    )


def _without_boards(record: Record, part: Part) -> Part:
    return replace(part, boards=(), table=None if shows_table(record, part) else part.table)


def _is_legend(part: Part, left: Part) -> bool:
    """Whether what is left of a section only explains what the replay shows."""
    return left.table is None and bool(part.boards or part.table)


def _filled(parts: Iterable[Part]) -> Iterable[Part]:
    return (part for part in parts if part.lines or part.table or part.notes)
