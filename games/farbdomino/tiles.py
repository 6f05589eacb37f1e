"""The thirty tiles: which colours lie on which side, and how they turn."""

from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

from games.api import Tone

COLOURS: Final = ("rt", "gn", "sw", "ge", "bl")
"""In the order in which the rows a to e lack them."""

TONES: Final[MappingProxyType[str, Tone]] = MappingProxyType(
    {"rt": "red", "gn": "green", "sw": "black", "ge": "yellow", "bl": "blue"}
)

Sides: TypeAlias = tuple[str, str, str, str]
"""The colours north, east, south, west."""

_ORDERS: Final = ("pqrs", "psrq", "prqs", "psqr", "pqsr", "prsq")
"""The six ways to arrange four colours around a square; 1 and 2, 3 and 4, 5 and 6 are mirror images."""


def _sides(missing: str, order: str) -> Sides:
    names = dict(zip("pqrs", (colour for colour in COLOURS if colour != missing), strict=True))
    north, east, south, west = (names[letter] for letter in order)
    return (north, east, south, west)


TILES: Final[MappingProxyType[str, Sides]] = MappingProxyType(
    {
        f"{row}{number}": _sides(missing, order)
        for (row, missing), (number, order) in product(zip("abcde", COLOURS, strict=True), enumerate(_ORDERS, 1))
    }
)
"""The tiles as they lie in the table of the rules page."""


@cache
def turned(tile: str, up: str) -> Sides:
    """Turn a tile until the colour is up; no colour lies twice on a tile, so this names the turn."""
    sides = TILES[tile]
    at = sides.index(up)
    north, east, south, west = (*sides[at:], *sides[:at])
    return (north, east, south, west)


def mirror(tile: str) -> str:
    """Give the other tile of its pair: 1 and 2, 3 and 4, 5 and 6."""
    number = int(tile[1])
    return f"{tile[0]}{number + 1 if number % 2 else number - 1}"
