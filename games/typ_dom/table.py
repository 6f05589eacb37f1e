"""The board and the rack in hand in the middle of a turn, and what a word on the board is worth."""

from dataclasses import dataclass, replace

from games.plane import BLANK, Rows, Spot, lay, sign_at, spot_named
from games.tiles import POINTS, in_order, joker_for, tile_of, without
from games.typ_dom.state import Exchange, Laying, Step


@dataclass(frozen=True, kw_only=True)
class Table:
    """What lies, and what is in hand."""

    rows: Rows
    rack: str

    def after(self, step: Step) -> "Table":
        """Carry out a step that was found legal."""
        return self._exchanged(step) if isinstance(step, Exchange) else self._laid(step)

    def _exchanged(self, step: Exchange) -> "Table":
        left = without(self.rack, step.letter) or ""
        rows = lay(self.rows, {named(step.cell): step.letter})
        return Table(rows=rows, rack=in_order(left + joker_for(step.letter)))

    def _laid(self, step: Laying) -> "Table":
        new = new_signs(self.rows, step)
        left = without(self.rack, "".join(tile_of(sign) for sign in new.values()))
        return replace(self, rows=lay(self.rows, new), rack=left or "")


def named(cell: str) -> Spot:
    """Find a cell that a move names."""
    spot = spot_named(cell)
    if spot is None:
        raise ValueError(f"no cell: {cell}")
    return spot


def spots_of(step: Laying) -> tuple[Spot, ...]:
    """Give the cells of a word."""
    return tuple(named(step.start).moved(step.direction, at) for at in range(len(step.signs)))


def new_signs(rows: Rows, step: Laying) -> dict[Spot, str]:
    """Give what a word brings into blank cells."""
    return {spot: sign for spot, sign in zip(spots_of(step), step.signs, strict=True) if sign_at(rows, spot) == BLANK}


def score(signs: str) -> int:
    """Add up the values of all letters of a word, those that lay before included; a joker counts nothing."""
    return sum(POINTS.get(sign, 0) for sign in signs)
