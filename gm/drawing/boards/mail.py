"""Pieces of the tables that mails have in place of SVG, as the programs that show mails want them.

A ground stands twice, as attribute and as shorthand: GMX knows no other (bulletins.md 3). Each colour keeps its
contrast when a program turns light and dark round.
"""

from functools import lru_cache
from typing import Final

from markupsafe import escape

INK: Final = "#20242a"
SOFT: Final = "#5a5f66"
PAPER: Final = "#fffdf8"
TILE: Final = "#f3ecdc"
TILE_EDGE: Final = "#b9ad93"
NEW: Final = "#ffe390"
NEW_EDGE: Final = "#7d6000"
WRONG: Final = "#9c221a"
WRONG_EDGE: Final = "#6d120c"
LINE: Final = "#d9d2c3"
RED_LETTER: Final = "#9c221a"
RED: Final = "#b3261e"
BLACK: Final = "#26282b"
WHITE: Final = "#ffffff"


def cell(text: str, ground: str, letter: str, style: str = "", more: str = "") -> str:
    """Write a cell with its ground and the colour of its text."""
    return f'<td{more} bgcolor="{ground}" style="background:{ground};color:{letter}{style}">{text}</td>'


@lru_cache(maxsize=1000)
def label(name: str, more: str = "", style: str = "") -> str:
    """Write the heading of a row or column; an empty one is no heading."""
    tag = f'th scope="{more}"' if name else "td"
    return f'<{tag} style="font-weight:normal{style}">{escape(name)}</{tag[:2]}>'


def row(cells: str, size: int, height: int) -> str:
    """Write a row: letters are set for all its cells."""
    return f'<tr align="center" style="font-size:{size}px;line-height:{height}px">{cells}</tr>\n'
