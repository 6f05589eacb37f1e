"""Boards and tables of a game as an issue prints them: each in one piece, none larger than a page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from markupsafe import Markup

from games.api import Language
from gm.archive.game_pages.tables import table
from gm.archive.layout import phrase
from gm.drawing.parts import Board, Chart, Part
from gm.drawing.printed import printed

FOLDED: Final = 9
"""A table beside a board that has more rows stands in two halves beside each other."""
BESIDE: Final = 60.0
"""Millimetres of a board that leaves room for a table."""
NARROW: Final = 56.0
"""Millimetres of a section that leaves room for another one beside it."""
LETTER: Final = 1.55
"""Millimetres that a letter of a table takes."""
LONG_RACK: Final = 14
"""A rack of more tiles is told, not drawn, where there is a sentence for it."""


@dataclass(frozen=True, kw_only=True)
class DrawnPart:
    """A section of a position, drawn."""

    part: Part
    figures: tuple[Markup, ...]
    tables: tuple[Markup, ...]
    is_pair: bool
    """Whether the tables stand beside the single board."""
    is_narrow: bool
    """Whether another section has room beside it."""


def draw_part(part: Part, language: Language) -> DrawnPart:
    """Draw a section."""
    told = tuple(board.said for board in part.boards if _is_told(board))
    part = replace(part, lines=(*part.lines, *told), boards=tuple(one for one in part.boards if not _is_told(one)))
    drawn = [_figure(board, part, language) for board in part.boards]
    is_pair = len(drawn) == 1 and part.table is not None and drawn[0][1] <= BESIDE
    charts = _folded(part.table) if part.table and is_pair else [part.table] if part.table else []
    name = part.heading or phrase(language, "TABLE_ALONE")
    return DrawnPart(
        part=part, figures=tuple(markup for markup, _ in drawn), is_pair=is_pair,
        tables=tuple(table(chart, _heard(name), name) for chart in charts),
        is_narrow=bool(part.heading) and not is_pair and _width(part, [width for _, width in drawn]) <= NARROW,
    )  # fmt: skip


def in_rows(parts: Sequence[DrawnPart]) -> list[list[DrawnPart]]:
    """Put successive narrow sections of the same form beside each other; each of the others has a row of its own."""
    groups = groupby(parts, key=lambda one: (one.is_narrow, bool(one.figures), bool(one.tables)))
    return [row for (narrow, *_), some in groups for row in ([list(some)] if narrow else [[one] for one in some])]


def _is_told(board: Board) -> bool:
    return board.look == "tiles" and board.drawn_as == "tiles" and bool(board.said) and len(board.columns) > LONG_RACK


def _width(part: Part, boards: Sequence[float]) -> float:
    """Estimate how wide a section is; one with sentences above is as wide as the page."""
    if part.lines or len(boards) > 1 or not (boards or part.table):
        return 2 * NARROW
    chart = part.table
    columns = zip(chart.head, *chart.rows, strict=True) if chart and not chart.is_card else ()
    letters = sum(2 + max(len(str(item)) for item in column) for column in columns)
    return max([*boards, letters * LETTER, 2 * NARROW if chart and chart.is_card else 0])


def _heard(name: str) -> Markup:
    """Write a caption for those who hear the page; the heading above says it to the others."""
    return Markup('<span class="said">{}</span>').format(name)


def _figure(board: Board, part: Part, language: Language) -> tuple[Markup, float]:
    """Draw a board below its name; gives its width in millimetres as well."""
    name = board.name or part.heading or phrase(language, "BOARD")
    drawing = printed(replace(board, name=name))
    caption = ", ".join(filter(None, (board.name, board.note)))
    said = board.said if board.look == "tiles" else ""
    head = Markup("<figcaption>{}</figcaption>").format(said or caption) if said or caption else Markup("")
    width = f"{max(drawing.width, 20.0) if head else drawing.width:g}"
    markup = Markup('<figure style="width:{}mm">{}{}</figure>').format(width, head, drawing.markup)
    return markup, drawing.width


def _folded(chart: Chart) -> list[Chart]:
    if len(chart.rows) <= FOLDED or chart.is_card:
        return [chart]
    half = -(-len(chart.rows) // 2)
    return [replace(chart, rows=chart.rows[:half]), replace(chart, rows=chart.rows[half:])]
