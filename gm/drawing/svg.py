"""Boards as inline SVG for pages and print.

A board is drawn once for all rounds: each round has a group of its own (`r0`, `r1`, ...) with what came in it. A page
hides the groups behind the round that is chosen, so no round is drawn twice. Colours come from the page's stylesheet.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from markupsafe import Markup, escape

from games.api import Cell
from gm.drawing.boards import dice, dominoes, letters, pegs, racks
from gm.drawing.boards.heard import heard
from gm.drawing.boards.markup import Placed, Shape
from gm.drawing.parts import Board, Outline

SHAPES: Final[Mapping[str, Shape]] = {
    "letters": letters, "dominoes": dominoes, "hand": dominoes.Hand(), "tiles": racks, "dice": dice, "pegs": pegs,
}  # fmt: skip
"""How a board is drawn, by its look."""
WORD: Final = 24
"""Units below a board for the word that is lit."""


def draw(rounds: Sequence[Board], outlines: Sequence[Outline] | None = None) -> Markup:
    """Draw a board as it was after each of these rounds; the last one is seen where nothing is chosen.

    A single round has what is new in it marked. With outlines every word lights up and is named below the board where
    somebody points at it, touches it or comes to it with the keyboard, and letters in none of them are pale.
    """
    last, shape = rounds[-1], SHAPES[rounds[-1].drawn_as]
    columns, rows = _whole(rounds)
    lit = None if outlines is None else _under(outlines, columns, rows)
    placed = [_placed(_lying(one, columns, rows), columns, shape, lit) for one in rounds]
    layers = _marked(placed[0].values(), shape) if len(rounds) == 1 else "".join(_layers(placed, shape))
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
    found = _placed(_lying(last, columns, rows), columns, shape).values()
    lefts = [one.left for one in found if one.cell.new]
    return (min(lefts) + max(lefts) + shape.SIZE) / 2 / shape.extent(columns, rows)[0]


def mini(board: Board) -> Markup:
    """Draw a small board for lists: what lies there, without labels and details."""
    shape = SHAPES[board.drawn_as]
    placed = _placed(_lying(board, board.columns, board.rows), board.columns, shape)
    lefts, tops = ({at[side] for at in placed} or {0} for side in (0, 1))
    left, top = min(lefts), min(tops)
    extent = (max(lefts) - left + shape.SIZE, max(tops) - top + shape.SIZE)
    return _svg("mini", board, extent, _marked(placed.values(), shape, small=True), corner=(left, top))


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
    whole = columns, rows = _labels([one.columns for one in rounds]), _labels([one.rows for one in rounds])
    lying = {place for one in rounds for place in _lying(one, columns, rows)}
    if not lying or whole in [(one.columns, one.rows) for one in rounds]:
        return whole
    return _used(columns, [column for column, _ in lying]), _used(rows, [row for _, row in lying])


def _used(labels: tuple[str, ...], places: Sequence[int]) -> tuple[str, ...]:
    return labels[max(0, min(places) - 1) : max(places) + 2] if len({*labels}) == len(labels) else labels


def _labels(of_rounds: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Join the labels of all rounds, in the order of the board; it may grow on both sides."""
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


def _lying(shown: Board, columns: Sequence[str], rows: Sequence[str]) -> dict[tuple[int, int], Cell]:
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


def _placed(
    lying: Mapping[tuple[int, int], Cell],
    columns: Sequence[str],
    shape: Shape,
    lit: Container[tuple[int, int]] | None = None,
) -> dict[tuple[int, int], Placed]:
    """Find the corner of each cell. All that isn't `lit` is pale, where it is known what is."""
    found = {}
    for place, cell in lying.items():
        left, top = shape.corner(columns, *place)
        is_pale = lit is not None and place not in lit
        found[left, top] = Placed(left=left, top=top, cell=cell, is_pale=is_pale)
    return found


# -- layers ------------------------------------------------------------------------------------------------------------


def _layers(placed: Sequence[Mapping[tuple[int, int], Placed]], shape: Shape) -> Iterator[str]:
    """Draw of each round what came, and paint over what is gone.

    A round in which nothing came has its group as well: pages hide what stands behind the group of a round.
    """
    lying: Mapping[tuple[int, int], Placed] = {}
    for number, now in enumerate(placed):
        came = [one for at, one in now.items() if at not in lying or _seen(one.cell) != _seen(lying[at].cell)]
        gone = [one for at, one in lying.items() if at not in now]
        yield f'<g class="tiles r{number}">{shape.blanks(gone)}{shape.tiles(came, small=False)}</g>'
        lying = now


def _seen(cell: Cell) -> Cell:
    """What is seen of a cell: capitals only say what is new."""
    return replace(cell, text=cell.text.upper(), new=False)


def _marked(placed: Iterable[Placed], shape: Shape, *, small: bool = False) -> str:
    """Draw a single position, with what is new in it."""
    old, new = ([one for one in placed if one.cell.new is is_new] for is_new in (False, True))
    return _group("r0", shape.tiles(old, small=small)) + _group("r0 new", shape.tiles(new, small=small))


def _group(name: str, drawn: str) -> str:
    return f'<g class="tiles {name}">{drawn}</g>' if drawn else ""


def _cells(columns: Sequence[str], rows: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Number the cells by their labels."""
    return {f"{name}{row}": (x, y) for x, name in enumerate(columns) for y, row in enumerate(rows)}


def _under(outlines: Sequence[Outline], columns: Sequence[str], rows: Sequence[str]) -> frozenset[tuple[int, int]]:
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
