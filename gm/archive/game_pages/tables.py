"""Tables of a record as HTML, the same on a game's page, a round's page and in print."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup, escape

from gm.archive import layout
from gm.archive.game_pages.boards import framed
from gm.drawing.parts import Chart

NARROW: Final = 26
"""Letters of a table beside each other on the smallest phone; a column takes two more."""

_FIGURE = re.compile(r"\s*(?:[+−-]?\d+|[.?–-]?)\s*")


def table(chart: Chart, caption: Markup, label: str, names: Mapping[str, Markup] | None = None) -> Markup:
    """Write a table with headings. The first cell of a row that is no figure is the row's heading.

    `names` says what is written for a cell that is exactly this text. A score card is turned: a line for each box.
    """
    chart = _turned(chart) if chart.is_card else chart
    right = _figures(chart)
    titles = "".join(
        f"<th scope=col{' class=n' if to_right else ''}>{escape(title)}" if title else "<td>"
        for title, to_right in zip(chart.head, right, strict=True)
    )
    head = f"<thead><tr>{titles}" if any(chart.head) else ""
    below = chart.below or [()] * len(chart.rows)
    rows = "".join(
        f"<tr>{_items(row, small, right, names or {})}" for row, small in zip(chart.rows, below, strict=True)
    )
    kind = "list scores" if chart.is_card else "list"
    drawn = f'<table class="{kind}"><caption>{caption}</caption>{head}<tbody>{rows}</table>'
    return framed(drawn, label) if _breadth(chart) > NARROW else Markup(drawn)


def _turned(chart: Chart) -> Chart:
    boxes = range(1, len(chart.head))
    return Chart(
        head=("", *(str(row[0]) for row in chart.rows)),
        rows=tuple((chart.head[at], *(row[at] for row in chart.rows)) for at in boxes),
        below=tuple(("", *(row[at] for row in chart.below)) for at in boxes) if chart.below else (),
        is_card=True,
    )


def _breadth(chart: Chart) -> int:
    """Give the least width of a table in letters: lines break between words."""
    columns = zip(chart.head, *chart.rows, strict=True)
    return sum(2 + max((len(word) for item in column for word in str(item).split()), default=0) for column in columns)


def _figures(chart: Chart) -> list[bool]:
    return [
        all(isinstance(row[at], int) or _FIGURE.fullmatch(str(row[at])) for row in chart.rows)
        for at in range(len(chart.head))
    ]


def _items(row: Sequence[str | int], below: Sequence[str], right: Sequence[bool], names: Mapping[str, Markup]) -> str:
    subject = next((at for at, item in enumerate(row) if not isinstance(item, int) and not right[at]), None)
    written = [names.get(str(item)) or escape(layout.minus(item)) for item in row]
    if any(below):
        written = [
            Markup("{} <br><small>{}</small>").format(item, small) if small else item
            for item, small in zip(written, below, strict=True)
        ]
    return "".join(
        f"<th scope=row>{item}" if at == subject else f"<td{' class=n' if right[at] else ''}>{item}"
        for at, item in enumerate(written)
    )
