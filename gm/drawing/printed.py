"""Boards for paper: the drawings of the pages with their style as attributes of each shape.

The library that sets the pages (`gm/archive/issue/pdf.py`) knows no stylesheet inside a drawing. And a copier
knows no colours: red letters lie on round tiles, black ones on square ones; what is new is bold, tinted and has a thick
edge.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from gm.drawing import svg
from gm.drawing.boards import letters, racks
from gm.drawing.parts import Board

FONT: Final = "Zine Sans"
INK, SOFT, LINE, EDGE = "#20242a", "#5a5f66", "#cfc6b2", "#8b8373"
PAPER, CARD, TILE, TILE_EDGE = "#ffffff", "#fffdf8", "#f3ecdc", "#a99c80"
NEW, RED, BLACK = "#ffe390", "#b3261e", "#26282b"
FIELDS: Final = {"red": "#c0281f", "green": "#23753b", "black": "#26282b", "yellow": "#f0bd1f", "blue": "#1f61b5"}

MILLIMETRES: Final = {
    "letters": 0.183, "dominoes": 0.16, "hand": 0.13, "tiles": 0.14, "dice": 0.15, "pegs": 0.153,
}  # fmt: skip
"""How large a unit of a drawing is on paper, by look: letters and symbols are read at arm's length."""
WIDEST, HIGHEST = 118.0, 140.0
"""Millimetres of the largest board. One that is higher than a page would leave its heading alone."""


@dataclass(frozen=True, kw_only=True)
class Printed:
    """A drawing and its size in millimetres."""

    markup: Markup
    width: float
    height: float


@dataclass(frozen=True)
class _Place:
    """Where in a drawing a shape stands."""

    look: str
    in_tiles: bool = False
    is_new: bool = False
    in_key: bool = False


def printed(board: Board, highest: float = HIGHEST) -> Printed:
    """Draw a position for paper, at most so many millimetres high, with what is new in it marked."""
    drawing = ET.fromstring(svg.draw([board]))
    _, _, across, down = map(float, drawing.attrib["viewBox"].split())
    look = board.drawn_as
    scale = min(MILLIMETRES[look], WIDEST / across, highest / down)
    width, height = round(across * scale, 2), round(down * scale, 2)
    del drawing.attrib["class"]
    drawing.attrib |= {"width": f"{width}mm", "height": f"{height}mm", "xmlns": "http://www.w3.org/2000/svg"}
    for child in drawing:
        _dress(child, _Place(look))
    for group in list(drawing.iter()):
        group[:] = [one for child in group for one in _letter_by_letter(child)]
    return Printed(markup=Markup(ET.tostring(drawing, encoding="unicode")), width=width, height=height)


def _dress(shape: ET.Element, place: _Place) -> None:
    """Write the style of a shape, and of all within it, as attributes."""
    names = shape.attrib.pop("class", "").split()
    if shape.tag == "g":
        within = replace(
            place, in_tiles=place.in_tiles or "tiles" in names, is_new=place.is_new or "new" in names,
            in_key=place.in_key or "key" in names,
        )  # fmt: skip
        for child in shape:
            _dress(child, within)
        return
    style = _of_text(names, place) if shape.tag == "text" else _of_path(names, place)
    if shape.tag == "path" and "red" in names and place.in_tiles:
        shape.attrib["d"] = _rounded(shape.attrib["d"])
    shape.attrib |= {name: str(value) for name, value in style.items()}


def _letter_by_letter(shape: ET.Element) -> Iterator[ET.Element]:
    """Give each letter an element: the library can't set several in the middle of places of their own."""
    across, down = shape.get("x", "").split(), shape.get("y", "").split()
    if shape.tag != "text" or len(across) == 1:
        yield shape
        return
    for at, (letter, x) in enumerate(zip(shape.text or "", across, strict=True)):
        one = ET.Element("text", {**shape.attrib, "x": x, "y": down[min(at, len(down) - 1)]})
        one.text = letter
        yield one


def _rounded(drawn: str) -> str:
    """Make circles of square tiles, in the same places."""
    for tile, circle in ((letters.TILE, letters.ROUND), (racks.TILE, racks.ROUND)):
        drawn = drawn.replace(tile, circle)
    return drawn


def _of_text(names: Sequence[str], place: _Place) -> Mapping[str, object]:
    size, weight = _letter(names, place)
    return {
        "fill": _ink(names, place), "font-family": FONT, "font-size": size, "font-weight": weight,
        "text-anchor": "start" if place.in_key else "middle",
        **({"text-decoration": "line-through"} if "idle" in names and place.look == "pegs" else {}),
    }  # fmt: skip


def _letter(names: Sequence[str], place: _Place) -> tuple[float, int]:
    """Give size and weight of a text."""
    bold = 700 if place.is_new or "wrong" in names else 400
    if place.in_key:
        return 18, 400
    if "axis" in names:
        return ({"dominoes": 18, "pegs": 16}.get(place.look, 13), 400)
    if "value" in names:
        return (11, 400)
    if "name" in names:
        return (14, 700)
    sizes = {"tiles": 20, "dice": 21, "pegs": 20}
    return sizes.get(place.look, 19), 400 if "idle" in names else bold


def _ink(names: Sequence[str], place: _Place) -> str:
    if "axis" in names or "idle" in names:
        return SOFT
    if "wrong" in names or (place.look == "tiles" and place.in_tiles):
        return PAPER
    return RED if "red" in names else INK


def _of_path(names: Sequence[str], place: _Place) -> Mapping[str, object]:
    plain = _PLAIN.get(names[0]) if names else None
    if plain is not None and not (names[0] == "edge" and place.is_new):
        return plain
    if "edge" in names:
        return {"fill": INK, "stroke": "none"}
    if "field" in names:
        return {"fill": FIELDS[names[1]], "stroke": PAPER, "stroke-width": 0.75}
    if "symbol" in names:
        return {"fill": INK if "dark" in names else PAPER, "stroke": "none", "fill-rule": "evenodd"}
    if place.look == "tiles":
        return {"fill": RED if "red" in names else BLACK, "stroke": "none"}
    if place.look == "dice":
        if "idle" in names:
            return {"fill": "none", "stroke": EDGE, "stroke-width": 1.4, "stroke-dasharray": "3 2.5"}
        return {"fill": NEW if place.is_new else CARD, "stroke": INK, "stroke-width": 1.8}
    if "wrong" in names:
        return {"fill": "#9c221a", "stroke": "#6d120c"}
    if place.is_new:
        return {"fill": NEW, "stroke": INK, "stroke-width": 2.2}
    return {"fill": TILE, "stroke": RED if "red" in names else TILE_EDGE, "stroke-width": 1}


_PLAIN: Final[Mapping[str, Mapping[str, object]]] = {
    "grid": {"fill": "none", "stroke": LINE, "stroke-width": 0.8},
    "dots": {"stroke": EDGE, "stroke-width": 3, "stroke-linecap": "round"},
    "edge": {"fill": "none", "stroke": "none"},
    "hub": {"fill": CARD, "stroke": "none"},
    "blank": {"fill": PAPER, "stroke": "none"},
    "star": {"fill": INK, "stroke": "none"},
    "hole": {"fill": "none", "stroke": EDGE, "stroke-width": 1.4, "stroke-dasharray": "2 2"},
    "full": {"fill": INK, "stroke": INK, "stroke-width": 2},
    "ring": {"fill": CARD, "stroke": INK, "stroke-width": 3.4},
}
"""What looks the same wherever it stands."""
