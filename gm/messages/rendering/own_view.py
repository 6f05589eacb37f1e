"""A position as one seat needs it to move: the own boards and rows of tables, and those that are nobody's."""

from collections.abc import Sequence
from dataclasses import replace

from games.api import Seat, Section, Text, View


def own_view(view: View, seat: Seat) -> View:
    """Leave out of a view what is about other seats alone."""
    sections = (_own_section(section, seat) for section in own_boards(view, seat).sections)
    return replace(view, sections=tuple(section for section in sections if section))


def to_move(view: View, seat: Seat) -> tuple[tuple[Section, ...], View]:
    """Part a view into what a seat looks at to move, and the rest.

    To move it looks at its tiles, then at its own boards and those that are nobody's.
    """
    needed = {at: own for at, section in enumerate(view.sections) if (own := _needed(section, seat))}
    rest = (_beside(section, needed[at]) if at in needed else section for at, section in enumerate(view.sections))
    tiles_first = sorted(needed.values(), key=lambda section: section.grids[0].look != "tiles")
    return tuple(tiles_first), replace(view, sections=tuple(section for section in rest if section))


def _needed(section: Section, seat: Seat) -> Section | None:
    grids = tuple(grid for grid in section.grids if grid.seat in (None, seat))
    is_of_another = section.title is not None and section.title.values.get("seat") not in (None, seat)
    if is_of_another or not grids:
        return None
    title = None if grids[0].seat else section.title  # a player's board is headed by the name
    notes = (*section.lines, *section.notes)
    return replace(section, title=title, grids=grids, lines=(), legend=(), table=None, notes=notes)


def _beside(section: Section, needed: Section) -> Section | None:
    """Return what of a section was left out."""
    others = tuple(grid for grid in section.grids if grid not in needed.grids)
    if not (others or section.table):
        return Section(legend=section.legend) if section.legend else None
    return replace(section, grids=others, lines=(), notes=())


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
