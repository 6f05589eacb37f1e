"""Boards and tables of a game as an issue prints them: each in one piece, none larger than a page."""

from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from games.api import Language
from gm.archive.game_pages.tables import table
from gm.archive.layout import phrase
from gm.archive.record.pictures import picture
from gm.archive.record.record import Board, Chart, Part
from gm.drawing.printed import printed

FOLDED: Final = 9
"""A table beside a board that has more rows stands in two halves beside each other."""
BESIDE: Final = 60.0
"""Millimetres of a board that leaves room for a table."""


@dataclass(frozen=True, kw_only=True)
class DrawnPart:
    """A section of a position, drawn."""

    part: Part
    figures: tuple[Markup, ...]
    tables: tuple[Markup, ...]
    is_pair: bool
    """Whether the tables stand beside the single board."""


def draw_part(part: Part, language: Language) -> DrawnPart:
    """Draw a section."""
    drawn = [_figure(board, part, language) for board in part.boards]
    is_pair = len(drawn) == 1 and part.table is not None and drawn[0][1] <= BESIDE
    charts = _folded(part.table) if part.table and is_pair else [part.table] if part.table else []
    name = part.heading or phrase(language, "TABLE_ALONE")
    return DrawnPart(
        part=part, figures=tuple(markup for markup, _ in drawn), is_pair=is_pair,
        tables=tuple(table(chart, _heard(name), name) for chart in charts),
    )  # fmt: skip


def _heard(name: str) -> Markup:
    """Write a caption for those who hear the page; the heading above says it to the others."""
    return Markup('<span class="said">{}</span>').format(name)


def _figure(board: Board, part: Part, language: Language) -> tuple[Markup, float]:
    """Draw a board below its name; gives its width in millimetres as well."""
    name = board.name or part.heading or phrase(language, "BOARD")
    drawing = printed(picture(board, name))
    caption = " ".join(filter(None, (board.name, board.note)))
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
