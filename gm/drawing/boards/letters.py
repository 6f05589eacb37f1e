"""Grids of letters: a tile for each letter, red ones, jokers with a star, small values at the foot."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from markupsafe import escape

from games.api import Cell
from gm.drawing.boards import mail
from gm.drawing.boards.markup import Placed, path, signs
from gm.drawing.picture import Picture

SIZE: Final = 30
LABELS: Final = 20
"""Units for the labels above and on the left."""

TILE: Final = "h22q3 0 3 3v22q0 3-3 3h-22q-3 0-3-3v-22q0-3 3-3z"
ROUND: Final = "m-3 14a14 14 0 1 0 28 0 14 14 0 1 0-28 0z"
"""A round tile at the same corner, for paper."""
_BLANK: Final = "h28v28h-28z"
_STAR: Final = "l1.4 3 3.3.4-2.4 2.3.6 3.3-2.9-1.6-2.9 1.6.6-3.3-2.4-2.3 3.3-.4z"


def extent(columns: Sequence[str], rows: Sequence[str]) -> tuple[int, int]:
    """Give the width and the height of a board."""
    return LABELS + SIZE * len(columns) + 1, LABELS + SIZE * len(rows) + 1


def corner(columns: Sequence[str], column: int, row: int) -> tuple[int, int]:  # noqa: ARG001 (pegs need them)
    """Give the upper left corner of a cell."""
    return LABELS + SIZE * column, LABELS + SIZE * row


def ground(columns: Sequence[str], rows: Sequence[str], shown: Picture) -> str:  # noqa: ARG001 (dominoes need it)
    """Draw the lines between the cells, and the labels."""
    width, height = SIZE * len(columns), SIZE * len(rows)
    across = (f"M{LABELS} {LABELS + SIZE * at}h{width}" for at in range(len(rows) + 1))
    down = (f"M{LABELS + SIZE * at} {LABELS}v{height}" for at in range(len(columns) + 1))
    names = [(LABELS + SIZE * at + 15, 13, name) for at, name in enumerate(columns)]
    beside = [(9, LABELS + SIZE * at + 19, name) for at, name in enumerate(rows)]
    return path((*across, *down), "grid") + signs((*names, *beside), "axis")


def tiles(placed: Sequence[Placed], *, small: bool = False) -> str:
    """Draw tiles; those of a kind are one path and one text."""
    kinds = groupby(sorted(placed, key=_kind), key=_kind)
    drawn = "".join(_of_a_kind(kind, list(some)) for kind, some in kinds)
    return drawn if small else drawn + _details(placed)


def blanks(placed: Sequence[Placed]) -> str:
    """Paint over cells that have become blank."""
    return path((f"M{one.left + 1} {one.top + 1}{_BLANK}" for one in placed), "blank")


def shown(text: str) -> str:
    """Write what lies in a cell: in capitals, the star of a joker is drawn."""
    return text.strip().upper().removesuffix("*") or text.strip()


def _kind(one: Placed) -> str:
    if one.cell.mark == "wrong":
        return "wrong"
    return " ".join(name for name, holds in (("red", one.cell.tone == "red"), ("pale", one.is_pale)) if holds)


def _of_a_kind(kind: str, some: Sequence[Placed]) -> str:
    grounds = path((f"M{one.left + 4} {one.top + 1}{TILE}" for one in some), kind)
    return grounds + signs(((one.left + 15, one.top + 21, shown(one.cell.text)) for one in some), kind)


def _details(placed: Sequence[Placed]) -> str:
    worth = [(one.left + 24, one.top + 26, str(one.cell.value)) for one in placed if one.cell.value is not None]
    jokers = [one for one in placed if one.cell.mark == "joker"]
    stars = "".join(f"M{one.left + 23} {one.top + 2}{_STAR}" for one in jokers)
    return signs(worth, "value") + path([stars], "star")


# -- mails -------------------------------------------------------------------------------------------------------------

_SIZES: Final = ((8, (32, 19, 11)), (12, (22, 16, 11)), (99, (16, 13, 9)))
"""Up to how many columns cells are how high, and letters and labels how large."""
_SMALL: Final = (16, 14, 10)
"""The same of one of many boards: two of them stand beside each other on a phone."""
_WIDE: Final = 12
"""Boards with more columns have thinner edges."""


def mail_rows(shown: Picture, *, is_small: bool) -> str:
    """Write the rows of a table: labels, and a cell for each letter, in the case that the game gives it."""
    sizes = next(sizes for most, sizes in _SIZES if len(shown.columns) <= most)
    height, size, small = min(sizes, _SMALL) if is_small else sizes
    edge = 1 if len(shown.columns) > _WIDE else 2
    width = f";width:{height + 2 * edge}px"
    head = "".join(mail.label(name, "col", width) for name in shown.columns)
    rows = (
        mail.label(name, "row", f";font-size:{max(small, 10)}px;padding:0 4px 0 0")
        + "".join(_mail_cell(cell, edge) for cell in line)
        for name, line in zip(shown.rows, shown.cells, strict=True)
    )
    return mail.row(f"<td></td>{head}", small, 14) + "".join(mail.row(cells, size, height) for cells in rows)


@lru_cache(maxsize=1000)
def _mail_cell(item: Cell, edge: int) -> str:
    text = str(escape(item.text.strip() or "\u00a0"))
    if item.mark == "wrong":
        return mail.cell(f"<b>{text}</b>", mail.WRONG, mail.WHITE, f";border:{edge}px solid {mail.WRONG_EDGE}")
    if item.new:
        return mail.cell(f"<b>{text}</b>", mail.NEW, mail.INK, f";border:{edge}px solid {mail.NEW_EDGE}")
    if not item.text.strip(" ."):
        return "<td></td>" if item.text == " " else f'<td style="border:{edge}px solid {mail.LINE}">&nbsp;</td>'
    letter = mail.RED_LETTER if item.tone == "red" else mail.INK
    return mail.cell(text, mail.TILE, letter, f";border:{edge}px solid {mail.TILE_EDGE}")
