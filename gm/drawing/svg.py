"""Boards as inline SVG for pages and print.

A board is drawn once for all rounds: each round has a group of its own (`r0`, `r1`, ...) with what came in it. A page
hides the groups behind the round that is chosen, so no round is drawn twice. Colours come from the page's stylesheet.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from markupsafe import Markup, escape

from games.api import Cell
from gm.drawing.boards.dominoes import Hand, Table
from gm.drawing.boards.heard import heard
from gm.drawing.boards.letters import Letters
from gm.drawing.boards.markup import Placed, Shape
from gm.drawing.boards.pegs import Pegs
from gm.drawing.boards.racks import Dice, Racks
from gm.drawing.parts import Board, Outline

SHAPES: Final[Mapping[str, Shape]] = {
    "letters": Letters(), "dominoes": Table(), "hand": Hand(), "tiles": Racks(), "dice": Dice(), "pegs": Pegs(),
}  # fmt: skip
"""How a board is drawn, by its look."""
WORD: Final = 24
"""Units below a board for the word that is lit."""

Place: TypeAlias = tuple[int, int]
"""Column and row of the whole board."""
Lying: TypeAlias = Mapping[Place, Cell]
"""What lies where."""


def draw(rounds: Sequence[Board], outlines: Sequence[Outline] | None = None) -> Markup:
    """Draw a board as it was after each of these rounds; the last one is seen where nothing is chosen.

    A single round has what is new in it marked. With outlines every word lights up and is named below the board where
    somebody points at it, touches it or comes to it with the keyboard, and letters in none of them are pale.
    """
    last, shape = rounds[-1], SHAPES[rounds[-1].drawn_as]
    columns, rows = _whole(rounds)
    lit = None if outlines is None else _under(outlines, columns, rows)
    lying, place = [_lying(one, columns, rows) for one in rounds], partial(_placed, columns, shape, lit)
    layers = _marked(place(lying[0]), shape) if len(rounds) == 1 else "".join(_layers(lying, place, shape))
    drawn, words = shape.ground(columns, rows, last) + layers, _words(outlines or (), columns, rows, shape)
    if words:  # what is heard of it is said by the label and by the words
        width, height = shape.extent(columns, rows)
        return _svg("board", last, (width, height + WORD), f'<g aria-hidden="true">{drawn}</g>{words}', "group")
    return _svg("board", last, shape.extent(columns, rows), drawn)


def newest(rounds: Sequence[Board]) -> float | None:
    """Say where across the drawing the middle of what came last lies, from 0 to 1; None where nothing is new."""
    last = next((one for one in reversed(rounds) if any(cell.new for line in one.cells for cell in line)), None)
    if last is None:
        return None
    shape, (columns, rows) = SHAPES[last.drawn_as], _whole(rounds)
    found = _placed(columns, shape, None, _lying(last, columns, rows))
    lefts = [one.left for one in found if one.cell.new]
    return (min(lefts) + max(lefts) + shape.SIZE) / 2 / shape.extent(columns, rows)[0]


def mini(board: Board) -> Markup:
    """Draw a small board for lists: what lies there, without labels and details."""
    shape = SHAPES[board.drawn_as]
    placed = _placed(board.columns, shape, None, _lying(board, board.columns, board.rows))
    lefts, tops = [one.left for one in placed] or [0], [one.top for one in placed] or [0]
    left, top = min(lefts), min(tops)
    extent = (max(lefts) - left + shape.SIZE, max(tops) - top + shape.SIZE)
    return _svg("mini", board, extent, _marked(placed, shape, small=True), corner=(left, top))


def backs(red: int, black: int, said: str) -> Markup:
    """Draw tiles in hand as others see them, the red ones first and taller: colour isn't all that tells them.

    `said` is what is heard.
    """
    tiles = "".join(
        f'<rect class="red" x="{at * 14}" width="11" height="18" rx="2"/>' if at < red else
        f'<rect class="black" x="{at * 14}" y="3" width="11" height="15" rx="2"/>'
        for at in range(red + black)
    )  # fmt: skip
    width = max(1, (red + black) * 14)
    return Markup(
        f'<svg class="backs" viewBox="0 0 {width} 18" width="{width}" role="img" '
        f'aria-label="{escape(said)}">{tiles}</svg>'
    )


def _svg(
    name: str, shown: Board, extent: tuple[int, int], drawn: str, role: str = "img", corner: tuple[int, int] = (0, 0)
) -> Markup:
    (left, top), (width, height) = corner, extent
    return Markup(
        f'<svg class="{name} {shown.drawn_as}" viewBox="{left} {top} {width} {height}" width="{width}" role="{role}" '
        f'aria-label="{escape(heard(shown))}">{drawn}</svg>'
    )


# -- places ------------------------------------------------------------------------------------------------------------


def _whole(rounds: Sequence[Board]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the labels of the columns and rows of all rounds.

    Of a board that has grown what was never used is left out, but for a blank line around.
    """
    columns, rows = _labels([one.columns for one in rounds]), _labels([one.rows for one in rounds])
    if (columns, rows) in [(one.columns, one.rows) for one in rounds]:
        return columns, rows
    lying = {place for one in rounds for place in _lying(one, columns, rows)}
    if not lying:
        return columns, rows
    return _used(columns, [column for column, _ in lying]), _used(rows, [row for _, row in lying])


def _used(labels: tuple[str, ...], places: Sequence[int]) -> tuple[str, ...]:
    return labels[max(0, min(places) - 1) : max(places) + 2] if len({*labels}) == len(labels) else labels


def _labels(of_rounds: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Join the labels of all rounds, in the order of the board; it may grow on both sides."""
    if len({*of_rounds}) == 1:
        return of_rounds[0]
    longest = max(of_rounds, key=len)
    if len({*longest}) < len(longest):
        return longest  # they name nothing: the place counts
    names = dict.fromkeys(name for labels in of_rounds for name in labels)
    if all(_is_number(name) for name in names):
        return tuple(sorted(names, key=int, reverse=len(longest) > 1 and int(longest[0]) > int(longest[1])))
    if all(name.isalpha() for name in names):
        return tuple(sorted(names, key=lambda name: (len(name), name)))
    return tuple(names)


def _is_number(name: str) -> bool:
    return name.removeprefix("-").isdecimal()


def _lying(shown: Board, columns: Sequence[str], rows: Sequence[str]) -> Lying:
    """Find what lies where, by column and row of the whole board."""
    across, down = _places(shown.columns, columns), _places(shown.rows, rows)
    return {
        (across[column], down[row]): cell
        for row, line in enumerate(shown.cells)
        for column, cell in enumerate(line)
        if cell.sides or cell.text.strip(" .") or cell.mark == "wrong"
    }


def _places(some: Sequence[str], whole: Sequence[str]) -> Sequence[int]:
    place = {name: at for at, name in enumerate(whole)}
    return [place.get(name, -1) for name in some] if len(place) == len(whole) else range(len(some))


def _placed(columns: Sequence[str], shape: Shape, lit: Container[Place] | None, lying: Lying) -> list[Placed]:
    """Find the corner of each cell. All that isn't `lit` is pale, where it is known what is."""
    return [
        Placed(*shape.corner(columns, *place), cell, lit is not None and place not in lit)
        for place, cell in lying.items()
    ]


# -- layers ------------------------------------------------------------------------------------------------------------


def _layers(rounds: Sequence[Lying], place: Callable[[Lying], list[Placed]], shape: Shape) -> Iterator[str]:
    """Draw of each round what came, and paint over what is gone.

    A round in which nothing came has its group as well: pages hide what stands behind the group of a round.
    """
    lying: Lying = {}
    for number, now in enumerate(rounds):
        came = place({at: cell for at, cell in now.items() if at not in lying or _seen(cell) != _seen(lying[at])})
        gone = place({at: cell for at, cell in lying.items() if at not in now})
        yield f'<g class="tiles r{number}">{shape.blanks(gone)}{shape.tiles(came)}</g>'
        lying = now


def _seen(cell: Cell) -> tuple[object, ...]:
    """Give what is seen of a cell: capitals only say what is new."""
    return cell.text.upper(), cell.tone, cell.mark, cell.value, cell.sides


def _marked(placed: Sequence[Placed], shape: Shape, *, small: bool = False) -> str:
    """Draw a single position, with what is new in it."""
    old, new = ([one for one in placed if one.cell.new is is_new] for is_new in (False, True))
    return _group("r0", shape.tiles(old, small=small)) + _group("r0 new", shape.tiles(new, small=small))


def _group(name: str, drawn: str) -> str:
    return f'<g class="tiles {name}">{drawn}</g>' if drawn else ""


def _cells(columns: Sequence[str], rows: Sequence[str]) -> dict[str, Place]:
    """Number the cells by their labels."""
    return {f"{name}{row}": (x, y) for x, name in enumerate(columns) for y, row in enumerate(rows)}


def _under(outlines: Sequence[Outline], columns: Sequence[str], rows: Sequence[str]) -> frozenset[Place]:
    """Find the cells of all words, each in a straight line."""
    cells = _cells(columns, rows)
    ends = [(cells[one.first], cells[one.last]) for one in outlines if one.first in cells and one.last in cells]
    return frozenset(
        (left + (right - left) * at // steps, top + (bottom - top) * at // steps)
        for (left, top), (right, bottom) in ends
        for steps in [max(abs(right - left), abs(bottom - top), 1)]
        for at in range(steps + 1)
    )


def _words(outlines: Sequence[Outline], columns: Sequence[str], rows: Sequence[str], shape: Shape) -> str:
    """Lay a wide line over each word, from the middle of its first cell to that of its last."""
    cells, half = _cells(columns, rows), shape.SIZE // 2
    width, height = shape.extent(columns, rows)
    drawn = []
    for one in outlines:
        if one.first in cells and one.last in cells:
            (left, top), (right, bottom) = (shape.corner(columns, *cells[name]) for name in (one.first, one.last))
            line = f"M{left + half} {top + half}L{right + half} {bottom + half}"
            title = escape(one.title)
            told = f'<text aria-hidden="true" x="{width // 2}" y="{height + WORD - 6}">{title}</text>'
            drawn.append(f'<path tabindex="0" role="img" d="{line}"><title>{title}</title></path>{told}')
    return f'<g class="words">{"".join(drawn)}</g>' if drawn else ""
