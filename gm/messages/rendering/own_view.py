"""A position as one seat needs it to move: the own boards and rows of tables, and those that are nobody's."""

from collections.abc import Sequence
from dataclasses import replace

from games.api import Seat, Section, Text, View


def own_view(view: View, seat: Seat) -> View:
    """Leave out of a view what is about other seats alone."""
    sections = (_own_section(section, seat) for section in own_boards(view, seat).sections)
    return replace(view, sections=tuple(section for section in sections if section))


def own_boards(view: View, seat: Seat) -> View:
    """Leave the boards of other seats out of a view; tables still name all who play."""
    kept = (
        replace(section, grids=tuple(grid for grid in section.grids if grid.seat in (None, seat)))
        for section in view.sections
    )
    shown = zip(view.sections, kept, strict=True)
    return replace(view, sections=tuple(own for section, own in shown if own.grids or own.table or not section.grids))


def _own_section(section: Section, seat: Seat) -> Section | None:
    rows = section.table.rows if section.table else ()
    kept = tuple(row for row in rows if _seat_named(row) in (None, seat))
    if rows and not (section.grids or kept):
        return None
    return replace(section, table=replace(section.table, rows=kept) if section.table and kept else None)


def _seat_named(row: Sequence[Text | str | int]) -> object:
    """Return the seat that a row of a table is about, if it names one."""
    return next((item.values["seat"] for item in row if isinstance(item, Text) and "seat" in item.values), None)
