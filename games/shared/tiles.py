"""The 80 tiles of the Typ-Dom family: their colours and values, racks, the bag, dealing and drawing.

A tile is one sign: `A` to `Z`, `*` for the red joker, `#` for the black one. Racks and the bag are strings of them.
On a board a tile is a capital, and a joker the small letter that it stands for: its colour follows from the letter.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from games.dice import Dice

Colour: TypeAlias = Literal["red", "black"]

RED_JOKER: Final = "*"
BLACK_JOKER: Final = "#"
JOKERS: Final = RED_JOKER + BLACK_JOKER
VOWELS: Final = "AEIOUY"
"""The letters of the red tiles."""
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_NUMBERS: Final = (7, 2, 2, 3, 9, 3, 2, 3, 4, 1, 2, 4, 3, 6, 4, 2, 1, 4, 4, 3, 4, 1, 1, 1, 1, 1)
_POINTS: Final = (1, 4, 4, 3, 1, 3, 4, 3, 1, 6, 4, 2, 3, 2, 1, 4, 9, 2, 2, 3, 1, 6, 6, 9, 9, 6)

POINTS: Final[Mapping[str, int]] = MappingProxyType(dict(zip(LETTERS, _POINTS, strict=True)))
"""What a letter is worth in Point-Typ-Dom."""

_ORDER: Final = VOWELS + RED_JOKER + "".join(letter for letter in LETTERS if letter not in VOWELS) + BLACK_JOKER
TILES: Final = "".join(
    tile * (1 if tile in JOKERS else dict(zip(LETTERS, _NUMBERS, strict=True))[tile]) for tile in _ORDER
)
"""The whole set in order: 30 red tiles, 50 black ones."""


def colour(tile: str) -> Colour:
    """Say the colour of a tile, or of the tiles that a letter may lie on."""
    return "red" if tile in VOWELS or tile == RED_JOKER else "black"


def count_colours(tiles: str) -> tuple[int, int]:
    """Count the red tiles and the black ones."""
    red = sum(colour(tile) == "red" for tile in tiles)
    return red, len(tiles) - red


def worth(tile: str) -> int:
    """Say what a tile left over costs its owner: a joker 10, a red one 3, a black one 1."""
    return 10 if tile in JOKERS else 3 if colour(tile) == "red" else 1


def joker_for(letter: str) -> str:
    """Give the joker that may stand for a letter."""
    return RED_JOKER if letter in VOWELS else BLACK_JOKER


def on_board(letter: str, *, joker: bool) -> str:
    """Write a tile as it lies on a board: `A`, or `a` for a joker that stands for A."""
    return letter.lower() if joker else letter


def tile_of(sign: str) -> str:
    """Give the tile that lies on a board as this sign: `A` for `A`, the red joker for `a`."""
    return joker_for(sign.upper()) if sign.islower() else sign


def in_order(tiles: str) -> str:
    """Sort tiles: red by the alphabet, red joker, black by the alphabet, black joker."""
    return "".join(sorted(tiles, key=_ORDER.index))


def shown(tiles: str) -> str:
    """Write tiles for players, red then black, both jokers as a star: `EIOU* DFLLRSTW`."""
    red = "".join(tile for tile in in_order(tiles) if colour(tile) == "red")
    black = "".join(tile for tile in in_order(tiles) if colour(tile) == "black")
    return f"{red} {black.replace(BLACK_JOKER, '*')}".strip()


def without(rack: str, tiles: str) -> str | None:
    """Take tiles from a rack; None where it doesn't hold them all."""
    left = Counter(rack)
    left.subtract(tiles)
    return None if min(left.values(), default=0) < 0 else in_order("".join(left.elements()))


def deal(dice: Dice, seats: int, red: int, black: int) -> tuple[tuple[str, ...], str]:
    """Mix the set and give each seat its tiles. The bag stays in its drawn order."""
    bag = "".join(dice.shuffled(TILES))
    wishes: list[Colour] = ["red" if n < red else "black" for n in range(red + black)]
    racks: list[str] = []
    for _ in range(seats):
        rack, bag = draw(bag, wishes)
        racks.append(in_order(rack))
    return tuple(racks), bag


def draw(bag: str, wishes: Sequence[Colour | None]) -> tuple[str, str]:
    """Draw a tile for each wish, None for any colour; give what was drawn and what is left.

    The bag lies in a drawn order, so its first tile of a colour is as good as any. Where a colour is used up, a tile
    of the other one is drawn; where the bag is empty, none.
    """
    drawn = ""
    for wish in wishes:
        at = next((at for at, tile in enumerate(bag) if wish in (None, colour(tile))), 0)
        drawn += bag[at : at + 1]
        bag = bag[:at] + bag[at + 1 :]
    return drawn, bag


def begins(racks: Sequence[str]) -> int:
    """Say which rack (from 0) begins: the letter nearest to Z, then the next one, then the earlier rack."""
    letters = [sorted((tile for tile in rack if tile not in JOKERS), reverse=True) for rack in racks]
    return letters.index(max(letters))
