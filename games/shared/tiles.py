"""A set of 80 red and black letter tiles: colours and values, racks, the bag, dealing and drawing.

A tile is one character: `A` to `Z`, `*` the red joker, `#` the black one. Racks and the bag are strings of them.
On a board a tile is a capital, and a joker is the small letter that it stands for. Its colour follows from the letter.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from games.api import Cell, Grid, Seat, Text, say
from games.dice import Dice
from games.shared.phrases import plain

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
"""What a letter is worth where words bring points."""
VALUES: Final = ", ".join(
    f"{' '.join(letter for letter, points in POINTS.items() if points == value)} {value}"
    for value in sorted(set(POINTS.values()))
)
"""The same for players: the letters of each value, and the value."""

_ORDER: Final = VOWELS + RED_JOKER + "".join(letter for letter in LETTERS if letter not in VOWELS) + BLACK_JOKER
TILES: Final = "".join(
    tile * (1 if tile in JOKERS else dict(zip(LETTERS, _NUMBERS, strict=True))[tile]) for tile in _ORDER
)
"""The whole set in order: 30 red tiles, then 50 black ones."""


def colour(tile: str) -> Colour:
    """Return the colour of a tile, or of the tiles with this letter."""
    return "red" if tile in VOWELS or tile == RED_JOKER else "black"


def count_colours(tiles: str) -> tuple[int, int]:
    """Count the red tiles and the black ones."""
    red = sum(colour(tile) == "red" for tile in tiles)
    return red, len(tiles) - red


def worth(tiles: str) -> int:
    """Add up what tiles left over cost their owner: a joker 10, a red one 3, a black one 1."""
    return sum(10 if tile in JOKERS else 3 if colour(tile) == "red" else 1 for tile in tiles)


def joker_for(letter: str) -> str:
    """Return the joker that may stand for a letter."""
    return RED_JOKER if letter in VOWELS else BLACK_JOKER


def on_board(letter: str, *, joker: bool) -> str:
    """Write a tile as it lies on a board: `A`, or `a` for a joker that stands for A."""
    return letter.lower() if joker else letter


def tile_of(sign: str) -> str:
    """Return the tile that lies on a board as this sign: `A` for `A`, the red joker for `a`."""
    return joker_for(sign.upper()) if sign.islower() else sign


def in_order(tiles: str) -> str:
    """Sort tiles: red by the alphabet, red joker, black by the alphabet, black joker."""
    return "".join(sorted(tiles, key=_ORDER.index))


def shown(tiles: str) -> str:
    """Write tiles for players, red then black, both jokers as a star: `EIOU* DFLLRSTW`."""
    red = "".join(tile for tile in in_order(tiles) if colour(tile) == "red")
    black = "".join(tile for tile in in_order(tiles) if colour(tile) == "black")
    return f"{red} {black.replace(BLACK_JOKER, '*')}".strip()


def rack_grid(tiles: str, said: Text, seat: Seat | None = None, *, worth: bool = False) -> Grid:
    """Draw tiles side by side, red ones first, each with its value where words bring points. `said` is the same."""
    cells = tuple(_rack_cell(tile, worth=worth) for tile in in_order(tiles))
    return Grid(look="tiles", seat=seat, columns=("",) * len(cells), rows=("",), cells=(cells,), said=said)


def _rack_cell(tile: str, *, worth: bool) -> Cell:
    if tile in JOKERS:
        return Cell(text="*", tone=colour(tile), mark="joker", value=0 if worth else None)
    return Cell(text=tile, tone=colour(tile), value=POINTS[tile] if worth else None)


def tile_name(tile: str) -> Text:
    """Name a tile: `E`, `Joker (schwarz)`. The game words `RED_JOKER` and `BLACK_JOKER`."""
    if tile in JOKERS:
        return say("RED_JOKER" if tile == RED_JOKER else "BLACK_JOKER")
    return plain(tile)


def without(rack: str, tiles: str) -> str | None:
    """Take tiles from a rack; None if it doesn't hold them all."""
    left = Counter(rack)
    left.subtract(tiles)
    return None if min(left.values(), default=0) < 0 else in_order("".join(left.elements()))


def deal(dice: Dice, seats: int, red: int, black: int) -> tuple[tuple[str, ...], str]:
    """Mix the set and deal. Returns the racks, and the bag in random order."""
    bag = "".join(dice.shuffled(TILES))
    wishes: list[Colour] = ["red" if n < red else "black" for n in range(red + black)]
    racks: list[str] = []
    for _ in range(seats):
        rack, bag = draw(bag, wishes)
        racks.append(in_order(rack))
    return tuple(racks), bag


def draw(bag: str, wishes: Sequence[Colour | None]) -> tuple[str, str]:
    """Draw a tile for each wish, None for any colour. Returns what was drawn and what is left in the bag.

    The bag is in random order, so its first tile of a colour is a random one. If a colour is used up, a tile of the
    other colour is drawn; from an empty bag, none.
    """
    drawn = ""
    for wish in wishes:
        at = next((at for at, tile in enumerate(bag) if wish in (None, colour(tile))), 0)
        drawn += bag[at : at + 1]
        bag = bag[:at] + bag[at + 1 :]
    return drawn, bag


def redeal(
    racks: tuple[str, ...], bag: str, known: Sequence[str], told: Callable[[Sequence[str]], object], dice: Dice
) -> tuple[tuple[str, ...], str]:
    """Deal all tiles anew that somebody can't see. Returns the racks, and the bag in random order.

    `known` are the tiles of each rack that stay there. Everybody sees the backs: each rack, and the bag, holds as many
    tiles of a colour as before. What is `told` of the racks in another way stays the same as well.
    """
    ways = (_redealt(racks, bag, known, dice) for _ in range(_TRIES))
    return next((way for way in ways if told(way[0]) == told(racks)), (racks, bag))


def _redealt(racks: tuple[str, ...], bag: str, known: Sequence[str], dice: Dice) -> tuple[tuple[str, ...], str]:
    loose = tuple(without(rack, stays) or "" for rack, stays in zip(racks, known, strict=True))
    hidden = in_order("".join(loose) + bag)
    piles = {back: list(dice.shuffled([tile for tile in hidden if colour(tile) == back])) for back in _BACKS}
    drawn = tuple("".join(piles[colour(tile)].pop() for tile in tiles) for tiles in loose)
    dealt = tuple(in_order(stays + tiles) for stays, tiles in zip(known, drawn, strict=True))
    return dealt, "".join(dice.shuffled([tile for back in _BACKS for tile in piles[back]]))


_BACKS: Final[tuple[Colour, ...]] = ("red", "black")
_TRIES: Final = 1000


def begins(racks: Sequence[str]) -> int:
    """Return which rack (from 0) begins: the one with the letter nearest to Z; if equal, the next letter decides."""
    letters = [sorted((tile for tile in rack if tile not in JOKERS), reverse=True) for rack in racks]
    return letters.index(max(letters))
