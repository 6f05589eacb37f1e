"""The thirty tiles and the table: what fits where, which squares are complete, and how both are drawn."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

from games.api import Cell, Grid, Seat, Text, Tone
from games.shared.phrases import plain

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
    """Return the other tile of its pair: 1 and 2, 3 and 4, 5 and 6."""
    number = int(tile[1])
    return f"{tile[0]}{number + 1 if number % 2 else number - 1}"


NORTH, EAST, SOUTH, WEST = range(4)

STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""One place to the north, east, south, west: x to the right, y upwards."""


@dataclass(frozen=True, kw_only=True)
class Laid:
    """A tile at its place, and the colour that is up."""

    tile: str
    x: int
    y: int
    up: str

    @property
    def sides(self) -> Sides:
        """Its colours as it lies."""
        return turned(self.tile, self.up)

    @property
    def line(self) -> str:
        """Write it as a line of a move: `a2 0,1 ge`."""
        return f"{self.tile} {self.x},{self.y} {self.up}"


Place: TypeAlias = tuple[int, int]
Table: TypeAlias = dict[Place, Laid]
"""What lies where."""


@dataclass(frozen=True, kw_only=True)
class Misfit:
    """Two fields that should have the same colour but don't: one of a neighbour, one of the tile to be laid."""

    direction: int
    neighbour: str
    side: int
    """Which side of the tile to be laid."""
    theirs: str
    ours: str


def table_of(board: Sequence[Laid]) -> Table:
    """Find the tiles by their places."""
    return {(laid.x, laid.y): laid for laid in board}


def misfits(table: Table, laid: Laid) -> tuple[Misfit, ...]:
    """Name all pairs of fields that differ: the touching ones, and the two beside them (rule 1)."""
    return tuple(_misfits(table, laid))


def _misfits(table: Table, laid: Laid) -> Iterator[Misfit]:
    ours = laid.sides
    for direction, (right, up) in enumerate(STEPS):
        neighbour = table.get((laid.x + right, laid.y + up))
        if neighbour:
            theirs, opposite = neighbour.sides, (direction + 2) % 4
            # The touching field faces ours; the lateral ones lie on the same side of both tiles.
            pairs = [(direction, opposite), *((side, side) for side in range(4) if side not in (direction, opposite))]
            for side, their_side in pairs:
                if ours[side] != theirs[their_side]:
                    yield Misfit(
                        direction=direction, neighbour=neighbour.tile, side=side,
                        theirs=theirs[their_side], ours=ours[side],
                    )  # fmt: skip


def touches(table: Table, place: Place) -> bool:
    """Return whether a tile lies beside a place."""
    return any((place[0] + right, place[1] + up) in table for right, up in STEPS)


def openings(table: Table) -> tuple[Place, ...]:
    """Return the free places beside the tiles that lie; on an empty table the middle."""
    if not table:
        return ((0, 0),)
    around = {(x + right, y + up) for x, y in table for right, up in STEPS}
    return tuple(sorted(around - table.keys()))


def fitting(table: Table, tile: str, place: Place) -> Laid | None:
    """Turn a tile so that it fits at a free place; None if it can't.

    Beside a neighbour at most one turn fits, because three of its four colours are given. On an empty table the tile
    lies as in the table of the rules page.
    """
    ways = (Laid(tile=tile, x=place[0], y=place[1], up=up) for up in TILES[tile])
    return next((laid for laid in ways if not misfits(table, laid)), None)


def placements(table: Table, hand: Collection[str]) -> Iterator[Laid]:
    """Find all ways to lay one tile of a hand."""
    free = openings(table)
    for tile in hand:
        for place in free:
            laid = fitting(table, tile, place)
            if laid:
                yield laid


def squares(table: Table, place: Place) -> int:
    """Count the complete squares of four tiles that a place belongs to."""
    x, y = place
    return sum(
        all((x + right + dx, y + up + dy) in table for dx in (0, 1) for dy in (0, 1))
        for right in (-1, 0)
        for up in (-1, 0)
    )


HAND_ACROSS: Final = 5
"""Tiles of a hand beside each other."""
_BETWEEN: Final = Cell(text=" ")
"""Where no tile can lie."""


def listed(tiles: Sequence[Laid]) -> Text:
    """Write laid tiles as a player would: `a2 0,1 ge; e1 1,1 ge`."""
    return plain("; ".join(laid.line for laid in tiles))


def draw_table(board: Sequence[Laid], new: Collection[str] = ()) -> tuple[Grid, ...]:
    """Draw the table with a free place all around; new tiles have their name in capitals."""
    table = table_of(board)
    xs, ys = [laid.x for laid in board] or [0], [laid.y for laid in board] or [0]
    across, up = range(min(xs) - 1, max(xs) + 2), range(max(ys) + 1, min(ys) - 2, -1)
    cells = tuple(tuple(_cell(laid, new) if (laid := table.get((x, y))) else Cell() for x in across) for y in up)
    return (Grid(look="dominoes", columns=tuple(map(str, across)), rows=tuple(map(str, up)), cells=cells),)


def _cell(laid: Laid, new: Collection[str]) -> Cell:
    return _drawn(laid.tile, laid.sides, new=laid.tile in new)


def _drawn(tile: str, sides: Sides, *, new: bool = False) -> Cell:
    fields = tuple(Cell(text=colour, tone=TONES[colour]) for colour in sides)
    return Cell(text=tile.upper() if new else tile, new=new, sides=fields)


def draw_hand(hand: Sequence[str], seat: Seat | None = None) -> tuple[Grid, ...]:
    """Draw the tiles of a hand side by side, turned as on the rules page. With a seat they are numbered."""
    if not hand:
        return ()
    across = min(HAND_ACROSS, len(hand))
    tiles = [_drawn(tile, TILES[tile]) for tile in hand]
    tiles += [_BETWEEN] * (-len(tiles) % across)
    cells = tuple(tuple(tiles[at : at + across]) for at in range(0, len(tiles), across))
    columns, rows = (tuple(str(at + 1) if seat else "" for at in range(size)) for size in (across, len(cells)))
    return (Grid(look="tiles", seat=seat, columns=columns, rows=rows, cells=cells),)
