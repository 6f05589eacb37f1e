"""Bars: drawings that say what they show, also to who can't see them, whatever the labels hold."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.drawing.bars import ACROSS, HEIGHT, bars, columns

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"bars": bars, "columns": columns}
VALUES = st.lists(st.tuples(st.text("ABÄ<&\"'>09", max_size=12), st.integers(0, 10**6)), max_size=40)


def parsed(drawn: str) -> ElementTree.Element:
    """Read a drawing as XML; SVG within HTML has no namespace of its own."""
    return ElementTree.fromstring(drawn)


@pytest.mark.parametrize("kind", DRAWN)
@given(values=VALUES)
def test_charts_are_sound(kind: str, values: list[tuple[str, int]]) -> None:
    """Whatever the labels and figures are, the drawing is well formed and stays within its frame."""
    tree = parsed(DRAWN[kind]("punkte", "Punkte <&>", 'So "viele"', values))
    rects = tree.findall(".//rect")
    assert len(rects) == len(values)
    height = int(tree.attrib["viewBox"].split()[3])
    for rect in rects:
        left, top, wide, high = (int(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        assert left >= 0
        assert left + wide <= ACROSS
        assert top >= 0
        assert top + high <= max(height, HEIGHT)


@pytest.mark.parametrize("kind", DRAWN)
def test_charts_say_what_they_show(kind: str) -> None:
    """A chart is a picture with a title and a description that belong to it alone, and no colour of its own."""
    tree = parsed(DRAWN[kind]("laengen", "Länge der Wörter", "Zusammen 5", [("2", 3), ("3", 2)]))
    assert tree.attrib["role"] == "img"
    named = [tree.find(f".//*[@id='{one}']") for one in tree.attrib["aria-labelledby"].split()]
    assert [one.text for one in named if one is not None] == ["Länge der Wörter", "Zusammen 5"]
    assert all(one.startswith("laengen-") for one in tree.attrib["aria-labelledby"].split())
    assert not {"fill", "style", "stroke"} & {name for one in tree.iter() for name in one.attrib}


@pytest.mark.parametrize("kind", DRAWN)
def test_charts_write_labels_and_figures(kind: str) -> None:
    """Labels and figures stand in the drawing as text; the highest value has the longest bar."""
    tree = parsed(DRAWN[kind]("x", "t", "d", [("A & B", 30), ("C", 10)]))
    assert {"A & B", "C", "30", "10"} <= {text.text for text in tree.findall(".//text")}
    side = "width" if kind == "bars" else "height"
    long, short = (int(rect.attrib[side]) for rect in tree.findall(".//rect"))
    assert long > 2 * short


def test_columns_leave_out_labels_without_room() -> None:
    """Of many long labels some are left out rather than written over each other."""
    values = [(f"{at * 10}–{at * 10 + 9}", at) for at in range(20)]
    tree = parsed(columns("x", "t", "d", values))
    labels = [text.text for text in tree.findall(".//text") if "–" in str(text.text)]
    assert 4 <= len(labels) <= 10
