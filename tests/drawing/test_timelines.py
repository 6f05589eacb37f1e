"""Drawings of what comes one after the other: within their frame, whatever the names, and the same in words."""

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from gm.drawing.timelines import DEPTH, TOP, Point, Span, Tick, deadlines, form

NAMES = st.text("ABÄ<&\"'>09", max_size=12)
POINTS = st.lists(
    st.integers(1, 9).flatmap(
        lambda of: st.builds(Point, label=NAMES, place=st.integers(1, of), of=st.just(of), is_won=st.booleans())
    ),
    min_size=1, max_size=12,
)  # fmt: skip
SHARES = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted)
SPANS = st.lists(
    st.builds(
        lambda label, share, tone: Span(label=label, end_label="Fr", begin=share[0], end=share[1], tone=tone),
        NAMES, SHARES, st.sampled_from(["green", "amber", ""]),
    ),
    max_size=8,
)  # fmt: skip


def percents(tree: ElementTree.Element) -> list[float]:
    """Give all places across."""
    found = (value for one in tree.iter() for value in one.attrib.values())
    return [float(value[:-1]) for value in found if re.fullmatch(r"-?[\d.]+%", value)]


def heights(tree: ElementTree.Element) -> list[float]:
    """Give all places from above, down to the end of what begins there."""
    down = [float(one.attrib[name]) for one in tree.iter() for name in ("y", "cy", "y1", "y2") if name in one.attrib]
    return [*down, *(float(one.attrib["y"]) + float(one.attrib["height"]) for one in tree.iter("rect"))]


@given(points=POINTS, name=NAMES)
def test_form_is_sound(points: list[Point], name: str) -> None:
    """The drawing is well formed, has a dot for each game and stays within its frame."""
    tree = ElementTree.fromstring(form(name, points, "Erste & ", "Letzte"))
    assert len(tree.findall("circle")) == len(points)
    assert len(tree.findall("line[@class='way']")) == len(points) - 1
    assert all(0 <= share <= 100 for share in percents(tree))
    assert all(0 <= at <= int(tree.attrib["height"]) for at in heights(tree))
    assert tree.attrib["role"] == "img"
    assert tree.attrib["aria-label"] == name


def test_form_shows_places_between_first_and_last() -> None:
    """The first place is at the top, the last one at the foot, also where nobody else has played; won games differ."""
    places = [(1, 3, True), (2, 3, False), (3, 3, False), (1, 1, False)]
    points = [Point(label="TD", place=place, of=of, is_won=won) for place, of, won in places]
    tree = ElementTree.fromstring(form("Form", points, "Erste", "Letzte"))
    dots = tree.findall("circle")
    assert [int(dot.attrib["cy"]) for dot in dots] == [TOP, TOP + DEPTH // 2, TOP + DEPTH, TOP]
    assert [dot.get("class") for dot in dots] == ["won", None, None, None]
    numbers = [one.text for one in tree.findall("text") if "place" in one.get("class", "")]
    assert numbers == ["1", "2", "3", "1"]


@given(spans=SPANS, name=NAMES)
def test_deadlines_are_sound(spans: list[Span], name: str) -> None:
    """The drawing is well formed, has a bar for each game that ends at its dot, and stays within its frame."""
    ticks = [Tick(label="Mo", at=0), Tick(label="Di", at=0.5), Tick(label="Mi", at=1)]
    tree = ElementTree.fromstring(deadlines(name, spans, ticks))
    assert all(0 <= share <= 100 for share in percents(tree))
    assert all(0 <= at <= int(tree.attrib["height"]) for at in heights(tree))
    rows = tree.findall("g")
    assert [row.findtext("text") or "" for row in rows] == [span.label for span in spans]
    for row in rows:
        bar, dot = row.find("rect"), row.find("circle")
        assert bar is not None
        assert dot is not None
        end = float(bar.attrib["x"][:-1]) + float(bar.attrib["width"][:-1])
        assert abs(end - float(dot.attrib["cx"][:-1])) < 0.2
    assert [text.text for text in tree.findall("text")] == ["Mo", "Di", "Mi"]
