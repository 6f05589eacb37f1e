"""Curves: they say what they show, stay within their frame, and no label lies on another."""

import re
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from gm.drawing.chart import ACROSS, APART, HEIGHT, LETTERS, Curves, Line, draw

FIGURES = st.integers(-(10**6), 10**6)


def curves(*values: list[int], is_stepped: bool = False, labels: str = "ABCDEF") -> Curves:
    """Curves of a few seats."""
    lines = [Line(label=label, values=some) for label, some in zip(labels, values, strict=False)]
    return Curves(
        name="punkte", title="Punkte <&>", description='So "viele"', rounds=range(len(values[0])), lines=lines,
        is_stepped=is_stepped,
    )  # fmt: skip


def parsed(drawn: str) -> ElementTree.Element:
    """Read a drawing as XML; SVG within HTML has no namespace of its own."""
    return ElementTree.fromstring(drawn)


def lines(tree: ElementTree.Element) -> list[str]:
    """The paths of the lines, in order."""
    found = (path for path in tree.iter("path") if re.fullmatch(r"l\d", path.get("class", "")))
    return [path.get("d", "") for path in found]


def labels(tree: ElementTree.Element) -> list[tuple[str, int]]:
    """What is written at the ends of lines, and how far down."""
    found = (text for text in tree.iter("text") if re.fullmatch(r"l\d", text.get("class", "")))
    return [(text.text or "", int(text.get("y", ""))) for text in found]


def seats(rounds: int) -> st.SearchStrategy[list[list[int]]]:
    """Figures of one to six seats."""
    return st.lists(st.lists(FIGURES, min_size=rounds, max_size=rounds), min_size=1, max_size=6)


@given(st.integers(1, 9).flatmap(seats), st.booleans())
def test_curves_are_sound(values: list[list[int]], is_stepped: bool) -> None:
    """Whatever the figures are, the drawing is well formed, all of it is inside, and labels are apart."""
    tree = parsed(draw(curves(*values, is_stepped=is_stepped)))
    assert len(lines(tree)) == len(labels(tree)) == len(values)
    for path in lines(tree):
        for x, y in re.findall(r"[ML](\d+) (\d+)", path):
            assert 0 <= int(x) <= ACROSS
            assert 0 <= int(y) <= HEIGHT
    places = [place for _, place in labels(tree)]
    assert all(later - before >= APART for before, later in pairwise(places))
    assert 0 <= places[0] <= places[-1] <= HEIGHT


def test_curves_say_what_they_show() -> None:
    """A picture with a title and a description, the last figure beside each line, and no colour of its own."""
    tree = parsed(draw(curves([0, 5, 7], [0, 2, -3])))
    assert tree.attrib["role"] == "img"
    named = [tree.find(f".//*[@id='{one}']") for one in tree.attrib["aria-labelledby"].split()]
    assert [one.text for one in named if one is not None] == ["Punkte <&>", 'So "viele"']
    assert [text for text, _ in labels(tree)] == ["A 7", "B −3"]
    assert not {"fill", "style", "stroke"} & {name for one in tree.iter() for name in one.attrib}


def test_figures_that_stay_are_steps() -> None:
    """Tiles change at once, points grow: steps go across and down, lines go straight."""
    assert "H" in lines(parsed(draw(curves([3, 1], is_stepped=True))))[0]
    assert "L" in lines(parsed(draw(curves([3, 1]))))[0]


def test_axes_have_a_few_round_figures() -> None:
    """Not more than six lines to read figures at, and a dozen rounds with a number."""
    tree = parsed(draw(curves([*range(0, 160 * 7, 7)])))
    axis = [text for text in tree.iter("text") if text.get("class") == "axis"]
    assert [text.text for text in axis if text.get("text-anchor") == "end"] == ["0", "500", "1000"]
    assert len([text for text in axis if text.get("text-anchor") == "middle"]) <= 11


def test_long_names_are_cut() -> None:
    """A name has so much room as there is beside the lines."""
    (one,) = labels(parsed(draw(Curves(
        name="x", title="t", description="d", rounds=(0, 1), lines=[Line(label="W" * 40, values=(0, 1))]
    ))))  # fmt: skip
    assert one[0] == f"{'W' * (LETTERS - 1)}… 1"
