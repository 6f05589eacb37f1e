"""A whole grid for scripted players and tests, found within bounded work."""

from collections.abc import Iterator
from itertools import islice, product
from typing import Final

from games.dice import Dice
from games.plane import BLANK, Rows
from games.presto.picture import written
from games.presto.solver import Point, holds, packed, solve
from games.presto.state import State
from games.tiles import BLACK_JOKER, RED_JOKER
from games.wordfinder import Vocabulary, vocabulary
from games.words import Words

GIVEN_UP: Final = ("passe",)
_RED: Final = "EAIUOY"
_BLACK: Final = "NRSTLHD"
_HARDEST: Final = "QXYJCVPWZKFBGOMHULDISATRNE"
_TRIES: Final = 8


def suggest_lines(state: State, seat: int, dice: Dice, words: Words) -> tuple[str, ...]:
    """Build a grid of the whole rack, or with one tile left where that is allowed; else give the deal up."""
    rack = next((rack for owner, rack in zip(state.seats, state.racks, strict=True) if owner == seat), "")
    listed = vocabulary(words.listed(state.profile))
    for tiles in islice(_tile_sets(rack, one_left=state.one_left), _TRIES):
        for letters in islice(_readings(tiles), _TRIES):
            cells = solve(letters, _usable(letters, listed), dice)
            if cells:
                return written(_marked(_rows(cells), tiles, letters))
    return GIVEN_UP


def _tile_sets(rack: str, *, one_left: bool) -> Iterator[str]:
    """Give what may be laid: everything, then everything but one, the rarest letters left first."""
    yield rack
    if one_left:
        for tile in sorted(set(rack) - {RED_JOKER, BLACK_JOKER}, key=_HARDEST.index):
            yield rack.replace(tile, "", 1)


def _readings(tiles: str) -> Iterator[str]:
    """Give the letters that the tiles may stand for; the jokers as common letters first."""
    plain = "".join(tile for tile in tiles if tile not in (RED_JOKER, BLACK_JOKER))
    reds = _RED if RED_JOKER in tiles else ("",)
    if RED_JOKER in tiles and "Q" in tiles and "U" not in tiles:
        reds = "U"
    for black, red in product(_BLACK if BLACK_JOKER in tiles else ("",), reds):
        yield plain + red + black


def _usable(letters: str, listed: Vocabulary) -> list[str]:
    """Find the words that the letters allow."""
    stock = packed(letters)
    return [word for word in listed.near(letters, more=0) if holds(stock, packed(word))]


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
