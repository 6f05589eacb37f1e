"""The table: what lies where, what fits where, and which squares are complete."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.farbdomino.tiles import TILES, Sides, turned

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
    """Two fields that ought to have one colour: of the neighbour in a direction, and of the tile to be laid."""

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
    """Ask whether a tile lies beside a place."""
    return any((place[0] + right, place[1] + up) in table for right, up in STEPS)


def openings(table: Table) -> tuple[Place, ...]:
    """Give the free places beside the tiles that lie; on an empty table the middle."""
    if not table:
        return ((0, 0),)
    around = {(x + right, y + up) for x, y in table for right, up in STEPS}
    return tuple(sorted(around - table.keys()))


def fitting(table: Table, tile: str, place: Place) -> Laid | None:
    """Turn a tile so that it fits at a free place, or give None.

    Beside a neighbour at most one turn fits: three of four different colours are given. Alone it stays as in the table.
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
