"""Curves as SVG: a line for each seat over the rounds, with its name and its last figure at the end.

Lines differ by colour and dash, which the stylesheet gives: classes `l1` to `l6`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from markupsafe import Markup, escape

ACROSS: Final = 380
"""Units across, so few that labels can be read on a phone; the page makes it as wide as it has room."""
HEIGHT: Final = 250
LEFT: Final = 30
"""Units for the figures of the axis."""
TOP: Final = 12
BOTTOM: Final = 226
RIGHT: Final = 262
"""Where the lines end and their labels begin."""
APART: Final = 15
"""Units between two labels, at least."""
LETTERS: Final = 15
"""Of a label; the rest of a longer name is left out."""
MOST_LINES: Final = 5
MOST_ROUNDS: Final = 11
KINDS: Final = 6
"""Of lines that can be told apart."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line: whose it is, and its figure after each round."""

    label: str
    values: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class Curves:
    """What is drawn: a figure of each seat over the rounds."""

    name: str
    """Tells the charts of a page apart."""
    title: str
    description: str
    rounds: Sequence[int]
    lines: Sequence[Line]
    is_stepped: bool = False
    """Whether a figure stays as it is until it changes, like a number of tiles; else it grows."""


def draw(curves: Curves) -> Markup:
    """Draw curves with axes, a few lines to read figures at, and labels that don't lie on each other."""
    scale = _Scale(curves)
    drawn = (
        *(_grid_line(scale, value) for value in scale.values()),
        *(_round(scale, at, number) for at, number in enumerate(curves.rounds) if at % scale.every == 0),
        *(_line(scale, curves, at) for at in range(len(curves.lines))),
        *_labels(scale, curves.lines),
    )
    name = escape(curves.name)
    return Markup(
        '<svg class="curves" viewBox="0 0 {} {}" role="img" aria-labelledby="{}-title {}-desc">'
        '<title id="{}-title">{}</title><desc id="{}-desc">{}</desc>{}</svg>'
    ).format(ACROSS, HEIGHT, name, name, name, curves.title, name, curves.description, Markup("").join(drawn))


class _Scale:
    """From rounds and figures to places."""

    def __init__(self, curves: Curves) -> None:
        values = [value for line in curves.lines for value in line.values]
        self._least, self._most = min([0, *values]), max([0, *values])
        if self._least == self._most:
            self._most += 1
        self._steps = max(1, len(curves.rounds) - 1)
        self.every = ceil(len(curves.rounds) / MOST_ROUNDS)

    def x(self, at: int) -> int:
        return round(LEFT + (RIGHT - LEFT) * at / self._steps)

    def y(self, value: int) -> int:
        return round(BOTTOM - (BOTTOM - TOP) * (value - self._least) / (self._most - self._least))

    def values(self) -> list[int]:
        """Give a few round figures between the least and the most."""
        span = self._most - self._least
        step = next(
            size * 10**power for power in range(9) for size in (1, 2, 5) if span <= size * 10**power * MOST_LINES
        )
        first = ceil(self._least / step)
        return [at * step for at in range(first, self._most // step + 1)]


def _grid_line(scale: _Scale, value: int) -> Markup:
    y = scale.y(value)
    return Markup(
        '<path class="{}" d="M{} {}H{}"/><text class="axis" x="{}" y="{}" text-anchor="end">{}</text>'
    ).format("zero" if value == 0 else "grid", LEFT, y, RIGHT, LEFT - 6, y + 4, _figure(value))


def _round(scale: _Scale, at: int, number: int) -> Markup:
    return Markup('<text class="axis" x="{}" y="{}" text-anchor="middle">{}</text>').format(
        scale.x(at), HEIGHT - 6, number
    )


def _line(scale: _Scale, curves: Curves, at: int) -> Markup:
    places = [(scale.x(one), scale.y(value)) for one, value in enumerate(curves.lines[at].values)]
    (x, y), *others = places
    path = f"M{x} {y}" + "".join(f"H{x}V{y}" if curves.is_stepped else f"L{x} {y}" for x, y in others)
    return Markup('<path class="l{}" d="{}"/><circle class="l{}" cx="{}" cy="{}" r="3"/>').format(
        _kind(at), path, _kind(at), *places[-1]
    )


def _labels(scale: _Scale, lines: Sequence[Line]) -> list[Markup]:
    """Write the labels beside the ends of their lines, from the top, moved apart where ends are close together."""
    ends = [scale.y(line.values[-1]) for line in lines]
    order = sorted(range(len(lines)), key=lambda at: (ends[at], at))
    places = _moved_apart([ends[at] for at in order])
    return [_label(lines[at], _kind(at), ends[at], place) for at, place in zip(order, places, strict=True)]


def _moved_apart(ends: Sequence[int]) -> list[int]:
    """Move rising places so that two are never closer than labels are high, and none is below the drawing."""
    places: list[int] = []
    for end in ends:
        places.append(max(end, places[-1] + APART) if places else max(end, TOP))
    below = HEIGHT - 20
    for at in reversed(range(len(places))):
        places[at] = min(places[at], below)
        below = places[at] - APART
    return places


def _label(line: Line, kind: int, end: int, place: int) -> Markup:
    name = line.label if len(line.label) <= LETTERS else f"{line.label[: LETTERS - 1]}…"
    leader = Markup('<path class="to l{}" d="M{} {}L{} {}"/>').format(kind, RIGHT + 4, end, RIGHT + 11, place)
    return leader + Markup('<text class="l{}" x="{}" y="{}">{} {}</text>').format(
        kind, RIGHT + 14, place + 4, name, _figure(line.values[-1])
    )


def _kind(at: int) -> int:
    return at % KINDS + 1


def _figure(value: int) -> str:
    """Write a figure with a minus instead of a hyphen."""
    return str(value).replace("-", "−")
