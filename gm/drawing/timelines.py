"""What comes one after the other in time, as SVG: the places of a player game by game, and games on their way to a ZAT.

These drawings have no size of their own: places across are in per cent, all else in pixels. So letters are as big on a
phone as on a wide screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markupsafe import Markup

TOP: Final = 32
"""Where the first place is."""
DEPTH: Final = 84
"""From the first place down to the last."""
LABELS: Final = 64
"""For what stands below the last place: its own label, then two lines of names."""
ROW: Final = 44
"""A line of text and the bar below it."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """A game of a player: a short name, the place, how many played, whether it was won."""

    label: str
    place: int
    of: int
    is_won: bool


@dataclass(frozen=True, kw_only=True)
class Span:
    """A game under way: where its round began and where it ends, from 0 to 1."""

    label: str
    end_label: str
    begin: float
    end: float
    tone: str


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A day on the axis, from 0 to 1."""

    label: str
    at: float


def form(description: str, points: Sequence[Point], first: str, last: str) -> Markup:
    """Draw a player's places, one game after the other: above is the first place, below the last."""
    places = [((at + 0.5) * 100 / len(points), _depth(one)) for at, one in enumerate(points)]
    foot = TOP + DEPTH
    axes = Markup(
        '<line class="axis" x1="0" x2="100%" y1="{0}" y2="{0}"/><line class="axis" x1="0" x2="100%" y1="{1}" y2="{1}"/>'
        '<text class="axis" x="0" y="{2}">{3}</text><text class="axis" x="0" y="{4}">{5}</text>'
    ).format(TOP, foot, TOP - 16, first, foot + 26, last)  # fmt: skip
    lines = Markup("").join(
        Markup('<line class="way" x1="{:.1f}%" y1="{}" x2="{:.1f}%" y2="{}"/>').format(*begin, *end)
        for begin, end in pairwise(places)
    )
    dots = Markup("").join(
        _dot(one, at, x, y) for at, (one, (x, y)) in enumerate(zip(points, places, strict=True))
    )  # fmt: skip
    return _picture("form", description, foot + LABELS, axes + lines + dots)


def _depth(point: Point) -> int:
    return TOP + round(DEPTH * (point.place - 1) / max(1, point.of - 1))


def _dot(point: Point, at: int, x: float, y: int) -> Markup:
    """Draw a place; every other name gives way on narrow screens."""
    return Markup(
        '\n<circle{} cx="{:.1f}%" cy="{}" r="11"/><text class="place{}" x="{:.1f}%" y="{}">{}</text>'
        '<text class="name{}" x="{:.1f}%" y="{}">{}</text>'
    ).format(
        Markup(' class="won"') if point.is_won else "", x, y, " won" if point.is_won else "", x, y + 5, point.place,
        " odd" if at % 2 else "", x, TOP + DEPTH + 44, point.label,
    )  # fmt: skip


def deadlines(description: str, spans: Sequence[Span], ticks: Sequence[Tick]) -> Markup:
    """Draw games one below the other, each from the beginning of its round to its ZAT."""
    height = ROW * len(spans)
    axis = Markup("").join(
        Markup('<line class="axis" x1="{0:.1f}%" x2="{0:.1f}%" y1="0" y2="{1}"/>').format(100 * one.at, height)
        + Markup('<text class="axis {}" x="{:.1f}%" y="{}">{}</text>').format(
            _side(one.at), 100 * one.at, height + 18, one.label
        )
        for one in ticks
    )
    rows = Markup("").join(_row(one, at * ROW) for at, one in enumerate(spans))
    return _picture("deadlines", description, height + 24, axis + rows)


def _row(span: Span, top: int) -> Markup:
    return Markup(
        '\n<g class="{}"><text x="0" y="{}">{}</text><text class="end" x="100%" y="{}">{}</text>'
        '<rect x="{:.1f}%" y="{}" width="{:.1f}%" height="8"/><circle cx="{:.1f}%" cy="{}" r="7"/></g>'
    ).format(
        span.tone, top + 16, span.label, top + 16, span.end_label,
        100 * span.begin, top + 25, 100 * (span.end - span.begin), 100 * span.end, top + 29,
    )  # fmt: skip


def _side(at: float) -> str:
    """Say on which side of its line a label stands, so that it stays in the picture."""
    return "begin" if at < 0.1 else "end" if at > 0.9 else "middle"


def _picture(name: str, description: str, height: int, drawn: Markup) -> Markup:
    return Markup('<svg class="line {}" width="100%" height="{}" role="img" aria-label="{}">{}</svg>').format(
        name, height, description, drawn
    )
