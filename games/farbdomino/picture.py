"""How tiles are drawn: three by three cells each, the colours at the sides, the name in the middle."""

from collections.abc import Collection, Sequence
from typing import Final

from games.api import Cell, Grid, Seat, Text, say
from games.farbdomino.board import EAST, NORTH, SOUTH, WEST, Laid, table_of
from games.farbdomino.tiles import TILES, TONES, Sides

ACROSS: Final = 7
"""Tiles beside each other in one grid: a wider table is drawn in several."""

HAND_ACROSS: Final = 5

_BLANK: Final = Cell(text=" ")
_FREE: Final = Cell(text=".")


def plain(text: str) -> Text:
    """Show something that reads the same in every language."""
    return say("PLAIN", text=text)


def listed(tiles: Sequence[Laid]) -> Text:
    """Write laid tiles as a player would: `a2 0,1 ge; e1 1,1 ge`."""
    return plain("; ".join(laid.line for laid in tiles))


def draw_table(board: Sequence[Laid], new: Collection[str] = ()) -> tuple[Grid, ...]:
    """Draw the table with a free place all around; new tiles have their name in capitals."""
    xs, ys = [laid.x for laid in board] or [0], [laid.y for laid in board] or [0]
    width = max(xs) - min(xs) + 3
    parts = -(-width // ACROSS)
    across = -(-width // parts)
    up = range(max(ys) + 1, min(ys) - 2, -1)
    starts = range(min(xs) - 1, max(xs) + 2, across)
    return tuple(_grid(board, new, range(x, min(x + across, max(xs) + 2)), up) for x in starts)


def _grid(board: Sequence[Laid], new: Collection[str], across: range, up: range) -> Grid:
    table = table_of(board)
    rows: list[tuple[Cell, ...]] = []
    for y in up:
        tiles = [table.get((x, y)) for x in across]
        blocks = [_block(laid.sides, laid.tile, laid.tile in new) if laid else _free() for laid in tiles]
        rows += [tuple(cell for block in blocks for cell in block[line]) for line in range(3)]
    return Grid(columns=_labels(across), rows=_labels(up), cells=tuple(rows))


def _labels(numbers: range) -> tuple[str, ...]:
    return tuple(label for number in numbers for label in ("", str(number), ""))


def _block(sides: Sides, tile: str, new: bool) -> tuple[tuple[Cell, ...], ...]:
    field = [Cell(text=colour, new=new, tone=TONES[colour]) for colour in sides]
    name = Cell(text=tile.upper() if new else tile, new=new)
    return (
        (_BLANK, field[NORTH], _BLANK),
        (field[WEST], name, field[EAST]),
        (_BLANK, field[SOUTH], _BLANK),
    )


def _free() -> tuple[tuple[Cell, ...], ...]:
    return ((_BLANK,) * 3, (_BLANK, _FREE, _BLANK), (_BLANK,) * 3)


def draw_hand(hand: Sequence[str], seat: Seat | None = None) -> tuple[Grid, ...]:
    """Draw the tiles of a hand side by side, as they lie in the table of the rules page; those of a seat numbered."""
    if not hand:
        return ()
    rows: list[tuple[Cell, ...]] = []
    for start in range(0, len(hand), HAND_ACROSS):
        tiles = hand[start : start + HAND_ACROSS]
        blocks = [_block(TILES[tile], tile, new=False) for tile in tiles]
        blocks += [((_BLANK,) * 3,) * 3] * (min(HAND_ACROSS, len(hand)) - len(tiles))
        lines = [_spaced(tuple(block[line] for block in blocks)) for line in range(3)]
        rows += [(_BLANK,) * len(lines[0]), *lines] if rows else lines
    columns, names = (_numbers(size) if seat else ("",) * size for size in (len(rows[0]), len(rows)))
    return (Grid(seat=seat, columns=columns, rows=names, cells=tuple(rows)),)


def _numbers(cells: int) -> tuple[str, ...]:
    """Number tiles of three cells with one between, from 1: the number stands over the middle."""
    return tuple(str(at // 4 + 1) if at % 4 == 1 else "" for at in range(cells))


def _spaced(parts: Sequence[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    """Put a column of blanks between tiles that don't touch."""
    joined = tuple(cell for part in parts for cell in (*part, _BLANK))
    return joined[:-1]


def signed(counters: int) -> str:
    """Write a balance: `+7`, `-7`, `0`."""
    return f"{counters:+d}" if counters else "0"
