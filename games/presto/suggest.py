"""A whole grid for scripted players and tests, found within bounded work."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from games.api import Seat
from games.dice import Dice
from games.presto.rules import State
from games.presto.view import PASSES, written
from games.shared.plane import BLANK, Rows
from games.shared.tiles import BLACK_JOKER, LETTERS, RED_JOKER
from games.shared.wordfinder import UNIT, holds, packed, vocabulary
from games.words import Words

Point = tuple[int, int]
"""Column and row, both free to be negative while a grid is being built."""

_FIRST_WORDS: Final = 30
_NODES: Final = 120
"""Positions to look at for each first word: a grid is found within a few, or never."""


@dataclass(frozen=True)
class _Word:
    text: str
    need: int


@dataclass
class _Search:
    """A grid in the making; `nodes` bounds the work."""

    cells: dict[Point, str]
    nodes: int = 0


def solve(letters: Sequence[str], words: Sequence[str], dice: Dice) -> dict[Point, str] | None:
    """Build a grid that uses all the letters, or None where none was found within bounded work."""
    stock = packed(letters)
    usable = [_Word(word, packed(word)) for word in words]
    usable = [word for word in usable if holds(stock, word.need)]
    hardest = _hardest(stock, usable, usable)
    for first in _tried(usable, hardest, dice)[:_FIRST_WORDS]:
        search = _Search({(at, 0): letter for at, letter in enumerate(first.text)})
        if _complete(search, stock - first.need, usable, dice):
            return search.cells
    return None


def _complete(search: _Search, stock: int, words: Sequence[_Word], dice: Dice) -> bool:
    """Lay all letters of the stock; the cells stay as they were where that fails."""
    search.nodes += 1
    if not stock or search.nodes > _NODES:
        return not stock
    # A word may need a letter that only a later word brings.
    later = [word for word in words if _nearly_fits(word, stock)]
    anchors = set(search.cells.values())
    usable = [word for word in later if _has_anchor(word, stock, anchors)]
    hardest = _hardest(stock, later, usable)
    for word in _tried(usable, hardest, dice):
        for new in _placements(search.cells, word, stock, hardest):
            search.cells.update(new)
            if _complete(search, stock - packed(new.values()), later, dice):
                return True
            for point in new:
                del search.cells[point]
            if search.nodes > _NODES:
                return False
    return False


def _nearly_fits(word: _Word, stock: int) -> bool:
    """Return whether a stock has all letters of a word but one."""
    return any(holds(stock + UNIT[letter], word.need) for letter in word.text)


def _has_anchor(word: _Word, stock: int, anchors: Iterable[str]) -> bool:
    """Return whether that one lies on the board."""
    return any(letter in word.text and holds(stock + UNIT[letter], word.need) for letter in anchors)


def _hardest(stock: int, later: Sequence[_Word], usable: Sequence[_Word]) -> str:
    """Return the letter of the stock that fits the fewest words, if one of them can be laid now; else nothing."""
    sooner, ever = _counts(usable), _counts(later)
    letters = [letter for letter in LETTERS if holds(stock, UNIT[letter])]
    if not all(ever[letter] for letter in letters):
        return ""
    return min((letter for letter in letters if sooner[letter]), key=lambda letter: ever[letter], default="")


def _counts(words: Iterable[_Word]) -> Counter[str]:
    return Counter(letter for word in words for letter in set(word.text))


def _tried(words: Iterable[_Word], letter: str, dice: Dice) -> list[_Word]:
    """Return the words with a letter: long ones first, equally long ones in random order. No letter: no words."""
    drawn = dice.shuffled([word for word in words if letter and letter in word.text])
    return sorted(drawn, key=lambda word: -len(word.text))


def _placements(cells: dict[Point, str], word: _Word, stock: int, hardest: str) -> Iterator[dict[Point, str]]:
    """Find where a word may cross a laid letter; one place for each letter that lies is enough."""
    for (column, row), letter in list(cells.items()):
        if letter not in word.text or not holds(stock + UNIT[letter], word.need):
            continue
        if letter == hardest and word.text.count(letter) == 1:
            continue
        step = (0, 1) if (column - 1, row) in cells or (column + 1, row) in cells else (1, 0)
        for at, sign in enumerate(word.text):
            start = (column - step[0] * at, row - step[1] * at)
            if sign == letter and (new := _laid(cells, word.text, start, step)) is not None:
                yield new
                break


def _laid(cells: dict[Point, str], word: str, start: Point, step: Point) -> dict[Point, str] | None:
    """Lay a word over exactly one laid letter, or None where it would touch another."""
    (right, down), new = step, dict[Point, str]()
    for at in (-1, len(word)):
        if (start[0] + right * at, start[1] + down * at) in cells:
            return None
    for at, letter in enumerate(word):
        column, row = start[0] + right * at, start[1] + down * at
        if (column, row) not in cells:
            if (column + down, row + right) in cells or (column - down, row - right) in cells:
                return None
            new[column, row] = letter
        elif cells[column, row] != letter:
            return None
    return new if len(new) == len(word) - 1 else None


_RED: Final = "EAIUOY"
_BLACK: Final = "NRSTLHD"
_HARDEST: Final = "QXYJCVPWZKFBGOMHULDISATRNE"
_TRIES: Final = 8


def suggest_lines(state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
    """Build a grid of the whole rack, or with one tile left if that is allowed; else give up the deal."""
    rack = state.rack(seat)
    listed = vocabulary(words.listed(state.profile))
    for tiles in islice(_tile_sets(rack, one_left=state.one_left), _TRIES):
        for letters in islice(_readings(tiles), _TRIES):
            cells = solve(letters, listed.of(letters), dice)
            if cells:
                return written(_marked(_rows(cells), tiles, letters))
    return PASSES


def _tile_sets(rack: str, *, one_left: bool) -> Iterator[str]:
    """Yield what may be laid: everything, then everything but one, the rarest letters left first."""
    yield rack
    if one_left:
        for tile in sorted(set(rack) - {RED_JOKER, BLACK_JOKER}, key=_HARDEST.index):
            yield rack.replace(tile, "", 1)


def _readings(tiles: str) -> Iterator[str]:
    """Yield the letters that the tiles may stand for; the jokers as common letters first."""
    plain = "".join(tile for tile in tiles if tile not in (RED_JOKER, BLACK_JOKER))
    reds = _RED if RED_JOKER in tiles else ("",)
    if RED_JOKER in tiles and "Q" in tiles and "U" not in tiles:
        reds = "U"
    for black, red in product(_BLACK if BLACK_JOKER in tiles else ("",), reds):
        yield plain + red + black


def _rows(cells: dict[Point, str]) -> Rows:
    columns, rows = ([point[axis] for point in cells] for axis in (0, 1))
    return tuple(
        "".join(cells.get((column, row), BLANK) for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


def _marked(rows: Rows, tiles: str, letters: str) -> Rows:
    """Write the letters that the jokers stand for as jokers."""
    for letter in letters:
        if letters.count(letter) > tiles.count(letter):
            at = next(number for number, row in enumerate(rows) if letter in row)
            rows = (*rows[:at], rows[at].replace(letter, letter.lower(), 1), *rows[at + 1 :])
            tiles += letter
    return rows
