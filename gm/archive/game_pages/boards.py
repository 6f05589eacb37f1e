"""Boards as pictures: a single position with what is new in it, or the same board after each round."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from markupsafe import Markup, escape

from games.api import Cell
from gm.archive.record.pictures import picture
from gm.archive.record.record import Board, Part, SeatRecord, Snapshot
from gm.drawing import svg
from gm.drawing.picture import Outline, Picture

LEAST: Final = 0.76
"""Pixels of a unit of a drawing, so that its labels can be read; of one with small values it takes a whole pixel."""
PHONE: Final = 288
"""Pixels across on the smallest phone."""
STEP: Final = 128
"""Pixels between two widths that a wide board may have: classes `w2`, `w3`, ..."""
SIZES: Final = (("small", 210), ("medium", 310))
"""Units across of boards that may stand beside others."""
WIDER: Final = 60
"""Units between two greatest widths, the classes `m1`, `m2`, ...: two tiles shall not fill the page."""
WIDEST: Final = 7

_ACROSS: Final = re.compile(r'viewBox="\S+ \S+ ([\d.]+)')

Key = tuple[str, int, int]
"""What makes a board the same in two rounds: how it is drawn, whose it is (0: of all), and its number among those."""


@dataclass(frozen=True, kw_only=True)
class Named:
    """What a board is called, what is written above it, and whether it belongs to one seat."""

    title: str
    caption: str
    is_own: bool


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
        for column, text in zip(board.columns, line, strict=True)
        if text.strip(" .")
    )


def position(board: Board, named: Named, label: str) -> Markup:
    """Draw one position, with what is new in it marked."""
    return _figure(svg.draw([picture(board, named.title)]), named, [board.note], label)


def over_rounds(
    boards: Sequence[Board | None], named: Named, outlines: Sequence[Outline], notes: Sequence[str]
) -> Markup:
    """Draw the same board after each round, None where it isn't there yet; `notes` has what is said of each."""
    last = next(board for board in reversed(boards) if board)
    pictures = [picture(board, named.title) if board else _blank(last, named.title) for board in boards]
    return _figure(svg.draw(pictures, outlines), named, notes, named.title)


def _blank(board: Board, title: str) -> Picture:
    shown = picture(board, title)
    return replace(shown, cells=tuple(tuple(Cell() for _ in line) for line in shown.cells))


def _figure(drawn: Markup, named: Named, notes: Sequence[str], label: str) -> Markup:
    caption = Markup("")
    if named.caption or any(notes):
        caption = Markup("<figcaption>{}{}</figcaption>").format(named.caption, _notes(notes))
    size = next((name for name, most in SIZES if named.is_own and _units(drawn) <= most), "large")
    return Markup('<figure class="{} m{}">{}{}</figure>').format(
        size, min(ceil(_units(drawn) / WIDER), WIDEST), caption, _readable(drawn, label)
    )


def _notes(notes: Sequence[str]) -> Markup:
    """Write what is said of each round, of which the page shows one; once, where it never changes."""
    if len({*notes}) == 1:
        return Markup(" <small>{}</small>").format(notes[0]) if notes[0] else Markup("")
    return Markup("").join(
        Markup(' <small class="n{}">{}</small>').format(at, note) for at, note in enumerate(notes) if note
    )


def _units(drawn: Markup) -> float:
    """Give the width of a drawing in units of its own."""
    across = _ACROSS.search(drawn)
    return float(across[1]) if across else 0


def _readable(drawn: Markup, label: str) -> Markup:
    """Keep a wide drawing so wide that it can be read; on a phone it scrolls in a frame."""
    pixels = _units(drawn) * (1 if 'class="value"' in drawn else LEAST)
    return framed(drawn, label, f" w{ceil(pixels / STEP)}") if pixels > PHONE else drawn


def framed(content: str, label: str, width: str = "") -> Markup:
    """Put something wide into a frame to scroll in, also with the keyboard."""
    return Markup(f'<div class="wide{width}" role="region" tabindex="0" aria-label="{escape(label)}">{content}</div>')


def unseen(text: str) -> Markup:
    """Write something for screen readers only."""
    return Markup('<span class="said">{}</span>').format(text)
