"""Boards as pictures: a single position with what is new in it, or the same board after each round."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from markupsafe import Markup

from games.api import Cell
from gm.archive import layout
from gm.archive.record.record import SeatRecord, Snapshot
from gm.drawing import svg
from gm.drawing.parts import Board, Outline, Part

LEAST: Final = {"dominoes": 0.43, "hand": 0.43}
"""Pixels of a unit of a drawing, at least, by look: dominoes of 26 pixels."""
OTHERS_LEAST: Final = 0.6
"""The same of all others: cells of 18 pixels. `game.css` has these figures as well."""
PHONE: Final = 288
"""Pixels across on the smallest phone."""
SIZES: Final = (("small", 210), ("medium", 310))
"""Units across of boards that may stand beside others."""

_ACROSS: Final = re.compile(r'viewBox="\S+ \S+ ([\d.]+)')

Key = tuple[str, int, int]
"""What makes a board the same in two rounds: how it is drawn, whose it is (0: of all), and its number among those."""


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A board of a round, and its name on a page."""

    key: Key
    board: Board
    name: str


def placed(snapshot: Snapshot, seats: Sequence[SeatRecord]) -> list[Placed]:
    """List the boards of a round with what makes each the same as in other rounds.

    One that belongs to nobody belongs to the seat that its section is about, if that has no other board.
    """
    found: list[Placed] = []
    counted: dict[tuple[str, int], int] = {}
    names = {one.seat: one.name for one in seats} | dict(snapshot.names)
    for part in snapshot.parts:
        for board in part.boards:
            seat = board.seat or (_seat_of(part, names) if len(part.boards) == 1 else 0)
            number = counted[board.look, seat] = counted.get((board.look, seat), 0) + 1
            name = board.name or names.get(seat) or part.heading
            found.append(Placed(key=(board.look, seat, number), board=board, name=name))
    return found


def _seat_of(part: Part, names: Mapping[int, str]) -> int:
    named = [seat for seat, name in names.items() if re.search(rf"(?<!\w){re.escape(name)}(?!\w| \()", part.heading)]
    return max(named, key=lambda seat: len(names[seat])) if named else 0


def only_grows(boards: Sequence[Board | None]) -> bool:
    """Whether nothing is ever taken from a board, so that one drawing shows it after every round."""
    lying: frozenset[tuple[str, str]] = frozenset()
    for board in boards:
        now = _filled(board) if board else frozenset()
        if not lying <= now:
            return False
        lying = now
    return True


def _filled(board: Board) -> frozenset[tuple[str, str]]:
    return frozenset(
        (column, row)
        for row, line in zip(board.rows, board.cells, strict=True)
        for column, cell in zip(board.columns, line, strict=True)
        if cell.text.strip(" .")
    )


def position(
    board: Board, caption: str, label: str, *, is_own: bool, outlines: Sequence[Outline] | None = None
) -> Markup:  # fmt: skip
    """Draw one position, with what is new in it marked."""
    return _figure([board], caption, label, outlines, [board.note], is_own=is_own)


def over_rounds(
    boards: Sequence[Board | None], name: str, caption: str, outlines: Sequence[Outline] | None, notes: Sequence[str],
    *, is_own: bool,
) -> Markup:  # fmt: skip
    """Draw the same board after each round, None where it isn't there yet; `notes` has what is said of each."""
    last = next(board for board in reversed(boards) if board)
    shown = [replace(board or _blank(last), name=name) for board in boards]
    return _figure(shown, caption, name, outlines, notes, is_own=is_own)


def _blank(board: Board) -> Board:
    return replace(board, cells=tuple(tuple(Cell() for _ in line) for line in board.cells))


def _figure(
    rounds: Sequence[Board], caption: str, label: str, outlines: Sequence[Outline] | None, notes: Sequence[str],
    *, is_own: bool,
) -> Markup:  # fmt: skip
    """Draw a board, of one seat or of all.

    On a phone it shrinks as far as it can be read; what is wider scrolls, and begins at what is new.

    The stylesheet makes of its width, a class, how large letters are and from where on it scrolls.
    """
    drawn = svg.draw(rounds, outlines)
    units = _units(drawn)
    size = next((name for name, most in SIZES if is_own and units <= most), "large")
    is_wide = units * LEAST.get(rounds[-1].drawn_as, OTHERS_LEAST) > PHONE
    shown = layout.piece("framed", drawn + _newest(rounds), label) if is_wide else drawn
    width = min(ceil(units / layout.WIDTH_STEP), layout.WIDTHS)
    return layout.piece("figure", size, width, caption, _notes(notes), shown)


def _newest(rounds: Sequence[Board]) -> Markup:
    """Mark where in a frame the newest tiles lie: a browser that can scrolls there at first."""
    at = svg.newest(rounds)
    return Markup("") if at is None else layout.piece("newest", round(at * layout.PLACES_ACROSS))


def _notes(notes: Sequence[str]) -> list[tuple[int | None, str]]:
    """Give what is said of each round, of which the page shows one; once and of no round, where it never changes."""
    if len({*notes}) == 1:
        return [(None, notes[0])] if notes[0] else []
    return [(at, note) for at, note in enumerate(notes) if note]


def _units(drawn: Markup) -> float:
    """Give the width of a drawing in units of its own."""
    across = _ACROSS.search(drawn)
    return float(across[1]) if across else 0
