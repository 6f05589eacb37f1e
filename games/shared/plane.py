"""The open board of the tile games: cells, runs of tiles, words, and how players write them.

A board is a tuple of rows with a character for each cell: `.` is blank, a capital is a tile, a small letter is a joker
that stands for it. The functions take any rectangle; `EMPTY` is the plane of 51x51.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from games.api import Cell, Grid
from games.shared.drawing import MOST
from games.shared.lines import AROUND, BETWEEN
from games.shared.notation import UMLAUTS, letter
from games.shared.tiles import POINTS, colour

BLANK: Final = "."
SIZE: Final = 51
MARGIN: Final = 1

Rows: TypeAlias = tuple[str, ...]
EMPTY: Final[Rows] = (BLANK * SIZE,) * SIZE

Direction: TypeAlias = Literal["w", "s"]
"""w: waagerecht, to the right. s: senkrecht, downwards."""


class Spot(NamedTuple):
    """A cell by its row and column, from 0."""

    row: int
    column: int

    def moved(self, direction: Direction, steps: int = 1) -> "Spot":
        """Go along a line; negative steps go back."""
        return Spot(self.row, self.column + steps) if direction == "w" else Spot(self.row + steps, self.column)


CENTRE: Final = Spot(SIZE // 2, SIZE // 2)


@dataclass(frozen=True)
class Run:
    """Tiles that lie next to each other in a line, as far as they go."""

    start: Spot
    direction: Direction
    signs: str

    @property
    def word(self) -> str:
        """The word in capitals, jokers read as what they stand for."""
        return self.signs.upper()

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The cells of the run."""
        return tuple(self.start.moved(self.direction, step) for step in range(len(self.signs)))

    @property
    def where(self) -> str:
        """From where to where: `Y26-AC26`."""
        return f"{cell_name(self.spots[0])}-{cell_name(self.spots[-1])}"


def across(direction: Direction) -> Direction:
    """Return the direction at right angles."""
    return "s" if direction == "w" else "w"


def column_name(column: int) -> str:
    """Name a column: A..Z, AA..AY."""
    return (chr(ord("A") + column // 26 - 1) if column >= 26 else "") + chr(ord("A") + column % 26)


def cell_name(spot: Spot) -> str:
    """Name a cell as players write it: `Z26`."""
    return f"{column_name(spot.column)}{spot.row + 1}"


def spot_named(name: str) -> Spot | None:
    """Find a cell of the plane by its name (`Z26`, `z26`, `Z 26`); None where there is none."""
    found = _CELL.fullmatch(name.strip())
    return _spot(found) if found else None


def _spot(found: re.Match[str]) -> Spot | None:
    number = 0
    for sign in found["column"].upper():
        number = number * 26 + ord(sign) - ord("A") + 1
    spot = Spot(int(found["row"]) - 1, number - 1)
    return spot if is_inside(EMPTY, spot) else None


def sign_at(rows: Rows, spot: Spot) -> str:
    """Return what lies in a cell; beyond the edge everything is blank."""
    inside = 0 <= spot.row < len(rows) and 0 <= spot.column < len(rows[spot.row])
    return rows[spot.row][spot.column] if inside else BLANK


def is_inside(rows: Rows, spot: Spot) -> bool:
    """Return whether a board has this cell."""
    return 0 <= spot.row < len(rows) and 0 <= spot.column < len(rows[spot.row])


def lay(rows: Rows, signs: Mapping[Spot, str]) -> Rows:
    """Put signs into cells, or take them away (`.`)."""
    changed = {row: list(rows[row]) for row in {spot.row for spot in signs}}
    for spot, sign in signs.items():
        changed[spot.row][spot.column] = sign
    return tuple("".join(changed[n]) if n in changed else row for n, row in enumerate(rows))


def occupied(rows: Rows) -> tuple[Spot, ...]:
    """Return all cells that hold a tile, row by row."""
    return tuple(Spot(r, c) for r, row in enumerate(rows) if row.strip(BLANK) for c, s in enumerate(row) if s != BLANK)


def neighbours(rows: Rows, spot: Spot) -> tuple[Spot, ...]:
    """Return the cells beside this one that hold a tile."""
    around = (spot.moved("s", -1), spot.moved("w", 1), spot.moved("s", 1), spot.moved("w", -1))
    return tuple(beside for beside in around if sign_at(rows, beside) != BLANK)


def run_at(rows: Rows, spot: Spot, direction: Direction) -> Run:
    """Return the run through an occupied cell; it may be a single tile."""
    start = spot
    while sign_at(rows, before := start.moved(direction, -1)) != BLANK:
        start = before
    signs, end = "", start
    while (sign := sign_at(rows, end)) != BLANK:
        signs, end = signs + sign, end.moved(direction)
    return Run(start, direction, signs)


def runs_at(rows: Rows, spots: Collection[Spot]) -> tuple[Run, ...]:
    """Return the runs of two or more tiles through these occupied cells, along and down, each once."""
    directions: tuple[Direction, ...] = ("w", "s")
    found = (run_at(rows, spot, direction) for direction in directions for spot in sorted(spots))
    return tuple(dict.fromkeys(run for run in found if len(run.signs) > 1))


def runs(rows: Rows) -> tuple[Run, ...]:
    """Return all runs of two or more tiles of a board."""
    return runs_at(rows, occupied(rows))


def apart(rows: Rows) -> Spot | None:
    """Find a tile that doesn't hang together with the first one; None where all do."""
    spots = occupied(rows)
    seen, edge = set(spots[:1]), list(spots[:1])
    while edge:
        new = [beside for beside in neighbours(rows, edge.pop()) if beside not in seen]
        seen.update(new)
        edge += new
    return next((spot for spot in spots if spot not in seen), None)


def stretches(rows: Rows, spots: Collection[Spot]) -> int:
    """Count the separate stretches of tiles among the cells of a word."""
    lies = [sign_at(rows, spot) != BLANK for spot in spots]
    return sum(here and not before for before, here in zip([False, *lies], lies, strict=False))


# --- How players write it (rulings 3.6 to 3.10) ---

_NAMED: Final = r"(?a:(?P<column>[a-z]{1,2}) ?(?P<row>\d{1,2}))"
_CELL: Final = re.compile(_NAMED, re.IGNORECASE)
_DIRECTIONS: Final = {
    "s": "s|senkrecht|d|down|vertical|vertically|runter|abwärts",
    "w": "w|waagerecht|waagrecht|a|across|horizontal|horizontally|rechts",
}
_WAY: Final = rf"(?P<way>{'|'.join(_DIRECTIONS.values())})\.?"
_WORD: Final = r"(?:(?:ich )?lege )?(?P<word>[^\W\d_](?:[^\W\d_]|[*◆])*)"
_FROM: Final = r"(?:(?:ab|in|auf|von|bei|from|at|on) )?"
_WORD_LINES: Final = tuple(
    re.compile(line, re.IGNORECASE)
    for line in (
        rf"{_NAMED}(?:{BETWEEN})?{_WAY}{BETWEEN}(?P<word>.+)",
        rf"{_WORD}{BETWEEN}{_WAY},?\s+{_FROM}{_NAMED}",
        rf"{_WORD}{BETWEEN}{_FROM}{_NAMED},?\s+{_WAY}",
    )
)
"""`Z26 s MEXICO`, `MEXICO senkrecht ab Z26`, `MEXICO ab Z26 senkrecht`."""
_JOLLY_LINE: Final = re.compile(
    rf"(?:jolly|joker){BETWEEN}{_NAMED}(?:{BETWEEN})?(?P<letter>(?a:[a-z]))\*?", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class WordLine:
    """A word as it was written: `Z26 w MEXICO`, the cell of its first letter first."""

    start: Spot
    direction: Direction
    letters: str
    """As sent, in the case it was sent."""
    jokers: frozenset[int] = frozenset()
    """The letters (from 0) that have a star."""

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The cells of the word, over the edge too."""
        return tuple(self.start.moved(self.direction, step) for step in range(len(self.letters)))

    @property
    def sent(self) -> dict[Spot, str]:
        """The letter that was sent for each cell."""
        return dict(zip(self.spots, self.letters, strict=True))

    @property
    def is_inside(self) -> bool:
        """Whether the whole word lies on the plane."""
        return max(self.spots[-1]) < SIZE


def read_direction(text: str) -> Direction | None:
    """Read `w`, `s`, `senkrecht`, `waagerecht`, `across`, `down`."""
    sent = text.strip().rstrip(".").lower()
    if sent in _DIRECTIONS["w"].split("|"):
        return "w"
    return "s" if sent in _DIRECTIONS["s"].split("|") else None


def read_word_line(line: str) -> WordLine | None:
    """Read `Z26 w MEXICO` or `MEXICO waagerecht ab Z26`, in any case; None where it isn't one or can't be read."""
    found = next(filter(None, (form.fullmatch(line.strip(AROUND)) for form in _WORD_LINES)), None)
    if not found:
        return None
    signs, start, direction = read_signs(found["word"]), _spot(found), read_direction(found["way"])
    if not (signs and start and direction):
        return None
    return WordLine(start=start, direction=direction, letters=signs[0], jokers=signs[1])


def read_signs(text: str) -> tuple[str, frozenset[int]] | None:
    """Read `TExA*S` as its letters and the places of those with a star, which are jokers. Umlauts are two letters.

    Mail programs write bold words as `*WORT*`: outer stars are no jokers (rulings 3.6). Blanks between the letters and
    a full stop at the end don't matter.
    """
    text = "".join(text.replace("◆", "*").split()).rstrip(".!,;")
    if text.startswith("*"):
        text = text[1:].removesuffix("*")
    letters, jokers = "", set[int]()
    for at, sign in enumerate(text):
        if sign == "*" and at and text[at - 1] != "*":
            jokers.add(len(letters) - 1)
        elif sign in UMLAUTS:
            letters += UMLAUTS[sign].lower() if sign.islower() else UMLAUTS[sign]
        elif letter(sign):
            letters += sign
        else:
            return None
    return (letters, frozenset(jokers)) if letters else None


def word_line(rows: Rows, run: Run, new: Collection[Spot]) -> str:
    """Write a word as a line of a block: new letters in capitals, new jokers with a star (`AB24 s TExA*S`).

    `rows` is the board with the word on it. A joker that lay there before has no star.
    """
    text = "".join(
        sign.upper() + ("*" if sign.islower() else "") if spot in new else sign.lower()
        for spot, sign in ((spot, sign_at(rows, spot)) for spot in run.spots)
    )
    return f"{cell_name(run.start)} {run.direction} {text}"


def read_jolly_line(line: str) -> tuple[Spot, str] | None:
    """Read `Jolly AB27 = A`: the cell, and the letter that is given for the joker."""
    found = _JOLLY_LINE.fullmatch(line.strip(AROUND))
    spot = _spot(found) if found else None
    return (spot, found["letter"].upper()) if found and spot else None


def exchangeable(rows: Rows, spot: Spot) -> bool:
    """Return whether a joker lies here that may be taken: it has fewer than three neighbours (rulings 1.1)."""
    return sign_at(rows, spot).islower() and len(neighbours(rows, spot)) < 3


# --- How it is shown ---


def covering(rows: Rows, word: str, spots: Collection[Spot]) -> tuple[Spot, ...]:
    """Find where a word lies that was laid with these tiles; it may have grown longer since. Empty if nowhere."""
    for run in runs_at(rows, [spot for spot in spots if sign_at(rows, spot) != BLANK]):
        starts = range(len(run.word) - len(word) + 1)
        found = (run.spots[at : at + len(word)] for at in starts if run.word.startswith(word, at))
        best = max(found, key=lambda one: len({*one} & {*spots}), default=())
        if {*best} & {*spots}:
            return best
    return ()


def used_part(rows: Rows, margin: int = MARGIN) -> tuple[range, range]:
    """Return the rows and columns that are used, with a margin around; those round the centre of an empty board."""
    spots = occupied(rows) or (Spot(len(rows) // 2, len(rows[0]) // 2),)
    return (
        _around([spot.row for spot in spots], len(rows), margin),
        _around([spot.column for spot in spots], len(rows[0]), margin),
    )


def _around(places: list[int], size: int, margin: int) -> range:
    return range(max(min(places) - margin, 0), min(max(places) + margin + 1, size))


def picture(
    rows: Rows, new: Collection[Spot] = (), *, wrong: Collection[Spot] = (), worth: bool = False, margin: int = MARGIN
) -> Grid:
    """Draw the used part: new tiles in capitals, old ones small, jokers with a star while there is room for it.

    `wrong` are the cells that a move is refused for. With `worth` tiles have their values.
    """
    down, along = used_part(rows, margin)
    starred = 2 * len(along) + len(str(len(rows))) + 1 <= MOST
    spots = [[Spot(row, column) for column in along] for row in down]
    drawn = tuple(
        tuple(_cell(sign_at(rows, spot), spot in new, starred, worth, spot in wrong) for spot in line) for line in spots
    )
    return Grid(
        columns=tuple(column_name(column) for column in along),
        rows=tuple(str(row + 1) for row in down),
        cells=drawn,
    )


@cache
def _cell(sign: str, new: bool, starred: bool, worth: bool, wrong: bool) -> Cell:
    if sign == BLANK:
        return Cell(mark="wrong" if wrong else "")
    text = (sign.upper() if new else sign.lower()) + ("*" if starred and sign.islower() else "")
    value = 0 if sign.islower() else POINTS[sign] if worth else None
    return Cell(
        text=text, new=new, tone=colour(sign.upper()), value=value if worth else None,
        mark="wrong" if wrong else "joker" if sign.islower() else "",
    )  # fmt: skip
