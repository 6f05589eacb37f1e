"""The style guide: each part of a page once, from the stylesheet and the drawings of all pages. It is the demo's."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from games.api import Cell, Language, Tone
from gm.archive import layout
from gm.archive.game_pages.boards import unseen
from gm.archive.game_pages.tables import table
from gm.archive.record.record import Chart
from gm.drawing import chart, svg
from gm.drawing.chart import Curves, Line
from gm.drawing.picture import Picture
from gm.runtime.config.settings import Settings

PATH: Final = "stil/index.html"

TEXTS: Final = (
    ("ink", "paper"), ("soft", "paper"), ("soft", "card"), ("petrol", "paper"), ("visited", "paper"),
    ("on-head", "head"), ("on-petrol", "petrol"), ("green", "card"), ("amber", "card"), ("red", "card"),
    ("on-new", "new"), ("ink", "tile"), ("red-letter", "tile"),
    *((f"line-{number}", "paper") for number in range(1, 7)),
)  # fmt: skip
"""Colours that are written in, and the ground below them."""
EDGES: Final = (("edge", "card"), ("new-edge", "paper"))
"""Colours of lines that have to be seen."""
SIZES: Final = ("2.6", "1.35", "1.2", "1.08", "1", "0.95", "0.875", "0.8")
"""Of type, in rem; the three biggest are headings. Only the biggest shrinks on phones, to 1.9."""
SPACES: Final = (0.25, 0.5, 0.75, 1, 1.5, 2.5, 3)
"""In rem."""

_TOKEN: Final = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")


@dataclass(frozen=True, kw_only=True)
class Swatch:
    """A colour on its ground, with its contrast on light and dark screens."""

    front: str
    back: str
    light: float
    dark: float


def write(settings: Settings, folder: Path) -> Path:
    """Write the style guide beside the pages of an archive; returns where."""
    language = settings.service.language
    path = folder / PATH
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(layout.render(settings, PATH, "style.html", _parts(language), language))
    return path


def _parts(language: Language) -> dict[str, Any]:
    return {
        "swatches": [_told(one, language) for one in (*swatches(TEXTS), *swatches(EDGES))],
        "sizes": SIZES, "spaces": SPACES, "name": _NAMES[0],
        "curve": _curve(language), "scores": _scores(language),
        "boards": [(code, svg.draw([one])) for code, one in _boards()], "mini": svg.mini(_letters()),
    }  # fmt: skip


def _told(swatch: Swatch, language: Language) -> dict[str, str]:
    """Write a contrast as readers of a language write figures."""
    point = "," if language == "de" else "."
    light, dark = (f"{one:.1f}".replace(".", point) for one in (swatch.light, swatch.dark))
    return {"front": swatch.front, "back": swatch.back, "light": light, "dark": dark}


# -- colours -----------------------------------------------------------------------------------------------------------


def swatches(pairs: tuple[tuple[str, str], ...]) -> list[Swatch]:
    """Give pairs of colours with their contrasts, as the stylesheet has them."""
    light, dark = colours()
    return [
        Swatch(
            front=front, back=back, light=contrast(light[front], light[back]), dark=contrast(dark[front], dark[back])
        )
        for front, back in pairs
    ]  # fmt: skip


def colours() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Read the colours of the stylesheet, for light and for dark screens."""
    sheet = layout.static_file("css/base.css").decode()
    at = sheet.index("prefers-color-scheme: dark")
    light = dict(_TOKEN.findall(sheet[:at]))
    return light, light | dict(_TOKEN.findall(sheet[at:]))


def contrast(one: str, other: str) -> float:
    """Give the contrast of two colours as WCAG 2 counts it, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return round((light + 0.05) / (dark + 0.05), 1)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# -- figures -----------------------------------------------------------------------------------------------------------

_NAMES: Final = ("Anna\u00a0B.", "Bernd\u00a0C.", "Carla\u00a0D.")


def _curve(language: Language) -> Markup:
    """Draw a line for each of three seats."""
    figures = ((0, 12, 20, 41), (0, 7, 25, 33), (0, 9, 9, 18))
    lines = [Line(label=name, values=values) for name, values in zip(_NAMES, figures, strict=True)]
    title = layout.phrase(language, "STYLE_CURVE")
    return chart.draw(Curves(name="curve", title=title, description=title, rounds=range(4), lines=lines))


def _scores(language: Language) -> Markup:
    """Write a score card: each seat has a column."""
    title = layout.phrase(language, "STYLE_SCORES")
    points: tuple[tuple[str | int, ...], ...] = ((7, 12, 19), (5, "–", 5), (9, 15, 24))
    rows = tuple((name, *figures) for name, figures in zip(_NAMES, points, strict=True))
    head = ("", "1", "2", layout.phrase(language, "POINTS"))
    return table(Chart(head=head, rows=rows, is_card=True), unseen(title), title)


# -- boards ------------------------------------------------------------------------------------------------------------


def _boards() -> Iterator[tuple[str, Picture]]:
    """Make a board of each look, with all that a cell can be."""
    yield "STYLE_LETTERS", _letters()
    yield "STYLE_DOMINOES", _picture("dominoes", ((_domino("b2"), _domino("c4", new=True)),), columns="01", rows="0")
    rack = tuple(Cell(text=letter, value=value, tone=tone) for letter, value, tone in _RACK)
    yield "STYLE_TILES", _picture("tiles", ((*rack, Cell(text="*", mark="joker")),))
    dice = tuple(Cell(text=letter, mark="idle" if letter == "M" else "") for letter in "WÜRFELM")
    yield "STYLE_DICE", _picture("dice", (dice,))
    pegs = (Cell(text="●", mark="full"), Cell(text="○", mark="ring"), Cell(), Cell())
    yield "STYLE_PEGS", _picture("pegs", ((*(Cell(text=letter) for letter in "SATZ"), *pegs),))


_RACK: Final[tuple[tuple[str, int, Tone], ...]] = (("H", 2, ""), ("E", 1, "red"), ("X", 9, ""), ("E", 1, "red"))


def _letters() -> Picture:
    """Make a board with letters that are old, new, red, a joker's and refused."""
    rows = (
        (Cell(text="H", value=2), Cell(text="A", tone="red", value=1), Cell(text="L", new=True, value=2), Cell()),
        (Cell(), Cell(text="U", tone="red", mark="joker"), Cell(text="U", new=True, tone="red", value=6), Cell()),
        (Cell(), Cell(text="F", value=5), Cell(text="X", mark="wrong"), Cell(text="T", new=True, value=1)),
    )
    return _picture("letters", rows, columns="abcd", rows="123")


def _domino(name: str, *, new: bool = False) -> Cell:
    tones: tuple[tuple[str, Tone], ...] = (("rt", "red"), ("gn", "green"), ("sw", "black"), ("ge", "yellow"))
    sides = tuple(
        Cell(text=text, tone=tone) for text, tone in (tones if not new else (*tones[2:], ("bl", "blue"), tones[0]))
    )
    return Cell(text=name, new=new, sides=sides)


def _picture(look: Any, cells: tuple[tuple[Cell, ...], ...], *, columns: str = "", rows: str = "") -> Picture:
    across = tuple(columns) or tuple(map(str, range(1, len(cells[0]) + 1)))
    return Picture(look=look, title=look, columns=across, rows=tuple(rows) or ("",), cells=cells)
