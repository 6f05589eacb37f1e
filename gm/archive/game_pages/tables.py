"""Tables of a record as HTML, the same on a game's page, a round's page and in print."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup

from gm.archive import layout
from gm.drawing.parts import Chart

NARROW: Final = 26
"""Letters of a table beside each other on the smallest phone; a column takes two more."""

_FIGURE = re.compile(r"\s*(?:[+−-]?\d+|[.?–-]?)\s*")


def table(chart: Chart, caption: str, label: str, names: Mapping[str, Markup] | None = None) -> Markup:
    """Write a table with headings. The first cell of a row that is no figure is the row's heading.

    `names` says what is written for a cell that is exactly this text. A score card is turned: a line for each box.
    """
    chart = _turned(chart) if chart.is_card else chart
    right = _figures(chart)
    titles = [*zip(chart.head, right, strict=True)] if any(chart.head) else []
    below = chart.below or [[""] * len(chart.head)] * len(chart.rows)
    rows = [[*_cells(row, small, right, names or {})] for row, small in zip(chart.rows, below, strict=True)]
    drawn = layout.piece("table", "list scores" if chart.is_card else "list", caption, titles, rows)
    return layout.piece("framed", drawn, label) if _breadth(chart) > NARROW else drawn


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


def _cells(
    row: Sequence[str | int], below: Sequence[str], right: Sequence[bool], names: Mapping[str, Markup]
) -> Iterator[tuple[str, str, bool, bool]]:  # fmt: skip
    """Give each cell with the small words below it, whether it heads its row, and whether it stands on the right."""
    subject = next((at for at, item in enumerate(row) if not isinstance(item, int) and not right[at]), None)
    for at, item in enumerate(row):
        yield names.get(str(item)) or layout.minus(item), below[at], at == subject, right[at]
