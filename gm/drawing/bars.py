"""Charts as SVG: bars with their figures, in the colours of the page, with a description for screen readers."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from markupsafe import Markup, escape

ACROSS: Final = 340
"""Units across, so few that labels can be read on a phone; the page makes it as wide as it has room."""
MARGIN: Final = 16
"""Units on both sides, for labels of the first and the last column."""
ROW: Final = 28
HEIGHT: Final = 220
LABELS: Final = 20
"""Units below the columns, for their labels."""
WIDEST: Final = 48
"""Units of a column that stands alone or with few."""


def bars(name: str, title: str, description: str, values: Sequence[tuple[str, int]]) -> Markup:
    """Draw horizontal bars with labels and figures; `name` tells the charts of a page apart."""
    most = max((abs(value) for _, value in values), default=0) or 1
    gap = min(12 + 9 * max((len(label) for label, _ in values), default=0), ACROSS // 2)
    room = ACROSS - gap - 12 - 10 * len(str(most))
    drawn = Markup("").join(
        Markup(
            '<text x="{}" y="{}" text-anchor="end">{}</text><rect x="{}" y="{}" width="{}" height="18"/>'
            '<text x="{}" y="{}">{}</text>\n'
        ).format(
            gap - 8, at * ROW + 19, label, gap, at * ROW + 5, _units(room * abs(value), most),
            gap + _units(room * abs(value), most) + 6, at * ROW + 19, value,
        )
        for at, (label, value) in enumerate(values)
    )  # fmt: skip
    return _picture(name, title, description, len(values) * ROW, drawn)


def columns(name: str, title: str, description: str, values: Sequence[tuple[str, int]]) -> Markup:
    """Draw a distribution as vertical bars; of many labels and figures some are left out."""
    most = max((value for _, value in values), default=0) or 1
    width = ACROSS / max(1, len(values))
    every = _every(max((len(label) for label, _ in values), default=0), width)
    figures = _every(len(str(most)), width)
    room = HEIGHT - LABELS - 20
    drawn = Markup("").join(
        _column(
            label if at % every == 0 else "", value, at * width, width, _units(room * value, most), at % figures == 0
        )
        for at, (label, value) in enumerate(values)
    )
    return _picture(name, title, description, HEIGHT, drawn)


def _every(letters: int, width: float) -> int:
    """Give how many columns share a label that has so many letters."""
    return ceil((letters * 9 + 6) / width)


def _column(label: str, value: int, left: float, width: float, height: int, has_figure: bool) -> Markup:
    foot, middle = HEIGHT - LABELS, round(left + width / 2)
    thick = max(1, round(min(width * 0.8, WIDEST)))
    drawn = Markup('<rect x="{}" y="{}" width="{}" height="{}"/>').format(
        round(left + (width - thick) / 2), foot - height, thick, height
    )
    if value and has_figure:
        drawn += Markup('<text x="{}" y="{}" text-anchor="middle">{}</text>').format(middle, foot - height - 5, value)
    if label:
        drawn += Markup('<text x="{}" y="{}" text-anchor="middle">{}</text>').format(middle, HEIGHT - 5, label)
    return drawn + Markup("\n")


def _units(share: float, whole: int) -> int:
    return round(share / whole)


def _picture(name: str, title: str, description: str, height: int, drawn: Markup) -> Markup:
    known = escape(name)
    return Markup(
        '<svg class="drawn" viewBox="-{} 0 {} {}" role="img" aria-labelledby="{}-title {}-desc">\n'
        '<title id="{}-title">{}</title>\n<desc id="{}-desc">{}</desc>\n{}</svg>'
    ).format(MARGIN, ACROSS + 2 * MARGIN, max(1, height), known, known, known, title, known, description, drawn)
